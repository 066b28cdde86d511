"""Views and previews of every game have exactly the fields that their types declare."""

import msgspec
import pytest

from endturn.engine.match import Match
from endturn.engine.views import struct, type_of
from endturn.games import GAMES, find
from endturn.testing.contract import random_play

# A setting of each game that adds fields to its view, and small worlds where a view takes long.
VARIANTS = [
    *((name, {}) for name in GAMES if name != "empires"),
    ("anarchy", {"rain": True, "max_turns": 30}),
    ("catastrophe", {"moves_far": True}),
    ("snowball", {"seasons": True}),
    ("snowball", {"hidden_placement": False}),
    ("notchess", {"mode": "classic"}),
    ("notchess", {"flood": True, "drought": True, "ships": True}),
    ("empires", {"width": 24, "height": 16, "last_turn": 10}),
    ("empires", {"width": 24, "height": 16, "last_turn": 10, "seats": 4}),
]
PREVIEWED = 5  # legal actions that are previewed in each state


def audiences(match):
    return None, *range(match.game.seat_count)


@pytest.mark.parametrize("name, settings", VARIANTS)
def test_views_of_random_play_match_their_type(name, settings):
    match = Match(find(name), settings, seed=3)
    kind, checked = struct(type_of(match.game.knowledge.view)), 0
    for _ in random_play(match, 400):
        for seat in audiences(match):
            msgspec.convert(match.view(seat), kind)
            checked += 1
    for seat in audiences(match):
        msgspec.convert(match.view(seat), kind)
    assert checked > 200


@pytest.mark.parametrize("name, settings", [each for each in VARIANTS if find(each[0]).knowledge.foresee])
def test_previews_of_random_play_match_their_type(name, settings):
    match, fields = Match(find(name), settings, seed=4), set()
    foresee = match.game.knowledge.foresee
    kind = struct(type_of(foresee))
    for step, _ in enumerate(random_play(match, 300)):
        if step % 10 == 0:
            for seat in range(match.game.seat_count):
                for action in (None, *list(match.legal(seat))[:PREVIEWED]):
                    found = foresee(match.state, seat, action)
                    msgspec.convert(found, kind)
                    fields |= found.keys()
    assert fields or settings.get("moves_far")


@pytest.mark.parametrize("name", GAMES)
def test_every_field_of_a_view_is_described(name):
    knowledge = find(name).knowledge
    for made_by in (knowledge.view, knowledge.foresee):
        if made_by is not None:
            schema = msgspec.json.schema(struct(type_of(made_by)))
            for kind, each in schema["$defs"].items():
                assert each["additionalProperties"] is False and each["description"]
                undescribed = [
                    field for field, said in each["properties"].items() if not said.get("description")
                ]
                assert undescribed == [], f"{name}: {kind}"
