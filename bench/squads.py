"""Measures finding a squad in Catastrophe, for every soldier in positions from matches between bots."""

from time import process_time
from typing import Any

import numpy as np

from endturn.bots import play
from endturn.engine import record
from endturn.engine.match import Match
from endturn.engine.rule import kernels
from endturn.games import find
from endturn.games.catastrophe.rules.combat import dismiss, muster
from endturn.games.catastrophe.state import NOBODY, NONE, Job

MATCHES, EVERY, TIMES = 3, 20, 200


def positions() -> Any:
    """Return states from matches of the game's bot against itself, one every few turns."""
    game, found = find("catastrophe"), []

    def note(match: Match) -> None:
        if match.turn % EVERY == 0:
            found.append(match.dump())

    for seed in range(MATCHES):
        match = Match(game, seed=seed)
        play(match, [game.bots["warlord"](1), game.bots["warlord"](2)], note)
    return np.frombuffer(bytearray(b"".join(found)), record.dtype(match.layout))


def measure() -> tuple[float, float]:
    """Return the nanoseconds to gather and dismiss one squad, and the mean size of a squad."""
    kernels(find("catastrophe"), "compiled")  # registers rules with Numba
    from numba import njit

    @njit
    def call_up(games: Any, times: int) -> tuple[int, int]:
        calls = members = 0
        for i in range(len(games)):
            game = games[i]
            for unit in range(game.unit_count):
                if game.tile[unit] != NONE and game.owner[unit] != NOBODY and game.job[unit] == Job.SOLDIER:
                    for _ in range(times):
                        size = muster(game, unit)
                        dismiss(game, size)
                        members += size
                    calls += times
        return calls, members

    games = positions()
    call_up(games, 1)
    began = process_time()
    calls, members = call_up(games, TIMES)
    return (process_time() - began) / calls * 1e9, members / calls


if __name__ == "__main__":
    nanoseconds, size = measure()
    print(f"{nanoseconds:.0f} ns per squad, {size:.1f} soldiers on average")
