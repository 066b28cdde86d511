"""The lobby: creates, finds, loads and unloads matches.

A match is in memory while somebody watches it, a bot thinks in it or its clock is about to run out. All others are in
the archive until they are asked for, so a server with thousands of unfinished matches starts at once.
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
from endturn.server.bot_workers import BotWorkers
from endturn.server.clock import Clock, Reading, Timing, Uptime
from endturn.server.history import DoesNotFit
from endturn.server.journal import Journal
from endturn.server.live_match import LiveMatch, encoded
from endturn.server.match_rows import failed_outcome, gamelog_rows
from endturn.server.room import Room
from endturn.server.seat import LONGEST_NAME, Seat, cleaned, seat_with

LOG = structlog.get_logger("endturn.lobby")
SWEEP = 1.0  # seconds between searches for matches to load or unload
IDLE = 60_000.0  # milliseconds without a request, after which a match is unloaded
WAKE_EARLY = 2_000.0  # milliseconds before a clock runs out
MOST_ROOMS = 20_000  # in memory
T = TypeVar("T")


class LobbyFull(RuntimeError):
    """The server has no room for another live match."""


class Sleeper(NamedTuple):
    """An unfinished match that is only in the archive: its source of time, and when its next clock runs out."""

    now: Callable[[], float]
    due: float | None

    def is_due(self) -> bool:
        """Whether it has to be loaded."""
        return self.due is not None and self.due <= self.now() + WAKE_EARLY


class Lobby:
    """The matches of a server."""

    def __init__(
        self, store: Store, backend: str = "plain", calendar: Callable[[], float] = time.time
    ) -> None:
        self.store, self.backend = store, backend
        self.uptime, self._up, self._serving = Uptime(), True, True
        self.journal, self.bots = Journal(store, self._archive_is), BotWorkers()
        self.rooms: dict[str, Room] = {}
        self.asleep: dict[str, Sleeper] = {}  # unfinished matches that are not in memory
        self._opening: dict[str, asyncio.Task[Room | None]] = {}
        self._wall, self._steady = calendar() * 1000, time.monotonic() * 1000
        self._tasks: list[asyncio.Task[None]] = []
        # Generating a map takes milliseconds and replaying a long match hundreds, so a thread does it, one at a time.
        self._setter = ThreadPoolExecutor(1, thread_name_prefix="lobby")

    def now(self) -> float:
        """Milliseconds since 1970. They never go back, even if the system clock does."""
        return self._wall + time.monotonic() * 1000 - self._steady

    def _archive_is(self, up: bool, ago: float) -> None:
        self._up = up
        self._keep_time(ago)

    def serve(self) -> None:
        """Let clocks run, because players can reach their matches from now on."""
        self._serving = True
        self._keep_time()

    def _keep_time(self, ago: float = 0.0) -> None:
        """Stop all clocks except deadlines while nobody can play or nothing can be saved.

        Only a failed write shows that nothing can be saved, so clocks stop as of the start of that write.
        """
        self.uptime.go() if self._up and self._serving else self.uptime.stop(ago)

    async def start(self, serving: bool = True) -> None:
        """Find every unfinished match. Clocks stand still until the server is `serving`."""
        self._serving = serving
        with_bots = await asyncio.to_thread(self.store.with_bots)
        so_far = await asyncio.to_thread(self.store.uptime)
        clocks = [(row, self._clock(row)) for row in await asyncio.to_thread(self.store.unfinished)]
        # Something may have been written after the last heartbeat.
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
        """The clocks of an archived match. In an open match, no clock runs."""
        timing = msgspec.json.decode(row["timing"], type=Timing)
        if row["clock"] is None:
            return Clock.new(timing, 0)
        return Clock.read(timing, msgspec.json.decode(row["clock"], type=Reading))

    async def close(self) -> None:
        """Stop everything. All acknowledged changes are saved."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(room.close() for room in self.rooms.values()))
        self.bots.close()
        self._setter.shutdown(wait=False, cancel_futures=True)
        try:
            await self.journal.write(self._beats())
        except (ArchiveDown, Conflict):
            LOG.error("the archive is down: the time of the shutdown was not saved")
        await self.journal.close()

    # --- creating ---

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
        """Create and save a match, or raise ArchiveDown. The same transaction saves the write that `along` returns."""
        if len(self.rooms) >= MOST_ROOMS:
            raise LobbyFull("The server is full. Try again later.")
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
        named = [msgspec.structs.replace(seat, name=cleaned(seat.name)[:LONGEST_NAME]) for seat in seats]
        live = await self._in_thread(self._live_match, row, game, named)
        room = self._room(live)
        if live.status == "running":
            row["clock"] = live.first_clock(room.now())
        writes = [insert(MATCHES, row)]
        for number, seat in enumerate(named):
            values = {"match": row["id"], "seat": number, "kind": seat.kind, "name": seat.name}
            more = {"bot": seat.bot, "token": seat.token, "account": seat.account}
            writes.append(insert(SEATS, values | more))
        if along is not None:
            writes.append(along(room.id))
        await self.journal.write(*writes)
        self.rooms[room.id] = room
        live.begin()
        room.start()
        return room

    async def _in_thread(self, what: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._setter, what, *args)

    def _live_match(self, row: Row, game: Game, seats: list[Seat]) -> LiveMatch:
        return LiveMatch(row, game, seats, self.backend_of(game))

    def _room(self, live: LiveMatch) -> Room:
        return Room(live, self.journal, self.bots, self.now, self.uptime.now)

    def backend_of(self, game: Game) -> str:
        """The configured backend, or plain if it cannot run this game."""
        return self.backend if missing(self.backend, game) is None else "plain"

    # --- finding ---

    async def find(self, match: str) -> Room | None:
        """The room of a match, from memory or from the archive; None if there is no such match."""
        if match in self.rooms:
            self.rooms[match].touch()
            return self.rooms[match]
        opening = self._opening.get(match)
        if opening is None:
            opening = asyncio.create_task(self._open(match))
            opening.add_done_callback(lambda done: self._opened(match, done))
            self._opening[match] = opening
        # The client that asked first may disconnect; the others still get their room.
        return await asyncio.shield(opening)

    def _opened(self, match: str, done: "asyncio.Task[Room | None]") -> None:
        del self._opening[match]
        if not done.cancelled():
            done.exception()  # retrieved here so that asyncio does not log it if no caller waits

    async def _open(self, match: str) -> Room | None:
        row = await asyncio.to_thread(self.store.match, match)
        if row is None:
            self.asleep.pop(match, None)
            return None
        seats, entries = await self._read(match)
        try:
            live, broken = await self._in_thread(self._rebuilt, row, seats, entries)
            room = self._room(live)
            if broken is None:
                room.start()
        except Exception as error:  # the game or its settings no longer exist
            LOG.exception("match cannot be loaded", match=match)
            await self._mark_failed(row, f"The match cannot be loaded: {str(error).rstrip('.')}.", None)
            return None
        if broken is not None:
            LOG.error("match cannot be replayed", match=match, reason=broken)
            played = live.match if row["version"] == live.game.version else None
            reason = await self._mark_failed(row, broken, played)
            live.break_off(row["status"], reason)
        self.asleep.pop(match, None)
        self.rooms[match] = room
        return room

    async def _read(self, match: str) -> tuple[list[Seat], list[Row]]:
        """The seats and entries of a match."""
        seats = [
            Seat(each["kind"], each["name"], each["bot"], each["token"], each["account"])
            for each in await asyncio.to_thread(self.store.seats, match)
        ]
        return seats, await asyncio.to_thread(self.store.entries, match)

    async def reread(self, match: str) -> tuple[Room, list[Row]]:
        """A separate room with a match at its start, and the entries to replay in it."""
        row = await asyncio.to_thread(self.store.match, match)
        if row is None:
            raise LookupError(f"there is no match {match}")
        seats, entries = await self._read(match)
        begun = row if row["status"] == "failed" else row | {"status": "running"}
        live = await self._in_thread(self._live_match, begun, find(row["game"]), seats)
        return self._room(live), entries

    def is_live(self, match: str) -> bool:
        """Whether a match is unfinished, in memory or not."""
        return match in self.asleep or (match in self.rooms and not self.rooms[match].over)

    def _rebuilt(self, row: Row, seats: list[Seat], entries: list[Row]) -> tuple[LiveMatch, str | None]:
        """A match as archived, and why it could not be replayed, if so."""
        game = find(row["game"])
        live = self._live_match(row, game, seats)
        if row["version"] != game.version:
            began = f"The match used version {row['version']} of the rules of {game.title}."
            return live, f"{began} This server has version {game.version}."
        try:
            live.replay_all(entries)
        except DoesNotFit as error:
            return live, str(error)
        except Exception as error:
            LOG.exception("match cannot be replayed", match=live.id)
            number, kind = len(live.history.entries) + 1, type(error).__name__
            return live, f"Replaying entry {number} caused an internal error ({kind})."
        return live, None

    async def _mark_failed(self, row: Row, reason: str, played: Match | None) -> str:
        """Save that a match has failed, with its gamelog as far as it could be replayed, and return the reason.

        A match that is over keeps its result.
        """
        if row["status"] in ("open", "running"):
            kept = [] if played is None else await asyncio.to_thread(gamelog_rows, row["id"], played)
            reason = reason if kept else f"{reason} No part of it can be replayed."
            change = change_match(row["id"], status="failed", outcome=failed_outcome(reason))
            await self.journal.write(change, *kept)
            row["status"] = "failed"
        self.asleep.pop(row["id"], None)
        return reason

    def seat_of(self, room: Room, token: str | None) -> int | None | Refusal:
        """The seat that a token opens; None without a token."""
        if token is None:
            return None
        number = seat_with(room.seats, token)
        if number is not None:
            return number
        return Refusal("token", "Invalid token for this match. Use the link that you were given.")

    # --- loading and unloading ---

    async def _sweep(self) -> None:
        while True:
            try:
                await self._wake()
                await self._let_go()
            except Exception:
                LOG.exception("search for matches to load or unload failed")
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
        """Load the matches in which a clock is about to run out or a bot has to act."""
        for match in [match for match, sleeper in self.asleep.items() if sleeper.is_due()]:
            try:
                await self.find(match)
            except ArchiveDown as error:
                LOG.error("match could not be loaded", match=match, reason=str(error))
                return
            except Exception:
                LOG.exception("match could not be loaded", match=match)
                self.asleep.pop(match, None)
            await asyncio.sleep(0)  # let other tasks run

    async def _let_go(self) -> None:
        """Unload the matches in which nothing happens or is about to happen."""
        # Only one comparison per live match: more would block the loop every second.
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
    """When the clocks of a match were last saved, in milliseconds of service."""
    return msgspec.json.decode(row["clock"], type=Reading).at if row["clock"] else 0.0


def _by_calendar(clock: Clock) -> bool:
    return clock.timing.kind == "deadline"


def bot_seat(game: Game, bot: str) -> Seat | Refusal:
    """A seat for one of the game's bots."""
    if bot not in bots_of(game):
        return Refusal("bot", f"{game.title} has no bot {bot!r}. Its bots: {', '.join(bots_of(game))}.")
    return Seat("bot", bot, bot)
