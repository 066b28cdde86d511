"""A server that stops or is killed in mid-match: no result is invented, and none is lost."""

import asyncio
import json

from endturn.engine.game import Why
from server.cadre.client import SMALL, Client, pair, serving

SHORT = f"{SMALL}&playerStartingTime=1500000000&timeAddedPerTurn=0"


async def wait_for(what, seconds=20):
    """What a function says, as soon as that is true."""
    async with asyncio.timeout(seconds):
        while not (found := what()):
            await asyncio.sleep(0.05)
    return found


def only(rows):
    (row,) = rows
    return row


# --- no result is invented ---


def test_a_server_that_stops_lets_nobody_lose(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, SHORT)
            await one.finish(order)
            await two.until("order")
            await server.close()
            for client in (one, two):
                assert "shutting down" in (await client.until("fatal"))["message"]
            (match,) = server.lobby.rooms
        async with serving(tmp_path) as server:
            store = server.lobby.store
            assert (store.match(match)["status"], len(store.entries(match))) == ("running", 1)
            assert store.results() == [] and store.gamelog(match=match) is None
            await wait_for(lambda: store.match(match)["status"] == "over")
            last = store.entries(match)[-1]
            assert (last["number"], last["seat"]) == (2, 1)
            assert json.loads(last["body"])["why"] == Why.TIMED_OUT

    asyncio.run(go())


def test_a_match_that_begins_as_the_server_stops_is_lost_by_nobody(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two = await Client.connect(server), await Client.connect(server)
            name = await one.play("new", SHORT)
            await two.send("play", {"gameName": "Anarchy", "requestedSession": name})
            await wait_for(lambda: server.sessions.open["Anarchy", name].starting)
            await server.close()
            room = only(await wait_for(lambda: list(server.lobby.rooms.values())))
            assert (room.status, room.entries) == ("running", [])

    asyncio.run(go())
