"""What clients run, and the actions they mean by it."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from endturn.cadre.deltas import escape_removed
from endturn.cadre.state import SessionFacts, find_object
from endturn.cadre.table import Argument, Dialect, Era, Note, Run, Wire, WireFunction
from endturn.engine.actions import Action
from endturn.engine.answers import Malformed

LONGEST_NOTE = 16384  # characters in a logged message, 2022
INT_LIMIT = 1 << 31
NESTED = dict, list
PLAIN_KINDS = {"boolean", "int", "string"}  # other kinds of arguments are classes of objects

LOG = WireFunction(
    (Argument("message", "string", ""),),
    lambda state, caller, message: Note(caller, message),
    lambda state, action, era: None,
    None,
)


class Request(NamedTuple):
    """What a client wants, and the value to return if it is played or refused."""

    said: Action | Note | Malformed
    returned: Any = None
    refused: Any = None


def understand(dialect: Dialect, objects: Mapping[str, Wire], state: Any, era: Era, run: Run) -> Request:
    """What a client wants to run; its action is Malformed if the caller, function or arguments are wrong."""
    caller = find_object(run.caller, objects)
    if caller is None:
        return Request(Malformed(f"Cannot run {run.function_name:.50}: no object {run.caller!r:.50}."))
    kind, number = caller["gameObjectName"], caller["id"]
    function = function_of(dialect, kind, run.function_name)
    if function is None:
        return Request(Malformed(f"{kind} #{number} has no function {run.function_name:.50}."))
    said = action_for(dialect, objects, state, era, run, number, function)
    returned = None if isinstance(said, Malformed) else function.returns(state, said, era)
    return Request(said, returned, function.refused if era == "2022" else None)


def function_of(dialect: Dialect, kind: str, name: str) -> WireFunction | None:
    """The function of this name that clients can run on objects of a class, if there is one."""
    return LOG if name == "log" else dialect.functions.get((kind, name))


def action_for(
    dialect: Dialect,
    objects: Mapping[str, Wire],
    state: Any,
    era: Era,
    run: Run,
    caller: str,
    function: WireFunction,
) -> Action | Note | Malformed:
    """The action that a run with a known caller and function stands for."""
    sent = run.args if type(run.args) is dict else {}
    number = None if function is LOG else dialect.number
    values: list[Any] = [caller if number is None else number(state, objects, caller)]
    for name, kind, default, choices in function.arguments:
        value = sent.get(name, default)
        if era == "2017" and not value and not isinstance(value, NESTED):
            value = default  # that server treated every falsy value as missing
        try:
            if kind in PLAIN_KINDS:
                value = _plain(value, kind, choices, era)
            else:
                value = _object_id(dialect, kind, value, objects)
                value = value if number is None else number(state, objects, value)
        except ValueError as error:
            said = f"{objects[caller]['gameObjectName']}.{run.function_name}()'s '{name}' arg was sent"
            return Malformed(f"{said} {_shown(sent.get(name, default), objects)} - it {error}.")
        values.append(value)
    return function.action(state, *values)


def log_note(session: SessionFacts, note: Note, era: Era, at_turn: bool) -> str | None:
    """Log a message to an object, or say why not. The 2017 server accepted any message at any time."""
    if era == "2022" and not at_turn:
        return "Messages can only be logged during your own turn."
    if era == "2022" and len(note.message) > LONGEST_NOTE:
        return f"Message too long: {len(note.message)} characters. The limit is {LONGEST_NOTE}."
    session.notes[note.to] = [*session.notes.get(note.to, []), escape_removed(note.message)]
    return None


def _shown(value: Any, objects: Mapping[str, Wire]) -> str:
    """An argument as the original server printed it in its sentences."""
    named = find_object(value, objects)
    if named is None:
        return msgspec.json.encode(value).decode()[:50]
    name = f' "{named["name"]}"' if named["gameObjectName"] == "Player" else ""
    return f"{named['gameObjectName']}{name} #{named['id']}"


# --- arguments ----------------------------------------------------------------------------------------------


def _plain(value: Any, kind: str, choices: tuple[str, ...], era: Era) -> Any:
    if kind == "boolean":
        return as_boolean(value, era)
    if kind == "int":
        return _whole(value, era)
    return _text(value, choices if era == "2022" else (), era)


def as_boolean(value: Any, era: Era) -> bool:
    """Convert a value to a boolean as the original servers did. Raises ValueError if the 2022 server refuses it."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower(), value != "")
    if isinstance(value, bool | int | float):
        return bool(value)
    if era == "2022":
        raise ValueError("must be true or false")
    return value is not None


def _whole(value: Any, era: Era) -> int:
    if type(value) is int and -INT_LIMIT <= value < INT_LIMIT:
        return value  # what nearly all clients send
    text = str(int(value)) if isinstance(value, float) else str(value)
    digits = re.match(r"\s*([+-]?\d+)", text)
    number = int(digits[1]) if digits else 0
    if era == "2022" and not -INT_LIMIT <= number < INT_LIMIT:
        raise ValueError("must fit in 32 bits")
    return max(-INT_LIMIT, min(number, INT_LIMIT - 1))


def _text(value: Any, choices: tuple[str, ...], era: Era) -> str:
    if era == "2022" and isinstance(value, NESTED):
        raise ValueError("must be a string")
    said = "" if value is None else value if isinstance(value, str) else msgspec.json.encode(value).decode()
    if not choices or said in choices:
        return said
    chosen = next((choice for choice in choices if choice.lower() == said.lower()), None)
    if chosen is None:
        raise ValueError(f"must be one of {', '.join(choices)}")
    return chosen


def _object_id(dialect: Dialect, kind: str, value: Any, objects: Mapping[str, Wire]) -> str:
    named = find_object(value, objects)
    if named is None or not _inherits(dialect, named["gameObjectName"], kind):
        raise ValueError(f"must be a {kind}")
    said: str = named["id"]
    return said


def _inherits(dialect: Dialect, kind: str | None, wanted: str) -> bool:
    while kind is not None and kind != wanted:
        kind = dialect.parents.get(kind)
    return kind is not None
