"""The lobby: loading and unloading matches, restarts, and the cost of a start."""

import asyncio
import gzip
import threading
import time

import msgspec
import pytest

import treasure_game
from arena import BET, END, arena, match, people, sqlite, until
from endturn.archive.store import ENTRIES, MATCHES, SEATS, ArchiveDown, Store, change_match, insert
from endturn.engine import gamelog
from endturn.engine.answers import Accepted
from endturn.engine.match import Match
from endturn.games import find
from endturn.server import lobby as module
from endturn.server.clock import Timing
from endturn.server.live_match import encoded
from endturn.server.lobby import Lobby, LobbyFull, bot_seat
from endturn.server.room import Room
from endturn.server.seat import Seat

pytestmark = pytest.mark.usefixtures("treasure")

HOUR = 3600.0


def runs(folder, *lives, calendar=None):
    """Runs of a server on one archive, each an hour after the last."""
    for number, life in enumerate(lives):

        async def inside(life=life, number=number):
            later = calendar or (lambda: time.time() + number * HOUR)
            async with arena(sqlite(folder), later) as lobby:
                await life(lobby)

        asyncio.run(inside())


async def sleeping(lobby, room):
    """Unload a room as if nothing had happened in it for a long time."""
    room.touched = 0.0
    await lobby._let_go()
    return room.id not in lobby.rooms


# --- sleeping and waking ---


def test_idle_room_is_unloaded_and_loads_unchanged(tmp_path):
    async def life(lobby):
        room = await match(lobby, Timing("deadline", 3600))
        await room.act(0, BET)
        state, due = room.match.dump(), room.clock.due()
        assert await sleeping(lobby, room)
        again = await lobby.find(room.id)
        assert again is not room and again.match.dump() == state
        assert again.clock.due() == pytest.approx(due, abs=1)
        assert isinstance(await again.act(0, END), Accepted)

    runs(tmp_path, life)


@pytest.mark.parametrize("kind", ["bank", "deadline"])
def test_loading_a_match_without_actions_keeps_its_clocks(tmp_path, kind):
    async def life(lobby):
        room = await match(lobby, Timing(kind, 3600))
        due = room.clock.due()
        await asyncio.sleep(0.05)
        assert await sleeping(lobby, room)
        assert (await lobby.find(room.id)).clock.due() == pytest.approx(due, abs=1)

    runs(tmp_path, life)


def test_watched_or_soon_due_room_stays_loaded(tmp_path):
    async def life(lobby):
        looked_at, urgent = await match(lobby), await match(lobby, Timing("turn", 30))
        looked_at.observers.append(lambda entry: None)
        assert not await sleeping(lobby, looked_at) and not await sleeping(lobby, urgent)

    runs(tmp_path, life)


def test_requested_room_stays_loaded(tmp_path):
    async def life(lobby):
        room = await match(lobby)
        room.touched = 0.0
        assert await lobby.find(room.id) is room
        await lobby._let_go()
        assert room.id in lobby.rooms

    runs(tmp_path, life)


def test_room_with_a_pending_write_stays_loaded(tmp_path):
    async def life(lobby):
        room = await match(lobby)
        answers = threading.Event()
        lobby.store.at = lambda step: answers.wait(20)
        asked = asyncio.create_task(room.act(0, BET))
        await asyncio.sleep(0.05)
        assert not await sleeping(lobby, room)
        answers.set()
        assert isinstance(await asked, Accepted)
        assert await sleeping(lobby, room)

    runs(tmp_path, life)


def test_room_with_an_uncertain_write_stays_loaded(tmp_path):
    async def life(lobby):
        room = await match(lobby)
        lobby.store.at = full
        assert (await room.act(0, BET)).rule == "archive"
        assert not await sleeping(lobby, room)
        lobby.store.at = lambda step: None
        assert isinstance(await room.act(0, BET), Accepted)
        assert await sleeping(lobby, room)

    runs(tmp_path, life)


def full(step):
    raise OSError(28, "No space left on device")


def test_unloaded_match_is_loaded_when_its_clock_runs_out(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "IDLE", 0.0)
    monkeypatch.setattr(module, "SWEEP", 0.02)

    async def life(lobby):
        room = await match(lobby, Timing("deadline", 2.3))  # it wakes two seconds before that
        await until(lambda: room.id in lobby.asleep)
        await until(lambda: room.id in lobby.rooms)
        await until(lambda: lobby.store.match(room.id)["status"] == "over")

    runs(tmp_path, life)


def test_concurrent_requests_load_one_room(tmp_path):
    async def life(lobby):
        room = await match(lobby)
        assert await sleeping(lobby, room)
        first = asyncio.create_task(lobby.find(room.id))
        await asyncio.sleep(0)
        others = [asyncio.create_task(lobby.find(room.id)) for _ in range(5)]
        await asyncio.sleep(0)
        first.cancel()
        found = await asyncio.gather(*others)
        assert set(found) == {lobby.rooms[room.id]}

    runs(tmp_path, life)


def test_unknown_match_has_no_room(tmp_path):
    async def life(lobby):
        assert await lobby.find("nothing") is None

    runs(tmp_path, life)


def test_full_lobby_refuses_new_matches(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_ROOMS", 1)

    async def life(lobby):
        await match(lobby)
        with pytest.raises(LobbyFull, match="The server is full"):
            await match(lobby)

    runs(tmp_path, life)


def test_match_that_cannot_be_saved_is_not_created(tmp_path):
    async def life(lobby):
        lobby.store.at = full
        with pytest.raises(ArchiveDown, match="No space left"):
            await match(lobby)
        lobby.store.at = lambda step: None
        assert not lobby.rooms and not lobby.store.unfinished()

    runs(tmp_path, life)


# --- restarts ---


def test_matches_of_all_kinds_continue_after_a_restart(tmp_path):
    kept = {}

    async def before(lobby):
        played, paused, waits = await match(lobby), await match(lobby), await match(lobby, seats=links())
        for said in (BET, {"do": "mark", "number": 3}, END):
            await played.act(0, said)
        await paused.pause(1, True)
        await waits.chat(None, "Eve", "hello?")
        kept.update(played=(played.id, played.match.dump(), played.entries), paused=paused.id, waits=waits.id)

    async def after(lobby):
        assert set(lobby.asleep) == {kept["played"][0], kept["paused"], kept["waits"]}
        played = await lobby.find(kept["played"][0])
        assert (played.match.dump(), played.entries) == kept["played"][1:]
        assert played.match.players == ("Ann", "Bob") and lobby.seat_of(played, "Bob") == 1
        assert (await lobby.find(kept["paused"])).paused
        waits = await lobby.find(kept["waits"])
        assert waits.status == "open" and (await waits.take(0, "Ann"))[0] == 0

    runs(tmp_path, before, after)


def links():
    return [Seat("link", ""), Seat("link", "")]


def test_bank_does_not_shrink_while_the_server_is_down(tmp_path):
    kept = {}

    async def first(lobby):
        room = await match(lobby, Timing("bank", 100))
        await room.act(0, BET)
        await room.chat(0, "Ann", "let me think")
        kept["id"] = room.id
        room.clock.since[0] -= 40_000  # as if she had thought for so long
        await room.chat(0, "Ann", "still thinking")

    async def later(lobby):
        room = await lobby.find(kept["id"])
        assert 50_000 < room.clock.remaining(0, room.now()) <= 60_000
        await asyncio.sleep(0.01)

    async def last(lobby):
        await later(lobby)
        room = await lobby.find(kept["id"])
        assert isinstance(await room.act(0, END), Accepted)

    runs(tmp_path, first, later, later, last)


def test_thinking_time_before_a_restart_counts(tmp_path):
    kept = {}

    async def first(lobby):
        room = await match(lobby, Timing("bank", 100))
        kept["id"] = room.id
        lobby.uptime._so_far += 30_000  # half a minute later

    async def later(lobby):
        room = await lobby.find(kept["id"])
        assert 60_000 < room.clock.remaining(0, room.now()) <= 70_000

    runs(tmp_path, first, later)


def test_deadline_passes_while_the_server_is_down(tmp_path):
    kept = {}

    async def first(lobby):
        soon, late = (
            await match(lobby, Timing("deadline", 1800)),
            await match(lobby, Timing("deadline", 7200)),
        )
        await soon.chat(0, "Ann", "tomorrow")  # which moves no deadline
        kept.update(soon=soon.id, late=late.id)

    async def an_hour_later(lobby):
        await until(lambda: lobby.store.match(kept["soon"])["status"] == "over")
        room = await lobby.find(kept["late"])
        assert room.status == "running"
        assert 3_500_000 < room.clock.remaining(0, room.now()) <= 3_600_000

    runs(tmp_path, first, an_hour_later)


def test_failed_load_of_a_due_match_is_repeated(tmp_path, monkeypatch):
    kept, tries, read = {}, [], Store.match

    def down(store, wanted):
        tries.append(wanted)
        raise ArchiveDown("The archive is not available.")

    async def first(lobby):
        kept["id"] = (await match(lobby, Timing("deadline", 1800))).id
        monkeypatch.setattr(module, "SWEEP", 0.02)
        monkeypatch.setattr(Store, "match", down)

    async def an_hour_later(lobby):
        await until(lambda: len(tries) > 1)
        assert set(tries) == set(lobby.asleep) == {kept["id"]}
        monkeypatch.setattr(Store, "match", read)
        await until(lambda: lobby.store.match(kept["id"])["status"] == "over")

    runs(tmp_path, first, an_hour_later)


def test_bots_continue_after_a_restart_without_visitors(tmp_path):
    kept = {}

    async def first(lobby):
        game = find("anarchy")
        bots = [bot_seat(game, "random") for _ in game.seats]
        kept["id"] = (await lobby.create(game, game.configure(values={"max_turns": 4}), bots, Timing())).id

    async def later(lobby):
        assert kept["id"] in lobby.asleep
        await until(lambda: lobby.store.match(kept["id"])["status"] == "over")

    runs(tmp_path, first, later)


def test_service_time_never_goes_back(tmp_path):
    kept = {}

    async def first(lobby):
        lobby.uptime._so_far += 500_000
        room = await match(lobby, Timing("bank", 100))
        await room.act(0, BET)
        written = lobby.store.entries(room.id)[-1]["clock"]  # after the last beat
        kept["at"] = msgspec.json.decode(written)["at"]

    async def killed(lobby):
        assert lobby.uptime.now() >= kept["at"]

    asyncio.run(without_a_last_beat(tmp_path, first))
    runs(tmp_path, killed)


def test_service_time_starts_when_players_can_connect(tmp_path):
    async def inside():
        store = Store(sqlite(tmp_path))
        lobby = Lobby(store)
        await lobby.start(serving=False)
        await until(lambda: lobby.journal.commits)  # a beat has shown that the archive is up
        before = lobby.uptime.now()
        await asyncio.sleep(0.02)
        assert lobby.uptime.now() == before
        lobby.serve()
        await until(lambda: lobby.uptime.now() > before)
        await lobby.close()
        store.close()

    asyncio.run(inside())


async def without_a_last_beat(folder, life):
    store = Store(sqlite(folder))
    lobby = Lobby(store)
    await lobby.start()
    await until(lambda: lobby.journal.commits)
    for task in lobby._tasks:
        task.cancel()
    await life(lobby)
    await lobby.journal.close()
    store.close()


def test_match_that_differs_from_its_log_is_stopped(tmp_path):
    kept = {}

    async def first(lobby):
        spoilt, sound = await match(lobby), await match(lobby)
        for room in (spoilt, sound):
            await room.act(0, BET)
            await room.act(0, END)
        kept.update(spoilt=spoilt.id, sound=sound.id)

    async def later(lobby):
        room = await lobby.find(kept["spoilt"])
        assert room.status == "failed"
        assert room.failure == f"Match {room.id} differs from its log at entry 2."
        assert lobby.store.match(kept["spoilt"])["status"] == "failed"
        assert len(lobby.store.entries(kept["spoilt"])) == 2
        assert [entry.number for entry in room.entries] == [1] and room.match.turn == 0
        again = gamelog.verify(lines_of(lobby, room.id), treasure_game.find)
        assert len(again.match.played()) == 1 and again.end["end"] is None
        assert (await lobby.find(kept["sound"])).status == "running"

    runs(tmp_path, first)
    store = Store(sqlite(tmp_path))
    with store.engine.begin() as connection:
        change = ENTRIES.update().where((ENTRIES.c.match == kept["spoilt"]) & (ENTRIES.c.number == 1))
        connection.execute(change, {"body": '{"do":"bet","double":true}'})
    store.close()
    runs(tmp_path, later)


def test_match_with_a_missing_entry_is_stopped(tmp_path):
    kept = {}

    async def first(lobby):
        room = await match(lobby)
        await room.chat(0, "Ann", "good luck")  # which the state would not miss
        await room.act(0, BET)
        kept["id"] = room.id

    async def later(lobby):
        room = await lobby.find(kept["id"])
        assert room.status == "failed" and "differs from its log at entry 2" in room.failure

    runs(tmp_path, first)
    store = Store(sqlite(tmp_path))
    with store.engine.begin() as connection:
        connection.execute(ENTRIES.delete().where(ENTRIES.c.number == 1))
    store.close()
    runs(tmp_path, later)


def lines_of(lobby, match):
    """The gamelog that the archive has of a match."""
    packed = lobby.store.gamelog(match=match)["packed"]
    return gzip.decompress(packed).decode().splitlines(keepends=True)


def test_match_that_fails_to_replay_keeps_the_gamelog_until_then(tmp_path, monkeypatch):
    submit = Match.submit

    def broken(self, seat, said):
        if said == END:
            raise KeyError("gold")
        return submit(self, seat, said)

    async def life(lobby):
        room = await match(lobby)
        await room.act(0, BET)
        await room.act(0, END)
        assert await sleeping(lobby, room)
        monkeypatch.setattr(Match, "submit", broken)
        again = await lobby.find(room.id)
        assert again.failure == "Replaying entry 2 caused an internal error (KeyError)."
        assert len(gamelog.verify(lines_of(lobby, room.id), treasure_game.find).match.played()) == 1

    runs(tmp_path, life)


def test_match_with_other_rules_stops_and_keeps_a_result(tmp_path):
    kept = {}

    async def first(lobby):
        going, over = await match(lobby), await match(lobby)
        await over.leave(0, "resigned")
        await lobby.journal.write(*(change_match(room.id, version=2) for room in (going, over)))
        kept.update(going=going.id, over=over.id)

    async def later(lobby):
        going, over = await lobby.find(kept["going"]), await lobby.find(kept["over"])
        assert going.status == "failed" and "version 2 of the rules of Treasure" in going.failure
        assert going.failure.endswith("This server has version 3. No part of it can be replayed.")
        assert lobby.store.gamelog(match=going.id) is None
        assert lobby.store.match(going.id)["outcome"] == encoded({"failed": going.failure})
        assert over.status == "over" and lobby.store.match(over.id)["status"] == "over"
        assert '"places":[2,1]' in lobby.store.match(over.id)["outcome"]

    runs(tmp_path, first, later)


def test_match_of_a_removed_game_does_not_affect_others(tmp_path):
    kept = {}

    async def first(lobby):
        lost, sound = await match(lobby, Timing("bank", 60)), await match(lobby)
        await lobby.journal.write(change_match(lost.id, game="tiddlywinks"))
        kept.update(lost=lost.id, sound=sound.id)

    async def later(lobby):
        assert await lobby.find(kept["lost"]) is None
        assert lobby.store.match(kept["lost"])["status"] == "failed"
        reason = msgspec.json.decode(lobby.store.match(kept["lost"])["outcome"])["failed"]
        assert reason.startswith("The match cannot be loaded: ") and ".." not in reason
        assert reason.endswith(". No part of it can be replayed.")
        assert (await lobby.find(kept["sound"])).status == "running"

    runs(tmp_path, first, later)


# --- a start with many ---


def unfinished(store, many):
    """So many matches under way, two of them about to run out of time."""
    settings = encoded({"max_turns": 20})
    shared = {"game": "treasure", "version": 3, "settings": settings, "seed": f"{7:016x}", "public": True}
    shared |= {"status": "running", "created_at": 1, "changed_at": 1}
    writes = []
    for number in range(many):
        name, seconds = f"m{number}", 1.0 if number < 2 else 3600.0
        clock = encoded(
            {"at": 0, "left": [seconds * 1000] * 2, "turns": [0, None], "on": [0], "paused": False}
        )
        timing = encoded(Timing("bank", seconds))
        writes.append(insert(MATCHES, {**shared, "id": name, "timing": timing, "clock": clock}))
        for seat, player in enumerate(people()):
            values = {"match": name, "seat": seat, "kind": "person", "name": player.name}
            writes.append(insert(SEATS, {**values, "token": player.token}))
        entry = {"match": name, "number": 1, "at": 1, "kind": "act", "seat": 0}
        writes.append(insert(ENTRIES, {**entry, "body": msgspec.json.encode(BET).decode(), "clock": clock}))
    store.write(writes)


def test_start_loads_only_due_matches(tmp_path, monkeypatch):
    store = Store(sqlite(tmp_path))
    unfinished(store, 1000)
    reads, rooms = [], []
    rows, made = Store._rows, Room.__init__
    monkeypatch.setattr(Store, "_rows", lambda self, asked: reads.append(1) or rows(self, asked))
    monkeypatch.setattr(Room, "__init__", lambda self, *args: rooms.append(self) or made(self, *args))

    async def start():
        lobby = Lobby(store)
        await lobby.start()
        assert len(lobby.asleep) == 1000 and len(reads) == 3 and rooms == []
        await until(lambda: len(lobby.rooms) == 2)
        assert {room.id for room in rooms} == {"m0", "m1"}
        room = await lobby.find("m500")
        assert room.game is treasure_game.game and len(room.entries) == 1
        await lobby.close()

    asyncio.run(start())
    store.close()
