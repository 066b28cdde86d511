"""A room: one live match and everything that drives it: the queue, the journal, the timer, bots and observers.

Every change takes the same path, whether a player, a bot, a clock or an admin requests it: the room offers it to the
live match, the journal writes it, and the room commits or aborts it. While one change is written, others queue.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Any, TypeVar, cast

import structlog

from endturn.archive.store import ArchiveDown, Conflict, Row, Write, change_match
from endturn.engine.answers import Malformed, Refusal
from endturn.engine.game import Outcome
from endturn.engine.match import Match
from endturn.engine.words import Names
from endturn.server.bot_players import RETRY, BotPlayers
from endturn.server.bot_workers import BotWorkers
from endturn.server.clock import Clock, Reading
from endturn.server.history import Entry
from endturn.server.journal import Journal
from endturn.server.live_match import Answer, Instant, LiveMatch, Pending, Taken
from endturn.server.match_rows import rows_at_end, rows_of, seat_row

LOG = structlog.get_logger("endturn.room")
LONGEST_QUEUE = 256  # requests; one more is refused
SOONEST = 0.02  # least seconds until the timer ends
LAST_WORD = 5.0  # seconds that the last write may take when a room closes
BUSY = Refusal("busy", "The match is busy. Try again in a moment.")
STOPPING = Refusal("stopping", "The match is being unloaded. Reconnect.")
BROKEN = Refusal("failed", "The match was stopped by an internal error. Its log is kept.")
T = TypeVar("T")
Then = Callable[[Any], object]
Offer = Callable[..., Any]  # of LiveMatch: gives a Pending, or a final answer


class RoomPhase(Enum):
    """What a room does with a request."""

    OPEN = "offers it at once"
    WRITING = "queues it until the pending change is written"
    UNSURE = "queues it and reads the archive, which may have a change that is not in memory"
    READING = "queues it until the archive is read"
    CLOSING = "refuses it"


OPEN, WRITING, UNSURE, READING, CLOSING = RoomPhase


class Room:
    """The driver of a live match. `uptime` and `wall` give milliseconds: of service, and since 1970."""

    def __init__(
        self,
        live: LiveMatch,
        journal: Journal,
        workers: BotWorkers,
        wall: Callable[[], float],
        uptime: Callable[[], float],
    ) -> None:
        self.live, self.id, self.game = live, live.id, live.game
        self.seats, self.timing, self.backend = live.seats, live.timing, live.backend
        self.wall = wall
        self.now = wall if live.timing.kind == "deadline" else uptime
        self.observers: list[Callable[[Entry], None]] = []  # called for each saved entry
        self.on_change: list[Callable[[], None]] = []  # called when a seat is taken or the match is stopped
        self.touched = wall()
        self._journal = journal
        self._phase = OPEN
        self._queue: deque[tuple[Then, Offer, tuple[Any, ...]]] = deque()
        self._doubtful: Pending | None = None  # a change that may or may not be saved
        self._reading: asyncio.Task[None] | None = None
        self._last_word: asyncio.Future[None] | None = None  # done when the last write of a closing room is
        self._timer: asyncio.TimerHandle | None = None
        self._looks_at = 0.0  # when the timer ends, by the clocks of the match
        self._bots = BotPlayers(self, workers)

    # --- looking: only what is saved ---

    @property
    def match(self) -> Match:
        """The match, to look at. Use `act` to play."""
        return self.live.match

    @property
    def entries(self) -> list[Entry]:
        """All entries."""
        return self.live.history.entries

    @property
    def played(self) -> list[Any]:
        """Actions and undos, as bots receive them."""
        return self.live.history.played

    @property
    def row(self) -> Row:
        """The match as the archive has it."""
        return self.live.row

    @property
    def status(self) -> str:
        """Whether the match is open, running, over or failed."""
        return self.live.status

    @property
    def failure(self) -> str | None:
        """Why the match was stopped, if it was."""
        return self.live.failure

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return self.live.over

    @property
    def clock(self) -> Clock:
        """The clocks."""
        return self.live.clock

    @property
    def paused(self) -> bool:
        """Whether the clocks are stopped."""
        return self.live.paused

    def reading(self) -> Reading:
        """What the clocks say now."""
        return self.clock.written(self.now(), self.paused)

    def remaining(self, seat: int) -> float | None:
        """The milliseconds that a seat has left now; None if the match has no time limit."""
        return self.clock.remaining(seat, self.now())

    def left_when_stopped(self, seat: int) -> float:
        """The milliseconds that a seat had left when its clock last stopped."""
        return self.clock.left[seat]

    def thinks(self, seat: int) -> bool:
        """Whether the clock of a seat runs."""
        return seat in self.clock.since

    @property
    def changed_at(self) -> int:
        """When something last happened that every seat may know of."""
        return self.live.history.changed_at

    def outcome(self) -> Outcome | None:
        """How the match ended, if it has."""
        return self.live.outcome()

    def visible(self, entry: Entry, seat: int | None) -> bool:
        """Whether a seat, or a spectator, may know of an entry."""
        return self.live.history.visible(entry, seat)

    def waits_for(self, seat: int) -> bool:
        """Whether a seat can act now."""
        return self._phase is not CLOSING and self.live.waits_for(seat)

    def refusal(self, seat: int, said: object) -> Refusal | Malformed | None:
        """Why an action would be refused, if that is certain without offering it."""
        free = self._phase is OPEN and not self._queue
        return self.live.refusal(self.now(), seat, said) if free else None

    @property
    def idle(self) -> bool:
        """Whether the room has no observers, requests, pending change or thinking bots."""
        return not (self.observers or self._bots or self._queue) and self._phase is OPEN

    def look(self, what: Callable[[], T]) -> T | Refusal:
        """Look at the match, or start to observe it. This works while the archive is down too."""
        return STOPPING if self._phase is CLOSING else what()

    def subscribe(
        self, observer: Callable[[Entry], None], on_change: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        """Call `observer` for each saved entry, and `on_change` when a seat is taken or the match is stopped.

        Returns the function that ends both; it may be called twice.
        """
        self.observers.append(observer)
        if on_change is not None:
            self.on_change.append(on_change)

        subscribed = [
            (observer, on_change)
        ]  # emptied, so that no subscriber stays in memory through the function

        def unsubscribe() -> None:
            for each, told in subscribed:
                if each in self.observers:  # one that failed is no longer there
                    self.observers.remove(each)
                if told in self.on_change:
                    self.on_change.remove(told)
            subscribed.clear()

        return unsubscribe

    def touch(self) -> None:
        """Keep the room in memory for a while."""
        self.touched = self.wall()

    # --- requesting a change; the answer comes when it is saved ---

    async def act(self, seat: int, said: object, after: int | None = None) -> Answer:
        """Play an action. With `after`, it is late if the seat knows of a later entry, except chat."""
        return await self._asked(self.live.offer, seat, said, after)

    async def act_at(self, moment: tuple[int, int], seat: int, said: object) -> Answer:
        """Play an action that was chosen at a moment of the live match."""
        return await self._asked(self.live.offer_at, moment, seat, said)

    async def undo(self, seat: int) -> Answer:
        """Take the seat's last action back."""
        return await self._asked(self.live.offer_undo, seat)

    async def leave(self, seat: int, why: str) -> Answer:
        """The seat leaves: "resigned", "disconnected" or "timed out"."""
        return await self._asked(self.live.offer_leave, seat, why)

    async def chat(self, seat: int | None, name: str, text: str) -> Answer:
        """Send a chat message to everyone."""
        return await self._asked(self.live.offer_chat, seat, name, text)

    async def pause(self, seat: int, on: bool) -> Answer:
        """Stop the clocks, or let them run."""
        return await self._asked(self.live.offer_pause, seat, on)

    async def stop(self, reason: str) -> Answer:
        """Stop the match for good. Its log is kept."""
        return await self._asked(self.live.offer_stop, reason)

    async def take(self, seat: int | None, name: str, account: str | None = None, token: str = "") -> Taken:
        """Take an open seat. An account that has a seat, or a token that opens one, gets that again."""
        token = token or secrets.token_urlsafe(24)
        return cast(Taken, await self._asked(self.live.offer_seat, seat, name, account, token))

    async def mind_clocks(self) -> None:
        """Let the clock play for a seat that is out of time, if there is one."""
        await self._asked(self.live.offer_time)

    def _asked(self, offer: Offer, *said: Any) -> "asyncio.Future[Answer]":
        reply: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def then(answer: Any) -> None:
            if not reply.done():
                reply.set_result(answer)

        if (answer := self.ask(then, offer, *said)) is not None:
            reply.set_result(answer)
        return reply

    def play(self, then: Then, seat: int, said: object) -> Any:
        """Play an action, as in `act`, with a callback as in `ask`."""
        return self.ask(then, self.live.offer, seat, said)

    def ask(self, then: Then, offer: Offer, *said: Any) -> Any:
        """Offer a change, now or after the queued ones. Returns a final answer, or calls `then` with it later.

        This awaits nothing, so a change that nothing else delays costs no switch between tasks.
        """
        if self._phase is OPEN and not self._queue:
            return self._offer(then, offer, said)
        if self._phase is CLOSING:
            return STOPPING
        return self._enqueue(then, offer, said) if len(self._queue) < LONGEST_QUEUE else BUSY

    # --- the path of every change ---

    def _enqueue(self, then: Then, offer: Offer, said: tuple[Any, ...]) -> None:
        self._queue.append((then, offer, said))
        if self._phase is UNSURE:
            self._read_back()

    def _offer(self, then: Then, offer: Offer, said: tuple[Any, ...]) -> Any:
        """A final answer, or None if the change is being written."""
        self.touched = wall = self.wall()
        try:
            offered = offer(Instant(self.now(), int(wall)), *said)
        except Exception as fault:
            self._stop_for(fault, then)
            return None
        if type(offered) is not Pending:
            return offered
        self._save(offered, then)
        return None

    def _save(self, pending: Pending, then: Then) -> None:
        if self._phase is not CLOSING:
            self._phase = WRITING
        if not pending.ends:
            self._journal.post(rows_of(self.id, pending), partial(self._written, pending, then), self.id)
            return
        # A thread compresses the gamelog. The match cannot change meanwhile.
        packing = asyncio.get_running_loop().run_in_executor(
            None, rows_at_end, self.id, pending, self.live.history.match
        )
        packing.add_done_callback(partial(self._packed, pending, then))

    def _packed(self, pending: Pending, then: Then, packing: "asyncio.Future[list[Write]]") -> None:
        if packing.cancelled():
            return  # the loop is closing
        if fault := packing.exception():
            self._written(pending, then, fault)
        else:
            self._journal.post(packing.result(), partial(self._written, pending, then))

    def _written(self, pending: Pending, then: Then, error: BaseException | None) -> None:
        """Settle a change after its write has succeeded or failed."""
        try:
            answer = self._settled(pending, error)
        except Exception as fault:
            self._stop_for(fault, then)
            return
        self._finish(then, answer)

    def _finish(self, then: Then, answer: Any) -> None:
        """Answer the request, and continue with the next one."""
        if self._phase is WRITING:
            self._phase = OPEN
        self.go_on()
        self._answer(then, answer)
        self._next()
        if self._last_word is not None and not self._last_word.done():
            self._last_word.set_result(None)

    def _settled(self, pending: Pending, error: BaseException | None) -> Any:
        """Commit or abort a change, tell everyone else, and return the answer for the requester."""
        if pending.failure is not None:
            return self._stopped(pending, error)
        if isinstance(error, ArchiveDown | Conflict):
            return self._unsaved(pending, error)
        if error is not None:
            raise error
        self.live.commit(pending, self.now())
        if pending.ends:
            self._rest()
            self._bots.forget()
        if pending.entry is not None:
            self._tell(pending.entry)
        elif pending.changes:
            self._tell_change()
        return pending.answer

    def _stopped(self, pending: Pending, error: BaseException | None) -> Any:
        """Stop the match even if that could not be saved. In that case it is running again after a restart."""
        self.live.commit(pending, self.now())
        self._rest()
        if error is None:
            self.live.row["status"] = "failed"
        else:
            LOG.error("stop of a match could not be saved", match=self.id, reason=str(error))
        self._tell_change()
        if error is None or isinstance(pending.answer, Refusal):
            return pending.answer
        return Refusal("archive", "The match is stopped until the server restarts: the archive is down.")

    def _next(self) -> None:
        """Offer the queued requests."""
        if not self._queue:
            return
        while self._queue and self._phase is OPEN:
            then, offer, said = self._queue.popleft()
            answer = self._offer(then, offer, said)
            if answer is not None:
                self._answer(then, answer)
        if self._queue and self._phase is UNSURE:
            self._read_back()

    def _answer(self, then: Then, answer: Any) -> None:
        try:
            then(answer)
        except Exception:
            LOG.exception("callback failed", match=self.id)

    def _tell(self, entry: Entry) -> None:
        """Call the observers. An observer that fails is removed, without any effect on others."""
        for observer in self.observers[:]:
            try:
                observer(entry)
            except Exception:
                LOG.exception("observer failed", match=self.id)
                self.observers.remove(observer)

    def _tell_change(self) -> None:
        for told in list(self.on_change):
            try:
                told()
            except Exception:
                LOG.exception("observer failed", match=self.id)

    # --- internal errors ---

    def _stop_for(self, fault: Exception, then: Then) -> None:
        """Stop this match, and no other, because of an error in the server's or a game's code."""
        LOG.error("match stopped", match=self.id, exc_info=fault)
        reason = f"The match was stopped by an internal error ({type(fault).__name__}). Its log is kept."
        try:
            if self.live.pending is not None:
                self.live.abort(self.live.pending)
            stopped = self.live.offer_stop(Instant(self.now(), int(self.wall())), reason)
            if isinstance(stopped, Pending):
                stopped.answer = Refusal("failed", reason)
                self._save(stopped, then)
                return
        except Exception:
            LOG.exception("match could not be stopped", match=self.id)
        if self._phase is not CLOSING:
            self._phase = WRITING  # until the next round of the loop, because callers expect a later answer
        asyncio.get_running_loop().call_soon(self._finish, then, BROKEN)

    # --- an archive that is down ---

    def _unsaved(self, pending: Pending, error: ArchiveDown | Conflict) -> Refusal:
        """Return to the last saved state. The room reads the archive before it offers anything else."""
        self.live.abort(pending)
        self._doubtful = pending
        self._wait_for_archive()
        if isinstance(error, Conflict):
            LOG.error("the archive has an entry that is not in memory", match=self.id, reason=str(error))
            return Refusal("archive", "The match was reloaded. Check it and try again.")
        if error.unknown:
            return Refusal("archive", f"{error} This may have been saved. Check when the archive is back.")
        return Refusal("archive", f"{error} Nothing was saved. Try again when the archive is back.")

    def _wait_for_archive(self) -> None:
        if self._phase is not CLOSING:
            self._phase = UNSURE
            self._set_timer(None)  # the clocks stand still now
            self._set_timer(RETRY)

    def _read_back(self) -> None:
        self._phase = READING
        self._reading = asyncio.create_task(self._read_archive(), name=f"read match {self.id}")

    async def _read_archive(self) -> None:
        """Catch up with the archive, and tell observers of the entries that are new to them."""
        try:
            row, rows = await self._fetch()
            news = self.live.catch_up(row, rows)
        except (ArchiveDown, Conflict) as error:
            self._still_down(error)
            return
        except Exception as fault:
            self._stop_for(fault, lambda answer: None)
            return
        self._doubtful = None
        for entry in news:
            self._tell(entry)
        self._phase = OPEN
        self.go_on()
        self._next()

    async def _fetch(self) -> tuple[Row, Sequence[Row]]:
        """Read the match from the archive, after freeing a seat whose taking was not acknowledged."""
        doubtful, store = self._doubtful, self._journal.store
        if doubtful is not None and doubtful.seat is not None:
            number, row = doubtful.seat[0], self.row
            again = change_match(self.id, status=self.status, clock=row["clock"])
            await self._journal.write(seat_row(self.id, number, self.seats[number]), again)
        found = await asyncio.to_thread(store.match, self.id)
        return found or self.row, await asyncio.to_thread(store.entries, self.id)

    def _still_down(self, error: ArchiveDown | Conflict) -> None:
        self._wait_for_archive()
        refusal = Refusal("archive", f"{error} Nothing was saved. Try again when the archive is back.")
        queue, self._queue = self._queue, deque()
        for then, _, _ in queue:
            self._answer(then, refusal)

    # --- the timer ---

    def go_on(self, _: object = None) -> None:
        """Set the timer for the clocks, and let bots think."""
        if self._phase is not OPEN:
            return
        due = self.live.clock.due() if self.live.status == "running" else None
        if due is None or self._timer is None or due < self._looks_at:
            self._set_timer(None if due is None else (due - self.now()) / 1000)
        self._bots.go_on()

    def _set_timer(self, seconds: float | None) -> None:
        """Check the clocks after a delay. A timer that ends sooner stays, because it sets the next one."""
        loop = asyncio.get_running_loop()
        # Never at once: while the archive is down, the clocks stand still just before they run out.
        delay = None if seconds is None else min(max(seconds, SOONEST), 86400.0)
        if self._timer is not None and delay is not None and self._timer.when() <= loop.time() + delay:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if delay is None else loop.call_later(delay, self._look_at_clocks)
        self._looks_at = self.now() + (delay or 0.0) * 1000

    def _look_at_clocks(self) -> None:
        self._timer = None
        if self._phase is UNSURE:
            self._read_back()
        elif self._phase is not OPEN or self._queue:
            self._enqueue(self.go_on, self.live.offer_time, ())  # even if the queue is full
        elif self._offer(self.go_on, self.live.offer_time, ()) is not None:
            self.go_on()

    def _rest(self) -> None:
        """Cancel the timer and stop the bots."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._bots.rest()

    # --- life ---

    def start(self) -> None:
        """Run the clocks and let bots think, when the match begins or is loaded."""
        self.live.run_clocks(self.now())
        self.go_on()

    async def close(self) -> None:
        """Stop the timer and bots, refuse queued requests, and wait for the pending write."""
        self._phase = CLOSING
        self._rest()
        queue, self._queue = self._queue, deque()
        for then, _, _ in queue:
            self._answer(then, STOPPING)
        if self._reading is not None:
            self._reading.cancel()
        if self.live.pending is not None:
            self._last_word = asyncio.get_running_loop().create_future()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._last_word, LAST_WORD)

    def replay(self, row: Row) -> None:
        """Play an archived entry, in a room from `Lobby.reread`."""
        self.live.replay(row)

    def name_things(self, names: Names | None) -> None:
        """Set the names that refusals use."""
        self.live.name_things(names)

    def change_backend(self, backend: str) -> None:
        """Continue with the rules of another backend."""
        self.live.change_backend(backend)
