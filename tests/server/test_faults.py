"""Archive faults (full disk, locked or moved database, stopped server): clear refusals, no losses, recovery."""

import asyncio
import sqlite3
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena import BET, END, arena, match, sqlite, until
from endturn.archive import store as module
from endturn.archive.store import ArchiveDown
from endturn.engine.answers import Accepted, Refusal
from endturn.server import journal as journal_module
from endturn.server import lobby as lobby_module
from endturn.server.clock import Timing, Uptime

pytestmark = pytest.mark.usefixtures("treasure")


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Wait only briefly for locks."""
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)


@contextmanager
def full_disk(store, url):
    """SQLite may not make its file any larger, and what room it has is used up."""

    def limit(connection, _record):
        pages = connection.execute("pragma page_count").fetchone()[0]
        connection.execute(f"pragma max_page_count = {pages}")

    def hang_up():
        store.engine.dispose()  # else the writer, which takes its next connection at once, could have one of these
        with store._writing:
            store._hang_up()

    sa.event.listen(store.engine, "connect", limit)
    hang_up()
    yield "database or disk is full"
    sa.event.remove(store.engine, "connect", limit)
    hang_up()


@contextmanager
def locked(store, url):
    """Another program holds SQLite's lock."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("begin immediate")
    yield "database is locked"
    other.execute("rollback")
    other.close()


@contextmanager
def taken_away(store, url):
    """SQLite's files are elsewhere for a while, though whoever has them open can still write them."""
    folder = Path(url.removeprefix("sqlite:///")).parent
    away = folder / "away"
    away.mkdir(exist_ok=True)
    for file in folder.glob("arena.db*"):
        file.rename(away / file.name)
    yield "was deleted or moved. Put it back"
    for file in away.iterdir():
        file.rename(folder / file.name)


FAULTS = {"full disk": full_disk, "locked": locked, "taken away": taken_away}


@pytest.fixture(params=[*FAULTS, "PostgreSQL stopped"])
def trouble(request, tmp_path):
    """The URL of an archive, and a fault of it."""
    if request.param in FAULTS:
        return sqlite(tmp_path), FAULTS[request.param]
    cluster = request.getfixturevalue("cluster")

    @contextmanager
    def stopped(store, url):
        cluster.stop("fast")
        yield "The archive is not available"
        cluster.start()

    return cluster.database(), stopped


def crammed(room):
    """Talk so long that it needs new pages."""
    return room.chat(0, "Ann", "x" * 50_000)


def test_archive_fault_is_refused_and_loses_nothing(trouble):
    url, fault = trouble
    kept = {}

    async def befallen():
        async with arena(url) as lobby:
            room, timed = await match(lobby), await match(lobby, Timing("turn", 0.8))
            await room.act(0, BET)
            state = room.match.dump()
            with fault(lobby.store, url) as reason:
                answer = await crammed(room)
                assert isinstance(answer, Refusal) and answer.rule == "archive"
                assert reason in answer.reason and "Try again when the archive is back" in answer.reason
                assert "\n" not in answer.reason and room.match.dump() == state and len(room.entries) == 1
                assert room.look(lambda: room.match.to_act()) == (0,)
                if fault is not full_disk:  # which has room for a short row here and there
                    assert (await room.act(0, END)).rule == "archive"
                    with pytest.raises(ArchiveDown):
                        await match(lobby)
                    await asyncio.sleep(1)
                    assert timed.status == "running"  # nobody could have acted
            assert isinstance(await crammed(room), Accepted)
            assert isinstance(await room.act(0, END), Accepted)
            await until(lambda: timed.over)
            kept.update(id=room.id, entries=list(room.entries), state=room.match.dump())

    async def afterwards():
        async with arena(url) as lobby:
            room = await lobby.find(kept["id"])
            assert (room.entries, room.match.dump()) == (kept["entries"], kept["state"])
            assert len(room.entries) == 3

    asyncio.run(befallen())
    asyncio.run(afterwards())


def test_archive_fault_under_load_loses_nothing_acknowledged(trouble):
    url, fault = trouble
    acknowledged, refused = {}, []

    async def client(room, number, going):
        while going.is_set():
            answer = await room.chat(0, "Ann", f"{number} {'x' * 3000}")
            if isinstance(answer, Accepted):
                acknowledged.setdefault(room.id, []).append(number)
            else:
                refused.append(answer.rule)
                await asyncio.sleep(0.05)
            number += 1

    async def befallen():
        async with arena(url) as lobby:
            rooms = [await match(lobby) for _ in range(4)]
            going = asyncio.Event()
            going.set()
            clients = [asyncio.create_task(client(room, 0, going)) for room in rooms]
            for _ in range(2):
                await asyncio.sleep(0.1)
                before = len(refused)
                with fault(lobby.store, url):
                    await until(lambda before=before: len(refused) >= before + 4)
                told = sum(map(len, acknowledged.values()))
                await until(lambda told=told: sum(map(len, acknowledged.values())) >= told + 8)
            going.clear()
            await asyncio.gather(*clients)

    async def afterwards():
        async with arena(url) as lobby:
            for match_id, numbers in acknowledged.items():
                room = await lobby.find(match_id)
                there = [int(entry.body["text"].split()[0]) for entry in room.entries]
                # What was refused may be there, where its fate was unknown; what was acknowledged must be, in order.
                assert [number for number in there if number in set(numbers)] == numbers

    asyncio.run(befallen())
    assert set(refused) == {"archive"} and len(acknowledged) == 4
    asyncio.run(afterwards())


def test_failed_write_takes_no_time_from_a_player(tmp_path, monkeypatch):
    hand = [0.0]
    monkeypatch.setattr(lobby_module, "Uptime", partial(Uptime, steady=lambda: hand[0]))
    monkeypatch.setattr(journal_module, "monotonic", lambda: hand[0])

    async def inside():
        async with arena(sqlite(tmp_path)) as lobby:
            room = await match(lobby, Timing("bank", 10))
            hand[0] = 4.0
            lobby.store.at = lambda step: hand.__setitem__(0, 9.0) or fail()
            assert (await room.act(0, BET)).rule == "archive"
            hand[0] = 60.0
            assert room.clock.remaining(0, room.now()) == 6000.0
            lobby.store.at = lambda step: None
            assert isinstance(await room.act(0, BET), Accepted)

    def fail():
        raise OSError(5, "Input/output error")

    asyncio.run(inside())


def test_unloaded_match_is_found_when_postgresql_is_back(cluster):
    async def inside():
        async with arena(cluster.database()) as lobby:
            room = await match(lobby)
            await room.close()
            del lobby.rooms[room.id]
            cluster.stop("fast")
            try:
                with pytest.raises(ArchiveDown, match="The archive is not available"):
                    await lobby.find(room.id)
            finally:
                cluster.start()
            assert (await lobby.find(room.id)).status == "running"

    asyncio.run(inside())
