"""Rows of a view, made from columns of a state: the same values give the same dictionary, made once.

    @row
    def building(kind: int, owner: int, health: int) -> dict[str, Any]: ...

    {"buildings": rows(city.building_count, building, city.kind, city.owner, city.health)}

A view is taken after every action and compared with the one before. Most rows are as they were, and then they are
the very same object, in this view and in those of other matches: nothing to make, to compare or to keep twice. So
nobody may change a row that a view has given.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

KEPT = 1 << 15  # rows of one kind, of a few hundred bytes each; those longest not seen go first

Row = dict[str, Any]


def row(make: Callable[..., Row]) -> Callable[..., Row]:
    """Marks a function of plain numbers that makes a row: what it gives for the same numbers is made once."""
    return lru_cache(KEPT)(make)


def rows(count: int, make: Callable[..., Row], first: Sequence[Any], *others: Iterable[Any]) -> list[Row]:
    """The first `count` rows, each made of one value of each column."""
    return list(map(make, first[:count], *others))
