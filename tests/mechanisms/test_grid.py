"""Tiles of a grid numbered row by row: who lies beside whom, and how far apart."""

import pytest

from endturn.mechanisms.grid import OFF_THE_MAP, Direction, chebyshev, manhattan, neighbour

WIDTH, HEIGHT = 4, 3
TILES = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
STEPS = {Direction.NORTH: (0, -1), Direction.EAST: (1, 0), Direction.SOUTH: (0, 1), Direction.WEST: (-1, 0)}


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("x, y", TILES)
def test_the_neighbour_lies_one_step_away_or_off_the_map(x, y, direction):
    there = (x + STEPS[direction][0], y + STEPS[direction][1])
    expected = there[0] + there[1] * WIDTH if there in TILES else OFF_THE_MAP
    assert neighbour(x + y * WIDTH, direction, WIDTH, HEIGHT) == expected


@pytest.mark.parametrize("x, y", TILES)
def test_distances_are_the_sum_and_the_greater_of_both_axes(x, y):
    for other_x, other_y in TILES:
        one, other = x + y * WIDTH, other_x + other_y * WIDTH
        assert manhattan(one, other, WIDTH) == abs(x - other_x) + abs(y - other_y)
        assert chebyshev(one, other, WIDTH) == max(abs(x - other_x), abs(y - other_y))
