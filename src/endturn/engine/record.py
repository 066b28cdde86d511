"""Records: one annotated class is a slotted Python object, a NumPy dtype and a row of bytes.

    @record
    class City:
        turn: i16
        seat: i8
        over: flag
        fire: Annotated[list[i8], "buildings"]      # the length comes from `sized(City, buildings=...)`

`new(City)` is all zeros; `copy`, `dump`, `load`, `digest` and `to_json` work on any record. The bytes are those of
`dtype(City)`, so a state can switch between plain and compiled rules at any moment. The layout has no holes, so
copying, hashing and comparing work on bytes.

In plain Python, a value that does not fit its field raises an error; compiled code would wrap it silently.
"""

import struct
from array import array
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from functools import cache
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import xxhash

if TYPE_CHECKING:
    import numpy


class Number(NamedTuple):
    """A type of number: its code for `struct` and `array`, its size, and its limits."""

    name: str
    code: str
    size: int
    low: float
    high: float


def _integer(name: str, code: str, size: int) -> Number:
    half = 1 << 8 * size - 1
    return Number(name, code, size, -half, half - 1)


# No unsigned numbers: in Numba, a 64-bit unsigned number plus a signed one is a float, and 3 - 5 of two unsigned
# numbers wraps. Python does neither.
I8, I16, I32, I64 = (
    _integer("i8", "b", 1),
    _integer("i16", "h", 2),
    _integer("i32", "i", 4),
    _integer("i64", "q", 8),
)
F64 = Number("f64", "d", 8, -inf, inf)
FLAG = Number("flag", "b", 1, 0, 1)

i8 = Annotated[int, I8]
i16 = Annotated[int, I16]
i32 = Annotated[int, I32]
i64 = Annotated[int, I64]
f64 = Annotated[float, F64]
flag = Annotated[bool, FLAG]

INTEGERS = I8, I16, I32, I64  # narrowest first: a number is stored in the first that holds its limits

R = TypeVar("R")


class Field(NamedTuple):
    """One field: its element (a number or a record), its lengths (empty for a single element), names for values."""

    name: str
    element: Any
    lengths: tuple[int | str, ...]
    names: type[IntEnum] | None


class FieldPlace(NamedTuple):
    """A field in a layout of known sizes."""

    name: str
    element: Any
    lengths: tuple[int, ...]
    names: type[IntEnum] | None
    offset: int
    size: int


class Layout(NamedTuple):
    """The places of all fields of a record."""

    places: tuple[FieldPlace, ...]
    size: int
    alignment: int
    scalars: tuple[FieldPlace, ...]
    packer: struct.Struct
    numbers: Callable[[Any], tuple[Any, ...]]  # the values of the scalars


def record(kind: type[R]) -> type[R]:
    """Turn an annotated class into a record, with slots, checked numbers and a known layout."""
    fields = tuple(
        _field(kind, name, hint) for name, hint in get_type_hints(kind, include_extras=True).items()
    )
    kept = {k: v for k, v in vars(kind).items() if k not in ("__dict__", "__weakref__")}
    slots = tuple(field.name for field in fields)
    body = {
        **kept,
        "__slots__": slots,
        "__fields__": fields,
        "__setattr__": _checked_assignment(kind.__name__, fields),
    }
    made = type(kind.__name__, (), body)
    if all(isinstance(length, int) for field in fields for length in field.lengths):
        layout(made)  # raises now if a field leaves a hole
    return made


def sized(kind: Any, **lengths: int) -> Any:
    """The record with its named lengths filled in: `sized(City, buildings=384)`. Equal lengths give the same class."""
    return _sized(kind, **lengths)


@cache
def _sized(kind: Any, **lengths: int) -> Any:
    fields = tuple(
        field._replace(lengths=tuple(lengths[n] if isinstance(n, str) else n for n in field.lengths))
        for field in _fields(kind)
    )
    made = type(kind.__name__, (kind,), {"__slots__": (), "__fields__": fields, "__lengths__": dict(lengths)})
    layout(made)
    return made


def _fields(kind: Any) -> tuple[Field, ...]:
    fields: tuple[Field, ...] = kind.__fields__
    return fields


def _field(kind: type, name: str, hint: Any) -> Field:
    lengths: tuple[int | str, ...] = ()
    if get_origin(hint) is Annotated and get_origin(get_args(hint)[0]) is list:
        many, said = get_args(hint)[:2]
        lengths = said if isinstance(said, tuple) else (said,)
        hint = get_args(many)[0]
        while get_origin(hint) is list:
            hint = get_args(hint)[0]
    element, names = _element(hint)
    if element is None:
        raise TypeError(f"{kind.__name__}.{name}: {hint} is not a number type of fixed size or a record")
    return Field(name, element, lengths, names)


def _element(hint: Any) -> tuple[Any, type[IntEnum] | None]:
    if get_origin(hint) is Annotated:
        parts = get_args(hint)[1:]
        names = next((part for part in parts if isinstance(part, type) and issubclass(part, IntEnum)), None)
        if names is not None:
            return _narrowest(min(names), max(names)), names
        return next((part for part in parts if isinstance(part, Number)), None), None
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return _narrowest(min(hint), max(hint)), hint
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return of_struct(hint), None
    return (hint, None) if hasattr(hint, "__fields__") else (None, None)


def _narrowest(low: int, high: int) -> Number:
    return next(number for number in INTEGERS if number.low <= low and high <= number.high)


@cache
def of_struct(kind: type[msgspec.Struct]) -> type:
    """The record for a struct of settings: each number in the narrowest field that holds its limits, without texts."""
    hints = get_type_hints(kind, include_extras=True)
    fields = [_settings_field(name, hint) for name, hint in hints.items() if not _is_text(hint)]
    fields.sort(key=lambda field: -field.element.size)  # widest first leaves no holes
    spare = -sum(field.element.size for field in fields) % max(field.element.size for field in fields)
    fields += [Field(f"spare{i}", I8, (), None) for i in range(spare)]
    names = tuple(field.name for field in fields)
    body = {"__slots__": names, "__fields__": tuple(fields), "__doc__": kind.__doc__}
    return type(kind.__name__, (), {**body, "__setattr__": _checked_assignment(kind.__name__, tuple(fields))})


def _is_text(hint: Any) -> bool:
    return hint is str or (get_origin(hint) is Annotated and get_args(hint)[0] is str)


def _settings_field(name: str, hint: Any) -> Field:
    base, limits = (get_args(hint)[0], get_args(hint)[1]) if get_origin(hint) is Annotated else (hint, None)
    if base is bool:
        return Field(name, FLAG, (), None)
    if issubclass(base, IntEnum):
        return Field(name, _narrowest(min(base), max(base)), (), base)
    if base is not int or not isinstance(limits, msgspec.Meta) or limits.ge is None or limits.le is None:
        raise TypeError(
            f"setting {name!r} must be a bool, an IntEnum, a str, or an int with limits ge= and le="
        )
    return Field(name, _narrowest(int(limits.ge), int(limits.le)), (), None)


def _checked_assignment(owner: str, fields: tuple[Field, ...]) -> Callable[[Any, str, Any], None]:
    numbers = {f.name: f.element for f in fields if isinstance(f.element, Number) and not f.lengths}

    def assign(self: Any, name: str, value: Any) -> None:
        number = numbers.get(name)
        if number is None:
            raise AttributeError(_no_such_field(owner, name, fields))
        if not number.low <= value <= number.high:
            raise OverflowError(
                f"{owner}.{name} is {number.name} ({number.low} to {number.high}): {value} does not fit"
            )
        if not isinstance(value, int) and number is not F64:
            raise TypeError(f"{owner}.{name} is {number.name}: {value!r} is not an integer")
        object.__setattr__(self, name, value)

    return assign


def _no_such_field(owner: str, name: str, fields: tuple[Field, ...]) -> str:
    if any(field.name == name for field in fields):
        return f"{owner}.{name} is part of the layout and cannot be replaced. Change its contents instead."
    return f"{owner} has no field {name!r}. Its fields: {', '.join(field.name for field in fields)}"


# --- layout -------------------------------------------------------------------------------------------------


def layout(kind: Any) -> Layout:
    """The layout of a record. Raises TypeError, naming the field, if one would leave a hole."""
    return _layout(kind)


@cache
def _layout(kind: Any) -> Layout:
    places: list[FieldPlace] = []
    offset, widest = 0, 1
    for field in _fields(kind):
        size, alignment = _measure(field)
        if offset % alignment:
            raise TypeError(
                f"{kind.__name__}.{field.name} needs an offset divisible by {alignment}, not {offset}. "
                "Put wider fields first, or a spare field before it."
            )
        lengths = tuple(int(length) for length in field.lengths)
        places.append(FieldPlace(field.name, field.element, lengths, field.names, offset, size))
        offset, widest = offset + size, max(widest, alignment)
    if offset % widest:
        last = places[-1].name
        raise TypeError(
            f"{kind.__name__} ends at byte {offset} after {last!r}, not a multiple of {widest}. Add a spare field."
        )
    scalars = tuple(p for p in places if isinstance(p.element, Number) and not p.lengths)
    packer = struct.Struct(_format(tuple(places)))
    return Layout(tuple(places), offset, widest, scalars, packer, _all_of([p.name for p in scalars]))


def _all_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The attributes of these names; of two or more at once."""
    look_up = attrgetter(*names) if names else tuple
    return look_up if len(names) > 1 else lambda made: (look_up(made),)[: len(names)]


def _measure(field: Field) -> tuple[int, int]:
    if isinstance(field.element, Number):
        size = alignment = field.element.size
    else:
        size, alignment = layout(field.element).size, layout(field.element).alignment
    for length in field.lengths:
        if not isinstance(length, int):
            raise TypeError(f"the length {length!r} of {field.name!r} is not known yet: use sized(...)")
        size *= length
    return size, alignment


def _format(places: tuple[FieldPlace, ...]) -> str:
    """A struct format that packs the single numbers and skips the rest."""
    return "<" + "".join(
        p.element.code if isinstance(p.element, Number) and not p.lengths else f"{p.size}x" for p in places
    )


def dtype(kind: Any) -> "numpy.dtype[Any]":
    """The NumPy dtype of the same bytes."""
    return _dtype(kind)


@cache
def _dtype(kind: Any) -> "numpy.dtype[Any]":
    import numpy  # noqa: PLC0415  (slow to import, and not needed for plain rules)

    rows = [(p.name, _element_dtype(p.element), p.lengths) for p in layout(kind).places]
    made = numpy.dtype(rows, align=True)
    assert made.itemsize == layout(kind).size
    return made


def _element_dtype(element: Any) -> Any:
    return f"{element.code}" if isinstance(element, Number) else dtype(element)


# --- plain objects and bytes --------------------------------------------------------------------------------


def new(kind: type[R]) -> R:
    """A record of zeros."""
    return load(kind, bytes(layout(kind).size))


def load(kind: type[R], data: bytes | bytearray | memoryview, at: int = 0) -> R:
    """The record whose bytes start at `at` in `data`."""
    plan = layout(kind)
    made = kind.__new__(kind)
    put = object.__setattr__
    numbers = plan.packer.unpack_from(data, at)
    for place, value in zip(plan.scalars, numbers, strict=True):
        put(made, place.name, value)
    for place in plan.places:
        if place.lengths or not isinstance(place.element, Number):
            put(made, place.name, _load_part(place.element, place.lengths, data, at + place.offset))
    return made


def _load_part(element: Any, lengths: tuple[int, ...], data: Any, at: int) -> Any:
    if not lengths:
        return load(element, data, at)
    count, rest = lengths[0], lengths[1:]
    if isinstance(element, Number) and not rest:
        return array(element.code, bytes(data[at : at + count * element.size]))
    each = _part_size(element, rest)
    return tuple(_load_part(element, rest, data, at + i * each) for i in range(count))


def _part_size(element: Any, lengths: tuple[int, ...]) -> int:
    size = element.size if isinstance(element, Number) else layout(element).size
    for length in lengths:
        size *= length
    return size


def store(made: Any, out: bytearray | memoryview, at: int = 0) -> None:
    """Write the record's bytes into `out`, starting at `at`."""
    data = dump(made)
    out[at : at + len(data)] = data


def dump(made: Any) -> bytes:
    """The record as bytes."""
    kind: Any = type(made)
    look_up, steps = _plan_of_dump(kind)
    values = look_up(made)
    pieces: list[Any] = []
    for packer, first, last in steps:
        if packer is not None:
            pieces.append(packer.pack(*values[first:last]))
        elif type(values[first]) is array:
            pieces.append(values[first])
        else:
            _gather(values[first], pieces)
    return b"".join(pieces)


def _gather(part: Any, pieces: list[Any]) -> None:
    """The bytes of a part of several dimensions, or of several records."""
    if isinstance(part, tuple):
        for each in part:
            _gather(each, pieces)
    else:
        pieces.append(part if isinstance(part, array) else dump(part))


_DumpStep = tuple[struct.Struct | None, int, int]  # numbers to pack and where they are; or where an array is


@cache
def _plan_of_dump(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[_DumpStep, ...]]:
    """How to write a record with few calls: a state is dumped before every action that a server plays."""
    names: list[str] = []
    steps: list[_DumpStep] = []
    packed = ""
    for name, code in [*_flat(kind, ""), ("", None)]:
        if code is None and packed:
            steps.append((struct.Struct("<" + packed), len(names) - len(packed), len(names)))
            packed = ""
        if name:
            names.append(name)
        if code is None and name:
            steps.append((None, len(names) - 1, len(names)))
        packed += code or ""
    return _all_of(names), tuple(steps)


def _flat(kind: Any, before: str) -> Iterator[tuple[str, str | None]]:
    """The single numbers of a record with their codes, in order, and its other parts without."""
    for place in layout(kind).places:
        if place.lengths:
            yield before + place.name, None
        elif isinstance(place.element, Number):
            yield before + place.name, place.element.code
        else:
            yield from _flat(place.element, f"{before}{place.name}.")


def copy(made: R) -> R:
    """An independent record with the same values."""
    return load(type(made), dump(made))


def window(kind: Any, data: memoryview) -> Any:
    """A read-only view of the record whose bytes are `data`: nothing is copied, and it changes with them."""
    made = (shape := _window(kind))()
    for place in layout(kind).places:
        part = _window_part(place.element, place.lengths, data[place.offset : place.offset + place.size])
        setattr(made, place.name if place.name in shape.__slots__ else f"_{place.name}", part)
    return made


@cache
def _window(kind: Any) -> Any:
    scalars = [place.name for place in layout(kind).scalars]
    slots = [f"_{p.name}" if p.name in scalars else p.name for p in layout(kind).places]
    body = {name: property(_first_in(attrgetter(f"_{name}"))) for name in scalars}
    return type(kind.__name__, (), {"__slots__": tuple(slots), **body})


def _first_in(column: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda made: column(made)[0]


def _window_part(element: Any, lengths: tuple[int, ...], data: memoryview) -> Any:
    if isinstance(element, Number) and len(lengths) < 2:
        return data.cast(element.code)  # type: ignore[call-overload]
    if not lengths:
        return window(element, data)
    each = len(data) // max(1, lengths[0])  # a length may be 0
    return tuple(
        _window_part(element, lengths[1:], data[i * each : (i + 1) * each]) for i in range(lengths[0])
    )


class Watched:
    """The last seen bytes of a state; finds what has changed since, quickly."""

    def __init__(self, kind: Any, data: bytes) -> None:
        import numpy  # noqa: PLC0415  (slow to import, and not needed for plain rules)

        self.data = bytearray(data)
        self._unit = "B" if len(data) % 8 else "<i8"  # compared in words of eight bytes if its size allows
        self._numbers, self._seen = numpy.frombuffer, numpy.frombuffer(self.data, self._unit)
        self._where, self._now = self.data, self._seen
        self._map = _columns_of(kind)

    def differences(self, where: Any, differing: Callable[..., int] | None = None) -> dict[str, list[int]]:
        """The entries of each field that differ from the bytes now; a single number is entry 0 of its field.

        `differing` is the entry point of compiled rules, which is faster than NumPy.
        """
        if where is not self._where:
            self._where, self._now = where, self._numbers(where, self._unit)
        if differing is None or self._unit == "B":
            return self._by_bytes()
        names, columns, found = self._map
        said: list[int] = found[: differing(self._seen, self._now, columns, found)].tolist()
        made, at, size = {}, 0, len(said)
        while at < size:
            end = said[at + 1]
            made[names[said[at]]] = said[at + 2 : end]
            at = end
        return made

    def _by_bytes(self) -> dict[str, list[int]]:
        """The same without compiled code."""
        changed = (self._seen.view("B") != self._now.view("B")).nonzero()[0]
        self._seen[:] = self._now
        names, columns, _ = self._map
        which = columns[:, 0].searchsorted(changed, "right") - 1
        entries = (changed - columns[which, 0]) // columns[which, 1]
        made: dict[str, dict[int, None]] = {}
        for column, entry in zip(which.tolist(), entries.tolist(), strict=True):
            made.setdefault(names[column], {})[entry] = None
        return {name: list(chosen) for name, chosen in made.items()}


@cache
def _columns_of(kind: Any) -> tuple[list[str], Any, Any]:
    """The names of the fields, the offset of each with the size of its entries, and room for compiled code's results.

    All states of a kind share the room: one thread reads it at once.
    """
    import numpy  # noqa: PLC0415  (slow to import, and not needed for plain rules)

    places = layout(kind).places
    columns = numpy.array([(p.offset, _part_size(p.element, ())) for p in places], numpy.int64)
    entries = sum(place.size // _part_size(place.element, ()) for place in places)
    return [place.name for place in places], columns, numpy.empty(2 * len(places) + entries, numpy.int64)


def digest(data: bytes | memoryview) -> str:
    """A checksum of bytes: 16 hexadecimal digits of xxh3."""
    return xxhash.xxh3_64_hexdigest(data)


# --- for people ---------------------------------------------------------------------------------------------


def to_json(made: Any) -> dict[str, Any]:
    """The record as dictionaries and lists, with enum values by name."""
    return {p.name: _to_json_part(getattr(made, p.name), p.names) for p in layout(type(made)).places}


def _to_json_part(value: Any, names: type[IntEnum] | None) -> Any:
    if isinstance(value, array | tuple):
        return [_to_json_part(each, names) for each in value]
    if isinstance(value, int | float):
        member = names._value2member_map_.get(value) if names is not None else None
        return value if member is None else member.name.lower()
    return to_json(value)


def from_json(kind: type[R], values: Mapping[str, Any]) -> R:
    """The record that `to_json` wrote."""
    made = new(kind)
    _fill(made, values)
    return made


def _fill(made: Any, values: Mapping[str, Any]) -> None:
    for place in layout(type(made)).places:
        value = values[place.name]
        if place.lengths:
            _fill_many(getattr(made, place.name), value, place.names)
        elif isinstance(place.element, Number):
            setattr(made, place.name, _number(value, place.names))
        else:
            _fill(getattr(made, place.name), value)


def _fill_many(part: Any, values: Any, names: type[IntEnum] | None) -> None:
    if not isinstance(values, list) or len(values) != len(part):
        raise ValueError(f"expected a list of {len(part)}, not {values!r:.50}")
    for i, value in enumerate(values):
        if isinstance(part, array):
            part[i] = _number(value, names)
        elif isinstance(value, list):
            _fill_many(part[i], value, names)
        else:
            _fill(part[i], value)


def _number(value: Any, names: type[IntEnum] | None) -> Any:
    return names[value.upper()].value if names is not None and isinstance(value, str) else value


def refit(made: R, kind: type[R]) -> R:
    """The same values in a larger layout of the same record."""
    moved = new(kind)
    for place in layout(type(made)).places:
        value = getattr(made, place.name)
        if place.lengths:
            _refit_many(getattr(moved, place.name), value)
        elif isinstance(place.element, Number):
            setattr(moved, place.name, value)
        else:
            object.__setattr__(moved, place.name, copy(value))
    return moved


def _refit_many(room: Any, values: Any) -> None:
    for i, value in enumerate(values):
        if isinstance(room, array):
            room[i] = value
        elif isinstance(value, tuple | array):
            _refit_many(room[i], value)
        else:
            _fill(room[i], to_json(value))
