"""The difference between two views, and how to apply it.

A view consists of dictionaries, lists and plain values. A delta is a list that tells how to change the old view:

    []                          no change
    [value]                     replace it with this value
    [{key: delta, ...}, [key, ...]]     a dictionary: changed and new keys, then removed keys
    [{"3": delta, ...}, length]         a list: changed and new entries, then the new length

    >>> patch({"turn": 1, "fire": [0, 3]}, diff({"turn": 1, "fire": [0, 3]}, {"turn": 2, "fire": [0, 2, 9]}))
    {'turn': 2, 'fire': [0, 2, 9]}
"""

from collections.abc import Iterator
from itertools import compress, count
from operator import is_not
from typing import Any

Delta = list[Any]
PIECE = 32  # entries of a list compared at once
_ABSENT = object()


def diff(before: Any, after: Any) -> Delta:
    """The delta from one view to the next."""
    if before is after:  # views share unchanged parts
        return []
    kind = type(after)
    if kind is not type(before):
        return [after]
    if kind is dict:
        return _parts(before, after)
    if kind is list:
        entries = _entries(before, after)
        return [entries, len(after)] if entries or len(before) != len(after) else []
    return [] if before == after else [after]


def _parts(before: dict[str, Any], after: dict[str, Any]) -> Delta:
    """The changed and new keys of a dictionary, and the removed ones."""
    changed, known, kept = {}, before.get, len(after)
    for key, value in after.items():
        old = known(key, _ABSENT)
        if old is value or old == value:
            continue
        if old is _ABSENT:
            changed[key] = [value]
            kept -= 1
        elif part := diff(old, value):
            changed[key] = part
    gone = [key for key in before if key not in after] if kept < len(before) else []
    return [changed, gone] if changed or gone else []


def _entries(before: list[Any], after: list[Any]) -> dict[str, Delta]:
    """The changed and new entries of a list."""
    changed = {}
    for i in _others(before, after):
        if part := diff(before[i], after[i]):
            changed[str(i)] = part
    return changed | {str(i): [after[i]] for i in range(len(before), len(after))}


def _others(before: list[Any], after: list[Any]) -> Iterator[int]:
    """The entries that are not the same objects. Most are, so whole pieces are compared first."""
    for first in range(0, min(len(before), len(after)), PIECE):
        old, new = before[first : first + PIECE], after[first : first + PIECE]
        if old != new:
            yield from compress(count(first), map(is_not, old, new))


def patch(before: Any, delta: Delta) -> Any:
    """The new view. The old one does not change."""
    if not delta:
        return before
    if len(delta) == 1:
        return delta[0]
    changed, rest = delta
    if isinstance(rest, int):
        return _patch_list(before, changed, rest)
    kept = {key: value for key, value in before.items() if key not in rest}
    return {**kept, **{key: patch(kept.get(key), part) for key, part in changed.items()}}


def _patch_list(before: list[Any], changed: dict[str, Delta], length: int) -> list[Any]:
    after = before[:length] + [None] * (length - len(before))
    for index, part in changed.items():
        after[int(index)] = patch(after[int(index)], part)
    return after
