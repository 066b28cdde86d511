"""What clients are told of matches: in order, in time, and only what they may know."""

import asyncio
from dataclasses import replace

import pytest

import arena
import treasure_game
from endturn.engine.actions import Actions, Rule
from endturn.server.clock import Timing
from endturn.server.transports.web.describe import room_info
from endturn.server.transports.web.gallery import Guest, Outbox
from server.test_room import broken
from server.web.here import here
from server.web.test_guest import Line
from web_arena import tokens

pytestmark = pytest.mark.usefixtures("treasure")


def test_messages_keep_their_order():
    async def go():
        guest = Guest(0, Outbox(), line := Line(takes=False))
        guest.tell(b"first")
        assert await guest.next() == b"first"
        line.takes = True  # and the first is still being written
        guest.tell(b"second")
        guest.flush()
        assert line.taken == []
        assert await guest.next() == b"second"

    asyncio.run(go())


def test_archive_down_is_not_a_conflict(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            match = (await server.create(seats=[{"kind": "me"}, {"kind": "link"}]))["match"]["id"]
            path = f"/api/matches/{match}/seats"
            broken(server.lobby.store)
            down = await server.web.post(path, json={})
            assert (down.status_code, down.json()["rule"]) == (503, "archive")
            server.lobby.store.at = lambda step: None
            assert (await server.web.post(path, json={})).status_code == 201
            taken = await server.web.post(path, json={})
            assert (taken.status_code, taken.json()["rule"]) == (409, "seat")

    asyncio.run(go())


def test_results_omit_private_matches(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            ended = {}
            for public in True, False:
                created = await server.create(public=public)
                ended[public] = created["match"]["id"]
                async with server.join(ended[public], tokens(created)[0]) as ann:
                    await ann.ask("resign")
            listed = (await server.web.get("/api/results")).json()["results"]
            assert [each["match"] for each in listed] == [ended[True]]

    asyncio.run(go())


HIDDEN_END = Rule(None, treasure_game.end_turn, ends_turn=True, hidden=True)
quiet = replace(
    treasure_game.game, actions=Actions({**treasure_game.game.actions, treasure_game.EndTurn: HIDDEN_END})
)  # nobody hears of the end of a turn


def test_time_of_the_end_is_told_even_if_the_action_is_hidden(tmp_path):
    async def go():
        async with arena.arena(arena.sqlite(tmp_path)) as lobby:
            settings = quiet.configure(values={"max_turns": 2})
            room = await lobby.create(quiet, settings, arena.people(), Timing(), seed=7)
            begun = room_info(room).changed_at
            await arena.until(lambda: lobby.now() > begun + 1)  # milliseconds
            await room.act(0, arena.END)
            assert room_info(room).changed_at == begun < room.entries[-1].at
            await room.act(1, arena.END)
            assert room.over and room_info(room).changed_at == room.entries[-1].at

    asyncio.run(go())
