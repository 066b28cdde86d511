"""Deltas: how changes to a state travel.

In a delta a list is a dictionary of its changed entries with its length under `&LEN`, and `&RM` marks a removed
value. In this package lists are Python lists: `merge` reads deltas, `changes` and `apply_news` write them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from endturn.cadre.table import News, Wire

REMOVED, LENGTH = "&RM", "&LEN"
LONGEST_LIST = 1 << 20
ABSENT = object()


def escape_removed(text: str) -> str:
    """A text that is safe to send: clients would read a text equal to the mark `&RM` as a removal."""
    return "& RM" if text == REMOVED else text


def merge(before: Any, delta: Any) -> Any:
    """Apply a delta. Dictionaries and lists in `before` are changed in place, not copied."""
    if not isinstance(delta, dict):
        return delta
    if LENGTH in delta:
        return _merge_list(before if isinstance(before, list) else [], delta)
    after: Wire = before if isinstance(before, dict) else {}
    for key, change in delta.items():
        if change == REMOVED:
            after.pop(key, None)  # the 2022 server also removes keys that its state never had
        else:
            after[key] = merge(after.get(key), change)
    return after


def _merge_list(items: list[Any], delta: Wire) -> list[Any]:
    length = delta[LENGTH]
    if type(length) is not int or not 0 <= length <= LONGEST_LIST:
        raise ValueError(f"{length!r} is not a valid list length")
    del items[length:]
    items.extend([None] * (length - len(items)))
    for key, change in delta.items():
        if key != LENGTH and change != REMOVED and int(key) < length:
            items[int(key)] = merge(items[int(key)], change)
    return items


def changes(before: Any, after: Any) -> Any:
    """The delta that turns `before` into `after`; from None, the complete first delta."""
    if isinstance(after, list):
        old = before if isinstance(before, list) else []
        made = {str(i): changes(_item(old, i), x) for i, x in enumerate(after) if _item(old, i, ABSENT) != x}
        gone = {str(i): REMOVED for i in range(len(after), len(old))}
        return {**made, **gone, LENGTH: len(after)}
    if not isinstance(after, dict):
        return after
    known = before if isinstance(before, dict) else {}
    made = {k: changes(known.get(k), x) for k, x in after.items() if k not in known or known[k] != x}
    return {**made, **{key: REMOVED for key in known if key not in after}}


def _item(items: Sequence[Any], index: int, missing: Any = None) -> Any:
    return items[index] if index < len(items) else missing


def apply_news(shown: Wire, news: Iterable[News], objects_delta: dict[str, Wire] | None = None) -> Wire:
    """Apply news to the state that clients see, and return the delta of what really changed.

    An unknown object id creates an object. `objects_delta` may already hold changes to objects, which the delta
    then includes.
    """
    objects: dict[str, Wire] = shown["gameObjects"]
    delta: Wire = {}
    changed = {} if objects_delta is None else objects_delta
    for where, name, value in news:
        target = shown if where is None else objects.get(where)
        if target is None:
            assert where is not None
            target = objects[where] = {"logs": []}
            changed[where] = {"logs": {LENGTH: 0}}
        old = target.get(name, ABSENT)
        if old is value or old == value:
            continue
        target[name] = value
        if type(value) is list:
            value = changes(None if old is ABSENT else old, value)
        if where is None:
            delta[name] = value
        elif (known := changed.get(where)) is not None:
            known[name] = value
        else:
            changed[where] = {name: value}
    if changed:
        delta["gameObjects"] = changed
    return delta
