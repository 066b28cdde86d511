"""Tests views, observations, notation and pictures of Anarchy."""

import json
from pathlib import Path

import pytest
from rich.text import Text

from endturn.engine.actions import Leave, Why
from endturn.engine.answers import Malformed
from endturn.engine.match import Match
from endturn.games import anarchy
from endturn.games.anarchy import game
from endturn.games.anarchy.actions import (
    EndTurn,
    Extinguish,
    Ignite,
    Intensify,
    KeepTurn,
    Raid,
    Rotate,
)
from endturn.games.anarchy.notation import settings_of
from endturn.games.anarchy.view import AHEAD, PER_BUILDING, SHARED
from endturn.testing.play import act
from games.anarchy.drawing import begin, draw

rule = pytest.mark.rule

PROFILES = ["official", "2017", "2022"]
PLAIN = (  # the example of the README
    "anarchy 0 seat 0 bribes 10,10 bonus 0,0 wind 0,1 hq 0,1 end 0,0,-1 set max_turns=2 "
    "| w0,3,4,300 w1,36,4,300 | N3 N3"
)


def in_the_middle(profile: str, seed: int, actions: int = 400) -> Match:
    """Return a match between random players after some actions."""
    match = Match(game, game.configure(profile), seed=seed)
    for when in range(actions):
        if not match.to_act():
            break
        seat = match.to_act()[0]
        match.submit(seat, match.random_action(seat, seed, when))
    return match


# --- the view -----------------------------------------------------------------------------------------------


def test_view_shows_everything():
    seen = game.knowledge.view(draw("h w*5@7! F:40 H", "E3 W4", bribes="3,8", bonus="0,2", max_turns=2), 0)
    assert seen["buildings"][1] == {
        "kind": "warehouse",
        "owner": 0,
        "x": 1,
        "y": 0,
        "health": 100,
        "fire": 5,
        "exposure": 7,
        "bribed": True,
    }
    assert [(b["kind"], b["owner"], b["health"]) for b in seen["buildings"][2:]] == [
        ("fire_department", 1, 40),
        ("warehouse", 1, 300),
    ]
    assert seen["forecasts"] == [
        {"direction": "east", "intensity": 3, "controlled_by": 0},
        {"direction": "west", "intensity": 4, "controlled_by": 1},
    ]
    assert (seen["turn"], seen["seat"], seen["bribes"], seen["bonus"]) == (0, 0, [3, 8], [0, 2])
    assert (seen["headquarters"], seen["current_forecast"], seen["next_forecast"]) == ([0, 3], 0, 1)
    assert (seen["ended"], seen["winner"]) == ("going_on", -1)
    assert seen["settings"]["max_turns"] == 2 and seen["settings"]["bonus_bribes"] == "once"


@pytest.mark.parametrize("profile", PROFILES)
def test_both_seats_and_spectators_see_the_same_and_it_is_json(profile):
    match = in_the_middle(profile, 5)
    views = [match.view(seat) for seat in (0, 1, None)]
    assert views[0] == views[1] == views[2] == json.loads(json.dumps(views[0]))


def test_view_does_not_change_afterwards():
    match = begin("w F")
    before = match.view(0)
    act(match, Ignite(0, 1))
    assert before["buildings"][1]["fire"] == 0 and match.view(0)["buildings"][1]["fire"] == 3
    assert before["bribes"] == [10, 10] and match.view(0)["bribes"] == [9, 10]


def test_view_shows_how_the_match_ended():
    match = begin("h:3*3 H")
    act(match, EndTurn())
    assert (match.view()["ended"], match.view()["winner"]) == ("headquarters_burned", 1)


# --- as numbers ---------------------------------------------------------------------------------------------


def observed(match: Match, seat: int) -> list[int]:
    assert game.knowledge.observe is not None and game.knowledge.observation_size is not None
    out = [-99] * game.knowledge.observation_size(match.state)
    game.knowledge.observe(match.state, seat, out)
    return [int(number) for number in out]


def test_observation_starts_with_shared_numbers():
    match = begin("h:250 w H:40 S", "E3 W4", turn=1, bribes="3,8", bonus="1,2", max_turns=9)
    assert observed(match, 0)[:SHARED] == [1, 8, 3, 1, 250, 40, 4, 0]
    assert observed(match, 1)[:SHARED] == [1, 8, 8, 2, 40, 250, 4, 1]


def test_observation_looks_ahead_from_the_current_forecast():
    match = begin("w", "N1 E2 S3 W4 N5 E6 S7 W8", turn=1, max_turns=8)
    assert observed(match, 0)[SHARED : SHARED + 2 * AHEAD] == [1, 2, 2, 3, 3, 4, 0, 5, 1, 6, 2, 7]


def test_observation_ends_with_the_last_forecast():
    match = begin("w", "N1 E2 S3 W4", turn=2, max_turns=4)
    assert observed(match, 0)[SHARED : SHARED + 2 * AHEAD] == [2, 3, 3, 4] + [-1, 0] * 4


def test_observation_has_nine_numbers_per_building():
    match = begin(". w*5@7!\nF:40 . S\nh . H")
    first = SHARED + 2 * AHEAD
    rows = [
        [observed(match, seat)[first + PER_BUILDING * b : first + PER_BUILDING * (b + 1)] for b in range(5)]
        for seat in (0, 1)
    ]
    assert rows[0] == [
        [1, 0, 0, 1, 0, 100, 5, 7, 1],
        [0, 1, 1, 0, 0, 40, 0, 0, 0],
        [2, 1, 3, 0, 0, 100, 0, 0, 0],
        [0, 2, 0, 1, 1, 300, 0, 0, 0],
        [2, 2, 0, 0, 1, 300, 0, 0, 0],
    ]
    assert [row[3] for row in rows[1]] == [0, 1, 1, 0, 1]
    assert [row[:3] + row[4:] for row in rows[1]] == [row[:3] + row[4:] for row in rows[0]]


def test_observation_fits_the_batch_array():
    match = Match(game, game.configure("2022", {"map_width": 100, "map_height": 100}), seed=2)
    assert all(-32768 <= number <= 32767 for number in observed(match, 1))
    assert len(observed(match, 0)) >= SHARED + 2 * AHEAD + PER_BUILDING * match.state.building_count


# --- as a line of text --------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("actions", [0, 60, 700])
def test_position_round_trips(profile, seed, actions):
    state = in_the_middle(profile, seed, actions).state
    text = game.text.write(state)
    assert "\n" not in text
    again = game.parse_position(text)
    assert game.text.write(again) == text
    assert game.storage.dump(again) == game.storage.dump(state)


def test_finished_position_round_trips():
    match = in_the_middle("official", 3)
    act(match, Leave(Why.TIMED_OUT))
    again = game.parse_position(game.text.write(match.state))
    assert game.storage.dump(again) == match.dump()
    assert game.rules.outcome(again) == match.outcome


def test_settings_round_trip():
    chosen = game.configure("2022", {"max_turns": 7, "max_fire": 50, "map_width": 6, "fire_fade": 0})
    text = game.text.write(game.rules.setup(chosen, 1))
    assert settings_of(game.parse_position(text)) == chosen


def test_notation_example_of_the_readme_round_trips():
    assert PLAIN in Path(anarchy.__file__).with_name("README.md").read_text()
    assert game.text.write(game.parse_position(PLAIN)) == PLAIN


def test_match_continues_from_a_position_unchanged():
    match = in_the_middle("official", 8, actions=100)
    again = Match(game, match.settings, seed=8, start=game.parse_position(game.text.write(match.state)))
    when = 0
    while match.to_act():
        seat, when = match.to_act()[0], when + 1
        action = match.random_action(seat, 8, when)
        assert match.submit(seat, action) == again.submit(seat, action)
    assert when > 100
    assert match.dump() == again.dump()


def test_trailing_zeros_of_a_building_are_omitted():
    text = game.text.write(draw("w w*5 w@7 w!", max_turns=2))
    assert " w0,0,0,100 w0,1,0,100,5 w0,2,0,100,0,7 w0,3,0,100,0,0,1 " in text


def test_only_changed_settings_are_written():
    assert " set |" in game.text.write(draw("w"))
    assert " set max_turns=2 generator=stacked |" in game.text.write(
        draw("w", max_turns=2, generator="stacked")
    )


NOT_POSITIONS = {
    "nothing": "",
    "a word": "hello",
    "another game": PLAIN.replace("anarchy", "chess"),
    "no forecasts": PLAIN.rsplit("|", 1)[0],
    "a part too many": PLAIN + " | N3",
    "no such kind": PLAIN.replace("w0", "x0"),
    "no such direction": PLAIN.replace("N3 N3", "N3 Q3"),
    "no number": PLAIN.replace("300", "many"),
    "too much health": PLAIN.replace("300", "99999"),
    "a number too many": PLAIN.replace("300 w1", "300,0,0,0,1 w1"),
    "no such ending": PLAIN.replace("end 0", "end 9"),
    "no such decision": PLAIN.replace("end 0,0", "end 0,9"),
    "no such setting": PLAIN.replace("max_turns", "max_fun"),
    "a setting out of range": PLAIN.replace("max_turns=2", "max_turns=0"),
    "half a pair": PLAIN.replace("bribes 10,10", "bribes 10"),
    # These can be parsed, but rules would read missing entries.
    "no such seat": PLAIN.replace("seat 0", "seat 2"),
    "no such owner": PLAIN.replace("w0,3", "w5,3"),
    "a headquarters that is not there": PLAIN.replace("hq 0,1", "hq 0,7"),
    "a headquarters below all": PLAIN.replace("hq 0,1", "hq 0,-3"),
    "a headquarters of the other seat": PLAIN.replace("hq 0,1", "hq 1,0"),
    "a forecast that is not there": PLAIN.replace("wind 0,1", "wind 0,9"),
    "a forecast too many": PLAIN.replace("N3 N3", "N3 N3 N3"),
    "a cell east of the map": PLAIN.replace("w1,36", "w1,40"),
    "a cell south of the map": PLAIN.replace("w1,36,4", "w1,36,20"),
    "a cell north of the map": PLAIN.replace("w1,36,4", "w1,36,-1"),
    "too much fire": PLAIN.replace("300 w1", "300,21 w1"),
    "more exposure than there is room for": PLAIN.replace("300 w1", "300,0,32767 w1"),
    "health below nothing": PLAIN.replace("w0,3,4,300", "w0,3,4,-1"),
}


@pytest.mark.parametrize("text", NOT_POSITIONS.values(), ids=NOT_POSITIONS)
def test_invalid_position_is_a_clear_error(text):
    with pytest.raises(ValueError, match="^not a position of Anarchy: .+"):
        game.parse_position(text)


# --- as a picture -------------------------------------------------------------------------------------------


def picture(match: Match) -> list[str]:
    """Return the terminal picture without colours."""
    return [line.rstrip() for line in Text.from_markup(game.text.show(match.state)).plain.splitlines()]


def test_picture_shows_every_kind_fires_ruins_and_gaps():
    match = begin("h w*5 f*12\n. P:0*3 S\nH W .", "E3 N0", map_width=4, map_height=4)
    assert picture(match)[1:5] == ["h w5f*·", "· X3S ·", "H W · ·", "· · · ·"]


def test_picture_has_a_row_for_each_row_of_the_map():
    match = Match(game, seed=2)
    rows = picture(match)[1:21]
    assert len(rows) == 20 and all(len(row) <= 80 for row in rows)
    shown = sum(letter in "hwfps" for row in rows for letter in row.lower())
    assert shown == match.state.building_count


def test_picture_is_coloured_by_owner():
    shown = game.text.show(draw("f F"))
    assert "[red]f[/]" in shown and "[blue]F[/]" in shown


def test_picture_shows_turn_wind_and_seat_to_act():
    title = picture(begin("w", "N0 E3 S10 W1", turn=1))[0]
    assert "Turn 1 of 300" in title and "→3" in title and "↓10" in title and "Blue to act" in title


def test_picture_shows_the_end_and_the_winner():
    match = begin("h H:3*3", "W2 E2", turn=1, max_turns=2)
    assert "next –" in picture(match)[0]
    act(match, EndTurn())
    assert "Red has won" in picture(match)[0]


def test_picture_shows_the_standing_of_both_seats():
    red, blue = picture(begin("h:90 w:0 f:60 H W:7", bribes="4,9"))[-4:-2]
    assert " ".join(red.split()) == "Red headquarters 90 buildings 2 of 3 health 150 bribes 4"
    assert " ".join(blue.split()) == "Blue headquarters 300 buildings 2 of 2 health 307 bribes 9"


@pytest.mark.parametrize("profile", PROFILES)
def test_every_state_of_a_match_can_be_shown(profile):
    for actions in (0, 300, 5000):
        assert len(picture(in_the_middle(profile, 9, actions))) == 1 + 20 + 2 + 2


# --- how it ended, in words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "drawing, how, winner, reasons",
    [
        (
            "h H:3*3",
            "headquarters_burned: headquarters_fall",
            0,
            ("Red burned down the enemy headquarters.", "Blue lost its headquarters."),
        ),
        (
            "h:3*3 H W",
            "headquarters_burned: headquarters_fall",
            1,
            ("Red lost its headquarters.", "Blue burned down the enemy headquarters."),
        ),
        (
            "h:3*3 w H:3*3",
            "both_headquarters_burned: buildings_standing",
            0,
            (
                "Both headquarters burned down: Red has more buildings left.",
                "Both headquarters burned down: Blue has fewer buildings left.",
            ),
        ),
        (
            "h:9 H",
            "turn_limit: headquarters_damage",
            1,
            (
                "The turn limit was reached: Red did less damage to the enemy headquarters.",
                "The turn limit was reached: Blue did more damage to the enemy headquarters.",
            ),
        ),
        (
            "h w:2 H W:1",
            "turn_limit: health_sum",
            0,
            (
                "The turn limit was reached: Red has more health left in its buildings.",
                "The turn limit was reached: Blue has less health left in its buildings.",
            ),
        ),
    ],
)
def test_each_seat_gets_a_reason_for_winning_or_losing(drawing, how, winner, reasons):
    match = begin(drawing, max_turns=1)
    assert match.outcome is None
    act(match, EndTurn())
    assert match.outcome == (how, (1, 2) if winner == 0 else (2, 1), reasons)
    assert match.outcome.winner == winner


def test_both_seats_learn_of_the_coin_toss():
    match = begin("h H", max_turns=1)
    act(match, EndTurn())
    outcome = match.outcome
    assert outcome is not None and outcome.winner is not None
    assert outcome.how == "turn_limit: coin"
    assert "won the toss of a coin" in outcome.reasons[outcome.winner]
    assert "lost the toss of a coin" in outcome.reasons[1 - outcome.winner]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "why, words",
    [(Why.RESIGNED, "resigned"), (Why.TIMED_OUT, "ran out of time"), (Why.DISCONNECTED, "disconnected")],
)
def test_both_seats_learn_who_left_and_how(seat, why, words):
    match = begin("h H")
    match.submit(seat, Leave(why))
    assert match.outcome is not None and match.outcome.winner == 1 - seat
    assert match.outcome.reasons[seat] == f"{game.seats[seat]} {words}."
    assert words in match.outcome.reasons[1 - seat] and "wins" in match.outcome.reasons[1 - seat]


# --- actions in words and in JSON ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action, said",
    [
        (Ignite(3, 17), {"do": "ignite", "warehouse": 3, "building": 17}),
        (Extinguish(3, 17), {"do": "extinguish", "fire_department": 3, "building": 17}),
        (Raid(3, 17), {"do": "raid", "police_department": 3, "warehouse": 17}),
        (Rotate(3, True), {"do": "rotate", "weather_station": 3, "counterclockwise": True}),
        (Intensify(3), {"do": "intensify", "weather_station": 3, "negative": False}),
        (EndTurn(), {"do": "end_turn"}),
        (KeepTurn(), {"do": "keep_turn"}),
        (Leave(Why.TIMED_OUT), {"do": "leave", "why": "timed_out"}),
    ],
    ids=lambda part: part["do"] if isinstance(part, dict) else "",
)
def test_actions_are_parsed_from_json(action, said):
    assert game.actions.to_json(action) == said
    assert game.actions.parse(said) == game.actions.parse(json.dumps(said)) == action


@pytest.mark.parametrize(
    "said", [{"do": "dance"}, {"do": "ignite", "warehouse": 1}, {"do": "leave", "why": "bored"}]
)
def test_invalid_action_is_malformed(said):
    assert isinstance(game.actions.parse(said), Malformed)
