"""Runs that wait for a write, leaving while the archive is down, and players that miss the start."""

import asyncio
import gzip
import json

import pytest

from arena import until
from endturn.archive.store import ArchiveDown
from endturn.cadre import gamelogs
from endturn.cadre.messages import answered_with
from endturn.engine.actions import Why
from endturn.server.transports.cadre import sessions
from endturn.server.transports.cadre.session_match import MOST_WAITING
from server.cadre.client import SMALL, Client, pair, said, serving
from server.cadre.test_play import room_of
from server.test_room import Gate

LOG = said("run", {"caller": {"id": "0"}, "functionName": "log", "args": {"message": "hi"}})


async def log_of(server):
    """Wait for the gamelog in the archive."""
    await until(lambda: server.lobby.store.gamelog(kind="cadre"))
    return json.loads(gzip.decompress(server.lobby.store.gamelog(kind="cadre")["packed"]))


async def read_by(server, guest):
    """Wait until the server has read what was sent before, as far as it reads."""
    for _ in range(2):
        await guest.send("alias", "anarchy")
        await guest.until("named")


@pytest.mark.parametrize("at_once", [1, MOST_WAITING + 32], ids=["one by one", "many at once"])
def test_client_is_not_read_while_too_many_runs_wait(tmp_path, at_once):
    async def go():
        async with serving(tmp_path) as server:
            one, _, order = await pair(server)
            guest = await Client.connect(server)
            member = next(each for each in server.sessions.open["Anarchy", "1"].members if each.seat == 0)
            gate = Gate(server.lobby.store)
            mine = one.mine(0)[0]
            ignite = {"caller": {"id": mine}, "functionName": "ignite", "args": {"building": {"id": mine}}}
            await one.raw(said("run", ignite) + LOG * (at_once - 1))
            await until(lambda: len(member.waiting) >= min(at_once - 1, MOST_WAITING))
            for _ in range(200):
                await one.raw(LOG)
                await read_by(server, guest)
            assert len(member.waiting) <= max(MOST_WAITING, at_once)
            gate.open()
            answers = [await one.until("ran", "fatal") for _ in range(at_once + 200)]
            assert answers == [0] + [None] * (at_once + 199)
            await one.finish(order)

    asyncio.run(go())


def picky(store, monkeypatch, kind):
    """Make the archive refuse one kind of row; gives the number of attempts and a function that repairs it."""
    write, asked = store.write, []

    def refuse(writes):
        if any(each.values.get("kind") == kind for each in writes):
            asked.append(kind)
            raise ArchiveDown("The disk is full.")
        write(writes)

    monkeypatch.setattr(store, "write", refuse)
    return asked, lambda: monkeypatch.setattr(store, "write", write)


def test_leaving_while_the_archive_is_down_counts_when_it_is_back(tmp_path, monkeypatch):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            room = room_of(server)
            asked, heal = picky(server.lobby.store, monkeypatch, "act")
            one.close()
            await until(lambda: asked)
            assert room.status == "running"
            heal()
            await two.until("over")
            assert room.entries[-1].body["why"] == Why.DISCONNECTED
            (loser,) = (await log_of(server))["losers"]
            assert (loser["index"], loser["disconnected"]) == (0, True)

    asyncio.run(go())


def test_leaving_while_a_match_starts_loses_it(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two = await Client.connect(server), await Client.connect(server)
            name = await one.play("new", SMALL)
            gate = Gate(server.lobby.store)
            await two.play(name)
            await two.leave()
            await until(lambda: len(server.sessions.clients) == 1)
            assert not server.lobby.rooms  # the match is not in the archive
            gate.open()
            await one.until("over")
            assert one.objects["0"]["won"] and "Disconnected" in one.objects["1"]["reasonLost"]

    asyncio.run(go())


def test_large_gamelog_omits_refusals_that_are_still_answered(tmp_path, monkeypatch):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            assert await one.run(one.mine(0)[0], "ignite") == -1
            monkeypatch.setattr(gamelogs, "CHUNK", 0)
            monkeypatch.setattr(gamelogs, "LARGEST", 0)
            await one.run("0", "log", message="full")
            for _ in range(3):
                assert await one.run(one.mine(0)[0], "ignite") == -1
                assert "invalid" in [message["event"] for message in one.heard[-3:]]
            await one.run("0", "log", message="fuller")
            two.close()
            await one.until("over")
            runs = [each["data"] for each in (await log_of(server))["deltas"] if each["type"] == "ran"]
            assert ["invalid" in each for each in runs] == [True, False, False]

    asyncio.run(go())


def test_clients_hear_when_their_match_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "SWEEP", 0.05)

    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            await room_of(server).stop("No more of this.")
            for client in (one, two):
                assert (await client.until("fatal"))["message"].endswith("\n\nNo more of this.")
                assert await client.closed()
            assert not server.sessions.open

    asyncio.run(go())


def test_numbers_fractions_and_booleans_stay_distinct():
    """A cache by value alone would confuse them."""
    answered_with.cache_clear()
    for returned, text in (
        (True, b"true"),
        (1, b"1"),
        (1.0, b"1.0"),
        (0.0, b"0.0"),
        (False, b"false"),
        (0, b"0"),
    ):
        assert answered_with(returned)[1] == b'{"event":"ran","data":%b}' % text
