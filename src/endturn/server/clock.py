"""Clocks: the time that each seat has left, in milliseconds. Pure arithmetic: callers pass the current time.

clock = Clock.new(Timing("bank", 60, 1), seats=2)
clock.go([0], now)          # the first seat's clock runs
clock.moved(0, now)         # it has acted: its clock stops
clock.due()                 # when the first running clock reaches zero
"""

import time
from collections.abc import Callable, Collection
from typing import Annotated, Literal

import msgspec

SECOND = 1000
LONGEST = 366 * 24 * 3600


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time control of a match.

    none      no clock
    bank      `seconds` for the whole match, plus `increment` at the start of each turn of the seat except the first one
    move      `seconds` for every action, except hidden actions that leave the same seats to act
    turn      `seconds` for every turn
    deadline  `seconds` for every turn, in calendar time: they also pass while the server is down
    """

    kind: Literal["none", "bank", "move", "turn", "deadline"] = "none"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=LONGEST)] = 600.0
    increment: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    # a seat that runs out of time forfeits or plays the game's default action
    over: Literal["forfeit", "default"] = "forfeit"


class Uptime:
    """Service time in milliseconds. It stops while the server or its archive is down.

    All clocks except deadlines use it. It continues from the value at the end of the server's last run.
    """

    def __init__(self, so_far: float = 0.0, steady: Callable[[], float] = time.monotonic) -> None:
        self._so_far, self._steady = so_far, steady
        self._since: float | None = steady()

    def now(self) -> float:
        """The service time so far."""
        return self._so_far + (0.0 if self._since is None else (self._steady() - self._since) * SECOND)

    def stop(self, ago: float = 0.0) -> None:
        """Stop the service time, as of `ago` seconds ago."""
        if self._since is not None:
            self._so_far, self._since = max(self._so_far, self.now() - ago * SECOND), None

    def go(self) -> None:
        """Let the service time run."""
        if self._since is None:
            self._since = self._steady()


class Reading(msgspec.Struct):
    """The clocks at one moment, as the archive stores them."""

    at: float
    left: list[float]
    turns: list[int | None]
    on: list[int]  # the seats whose clocks ran
    paused: bool = False


class Clock:
    """The clocks of a match."""

    def __init__(self, timing: Timing, left: list[float], turns: list[int | None]) -> None:
        self.timing, self.left = timing, left
        self.turns = turns  # by seat: the last turn in which its clock ran
        self.since: dict[int, float] = {}  # the seats whose clocks run, and since when

    @classmethod
    def new(cls, timing: Timing, seats: int) -> "Clock":
        """All clocks full, none running."""
        return cls(timing, [timing.seconds * SECOND] * seats, [None] * seats)

    @classmethod
    def read(cls, timing: Timing, said: Reading) -> "Clock":
        """The clocks from a reading. Clocks that ran at that time have run ever since."""
        made = cls(timing, list(said.left), list(said.turns))
        made.since = dict.fromkeys(said.on, said.at)
        return made

    def written(self, now: float, paused: bool = False) -> Reading:
        """A reading, from which `read` restores the clocks."""
        left = self.left.copy()
        for seat in self.since:
            left[seat] = self._left(seat, now)
        return Reading(now, left, self.turns, sorted(self.since), paused)

    def copy(self) -> "Clock":
        """An independent copy."""
        made = Clock(self.timing, self.left.copy(), self.turns.copy())
        made.since = self.since.copy()
        return made

    def go(self, seats: Collection[int], now: float, turn: int = 0) -> None:
        """Run the clocks of these seats, and stop all others."""
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
        """Whether the same clocks run after an action, so that the clocks need not reveal it."""
        same = self.since.keys() == set(seats) and all(self.turns[seat] == turn for seat in seats)
        return same and acted not in self.over(now)  # everyone may know what a seat out of time plays

    def moved(self, seat: int, now: float) -> None:
        """Stop the clock of a seat that has acted or need not act anymore."""
        self._stop(seat, now)
        if self.timing.kind == "move":
            self.left[seat] = self.timing.seconds * SECOND

    def wait(self, began: float, now: float) -> None:
        """Let the clocks that started at `began` start now instead, except deadlines."""
        if self.timing.kind != "deadline":
            for seat, since in self.since.items():
                if since == began:
                    self.since[seat] = now

    def halt(self, now: float) -> None:
        """Stop all clocks. They keep the time that they have left."""
        for seat in list(self.since):
            self._stop(seat, now)

    def step(self, acted: int | None, seats: Collection[int] | None, now: float, turn: int) -> None:
        """Stop the clock of the seat that acted, if any, and run those of `seats`; with None, stop all clocks."""
        if acted is not None:
            self.moved(acted, now)
        self.halt(now) if seats is None else self.go(seats, now, turn)

    def due(self) -> float | None:
        """When the first running clock reaches zero."""
        if self.timing.kind == "none":
            return None
        first = None
        for seat, since in self.since.items():
            over = since + self.left[seat]
            first = over if first is None or over < first else first
        return first

    def is_over(self, now: float) -> bool:
        """Whether any seat is out of time."""
        if self.timing.kind != "none":
            for seat, at in self.since.items():
                if at + self.left[seat] <= now:
                    return True
        return False

    def over(self, now: float) -> list[int]:
        """The seats that are out of time: first the one that was first, and the lower number at the same time."""
        if self.timing.kind == "none":
            return []
        dues = sorted((since + self.left[seat], seat) for seat, since in self.since.items())
        return [seat for due, seat in dues if due <= now]

    def remaining(self, seat: int, now: float) -> float | None:
        """The time that a seat has left; None without a clock."""
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
        """The time that a seat has left. It stays the same if the seat's clock does not run."""
        left, used = self.left[seat], now - self.since.get(seat, now)
        if used <= 0 or self.timing.kind == "none":
            return left
        return left - used if used < left else 0.0
