"""What the weather before a turn costs in Not-Chess, by the size of the board: does it grow as the squares do?

    python bench/weather.py

Boards go through ten years without players; a year is 32 turns, and half of them begin a month.
"""

from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from endturn.engine import record
from endturn.engine.rule import kernels
from endturn.games import find
from endturn.games.notchess.rules.weather import before_turn

SIZES = (8, 8), (16, 8), (16, 16), (30, 18)  # one of each layout
BOARDS, YEAR, YEARS, REPEATS = 8, 32, 10, 5
LINEAR = 1.25  # a square of any board costs at most so much more than one of the middle one


class Cost(NamedTuple):
    """Nanoseconds of one weather step."""

    width: int
    height: int
    step: float

    @property
    def square(self) -> float:
        """The part of one square."""
        return self.step / (self.width * self.height)


def measure(repeats: int = REPEATS) -> list[Cost]:
    """The cost of a step for each size, the best of several repeats."""
    game = find("notchess")
    kernels(game, "compiled")  # teaches Numba what a rule is
    from numba import njit

    @njit(error_model="numpy")
    def pass_turns(games: Any, seeds: Any, turns: int) -> None:
        for i in range(len(games)):
            for _ in range(turns):
                games[i].turn += 1
                before_turn(games[i], seeds[i])

    found, seeds = [], np.arange(BOARDS)
    for width, height in SIZES:
        settings = game.chosen({"width": width, "height": height})
        boards = [game.setup(settings, seed) for seed in range(BOARDS)]
        states = np.frombuffer(bytearray(b"".join(map(record.dump, boards))), record.dtype(type(boards[0])))
        pass_turns(states, seeds, YEAR)
        seconds = []
        for _ in range(repeats):
            began = process_time()
            pass_turns(states, seeds, YEAR * YEARS)
            seconds.append(process_time() - began)
        found.append(Cost(width, height, min(seconds) / (BOARDS * YEAR * YEARS) * 1e9))
    return found


def growth(costs: list[Cost]) -> float:
    """The dearest square of any board against the median."""
    squares = [cost.square for cost in costs]
    return max(squares) / median(squares)


def table(costs: list[Cost]) -> list[str]:
    """Markdown."""
    lines = ["| board | squares | one weather step | a square |", "|---|--:|--:|--:|"]
    for cost in costs:
        size = f"{cost.width} x {cost.height} | {cost.width * cost.height}"
        lines.append(f"| {size} | {cost.step:.0f} ns | {cost.square:.1f} ns |")
    return lines


if __name__ == "__main__":
    costs = measure()
    print("\n".join(table(costs)))
    print(f"the dearest square costs {growth(costs):.2f} x the median")
