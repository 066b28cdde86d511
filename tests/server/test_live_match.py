"""The state machine of a live match against a model that is obviously right.

The model knows nothing of snapshots and pending changes. It replays its list of committed entries in a plain Match for
every question, and it counts clocks down. Whatever is offered, committed, aborted, looked at or lost in a crash, the
live match must show what the model has.
"""

from contextlib import contextmanager
from dataclasses import replace

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import treasure_game as treasure
from arena import row
from endturn.engine.actions import Actions
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.match import Match, TurnBegan
from endturn.engine.rule import rule as game_rule
from endturn.server.clock import Timing
from endturn.server.live_match import Instant, LiveMatch, Pending, encoded
from endturn.server.match_rows import rows_of
from endturn.server.seat import Seat, hashed

SECONDS, INCREMENT = 3, 0.5
HIDDEN_MARK = treasure.game.actions[treasure.Mark]._replace(hidden=True)
SECRETIVE = replace(treasure.game, actions=Actions({**treasure.game.actions, treasure.Mark: HIDDEN_MARK}))
FAULT = 66


class Broken(Exception):
    """What a broken rule raises."""


@game_rule
def broken_mark(shore, seat, number):
    shore.mark = number
    if number == FAULT:
        raise Broken


def broken(game):
    """The game, with an action whose rule raises after it has changed the state."""
    mark = game.actions[treasure.Mark]._replace(apply=broken_mark)
    return replace(game, actions=Actions({**game.actions, treasure.Mark: mark}))


GAMES = {(secretive, False): game for secretive, game in [(False, treasure.game), (True, SECRETIVE)]}
GAMES |= {(secretive, True): broken(game) for (secretive, _), game in GAMES.items()}
SAID = st.sampled_from(
    [
        {"do": "mark", "number": 1},
        {"do": "mark", "number": 2},
        {"do": "mark", "number": 100},  # refused
        {"do": "bet"},
        {"do": "dig"},
        {"do": "swim", "direction": 0, "steps": 1},  # refused at the end of the shore
        {"do": "end_turn"},
        {"do": "fly"},  # malformed
    ]
)
SEATS = st.integers(0, 1)


class ModelClock:
    """What each seat has left, counted down while it thinks; below zero when it has run out."""

    def __init__(self, timing):
        self.timing, self.left, self.thinking = timing, [1000.0 * timing.seconds] * 2, set()
        self.turns = [None, None]  # the turn in which each seat thought last

    def tick(self, ms):
        for seat in self.thinking:
            self.left[seat] -= ms

    def stop(self, seat, refill):
        if seat in self.thinking:
            self.left[seat] = max(0, self.left[seat])
            self.thinking.discard(seat)
        if refill and self.timing.kind == "move":
            self.left[seat] = 1000.0 * self.timing.seconds

    def halt(self):
        for seat in (0, 1):
            self.stop(seat, refill=False)

    def set(self, acted, to_act, turn):
        """After an entry: who thinks from now on. Gives the seats that begin now."""
        before = set(self.thinking)
        for seat in before:
            if seat == acted or seat not in to_act:
                self.stop(seat, refill=True)
        first = self.turns == [None, None]
        for seat in to_act:
            if self.turns[seat] != turn:
                self.stop(seat, refill=False)
                self.begin_turn(seat, first)
                self.turns[seat] = turn
        began = set(to_act) - self.thinking
        self.thinking |= began
        return began

    def begin_turn(self, seat, first):
        if self.timing.kind == "bank":
            self.left[seat] += 0 if first else 1000.0 * self.timing.increment
        else:
            self.left[seat] = 1000.0 * self.timing.seconds

    def out(self):
        """The seats that have run out, the first first."""
        return sorted((s for s in self.thinking if self.left[s] <= 0), key=lambda s: (self.left[s], s))

    def copy(self):
        made = ModelClock(self.timing)
        made.left, made.thinking, made.turns = self.left[:], set(self.thinking), self.turns[:]
        return made

    def archived(self):
        """The archive keeps no times below zero, so it forgets who ran out first."""
        made = self.copy()
        made.left = [max(0, left) for left in self.left]
        return made


class Model:
    """Committed entries and what follows from them."""

    def __init__(self, game, chosen, timing, status):
        self.game, self.chosen, self.status = game, chosen, status
        self.entries, self.paused, self.names = [], False, ["", ""]
        self.clock = ModelClock(timing)
        self.saved = self.clock.archived(), 0.0  # as the archive has the clocks, and when that was so
        self.lapses = [0, 0]
        self.failure, self.changed_at = None, 0

    def replayed(self, *more):
        """A match after all entries and some more, and the last answer."""
        match, answer = Match(self.game, self.chosen, seed=7), None
        for kind, seat, body in [*self.entries, *more]:
            if kind == "act":
                answer = match.submit(seat, body)
            elif kind == "undo":
                answer = match.undo(seat)
        return match, answer

    def hidden(self, entry):
        return entry[0] == "act" and self.game.actions.is_hidden(entry[2]["do"])

    def visible(self, number, seat):
        kind, by, _ = entry = self.entries[number - 1]
        last = max((i for i, each in enumerate(self.entries, 1) if each[0] == "act"), default=0)
        ends = number == last and not self.replayed()[0].to_act()
        return by == seat or kind != "act" or not self.hidden(entry) or ends


class LiveMatches(RuleBasedStateMachine):
    """A live match and the model, through the same events."""

    @initialize(
        kind=st.sampled_from(["none", "bank", "move", "turn", "deadline"]),
        over=st.sampled_from(["forfeit", "default"]),
        together=st.booleans(),
        secretive=st.booleans(),
        is_open=st.sampled_from([False, False, False, True]),
        backend=st.sampled_from(["plain", "broken", "compiled"]),
    )
    def begin(self, kind, over, together, secretive, is_open, backend):
        self.is_broken = backend == "broken"  # compiled rules cannot raise
        self.game = GAMES[secretive, self.is_broken]
        self.backend = "plain" if self.is_broken else backend
        timing = Timing(kind, SECONDS, INCREMENT if kind == "bank" else 0.0, over)
        chosen = self.game.configure(values={"max_turns": 9, "together": together})
        self.now, self.expected, self.passed = 1000.0, None, 0.0
        self.clocks_stay = False  # a match that is loaded after it failed has clocks that nobody looks at
        self.model = Model(self.game, chosen, timing, "open" if is_open else "running")
        self.row = row(
            "m",
            game="treasure",
            settings=encoded({"max_turns": 9, "together": together}),
            seed="7",
            timing=encoded(timing),
            status=self.model.status,
            start=None,
            outcome=None,
            clock=None,
        )
        self.seats = [Seat("link", ""), Seat("link", "")]
        if not is_open:
            self.seats = [
                Seat("person", "Ann", None, hashed("Ann"), "ann"),
                Seat("person", "Bob", None, hashed("Bob")),
            ]
            self.model.names = ["Ann", "Bob"]
            self.model.clock.set(None, self.model.replayed()[0].to_act(), 0)
            self.save_clock()
            self.row["clock"] = self.loaded().first_clock(self.now)
        self.rows = []
        self.live = self.loaded()
        self.live.begin()

    def loaded(self):
        return LiveMatch(dict(self.row), self.game, [replace_seat(seat) for seat in self.seats], self.backend)

    def save_clock(self):
        self.model.saved = self.model.clock.archived(), self.now

    def instant(self):
        """A moment of its own for each offer."""
        self.pass_time(1)
        return Instant(self.now, int(self.now))

    def pass_time(self, ms):
        self.now += ms
        self.model.clock.tick(ms)
        if self.expected is not None:
            self.passed += ms

    # --- what the model expects of an entry ---

    def expect(self, offered, kind, seat, body, lapsed=None):
        """The live match offers this entry, whose effect the model works out by replaying everything."""
        model = self.model
        match, answer = model.replayed((kind, seat, body))
        assert isinstance(offered, Pending), offered
        entry = offered.entry
        assert (entry.number, entry.kind, entry.seat) == (len(model.entries) + 1, kind, seat)
        assert entry.body == body and entry.turn == match.turn and entry.at == int(self.now)
        assert not isinstance(answer, Refusal | Malformed)
        began = match.log[-1] if kind == "act" and isinstance(match.log[-1], TurnBegan) else None
        assert offered.checksum == (began.state if began else None)
        clock = model.clock.copy()
        acted, new = seat if kind == "act" else None, set()
        unseen = model.hidden((kind, seat, body)) and self.goes_on(match, seat)
        if model.status == "running" and kind != "chat" and not unseen:
            paused = {"pause": True, "resume": False}.get(kind, model.paused)
            if paused:
                clock.stop(acted, refill=True) if acted is not None else None
                clock.halt()
            else:
                new = clock.set(acted, match.to_act(), match.turn)
        assert (offered.reading is None) == (unseen or model.status == "open")
        assert offered.status == (
            "over" if model.status == "running" and not match.to_act() else model.status
        )
        self.hold(offered, self.take_over, (kind, seat, body), None if unseen else clock, new, lapsed)

    def hold(self, offered, effect, *what):
        """This change is pending. If it is committed, the effect follows."""
        self.expected = offered, effect, what
        self.passed, self.offered_at = 0.0, self.now

    def goes_on(self, match, seat):
        """Whether a hidden action leaves all clocks as they are."""
        clock = self.model.clock
        same = clock.thinking == set(match.to_act()) and all(
            clock.turns[s] == match.turn for s in match.to_act()
        )
        return same and (clock.timing.kind == "none" or seat not in clock.out())

    def take_over(self, waited, entry, clock, new, lapsed):
        """The entry that was expected is committed; the clocks that it started did not run while it was written."""
        offered, model = self.expected[0], self.model
        model.entries.append(entry)
        if not model.hidden(entry):
            model.changed_at = int(self.offered_at)
        if entry[0] in ("pause", "resume"):
            model.paused = entry[0] == "pause"
        model.status = offered.status
        if lapsed is not None:
            model.lapses[lapsed] += 1
        if clock is not None:
            if offered.reading is not None:
                model.saved = clock.archived(), self.offered_at
            for seat in clock.thinking:
                if seat not in new or not waited:
                    clock.left[seat] -= self.passed
            model.clock = clock
        self.rows += [write.values for write in rows_of("m", offered)]

    # --- offers ---

    def closed(self):
        """The rule by which nothing can be played now."""
        model = self.model
        return model.status if model.status in ("failed", "open") else "paused" if model.paused else None

    def time_counts(self):
        return self.model.clock.timing.kind != "none" and self.model.status == "running"

    def expect_lapse(self, offered):
        model = self.model
        seat = model.clock.out()[0]
        default = model.clock.timing.over == "default"
        body = {"do": "end_turn"} if default else {"do": "leave", "why": 1}
        self.expect(offered, "act", seat, body, lapsed=seat)

    def expect_action(self, offered, seat, said):
        match, answer = self.model.replayed(("act", seat, said))
        if isinstance(answer, Accepted):
            body = msgspec.to_builtins(match.played()[-1].action)
            self.expect(offered, "act", seat, body)
        else:
            assert offered == answer

    @precondition(lambda self: self.expected is None)
    @rule(said=st.lists(SAID, min_size=1, max_size=4), waits=st.integers(0, 300))
    def play(self, said, waits):
        """Some actions of seats that are to act, each committed."""
        for each in said:
            seat = next(iter(self.model.replayed()[0].to_act()), 0)
            self.check_offered(self.live.offer(self.instant(), seat, each), seat, each)
            if self.expected is not None:
                self.shows_what_is_committed()
                self.commit_after(waits)

    @precondition(lambda self: self.expected is not None)
    @rule(seat=SEATS, said=SAID)
    def offer_while_a_change_is_pending(self, seat, said):
        """It raises, or it is refused anyway; either way nothing has changed."""
        live, now = self.live, self.instant()
        self.has_no_second(lambda: live.offer(now, seat, said))
        self.has_no_second(lambda: live.offer_at(now, live.moment(seat), seat, said))
        self.has_no_second(lambda: live.offer_undo(now, 0))
        self.has_no_second(lambda: live.offer_undo(now, 1))
        self.has_no_second(lambda: live.offer_pause(now, seat, not live.paused))
        self.has_no_second(lambda: live.offer_time(now))
        self.has_no_second(lambda: live.offer_leave(now, seat, "resigned"))
        self.has_no_second(lambda: live.offer_stop(now, "Enough."))
        with pytest.raises(RuntimeError, match="pending"):
            live.offer_chat(now, seat, "Ann", "well played")

    def has_no_second(self, offer):
        try:
            offered = offer()
        except RuntimeError as error:
            assert "pending" in str(error)
        else:
            assert isinstance(offered, Refusal | Malformed)
        assert self.live.pending is self.expected[0]
        self.shows_what_is_committed()

    @precondition(lambda self: self.expected is None and self.is_broken)
    @rule(seat=SEATS)
    def offer_what_breaks_a_rule(self, seat):
        now, said = self.instant(), {"do": "mark", "number": FAULT}
        out = self.time_counts() and seat in self.model.clock.out()
        if self.closed() or out or seat not in self.model.replayed()[0].to_act():
            self.check_offered(self.live.offer(now, seat, said), seat, said)
        else:
            with pytest.raises(Broken):
                self.live.offer(now, seat, said)

    @precondition(lambda self: self.expected is None and not self.closed())
    @rule()
    def break_an_offer(self):
        """Our own code fails after the action was played."""
        now = self.instant()
        if to_act := self.model.replayed()[0].to_act():
            with broken_method(self.live.history, "checksum"), pytest.raises(Broken):
                self.live.offer(now, to_act[0], {"do": "end_turn"})

    @precondition(lambda self: self.expected is None)
    @rule(seat=SEATS, said=SAID)
    def offer(self, seat, said):
        offered = self.live.offer(self.instant(), seat, said)
        self.check_offered(offered, seat, said)

    def check_offered(self, offered, seat, said):
        if rule_id := self.closed():
            assert offered.rule == rule_id
        elif self.time_counts() and seat in self.model.clock.out():
            self.expect_lapse(offered)
            assert offered.answer.rule == "time"
        else:
            self.expect_action(offered, seat, said)

    @precondition(lambda self: self.expected is None)
    @rule(seat=SEATS, said=SAID, after=st.integers(0, 4))
    def offer_after(self, seat, said, after):
        since = range(after + 1, len(self.model.entries) + 1)
        news = any(self.model.entries[n - 1][0] != "chat" and self.model.visible(n, seat) for n in since)
        offered = self.live.offer(self.instant(), seat, said, after)
        if news:
            assert offered.rule == "late"
        else:
            self.check_offered(offered, seat, said)

    @precondition(lambda self: self.expected is None)
    @rule(seat=SEATS, late=st.booleans(), said=SAID)
    def offer_at_a_moment(self, seat, late, said):
        turn, lapses = self.model.replayed()[0].turn, self.model.lapses[seat]
        assert self.live.moment(seat) == (turn, lapses)
        offered = self.live.offer_at(self.instant(), (turn, lapses - late), seat, said)
        if late:
            assert offered.rule == "late"
        else:
            self.check_offered(offered, seat, said)

    @precondition(lambda self: self.expected is None)
    @rule(seat=SEATS)
    def offer_undo(self, seat):
        offered = self.live.offer_undo(self.instant(), seat)
        _, answer = self.model.replayed(("undo", seat, None))
        if rule_id := self.closed():
            assert offered.rule == rule_id
        elif isinstance(answer, Accepted):
            self.expect(offered, "undo", seat, None)
        else:
            assert offered == answer

    @precondition(lambda self: self.expected is None and len(self.model.entries) > 8)
    @rule(seat=SEATS)
    def offer_leave(self, seat):
        offered = self.live.offer_leave(self.instant(), seat, "disconnected")
        if self.model.status == "running":
            self.expect(offered, "act", seat, {"do": "leave", "why": 2})
        else:
            assert offered.rule == ("open" if self.model.status == "open" else "over")

    @precondition(lambda self: self.expected is None)
    @rule(seat=st.sampled_from([0, 1, None]), text=st.sampled_from(["well\0 played", "\ud83d"]))
    def offer_chat(self, seat, text):
        offered = self.live.offer_chat(self.instant(), seat, "Ann", text)
        self.expect(offered, "chat", seat, {"name": "Ann", "text": {"w": "well played"}.get(text[0], "?")})

    @precondition(lambda self: self.expected is None)
    @rule(seat=SEATS, on=st.booleans())
    def offer_pause(self, seat, on):
        offered = self.live.offer_pause(self.instant(), seat, on)
        if self.model.status != "running" or on == self.model.paused:
            assert offered.rule == "pause"
        else:
            self.expect(offered, "pause" if on else "resume", seat, None)

    @precondition(lambda self: self.expected is None)
    @rule()
    def offer_time(self):
        offered = self.live.offer_time(self.instant())
        if self.time_counts() and self.model.clock.out():
            self.expect_lapse(offered)
        else:
            assert offered.rule == "time"

    @precondition(lambda self: self.expected is None)
    @rule(
        wanted=st.sampled_from([0, 1, None]),
        token=st.sampled_from(["a", "b", "c"]),
        account=st.sampled_from([None, "ann", "eve"]),
    )
    def take_seat(self, wanted, token, account):
        offered = self.live.offer_seat(self.instant(), wanted, " Eve\0 ", account, token)
        mine = [n for n, seat in enumerate(self.seats) if seat.token == hashed(token)]
        own = [n for n, seat in enumerate(self.seats) if account and seat.account == account]
        free = [n for n, seat in enumerate(self.seats) if seat.token is None]
        if mine:
            assert offered == (mine[0], token)
        elif own and wanted in (None, *own):
            number = own[0] if wanted is None else wanted
            self.expect_seat(offered, number, token, replace_seat(self.seats[number], token=hashed(token)))
        elif not free or (wanted is not None and wanted not in free):
            assert offered.rule == "seat"
        else:
            number = free[0] if wanted is None else wanted
            seat = Seat("link", "Eve", token=hashed(token), account=account)
            self.expect_seat(offered, number, token, seat, begins=len(free) == 1)

    def expect_seat(self, offered, number, token, seat, begins=False):
        assert offered.answer == (number, token) and offered.entry is None
        assert offered.seat == (number, seat)
        assert offered.status == ("running" if begins else self.model.status)
        self.hold(offered, self.seat_taken, number, seat, begins)

    @precondition(lambda self: self.expected is None and len(self.model.entries) > 2)
    @rule()
    def offer_stop(self):
        offered = self.live.offer_stop(self.instant(), "Enough.")
        if self.model.status in ("over", "failed"):
            assert offered.rule == "over"
        else:
            assert (offered.status, offered.failure, offered.entry) == ("failed", "Enough.", None)
            clock = self.model.clock.copy()
            clock.halt()
            assert not offered.clock.since
            self.hold(offered, self.stopped, clock)

    # --- what becomes of an offer ---

    @precondition(lambda self: self.expected is not None)
    @rule(waits=st.integers(0, 300))
    def commit(self, waits):
        self.commit_after(waits)

    def commit_after(self, waits):
        self.pass_time(waits)
        self.live.commit(self.expected[0], self.now)
        self.happens(waited=self.model.clock.timing.kind != "deadline")

    def happens(self, waited):
        """The pending change is committed."""
        _, effect, what = self.expected
        effect(waited, *what)
        self.expected = None

    def seat_taken(self, _, number, seat, begins):
        self.seats[number] = replace_seat(seat)
        self.model.names[number] = seat.name
        self.row |= self.expected[0].changes
        if begins:
            self.model.status, clock = "running", self.model.clock
            clock.set(None, self.model.replayed()[0].to_act(), 0)
            self.model.saved = clock.archived(), self.offered_at
            clock.tick(self.passed)

    def stopped(self, _, clock):
        """For good, with the clocks as they were when that was offered."""
        self.model.status, self.model.failure, self.model.clock = "failed", "Enough.", clock
        self.row |= {"status": "failed", "outcome": encoded({"failed": "Enough."})}

    @precondition(lambda self: self.expected is not None and self.expected[0].entry is not None)
    @rule()
    def break_a_commit(self):
        """Our own code fails when the change was saved: the match is as it was before the offer."""
        with broken_method(self.live.history, "append"), pytest.raises(Broken):
            self.live.commit(self.expected[0], self.now)
        self.expected = None

    @precondition(lambda self: self.expected is not None)
    @rule(waits=st.integers(0, 300))
    def abort(self, waits):
        self.pass_time(waits)
        self.live.abort(self.expected[0])
        self.expected = None

    @rule(ms=st.sampled_from([1, 90, 400, 3100]))
    def tick(self, ms):
        self.pass_time(ms)

    @precondition(lambda self: self.expected is not None or len(self.model.entries) > 3)
    @rule(written=st.booleans())
    def crash(self, written):
        """The process is killed. A change that was pending may have been written or not."""
        if self.expected is not None and written:
            self.happens(waited=False)
        self.expected = None
        if self.model.status == "over":
            self.row |= {"status": "over", "outcome": None}
        self.live = self.loaded()
        self.live.replay_all(self.rows)
        self.live.run_clocks(self.now)
        self.model.lapses = [0, 0]
        if self.model.status == "failed":
            self.clocks_stay = True
            return
        self.read_clock()

    def read_clock(self):
        clock, at = self.model.saved
        self.model.clock = clock.copy()
        self.model.clock.tick(self.now - at)

    @precondition(lambda self: self.expected is not None)
    @rule(written=st.booleans())
    def lose_the_archive(self, written):
        """The archive fails, and is read when it is back: the change may have been written or not."""
        offered, effect, what = self.expected
        self.live.abort(offered)
        news = []
        if written and offered.seat is None:  # a room frees a seat of which nobody knows
            if offered.entry is not None:
                news = [offered.entry.number]
                self.model.lapses[offered.entry.seat or 0] += (
                    offered.entry.kind == "act" and offered.lapsed is None
                )
            effect(False, *what)
            self.read_clock() if offered.reading is not None else None
            self.clocks_stay = self.model.status == "failed"
        self.expected = None
        row_now = self.row | {"status": self.model.status}
        assert [entry.number for entry in self.live.catch_up(row_now, self.rows)] == news

    @precondition(lambda self: self.expected is None and self.backend == "plain" and not self.is_broken)
    @rule()
    def change_backend(self):
        self.backend = "compiled"
        self.live.change_backend("compiled")

    # --- looking ---

    @invariant()
    def shows_what_is_committed(self):
        if not hasattr(self, "live"):
            return
        live, model = self.live, self.model
        match, _ = model.replayed()
        assert live.match.dump() == match.dump()
        assert live.match.log == match.log and live.outcome() == match.outcome
        assert (live.history.to_act, live.history.turn) == (match.to_act(), match.turn)
        assert [(e.kind, e.seat, e.body) for e in live.history.entries] == model.entries
        assert [e.number for e in live.history.entries] == list(range(1, len(model.entries) + 1))
        assert (live.status, live.paused, live.failure) == (model.status, model.paused, model.failure)
        assert live.history.changed_at == model.changed_at
        assert [seat.name for seat in live.seats] == model.names
        assert live.seats == self.seats
        assert live.pending is (self.expected and self.expected[0])

    @invariant()
    def waits_for_those_who_can_act(self):
        if hasattr(self, "live"):
            can = self.model.replayed()[0].to_act() if self.time_runs() else ()
            assert [self.live.waits_for(seat) for seat in (0, 1)] == [seat in can for seat in (0, 1)]

    def time_runs(self):
        return self.model.status == "running" and not self.model.paused

    @rule(seat=SEATS, said=SAID)
    def foresee_a_refusal(self, seat, said):
        """Only where nothing else decides: a clock, a pause, the end, or a change that may be aborted."""
        is_late = self.time_counts() and bool(self.model.clock.out())
        _, answer = self.model.replayed(("act", seat, said))
        is_certain = self.expected is None and self.time_runs() and not is_late
        expected = answer if is_certain and not isinstance(answer, Accepted) else None
        assert self.live.refusal(self.now, seat, said) == expected

    @invariant()
    def clocks_are_right(self):
        if hasattr(self, "live") and not self.clocks_stay:
            live, clock = self.live, self.model.clock
            assert set(live.clock.since) == clock.thinking
            if clock.timing.kind != "none":
                shown = [live.clock.remaining(seat, self.now) for seat in (0, 1)]
                assert shown == pytest.approx([max(0, left) for left in clock.left])
                assert live.clock.over(self.now) == clock.out()

    @invariant()
    def tells_only_who_may_know(self):
        if hasattr(self, "live"):
            for entry in self.live.history.entries[-2:]:
                for seat in (0, 1, None):
                    assert self.live.history.visible(entry, seat) == self.model.visible(entry.number, seat)


def replace_seat(seat, **changes):
    return msgspec.structs.replace(seat, **changes)


@contextmanager
def broken_method(of, name):
    """The method of one object raises."""

    def fail(*_):
        raise Broken

    setattr(of, name, fail)
    yield
    delattr(of, name)


LiveMatches.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestLiveMatch = LiveMatches.TestCase


def test_stop_found_in_the_archive_has_its_reason():
    played = LiveMatches()
    played.begin("none", "forfeit", False, False, False, "plain")
    row_now = played.row | {"status": "failed", "outcome": encoded({"failed": "Enough."})}
    assert played.live.catch_up(row_now, []) == []
    assert (played.live.status, played.live.failure) == ("failed", "Enough.")
