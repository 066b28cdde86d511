"""The lobby: makes rooms, finds them, and wakes those whose time has come.

A room is in memory while somebody looks at it, a bot thinks in it or its clock is about to run out; all others are
in the archive and come back when they are asked for. So a server with thousands of unfinished matches starts at once.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog

from endturn.archive.store import (
    MATCHES,
    SEATS,
    ArchiveDown,
    Conflict,
    Row,
    Store,
    Write,
    beat,
    change_match,
    insert,
)
from endturn.bots import bots_of
from endturn.engine.answers import Refusal
from endturn.engine.game import Game
from endturn.engine.match import Match
from endturn.engine.rule import missing
from endturn.engine.settings import settings_to_json
from endturn.games import find
from endturn.server.bothouse import BotHouse
from endturn.server.clock import Clock, Reading, Timing, Uptime
from endturn.server.journal import Journal
from endturn.server.ledger import DoesNotFit
from endturn.server.room import LONGEST_NAME, Room, Seat
from endturn.server.seat import seat_with
from endturn.server.writing import cleaned, encoded, failed, gamelog_written

LOG = structlog.get_logger("endturn.lobby")
SWEEP = 1.0  # seconds between looks for rooms to wake or to let go
IDLE = 60_000.0  # milliseconds without anything, after which a room leaves memory
WAKE_EARLY = 2_000.0  # milliseconds before a clock is over
MOST_ROOMS = 20_000  # in memory
T = TypeVar("T")


class LobbyFull(RuntimeError):
    """There are as many live matches as this server can hold."""


class Sleeper(NamedTuple):
    """A match that is only in the archive: by which time it goes, and when a clock of it is over."""

    now: Callable[[], float]
    due: float | None

    def is_due(self) -> bool:
        """Whether it has to wake."""
        return self.due is not None and self.due <= self.now() + WAKE_EARLY


class Lobby:
    """All live matches of a server."""

    def __init__(
        self, store: Store, backend: str = "plain", calendar: Callable[[], float] = time.time
    ) -> None:
        self.store, self.backend = store, backend
        self.uptime, self._up, self._serving = Uptime(), True, True
        self.journal, self.bots = Journal(store, self._archive_is), BotHouse()
        self.rooms: dict[str, Room] = {}
        self.asleep: dict[str, Sleeper] = {}  # the unfinished matches that are not in memory
        self._opening: dict[str, asyncio.Task[Room | None]] = {}
        self._wall, self._steady = calendar() * 1000, time.monotonic() * 1000
        self._tasks: list[asyncio.Task[None]] = []
        # To set up a map takes some ms, to play a long match again some hundred: not on the loop. One at a time.
        self._setter = ThreadPoolExecutor(1, thread_name_prefix="lobby")

    def now(self) -> float:
        """Milliseconds since 1970, by a clock that nobody sets back."""
        return self._wall + time.monotonic() * 1000 - self._steady

    def _archive_is(self, up: bool, ago: float) -> None:
        self._up = up
        self._keep_time(ago)

    def serve(self) -> None:
        """Players can reach their matches from now on."""
        self._serving = True
        self._keep_time()

    def _keep_time(self, ago: float = 0.0) -> None:
        """No clock but the calendar goes on while nobody can play, or nothing can be kept.

        That nothing can be kept is noticed only when a write was given up: it stood still since that write began.
        """
        self.uptime.go() if self._up and self._serving else self.uptime.stop(ago)

    async def start(self, serving: bool = True) -> None:
        """Know every unfinished match, and go on where a bot or a clock has to; not `serving`, clocks stand still."""
        self._serving = serving
        with_bots = await asyncio.to_thread(self.store.with_bots)
        so_far = await asyncio.to_thread(self.store.uptime)
        clocks = [(row, self._clock(row)) for row in await asyncio.to_thread(self.store.unfinished)]
        # What was written after the last beat is later than that.
        served = [_written_at(row) for row, clock in clocks if not _by_calendar(clock)]
        self.uptime = Uptime(max([so_far, *served]))
        self._keep_time()
        for row, clock in clocks:
            time = self.now if _by_calendar(clock) else self.uptime.now
            has_to_act = row["status"] == "running" and row["id"] in with_bots
            self.asleep[row["id"]] = Sleeper(time, 0.0 if has_to_act else clock.due())
        self._tasks = [asyncio.create_task(self._sweep(), name="lobby")]
        self._tasks.append(asyncio.create_task(self._beat(), name="heart"))

    def _clock(self, row: Row) -> Clock:
        """The clock of a sleeping match; none runs in one that has not begun."""
        timing = msgspec.json.decode(row["timing"], type=Timing)
        if row["clock"] is None:
            return Clock.new(timing, 0)
        return Clock.read(timing, msgspec.json.decode(row["clock"], type=Reading))

    async def close(self) -> None:
        """Stop everything; what was acknowledged is kept."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(room.close() for room in self.rooms.values()))
        self.bots.close()
        self._setter.shutdown(wait=False, cancel_futures=True)
        try:
            await self.journal.write(self._beats())
        except (ArchiveDown, Conflict):
            LOG.error("the archive is down: the time of the end could not be written")
        await self.journal.close()

    # --- making ---

    async def create(
        self,
        game: Game,
        settings: Any,
        seats: Sequence[Seat],
        timing: Timing,
        *,
        public: bool = True,
        seed: int | None = None,
        start: str | None = None,
        along: Callable[[str], Write] | None = None,
    ) -> Room:
        """A new match, in the archive when this returns; ArchiveDown where it cannot be kept.

        `along` is what is written with it, all or nothing.
        """
        if len(self.rooms) >= MOST_ROOMS:
            raise LobbyFull("There are as many live matches as this server can hold: try again later.")
        at = int(self.now())
        row = {
            "id": secrets.token_urlsafe(9).replace("-", "a").replace("_", "b"),
            "game": game.name,
            "version": game.version,
            "settings": encoded(settings_to_json(settings)),
            "seed": f"{secrets.randbits(64) if seed is None else seed:016x}",
            "start": start,
            "timing": encoded(timing),
            "public": public,
            "status": "running" if all(seat.taken for seat in seats) else "open",
            "created_at": at,
            "changed_at": at,
            "outcome": None,
            "clock": None,
        }
        room = await self._beside(self._room, row, game, list(seats))
        if room.status == "running":
            row["clock"] = room.first_clock()
        writes = [insert(MATCHES, row)]
        for number, seat in enumerate(room.seats):
            seat.name = cleaned(seat.name)[:LONGEST_NAME]
            values = {"match": row["id"], "seat": number, "kind": seat.kind, "name": seat.name}
            more = {"bot": seat.bot, "token": seat.token, "account": seat.account}
            writes.append(insert(SEATS, values | more))
        if along is not None:
            writes.append(along(room.id))
        await self.journal.write(*writes)
        self.rooms[room.id] = room
        room.start()
        return room

    async def _beside(self, what: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._setter, what, *args)

    def _room(self, row: Row, game: Game, seats: list[Seat]) -> Room:
        times = self.now, self.uptime.now
        return Room(row, game, seats, self.journal, self.bots, *times, self.backend_of(game))

    def backend_of(self, game: Game) -> str:
        """Compiled rules where they are asked for and to be had."""
        return self.backend if missing(self.backend, game) is None else "plain"

    # --- finding ---

    async def find(self, match: str) -> Room | None:
        """The room of a match, from memory or from the archive; None where there is no such match."""
        if match in self.rooms:
            self.rooms[match].touched = self.now()
            return self.rooms[match]
        opening = self._opening.get(match)
        if opening is None:
            opening = asyncio.create_task(self._open(match))
            opening.add_done_callback(lambda done: self._opened(match, done))
            self._opening[match] = opening
        # Whoever asked first may go away: the others get their room all the same.
        return await asyncio.shield(opening)

    def _opened(self, match: str, done: "asyncio.Task[Room | None]") -> None:
        del self._opening[match]
        if not done.cancelled():
            done.exception()  # who waits hears of it; if nobody does, that is no fault

    async def _open(self, match: str) -> Room | None:
        row = await asyncio.to_thread(self.store.match, match)
        if row is None:
            self.asleep.pop(match, None)
            return None
        seats, entries = await self._read(match)
        try:
            room, broken = await self._beside(self._rebuilt, row, seats, entries)
            if broken is None:
                room.resume(entries)
        except Exception as error:  # the game is not there any more, or its settings are not
            LOG.exception("a match cannot be opened", match=match)
            await self._mark_failed(row, f"The match cannot be opened: {str(error).rstrip('.')}.", None)
            return None
        if broken is not None:
            LOG.error("a match cannot be rebuilt", match=match, reason=broken)
            played = room.match if row["version"] == room.game.version else None
            room.failure = await self._mark_failed(row, broken, played)
            room.status = row["status"]
        self.asleep.pop(match, None)
        self.rooms[match] = room
        return room

    async def _read(self, match: str) -> tuple[list[Seat], list[Row]]:
        """Who sits in a match, and what has happened there."""
        seats = [
            Seat(each["kind"], each["name"], each["bot"], each["token"], each["account"])
            for each in await asyncio.to_thread(self.store.seats, match)
        ]
        return seats, await asyncio.to_thread(self.store.entries, match)

    async def reread(self, match: str) -> tuple[Room, list[Row]]:
        """A room of its own for a match, as it began, and what happened there; nobody plays in it."""
        row = await asyncio.to_thread(self.store.match, match)
        if row is None:
            raise LookupError(f"there is no match {match}")
        seats, entries = await self._read(match)
        return await self._beside(self._room, row, find(row["game"]), seats), entries

    def is_live(self, match: str) -> bool:
        """Whether an unfinished match is here, awake or asleep."""
        return match in self.asleep or (match in self.rooms and not self.rooms[match].over)

    def _rebuilt(self, row: Row, seats: list[Seat], entries: list[Row]) -> tuple[Room, str | None]:
        """The room, and why it is not what its log says, where it is not."""
        game = find(row["game"])
        room = self._room(row, game, seats)
        if row["version"] != game.version:
            begun = f"It was begun by version {row['version']} of {game.title}'s rules"
            return room, f"{begun}; this is {game.version}."
        try:
            room.ledger.replay_all(entries)
        except DoesNotFit as error:
            return room, str(error)
        except Exception as error:
            LOG.exception("a match cannot be played again", match=room.id)
            number, kind = len(room.entries) + 1, type(error).__name__
            return room, f"Entry {number} cannot be played again by a fault of ours ({kind})."
        return room, None

    async def _mark_failed(self, row: Row, reason: str, played: Match | None) -> str:
        """A match that cannot go on, with what could be played again as its gamelog; one that is over keeps its
        result. Why, for those who ask."""
        if row["status"] in ("open", "running"):
            kept = await self._gamelog_of(row["id"], played)
            reason = reason if kept else f"{reason} Nothing of it can be played again."
            change = change_match(row["id"], status="failed", outcome=failed(reason))
            await self.journal.write(change, *kept)
            row["status"] = "failed"
        self.asleep.pop(row["id"], None)
        return reason

    async def _gamelog_of(self, match: str, played: Match | None) -> list[Write]:
        try:
            return [] if played is None else [await gamelog_written(match, played)]
        except Exception:
            LOG.exception("a stopped match has no gamelog", match=match)
            return []

    def seat_of(self, room: Room, token: str | None) -> int | None | Refusal:
        """Which seat a token is for; None without one."""
        if token is None:
            return None
        number = seat_with(room.seats, token)
        if number is not None:
            return number
        return Refusal("token", "This token opens no seat of this match: use the link you were given.")

    # --- waking and letting go ---

    async def _sweep(self) -> None:
        while True:
            try:
                await self._wake()
                await self._let_go()
            except Exception:
                LOG.exception("a look for rooms to wake failed")
            await asyncio.sleep(SWEEP)

    async def _beat(self) -> None:
        while True:
            try:
                await self.journal.write(self._beats())
            except Exception as error:
                LOG.error("the archive is down", reason=str(error))
            await asyncio.sleep(SWEEP)

    def _beats(self) -> Write:
        return beat(int(self.now()), int(self.uptime.now()))

    async def _wake(self) -> None:
        """Open the rooms whose clocks are about to be over, or where a bot has to act."""
        for match in [match for match, sleeper in self.asleep.items() if sleeper.is_due()]:
            try:
                await self.find(match)
            except ArchiveDown as error:
                LOG.error("a match could not be opened", match=match, reason=str(error))
                return
            except Exception:
                LOG.exception("a match could not be opened", match=match)
                self.asleep.pop(match, None)
            await asyncio.sleep(0)  # others first

    async def _let_go(self) -> None:
        """Put the rooms away in which nothing happens and nothing is about to."""
        # Of thousands that are being played nothing else is asked: that would hold everyone up every second.
        long_ago = self.now() - IDLE
        for room in [room for room in self.rooms.values() if room.touched < long_ago]:
            due = None if room.over else room.clock.due()
            if not self._can_go(room, due):
                continue
            del self.rooms[room.id]
            if not room.over:
                self.asleep[room.id] = Sleeper(room.now, due)
            await room.close()
            await asyncio.sleep(0)

    def _can_go(self, room: Room, due: float | None) -> bool:
        awaited = due is not None and due < room.now() + IDLE
        return room.idle and room.touched < self.now() - IDLE and not awaited


def _written_at(row: Row) -> float:
    """When a match's clocks were last written, in milliseconds of service."""
    return msgspec.json.decode(row["clock"], type=Reading).at if row["clock"] else 0.0


def _by_calendar(clock: Clock) -> bool:
    return clock.timing.kind == "deadline"


def bot_seat(game: Game, bot: str) -> Seat | Refusal:
    """A seat for a bot of the game's."""
    if bot not in bots_of(game):
        return Refusal("bot", f"{game.title} has no bot {bot!r}; it has {', '.join(bots_of(game))}.")
    return Seat("bot", bot, bot)
