"""Deltas, arguments as clients send them, complete states and gamelogs, with the dialect of a toy game."""

import gzip
import json
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.cadre.deltas import changes, merge
from endturn.cadre.gamelogs import BadCadreLog, read_log
from endturn.cadre.runs import LONGEST_NOTE, as_boolean, log_note, understand
from endturn.cadre.state import SessionFacts, leaver_of, session_of, verdict_on_leaving, wire
from endturn.cadre.table import Argument, Dialect, Note, Run, Verdict, WireFunction
from endturn.engine.actions import Action
from endturn.engine.answers import Malformed

# --- deltas ---


def test_delta_changes_only_the_named_values():
    state = merge({}, {"turn": 1, "gameObjects": {"2": {"fire": 3, "owner": {"id": "0"}}}})
    after = merge(state, {"gameObjects": {"2": {"fire": 2}}, "turn": 2})
    assert after == {"turn": 2, "gameObjects": {"2": {"fire": 2, "owner": {"id": "0"}}}}


def test_reference_can_change_or_become_null():
    state = merge({}, {"owner": {"id": "0"}, "tile": {"id": "9"}})
    assert merge(state, {"owner": {"id": "1"}, "tile": None}) == {"owner": {"id": "1"}, "tile": None}


def test_list_grows_by_new_entries():
    state = merge({}, {"units": {"0": {"id": "5"}, "&LEN": 1}})
    after = merge(state, {"units": {"1": {"id": "8"}, "&LEN": 2}})
    assert after["units"] == [{"id": "5"}, {"id": "8"}]


def test_list_shrinks_with_or_without_removal_marks():
    whole = {"squad": {"0": {"id": "5"}, "1": {"id": "6"}, "2": {"id": "7"}, "&LEN": 3}}
    marked = merge(merge({}, whole), {"squad": {"0": {"id": "6"}, "1": "&RM", "2": "&RM", "&LEN": 1}})
    unmarked = merge(merge({}, whole), {"squad": {"0": {"id": "6"}, "&LEN": 1}})
    assert marked == unmarked == {"squad": [{"id": "6"}]}


def test_list_can_be_emptied():
    assert merge({"squad": [{"id": "5"}]}, {"squad": {"0": "&RM", "&LEN": 0}}) == {"squad": []}


def test_removal_of_unknown_path_is_ignored():
    assert merge({"units": [1]}, {"9": "&RM", "units": {"&LEN": 1}}) == {"units": [1]}


def test_invalid_list_length_is_an_error():
    for length in (-1, "3", 1 << 40, None):
        with pytest.raises(ValueError, match="not a valid list length"):
            merge({}, {"units": {"&LEN": length}})


def test_text_equal_to_the_removal_mark_is_sent_as_a_change():
    assert changes([], ["&RM"]) == {"0": "&RM", "&LEN": 1}


leaves = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.sampled_from("abc")
names = st.sampled_from(["a", "b", "c", "id"])
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner))
states = st.dictionaries(names, values)


@given(states, states)
def test_merge_applies_changes(before, after):
    assert merge(deepcopy(before), changes(before, after)) == after


@given(states)
def test_changes_from_nothing_give_the_complete_state(state):
    assert merge({}, changes(None, state)) == state


def test_only_what_changed_is_sent():
    before = {"turn": 1, "units": [{"id": "5"}, {"id": "6"}], "food": 2.5}
    after = {"turn": 1, "units": [{"id": "6"}], "food": 2}
    assert changes(before, after) == {"units": {"0": {"id": "6"}, "1": "&RM", "&LEN": 1}, "food": 2}


# --- a game with one kind of thing ---


class Paint(Action, frozen=True):
    thing: int
    glossy: bool
    coats: int
    colour: str  # no real action has text; here it shows what was understood


PAINT = WireFunction(
    (
        Argument("thing", "Thing"),
        Argument("glossy", "boolean", False),
        Argument("coats", "int", 1),
        Argument("colour", "string", "red", ("red", "Blue")),
    ),
    lambda state, caller, thing, *rest: Paint(int(thing), *rest),
    lambda state, action, era: action.coats,
    -1,
)
TABLE = Dialect(
    name="Painting",
    aliases=(),
    version="0",
    settings={},
    parents={"Box": "Thing", "SmallBox": "Box"},
    functions={("Box", "paint"): PAINT},
    read=lambda first, settings: None,
    write=lambda state, era: {"turn": state, "gameObjects": {"0": {"food": 1}, "1": {"food": 2}}},
    verdict=lambda state, era: None,
    end_turn=Action(),
    again={},
)
OBJECTS = {
    str(i): {"gameObjectName": kind, "id": str(i)}
    for i, kind in enumerate(["Player", "Player", "Box", "SmallBox", "Cloud"])
}


def asked(era="2022", caller="2", function="paint", **args):
    return understand(TABLE, OBJECTS, None, era, Run({"id": caller}, function, args))


THING = {"id": "3"}


def test_arguments_are_read_by_name_and_have_defaults():
    assert asked(thing=THING, coats=3).said == Paint(3, False, 3, "red")


def test_object_of_a_subclass_is_accepted():
    assert asked(thing={"id": "2"}).said.thing == 2
    assert asked(thing={"id": "3"}).said.thing == 3


@pytest.mark.parametrize(
    "thing", [None, {"id": "4"}, {"id": "99"}, {"id": "3", "x": 1}, "3", 3, [], {"id": None}]
)
@pytest.mark.parametrize("era", ["2017", "2022"])
def test_wrong_object_argument_is_malformed(era, thing):
    wish = asked(era, thing=thing)
    assert isinstance(wish.said, Malformed)
    assert wish.said.reason.startswith("Box.paint()'s 'thing' arg was sent ")
    assert wish.said.reason.endswith(" - it must be a Thing.")


def test_only_2022_returns_a_value_for_a_refused_run():
    assert (asked("2022").refused, asked("2017").refused) == (-1, None)


def test_played_run_returns_the_value_of_its_function():
    assert asked(thing=THING, coats=4).returned == 4


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (True, True),
        ("TRUE", True),
        ("False", False),
        ("no", True),
        ("", False),
        (1, True),
        (0, False),
        (0.5, True),
    ],
)
@pytest.mark.parametrize("era", ["2017", "2022"])
def test_values_read_as_booleans(era, sent, meant):
    assert as_boolean(sent, era) is meant


def test_only_2017_reads_objects_and_null_as_booleans():
    assert [as_boolean(value, "2017") for value in ({"a": 1}, [], None)] == [True, True, False]
    for value in ({"a": 1}, [], None):
        with pytest.raises(ValueError, match="must be true or false"):
            as_boolean(value, "2022")


@pytest.mark.parametrize(
    ("sent", "meant"), [(3, 3), (3.9, 3), ("12 boxes", 12), ("-4", -4), ("x", 0), (True, 0), ({}, 0)]
)
def test_integers_are_read_up_to_the_first_other_character(sent, meant):
    assert asked(thing=THING, coats=sent).said.coats == meant


def test_number_beyond_32_bits_is_refused_in_2022_and_clamped_in_2017():
    assert isinstance(asked(thing=THING, coats=1 << 40).said, Malformed)
    assert asked("2017", thing=THING, coats=1 << 40).said.coats == (1 << 31) - 1


def test_choices_ignore_case_and_others_are_refused():
    assert asked(thing=THING, colour="BLUE").said.colour == "Blue"
    assert "must be one of red, Blue" in asked(thing=THING, colour="green").said.reason


def test_2017_leaves_choices_to_the_game():
    assert asked("2017", thing=THING, colour="green").said.colour == "green"


def test_2017_treats_falsy_arguments_as_missing():
    assert asked("2017", thing=THING, coats=0).said.coats == 1
    assert asked("2022", thing=THING, coats=0).said.coats == 0


def test_unknown_caller_or_function_is_malformed():
    assert asked(caller="99").said.reason == "Cannot run paint: no object {'id': '99'}."
    assert asked(function="dance").said.reason == "Box #2 has no function dance."
    assert asked(caller="4", thing=THING).said.reason == "Cloud #4 has no function paint."


@pytest.mark.parametrize("args", [None, [], "x"])
def test_arguments_may_be_omitted(args):
    wish = understand(TABLE, OBJECTS, None, "2022", Run({"id": "4"}, "log", args))
    assert wish.said == Note("4", "")


# --- beside the game ---


def session():
    return SessionFacts("here", ("Ann", "Bob"), ("Py", "C++"), [6e10, 5e10], 7, {})


def test_message_is_logged_to_its_object():
    beside = session()
    assert log_note(beside, Note("1", "hi"), "2022", at_turn=True) is None
    assert log_note(beside, Note("1", "ho"), "2022", at_turn=True) is None
    assert wire(TABLE, 3, "2022", beside, None)["gameObjects"]["1"]["logs"] == ["hi", "ho"]


def test_only_2022_refuses_messages_out_of_turn_or_too_long():
    for said, at_turn in ((Note("1", "hi"), False), (Note("1", "x" * (LONGEST_NOTE + 1)), True)):
        assert log_note(session(), said, "2022", at_turn) is not None
        assert log_note(session(), said, "2017", at_turn) is None


def test_state_shows_game_players_and_session():
    made = wire(TABLE, 3, "2022", session(), Verdict(1, "Better.", "Worse."))
    assert made["turn"] == 3 and made["session"] == "here" and made["timeAddedPerTurn"] == 7
    assert made["gameObjects"]["0"] == {
        "food": 1,
        "clientType": "Py",
        "lost": True,
        "name": "Ann",
        "opponent": {"id": "1"},
        "reasonLost": "Worse.",
        "reasonWon": "",
        "timeRemaining": 6e10,
        "won": False,
        "gameObjectName": "Player",
        "id": "0",
        "logs": [],
    }
    assert made["gameObjects"]["1"]["reasonWon"] == "Better."


def test_session_is_read_back_from_the_state():
    beside = session()
    log_note(beside, Note("0", "hi"), "2022", at_turn=True)
    assert session_of(wire(TABLE, 3, "2022", beside, None)) == beside


@pytest.mark.parametrize("era", ["2017", "2022"])
@pytest.mark.parametrize("why", ["timed out", "disconnected"])
def test_leaver_and_cause_are_read_from_the_reasons(era, why):
    verdict = verdict_on_leaving(era, 1, why == "timed out")
    assert leaver_of(wire(TABLE, 3, era, session(), verdict)) == (0, why)


def test_finished_match_has_no_leaver():
    assert leaver_of(wire(TABLE, 3, "2022", session(), Verdict(1, "Better.", "Worse."))) is None
    assert leaver_of(wire(TABLE, 3, "2022", session(), None)) is None


# --- gamelogs ---

SMALL = {"gameName": "Painting", "deltas": [{"type": "start", "game": {}}], "winners": [], "losers": []}


def test_gamelog_is_read_packed_or_not():
    text = json.dumps(SMALL).encode()
    assert read_log(text).game_name == read_log(gzip.compress(text, mtime=0)).game_name == "Painting"


def test_only_the_2022_server_wrote_a_version():
    assert read_log(json.dumps(SMALL).encode()).era == "2017"
    assert read_log(json.dumps({**SMALL, "gamelogVersion": "2.2.0"}).encode()).era == "2022"


def test_original_refusal_is_read_in_both_forms():
    entries = [{"type": "ran", "data": {"invalid": said}} for said in ("No.", {"message": "No."}, None)]
    log = read_log(json.dumps({**SMALL, "deltas": [*SMALL["deltas"], *entries]}).encode())
    assert [delta.cause.refusal for delta in log.deltas] == [None, "No.", "No.", None]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"\x1f\x8b",
        b"\x1f\x8bnot gzip at all",
        gzip.compress(json.dumps(SMALL).encode(), mtime=0)[:-9],
        json.dumps(SMALL).encode()[:-9],
        json.dumps({**SMALL, "deltas": []}).encode(),
        json.dumps({**SMALL, "deltas": [{"type": "over"}]}).encode(),
        json.dumps({**SMALL, "deltas": [{"type": "dance"}]}).encode(),
        b'{"deltas":' + b"[" * 100_000,
    ],
)
def test_invalid_gamelog_is_one_sentence(data):
    with pytest.raises(BadCadreLog) as caught:
        read_log(data)
    assert str(caught.value).startswith(("not a gamelog", "the ")) and str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
