"""Ways over tiles that are free, slow or closed."""

from heapq import heappop, heappush
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.mechanisms.paths import LONGEST, NO_WAY, WIDEST, cheapest, clear, corner, spot, spread, window


def bits(rows, letters):
    return [sum((letter in letters) << x for x, letter in enumerate(row)) for row in rows]


def cost(drawing, start, goal, budget=LONGEST, diagonal=False):
    """The cheapest way over a drawing: . free, ~ slow, # closed."""
    rows = drawing.split()
    left, top = corner(start[0], goal[0]), corner(start[1], goal[1])
    free, slow = (window(bits(rows, letters), left, top) for letters in (".~", "~"))
    ends = [spot(x - left, y - top) for x, y in (start, goal)]
    return cheapest(free, slow, *ends, budget, diagonal)


def by_search(rows, start, goal, budget, diagonal):
    """The same, tile by tile."""
    costs, queue = {start: 0}, [(0, start)]
    while queue:
        spent, (x, y) = heappop(queue)
        for dx, dy in product((-1, 0, 1), repeat=2):
            there = x + dx, y + dy
            beside = (dx, dy) != (0, 0) and (diagonal or 0 in (dx, dy))
            if beside and 0 <= there[0] < len(rows[0]) and 0 <= there[1] < len(rows):
                step = {".": 1, "~": 2}.get(rows[there[1]][there[0]])
                if step and spent + step < costs.get(there, budget + 1):
                    costs[there] = spent + step
                    heappush(queue, (spent + step, there))
    return costs.get(goal, NO_WAY)


@pytest.mark.parametrize(
    "drawing, goal, expected",
    [
        ("....", (3, 0), 3),
        (".~..", (3, 0), 4),
        (".~~.", (3, 0), 5),
        (".#..", (3, 0), NO_WAY),
        (".#.. ....", (3, 0), 5),
        (".~.. ....", (2, 0), 3),
        (".~~. ....", (3, 0), 5),
    ],
)
def test_a_step_costs_one_and_onto_a_slow_tile_two(drawing, goal, expected):
    assert cost(drawing, (0, 0), goal) == expected


def test_path_over_budget_is_not_found():
    assert cost(".....", (0, 0), (4, 0), budget=4) == 4
    assert cost(".....", (0, 0), (4, 0), budget=3) == NO_WAY


def test_diagonal_steps_cost_the_same_if_allowed():
    assert cost("... ... ...", (0, 0), (2, 2)) == 4
    assert cost("... ... ...", (0, 0), (2, 2), diagonal=True) == 2


def test_rows_do_not_join_at_the_edges():
    assert cost("..# #..", (0, 0), (2, 1), budget=3) == 3
    assert cost(".## ##.", (0, 0), (2, 1)) == NO_WAY


def test_a_way_at_the_far_end_of_the_widest_map():
    assert cost("." * WIDEST, (WIDEST - 13, 0), (WIDEST - 1, 0)) == LONGEST


def test_a_tile_outside_a_window_is_not_in_it():
    assert [spot(x, y) for x, y in ((-1, 0), (0, -1), (13, 0), (0, 13))] == [(0, 0, 0, 0)] * 4


@st.composite
def maps(draw):
    """A drawing, its rows alike in length, up to a little more than what a window has room for."""
    width, height = draw(st.integers(1, 17)), draw(st.integers(1, 17))
    return draw(st.lists(st.text("....~#", min_size=width, max_size=width), min_size=height, max_size=height))


@given(maps(), st.tuples(*[st.integers(0, 16)] * 4), st.integers(1, LONGEST), st.booleans())
def test_it_finds_what_a_search_tile_by_tile_finds(rows, ends, budget, diagonal):
    width, height = len(rows[0]), len(rows)
    start, goal = (ends[0] % width, ends[1] % height), (ends[2] % width, ends[3] % height)
    far = max(abs(start[0] - goal[0]), abs(start[1] - goal[1]))
    if 0 < far <= LONGEST:
        assert cost(" ".join(rows), start, goal, budget, diagonal) == by_search(
            rows, start, goal, budget, diagonal
        )


@given(maps(), st.tuples(st.integers(0, 16), st.integers(0, 16)), st.integers(1, 9), st.booleans())
def test_spreading_finds_all_that_a_search_tile_by_tile_finds(rows, start, budget, diagonal):
    start = start[0] % len(rows[0]), start[1] % len(rows)
    free, slow = bits(rows, ".~"), bits(rows, "~")
    reach, before = [0] * len(rows), [0] * len(rows)
    reach[start[1]] = 1 << start[0]
    for _ in range(budget):
        spread(free, slow, reach, before, 0, len(rows), diagonal)
    for y, row in enumerate(rows):
        for x in range(len(row)):
            found = by_search(rows, start, (x, y), budget, diagonal) != NO_WAY
            assert (reach[y] >> x & 1 == 1) == (found or (x, y) == start)
    clear(reach, before, 0, len(rows))
    assert not any(reach) and not any(before)
