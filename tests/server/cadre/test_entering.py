"""Entering sessions, and what happens to empty ones."""

import asyncio
import json

import pytest

from arena import until
from server.cadre.client import Client, quick, serving
from server.cadre.test_stopping import status
from server.cadre.test_transcripts import ask

FINAL = {"gameName": "Anarchy", "session": "final", "gameSettings": {"playerNames": ["Ann", "Bob"]}}


async def set_up(server, **more):
    assert await ask(server, "POST", "/setup", json.dumps(FINAL | more)) == (200, b"{}")


def test_reserved_session_stays_when_it_is_empty(tmp_path):
    async def go():
        async with serving(tmp_path, arena=True) as server:
            await set_up(server, password="sesame")
            guest = await Client.connect(server)
            assert await guest.play("final", password="sesame") == "final"
            await guest.leave()
            await until(lambda: not server.sessions.clients)
            assert (await status(server, "final"))["status"] == "open"
            stranger = await Client.connect(server)
            await stranger.send("play", {"gameName": "Anarchy", "requestedSession": "final"})
            assert "Incorrect password" in (await stranger.until("fatal"))["message"]

    asyncio.run(go())


def test_other_session_goes_when_it_is_empty(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            guest = await Client.connect(server)
            await guest.play("mine")
            assert (await status(server, "mine"))["status"] == "open"
            await guest.leave()
            await until(lambda: not server.sessions.clients)
            assert (await status(server, "mine"))["status"] == "empty"

    asyncio.run(go())


def test_any_session_excludes_sessions_with_a_password(tmp_path):
    async def go():
        async with serving(tmp_path, arena=True) as server:
            await set_up(server, password="sesame")
            one, two = await Client.connect(server), await Client.connect(server)
            assert await one.play("*") == await two.play("*") == "1"
            await one.until("start")

    asyncio.run(go())


def test_spectators_are_limited_but_players_can_still_join(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            for _ in range(101):
                watching = await Client.connect(server)
                await watching.play("show", spectating=True)
            one_more = await Client.connect(server)
            await one_more.send(
                "play", {"gameName": "Anarchy", "requestedSession": "show", "spectating": True}
            )
            assert "accepts no more spectators" in (await one_more.until("fatal"))["message"]
            for _ in range(2):
                player = await Client.connect(server)
                await player.play("show")
            assert await player.until("start") and await watching.until("start") == {}

    asyncio.run(go())


REFUSED = {
    "settings": {"gameSettings": "mapWidth=99"},
    "a seat": {"playerIndex": 7},
    "a name": {"requestedSession": "x" * 200},
    "a password": {"password": "wrong"},
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_client_takes_no_place_and_no_number(tmp_path, what):
    async def go():
        async with serving(tmp_path, limits=quick(sessions=1), password="sesame") as server:
            asked = {"gameName": "Anarchy", "requestedSession": "new", "password": "sesame"}
            for _ in range(2):
                guest = await Client.connect(server)
                await guest.send("play", asked | REFUSED[what])
                message = (await guest.until("fatal"))["message"]
                assert "Too many sessions" not in message
            assert not server.sessions.open
            assert await (await Client.connect(server)).play("new", password="sesame") == "1"

    asyncio.run(go())
