"""What the weather tables produce over many maps and years: cover by month and terrain, storms, wind."""

from functools import cache

import numpy as np
import pytest

from endturn.engine.batch import Batch
from endturn.games.notchess import game
from endturn.games.notchess.actions import EndTurn
from endturn.games.notchess.rules.weather import before_turn
from endturn.games.notchess.state import Climate, RainTick

MAPS = 200
MATCHES = 600
YEARS = 2
COVER = {  # percent of the squares covered during the second turn of each month, from W1nter to Aut4mn
    Climate.MOUNTAIN_SNOW: (100, 100, 100, 100, 97, 92, 83, 67, 49, 27, 14, 7, 17, 51, 92, 99),
    Climate.ICE: (94, 100, 100, 100, 87, 69, 15, 2, 1, 0, 0, 0, 1, 13, 40, 79),
    Climate.FOREST_SNOW: (98, 100, 100, 100, 98, 96, 85, 50, 1, 0, 0, 0, 4, 23, 70, 97),
    Climate.PLAIN_SNOW: (98, 100, 100, 100, 94, 80, 28, 3, 1, 0, 0, 0, 4, 22, 67, 93),
    Climate.DESERT_SNOW: (12, 22, 29, 36, 33, 24, 6, 0, 0, 0, 0, 0, 0, 0, 0, 3),
}
EDGE_ICE = (
    (53, 63, 71, 78, 59, 38, 6, 0, 0, 0, 0, 0, 0, 1, 5, 13),
    (26, 41, 54, 64, 51, 33, 6, 0, 0, 0, 0, 0, 0, 2, 5, 15),
)


STORM_YEARS = 3  # storms increase, because one rain per year is left over


@cache
def batch_of_maps():
    """Many matches on MAPS maps; cached because maps take long to make."""
    return Batch(game, MATCHES, {"nomads": False}, seed=5, pool=MAPS)


def years_of(tick=RainTick.MONTH, years=YEARS):
    """The states of a batch in which every seat passes, turn by turn."""
    batch = batch_of_maps()
    batch.pool["settings"]["rain_tick"][:] = tick
    batch.reset()
    for turn in range(32 * years):
        yield turn, batch.states
        batch.step(np.repeat(batch.rows([(turn % 2, EndTurn())]), MATCHES, axis=0))


def squares(column):
    """Sets of squares as flags, one row per match."""
    return (np.repeat(column, 32, axis=1) >> np.arange(64) % 32 & 1).astype(bool)


@pytest.fixture(scope="module")
def covered():
    """The percentage of covered squares, by climate, year and month."""
    found = {}
    for turn, states in years_of():
        if turn % 2:
            cover = squares(states["cover"])
            for climate in Climate:
                there = squares(states["climates"][:, climate])
                found[climate, turn // 32, turn // 2 % 16] = 100 * cover[there].mean()
    return found


@pytest.mark.parametrize("climate", COVER, ids=lambda climate: climate.name)
def test_cover_by_month_and_terrain(climate, covered):
    found = [sum(covered[climate, year, month] for year in range(YEARS)) / YEARS for month in range(16)]
    assert found == pytest.approx(COVER[climate], abs=4)


@pytest.mark.parametrize("year", range(YEARS))
def test_edge_ice_is_rarer_and_more_common_in_the_first_year(year, covered):
    found = [covered[Climate.EDGE_ICE, year, month] for month in range(16)]
    assert found == pytest.approx(EDGE_ICE[year], abs=4)


def storms_a_year(tick):
    formed, before = 0, np.zeros((MATCHES, 64), bool)
    for turn, states in years_of(tick, STORM_YEARS):
        now = squares(states["storm"])
        formed += (now if turn % 2 == 0 else now & ~before).sum()  # storms end with their month
        before = now.copy()
    return formed / MATCHES / STORM_YEARS


@pytest.mark.parametrize(
    "tick, storms", [(RainTick.MONTH, 0.4), (RainTick.MONTH_MOVE_EACH_TURN, 2.6), (RainTick.TURN, 4.3)]
)
def test_storms_per_year_on_8_by_8_squares(tick, storms):
    assert storms_a_year(tick) == pytest.approx(storms, rel=0.35)


@pytest.mark.parametrize(
    "size, tick, storms, boards",
    [
        (10, "month", 0.4, 150),
        (10, "month_move_each_turn", 4.2, 30),
        (10, "turn", 7.0, 30),
        (16, "month", 2.9, 30),
        (16, "month_move_each_turn", 15, 10),
        (16, "turn", 22, 10),
    ],
)
def test_storms_per_year_on_larger_boards(size, tick, storms, boards):
    values = {"width": size, "height": size, "nomads": False, "land_route": False, "rain_tick": tick}
    formed = sum(
        storms_on(game.rules.setup(game.configure(values=values), seed), seed) for seed in range(boards)
    )
    assert formed / boards / YEARS == pytest.approx(storms, rel=0.25)


def storms_on(board, seed):
    """How many storms form on a board if every seat passes."""
    formed, before = 0, [0] * board.squares
    for turn in range(32 * YEARS):
        now = board.storm_months[: board.squares]
        formed += sum(n > 0 and (turn % 2 == 0 or not b) for n, b in zip(now, before, strict=True))
        before = list(now)
        board.turn += 1
        before_turn(board, seed)
    return formed


def test_share_of_squares_with_wind():
    shares = [squares(states["windy"]).mean() for turn, states in years_of() if turn % 2 == 0]
    assert 100 * sum(shares) / len(shares) == pytest.approx(10, abs=3)
