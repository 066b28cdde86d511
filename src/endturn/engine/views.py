"""The types of views: a TypedDict per game, and the msgspec struct that is made from it.

A view is a plain dictionary, because rows that did not change must stay the same objects (`mechanisms/rows.py`). Its
type is a TypedDict, so mypy checks the function that makes the view, at no cost at run time. `Annotated` describes
each field with a sentence, and with an enum or a settings class if the field holds their names or their fields:

    class Building(TypedDict):
        kind: Annotated[str, Kind, "The kind of the building."]

    def view(city: City, seat: int | None) -> CityView: ...

`struct` turns a TypedDict into a strict msgspec struct. The JSON schema, the TypeScript interfaces, the pages in
docs/views and the tests of views all use that struct.
"""

import inspect
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec


def type_of(made_by: Callable[..., Any]) -> Any:
    """The TypedDict that a function of views or previews returns; None if it has none."""
    kind = get_type_hints(made_by).get("return")
    return kind if is_typeddict(kind) else None


@cache
def struct(kind: Any) -> type[msgspec.Struct]:
    """The strict struct of a TypedDict: unknown fields are errors."""
    fields = [_field(name, hint) for name, hint in get_type_hints(kind, include_extras=True).items()]
    return _made(kind.__name__, fields, kind)


def schema(made_by: Callable[..., Any]) -> dict[str, Any]:
    """The JSON schema of the views that a function returns; any object if it declares no type."""
    kind = type_of(made_by)
    found = msgspec.json.schema(struct(kind)) if kind else {"type": "object"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def _made(name: str, fields: list[Any], kind: Any) -> type[msgspec.Struct]:
    doc = {"__doc__": inspect.getdoc(kind)}
    return msgspec.defstruct(name, fields, kw_only=True, forbid_unknown_fields=True, namespace=doc)


def _field(name: str, hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is NotRequired:
        return name, _type(get_args(hint)[0]) | msgspec.UnsetType, msgspec.UNSET
    return name, _type(hint)


def _type(hint: Any) -> Any:
    """The type of a field, with the parts of `Annotated` as msgspec knows them."""
    if is_typeddict(hint):
        return struct(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _described(parts[0], parts[1:])
    if origin in (Union, UnionType):
        return Union[tuple(_type(part) for part in parts)]  # noqa: UP007  (the parts are known at run time only)
    if origin in (list, dict):
        return origin[tuple(_type(part) for part in parts)]
    return hint


def _described(hint: Any, notes: tuple[Any, ...]) -> Any:
    texts = [note for note in notes if isinstance(note, str)]
    kinds: list[Any] = [note for note in notes if isinstance(note, type)]
    inner = _named(kinds[0]) if kinds else _type(hint)
    return Annotated[inner, msgspec.Meta(description=" ".join(texts))] if texts else inner


def _named(kind: Any) -> Any:
    """One of an enum's names, in lower case; or the settings of a match."""
    if issubclass(kind, IntEnum):
        return Literal[tuple(name.lower() for name in kind.__members__)]
    return _settings(kind)


@cache
def _settings(kind: Any) -> type[msgspec.Struct]:
    """The settings that a state holds: all but texts. A flag may be 0 or 1, as in a state read from bytes."""
    hints = get_type_hints(kind, include_extras=True)
    fields = [
        (name, _setting(*get_args(hint))) for name, hint in hints.items() if get_args(hint)[0] is not str
    ]
    return _made(kind.__name__, fields, kind)


def _setting(plain: Any, *notes: Any) -> Any:
    inner = _named(plain) if issubclass(plain, IntEnum) else bool | int if plain is bool else plain
    return Annotated[inner, *notes]
