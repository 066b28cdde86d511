"""A live match as a state machine: it takes offers of changes, to commit or abort. No asyncio, sockets or database.

    offered = live.offer(now, seat, {"do": "end_turn"})
    if isinstance(offered, Pending):        # else a Refusal or Malformed: nothing has changed
        ...                                 # save it
        live.commit(offered, clock)         # it is saved: everyone sees it now
        live.abort(offered)                 # or it could not be saved: nothing has changed

At most one change is pending. Until it is committed, `match`, `clock` and everything else show the match without it.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game, Outcome
from endturn.engine.match import Match, Snapshot
from endturn.engine.words import Names
from endturn.server.clock import Clock, Reading, Timing
from endturn.server.history import Entry, History, seated
from endturn.server.seat import LONGEST_NAME, Seat, cleaned, hashed, seat_with

Answer = Accepted | Refusal | Malformed
Taken = tuple[int, str] | Refusal  # a seat's number and token
PAUSES = {"pause": True, "resume": False}
LATE = Refusal("late", "The match has changed since then.")
OUT_OF_TIME = Refusal("time", "You are out of time.")
IN_TIME = Refusal("time", "Nobody is out of time.")
OVER = Refusal("over", "The match is over.")


class Instant(msgspec.Struct, frozen=True, gc=False):
    """The time of an offer, in milliseconds."""

    clock: float  # in the time of the match's clocks
    at: int  # since 1970


class Pending(msgspec.Struct, kw_only=True):
    """An accepted change that is not saved yet: what to save, and what changes after that."""

    answer: Any  # for the requester, when the change is saved
    at: int  # milliseconds since 1970
    status: str  # of the match afterwards
    entry: Entry | None = None
    checksum: str | None = None  # of the state, if a turn begins
    reading: str | None = None  # the clocks as JSON; None if they show no change to others
    clock: Clock | None = None  # the clocks afterwards; None if they do not change
    since: float = 0.0  # when these clocks were set
    paused: bool = False
    seat: tuple[int, Seat] | None = None  # a seat's number, and the seat afterwards
    changes: dict[str, Any] = {}  # of the archived row of the match
    failure: str | None = None  # why the match is stopped
    lapsed: int | None = None  # the seat that was out of time
    ends: bool = False  # whether the match ends


class LiveMatch:
    """A match in memory: its history, clocks and seats, and at most one pending change."""

    def __init__(self, row: dict[str, Any], game: Game, seats: list[Seat], backend: str = "plain") -> None:
        self.id: str = row["id"]
        self.game, self.seats, self.row, self.backend = seated(row, game), seats, row, backend
        self.timing = msgspec.json.decode(row["timing"], type=Timing)
        self.status: str = row["status"]
        self.failure = failure_in(row)
        self.history = History(row, self.game, self._players(), backend)
        self.clock, self.paused = Clock.new(self.timing, self.game.seat_count), False
        self.lapses = [0] * self.game.seat_count  # how often the clock has played for each seat
        self.pending: Pending | None = None
        self._before: Snapshot | None = None  # taken if the pending change affects the state
        self._shown: Match | None = None  # a Match made from it when a client first looks

    def _players(self) -> list[str]:
        return [seat.name or name for seat, name in zip(self.seats, self.game.seats, strict=True)]

    # --- looking ---

    @property
    def match(self) -> Match:
        """The match without the pending change, to look at. Use `offer` to play."""
        if self._before is None:
            return self.history.match
        if self._shown is None:
            self._shown = self.history.match.as_of(self._before)
        return self._shown

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return self.status in ("over", "failed")

    def outcome(self) -> Outcome | None:
        """How the match ended, if it has."""
        return self.match.outcome

    def waits_for(self, seat: int) -> bool:
        """Whether a seat can act now."""
        return self.status == "running" and not self.paused and seat in self.history.to_act

    def moment(self, seat: int) -> tuple[int, int]:
        """A value that changes when a seat's chosen action is out of date: the turn, and its number of timeouts."""
        return self.history.turn, self.lapses[seat]

    def refusal(self, now: float, seat: int, said: object) -> Refusal | Malformed | None:
        """Why an action would be refused, if that is certain without offering it."""
        if self.pending is not None or self.paused or self.status != "running" or self.clock.is_over(now):
            return None
        return self.history.match.refuse(seat, said)

    def name_things(self, names: Names | None) -> None:
        """Set the names that refusals use."""
        self.history.match.names = names

    def change_backend(self, backend: str) -> None:
        """Continue from the same state with the rules of another backend."""
        assert self.pending is None
        self.history.match.change_backend(backend)

    # --- offering a change: a Pending, or a final answer ---

    def offer(
        self, now: Instant, seat: int, said: object, after: int | None = None
    ) -> Pending | Refusal | Malformed:
        """Offer an action. With `after`, it is late if the seat knows of a later entry, except chat."""
        if after is not None and self.history.has_news(seat, after):
            return LATE
        if (self.paused or self.status != "running") and (refusal := self._closed()):
            return refusal
        if self.clock.is_over(now.clock) and seat in self.clock.over(now.clock):
            return self._offer_lapse(now, OUT_OF_TIME)
        return self._offer_action(now, seat, said)

    def offer_at(
        self, now: Instant, moment: tuple[int, int], seat: int, said: object
    ) -> Pending | Refusal | Malformed:
        """Offer an action that was chosen at a `moment`. It is late if that has passed."""
        return self.offer(now, seat, said) if moment == self.moment(seat) else LATE

    def offer_undo(self, now: Instant, seat: int) -> Pending | Refusal | Malformed:
        """Take the seat's last action back."""
        if refusal := self._closed():
            return refusal
        self._require_free()
        before = self.history.match.snapshot()
        answer = self.history.match.undo(seat)
        return self._played(now, "undo", seat, before) if isinstance(answer, Accepted) else answer

    def offer_leave(self, now: Instant, seat: int, why: str) -> Pending | Refusal | Malformed:
        """The seat leaves: "resigned", "disconnected" or "timed out"."""
        if self.over:
            return OVER
        if self.status == "open":
            return Refusal("open", "The match has not begun yet.")
        return self._offer_action(now, seat, self.game.rules.leave_action(why))

    def offer_chat(self, now: Instant, seat: int | None, name: str, text: str) -> Pending:
        """Send a chat message, also before and after the match."""
        return self._pend(now, "chat", seat, {"name": cleaned(name), "text": cleaned(text)})

    def offer_pause(self, now: Instant, seat: int, on: bool) -> Pending | Refusal:
        """Stop the clocks, or let them run."""
        if self.over or self.status == "open":
            return Refusal("pause", "Only a running match can be paused.")
        if on == self.paused:
            return Refusal("pause", "The match is already paused." if on else "The match is not paused.")
        return self._pend(now, "pause" if on else "resume", seat, None)

    def offer_time(self, now: Instant) -> Pending | Refusal:
        """The first seat that is out of time forfeits, or plays the default action."""
        running = self.status == "running" and self.clock.is_over(now.clock)
        return self._offer_lapse(now, None) if running else IN_TIME

    def offer_stop(self, now: Instant, reason: str) -> Pending | Refusal:
        """Stop the match for good."""
        if self.over:
            return OVER
        clock = self.clock.copy()
        clock.halt(now.clock)
        return self._hold(
            Pending(
                answer=Accepted(self.history.turn),
                at=now.at,
                status="failed",
                clock=clock,
                paused=self.paused,
                failure=reason,
                ends=True,
            )
        )

    def offer_seat(
        self, now: Instant, wanted: int | None, name: str, account: str | None, token: str
    ) -> Pending | Taken:
        """Take an open seat. An account that has a seat, or a token that opens one, gets that again."""
        if (number := seat_with(self.seats, token)) is not None:
            return number, token  # a repeated request, because the first answer was lost
        own = [number for number, seat in enumerate(self.seats) if account and seat.account == account]
        if own and wanted in (None, *own):
            return self._offer_new_token(now, own[0] if wanted is None else wanted, token)
        free = [number for number, seat in enumerate(self.seats) if seat.kind == "link" and not seat.taken]
        if self.status != "open" or not free or (wanted is not None and wanted not in free):
            return Refusal("seat", "That seat is taken." if self.status == "open" else "All seats are taken.")
        number = free[0] if wanted is None else wanted
        chosen = cleaned(name).strip()[:LONGEST_NAME] or f"player {number + 1}"
        changes: dict[str, Any] = {"status": "open", "changed_at": now.at}
        if free == [number]:
            changes |= {"status": "running", "clock": self.first_clock(now.clock)}
        seat = Seat("link", chosen, token=hashed(token), account=account)
        return self._hold(
            Pending(
                answer=(number, token),
                at=now.at,
                status=changes["status"],
                seat=(number, seat),
                changes=changes,
            )
        )

    def _offer_new_token(self, now: Instant, number: int, token: str) -> Pending:
        """Give a player who lost the token a new one. The old token stops working."""
        seat = msgspec.structs.replace(self.seats[number], token=hashed(token))
        return self._hold(
            Pending(
                answer=(number, token), at=now.at, status=self.status, paused=self.paused, seat=(number, seat)
            )
        )

    # --- inside an offer ---

    def _closed(self) -> Refusal | None:
        if self.status == "failed":
            return Refusal("failed", self.failure or "This match was stopped.")
        if self.status == "open":
            return Refusal("open", "The match has not begun yet. It waits for players.")
        if self.paused:
            return Refusal("paused", "The match is paused. Resume it first.")
        return None

    def _offer_lapse(self, now: Instant, answer: Refusal | None) -> Pending:
        """Play for the first seat that is out of time."""
        seat = self.clock.over(now.clock)[0]
        forfeits = [self.game.rules.forfeit("timed out")] if self.game.rules.forfeit else []
        default = [] if self.timing.over == "forfeit" and forfeits else [self.game.rules.default_action]
        for said in [*default, *forfeits]:
            offered = self._offer_action(now, seat, said)
            if isinstance(offered, Pending):
                offered.lapsed, offered.answer = seat, answer or offered.answer
                return offered
        raise RuntimeError(f"seat {seat} can neither play the default action nor forfeit")

    def _offer_action(self, now: Instant, seat: int, said: object) -> Pending | Refusal | Malformed:
        self._require_free()
        answer, before = self.history.match.submit_for_now(seat, said)
        if before is None:
            assert not isinstance(answer, Accepted)
            return answer
        return self._played(now, "act", seat, before)

    def _played(self, now: Instant, kind: str, seat: int, before: Snapshot) -> Pending:
        """The change that the match has just played; `abort` goes back to `before`, and so does a fault."""
        try:
            body = msgspec.to_builtins(self.history.last_action()) if kind == "act" else None
            made = self._pend(now, kind, seat, body)
        except Exception:
            self.pending = None
            self.history.match.restore(before)
            raise
        self._before = before
        return made

    def _pend(self, now: Instant, kind: str, seat: int | None, body: Any) -> Pending:
        """A pending entry. A hidden action stops no clock that others can see, unless it changes who is to act."""
        match, paused = self.history.match, PAUSES.get(kind, self.paused)
        running, acting, turn = self.status == "running", match.to_act(), match.turn
        hidden = kind == "act" and self.game.actions.is_hidden(body["do"])
        unseen = hidden and self.clock.goes_on(seat, acting, now.clock, turn)
        clock = self.clock if unseen else self.clock.copy()
        if running and not unseen and kind != "chat":
            clock.step(seat if kind == "act" else None, None if paused else acting, now.clock, turn)
        ends = running and not acting
        return self._hold(
            Pending(
                answer=Accepted(turn),
                at=now.at,
                status="over" if ends else self.status,
                entry=Entry(len(self.history.entries) + 1, now.at, kind, seat, body, turn),
                checksum=self.history.checksum(kind),
                reading=None
                if unseen or self.status == "open"
                else encoded(clock.written(now.clock, paused)),
                clock=None if unseen else clock,
                since=now.clock,
                paused=paused,
                ends=ends,
            )
        )

    def _require_free(self) -> None:
        """A second change would be played on a state that may not last."""
        if self.pending is not None:
            raise RuntimeError("a change is pending: commit or abort it first")

    def _hold(self, pending: Pending) -> Pending:
        self._require_free()
        self.pending = pending
        return pending

    # --- settling a change ---

    def commit(self, pending: Pending, clock: float) -> None:
        """Show a saved change to everyone. Clocks that it starts begin to run at `clock`, after the write."""
        before = self._release(pending)
        try:
            self._apply(pending, clock)
        except Exception:
            if before is not None:
                self.history.match.restore(before)
            raise

    def abort(self, pending: Pending) -> None:
        """Drop a change that is not saved, or that may not be. The match is as before."""
        before = self._release(pending)
        if before is not None:
            self.history.match.restore(before)

    def _release(self, pending: Pending) -> Snapshot | None:
        assert self.pending is pending
        before, self._before, self._shown, self.pending = self._before, None, None, None
        return before

    def _apply(self, pending: Pending, clock: float) -> None:
        if pending.entry is not None:
            self.history.append(pending.entry)
        if pending.clock is not None:
            pending.clock.wait(pending.since, clock)
            self.clock = pending.clock
        self.status, self.paused = pending.status, pending.paused
        self.failure = pending.failure or self.failure
        if pending.lapsed is not None:
            self.lapses[pending.lapsed] += 1
        if pending.seat is not None:
            self._take_seat(*pending.seat, pending.changes)

    def _take_seat(self, number: int, seat: Seat, changes: dict[str, Any]) -> None:
        self.seats[number] = seat
        self.row = self.row | changes
        if "clock" in changes:
            self.begin()

    # --- beginning and loading ---

    def begin(self) -> None:
        """Begin the match, with the players' names and the clocks in `row`."""
        self.history.name_players(self._players())
        if self.row["clock"] is not None:
            self._read_clock(self.row["clock"])

    def first_clock(self, now: float) -> str:
        """The clocks of a match that begins now, as JSON."""
        clock = Clock.new(self.timing, self.game.seat_count)
        clock.go(self.history.to_act, now, self.history.turn)
        return encoded(clock.written(now))

    def run_clocks(self, now: float) -> None:
        """Run the clocks of the seats that are to act."""
        if self.status == "running" and not self.paused:
            self.clock.go(self.history.to_act, now, self.history.turn)

    def replay(self, row: dict[str, Any]) -> None:
        """Play an archived entry and restore its clocks."""
        self.history.replay(row)
        if row["clock"]:
            self._read_clock(row["clock"])
        if self.status == "running" and not self.history.to_act:
            self.status = "over"

    def _read_clock(self, said: str) -> None:
        reading = msgspec.json.decode(said, type=Reading)
        self.clock, self.paused = Clock.read(self.timing, reading), reading.paused

    def replay_all(self, rows: Sequence[dict[str, Any]]) -> None:
        """Replay the whole match from the archive."""
        self.history.begin()
        self.clock, self.paused = Clock.new(self.timing, self.game.seat_count), False
        if self.row["clock"] is not None:
            self._read_clock(self.row["clock"])
        for row in rows:
            self.replay(row)

    def catch_up(self, row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> Sequence[Entry]:
        """Load the match again after a write with an unknown result, and return the entries that are new."""
        assert self.pending is None
        known = len(self.history.entries)
        self.row = row
        if not self.over:  # a stopped match stays stopped, even if that could not be saved
            self.status = row["status"]
            self.failure = failure_in(row)
        if self.history.is_in(rows):
            for each in rows[known:]:
                self.replay(each)
        else:
            self.replay_all(rows)
        news = self.history.entries[known:]
        for entry in news:
            if entry.kind == "act" and entry.seat is not None:
                self.lapses[entry.seat] += 1  # the clock may have played
        return news

    def break_off(self, status: str, reason: str) -> None:
        """End the match, because its archived entries cannot be replayed."""
        self.status, self.failure = status, reason


def is_passing(answer: object) -> bool:
    """Whether the same request may be accepted in a moment."""
    return isinstance(answer, Refusal) and answer.rule in ("archive", "busy")


def encoded(value: Any) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()


def failure_in(row: dict[str, Any]) -> str | None:
    """Why the match of an archived row was stopped, if it was."""
    said = msgspec.json.decode(row["outcome"]) if row["status"] == "failed" and row["outcome"] else {}
    return said.get("failed")
