"""A room: one live match with its seats, clocks and observers. One task, one inbox, no locks.

What a room is asked goes into its inbox and is done one thing at a time. An action is played, written into the
archive, and only when it is on disk does anyone hear of it. If that fails, the match is read back from the
archive before anything else is played in it, so that what is in memory is never ahead of what is kept.
"""

import asyncio
import gzip
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog

from endturn.archive.store import (
    ENTRIES,
    GAMELOGS,
    RESULTS,
    ArchiveDown,
    Conflict,
    Row,
    Write,
    change_match,
    change_seat,
    insert,
)
from endturn.engine import gamelog
from endturn.engine.game import Accepted, Game, Malformed, Outcome, Refusal
from endturn.engine.match import Acted, Match, TurnBegan
from endturn.server.bothouse import BotFailed, BotHouse, Table
from endturn.server.clock import Clock, Timing
from endturn.server.journal import Journal

LOG = structlog.get_logger("endturn.room")
BOT_SECONDS = 10.0  # for one action, where no clock says less
BOT_PATIENCE = 20  # refused actions in a row after which a bot has lost
INBOX = 256  # requests that may wait in a room; one more is refused

Answer = Accepted | Refusal | Malformed
T = TypeVar("T")


class Seat(msgspec.Struct):
    """A place at the table."""

    kind: str  # person, link, bot
    name: str
    bot: str | None = None
    token: str | None = None  # the hash of the token; none where nobody has taken the seat yet

    @property
    def taken(self) -> bool:
        """Whether somebody plays here."""
        return self.kind == "bot" or self.token is not None


class Entry(NamedTuple):
    """Something that happened in a match, as the archive keeps it."""

    number: int  # from 1 on
    at: int  # milliseconds since 1970
    kind: str  # act, undo, chat, pause, resume
    seat: int | None
    body: Any  # the action, or a text
    turn: int


class Room:
    """A live match. `now` tells the time in milliseconds since 1970."""

    def __init__(
        self,
        row: Row,
        game: Game,
        seats: list[Seat],
        journal: Journal,
        bots: BotHouse,
        now: Callable[[], float],
        backend: str = "plain",
    ) -> None:
        self.id: str = row["id"]
        self.game, self.seats, self.row, self.now, self.backend = game, seats, row, now, backend
        self.timing = msgspec.json.decode(row["timing"], type=Timing)
        self.status: str = row["status"]
        self.failure: str | None = None
        self.paused = False
        self.entries: list[Entry] = []
        self.played: list[Any] = []  # of these what was played: [seat, action], or [seat, None] for an undo
        self.observers: list[Callable[[Entry], None]] = []
        self.on_change: Callable[[], None] = lambda: None  # a seat was taken, or the match was stopped
        self.touched = now()
        self._journal, self._bots = journal, bots
        self._doubtful = False  # whether memory may be ahead of the archive
        self._inbox: asyncio.Queue[tuple[Any, tuple[Any, ...], Any]] = asyncio.Queue(INBOX)
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: dict[int, asyncio.Task[Any]] = {}
        self._begin()

    def _begin(self) -> None:
        """The match as it started."""
        start = self.game.parse_position(self.row["start"]) if self.row["start"] is not None else None
        self.match = Match(
            self.game,
            self.game.configure(values=msgspec.json.decode(self.row["settings"])),
            seed=int(self.row["seed"], 16),
            players=[seat.name or name for seat, name in zip(self.seats, self.game.seats, strict=True)],
            backend=self.backend,
            start=start,
        )
        self.clock = Clock.new(self.timing, self.game.seat_count)
        self.paused = False

    # --- looking ---

    def outcome(self) -> Outcome | None:
        """How the match ended, if it has."""
        return self.match.outcome

    def visible(self, entry: Entry, seat: int | None) -> bool:
        """Whether a seat, or a spectator, is told that this happened. It stays so when the match is over.

        The action that ends a match is told to everyone: all must hear that it is over.
        """
        if entry.seat == seat or entry.kind not in ("act", "undo"):
            return True
        act = entry if entry.kind == "act" else self._taken_back(entry)
        return not self.game.is_hidden(act.body["do"]) or self._ended_by(entry)

    def _taken_back(self, undo: Entry) -> Entry:
        """The action that an undo took back."""
        later = 0  # undos in between, whose actions come before theirs
        for entry in self.entries[: undo.number - 1][::-1]:
            if entry.kind == "undo":
                later += 1
            elif entry.kind == "act":
                if later == 0:
                    return entry
                later -= 1
        raise LookupError(f"entry {undo.number} of match {self.id} takes nothing back")

    def _ended_by(self, entry: Entry) -> bool:
        last = next((each for each in reversed(self.entries) if each.kind == "act"), None)
        return self.status == "over" and last is not None and last.number == entry.number

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return self.status in ("over", "failed")

    @property
    def idle(self) -> bool:
        """Whether nobody looks, nothing waits and no bot thinks."""
        return not (self.observers or self._thinking or self._inbox.qsize())

    # --- what a room can be asked; each of these waits for its turn ---

    async def act(self, seat: int, said: object, after: int | None = None) -> Answer:
        """Play an action; with `after`, only if nothing has happened since the entry of that number."""
        return await self._ask(self._act, seat, said, after)

    async def undo(self, seat: int) -> Answer:
        """Take the seat's last action back."""
        return await self._ask(self._undo, seat)

    async def leave(self, seat: int, why: str) -> Answer:
        """The seat gives up ("resigned"), or its connection or time does ("disconnected", "timed out")."""
        return await self._ask(self._leave, seat, why)

    async def chat(self, seat: int | None, name: str, text: str) -> Answer:
        """Say something to everyone here."""
        return await self._ask(self._chat, seat, name, text)

    async def pause(self, seat: int, on: bool) -> Answer:
        """Stop the clocks, or let them go on."""
        return await self._ask(self._pause, seat, on)

    async def look(self, what: Callable[[], T]) -> T | Refusal:
        """Look at the match when nothing in it is half done: `what` is called between two actions."""

        async def at_rest() -> T:
            return what()

        return await self._ask(at_rest)

    async def stop(self, reason: str) -> "Answer":
        """Stop the match for good; its log so far is kept."""
        return await self._ask(self._stop, reason)

    async def take(self, seat: int | None, name: str) -> "tuple[int, str] | Refusal":
        """Take an open seat: which it is, and the token to play it with."""
        return await self._ask(self._take, seat, name)

    async def _ask(self, what: Callable[..., Awaitable[T]], *args: Any) -> T | Refusal:
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"room {self.id}")
        reply: asyncio.Future[T | Refusal] = asyncio.get_running_loop().create_future()
        try:
            self._inbox.put_nowait((what, args, reply))
        except asyncio.QueueFull:
            return Refusal("busy", "This match has more to do than it can: try again in a moment.")
        return await reply

    async def _run(self) -> None:
        while True:
            what, args, reply = await self._inbox.get()
            answer = await self._answer(what, args)
            if not reply.done():
                reply.set_result(answer)

    async def _answer(self, what: Callable[..., Awaitable[Any]], args: tuple[Any, ...]) -> Any:
        """Do what was asked. An archive that is down refuses; an exception of ours stops this match alone."""
        self.touched = self.now()
        try:
            if self._doubtful:
                await self._read_back()
            return await what(*args)
        except (ArchiveDown, Conflict) as error:
            self._doubtful = True
            return Refusal("archive", f"{error} Nothing was played: try again when it is there.")
        except asyncio.CancelledError:
            raise
        except Exception as error:
            LOG.exception("match stopped", match=self.id)
            await self._fail(f"The match was stopped by a fault of ours: {error!r:.200}")
            return Refusal("failed", self.failure or "")

    async def close(self) -> None:
        """Stop: clocks, bots and task. What was acknowledged is in the archive."""
        if self._timer is not None:
            self._timer.cancel()
        for task in [*self._thinking.values(), *([self._task] if self._task else [])]:
            task.cancel()
        self._thinking.clear()
        self._task = None

    # --- playing ---

    def _closed(self, seat: int) -> Refusal | None:
        if self.status == "failed":
            return Refusal("failed", self.failure or "This match was stopped.")
        if self.status == "open":
            return Refusal("open", "The match has not begun: it waits for players.")
        if self.paused:
            return Refusal("paused", "The match is paused: let it go on first.")
        return None

    async def _act(self, seat: int, said: object, after: int | None) -> Answer:
        if after is not None and after != len(self.entries):
            return Refusal("late", "Something else has happened since.")
        if refusal := self._closed(seat):
            return refusal
        if self.clock.timing.kind != "none" and seat in self.clock.over(self.now()):
            await self._time_over()
            return Refusal("time", "Your time is over.")
        answer = self.match.submit(seat, said)
        if isinstance(answer, Accepted):
            await self._played(seat)
        return answer

    async def _played(self, seat: int) -> None:
        """Write what the match has just accepted, then tell everyone."""
        acted = next(entry for entry in reversed(self.match.log) if isinstance(entry, Acted))
        await self._record("act", seat, msgspec.to_builtins(acted.action))

    async def _undo(self, seat: int) -> Answer:
        if refusal := self._closed(seat):
            return refusal
        answer = self.match.undo(seat)
        if isinstance(answer, Accepted):
            await self._record("undo", seat, None)
        return answer

    async def _leave(self, seat: int, why: str) -> Answer:
        if self.over:
            return Refusal("over", "The match is over.")
        if self.status == "open":
            return Refusal("open", "The match has not begun.")
        forfeit = self.game.forfeit
        answer = self.match.submit(seat, forfeit(why) if forfeit else self.game.default_action)
        if isinstance(answer, Accepted):
            await self._played(seat)
        return answer

    async def _chat(self, seat: int | None, name: str, text: str) -> Answer:
        await self._record("chat", seat, {"name": name, "text": text})
        return Accepted(self.match.turn)

    async def _stop(self, reason: str) -> Answer:
        if self.over:
            return Refusal("over", "The match is over.")
        await self._fail(reason)
        return Accepted(self.match.turn)

    async def _pause(self, seat: int, on: bool) -> Answer:
        if self.over or self.status == "open":
            return Refusal("pause", "Only a match that is being played can be paused.")
        if on == self.paused:
            return Refusal("pause", "The match is paused already." if on else "The match is not paused.")
        self.paused = on
        await self._record("pause" if on else "resume", seat, None)
        return Accepted(self.match.turn)

    async def _take(self, wanted: int | None, name: str) -> "tuple[int, str] | Refusal":
        free = [number for number, seat in enumerate(self.seats) if seat.kind == "link" and not seat.taken]
        if self.status != "open" or not free or (wanted is not None and wanted not in free):
            return Refusal("seat", "That seat is taken." if self.status == "open" else "All seats are taken.")
        number = free[0] if wanted is None else wanted
        token = secrets.token_urlsafe(24)
        chosen = name.strip() or f"player {number + 1}"
        full = free == [number]
        writes = [change_seat(self.id, number, name=chosen, token=hashed(token))]
        at = int(self.now())
        writes.append(change_match(self.id, status="running" if full else "open", changed_at=at))
        await self._journal.write(*writes)
        self.seats[number].name, self.seats[number].token = chosen, hashed(token)
        self.status = "running" if full else "open"
        if full:
            self._begin()
            self.start()
        self.on_change()
        return number, token

    # --- writing and telling ---

    async def _record(self, kind: str, seat: int | None, body: Any) -> None:
        now = self.now()
        self._set_clocks(kind, seat, now)
        entry = Entry(len(self.entries) + 1, int(now), kind, seat, body, self.match.turn)
        await self._journal.write(*self._writes(entry))
        self._keep(entry)
        if self.status == "running" and not self.match.to_act():
            self.status = "over"
            self._bots.forget(self.id)
        self._go_on()
        for observer in list(self.observers):
            observer(entry)

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        if entry.kind in ("act", "undo"):
            self.played.append([entry.seat, entry.body])

    def _set_clocks(self, kind: str, seat: int | None, now: float) -> None:
        if kind == "chat" or self.status != "running":
            return
        if kind in ("act", "undo") and seat is not None:
            self.clock.moved(seat, now)
        if self.paused:
            self.clock.halt(now)
        else:
            self.clock.go(self.match.to_act(), now, self.match.turn)

    def _writes(self, entry: Entry) -> list[Write]:
        began = self.match.log[-1]
        values = {
            "match": self.id,
            "number": entry.number,
            "at": entry.at,
            "kind": entry.kind,
            "seat": entry.seat,
            "body": msgspec.json.encode(entry.body).decode(),
            "clock": msgspec.json.encode({**self.clock.written(), "paused": self.paused}).decode(),
            "state": began.state if entry.kind == "act" and isinstance(began, TurnBegan) else None,
        }
        writes = [insert(ENTRIES, values)]
        if self.status == "running" and not self.match.to_act():
            writes += self._last_writes(entry.at)
        return writes

    def _last_writes(self, at: int) -> list[Write]:
        outcome = self.match.outcome
        assert outcome is not None
        writes = [change_match(self.id, status="over", changed_at=at, outcome=encoded(outcome._asdict()))]
        for seat, player in enumerate(self.match.players):
            place, reason = outcome.places[seat], outcome.reasons[seat]
            values = {"match": self.id, "seat": seat, "name": player, "place": place, "reason": reason}
            writes.append(insert(RESULTS, values))
        packed = gzip.compress("".join(gamelog.write(self.match)).encode(), 6, mtime=0)
        name = f"{self.game.name}-{self.id}"
        writes.append(insert(GAMELOGS, {"match": self.id, "kind": "endturn", "name": name, "packed": packed}))
        return writes

    async def _fail(self, reason: str) -> None:
        """This match stops; its log so far is kept."""
        self.status, self.failure = "failed", reason
        self.clock.halt(self.now())
        self._go_on()
        self.on_change()
        try:
            outcome = encoded({"failed": reason})
            await self._journal.write(change_match(self.id, status="failed", outcome=outcome))
        except (ArchiveDown, Conflict):
            LOG.error("a stopped match could not be marked so", match=self.id)

    # --- going on ---

    def start(self) -> None:
        """The clocks run from now on, and bots that are to act think."""
        if self.status == "running" and not self.paused:
            self.clock.go(self.match.to_act(), self.now(), self.match.turn)
        self._go_on()

    def _go_on(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self.clock.due() if self.status == "running" else None
        if due is not None:
            delay = max(0.0, (due - self.now()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(min(delay, 86400.0), self._time_is_due)
        if self.status == "running" and not self.paused:
            for seat in self.match.to_act():
                if self.seats[seat].kind == "bot" and seat not in self._thinking:
                    self._thinking[seat] = asyncio.create_task(self._think(seat))

    def _time_is_due(self) -> None:
        task = asyncio.create_task(self._ask(self._time_over))
        self._thinking[-1] = task
        task.add_done_callback(lambda _: self._thinking.pop(-1, None))

    async def _time_over(self) -> None:
        """Those whose time is over lose, or play the default action; both are actions in the log."""
        for seat in self.clock.over(self.now()):
            if self.status != "running" or seat not in self.match.to_act():
                break
            forfeit = self.game.forfeit
            loses = self.timing.over == "forfeit" and forfeit is not None
            said = forfeit("timed out") if loses and forfeit else self.game.default_action
            answer = self.match.submit(seat, said)
            if not isinstance(answer, Accepted) and forfeit is not None:
                answer = self.match.submit(seat, forfeit("timed out"))
            if isinstance(answer, Accepted):
                await self._played(seat)
        if self.status == "running":
            self._go_on()

    async def _think(self, seat: int) -> None:
        """Ask a bot until it has played something that counts; one that fails gives up."""
        try:
            for _ in range(BOT_PATIENCE):
                number = len(self.entries)
                try:
                    said = await self._bots.act(self.table(), self.played, seat, self._patience(seat))
                except BotFailed as error:
                    LOG.warning("a bot gave no action", match=self.id, seat=seat, reason=str(error))
                    break
                answer = await self.act(seat, said, number)
                if isinstance(answer, Accepted) or self.status != "running" or self.paused:
                    return
                if isinstance(answer, Refusal) and answer.rule == "archive":
                    await asyncio.sleep(1)
            await self.leave(seat, "disconnected")
        finally:
            self._thinking.pop(seat, None)
            if self._task is not None:
                self._go_on()

    def _patience(self, seat: int) -> float:
        left = self.clock.remaining(seat, self.now())
        return BOT_SECONDS if left is None else max(0.05, min(BOT_SECONDS, left / 1000))

    def table(self) -> Table:
        """What a copy of this match begins with."""
        settings = msgspec.json.decode(self.row["settings"])
        bots = tuple(seat.bot for seat in self.seats)
        return Table(self.id, self.game.name, settings, int(self.row["seed"], 16), self.row["start"], bots)

    # --- coming back ---

    async def _read_back(self) -> None:
        rows = await asyncio.to_thread(self._journal.store.entries, self.id)
        row = await asyncio.to_thread(self._journal.store.match, self.id)
        if row is not None:
            self.status = row["status"]
        known = len(self.entries)
        self.restore(rows, self.now())
        self._doubtful = False
        for entry in self.entries[known:]:  # written after all, though nobody could say so
            for observer in list(self.observers):
                observer(entry)

    def restore(self, rows: list[Row], alive_until: float) -> None:
        """The match after all that the archive has of it; the state's fingerprints are compared.

        The clock of a seat that was thinking ran until the server was last alive; calendars never stopped.
        """
        self._begin()
        self.entries, self.played = [], []
        for row in rows:
            self._replay(row)
        if rows:
            said = msgspec.json.decode(rows[-1]["clock"])
            self.clock, self.paused = Clock.read(self.timing, said), said["paused"]
            since = rows[-1]["at"]
            lost = 0.0 if self.timing.kind == "deadline" else max(0.0, self.now() - max(alive_until, since))
            for seat in said["on"] if self.status == "running" else []:
                self.clock.since[seat] = since + lost
        self.start()

    def _replay(self, row: Row) -> None:
        seat, body = row["seat"], msgspec.json.decode(row["body"])
        answer: Any = None
        if row["kind"] == "act":
            answer = self.match.submit(seat, body)
        elif row["kind"] == "undo":
            answer = self.match.undo(seat)
        if isinstance(answer, Refusal | Malformed):
            raise RuntimeError(
                f"entry {row['number']} of match {self.id} cannot be played again: {answer.reason}"
            )
        began = self.match.log[-1]
        if row["state"] is not None and (not isinstance(began, TurnBegan) or began.state != row["state"]):
            raise RuntimeError(f"match {self.id} differs from its log at entry {row['number']}")
        self._keep(Entry(row["number"], row["at"], row["kind"], seat, body, self.match.turn))


def hashed(token: str) -> str:
    """A token as the archive keeps it. Tokens are long and by chance, so that one round is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def encoded(value: Any) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()
