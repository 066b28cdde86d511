"""The difference between two views, and how to apply it.

A view is made of dictionaries, lists and plain values. A delta is a list that says what to do with the old one:

    []                          nothing changed
    [value]                     it is now this value
    [{key: delta, ...}, [key, ...]]     a dictionary: keys that changed or came, and keys that went
    [{"3": delta, ...}, length]         a list: entries that changed or came, and how long it is now

    >>> patch({"turn": 1, "fire": [0, 3]}, diff({"turn": 1, "fire": [0, 3]}, {"turn": 2, "fire": [0, 2, 9]}))
    {'turn': 2, 'fire': [0, 2, 9]}
"""

from itertools import compress, count
from operator import is_not
from typing import Any

Delta = list[Any]
_ABSENT = object()


def diff(before: Any, after: Any) -> Delta:
    """What changed from one view to the next."""
    if before is after:  # views share what has not changed
        return []
    if before == after and type(before) is type(after):
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        return [_parts(before, after), [key for key in before if key not in after]]
    if isinstance(before, list) and isinstance(after, list):
        return [_entries(before, after), len(after)]
    return [after]


def _parts(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Delta]:
    """The keys of a dictionary that changed or came."""
    changed = {}
    for key, value in after.items():
        old = before.get(key, _ABSENT)
        if old is not value and (part := [value] if old is _ABSENT else diff(old, value)):
            changed[key] = part
    return changed


def _entries(before: list[Any], after: list[Any]) -> dict[str, Delta]:
    """The entries of a list that changed or came."""
    others = compress(count(), map(is_not, before, after))  # most entries are the same objects
    changed = {str(i): part for i in others if (part := diff(before[i], after[i]))}
    return changed | {str(i): [after[i]] for i in range(len(before), len(after))}


def patch(before: Any, delta: Delta) -> Any:
    """The view after the change; the one before is left as it was."""
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
