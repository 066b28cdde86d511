"""Settings of a session: names, values, listing, and their place in gamelogs."""

import asyncio
import gzip
import json

import pytest

from endturn.cadre.gamelogs import file_name, standings
from endturn.cadre.messages import Fatal
from endturn.cadre.settings import LONGEST_TEXT, SECOND, choose, listing
from endturn.cadre.table import Verdict
from endturn.games import find
from endturn.server.transports.cadre.saved_session import SavedSession
from endturn.server.transports.cadre.sessions import seat_wanted
from server.cadre.client import SMALL, pair, serving

# As recorded in gamelogs of 2022, without settings that are not the game's own.
CATASTROPHE_OF_2022 = {
    **{"playerStartingTime": 60000000000, "playerNames": [], "timeAddedPerTurn": 1000000000},
    **{"maxTurns": 720, "mapWidth": 26, "mapHeight": 18, "catEnergyMult": 2, "harvestCooldown": 10},
    **{"lowerHarvestAmount": 10, "monumentCostMult": 0.5, "monumentMaterials": 100, "neutralMaterials": 200},
    **{"shelterMaterials": 50, "startingFood": 0, "starvingEnergyMult": 0.25, "turnsBetweenHarvests": 10},
    **{"turnsToCreateHuman": 30, "turnsToLowerHarvest": 60, "wallMaterials": 75},
}
ALL_OF_2022 = "catEnergyMult=3&harvestCooldown=5&monumentCostMult=.25&startingFood=7&starvingEnergyMult=0.125"


def chosen(game, text):
    return choose(find(game), text)


def test_all_catastrophe_settings_are_listed_as_recorded():
    listed = chosen("catastrophe", "profile=2022&randomSeed=cat-01").listed(find("catastrophe"))
    assert listed == CATASTROPHE_OF_2022 | {"randomSeed": "cat-01", "profile": "2022"}
    assert '"catEnergyMult": 2,' in json.dumps(listed)  # not 2.0


def test_fractions_of_the_original_are_percentages_here():
    made = chosen("catastrophe", f"profile=2022&{ALL_OF_2022}")
    ours = made.settings
    assert (ours.overlord_rest_percent, ours.monument_cost_percent, ours.starving_rest_percent) == (
        300,
        25,
        12,
    )
    assert ours.starting_food == 50  # that server always started with this much food
    listed = made.listed(find("catastrophe"))
    assert (listed["catEnergyMult"], listed["monumentCostMult"], listed["starvingEnergyMult"]) == (
        3,
        0.25,
        0.12,
    )
    assert (listed["harvestCooldown"], listed["startingFood"]) == (5, 7)


def test_official_profile_supports_starting_food():
    made = chosen("catastrophe", "startingFood=7")
    assert made.settings.starting_food == made.listed(find("catastrophe"))["startingFood"] == 7
    assert chosen("catastrophe", "").listed(find("catastrophe"))["startingFood"] == 100


def test_2017_names_of_harvest_rates_are_known():
    ours = chosen("catastrophe", "profile=2017&minHarvestRate=40&maxHarvestRate=90").settings
    assert (ours.min_harvest_rate, ours.max_harvest_rate) == (40, 90)


@pytest.mark.parametrize(
    ("game", "text", "wrong"),
    [
        ("catastrophe", "catEnergyMult=11", 'catEnergyMult setting is invalid ("11"). Must be <= 10'),
        ("catastrophe", "monumentCostMult=0", 'monumentCostMult setting is invalid ("0"). Must be >= 0.01'),
        ("catastrophe", "harvestCooldown=-1", 'harvestCooldown setting is invalid ("-1"). Must be >= 0'),
        ("catastrophe", "maxHarvestRate=5", "maxHarvestRate must be at least minHarvestRate, 30"),
        ("anarchy", "mapWidth=7", "mapWidth must be even"),
        ("anarchy", "map_width=7", "map_width must be even"),
        ("anarchy", "catEnergyMult=2", "Unknown setting 'catEnergyMult'."),
    ],
)
def test_error_names_the_setting_as_sent(game, text, wrong):
    with pytest.raises(Fatal) as refused:
        chosen(game, text)
    assert str(refused.value).startswith(wrong)


def test_list_of_settings_is_complete():
    said = listing(find("catastrophe"))
    for line in (
        "catEnergyMult (number = 2):",
        "startingFood (number = 100):",
        "harvestCooldown (number = 10):",
    ):
        assert f"- {line}" in said
    assert "starting_food" not in said


@pytest.mark.parametrize("text", ["rain", "rain=", "rain=true"])
def test_flag_without_value_is_on(text):
    assert chosen("anarchy", text).settings.rain is True


def test_our_settings_are_listed_if_they_differ_from_the_profile():
    made = chosen("anarchy", "profile=2022&rain&warehouse_fire=5&fire_fade=2&late_forecasts=true")
    listed = made.listed(find("anarchy"))
    own = {name: value for name, value in listed.items() if "_" in name or name == "rain"}
    assert own == {"rain": True, "warehouse_fire": 5} and listed["firePerTurnReduction"] == 2


def test_too_long_name_is_replaced():
    made = chosen("anarchy", f"playerNames[]={'x' * 81}&playerNames[]={'y' * 80}")
    assert made.names == ("Name Too Long Player", "y" * 80)


@pytest.mark.parametrize(
    ("said", "seat"), [("0x1", 1), ("1", 1), (" 0 ", 0), (1.0, 1), ("-1", None), (None, None)]
)
def test_seat_may_be_any_javascript_number(said, seat):
    assert seat_wanted(said, 2) == seat


@pytest.mark.parametrize("said", ["x", "1_0", "0x2", [1], {}, "nan", 0.5])
def test_invalid_seat_is_refused(said):
    with pytest.raises(Fatal, match="out of range"):
        seat_wanted(said, 2)


@pytest.mark.parametrize(
    ("profile", "shown"), [("official", (3, 5, 7, 7)), ("2022", (3, 5, 7, 50)), ("2017", (3, 5, None, 50))]
)
def test_clients_see_the_settings_that_were_chosen(profile, shown, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            settings = f"maxTurns=4&profile={profile}&upkeep_first=false&{ALL_OF_2022}"
            one, *_ = await pair(server, settings, gameName="Catastrophe")
            names = "catEnergyMult", "harvestCooldown", "startingFood"
            assert (*map(one.state.get, names), one.objects["0"]["food"]) == shown
            assert isinstance(one.state["catEnergyMult"], int)

    asyncio.run(go())


def test_list_of_settings_shows_defaults_of_the_wanted_profile():
    with pytest.raises(Fatal) as old:
        chosen("anarchy", "profile=2022&foo=1")
    assert "- maxTurns (number = 200)" in str(old.value) and "= stacked)" in str(old.value)
    with pytest.raises(Fatal) as unknown:
        chosen("anarchy", "profile=1999")
    assert "- maxTurns (number = 300)" in str(unknown.value) and "= False)" not in str(unknown.value)


def test_gamelog_names_its_profile(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server, f"{SMALL}&rain&warehouse_fire=5")
            two.close()
            await one.until("over")
            log = json.loads(gzip.decompress(server.lobby.store.gamelog(kind="cadre")["packed"]))
            assert (log["settings"]["rain"], log["settings"]["warehouse_fire"]) == (True, 5)

    asyncio.run(go())


ANARCHY = find("anarchy")


@pytest.mark.parametrize("text", ["16", "0x10", "0X10", "0o20", "0b10000", "1.6e1", " 16 "])
def test_number_may_be_written_as_in_javascript(text):
    assert choose(ANARCHY, f"maxTurns={text}").settings.max_turns == 16


@pytest.mark.parametrize("text", ["1_6", "nan", "", "sixteen", "0x", "0x1_0"])
def test_invalid_number_is_zero_and_too_small(text):
    with pytest.raises(Fatal, match="maxTurns setting is invalid .* Must be >= "):
        choose(ANARCHY, f"maxTurns={text}")


def test_clocks_are_in_seconds_in_2017_and_nanoseconds_in_2022():
    old = choose(ANARCHY, "profile=2017&startTime=90&turnTimeAdded=2")
    new = choose(ANARCHY, f"playerStartingTime={90 * SECOND}&timeAddedPerTurn={2 * SECOND}")
    assert old.clocks == new.clocks and old.clock_seconds == new.clock_seconds
    assert old.clock_seconds == (90, 2)


def test_names_and_texts_of_settings_are_cut_at_their_limits():
    names = "&".join(f"playerNames[]={'x' * length}" for length in (80, 81))
    assert choose(ANARCHY, names).names == ("x" * 80, "Name Too Long Player")
    seed = choose(ANARCHY, f"randomSeed={'y' * 2 * LONGEST_TEXT}").seed
    assert len(seed) == LONGEST_TEXT - len("randomSeed=")


@pytest.mark.parametrize("era", ["2022", "2017"])
def test_gamelog_name_is_a_valid_file_name(era):
    saved = SavedSession("Anarchy", '../a b/<c>"%0a', era, ["A", "B"], ["x", "y"], [0, 1], {}, 0)
    name = file_name(saved, 1007)
    assert "Anarchy-..a bc0a" in name and name.endswith(".007") == (era == "2022")


@pytest.mark.parametrize("why", ["disconnected", "timed out", None])
def test_only_the_loser_has_left_or_timed_out(why):
    told = standings(Verdict(1, "Better.", "Worse."), ("Ann", "Bob"), why)
    (loser,), (winner,) = told["losers"], told["winners"]
    assert (loser["name"], loser["reason"], winner["name"], winner["reason"]) == (
        *("Ann", "Worse."),
        *("Bob", "Better."),
    )
    assert (winner["disconnected"], winner["timedOut"]) == (False, False)
    assert (loser["disconnected"], loser["timedOut"]) == (why == "disconnected", why == "timed out")
