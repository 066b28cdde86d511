"""Records: layout, bytes, range checks and JSON, on layouts drawn by chance and on a few written down."""

import struct
from array import array
from enum import IntEnum
from typing import Annotated, Any

import msgspec
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toy_game
from endturn.engine import record
from endturn.engine.record import f64, flag, i8, i16, i32, i64
from endturn.engine.rule import kernels, missing


class Colour(IntEnum):
    RED = 0
    GREEN = 1
    BLUE = 2


class Altitude(IntEnum):
    ABYSS = -4000
    SHORE = 0
    PEAK = 8000


class Rank(IntEnum):
    """An enumeration without a zero, which every new record holds all the same."""

    PAWN = 1
    ROOK = 5


@record.record
class Point:
    x: i16
    y: i16


@record.record
class Piece:
    """Something on a board."""

    at: Point
    price: i32
    colour: Colour
    taken: flag
    spare: Annotated[list[i8], 2]

    def is_cheap(self) -> bool:
        return self.price < 10


@record.record
class Board:
    clock: f64
    pieces: Annotated[list[Piece], "pieces"]
    cells: Annotated[list[list[i16]], (2, "cells")]
    colours: Annotated[list[Colour], 8]


# --- layouts by chance --------------------------------------------------------------------------------------

NUMBERS: dict[str, tuple[Any, int]] = {
    "i1": (i8, 1),
    "i2": (i16, 2),
    "i4": (i32, 4),
    "i8": (i64, 8),
    "f8": (f64, 8),
}
POINT = numpy.dtype([("x", "i2"), ("y", "i2")], align=True)
KINDS: list[tuple[Any, Any, int]] = [
    *((hint, code, size) for code, (hint, size) in NUMBERS.items()),
    (flag, "i1", 1),
    (Colour, "i1", 1),
    (Altitude, "i2", 2),
    (Point, POINT, 2),
]
LENGTHS = st.lists(st.integers(1, 3), max_size=3).map(tuple)
FIELDS = st.lists(st.tuples(st.sampled_from(KINDS), LENGTHS), min_size=1, max_size=7)


def annotated(hint: Any, lengths: tuple[int, ...]) -> Any:
    many = hint
    for _ in lengths:
        many = list[many]
    return Annotated[many, lengths] if lengths else hint


def class_of(fields: list[tuple[Any, tuple[int, ...]]]) -> type:
    hints = {f"field{n}": annotated(kind[0], lengths) for n, (kind, lengths) in enumerate(fields)}
    return type("Drawn", (), {"__annotations__": hints})


def aligned_dtype(fields: list[tuple[Any, tuple[int, ...]]]) -> Any:
    rows = [(f"field{n}", kind[1], lengths) for n, (kind, lengths) in enumerate(fields)]
    return numpy.dtype(rows, align=True)


def bytes_in(fields: list[tuple[Any, tuple[int, ...]]]) -> int:
    return sum(numpy.dtype((kind[1], lengths)).itemsize for kind, lengths in fields)


@st.composite
def tight_records(draw: st.DrawFn) -> type:
    """A record whose fields leave no hole: the widest first, spares behind."""
    fields = sorted(draw(FIELDS), key=lambda field: -field[0][2])
    spares = -bytes_in(fields) % max(kind[2] for kind, _ in fields)
    return record.record(class_of(fields + [(KINDS[0], ())] * spares))


def number_values(element: record.Number, names: type[IntEnum] | None) -> st.SearchStrategy[Any]:
    if names is not None:
        return st.sampled_from([member.name.lower() for member in names])
    if element is record.F64:
        return st.floats(allow_nan=False, allow_infinity=False)
    return st.integers(int(element.low), int(element.high))


def json_values(kind: type) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({p.name: json_part(p) for p in record.layout(kind).places})


def json_part(place: record.FieldPlace) -> st.SearchStrategy[Any]:
    number = isinstance(place.element, record.Number)
    part = number_values(place.element, place.names) if number else json_values(place.element)
    for length in reversed(place.lengths):
        part = st.lists(part, min_size=length, max_size=length)
    return part


@given(FIELDS)
def test_a_layout_is_refused_exactly_where_the_aligned_dtype_has_holes(fields):
    expected = aligned_dtype(fields)
    if expected.itemsize == bytes_in(fields):
        assert record.layout(record.record(class_of(fields))).size == expected.itemsize
    else:
        with pytest.raises(TypeError, match=r"field\d"):
            record.record(class_of(fields))


@given(tight_records(), st.data())
def test_bytes_survive_load_and_dump(kind, data):
    raw = data.draw(st.binary(min_size=record.layout(kind).size, max_size=record.layout(kind).size))
    assert record.dump(record.load(kind, raw)) == raw


@given(tight_records())
def test_the_dtype_has_every_field_where_the_layout_says(kind):
    places = {place.name: (place.offset, place.size) for place in record.layout(kind).places}
    fields = record.dtype(kind).fields
    assert {name: (field[1], field[0].itemsize) for name, field in fields.items()} == places
    assert record.dtype(kind).itemsize == record.layout(kind).size


@given(tight_records(), st.data())
def test_the_dtype_reads_the_same_values_as_load(kind, data):
    made = record.from_json(kind, data.draw(json_values(kind)))
    row = numpy.frombuffer(record.dump(made), record.dtype(kind))[0]
    for place in record.layout(kind).places:
        assert plain_values(row[place.name]) == plain_values(getattr(made, place.name))


def plain_values(part: Any) -> Any:
    if isinstance(part, numpy.ndarray | numpy.void) and part.dtype.names:
        many = part if part.shape else [part]
        return [plain_values(part[i]) for i in range(len(many))] if part.shape else plain_row(part)
    if isinstance(part, numpy.ndarray):
        return part.tolist()
    if isinstance(part, array):
        return list(part)
    if isinstance(part, tuple):
        return [plain_values(each) for each in part]
    return part if isinstance(part, int | float | numpy.generic) else (part.x, part.y)


def plain_row(row: Any) -> Any:
    return tuple(row[name] for name in row.dtype.names)


@given(tight_records(), st.data())
def test_json_survives_both_ways(kind, data):
    said = data.draw(json_values(kind))
    text = msgspec.json.encode(record.to_json(record.from_json(kind, said)))
    again = record.from_json(kind, msgspec.json.decode(text))
    assert record.to_json(again) == said


@given(tight_records(), st.data())
def test_a_copy_has_the_same_bytes_and_a_life_of_its_own(kind, data):
    made = record.from_json(kind, data.draw(json_values(kind)))
    before = record.dump(made)
    other = record.copy(made)
    assert record.dump(other) == before
    record._fill(other, record.to_json(record.new(kind)))
    assert record.dump(made) == before


# --- layout, in words ---------------------------------------------------------------------------------------


def test_a_hole_before_a_field_is_an_error_that_names_the_field():
    with pytest.raises(TypeError, match=r"Gap\.wide.*divisible by 4.*not 1"):
        record.record(type("Gap", (), {"__annotations__": {"narrow": i8, "wide": i32}}))


def test_a_hole_at_the_end_is_an_error_that_names_the_last_field():
    with pytest.raises(TypeError, match="'narrow'"):
        record.record(type("Gap", (), {"__annotations__": {"wide": i32, "narrow": i8}}))


def test_a_hole_that_comes_with_a_length_is_an_error_that_names_the_field():
    kind = record.record(
        type("Row", (), {"__annotations__": {"many": Annotated[list[i8], "many"], "wide": i16}})
    )
    assert record.layout(record.sized(kind, many=4)).size == 6
    with pytest.raises(TypeError, match=r"Row\.wide"):
        record.sized(kind, many=3)


@pytest.mark.parametrize("hint", [int, str, list[int], bytes, Annotated[int, "wide"]])
def test_a_field_without_a_fixed_size_is_an_error_that_names_it(hint):
    with pytest.raises(TypeError, match=r"Loose\.what"):
        record.record(type("Loose", (), {"__annotations__": {"what": hint}}))


def test_a_layout_with_an_open_length_asks_for_it():
    with pytest.raises(TypeError, match="'pieces'"):
        record.new(Board)


def test_enumerations_lie_in_the_narrowest_number_that_holds_them():
    kind = record.record(
        type("Names", (), {"__annotations__": {"height": Altitude, "colour": Colour, "spare": i8}})
    )
    assert [place.size for place in record.layout(kind).places] == [2, 1, 1]


def test_a_record_is_slotted_and_keeps_its_methods_and_docstring():
    piece = record.new(Piece)
    assert not hasattr(piece, "__dict__")
    assert piece.is_cheap() and Piece.__doc__ == "Something on a board."


# --- values that do not fit ---------------------------------------------------------------------------------


@record.record
class Wide:
    big: i64
    real: f64
    middle: i32
    short: i16
    small: i8
    yes: flag
    bigs: Annotated[list[i64], 1]
    middles: Annotated[list[i32], 1]
    shorts: Annotated[list[i16], 1]
    smalls: Annotated[list[i8], 1]
    spare: Annotated[list[i8], 1]


LIMITS = {"big": 63, "middle": 31, "short": 15, "small": 7}


@pytest.mark.parametrize(("name", "bits"), LIMITS.items())
def test_the_ends_of_a_numbers_range_fit_and_come_back(name, bits):
    wide = record.new(Wide)
    for value in -(1 << bits), (1 << bits) - 1:
        setattr(wide, name, value)
        getattr(wide, name + "s")[0] = value
        again = record.copy(wide)
        assert getattr(again, name) == value and getattr(again, name + "s")[0] == value


@pytest.mark.parametrize(("name", "bits"), LIMITS.items())
def test_a_value_beyond_a_numbers_range_is_an_error_that_names_field_and_range(name, bits):
    wide = record.new(Wide)
    for value in -(1 << bits) - 1, 1 << bits, 10**400:
        with pytest.raises(OverflowError, match=rf"Wide\.{name} .*{(1 << bits) - 1}"):
            setattr(wide, name, value)
    assert getattr(wide, name) == 0


@pytest.mark.parametrize(("name", "bits"), LIMITS.items())
def test_a_value_beyond_the_range_is_an_error_in_an_array_too(name, bits):
    part = getattr(record.new(Wide), name + "s")
    for value in -(1 << bits) - 1, 1 << bits:
        with pytest.raises(OverflowError):
            part[0] = value
    assert part[0] == 0


def test_counting_past_the_end_of_a_field_is_an_error():
    wide = record.new(Wide)
    wide.small = 127
    with pytest.raises(OverflowError, match=r"Wide\.small"):
        wide.small += 1


@pytest.mark.parametrize("value", [2, -1])
def test_a_flag_is_only_zero_or_one(value):
    with pytest.raises(OverflowError, match=r"Wide\.yes"):
        record.new(Wide).yes = value


@pytest.mark.parametrize("value", [1.5, 1.0, "1", None])
def test_a_whole_number_field_takes_nothing_but_whole_numbers(value):
    wide = record.new(Wide)
    with pytest.raises(TypeError):
        wide.short = value
    with pytest.raises(TypeError):
        wide.shorts[0] = value


def test_unknown_field_is_an_error_that_lists_the_fields():
    with pytest.raises(AttributeError, match=r"'z'.*x, y"):
        record.new(Point).z = 1  # type: ignore[attr-defined]


def test_parts_of_the_layout_cannot_be_replaced():
    piece = record.new(Piece)
    with pytest.raises(AttributeError, match=r"Piece\.at"):
        piece.at = record.new(Point)
    with pytest.raises(AttributeError, match=r"Piece\.spare"):
        piece.spare = [1, 2]


def test_an_index_behind_an_arrays_end_is_an_error():
    with pytest.raises(IndexError):
        record.new(Piece).spare[2] = 1


# --- bytes --------------------------------------------------------------------------------------------------


def small_board() -> Any:
    board = record.new(record.sized(Board, pieces=2, cells=2))
    board.clock = 2.5
    board.pieces[1].at.x, board.pieces[1].colour, board.cells[1][0] = -2, Colour.BLUE, 7
    board.colours[3] = Colour.GREEN
    return board


def test_new_is_all_zeros():
    kind = record.sized(Board, pieces=4, cells=2)
    assert record.dump(record.new(kind)) == bytes(record.layout(kind).size)


def test_store_writes_at_its_place_and_nowhere_else():
    board = small_board()
    size = len(record.dump(board))
    out = bytearray(b"\xaa" * (size + 5))
    record.store(board, out, 3)
    assert out == b"\xaa" * 3 + record.dump(board) + b"\xaa" * 2


def test_load_reads_from_its_place():
    board = small_board()
    again = record.load(type(board), b"\xaa" * 3 + record.dump(board) + b"\xbb", 3)
    assert record.to_json(again) == record.to_json(board)


def test_load_of_too_few_bytes_is_an_error():
    board = small_board()
    for short in 1, len(record.dump(board)):
        with pytest.raises(struct.error):
            record.load(type(board), record.dump(board)[:-short])


def test_the_digest_is_xxh3_in_sixteen_digits():
    assert record.digest(b"") == "2d06800538d394c2"  # the published value for no bytes at all
    assert record.digest(record.dump(record.new(Point))) != record.digest(record.dump(record.new(Piece)))


def test_a_change_in_any_byte_changes_the_digest():
    data = record.dump(small_board())
    altered = [data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :] for i in range(len(data))]
    assert len({record.digest(each) for each in [data, *altered]}) == len(data) + 1


# --- JSON for people ----------------------------------------------------------------------------------------


def test_json_has_enumerations_by_name_and_nested_records_as_dictionaries():
    said = record.to_json(small_board())
    assert said["pieces"][1] == {
        "at": {"x": -2, "y": 0},
        "price": 0,
        "colour": "blue",
        "taken": 0,
        "spare": [0, 0],
    }
    assert said["colours"] == ["red"] * 3 + ["green"] + ["red"] * 4
    assert said["cells"] == [[0, 0], [7, 0]] and said["clock"] == 2.5


def test_json_shows_a_value_without_a_name_as_its_number():
    kind = record.record(
        type("Box", (), {"__annotations__": {"rank": Rank, "more": Annotated[list[Rank], 2]}})
    )
    box = record.new(kind)
    box.more[1] = Rank.ROOK
    assert record.to_json(box) == {"rank": 0, "more": [0, "rook"]}
    assert record.dump(record.from_json(kind, record.to_json(box))) == record.dump(box)


def test_json_with_a_value_that_does_not_fit_is_an_error():
    with pytest.raises(OverflowError, match=r"Point\.x"):
        record.from_json(Point, {"x": 40000, "y": 0})


def test_json_with_an_unknown_name_or_a_missing_field_is_an_error():
    said = record.to_json(small_board())
    with pytest.raises(KeyError):
        record.from_json(type(small_board()), {**said, "colours": ["red"] * 7 + ["mauve"]})
    with pytest.raises(KeyError):
        record.from_json(Point, {"x": 1})


# --- settings as records, and roomier layouts ---------------------------------------------------------------


class Choices(msgspec.Struct, frozen=True):
    quick: bool = False
    size: Annotated[int, msgspec.Meta(ge=1, le=300)] = 10
    colour: Colour = Colour.RED
    depth: Annotated[int, msgspec.Meta(ge=-100000, le=5)] = 0


def test_settings_become_a_record_without_holes_in_the_narrowest_fields():
    kind = record.of_struct(Choices)
    sizes = {place.name: place.size for place in record.layout(kind).places}
    assert (sizes["quick"], sizes["size"], sizes["colour"], sizes["depth"]) == (1, 2, 1, 4)
    assert record.dtype(kind).itemsize == record.layout(kind).size == sum(sizes.values())


def test_a_setting_without_limits_is_an_error_that_names_it():
    class Endless(msgspec.Struct):
        turns: int = 1

    with pytest.raises(TypeError, match="'turns'"):
        record.of_struct(Endless)


def test_refit_moves_every_value_into_a_larger_layout():
    board = small_board()
    roomy = record.refit(board, record.sized(Board, pieces=4, cells=6))
    said, before = record.to_json(roomy), record.to_json(board)
    assert said["pieces"][:2] == before["pieces"] and said["colours"] == before["colours"]
    assert [row[:2] for row in said["cells"]] == before["cells"] and said["clock"] == before["clock"]
    empty = record.to_json(record.new(type(roomy)))
    assert said["pieces"][2:] == empty["pieces"][2:] and said["cells"][1][2:] == [0] * 4


# --- looking without a copy, and what has changed ---


def wall():
    made = record.new(record.sized(Wall, cells=3))
    made.turn, made.at.x, made.cells[1], made.rows[1][2] = 7, -2, 5, 9
    return made


@record.record
class Wall:
    turn: i16
    spare: i16
    at: Point
    cells: Annotated[list[i32], "cells"]
    rows: Annotated[list[list[i16]], (2, "cells")]


def test_window_follows_the_bytes():
    made = wall()
    data = bytearray(record.dump(made))
    seen = record.window(type(made), memoryview(data))
    assert (seen.turn, seen.at.x, list(seen.cells), list(seen.rows[1])) == (7, -2, [0, 5, 0], [0, 0, 9])
    made.turn, made.cells[2] = 8, -1
    data[:] = record.dump(made)
    assert (seen.turn, list(seen.cells)) == (8, [0, 5, -1])


@record.record
class Gate:
    turn: i16
    spare: i16
    at: Annotated[list[Point], "points"]
    rows: Annotated[list[list[i16]], ("points", 2)]


def test_window_of_an_empty_list_is_empty():
    made = record.new(record.sized(Gate, points=0))
    made.turn = 5
    seen = record.window(type(made), memoryview(record.dump(made)))
    assert (seen.turn, len(seen.at), len(seen.rows)) == (5, 0, 0)


def test_differences_name_fields_and_entries():
    before, made = record.dump(wall()), wall()
    watched = record.Watched(type(made), before)
    assert watched.differences(before) == {}
    made.turn, made.at.y, made.cells[0], made.cells[2], made.rows[1][0] = 300, 1, 1 << 20, -1, 4
    found = watched.differences(record.dump(made))
    assert found == {"turn": [0], "at": [0], "cells": [0, 2], "rows": [3]}


@pytest.mark.skipif(missing("compiled") is not None, reason=str(missing("compiled")))
@pytest.mark.parametrize("many", [0, 1, 2, 5, 40, 400, 1608])
def test_compiled_differences_equal_plain_differences(many):
    differing, kind = kernels(toy_game.game, "compiled").differing, record.sized(Wall, cells=200)
    luck = numpy.random.default_rng(many)
    before, where = luck.bytes(1608), bytearray(1608)  # whole words of eight
    one, other = record.Watched(kind, before), record.Watched(kind, before)
    for _ in range(3):
        now = numpy.frombuffer(bytes(one.data), "B").copy()
        now[luck.permutation(1608)[:many]] ^= 1
        where[:] = now.tobytes()
        found = one.differences(where, differing)
        assert found == other.differences(where) and sum(map(len, found.values())) <= many
        assert bool(found) == bool(many) and one.data == other.data == where


def test_differences_are_found_where_bytes_change_in_their_place():
    made = wall()
    where = bytearray(record.dump(made))
    watched = record.Watched(type(made), bytes(where))
    made.cells[1] = -7
    where[:] = record.dump(made)
    assert watched.differences(where) == {"cells": [1]}
    assert watched.differences(where) == {}
    made.turn = 9
    where[:] = record.dump(made)
    assert watched.differences(where) == {"turn": [0]}
    assert watched.data == where
