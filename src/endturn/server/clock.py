"""Clocks: how long each seat has left, in milliseconds. Pure arithmetic; whoever asks says what time it is.

clock = Clock.new(Timing("bank", 60, 1), seats=2)
clock.go([0], now)          # the first seat thinks
clock.moved(0, now)         # it has acted: what it used is taken off
clock.due()                 # when somebody's time will be over
"""

import time
from collections.abc import Callable, Collection
from typing import Annotated, Literal

import msgspec

SECOND = 1000
LONGEST = 366 * 24 * 3600


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match is timed.

    none      as long as one likes
    bank      `seconds` for the whole match, and `increment` more as each own turn begins, but the first of the match
    move      `seconds` for every action that everyone may know
    turn      `seconds` for every turn
    deadline  `seconds` for every turn, by the calendar: they pass while the server is down, too
    """

    kind: Literal["none", "bank", "move", "turn", "deadline"] = "none"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=LONGEST)] = 600.0
    increment: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    # what a seat does whose time is over: it loses, or plays the game's default action
    over: Literal["forfeit", "default"] = "forfeit"


class Uptime:
    """Milliseconds of service: they do not pass while the server, or what it needs, is down.

    All clocks but deadlines go by this. It goes on where the last run of the server left it.
    """

    def __init__(self, so_far: float = 0.0, steady: Callable[[], float] = time.monotonic) -> None:
        self._so_far, self._steady = so_far, steady
        self._since: float | None = steady()

    def now(self) -> float:
        """How long there has been service."""
        return self._so_far + (0.0 if self._since is None else (self._steady() - self._since) * SECOND)

    def stop(self, ago: float = 0.0) -> None:
        """Service is down, and was so some seconds ago already."""
        if self._since is not None:
            self._so_far, self._since = max(self._so_far, self.now() - ago * SECOND), None

    def go(self) -> None:
        """Service is up."""
        if self._since is None:
            self._since = self._steady()


class Reading(msgspec.Struct):
    """What clocks said, as the archive keeps it."""

    at: float
    left: list[float]
    turns: list[int | None]
    on: list[int]  # the seats that thought
    paused: bool = False


class Clock:
    """The clocks of a match."""

    def __init__(self, timing: Timing, left: list[float], turns: list[int | None]) -> None:
        self.timing, self.left = timing, left
        self.turns = turns  # by seat: the last turn in which it thought
        self.since: dict[int, float] = {}  # the seats that think now, and since when

    @classmethod
    def new(cls, timing: Timing, seats: int) -> "Clock":
        """All clocks full, none running."""
        return cls(timing, [timing.seconds * SECOND] * seats, [None] * seats)

    @classmethod
    def read(cls, timing: Timing, said: Reading) -> "Clock":
        """A clock as `written` gave it; those that ran then have run on since."""
        made = cls(timing, list(said.left), list(said.turns))
        made.since = dict.fromkeys(said.on, said.at)
        return made

    def written(self, now: float, paused: bool = False) -> Reading:
        """What must be kept to go on later."""
        left = self.left.copy()
        for seat in self.since:
            left[seat] = self._left(seat, now)
        return Reading(now, left, self.turns, sorted(self.since), paused)

    def copy(self) -> "Clock":
        """Another one that says the same."""
        made = Clock(self.timing, self.left.copy(), self.turns.copy())
        made.since = self.since.copy()
        return made

    def go(self, seats: Collection[int], now: float, turn: int = 0) -> None:
        """These seats think from now on, and no others."""
        for seat in tuple(self.since):
            if seat not in seats:
                self.moved(seat, now)
        first = None
        for seat in seats:
            if turn != self.turns[seat]:
                first = all(known is None for known in self.turns) if first is None else first
                self._stop(seat, now)
                self._begin_turn(seat, first)
                self.turns[seat] = turn
            self.since.setdefault(seat, now)

    def goes_on(self, acted: int | None, seats: Collection[int], now: float, turn: int) -> bool:
        """Whether after an action these seats think as before, so that no clock need tell that there was one."""
        same = self.since.keys() == set(seats) and all(self.turns[seat] == turn for seat in seats)
        return same and acted not in self.over(now)  # what a seat plays when its time is over is no secret

    def moved(self, seat: int, now: float) -> None:
        """A seat has acted, or need not any more: its clock has stopped."""
        self._stop(seat, now)
        if self.timing.kind == "move":
            self.left[seat] = self.timing.seconds * SECOND

    def wait(self, began: float, now: float) -> None:
        """What began to run at that time runs only from now on; a calendar waits for nobody."""
        if self.timing.kind != "deadline":
            for seat, since in self.since.items():
                if since == began:
                    self.since[seat] = now

    def halt(self, now: float) -> None:
        """All clocks stop, to go on later with what they have left."""
        for seat in list(self.since):
            self._stop(seat, now)

    def step(self, acted: int | None, seats: Collection[int] | None, now: float, turn: int) -> None:
        """Something has happened: whose action it was, if any, and who thinks from now on; None: all clocks stop."""
        if acted is not None:
            self.moved(acted, now)
        self.halt(now) if seats is None else self.go(seats, now, turn)

    def due(self) -> float | None:
        """When the first of the clocks that run will be over."""
        if self.timing.kind == "none":
            return None
        first = None
        for seat, since in self.since.items():
            over = since + self.left[seat]
            first = over if first is None or over < first else first
        return first

    def is_over(self, now: float) -> bool:
        """Whether any seat's time is over."""
        if self.timing.kind != "none":
            for seat, at in self.since.items():
                if at + self.left[seat] <= now:
                    return True
        return False

    def over(self, now: float) -> list[int]:
        """The seats whose time is over, by when it was; of two at the same time the first seat comes first."""
        if self.timing.kind == "none":
            return []
        dues = sorted((since + self.left[seat], seat) for seat, since in self.since.items())
        return [seat for due, seat in dues if due <= now]

    def remaining(self, seat: int, now: float) -> float | None:
        """What a seat has left; None where it has all the time of the world."""
        return None if self.timing.kind == "none" else self._left(seat, now)

    def _begin_turn(self, seat: int, first: bool) -> None:
        if self.timing.kind == "bank":
            self.left[seat] += 0.0 if first else self.timing.increment * SECOND
        else:
            self.left[seat] = self.timing.seconds * SECOND

    def _stop(self, seat: int, now: float) -> None:
        self.left[seat] = self._left(seat, now)
        self.since.pop(seat, None)

    def _left(self, seat: int, now: float) -> float:
        """What a seat has left now; all it had where no clock is kept, or where it does not think yet."""
        left, used = self.left[seat], now - self.since.get(seat, now)
        if used <= 0 or self.timing.kind == "none":
            return left
        return left - used if used < left else 0.0
