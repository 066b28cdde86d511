"""Measures a full preview in Snowball Fight: all targets of a unit, in positions from matches between bots."""

from statistics import median
from time import process_time
from typing import Any

import numpy as np

from endturn.bots import play
from endturn.engine import record
from endturn.engine.match import Match
from endturn.engine.rule import kernels
from endturn.games import find
from endturn.games.snowball.rules.previews import REASON, STRAY, preview_size
from endturn.games.snowball.state import Phase

MATCHES, EVERY, TIMES = 4, 5, 200


def positions() -> list[Any]:
    """Return states from matches of the game's bot against itself, one every few turns."""
    game, found = find("snowball"), []

    def note(match: Match) -> None:
        if match.turn % EVERY == 0 and match.state.phase == Phase.BATTLE:
            found.append(record.copy(match.state))

    for seed in range(MATCHES):
        match = Match(game, game.configure("automated"), seed=seed)
        play(match, [game.bots["tactician"](1), game.bots["tactician"](2)], note)
    return found


def measure() -> tuple[float, float, float]:
    """Return median and maximum microseconds of a preview with a target, and the median number of targets."""
    run, costs = kernels(find("snowball"), "compiled").preview_one, []
    for state in positions():
        games = np.frombuffer(bytearray(record.dump(state)), record.dtype(type(state)))
        out = np.zeros(preview_size(state), np.int64)
        seat, width = state.active % 2, STRAY + len(state.kind)
        run(games, 0, seat, out)
        targets = sum(out[unit * width + REASON] == 0 for unit in range(len(state.kind)))
        if targets:
            began = process_time()
            for _ in range(TIMES):
                run(games, 0, seat, out)
            costs.append(((process_time() - began) / TIMES * 1e6, targets))
    return median(cost for cost, _ in costs), max(costs)[0], median(count for _, count in costs)


if __name__ == "__main__":
    usual, most, targets = measure()
    print(f"{usual:.1f} us for a preview of {targets:.0f} targets; maximum {most:.1f} us")
