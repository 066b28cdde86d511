"""Angles of tiles and discs as seen from the middle of a tile."""

from fractions import Fraction
from math import asin, atan, atan2, hypot, pi

import pytest

from endturn.engine.record import digest
from endturn.mechanisms.sight import (
    BEARINGS,
    DISTANCES,
    FARTHEST,
    FULL_TURN,
    HALF_TURN,
    TILE,
    bearing,
    by_offset,
    discs,
    edges,
    heading,
    next_tile,
    sideways,
    steps_away,
    touches,
    turned,
)

OFFSETS = [
    (x, y) for x in range(-FARTHEST, FARTHEST + 1) for y in range(-FARTHEST, FARTHEST + 1) if (x, y) != (0, 0)
]


def parts(radians):
    """An angle in parts of a full turn."""
    return radians / (2 * pi) * FULL_TURN


def test_bearings_are_rounded_to_a_part_of_a_turn():
    assert max(abs(turned(bearing(x, y), 0) - parts(atan2(y, x))) for x, y in OFFSETS) <= 0.5001


def test_distances_are_cut_to_a_part_of_a_tile():
    assert all(0 <= hypot(x, y) * TILE - DISTANCES[by_offset(x, y)] < 1 for x, y in OFFSETS)


@pytest.mark.parametrize("radius", [Fraction(2, 5), Fraction(1, 4)])
def test_discs_take_up_twice_the_angle_of_their_radius(radius):
    table = discs(radius)
    assert max(abs(table[by_offset(x, y)] - parts(asin(radius / hypot(x, y)))) for x, y in OFFSETS) <= 0.5001


def test_a_step_aside_is_seen_at_its_angle():
    table = sideways(Fraction(3, 10))
    assert max(abs(table[by_offset(x, y)] - parts(atan(0.3 / hypot(x, y)))) for x, y in OFFSETS) <= 0.5001


def test_a_tile_is_seen_between_its_outermost_corners():
    for x, y in OFFSETS:
        first, last = (turned(edge, bearing(x, y)) for edge in edges(x, y))
        corners = [atan2(y + j, x + i) - atan2(y, x) for i in (-0.5, 0.5) for j in (-0.5, 0.5)]
        seen = [parts((corner + pi) % (2 * pi) - pi) for corner in corners]
        assert first == pytest.approx(min(seen), abs=1.1) and last == pytest.approx(max(seen), abs=1.1)


def test_a_line_touches_tiles_and_their_corners():
    assert touches(bearing(3, 0), 1, 0) and not touches(bearing(3, 0), 1, 1)
    assert touches(bearing(2, 2), 1, 0) and touches(bearing(2, 2), 0, 1)  # just the corner
    assert touches(bearing(-5, 1), -3, 0) and not touches(bearing(5, 1), -3, 0)
    assert touches(HALF_TURN, -4, 0) and touches(-HALF_TURN, -4, 0)


def test_a_line_goes_from_tile_to_tile_through_all_it_touches_and_no_other():
    for direction in [*range(0, FULL_TURN, FULL_TURN // 97), *(bearing(x, y) for x, y in OFFSETS[::7])]:
        east, south, slope = heading(direction)
        x, y, crossed = 0, 0, set()
        while (x, y) == (0, 0) or max(x, y) <= FARTHEST:
            x, y = next_tile(x, y, slope)
            crossed.add((east * x, south * y))
        touched = {tile for tile in OFFSETS if touches(direction, *tile) and touches(direction + 1, *tile)}
        assert touched <= crossed
        assert {tile for tile in crossed if max(map(abs, tile)) <= FARTHEST} == touched


def test_turning_goes_the_short_way_round():
    assert turned(bearing(-1, 1), bearing(-1, -1)) == -FULL_TURN // 4
    assert turned(10, 30) == -20 and turned(5, FULL_TURN + 1) == 4


def test_of_two_tiles_on_a_line_the_one_fewer_steps_away_is_met_first():
    for target in [(x, y) for x in range(13) for y in range(13) if (x, y) != (0, 0)]:
        steps = []
        for part in range(1, 2000):
            x, y = round(target[0] * part / 2000, 9), round(target[1] * part / 2000, 9)
            tile = int(x + 0.5), int(y + 0.5)
            if not steps or steps[-1] != tile:
                steps.append(tile)
        away = [steps_away(*tile) for tile in steps]
        assert away == sorted(away) and len(set(away)) == len(away)


def test_the_tables_are_the_same_on_every_machine():
    tables = [*BEARINGS, *DISTANCES, *discs(Fraction(2, 5)), *sideways(Fraction(3, 10))]
    assert digest(b"".join(number.to_bytes(4, "little") for number in tables)) == "6575bbdd229d6eec"
