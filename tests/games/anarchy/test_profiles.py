"""Tests the three profiles of Anarchy, and that each row of *Deviations* is one setting."""

import re
from pathlib import Path
from typing import Any

import pytest

from endturn.engine.match import Match
from endturn.engine.settings import SettingsError, describe_settings, settings_to_json
from endturn.games import anarchy
from endturn.games.anarchy import game
from endturn.games.anarchy.actions import EndTurn, Extinguish, Ignite, Intensify, KeepTurn, Raid, Rotate
from endturn.games.anarchy.state import Decision, Direction, Ending
from endturn.testing.play import act, refused
from games.anarchy.drawing import begin, fires

rule = pytest.mark.rule

OFFICIAL = {
    "max_turns": 300,
    "map_width": 40,
    "map_height": 20,
    "base_bribes": 10,
    "building_health": 100,
    "headquarters_factor": 3,
    "max_fire": 20,
    "warehouse_fire": 3,
    "fire_fade": 1,
    "extinguish_removes": 2,
    "exposure_fade": 10,
    "max_intensity": 10,
    "generator": "spaced",
    "weak_forecasts": False,
    "wind_crosses_buildings": True,
    "bonus_bribes": "once",
    "one_headquarters_ends": True,
    "headquarters_on_last_turn": True,
    "late_forecasts": False,
    "refills": False,
    "fire_at_the_edge": True,
    "rain": False,
}
OF_2017 = {
    **OFFICIAL,
    "wind_crosses_buildings": False,
    "bonus_bribes": "while_burning",
    "headquarters_on_last_turn": False,
}
OF_2022 = {
    **OFFICIAL,
    "max_turns": 200,
    "extinguish_removes": 0,
    "generator": "stacked",
    "weak_forecasts": True,
    "wind_crosses_buildings": False,
    "bonus_bribes": "never",
    "one_headquarters_ends": False,
    "headquarters_on_last_turn": False,
    "late_forecasts": True,
    "refills": True,
    "fire_at_the_edge": False,
}
PROFILES = {"official": OFFICIAL, "2017": OF_2017, "2022": OF_2022}
in_each_profile = pytest.mark.parametrize("profile", PROFILES)


@in_each_profile
def test_profile_has_exactly_these_values(profile):
    assert settings_to_json(game.configure(profile)) == PROFILES[profile]


def test_there_are_three_profiles_and_official_is_the_default():
    assert list(game.profiles) == ["official", "2017", "2022"]
    assert game.configure() == game.configure("official")


def test_deviations_table_lists_every_changed_setting_once():
    readme = Path(anarchy.__file__).with_name("README.md").read_text()
    rows = re.findall(r"^\|.*\| `(\w+)` \|$", readme.split("## Deviations")[1], re.MULTILINE)
    differing = {name for profile in PROFILES.values() for name in profile if profile[name] != OFFICIAL[name]}
    assert len(rows) == len(set(rows))
    assert set(rows) == differing


@in_each_profile
def test_every_setting_of_a_profile_can_be_chosen_alone(profile):
    for name, value in game.profiles[profile].items():
        assert settings_to_json(game.configure(values={name: value})) == {**OFFICIAL, name: value}


def test_every_setting_has_a_help_text_and_is_in_its_record():
    for setting in describe_settings(game.settings):
        assert setting.help and setting.choices
        assert setting.default == str(OFFICIAL[setting.name])
    assert {setting.name for setting in describe_settings(game.settings)} == set(OFFICIAL)


LIMITS = {
    "max_turns": (1, 1000),
    "map_width": (2, 100),
    "map_height": (2, 100),
    "base_bribes": (1, 1000),
    "building_health": (1, 1000),
    "headquarters_factor": (1, 30),
    "max_fire": (1, 100),
    "warehouse_fire": (0, 100),
    "fire_fade": (0, 100),
    "extinguish_removes": (0, 100),
    "exposure_fade": (0, 1000),
    "max_intensity": (1, 100),
}


@pytest.mark.parametrize("name", LIMITS)
def test_number_is_accepted_within_its_limits_only(name):
    low, high = LIMITS[name]
    for value in low, high:
        assert getattr(game.configure(values={name: value}), name) == value
        assert getattr(game.configure(values={name: str(value)}), name) == value
    for value in low - 1, high + 1, "some":
        with pytest.raises(
            SettingsError, match=f"{name} must be a whole number from {low} to {high}, not .*{value}"
        ):
            game.configure(values={name: value})


@pytest.mark.parametrize("name", LIMITS)
def test_match_can_be_played_at_the_limits_of_each_number(name):
    for value in LIMITS[name]:
        chosen = game.configure(values={"max_turns": 20, name: value})
        match = Match(game, chosen, seed=11)
        for when in range(120):
            if match.to_act():
                seat = match.to_act()[0]
                act(match, match.random_action(seat, 11, when))


def test_invalid_setting_is_a_clear_error():
    for values, words in (
        ({"generator": "round"}, "spaced or stacked"),
        ({"bonus_bribes": "often"}, "once or while_burning or never"),
        ({"refills": "maybe"}, "true or false"),
        ({"colour": "red"}, "has no setting 'colour'"),
    ):
        with pytest.raises(SettingsError, match=words):
            game.configure(values=values)
    with pytest.raises(SettingsError, match="no profile '2020'. Its profiles are official, 2017, 2022"):
        game.configure("2020")


# --- one difference after the other -------------------------------------------------------------------------


def begin_in(profile: str, drawing: str, wind: str = "", **situation: Any) -> Match:
    """Return a match with a profile from a drawing."""
    changed = {name: value for name, value in PROFILES[profile].items() if value != OFFICIAL[name]}
    return begin(drawing, wind, **{**changed, **situation})


def ending(match: Match) -> tuple[Ending, Decision, int]:
    return Ending(match.state.ended), Decision(match.state.decided), match.state.winner


@rule("V2")
@pytest.mark.parametrize("profile, turns", [("official", 300), ("2017", 300), ("2022", 200)])
def test_profile_sets_the_number_of_turns(profile, turns):
    match = begin_in(profile, "h w H", turn=turns - 2)
    act(match, EndTurn())
    assert match.to_act() == (1,)
    act(match, EndTurn())
    assert ending(match) == (Ending.TURN_LIMIT, Decision.BUILDINGS_STANDING, 0)


@rule("V1")
@pytest.mark.parametrize("profile, ends", [("official", True), ("2017", True), ("2022", False)])
def test_one_headquarters_ends_the_match_or_not(profile, ends):
    match = begin_in(profile, "h H:3*3")
    act(match, EndTurn())
    assert (match.to_act() == ()) is ends


@rule("V1")
@in_each_profile
def test_both_headquarters_end_the_match(profile):
    match = begin_in(profile, "h:3*3 w H:3*3")
    act(match, EndTurn())
    assert ending(match) == (Ending.BOTH_HEADQUARTERS_BURNED, Decision.BUILDINGS_STANDING, 0)


@rule("V2")
@pytest.mark.parametrize(
    "profile, how",
    [
        ("official", (Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, 0)),
        ("2017", (Ending.TURN_LIMIT, Decision.HEADQUARTERS_DAMAGE, 0)),
        ("2022", (Ending.TURN_LIMIT, Decision.HEADQUARTERS_DAMAGE, 0)),
    ],
)
def test_headquarters_falling_on_the_last_turn(profile, how):
    match = begin_in(profile, "h H:3*3", max_turns=1)
    act(match, EndTurn())
    assert ending(match) == how


@rule("X2")
@pytest.mark.parametrize("profile, left", [("official", 7), ("2017", 7), ("2022", 9)])
def test_extinguishing_removes_fire_by_profile(profile, left):
    match = begin_in(profile, "f W*9")
    act(match, Extinguish(0, 1))
    assert fires(match, 2) == [0, left]
    assert list(match.state.bribes) == [9, 10] and match.state.bribed[0]


@rule("B6")
@pytest.mark.parametrize(
    "profile, fallen_by_fire, fallen_by_raid, two_turns_later",
    [("official", 11, 11, 10), ("2017", 11, 10, 11), ("2022", 10, 10, 10)],
)
def test_burned_down_building_earns_bribes_by_profile(
    profile, fallen_by_fire, fallen_by_raid, two_turns_later
):
    by_raid = begin_in(profile, "p W:9@9")
    act(by_raid, Raid(0, 1), EndTurn())
    assert by_raid.state.bribes[1] == fallen_by_raid
    by_fire = begin_in(profile, "p W:9*9")
    act(by_fire, EndTurn())
    assert by_fire.state.bribes[1] == fallen_by_fire
    act(by_fire, EndTurn(), EndTurn())
    assert by_fire.state.bribes[1] == two_turns_later


@rule("T3")
@pytest.mark.parametrize("profile", ["official", "2017"])
def test_keeping_the_turn_is_refused(profile):
    assert refused(begin_in(profile, "w F"), KeepTurn()).rule == "T3"


@rule("T3")
def test_keeping_the_turn_refills_in_2022():
    match = begin_in("2022", ". .\n. w F", bribes="1,4")
    act(match, Ignite(0, 1), KeepTurn())
    assert list(match.state.bribes) == [10, 10]


@rule("F3")
@rule("F4")
@pytest.mark.parametrize(
    "profile, after",
    [("official", [1, 4, 4, 4, 4, 0]), ("2017", [1, 2, 0, 0, 0, 0]), ("2022", [1, 2, 0, 0, 0, 0])],
)
def test_wind_carries_fire_by_profile(profile, after):
    match = begin_in(profile, "w*2 f f f f f", "E4")
    act(match, EndTurn())
    assert fires(match, 6) == after


@rule("C2")
@rule("C3")
@pytest.mark.parametrize("profile, blown", [("official", 2), ("2017", 2), ("2022", 1)])
def test_forecast_that_turn_2_ends_with(profile, blown):
    match = begin_in(profile, "w")
    act(match, EndTurn(), EndTurn())
    assert (match.state.current_forecast, match.state.next_forecast) == (blown, blown + 1)


@rule("C3")
@pytest.mark.parametrize(
    "profile, changed", [("official", [0, 0, 1]), ("2017", [0, 0, 1]), ("2022", [0, 1, 0])]
)
def test_forecast_that_a_station_changes_on_turn_1(profile, changed):
    match = begin_in(profile, "s S")
    act(match, EndTurn(), Intensify(1))
    assert list(match.state.intensity[:3]) == changed


@rule("C1")
@pytest.mark.parametrize("profile, strongest", [("official", 10), ("2017", 10), ("2022", 9)])
def test_strength_of_drawn_winds_by_profile(profile, strongest):
    drawn = [game.rules.setup(game.configure(profile), seed).intensity for seed in range(8)]
    assert max(max(intensities) for intensities in drawn) == strongest


@rule("W3")
def test_wind_can_be_raised_to_10_in_2022():
    match = begin_in("2022", "s s", "N0 E9")
    act(match, Intensify(0))
    assert match.state.intensity[1] == 10
    assert refused(match, Intensify(1)).rule == "W3"


@rule("M2")
@rule("M4")
@in_each_profile
def test_map_generator_by_profile(profile):
    reds_in_the_west = 0
    for seed in range(30):
        city = game.rules.setup(game.configure(profile), seed)
        cells = {(city.x[b], city.y[b]) for b in range(city.building_count)}
        assert (len(cells) < city.building_count) is (profile == "2022")
        reds_in_the_west += city.x[city.headquarters[0]] < 20
    assert reds_in_the_west == 30 if profile != "2022" else 5 < reds_in_the_west < 25


@rule("I5")
@pytest.mark.parametrize("profile", ["official", "2017"])
def test_edge_can_be_ignited(profile):
    match = begin_in(profile, "w F")
    act(match, Ignite(0, 1))
    assert fires(match, 2) == [0, 3]


@rule("I5")
def test_edge_cannot_be_ignited_in_2022():
    assert refused(begin_in("2022", "w F"), Ignite(0, 1)).rule == "I5"


# --- what all profiles share --------------------------------------------------------------------------------


@rule("F1")
@rule("F2")
@rule("E1")
@in_each_profile
def test_fire_and_exposure_are_the_same_in_each_profile(profile):
    match = begin_in(profile, ". .\n. w*5@25 W*9@4")
    act(match, EndTurn())
    assert fires(match, 2) == [4, 8]
    assert list(match.state.health[:2]) == [95, 91]
    assert list(match.state.exposure[:2]) == [15, 0]


@rule("I3")
@rule("I4")
@in_each_profile
def test_igniting_is_the_same_in_each_profile(profile):
    match = begin_in(profile, ". .\n. h w F H")
    act(match, Ignite(0, 2), Ignite(1, 1))
    assert fires(match, 4) == [0, 3, 20, 0]
    assert list(match.state.exposure[:2]) == [2, 0]


@rule("W2")
@in_each_profile
def test_turning_the_wind_is_the_same_in_each_profile(profile):
    match = begin_in(profile, "s s", "N0 N5")
    act(match, Rotate(0, counterclockwise=True))
    assert match.state.direction[1] == Direction.WEST
