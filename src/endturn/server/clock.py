"""Clocks: how long each seat has left, in milliseconds. Pure arithmetic; whoever asks says what time it is.

clock = Clock.new(Timing("bank", 60, 1), seats=2)
clock.go([0], now)          # the first seat thinks
clock.moved(0, now)         # it has acted: what it used is taken off
clock.due()                 # when somebody's time will be over
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec

SECOND = 1000
LONGEST = 366 * 24 * 3600


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match is timed.

    none      as long as one likes
    bank      `seconds` for the whole match, and `increment` more as each own turn begins, but the first of the match
    move      `seconds` for every action
    turn      `seconds` for every turn
    deadline  `seconds` for every turn, by the calendar: they pass while the server is down, too
    """

    kind: Literal["none", "bank", "move", "turn", "deadline"] = "none"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=LONGEST)] = 600.0
    increment: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    # what a seat does whose time is over: it loses, or plays the game's default action
    over: Literal["forfeit", "default"] = "forfeit"


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
    def read(cls, timing: Timing, said: Any) -> "Clock":
        """A clock as `written` gave it, none running."""
        return cls(timing, list(said["left"]), list(said["turns"]))

    def written(self) -> dict[str, Any]:
        """What must be kept to go on later; of clocks that run, what they said when they were last stopped."""
        return {"left": [round(ms, 3) for ms in self.left], "turns": self.turns, "on": sorted(self.since)}

    def go(self, seats: Iterable[int], now: float, turn: int = 0) -> None:
        """These seats think from now on, and no others."""
        wanted, first = set(seats), not any(known is not None for known in self.turns)
        for seat in set(self.since) - wanted:
            self._stop(seat, now)
        for seat in wanted:
            if turn != self.turns[seat]:
                self._begin_turn(seat, first)
                self.turns[seat] = turn
            self.since.setdefault(seat, now)

    def moved(self, seat: int, now: float) -> None:
        """A seat has acted: its clock has stopped."""
        self._stop(seat, now)
        if self.timing.kind == "move":
            self.left[seat] = self.timing.seconds * SECOND

    def halt(self, now: float) -> None:
        """All clocks stop."""
        for seat in list(self.since):
            self._stop(seat, now)

    def due(self) -> float | None:
        """When the first of the clocks that run will be over."""
        if self.timing.kind == "none" or not self.since:
            return None
        return min(since + self.left[seat] for seat, since in self.since.items())

    def over(self, now: float) -> list[int]:
        """The seats whose time is over."""
        if self.timing.kind == "none":
            return []
        return sorted(seat for seat, since in self.since.items() if since + self.left[seat] <= now)

    def remaining(self, seat: int, now: float) -> float | None:
        """What a seat has left; None where it has all the time of the world."""
        if self.timing.kind == "none":
            return None
        return self.left[seat] - (now - self.since[seat] if seat in self.since else 0)

    def _begin_turn(self, seat: int, first: bool) -> None:
        if self.timing.kind == "bank" and not first:
            self.left[seat] += self.timing.increment * SECOND
        if self.timing.kind in ("turn", "deadline"):
            self.left[seat] = self.timing.seconds * SECOND

    def _stop(self, seat: int, now: float) -> None:
        since = self.since.pop(seat, None)
        if since is not None and self.timing.kind != "none":
            self.left[seat] -= max(0.0, now - since)
