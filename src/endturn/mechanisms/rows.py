"""Rows of a view, made from columns of a state; unchanged rows are the same objects as before.

    rows(city.building_count, building, city.kind, city.owner, city.health)

`building` makes a row from one number of each column, ideally behind functools.lru_cache. The server takes a view after
every action and compares it with the previous one, and most rows do not change. A table is remembered by its first
column: by the object, which stays the same during a match, and by its bytes, for copies of the state. So the first
column should be one that rarely changes. Each table is made from the previous one, and only rows whose bytes differ are
made again. Therefore nobody may change a row or a list of rows of a view.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from endturn.engine import record

KEPT = 16384  # tables remembered, some kB each; beyond that, all are forgotten
NOT_ZERO = re.compile(rb"[^\0]")

R = TypeVar("R")  # a row: a dictionary, or a TypedDict


class _Table(NamedTuple):
    """The latest version of a table: its first column, all columns as bytes, and its rows."""

    source: Any
    columns: list[bytes]
    rows: list[Any]


_tables: dict[tuple[Any, ...], _Table] = {}


def rows(count: int, make: Callable[..., R], *columns: Any) -> list[R]:
    """The first `count` rows, each made of one value of each column; columns are those of a record, or arrays."""
    data, source = [column[:count].tobytes() for column in columns], columns[0]
    known = _tables.get(own := (make, id(source)))
    keys: list[tuple[Any, ...]] = [own]
    if known is None or known.source is not source or len(known.columns[0]) != len(data[0]):
        keys.append(shared := (make, count, data[0]))
        known = _tables.get(shared)
    if known is None:
        made = list(map(make, *(column[:count] for column in columns)))
    elif known.columns == data:
        return known.rows
    else:
        made = known.rows.copy()
        changed = _changed(known.columns, data, count)
        for row, other in zip(changed, _made(make, changed, columns), strict=True):
            made[row] = other
    if len(_tables) + len(keys) > KEPT:
        _tables.clear()
    _tables.update(dict.fromkeys(keys, _Table(source, data, made)))
    return made


def _made(make: Callable[..., R], chosen: list[int], columns: Sequence[Any]) -> Iterable[R]:
    """These rows; all their numbers are taken from a column at once, where there are two or more."""
    if len(chosen) < 2:
        return [make(*[column[row] for column in columns]) for row in chosen]
    return map(make, *map(itemgetter(*chosen), columns))


def _changed(before: list[bytes], after: list[bytes], many: int) -> list[int]:
    """The rows in which any column has changed."""
    found: set[int] = set()
    for old, new in zip(before, after, strict=True):
        if len(old) != len(new):
            return list(range(many))  # the type of the numbers changed
        if old != new:
            width = len(new) // many
            # Compare the columns as two long numbers: the bytes that differ are not 0 in their XOR.
            odd = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
            found.update([at.start() // width for at in NOT_ZERO.finditer(odd.to_bytes(len(new), "little"))])
    return list(found)


def facts(made: Any) -> dict[str, Any]:
    """A small record, such as settings, as a dictionary; the same object for the same values."""
    kind: Any = type(made)
    return _facts(kind, record.dump(made))


@lru_cache(1024)
def _facts(kind: type[Any], data: bytes) -> dict[str, Any]:
    return record.to_json(record.load(kind, data))
