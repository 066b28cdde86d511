"""TypeScript types for `protocol.py`, so that the browser client and the server cannot disagree.

`endturn types web/src/protocol.ts` writes them, and a test fails where that file is not current.
"""

import inspect
from typing import Any

import msgspec
from msgspec import inspect as types

from endturn import protocol

HEAD = "// Made by `endturn types` from src/endturn/protocol.py: change that file, not this one.\n"
PLAIN: dict[type, str] = {
    types.AnyType: "unknown",
    types.BoolType: "boolean",
    types.FloatType: "number",
    types.IntType: "number",
    types.NoneType: "null",
    types.StrType: "string",
}


def typescript() -> str:
    """The whole module."""
    parts = [HEAD, *_constants(), *(_interface(each) for each in structs()), *_unions()]
    return "\n".join(parts)


def structs() -> list[type[msgspec.Struct]]:
    """Every message, in the order of the file."""
    found = [each for name, each in vars(protocol).items() if inspect.isclass(each) and name[0] != "_"]
    return [each for each in found if issubclass(each, msgspec.Struct)]


def _constants() -> list[str]:
    found = [(name, value) for name, value in vars(protocol).items() if name.isupper()]
    return [f"export const {name} = {value};\n" for name, value in found if isinstance(value, int)]


def _unions() -> list[str]:
    return [
        f"export type {name} = {' | '.join(each.__name__ for each in union.__args__)};\n"
        for name, union in (("Said", protocol.Said), ("Told", protocol.Told))
    ]


def _interface(kind: type[msgspec.Struct]) -> str:
    described = types.type_info(kind)
    assert isinstance(described, types.StructType)
    lines = [f'  type: "{described.tag}";'] if described.tag is not None else []
    for field in described.fields:
        # What a client says may be left out where it has a default; what the server says is always there.
        optional = "?" if described.forbid_unknown_fields and not field.required else ""
        lines.append(f"  {field.name}{optional}: {written(field.type)};")
    told = " ".join((inspect.getdoc(kind) or "").split())
    return "\n".join([f"/** {told} */", f"export interface {kind.__name__} {{", *lines, "}\n"])


def written(kind: types.Type) -> str:
    """A type as TypeScript writes it."""
    if isinstance(kind, types.Metadata):
        return written(kind.type)
    if isinstance(kind, types.StructType):
        return kind.cls.__name__
    if isinstance(kind, types.LiteralType):
        # msgspec sorts the values; the file is to be the same every time.
        return " | ".join(msgspec.json.encode(value).decode() for value in kind.values)
    if isinstance(kind, types.UnionType):
        return " | ".join(written(each) for each in kind.types)
    if isinstance(kind, types.ListType):
        inner = written(kind.item_type)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if isinstance(kind, types.DictType):
        return f"Record<{written(kind.key_type)}, {written(kind.value_type)}>"
    return _plain(kind)


def _plain(kind: Any) -> str:
    if type(kind) not in PLAIN:
        raise TypeError(f"the protocol uses a type that has no TypeScript: {kind}")
    return PLAIN[type(kind)]
