"""Ways over tiles that are free, slow or closed."""

from heapq import heappop, heappush
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.mechanisms.paths import NO_WAY, WIDEST, cheapest, goes_straight


def bits(rows, letters):
    return [sum((letter in letters) << x for x, letter in enumerate(row)) for row in rows]


def cost(drawing, start, goal, budget=20, diagonal=False):
    """The cheapest way over a drawing: . free, ~ slow, # closed."""
    rows = drawing.split()
    free, slow = bits(rows, ".~"), bits(rows, "~")
    reach, before = [0] * len(rows), [0] * len(rows)
    found = cheapest(free, slow, reach, before, len(rows), start, goal, budget, diagonal)
    assert not any(reach) and not any(before)
    return found


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


def test_a_way_that_costs_more_than_the_budget_is_none():
    assert cost(".....", (0, 0), (4, 0), budget=4) == 4
    assert cost(".....", (0, 0), (4, 0), budget=3) == NO_WAY


def test_diagonal_steps_are_as_cheap_where_they_are_allowed():
    assert cost("... ... ...", (0, 0), (2, 2)) == 4
    assert cost("... ... ...", (0, 0), (2, 2), diagonal=True) == 2


def test_rows_do_not_join_at_the_edges():
    assert cost("..# #..", (0, 0), (2, 1), budget=3) == 3
    assert cost(".## ##.", (0, 0), (2, 1)) == NO_WAY


def test_the_widest_map():
    assert cost("." * WIDEST, (0, 0), (WIDEST - 1, 0), budget=99) == WIDEST - 1


@given(
    st.lists(st.text("...~#", min_size=7, max_size=7), min_size=1, max_size=7),
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
    st.integers(1, 14),
    st.booleans(),
)
def test_it_finds_what_a_search_tile_by_tile_finds(rows, start, goal, budget, diagonal):
    start, goal = (start[0], start[1] % len(rows)), (goal[0], goal[1] % len(rows))
    if start != goal:
        assert cost(" ".join(rows), start, goal, budget, diagonal) == by_search(
            rows, start, goal, budget, diagonal
        )


@given(
    st.lists(st.text("...~#", min_size=7, max_size=7), min_size=1, max_size=7),
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
)
def test_a_straight_way_is_one_that_costs_no_more_than_its_steps(rows, start, goal):
    start, goal = (start[0], start[1] % len(rows)), (goal[0], goal[1] % len(rows))
    free, slow = (
        [sum(1 << x for x, tile in enumerate(row) if tile in kinds) for row in rows] for kinds in (".~", "~")
    )
    steps = abs(start[0] - goal[0]) + abs(start[1] - goal[1])
    if steps:
        straight = by_search(rows, start, goal, steps, False) == steps
        assert goes_straight(free, slow, start, goal) == straight
