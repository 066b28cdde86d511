"""Measures a weather step of Not-Chess by board size, and checks that the cost grows linearly.

    python bench/weather.py

Each board runs for ten years without players. A year has 32 turns; every second turn begins a month.
"""

from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from endturn.engine import record
from endturn.engine.rule import kernels
from endturn.games import find
from endturn.games.notchess.rules.weather import before_turn

SIZES = (8, 8), (16, 8), (16, 16), (30, 18)  # one per layout
BOARDS, YEAR, YEARS, REPEATS = 8, 32, 10, 5
LINEAR = 1.25  # maximum cost per square, relative to the median


class Cost(NamedTuple):
    """The cost of one weather step in nanoseconds."""

    width: int
    height: int
    step: float

    @property
    def square(self) -> float:
        """The cost per square."""
        return self.step / (self.width * self.height)


def measure(repeats: int = REPEATS) -> list[Cost]:
    """Measure a step for each size; keep the best of several repeats."""
    game = find("notchess")
    kernels(game, "compiled")  # registers rules with Numba
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
        boards = [game.rules.setup(settings, seed) for seed in range(BOARDS)]
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
    """Return the highest cost per square of any board, relative to the median."""
    squares = [cost.square for cost in costs]
    return max(squares) / median(squares)


def table(costs: list[Cost]) -> list[str]:
    """Format the costs as a Markdown table."""
    lines = ["| board | squares | one weather step | per square |", "|---|--:|--:|--:|"]
    for cost in costs:
        size = f"{cost.width} x {cost.height} | {cost.width * cost.height}"
        lines.append(f"| {size} | {cost.step:.0f} ns | {cost.square:.1f} ns |")
    return lines


if __name__ == "__main__":
    costs = measure()
    print("\n".join(table(costs)))
    print(f"most expensive board per square: {growth(costs):.2f} x the median")
