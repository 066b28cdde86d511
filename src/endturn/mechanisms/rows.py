"""Rows of a view, made from columns of a state: what has not changed is the same object as before.

    rows(city.building_count, building, city.kind, city.owner, city.health)

`building` makes a row of one number from each column, best behind functools.lru_cache. A view is taken after every
action and compared with the one before; most of its rows are as they were, in this match and in others. They are made
once, by pieces of a table, so that there is next to nothing to make, to compare or to keep twice. So nobody may change
a row that a view has given.
"""

from collections.abc import Callable
from typing import Any

PIECE = 32  # rows that are looked up together
KEPT = 4096  # pieces that are remembered, of some kB each; then all are forgotten

Row = dict[str, Any]
_kept: dict[tuple[Any, ...], list[Row]] = {}


def rows(count: int, make: Callable[..., Row], *columns: Any) -> list[Row]:
    """The first `count` rows, each made of one value of each column; columns are those of a record, or arrays."""
    made: list[Row] = []
    for start in range(0, count, PIECE):
        end = min(start + PIECE, count)
        parts = [column[start:end] for column in columns]
        key = (make, *[part.tobytes() for part in parts])
        found = _kept.get(key)
        made += found if found is not None else _made(key, make, parts)
    return made


def _made(key: tuple[Any, ...], make: Callable[..., Row], parts: list[Any]) -> list[Row]:
    if len(_kept) >= KEPT:
        _kept.clear()
    made = _kept[key] = list(map(make, *parts))
    return made
