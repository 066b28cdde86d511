"""Maps of terrain: quantities, blocks, and how they are laid out; with tables that belong to no game."""

from collections import Counter
from decimal import Decimal, localcontext
from itertools import pairwise

import pytest

from endturn.engine.dice import Stream
from endturn.mechanisms.terrain import (
    FREE,
    Shape,
    Span,
    block_sizes,
    components,
    flipped,
    generate,
    half_turned,
    lay_out,
    normal,
    pieces_left,
    quantities,
    room_for,
    shortest_path,
)

WEIGHTS = 3, 2, 1
SPANS = Span(2, 16), Span(3, 10), Span(4, 32)
SHAPE = Shape(9, 7)


@pytest.mark.parametrize("seed", range(10))
def test_the_totals_of_a_map_are_those_that_were_drawn(seed):
    counts = quantities(SHAPE.size, WEIGHTS, Stream(seed, 1))
    made = Counter(generate(SHAPE, WEIGHTS, SPANS, Stream(seed, 1)))
    assert [made[kind] for kind in range(3)] == counts and sum(counts) == SHAPE.size


def test_the_same_seed_gives_the_same_map_whatever_the_precision_of_decimals():
    made = generate(SHAPE, WEIGHTS, SPANS, Stream(3, 1))
    with localcontext(prec=5):
        assert generate(SHAPE, WEIGHTS, SPANS, Stream(3, 1)) == made
    assert generate(SHAPE, WEIGHTS, SPANS, Stream(4, 1)) != made


@pytest.mark.parametrize("count, size", [(1, 64), (30, 64), (200, 540), (12, 25)])
def test_blocks_add_up_and_none_is_empty(count, size):
    for seed in range(10):
        for span in SPANS:
            sizes = block_sizes(count, size, span, Stream(seed, 1))
            assert sum(sizes) == count and min(sizes) >= 1


def test_the_number_of_blocks_lies_about_the_middle_of_its_span():
    sizes = [len(block_sizes(60, 180, Span(3, 10), Stream(seed, 1))) for seed in range(60)]
    middle = (5.19 - 3 + 18) / 2
    assert sum(sizes) / len(sizes) == pytest.approx(middle, rel=0.2)


def test_normal_draws_have_mean_0_and_deviation_1():
    dice = Stream(1, 1)
    drawn = [float(normal(dice)) for _ in range(2000)]
    assert sum(drawn) / 2000 == pytest.approx(0, abs=0.08)
    assert sum(x * x for x in drawn) / 2000 == pytest.approx(1, abs=0.1)
    assert isinstance(normal(dice), Decimal)


def test_unsplit_block_is_connected_by_sides():
    made = lay_out(Shape(6, 6), {0: [20], 1: [10], 2: [6]}, Stream(1, 1), True)
    for kind in range(3):
        free = [FREE if square == kind else kind for square in made]
        assert len(components(Shape(6, 6), free)) <= 2


def test_a_block_without_room_is_split_or_the_rest_is_painted():
    blocks = {0: [3, 3], 1: [3]}
    split = [lay_out(Shape(3, 3), blocks, Stream(seed, 1), True) for seed in range(20)]
    assert all(Counter(made) == {0: 6, 1: 3} for made in split)
    painted = [lay_out(Shape(5, 5), {0: [12, 6], 1: [7]}, Stream(seed, 1), False) for seed in range(20)]
    assert all(FREE not in made for made in painted)


@pytest.mark.parametrize("size, room", [(1, 0), (2, 1), (3, 1), (4, 3), (5, 3), (9, 3)])
def test_a_block_goes_to_the_first_room_that_is_large_enough_or_else_to_the_largest(size, room):
    rooms = [[0], [2, 3, 4], [6, 7], [10, 11, 12, 13]]
    assert room_for(size, rooms) == rooms[room]


def test_a_block_that_is_split_fills_the_largest_room_first():
    made = [0, FREE, 0, FREE, FREE, FREE, 0, FREE, FREE]
    rooms = components(Shape(9, 1), made)
    assert [len(room) for room in rooms] == [1, 3, 2] and room_for(6, rooms) == [3, 4, 5]


def test_a_map_is_seen_in_no_mirror_in_one_or_in_both():
    rows = [[0, 1, 2], [3, 4, 5]]
    level = [row[::-1] for row in rows]
    ways = [sum(way, []) for way in (rows, level, rows[::-1], level[::-1])]
    found = Counter(ways.index(flipped(Shape(3, 2), ways[0], Stream(seed, 1))) for seed in range(200))
    assert len(found) == 4 and min(found.values()) > 30


def test_taking_a_bridge_divides_its_neighbours():
    shape = Shape(3, 3)
    bridge = [FREE, 0, FREE, FREE, FREE, FREE, 0, 0, 0]
    assert pieces_left(shape, bridge, 4) == 2
    assert pieces_left(shape, bridge, 0) == 1
    ring = [FREE, FREE, FREE, FREE, 0, FREE, FREE, FREE, FREE]
    assert pieces_left(shape, ring, 1) == 1


def test_half_a_map_turned_by_180_degrees_is_the_other_half():
    assert half_turned([1, 2, 3, 4]) == [1, 2, 2, 1]
    assert half_turned([1, 2, 3, 4, 5]) == [1, 2, 3, 2, 1]


def test_a_shortest_path_has_both_ends_and_no_gap():
    shape = Shape(4, 4)
    path = shortest_path(shape.sides, 0, 15, lambda to: to not in (5, 6))
    assert path[0] == 0 and path[-1] == 15 and len(path) == 7
    assert all(to in shape.sides(here) for here, to in pairwise(path))
    assert shortest_path(shape.sides, 0, 15, lambda to: to not in (1, 4)) is None
