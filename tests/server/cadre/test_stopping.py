"""A server that stops or is killed during a match invents no result and loses none."""

import asyncio
import gc
import gzip
import json
import weakref
from urllib.request import urlopen

import pytest

from endturn.archive.store import ArchiveDown
from endturn.cadre.conformance import conform
from endturn.engine.actions import Why
from endturn.games import find
from endturn.server import lobby as lobby_module
from endturn.server.transports.cadre import interrupted_sessions, saved_session
from server.cadre.client import SMALL, Client, pair, serving
from server.cadre.test_play import GAMES, play_on

SHORT = f"{SMALL}&playerStartingTime=1500000000&timeAddedPerTurn=0"


async def wait_for(what, seconds=20):
    """The value of a function, once it is true."""
    async with asyncio.timeout(seconds):
        while not (found := what()):
            await asyncio.sleep(0.05)
    return found


def only(rows):
    (row,) = rows
    return row


# --- no result is invented ---


def test_stopping_the_server_makes_nobody_lose(tmp_path):
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


def test_match_starting_while_the_server_stops_is_lost_by_nobody(tmp_path):
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


# --- no gamelog is lost ---


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(interrupted_sessions, "SWEEP", 0.05)
    monkeypatch.setattr(saved_session, "RETRY", 0.05)


async def status(server, session, game="Anarchy"):
    def ask():
        with urlopen(f"http://127.0.0.1:{server.ports['http']}/status/{game}/{session}") as answer:
            return json.load(answer)

    return await asyncio.to_thread(ask)


async def nothing():
    pass


def no_gamelogs(store, monkeypatch):
    """Make the archive refuse gamelogs of this kind; returns a function that repairs it."""
    write = store.write

    def picky(writes):
        if any(each.values.get("kind") == "cadre" for each in writes):
            raise ArchiveDown("The disk is full.")
        write(writes)

    monkeypatch.setattr(store, "write", picky)
    return lambda: monkeypatch.setattr(store, "write", write)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("profile", ["2022", "2017"])
def test_interrupted_session_gets_its_gamelog_when_its_match_ends(game, profile, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            settings = f"{GAMES[game]}&profile={profile}&playerNames[]=Ann&playerNames[]=Bob"
            one, two, order = await pair(server, settings, "again", gameName=game, clientType="Lisp")
            await play_on(server, (one, two), order, nothing, most=25)
            await server.close()
            (match,) = server.lobby.rooms
        async with serving(tmp_path) as server:
            store = server.lobby.store
            said = await status(server, "again", game)
            assert said["status"] == "running" and [c["name"] for c in said["clients"]] == ["Ann", "Bob"]
            room = await server.lobby.find(match)
            loser = room.match.to_act()[0]
            await room.leave(loser, "timed out")
            row = await wait_for(lambda: store.gamelog(kind="cadre"))
            assert store.gamelogs("begun") == []
            report = conform(find(game.lower()), row["packed"], row["name"])
            assert (report.mismatches, report.first, report.era) == (0, None, profile)
            log = json.loads(gzip.decompress(row["packed"]))
            kinds = [each["type"] for each in log["deltas"]]
            assert kinds.count("ran") + kinds.count("finished") == len(room.entries) - 1
            assert (log["gameSession"], only(log["losers"])["timedOut"]) == ("again", True)
            players = [log["deltas"][0]["game"]["gameObjects"][seat] for seat in "01"]
            assert [(p["name"], p["clientType"]) for p in players] == [("Ann", "Lisp"), ("Bob", "Lisp")]
            said = await wait_for_status(server, game)
            assert said["gamelogFilename"] == row["name"] and f"{game}-again" in row["name"]
            assert [client["timedOut"] for client in said["clients"]] == [seat == loser for seat in (0, 1)]

    asyncio.run(go())


async def wait_for_status(server, game):
    async with asyncio.timeout(20):
        while (said := await status(server, "again", game))["status"] != "over":
            await asyncio.sleep(0.05)
    return said


async def play_to_the_end(one, two, order):
    for turn in range(4):
        await (one, two)[turn % 2].finish(order)
        if turn < 3:
            order = await (one, two)[1 - turn % 2].until("order")


def test_over_is_sent_once_the_gamelog_is_archived(tmp_path, monkeypatch):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, SMALL)
            heal = no_gamelogs(server.lobby.store, monkeypatch)
            await play_to_the_end(one, two, order)
            await wait_for(lambda: server.lobby.store.results())
            await asyncio.sleep(0.2)
            assert not any(message["event"] == "over" for message in (*one.heard, *two.heard))
            heal()
            url = (await one.until("over"))["gamelogURL"]
            assert server.lobby.store.gamelog(kind="cadre", name=url.rsplit("/", 1)[1])

    asyncio.run(go())


def test_unarchived_gamelog_is_written_after_the_next_start(tmp_path, monkeypatch):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, SMALL, "again")
            heal = no_gamelogs(server.lobby.store, monkeypatch)
            await play_to_the_end(one, two, order)
            await wait_for(lambda: server.lobby.store.results())
            await server.close()
            heal()
        async with serving(tmp_path) as server:
            row = await wait_for(lambda: server.lobby.store.gamelog(kind="cadre"))
            deltas = json.loads(gzip.decompress(row["packed"]))["deltas"]
            assert [each["type"] for each in deltas].count("finished") == 4
            assert (await wait_for_status(server, "Anarchy"))["gamelogFilename"] == row["name"]

    asyncio.run(go())


# --- nothing stays in memory ---


def test_finished_session_keeps_only_its_result_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(lobby_module, "IDLE", 50.0)
    monkeypatch.setattr(lobby_module, "SWEEP", 0.05)

    async def go():
        gc.disable()  # references must break without the garbage collector
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, SMALL, "done")
            play = server.sessions.open["Anarchy", "done"].match
            kept = [weakref.ref(each) for each in (play, play.live, play.log)]
            room = weakref.ref(play.room)
            del play
            await play_to_the_end(one, two, order)
            await one.until("over")
            await wait_for(lambda: not any(each() for each in kept))
            await wait_for(lambda: (gc.collect(), room())[1] is None)
            said = await status(server, "done")
            assert said["status"] == "over" and said["gamelogFilename"].startswith("Anarchy-done-")
            assert sorted(client["won"] for client in said["clients"]) == [False, True]

    try:
        asyncio.run(go())
    finally:
        gc.enable()
