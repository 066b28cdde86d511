"""The lobby: makes rooms, finds them, and wakes those whose time has come.

A room is in memory while somebody looks at it, a bot thinks in it or its clock is about to run out; all others are
in the archive and come back when they are asked for. So a server with thousands of unfinished matches starts at once.
"""

import asyncio
import hmac
import secrets
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog

from endturn.archive.store import (
    MATCHES,
    SEATS,
    ArchiveDown,
    Conflict,
    Row,
    Store,
    beat,
    change_match,
    insert,
)
from endturn.bots import bots_of
from endturn.engine.game import Game, Refusal, settings_to_json
from endturn.engine.rule import missing
from endturn.games import find
from endturn.server.bothouse import BotHouse
from endturn.server.clock import Clock, Timing
from endturn.server.journal import Journal
from endturn.server.room import Room, Seat, encoded, hashed

LOG = structlog.get_logger("endturn.lobby")
SWEEP = 1.0  # seconds between looks for rooms to wake or to let go
IDLE = 60_000.0  # milliseconds without anything, after which a room leaves memory
WAKE_EARLY = 2_000.0  # milliseconds before a clock is over
MOST_ROOMS = 20_000  # in memory


class LobbyFull(RuntimeError):
    """There are as many live matches as this server can hold."""


class Lobby:
    """All live matches of a server."""

    def __init__(self, store: Store, backend: str = "plain") -> None:
        self.store, self.backend = store, backend
        self.journal, self.bots = Journal(store), BotHouse()
        self.rooms: dict[str, Room] = {}
        self.asleep: dict[str, float | None] = {}  # unfinished matches in the archive -> when a clock is over
        self._opening: dict[str, asyncio.Future[Room | None]] = {}
        self._wall, self._steady = time.time() * 1000, time.monotonic() * 1000
        self._alive_until = 0.0
        self._sweeper: asyncio.Task[None] | None = None

    def now(self) -> float:
        """Milliseconds since 1970, by a clock that nobody sets back."""
        return self._wall + time.monotonic() * 1000 - self._steady

    async def start(self) -> None:
        """Know every unfinished match, and go on where a bot or a clock has to."""
        self._alive_until = float(await asyncio.to_thread(self.store.last_beat))
        with_bots = await asyncio.to_thread(self.store.with_bots)
        for row in await asyncio.to_thread(self.store.unfinished):
            self.asleep[row["id"]] = self._due(row, row["id"] in with_bots)
        self._sweeper = asyncio.create_task(self._sweep(), name="lobby")

    def _due(self, row: Row, has_bots: bool) -> float | None:
        """When a sleeping match must wake: at once, where a bot may be to act or a clock stood still."""
        if row["status"] == "open":
            return None
        timing = msgspec.json.decode(row["timing"], type=Timing)
        if has_bots or (timing.kind != "none" and (row["clock"] is None or timing.kind != "deadline")):
            return self.now()
        if timing.kind == "none":
            return None
        said = msgspec.json.decode(row["clock"])
        clock = Clock.read(timing, said)
        clock.since = {seat: float(row["at"]) for seat in said["on"]}
        return clock.due()

    async def close(self) -> None:
        """Stop everything; what was acknowledged is kept."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for room in list(self.rooms.values()):
            await room.close()
        self.bots.close()
        try:
            await self.journal.write(beat(int(self.now())))
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
    ) -> Room:
        """A new match, in the archive when this returns; ArchiveDown where it cannot be kept."""
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
        }
        room = Room(row, game, list(seats), self.journal, self.bots, self.now, self.backend_of(game))
        writes = [insert(MATCHES, row)]
        for number, seat in enumerate(seats):
            values = {"match": row["id"], "seat": number, "kind": seat.kind, "name": seat.name}
            writes.append(insert(SEATS, values | {"bot": seat.bot, "token": seat.token, "account": None}))
        await self.journal.write(*writes)
        self.rooms[room.id] = room
        room.start()
        return room

    def backend_of(self, game: Game) -> str:
        """Compiled rules where they are asked for and to be had."""
        return self.backend if missing(self.backend) is None else "plain"

    # --- finding ---

    async def find(self, match: str) -> Room | None:
        """The room of a match, from memory or from the archive; None where there is no such match."""
        if match in self.rooms:
            return self.rooms[match]
        if match in self._opening:
            return await asyncio.shield(self._opening[match])
        opening = asyncio.get_running_loop().create_future()
        self._opening[match] = opening
        try:
            room = await self._open(match)
            opening.set_result(room)
            return room
        except BaseException as error:
            opening.set_exception(error)
            opening.exception()  # whoever else waits hears of it; if nobody does, that is no fault
            raise
        finally:
            del self._opening[match]

    async def _open(self, match: str) -> Room | None:
        row = await asyncio.to_thread(self.store.match, match)
        if row is None:
            return None
        seats = [
            Seat(each["kind"], each["name"], each["bot"], each["token"])
            for each in await asyncio.to_thread(self.store.seats, match)
        ]
        entries = await asyncio.to_thread(self.store.entries, match)
        game = find(row["game"])
        room = Room(row, game, seats, self.journal, self.bots, self.now, self.backend_of(game))
        if row["version"] != game.version and room.status in ("open", "running"):
            reason = (
                f"It was begun by version {row['version']} of {game.title}'s rules; this is {game.version}."
            )
            return await self._stopped(room, reason)
        try:
            room.restore(entries, self._alive_until)
        except RuntimeError as error:
            return await self._stopped(room, str(error))
        self.asleep.pop(match, None)
        self.rooms[match] = room
        return room

    async def _stopped(self, room: Room, reason: str) -> Room:
        LOG.error("a match could not be rebuilt", match=room.id, reason=reason)
        room.status, room.failure = "failed", reason
        await self.journal.write(change_match(room.id, status="failed", outcome=encoded({"failed": reason})))
        self.asleep.pop(room.id, None)
        self.rooms[room.id] = room
        return room

    def seat_of(self, room: Room, token: str | None) -> int | None | Refusal:
        """Which seat a token is for; None without one."""
        if token is None:
            return None
        mark = hashed(token)
        for number, seat in enumerate(room.seats):
            if seat.token is not None and hmac.compare_digest(seat.token, mark):
                return number
        return Refusal("token", "This token opens no seat of this match: use the link you were given.")

    # --- waking and letting go ---

    async def _sweep(self) -> None:
        while True:
            await self._wake()
            await self._let_go()
            try:
                await self.journal.write(beat(int(self.now())))
                self._alive_until = self.now()
            except (ArchiveDown, Conflict) as error:
                LOG.error("the archive is down", reason=str(error))
            await asyncio.sleep(SWEEP)

    async def _wake(self) -> None:
        """Open the rooms whose clocks are about to be over, or where a bot has to act."""
        limit = self.now() + WAKE_EARLY
        due = [match for match, at in self.asleep.items() if at is not None and at <= limit]
        for match in due:
            self.asleep.pop(match, None)
            try:
                await self.find(match)
            except ArchiveDown as error:
                self.asleep[match] = limit
                LOG.error("a match could not be opened", match=match, reason=str(error))
                return
            except Exception:
                LOG.exception("a match could not be opened", match=match)
            await asyncio.sleep(0)  # others first

    async def _let_go(self) -> None:
        limit = self.now() - IDLE
        for room in [room for room in self.rooms.values() if room.idle and room.touched < limit]:
            due = None if room.over else room.clock.due()
            if due is not None and due < self.now() + IDLE:
                continue
            await room.close()
            del self.rooms[room.id]
            if not room.over:
                self.asleep[room.id] = due
            await asyncio.sleep(0)


def bot_seat(game: Game, bot: str) -> Seat | Refusal:
    """A seat for a bot of the game's."""
    if bot not in bots_of(game):
        return Refusal("bot", f"{game.title} has no bot {bot!r}; it has {', '.join(bots_of(game))}.")
    return Seat("bot", bot, bot)
