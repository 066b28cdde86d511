"""TypedDicts of views as strict structs and JSON schemas."""

from enum import IntEnum
from typing import Annotated, NotRequired, TypedDict

import msgspec
import pytest

from endturn.engine.views import schema, struct, type_of


class Colour(IntEnum):
    RED = 0
    DARK_BLUE = 1


class Piece(TypedDict):
    """A piece."""

    colour: Annotated[str, Colour, "Its colour."]
    goal: NotRequired[Annotated[int, "Where it goes."]]


class Board(TypedDict):
    """A board."""

    pieces: Annotated[list[Piece | None], "The pieces."]
    wind: Annotated[dict[str, float], "The wind."]


def view(state: object, seat: int | None) -> Board:
    return {"pieces": [{"colour": "dark_blue", "goal": 3}, {"colour": "red"}, None], "wind": {"north": 0.5}}


def untyped(state: object, seat: int | None) -> dict[str, object]:
    return {}


def test_view_that_matches_its_type_passes():
    board = msgspec.convert(view(None, 0), struct(Board))
    assert board.pieces[0].goal == 3 and board.pieces[1].goal is msgspec.UNSET


@pytest.mark.parametrize(
    "changed",
    [
        {"pieces": []},
        {"pieces": [], "wind": {}, "rain": 1},
        {"pieces": [{"colour": "green"}], "wind": {}},
        {"pieces": [{"colour": "red", "goal": None}], "wind": {}},
        {"pieces": [{"colour": "red", "size": 1}], "wind": {}},
        {"pieces": [], "wind": {"north": "strong"}},
    ],
    ids=["missing field", "unknown field", "unknown name", "null", "unknown nested field", "wrong value"],
)
def test_view_that_differs_from_its_type_is_an_error(changed):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(changed, struct(Board))


def test_schema_describes_every_field():
    made = schema(view)["$defs"]["Piece"]
    assert made["description"] == "A piece." and made["required"] == ["colour"]
    assert made["properties"]["colour"]["enum"] == ["dark_blue", "red"]
    assert made["properties"]["goal"] == {"type": "integer", "description": "Where it goes."}


def test_view_without_a_type_is_any_object():
    assert type_of(untyped) is None
    assert schema(untyped)["type"] == "object"
