"""A stopped match has a gamelog, a replay and a seed, like a finished one."""

import asyncio
import gzip
import re
import sqlite3
from contextlib import contextmanager

import pytest

import arena as room_arena
import treasure_game
from endturn.archive.store import ArchiveDown
from endturn.engine import gamelog
from endturn.server.transports.web.describe import room_info
from web_arena import arena, tokens


def stopped(server, *actions):
    """A match of Treasure that an admin stopped after these actions: its path."""
    key = re.search(r"shown once\): (\S+)", "".join(server.said)).group(1)
    created = server.create()
    match = created["match"]["id"]

    async def play():
        async with server.join(match, tokens(created)[0]) as ann:
            for action in actions:
                assert (await ann.act(**action))["type"] == "done"

    asyncio.run(play())
    headers = {"Authorization": f"Bearer {key}"}
    answer = server.web.post(f"/api/admin/matches/{match}/stop", json={"reason": "No."}, headers=headers)
    assert answer.status_code == 200, answer.text
    return f"/api/matches/{match}"


ACTIONS = {"do": "mark", "number": 4}, {"do": "end_turn"}


def test_stopped_match_has_a_gamelog_and_seed(server):
    path = stopped(server, *ACTIONS)
    kept = server.web.get(f"{path}/gamelog")
    assert kept.status_code == 200, kept.text
    lines = gzip.decompress(kept.content).decode().splitlines(keepends=True)
    again = gamelog.verify(lines, treasure_game.find)
    assert again.actions == 2 and again.end["end"] is None
    shown = server.web.get(path).json()
    assert shown["status"] == "failed" and int(shown["seed"], 16) == again.match.seed


def test_stopped_match_can_be_replayed_verified_and_continued(server):
    path = stopped(server, *ACTIONS)
    replay = server.web.get(f"{path}/replay").json()
    assert replay["total"] == 2 and replay["match"]["outcome"] == {"failed": "No."}
    assert server.web.get(f"{path}/verify").json()["verified"]
    match = path.rpartition("/")[2]
    assert server.create(from_match=match, from_action=2)["match"]["status"] == "running"
    late = server.web.post("/api/matches", json={"game": "treasure", "from_match": match, "from_action": 3})
    assert late.status_code == 409 and "from_action must be 0 to 2, not 3." in late.json()["reason"]


def test_match_that_differs_from_its_log_is_not_replayed(server):
    path = stopped(server, *ACTIONS)
    with sqlite3.connect(server.db.removeprefix("sqlite:///")) as line:
        line.execute(
            "update entries set state = 'x' where match = ? and number = 2", [path.rpartition("/")[2]]
        )
    answer = server.web.get(f"{path}/replay")
    assert answer.status_code == 409
    assert "cannot be replayed" in answer.json()["reason"] and "at entry 2." in answer.json()["reason"]


def begun(server, *actions):
    """A match of Treasure in which Ann played these: its number."""
    created = server.create()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            for action in actions:
                assert (await ann.act(**action))["type"] == "done"

    asyncio.run(play())
    return created["match"]["id"]


@contextmanager
def changed_archive(folder, statement, match):
    """The same server after a restart with a changed archive."""
    with sqlite3.connect(folder / "arena.db") as line:
        line.execute(statement, [match])
    with arena(folder) as server:
        asyncio.run(look(server, match))
        yield server, f"/api/matches/{match}"


async def look(server, match):
    async with server.join(match) as watching:
        assert watching.welcome["match"]["status"] == "failed"


def test_stop_at_an_entry_keeps_everything_before_it(tmp_path):
    with arena(tmp_path) as server:
        match = begun(server, *ACTIONS)
    change = "update entries set state = 'x' where match = ? and number = 2"
    with changed_archive(tmp_path, change, match) as (server, path):
        shown = server.web.get(path).json()
        assert shown["outcome"] == {"failed": f"Match {match} differs from its log at entry 2."}
        lines = gzip.decompress(server.web.get(f"{path}/gamelog").content).decode().splitlines(keepends=True)
        again = gamelog.verify(lines, treasure_game.find)
        assert [entry.action.number for entry in again.match.played()] == [4] and again.end["end"] is None
        assert server.web.get(f"{path}/verify").json()["verified"]
        replay = server.web.get(f"{path}/replay").json()
        assert replay["total"] == 1 and replay["steps"][0]["event"]["action"] == ACTIONS[0]


def test_missing_gamelog_is_explained(tmp_path):
    with arena(tmp_path) as server:
        match = begun(server, *ACTIONS)
    change = "update matches set version = 2 where id = ?"
    with changed_archive(tmp_path, change, match) as (server, path):
        answer = server.web.get(f"{path}/gamelog")
        assert answer.status_code == 404
        begun_by = "The match used version 2 of the rules of Treasure. This server has version 3."
        assert answer.json()["reason"] == (
            f"This match has no gamelog. {begun_by} No part of it can be replayed."
        )


@pytest.mark.usefixtures("treasure")
def test_unsaved_stop_keeps_the_seed_hidden(tmp_path):
    def broken(step):
        raise ArchiveDown("No.")

    async def inside():
        async with room_arena.arena(room_arena.sqlite(tmp_path)) as lobby:
            told, untold = await room_arena.match(lobby), await room_arena.match(lobby)
            await told.stop("No.")
            lobby.store.at = broken
            assert (await untold.stop("No.")).rule == "archive"
            lobby.store.at = lambda step: None
            assert room_info(told).seed == told.row["seed"]
            assert (untold.status, room_info(untold).seed) == (
                "failed",
                None,
            )  # it is played on after a start

    asyncio.run(inside())
