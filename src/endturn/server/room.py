"""A room: one live match with its seats, clocks and observers. One task, one inbox, no locks.

What a room is asked goes into its inbox and is done one thing at a time. An action is played, written into the
archive, and only when it is on disk can anyone see it: until then `match`, `clock` and `entries` are as before.
If writing fails, the match is read back from the archive before anything else is played in it.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec
import structlog

from endturn.archive.store import ArchiveDown, Conflict, Row, change_match, change_seat
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game, Outcome
from endturn.engine.match import Match
from endturn.server.bothouse import BotHouse
from endturn.server.clock import Clock, Reading, Timing
from endturn.server.journal import Journal
from endturn.server.ledger import Answer as Answer
from endturn.server.ledger import Entry as Entry
from endturn.server.ledger import Ledger, Refused, seated
from endturn.server.ledger import is_passing as is_passing
from endturn.server.seat import Seat as Seat
from endturn.server.seat import Taken, seat_with
from endturn.server.thinking import RETRY, Thinking
from endturn.server.writing import (
    Step,
    cleaned,
    encoded,
    end_written,
    entry_written,
    failed,
    failure_in,
    gamelog_written,
    hashed,
)

LOG = structlog.get_logger("endturn.room")
INBOX = 256  # requests that may wait in a room; one more is refused
SOONEST = 0.02  # seconds until a clock is looked at
LAST_WORD = 5.0  # seconds that what is being done may take when the room closes
LONGEST_NAME = 80
PAUSES = {"pause": True, "resume": False}
LATE = Refusal("late", "Something else has happened since.")
TOO_MUCH = Refusal("busy", "This match has more to do than it can: try again in a moment.")
STOPPING = Refusal("stopping", "This match is being put away: open it again.")
T = TypeVar("T")
Then = Callable[[Answer], None]


class Room:
    """A live match. `now` tells the time by its clocks, `wall` the milliseconds since 1970."""

    def __init__(
        self,
        row: Row,
        game: Game,
        seats: list[Seat],
        journal: Journal,
        bots: BotHouse,
        wall: Callable[[], float],
        uptime: Callable[[], float],
        backend: str = "plain",
    ) -> None:
        self.id: str = row["id"]
        self.game, self.seats, self.row = seated(row, game), seats, row
        self.wall, self.backend = wall, backend
        self.timing = msgspec.json.decode(row["timing"], type=Timing)
        self.now = wall if self.timing.kind == "deadline" else uptime
        self.status: str = row["status"]
        self.failure = failure_in(row)
        self.observers: list[Callable[[Entry], None]] = []
        self.on_change: list[Callable[[], None]] = []  # who hears that a seat was taken or the match stopped
        self.touched = wall()
        self._journal = journal
        self._unsure = False  # whether the archive may have something that memory has not
        self._untold: int | None = None  # a seat that was perhaps taken, though nobody was told so
        self._inbox: asyncio.Queue[tuple[Any, tuple[Any, ...], Any]] = asyncio.Queue()
        self._asked, self._closing = 0, False  # requests in the inbox, and the one that is being done
        self._posting = False  # whether an action is being written without the task
        self._posted: asyncio.Future[None] | None = None  # who waits for that
        self._fault: Exception | None = None  # of ours, for which the match has to be stopped
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._looks_at = 0.0  # when that is, by the clocks of this match
        self._thinking = Thinking(self, bots)
        self.ledger = Ledger(row, self.game, self._players(), backend)
        self.clock, self.paused = Clock.new(self.timing, self.game.seat_count), False

    def _players(self) -> list[str]:
        return [seat.name or name for seat, name in zip(self.seats, self.game.seats, strict=True)]

    # --- looking ---

    @property
    def match(self) -> Match:
        """The match after all that is on disk. Only to look at: `act` plays."""
        return self.ledger.match

    @property
    def entries(self) -> list[Entry]:
        """All that has happened and is on disk."""
        return self.ledger.entries

    def outcome(self) -> Outcome | None:
        """How the match ended, if it has."""
        return self.match.outcome

    def visible(self, entry: Entry, seat: int | None) -> bool:
        """Whether a seat, or a spectator, is told that this happened."""
        return self.ledger.visible(entry, seat)

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return self.status in ("over", "failed")

    @property
    def idle(self) -> bool:
        """Whether nobody looks, nothing waits and no bot thinks."""
        return not (self.observers or self._thinking or self._asked or self._posting or self._unsure)

    # --- what a room can be asked; each of these waits for its turn ---

    async def act(self, seat: int, said: object, after: int | None = None) -> Answer:
        """Play an action; with `after`, only if the seat knows of nothing but talk since the entry of that number."""
        return await (self.post(seat, said) if after is None else self._ask(self._act, seat, said, after))

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

    async def stop(self, reason: str) -> Answer:
        """Stop the match for good; its log so far is kept."""
        return await self._ask(self._stop, reason)

    async def take(self, seat: int | None, name: str, account: str | None = None, token: str = "") -> Taken:
        """Take an open seat: which it is, and the token to play it with. An account, and a token, get theirs again."""
        return await self._ask(self._take, seat, name, account, token)

    async def look(self, what: Callable[[], T]) -> T | Refusal:
        """Look at the match, or begin to observe it, between two entries; also while the archive is down."""
        return STOPPING if self._closing else what()

    def post(self, seat: int, said: object) -> "asyncio.Future[Answer]":
        """`act` for a caller that cannot wait: the answer comes as a future."""
        reply: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        answer = self.play(seat, said, lambda answer: None if reply.done() else reply.set_result(answer))
        if answer is not None:
            reply.set_result(answer)
        return reply

    def play(self, seat: int, said: object, then: Then) -> Refused | None:
        """`act` for a caller who hears the answer later, by `then`. A refusal is returned where nothing else waits.

        Where nothing waits no task has to wake, before the write or after it. What takes more than one write, or goes
        wrong, is left to the task.
        """
        if self._waits() or self.paused or self.status != "running":
            self._ask(self._act, seat, said, None).add_done_callback(lambda done: then(done.result()))
            return None
        try:
            answer = self.ledger.submit(seat, said)
            if isinstance(answer, Accepted):
                self._write_for(self._step("act", seat, msgspec.to_builtins(self.ledger.last_action())), then)
                return None
        except Exception as fault:
            self._break(fault, then)
            return None
        return answer

    def refusal(self, seat: int, said: object) -> Refusal | Malformed | None:
        """Why an action would be refused, where that can be said at once; None: it has to be asked."""
        return None if self._waits() or self.paused or self.over else self.ledger.live.refuse(seat, said)

    def _waits(self) -> bool:
        """Whether something else comes first."""
        hindered = self._asked or self._posting or self._unsure or self._closing
        return bool(hindered) or self.clock.is_over(self.now())

    def _ask(self, what: Callable[..., Awaitable[T]], *args: Any) -> "asyncio.Future[T | Refusal]":
        reply: asyncio.Future[T | Refusal] = asyncio.get_running_loop().create_future()
        if self._closing or self._inbox.qsize() >= INBOX:
            reply.set_result(STOPPING if self._closing else TOO_MUCH)
        else:
            self._put(what, args, reply)
        return reply

    def _put(
        self, what: Callable[..., Awaitable[Any]], args: tuple[Any, ...] = (), reply: Any = None
    ) -> None:
        self._asked += 1
        self._inbox.put_nowait((what, args, reply))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"room {self.id}")

    async def _run(self) -> None:
        while not self._closing:
            what, args, reply = await self._inbox.get()
            await self._post_written()
            try:
                answer = STOPPING if self._closing else await self._answer(what, args)
            except Exception:  # whoever asked must not wait for ever, whatever else is broken
                LOG.exception("a room could not even stop its match", match=self.id)
                answer = Refusal("failed", "The match cannot go on by a fault of ours; its log is kept.")
            self._asked -= 1
            if reply is not None and not reply.done():
                reply.set_result(answer)

    async def _answer(self, what: Callable[..., Awaitable[Any]], args: tuple[Any, ...]) -> Any:
        """Do what was asked. An archive that is down refuses; an exception of ours stops this match alone."""
        self.touched = self.wall()
        try:
            if self._fault is not None:
                fault, self._fault = self._fault, None
                raise fault
            if self._unsure:
                await self._read_back()
            return await what(*args)
        except (ArchiveDown, Conflict) as error:
            return self._not_kept(error)
        except Exception as error:
            LOG.exception("match stopped", match=self.id)
            kind = type(error).__name__
            await self._fail(f"The match was stopped by a fault of ours ({kind}); its log is kept.")
            return Refusal("failed", self.failure or "")

    def _not_kept(self, error: ArchiveDown | Conflict) -> Refusal:
        """Memory goes back to what is known to be kept, and the archive is asked before anything else is done."""
        self._unsure = True
        self.ledger.roll_back()
        self._set_timer(None)  # one for a clock that stands still now would ask too soon
        self._set_timer(RETRY)
        if isinstance(error, Conflict):
            LOG.error("the archive has what memory has not", match=self.id, reason=str(error))
            return Refusal("archive", "The match is read anew from the archive: look at it, and try again.")
        verdict = "Whether this was kept will be seen" if error.unknown else "Nothing has happened: try again"
        return Refusal("archive", f"{error} {verdict} when it is back.")

    async def close(self) -> None:
        """Stop: clocks, bots and task. What was acknowledged is in the archive."""
        self._closing = True
        self._rest()
        while not self._inbox.empty():
            _, _, reply = self._inbox.get_nowait()
            self._asked -= 1
            if reply is not None and not reply.done():
                reply.set_result(STOPPING)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._post_written(), LAST_WORD)
        if self._task is not None and self._asked:
            await asyncio.wait([self._task], timeout=LAST_WORD)
        if self._task is not None:
            self._task.cancel()

    def _rest(self) -> None:
        """No clock runs out and no bot thinks here any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._thinking.rest()

    # --- playing ---

    def _closed(self) -> Refusal | None:
        if self.status == "failed":
            return Refusal("failed", self.failure or "This match was stopped.")
        if self.status == "open":
            return Refusal("open", "The match has not begun: it waits for players.")
        if self.paused:
            return Refusal("paused", "The match is paused: let it go on first.")
        return None

    async def _act(self, seat: int, said: object, after: int | None) -> Answer:
        if after is not None and self.ledger.has_news(seat, after):
            return LATE
        if refusal := self._closed():
            return refusal
        if seat in self.clock.over(self.now()):
            await self._time_over()
            return Refusal("time", "Your time is over.")
        return await self._submit(seat, said)

    def _write_for(self, step: Step, then: Then) -> None:
        if step.ends:  # its gamelog takes time to pack
            self._put(self._write, (step,), self._reply_to(then))
        else:
            self._posting = True
            self._journal.post([step.write], partial(self._written, step, then), self.id)

    def _written(self, step: Step, then: Then, error: Exception | None) -> None:
        """What was played without the task is on disk, or it is not."""
        answer: Answer = Accepted(step.entry.turn)
        try:
            if isinstance(error, ArchiveDown | Conflict):
                answer = self._not_kept(error)
            elif error is not None:
                raise error
            else:
                self._keep(step)
        except Exception as fault:
            self._break(fault, then)
            return
        finally:
            self._posting = False
            if self._posted is not None:
                self._posted.set_result(None)
                self._posted = None
        then(answer)

    def _break(self, fault: Exception, then: Then) -> None:
        """The match has to be stopped, before anything else that waits."""
        self._fault = fault
        self._put(self._time_over, (), self._reply_to(then))  # comes to nothing: the fault is found first

    def _reply_to(self, then: Then) -> "asyncio.Future[Answer]":
        reply: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        reply.add_done_callback(lambda done: then(done.result()))
        return reply

    async def _post_written(self) -> None:
        """Wait for an action that is being written without the task."""
        while self._posting:
            if self._posted is None:
                self._posted = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._posted)

    async def _submit(self, seat: int, said: object) -> Answer:
        answer = self.ledger.submit(seat, said)
        if isinstance(answer, Accepted):
            await self._record("act", seat, msgspec.to_builtins(self.ledger.last_action()))
        return answer

    async def _undo(self, seat: int) -> Answer:
        if refusal := self._closed():
            return refusal
        answer = self.ledger.undo(seat)
        if isinstance(answer, Accepted):
            await self._record("undo", seat, None)
        return answer

    async def _leave(self, seat: int, why: str) -> Answer:
        if self.over:
            return Refusal("over", "The match is over.")
        if self.status == "open":
            return Refusal("open", "The match has not begun.")
        return await self._submit(seat, self.game.rules.leave_action(why))

    async def _chat(self, seat: int | None, name: str, text: str) -> Answer:
        await self._record("chat", seat, {"name": cleaned(name), "text": cleaned(text)})
        return Accepted(self.ledger.live.turn)

    async def _stop(self, reason: str) -> Answer:
        if self.over:
            return Refusal("over", "The match is over.")
        if not await self._fail(reason):
            return Refusal("archive", "It is stopped, but will be there again when the server starts anew.")
        return Accepted(self.ledger.live.turn)

    async def _pause(self, seat: int, on: bool) -> Answer:
        if self.over or self.status == "open":
            return Refusal("pause", "Only a match that is being played can be paused.")
        if on == self.paused:
            return Refusal("pause", "The match is paused already." if on else "The match is not paused.")
        await self._record("pause" if on else "resume", seat, None)
        return Accepted(self.ledger.live.turn)

    async def _take(self, wanted: int | None, name: str, account: str | None, token: str) -> Taken:
        if token and (number := seat_with(self.seats, token)) is not None:
            return number, token  # the answer to the first time was lost
        token = token or secrets.token_urlsafe(24)
        own = [number for number, seat in enumerate(self.seats) if account and seat.account == account]
        if own and wanted in (None, *own):
            return await self._take_again(own[0] if wanted is None else wanted, token)
        free = [number for number, seat in enumerate(self.seats) if seat.kind == "link" and not seat.taken]
        if self.status != "open" or not free or (wanted is not None and wanted not in free):
            return Refusal("seat", "That seat is taken." if self.status == "open" else "All seats are taken.")
        number = free[0] if wanted is None else wanted
        chosen = cleaned(name).strip()[:LONGEST_NAME] or f"player {number + 1}"
        changes: Row = {"status": "open", "changed_at": int(self.wall())}
        if full := free == [number]:
            changes |= {"status": "running", "clock": self.first_clock()}
        self._untold = number
        seat = change_seat(self.id, number, name=chosen, token=hashed(token), account=account)
        await self._journal.write(seat, change_match(self.id, **changes))
        self._untold = None
        self.seats[number] = Seat("link", chosen, token=hashed(token), account=account)
        self.row, self.status = self.row | changes, changes["status"]
        if full:
            self.start()
        self._changed()
        return number, token

    async def _take_again(self, number: int, token: str) -> tuple[int, str]:
        """A new token for a seat whose owner has lost the old one, which opens nothing any more."""
        await self._journal.write(change_seat(self.id, number, token=hashed(token)))
        self.seats[number].token = hashed(token)
        return number, token

    # --- writing and telling ---

    async def _record(self, kind: str, seat: int | None, body: Any) -> None:
        """Write what has happened, and let everyone see it when it is on disk."""
        await self._write(self._step(kind, seat, body))

    def _step(self, kind: str, seat: int | None, body: Any) -> Step:
        """What has to be written of what has happened, and what will be so when it is."""
        ledger, now, paused = self.ledger, self.now(), PAUSES.get(kind, self.paused)
        running, acting, turn = self.status == "running", ledger.live.to_act(), ledger.live.turn
        hidden = kind == "act" and self.game.actions.is_hidden(body["do"])
        unseen = hidden and self.clock.goes_on(seat, acting, now, turn)
        clock = self.clock if unseen else self.clock.copy()
        if running and not unseen and kind != "chat":
            clock.step(seat if kind == "act" else None, None if paused else acting, now, turn)
        said = None if unseen or self.status == "open" else encoded(clock.written(now, paused))
        self.touched = at = self.wall()
        entry = Entry(len(ledger.entries) + 1, int(at), kind, seat, body, turn)
        write = entry_written(self.id, entry, said, ledger.fingerprint(kind))
        return Step(entry, clock, now, paused, running and not acting, write)

    async def _write(self, step: Step) -> Answer:
        last = await end_written(self.id, self.ledger.live, step.entry.at) if step.ends else []
        await self._journal.write(step.write, *last)
        self._keep(step)
        return Accepted(step.entry.turn)

    def _keep(self, step: Step) -> None:
        """It is on disk: everyone can see it."""
        self.ledger.keep(step.entry)
        if step.clock is not self.clock:
            step.clock.wait(step.now, self.now())  # writing is our time, not theirs
        self.clock, self.paused = step.clock, step.paused
        if step.ends:
            self.status = "over"
            self._rest()
            self._thinking.forget()
        self.go_on()
        self._tell(step.entry)

    async def _fail(self, reason: str) -> bool:
        """This match stops; its log so far is kept. Whether the archive could be told so."""
        self.status, self.failure = "failed", reason
        self._rest()
        writes = [change_match(self.id, status="failed", changed_at=int(self.wall()), outcome=failed(reason))]
        try:
            self.ledger.roll_back()
            self.clock.halt(self.now())
            writes.append(await gamelog_written(self.id, self.match))
        except Exception:
            LOG.exception("a stopped match has no gamelog", match=self.id)
        try:
            await self._journal.write(*writes)
            self.row["status"] = "failed"
        except Exception as error:
            LOG.error("a stopped match could not be marked so", match=self.id, reason=str(error))
            return False
        finally:
            self._changed()
        return True

    def _tell(self, entry: Entry) -> None:
        """Everyone who observes hears of it; one that fails hears nothing more, and nobody else minds."""
        for observer in self.observers[:]:
            try:
                observer(entry)
            except Exception:
                LOG.exception("an observer failed", match=self.id)
                self.observers.remove(observer)

    def _changed(self) -> None:
        for told in list(self.on_change):
            try:
                told()
            except Exception:
                LOG.exception("an observer failed", match=self.id)

    # --- going on ---

    def start(self) -> None:
        """The clocks run from when the match began, and bots that are to act think."""
        self.ledger.name_players(self._players())
        if self.row["clock"] is not None:
            self.clock = Clock.read(self.timing, msgspec.json.decode(self.row["clock"], type=Reading))
        self._run_clocks()

    def first_clock(self) -> str:
        """What the clocks say if the match begins now."""
        clock, now = Clock.new(self.timing, self.game.seat_count), self.now()
        clock.go(self.ledger.live.to_act(), now, self.ledger.live.turn)
        return encoded(clock.written(now))

    def _run_clocks(self) -> None:
        if self.status == "running" and not self.paused:
            self.clock.go(self.ledger.live.to_act(), self.now(), self.ledger.live.turn)
        self.go_on()

    def go_on(self) -> None:
        """Whatever comes next by itself: a clock that runs out, a bot that thinks."""
        if self._unsure:
            return
        due = self.clock.due() if self.status == "running" else None
        if due is None or self._timer is None or due < self._looks_at:
            self._set_timer(None if due is None else (due - self.now()) / 1000)
        self._thinking.go_on()

    def _set_timer(self, seconds: float | None) -> None:
        """Look at the clocks in so many seconds; a timer that is set for sooner stays, for it sets the next one."""
        loop = asyncio.get_running_loop()
        # No sooner than in a moment: a clock that stands still while the archive is down is not over yet.
        delay = None if seconds is None or self._closing else min(max(seconds, SOONEST), 86400.0)
        if self._timer is not None and delay is not None and self._timer.when() <= loop.time() + delay:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if delay is None else loop.call_later(delay, self._put, self._time_over)
        self._looks_at = self.now() + (delay or 0.0) * 1000

    async def _time_over(self) -> None:
        """The first whose time is over loses, or plays the default action; both are actions in the log."""
        over = self.clock.over(self.now()) if self.status == "running" else []
        self._set_timer(None)
        if not over:
            self.go_on()
            return
        forfeits = [self.game.rules.forfeit("timed out")] if self.game.rules.forfeit else []
        default = [] if self.timing.over == "forfeit" and forfeits else [self.game.rules.default_action]
        for said in [*default, *forfeits]:
            if isinstance(await self._submit(over[0], said), Accepted):
                self._thinking.lapses[over[0]] += 1
                return
        raise RuntimeError(f"seat {over[0]} can neither play the default action nor forfeit")

    def waits_for(self, seat: int) -> bool:
        """Whether a seat is to act, and can."""
        going = self.status == "running" and not (self.paused or self._closing)
        return going and seat in self.ledger.live.to_act()

    async def act_if(self, holds: Callable[[], bool], seat: int, said: object) -> Answer:
        """Play an action, if something holds when its turn has come."""
        return await self._ask(self._act_if, holds, seat, said)

    async def _act_if(self, holds: Callable[[], bool], seat: int, said: object) -> Answer:
        return await self._act(seat, said, None) if holds() else LATE

    async def mind_clocks(self) -> None:
        """Whoever's time is over has lost, or played the default action, when this returns."""
        await self._ask(self._time_over)

    # --- coming back ---

    async def _read_back(self) -> None:
        """What the archive has counts; who was told nothing hears of what was written all the same."""
        store = self._journal.store
        if self._untold is not None:
            seat = change_seat(self.id, self._untold, name="", token=None)
            await self._journal.write(seat, change_match(self.id, status="open", clock=None))
            self._untold = None
        row = await asyncio.to_thread(store.match, self.id)
        rows = await asyncio.to_thread(store.entries, self.id)
        if row is not None:
            self.row, self.status = row, row["status"]
        known, self._unsure = len(self.entries), False
        self.restore(rows)
        for entry in self.entries[known:]:
            self._tell(entry)

    def restore(self, rows: list[Row]) -> None:
        """The match after all that the archive has of it; the state's fingerprints are compared."""
        self.ledger.replay_all(rows)
        self.resume(rows)

    def resume(self, rows: list[Row]) -> None:
        """The clocks as the archive has them, of a match that was played again; it goes on."""
        self.clock, self.paused = Clock.new(self.timing, self.game.seat_count), False
        clock = next((row["clock"] for row in reversed(rows) if row["clock"]), self.row["clock"])
        if clock is not None:
            said = msgspec.json.decode(clock, type=Reading)
            self.clock, self.paused = Clock.read(self.timing, said), said.paused
        self._run_clocks()
