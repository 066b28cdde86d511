"""The table of a game: its checks, actions as structs, JSON and numbers, settings, positions, choices."""

from dataclasses import replace
from enum import IntEnum
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

import toy_game
import treasure_game as treasure
from endturn.engine import record
from endturn.engine import settings as engine
from endturn.engine.actions import Action, Actions, Rule
from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Malformed, Refusal
from endturn.engine.choices import Choices
from endturn.engine.game import Outcome, Text
from endturn.engine.match import Match
from endturn.engine.rule import kernels, rule
from endturn.engine.settings import SettingsError, describe_settings, settings_to_json
from treasure_game import Bet, Bounty, Dig, Direction, EndTurn, Leave, Mark, Settings, Swim, Why

GAME = treasure.game
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(Swim, st.sampled_from(Direction), st.integers(1, 3)),
    st.just(Dig()),
    st.builds(Bet, st.booleans()),
    st.builds(Mark, st.integers(-(1 << 31) + 1, (1 << 31) - 1)),
    st.just(EndTurn()),
    st.builds(Leave, st.sampled_from(Why)),
)


# --- the table ----------------------------------------------------------------------------------------------


def test_unmarked_rule_is_an_error_that_names_it():
    def unmarked(shore: Any, seat: int) -> int:
        return 0

    for act in Rule(unmarked, treasure.dig), Rule(None, unmarked):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"unmarked.*@rule"):
            Actions({**GAME.actions, Dig: act})


def test_an_action_with_more_than_four_fields_is_an_error_that_names_it():
    class Crowded(Action, frozen=True):
        a: int
        b: int
        c: int
        d: int
        e: int

    with pytest.raises(TypeError, match="Crowded"):
        Actions({**GAME.actions, Crowded: Rule(None, treasure.dig)})


def test_every_game_has_a_sentence_for_what_every_game_can_refuse():
    assert {MATCH_OVER, NOT_YOUR_TURN} <= set(toy_game.game.text.refusals)


def test_a_games_own_sentence_for_a_common_refusal_counts():
    own = Refusal("X9", "Too late.")
    assert Text(refusals={MATCH_OVER: own}).refusals[MATCH_OVER] == own


def test_only_actions_without_dice_secrets_and_leave_at_any_time_can_be_undone():
    undoable = {kind for kind in GAME.actions if GAME.actions.can_be_undone(kind)}
    assert undoable == {Swim, Mark, EndTurn}


@pytest.mark.parametrize(
    ("places", "winner"), [((1, 2), 0), ((2, 1), 1), ((1, 1), None), ((3, 1, 2), 1), ((1, 1, 3), None)]
)
def test_the_winner_is_the_one_seat_in_first_place(places, winner):
    assert Outcome("over", places, ("",) * len(places)).winner == winner


# --- actions ------------------------------------------------------------------------------------------------


@given(ACTIONS)
def test_an_action_survives_as_numbers(action):
    row = GAME.actions.pack(action)
    assert len(row) == 5 and all(type(number) is int for number in row)
    again = GAME.actions.unpack(row)
    assert again == action and type(again) is type(action)
    assert [type(value) for value in msgspec.structs.astuple(again)] == [
        type(value) for value in msgspec.structs.astuple(action)
    ]


@given(ACTIONS)
def test_an_action_survives_as_json_and_as_text(action):
    assert GAME.actions.parse(GAME.actions.to_json(action)) == action
    assert GAME.actions.parse(msgspec.json.encode(GAME.actions.to_json(action))) == action
    assert GAME.actions.parse(msgspec.json.encode(action).decode()) == action
    assert GAME.actions.parse(action) == action


def test_json_of_an_action_has_its_name_and_enumerations_by_name():
    assert GAME.actions.to_json(Swim(Direction.RIGHT, 2)) == {"do": "swim", "direction": "right", "steps": 2}
    assert GAME.actions.to_json(EndTurn()) == {"do": "end_turn"}
    assert GAME.actions.to_json(Leave(Why.TIMED_OUT)) == {"do": "leave", "why": "timed_out"}


def test_fields_with_a_default_can_be_left_out():
    assert GAME.actions.parse({"do": "bet"}) == Bet(double=False)
    assert GAME.actions.parse({"do": "leave"}) == Leave(Why.RESIGNED)


def test_an_action_of_another_game_is_malformed():
    assert isinstance(GAME.actions.parse(toy_game.Roll()), Malformed)


def test_parsing_does_not_change_what_was_said():
    said = {"do": "swim", "direction": "right", "steps": 1}
    GAME.actions.parse(said)
    assert said == {"do": "swim", "direction": "right", "steps": 1}


@pytest.mark.parametrize("number", [(1 << 31) - 1, -(1 << 31) + 1])
def test_numbers_of_31_bits_are_understood(number):
    assert GAME.actions.parse({"do": "mark", "number": number}) == Mark(number)


@pytest.mark.parametrize("number", [1 << 31, -(1 << 31) - 1, 1 << 62, 1 << 63, 1 << 64, 10**40])
def test_numbers_beyond_31_bits_are_malformed_at_their_place(number):
    answer = GAME.actions.parse({"do": "mark", "number": number})
    assert isinstance(answer, Malformed) and "number" in answer.reason


# --- choices by number --------------------------------------------------------------------------------------


def test_without_a_numbering_of_its_own_every_action_is_an_option_of_one_piece():
    match = Match(toy_game.game, seed=1)
    assert toy_game.game.choices.every == ((0, 0, 0, 0, 0), (1, 0, 0, 0, 0))
    assert toy_game.game.choices.option_count(match.state) == 2
    assert list(match.legal(0)) == [toy_game.Roll()]


class Tower(IntEnum):
    EAST = 2
    WEST = 7


class Climb(Action, frozen=True):
    tower: Tower
    floor: Annotated[int, Meta(ge=-1, le=1)]
    quickly: bool = False


@rule
def climb(shore: treasure.Shore, seat: int, tower: int, floor: int, quickly: int) -> None:
    shore.mark = tower


def test_a_games_numbered_choices_are_all_values_within_limits_and_no_others():
    made = replace(
        GAME,
        actions=Actions({Climb: Rule(None, climb), Leave: GAME.actions[Leave]}),
        choices=Choices(),
        rules=replace(GAME.rules, default_action=Climb(Tower.EAST, 0)),
    )
    wanted = [
        Climb(tower, floor, quickly) for tower in Tower for floor in (-1, 0, 1) for quickly in (False, True)
    ]
    state = treasure.setup(Settings(), 1)
    choices = [
        made.actions.unpack(made.choices.row(state, 0, option))
        for option in range(made.choices.option_count(state))
    ]
    assert sorted(map(str, choices)) == sorted(map(str, wanted))


def test_an_action_whose_values_have_no_limits_needs_a_numbering_of_the_games_own():
    with pytest.raises(TypeError, match="Mark has more than 4096 values"):
        replace(GAME, choices=Choices())


def test_legal_asks_the_refusals_it_is_given():
    state = treasure.setup(Settings(), 1)
    assert list(GAME.legal(state, 0, lambda *_: 4)) == []
    refuse = kernels(GAME, "plain").refuse
    assert list(GAME.legal(state, 0, refuse, piece=1)) == [EndTurn()]


# --- settings -----------------------------------------------------------------------------------------------


def test_the_first_profile_is_the_default():
    assert GAME.configure() == GAME.configure("official") == Settings()


def test_a_profile_and_single_values_are_joined_and_the_values_win():
    assert GAME.configure("long") == Settings(max_turns=40, bounty=Bounty.POOR)
    assert GAME.configure("long", {"max_turns": 9}) == Settings(max_turns=9, bounty=Bounty.POOR)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({"max_turns": "12"}, Settings(max_turns=12)),
        ({"bounty": "poor"}, Settings(bounty=Bounty.POOR)),
        ({"bounty": "POOR"}, Settings(bounty=Bounty.POOR)),
        ({"bounty": Bounty.POOR}, Settings(bounty=Bounty.POOR)),
        ({"together": "yes"}, Settings(together=True)),
        ({"together": "true"}, Settings(together=True)),
        ({"together": "0"}, Settings(together=False)),
        ({"together": True}, Settings(together=True)),
    ],
)
def test_settings_can_be_texts_as_a_command_line_has_them(values, wanted):
    made = GAME.configure(values=values)
    assert made == wanted and type(made.bounty) is Bounty and type(made.together) is bool


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"depth": 3}, ["'depth'", "max_turns, bounty, together"]),
        ({"max_turns": 0}, ["max_turns", "1 to 1000", "0"]),
        ({"max_turns": 1001}, ["max_turns", "1 to 1000", "1001"]),
        ({"max_turns": "many"}, ["max_turns", "'many'"]),
        ({"max_turns": 1.5}, ["max_turns", "1.5"]),
        ({"max_turns": None}, ["max_turns"]),
        ({"max_turns": "9" * 5000}, ["max_turns"]),
        ({"max_turns": [1]}, ["max_turns"]),
        ({"bounty": "huge"}, ["bounty", "poor or rich", "'huge'"]),
        ({"bounty": 99}, ["bounty", "poor or rich"]),
        ({"together": "maybe"}, ["together", "true or false", "'maybe'"]),
    ],
)
def test_wrong_setting_is_an_error_with_the_fix(values, words):
    with pytest.raises(SettingsError) as caught:
        GAME.configure(values=values)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_unknown_profile_is_an_error_that_lists_the_profiles():
    with pytest.raises(SettingsError, match="'short'.*official, long"):
        GAME.configure("short")


def test_settings_survive_as_json():
    chosen = Settings(max_turns=9, bounty=Bounty.POOR, together=True)
    assert settings_to_json(chosen) == {"max_turns": 9, "bounty": "poor", "together": True}
    assert GAME.configure(values=settings_to_json(chosen)) == chosen


class Titled(engine.Settings, frozen=True, kw_only=True):
    """Settings with a text."""

    title: Annotated[str, engine.text(5, "what it is called")] = "none"
    turns: Annotated[int, engine.number(1, 9, "how long")] = 2


def test_a_setting_can_be_a_text_of_limited_length():
    titled = replace(GAME, settings=Titled, profiles={"official": {}})
    assert titled.configure(values={"title": "a = b"}).title == "a = b"
    told = describe_settings(Titled)[0]
    assert tuple(told) == ("title", "a text of at most 5 characters", "none", "what it is called")
    for wrong, words in (("abcdef", ". This one has 6."), (7, ", not 7."), (None, ", not None.")):
        with pytest.raises(SettingsError, match=f"title must be a text of at most 5 characters{words}"):
            titled.configure(values={"title": wrong})


def test_a_state_has_no_room_for_texts():
    assert [field.name for field in record.of_struct(Titled).__fields__] == ["turns"]  # type: ignore[attr-defined]


def test_every_setting_is_described_with_choices_default_and_help():
    assert [tuple(setting) for setting in describe_settings(Settings)] == [
        ("max_turns", "a whole number from 1 to 1000", "6", "turns until the gold is counted"),
        ("bounty", "poor or rich", "rich", "how much gold there is"),
        ("together", "true or false", "False", "both seats act in every turn"),
    ]


# --- positions ----------------------------------------------------------------------------------------------


def test_a_position_survives_as_a_line_of_text():
    match = Match(GAME, seed=5)
    for action in Swim(Direction.RIGHT, 2), Dig(), Bet(double=True), Mark(42):
        match.submit(0, action)
    text = GAME.text.write(match.state)
    assert "\n" not in text
    assert record.dump(GAME.parse_position(text)) == match.dump()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "{}",
        "[]",
        "5",
        "null",
        '{"mark":1}',
        '{"mark":"a"}',
        "[" * 5000,
        '{"mark":' + "9" * 400 + "}",
    ],
)
def test_invalid_position_is_an_error(text):
    with pytest.raises(ValueError, match="not a position of Treasure"):
        GAME.parse_position(text)


@pytest.mark.parametrize("field", ["mark", "place", "settings", "gold"])
@pytest.mark.parametrize("value", [None, "x", 10**12, [1] * 50, [], [1], {}, [[]], 1.5])
def test_a_position_with_a_wrong_value_is_an_error_that_says_so(field, value):
    said = {**record.to_json(treasure.setup(Settings(), 1)), field: value}
    with pytest.raises(ValueError, match="not a position of Treasure"):
        GAME.parse_position(msgspec.json.encode(said).decode())
