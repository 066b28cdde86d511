"""What a seat may know (chapter V), how a match starts (chapter S), and worlds as text."""

import pytest

from endturn.bots import play
from endturn.engine.match import Match
from endturn.games import find
from endturn.games.empires import bots, notation, setup, text, view
from endturn.games.empires.actions import Go, PhaseDone
from endturn.games.empires.rules import cities, sequence, units
from endturn.games.empires.rules.production import can_build
from endturn.games.empires.rules.sight import all_look, look, seen_by
from endturn.testing import contract

rule = pytest.mark.rule
game = find("empires")


@pytest.fixture
def match():
    return Match(game, {"last_turn": 20}, seed=7)


@pytest.fixture
def world(match):
    return match.state


def far_land(world, seat=0):
    """A land tile that a seat does not know."""
    return next(
        tile
        for tile in range(world.geometry.tiles)
        if tile not in world.seen[seat]
        and not world.terrain[tile].is_ocean
        and not any(near in world.seen[seat] for near in world.geometry.square(tile, 3))
    )


def found_units(world, seat):
    return {each["id"] for each in view.view(world, seat)["units"]}


def found_cities(world, seat):
    return {each["id"]: each for each in view.view(world, seat)["cities"]}


@rule("V1")
def test_units_see_one_step_and_cities_their_workable_tiles(world):
    player = world.players[0]
    tile = far_land(world)
    units.create(world, player, world.rules.unit_types["scout"], tile, 0, None)
    around = {near for near, _ in world.geometry.circle(player.cities[0].tile, 5)}
    assert seen_by(world, player) == around | set(world.geometry.square(tile, 1)) | set(
        world.geometry.square(player.cities[0].tile, 1)
    )


@rule("V1")
def test_shared_vision_shows_what_the_other_sees(world):
    one, other = world.players[0], world.players[1]
    assert other.cities[0].tile not in seen_by(world, one)
    other.relations[0].gives_vision = True
    assert other.cities[0].tile in seen_by(world, one)


@rule("V2")
def test_tile_is_remembered_as_last_seen(world):
    player = world.players[0]
    tile = far_land(world)
    scout = units.create(world, player, world.rules.unit_types["scout"], tile, 0, None)
    look(world, player)
    terrain, width = world.terrain[tile], world.geometry.width
    letter = view.letters(world.rules)[terrain.name]
    units.remove(world, scout)
    world.terrain[tile] = world.rules.terrain_by_name["waste" if terrain.name != "Waste" else "fen"]
    look(world, player)
    shown = view.view(world, 0)
    assert shown["terrain"][tile // width][tile % width] == letter
    assert shown["sight"][tile // width][tile % width] == "0"


@rule("V2")
def test_changes_in_sight_are_seen(world):
    tile = world.geometry.adjacent(world.players[0].cities[0].tile)[0]
    for name in ("fen", "waste"):
        world.terrain[tile] = world.rules.terrain_by_name[name]
        look(world, world.players[0])
        row = view.view(world, 0)["terrain"][tile // world.geometry.width]
        assert row[tile % world.geometry.width] == view.LETTERS[name.capitalize()]


@rule("V2")
def test_tile_shown_by_an_effect_is_remembered(world):
    tile = far_land(world)
    world.known[tile] |= 1
    look(world, world.players[0])
    assert world.seen[0][tile].terrain == world.terrain[tile].index


@rule("V3")
def test_unknown_tiles_are_blank(world):
    tile, width = far_land(world), world.geometry.width
    shown = view.view(world, 0)
    assert shown["terrain"][tile // width][tile % width] == " "
    home = world.players[0].cities[0].tile
    assert (
        shown["terrain"][home // width][home % width] == "."
        and shown["borders"][home // width][home % width] == "0"
    )


@rule("V4")
def test_own_cities_are_complete_and_foreign_ones_as_last_seen(world):
    theirs = world.players[1].cities[0]
    assert theirs.id not in found_cities(world, 0)
    spot = next(near for near in world.geometry.adjacent(theirs.tile) if not world.terrain[near].is_ocean)
    spy = units.create(world, world.players[0], world.rules.unit_types["scout"], spot, 0, None)
    all_look(world)
    assert found_cities(world, 0)[theirs.id]["size"] == 1 and found_cities(world, 0)[theirs.id]["seen"]
    assert "making" not in found_cities(world, 0)[theirs.id]
    units.remove(world, spy)
    cities.grow(world, theirs)
    all_look(world)
    assert found_cities(world, 0)[theirs.id]["size"] == 1 and not found_cities(world, 0)[theirs.id]["seen"]
    assert found_cities(world, 1)[theirs.id]["size"] == 2 and "making" in found_cities(world, 1)[theirs.id]


@rule("V4")
def test_foreign_units_are_known_if_seen(world):
    theirs = world.players[1].units[0]
    assert theirs.id not in found_units(world, 0) and theirs.id in found_units(world, 1)
    spot = world.geometry.adjacent(world.players[0].cities[0].tile)[0]
    near = units.create(world, world.players[1], world.rules.unit_types["spear"], spot, 0, None)
    shown = next(each for each in view.view(world, 0)["units"] if each["id"] == near.id)
    assert "moves" not in shown and shown["owner"] == 1


@rule("V4")
def test_units_on_known_tiles_are_known_without_fog():
    match = Match(game, {"fog": False}, seed=7)
    world = match.state
    theirs = world.players[1].units[0]
    assert theirs.id not in found_units(world, 0)
    world.known[theirs.tile] |= 1
    assert theirs.id in found_units(world, 0)


@rule("V5")
def test_spectator_sees_the_map_only_when_the_match_is_over(match):
    shown = match.view(None)
    assert not "".join(shown["terrain"]).strip() and not shown["cities"] and not shown["units"]
    while match.to_act():
        match.submit(match.to_act()[0], PhaseDone())
    shown = match.view(None)
    assert " " not in "".join(shown["terrain"])
    assert len(shown["cities"]) == len(match.state.cities) and len(shown["units"]) == len(match.state.units)


@rule("V6")
def test_scores_are_public_and_gold_needs_an_embassy(world):
    world.players[1].score["total"] = 77
    shown = view.view(world, 0)["players"][1]
    assert shown["score"] == 77 and "gold" not in shown and "techs" not in shown
    world.players[0].relations[1].embassy = True
    assert view.view(world, 0)["players"][1]["gold"] == world.players[1].gold


@rule("V7")
def test_concealed_world_looks_the_same_and_differs(match):
    world = match.state
    other = view.conceal(game.storage.copy(world), 0, 5)
    assert view.view(other, 0) == view.view(world, 0)
    assert (
        world.players[1].cities[0].id not in other.cities and other.players[1].gold != world.players[1].gold
    )
    unknown = [tile for tile in range(world.geometry.tiles) if tile not in world.seen[0]]
    assert [other.terrain[tile].name for tile in unknown] != [world.terrain[tile].name for tile in unknown]
    sequence.turn_change(other)


@rule("V6")
def test_wonder_in_an_unknown_city_cannot_be_built_again(match):
    world = match.state
    player, dial = world.players[0], world.rules.building_by_name["star dial"]
    player.research.known |= 1 << world.rules.tech_by_name["reckoning"].index
    player.stamp += 1
    assert can_build(world, player.cities[0], dial)
    cities.add_building(world, world.players[1].cities[0], dial)
    other = view.conceal(game.storage.copy(world), 0, 5)
    assert world.players[1].cities[0].id not in other.cities
    for each in (world, other):
        assert not can_build(each, each.players[0].cities[0], dial)


@rule("V8")
def test_news_reach_only_their_audience(world):
    world.tell("tech_learned", 1, 0, "Fire")
    world.tell("vote_failed", None)
    assert view.view(world, 0)["news"] == ["The vote has failed."]
    assert view.view(world, 1)["news"] == ["Fire was learnt.", "The vote has failed."]
    assert view.view(world, None)["news"] == ["The vote has failed."]


@rule("V8")
@pytest.mark.parametrize(
    "kind, facts, sentence",
    [
        ("unit_lost", ("fuel",), "A unit was lost: out of fuel."),
        ("spaceship_placed", ("fuel",), "Your spaceship has a new part: fuel."),
        ("vote_called", (1, "longer"), "Stonefolk calls a vote: ten turns more."),
        ("city_destroyed", ("Fir", "given up"), "Fir is gone: its owner has left."),
    ],
)
def test_news_reads_as_sentences(world, kind, facts, sentence):
    world.tell(kind, 0, 0, *facts)
    assert view.view(world, 0)["news"] == [sentence]


@rule("V8")
def test_public_news_name_no_city(world):
    world.tell("building_built", None, world.players[1].cities[0].id, "Star Dial")
    assert view.view(world, 0)["news"] == ["A city has built Star Dial."]


def test_actions_of_other_players_are_hidden(match):
    spear = next(each for each in match.state.players[0].units if each.type.name == "Spear")
    target = next(tile for tile in match.state.seen[0] if match.refuse(0, Go(spear.id, tile)) is None)
    before = match.view(1), match.known_length(1)
    match.submit(0, Go(spear.id, target))
    assert (match.view(1), match.known_length(1)) == before


def test_views_of_neighbours_leak_nothing():
    match = Match(game, {"width": 20, "height": 16, "land": 60, "last_turn": 30, "hexagonal": True}, seed=3)

    def check(match):
        if len(match.log) % 40 == 0:
            for seat in (None, 0, 1):
                contract._check_view(match, seat)

    play(match, [bots.Steward(1), bots.Steward(2)], check)
    assert match.state.players[0].relations[1].state == "War"  # they have met


OTHER_SETTINGS = {
    "a queue of teams": {
        "hexagonal": True,
        "phases": "teams",
        "peoples": 4,
        "teams": True,
        "upkeep": "nation",
    },
    "three in a queue without fog": {"phases": "players", "seats": 3, "fog": False, "round": False},
    "four without an advisor": {"seats": 4, "advisor": False, "upkeep": "mixed"},
}


@pytest.mark.parametrize("check", [
    contract.random_matches_end, contract.refused_actions_change_nothing, contract.legal_is_what_is_not_refused,
    contract.gamelogs_verify, contract.views_leak_nothing, contract.bad_input_is_answered,
], ids=lambda check: check.__name__)  # fmt: skip
@pytest.mark.parametrize("name", OTHER_SETTINGS)
def test_other_settings_keep_the_contract(check, name):
    check(game, {"width": 24, "height": 16, "last_turn": 8, **OTHER_SETTINGS[name]})


# --- how a match begins


@rule("S1")
@pytest.mark.parametrize("peoples", [2, 3, 4])
def test_nations_start_with_a_city_and_four_units(peoples):
    world = setup.new_match(setup.Settings(peoples=peoples), 3)
    nations = [player for player in world.players.values() if not player.barbarian]
    assert [len(player.cities) for player in nations] == [1] * peoples
    assert {tuple(sorted(each.type.name for each in player.units)) for player in nations} == {
        ("Mason", "Pioneer", "Scout", "Spear")
    }
    assert world.chance.table == [0] * 56


@rule("S2")
def test_nations_without_a_seat_are_led_by_their_advisors():
    match = Match(game, {"peoples": 3, "last_turn": 15}, seed=3)
    assert match.to_act() == (0, 1)
    known = sum(each >> 2 & 1 for each in match.state.known)
    while match.to_act():
        match.submit(match.to_act()[0], PhaseDone())
    third = match.state.players[2]
    assert (
        sum(each >> 2 & 1 for each in match.state.known) > known or third.cities[0].buildings.bit_count() > 1
    )


# --- as text


def test_position_has_everything_but_caches(world):
    for _ in range(10):
        sequence.turn_change(world)
    again = notation.read(notation.write(world))
    assert notation.dump(again) == notation.dump(world)
    sequence.turn_change(again), sequence.turn_change(world)
    assert notation.dump(again) == notation.dump(world)


@pytest.mark.parametrize("old, new, complaint", [
    ('"empires":1', '"empires":2', "its format is 2, not 1"),
    ('["empires","City"]', '["classic","City"]', "its ruleset is 'classic', not 'empires'"),
])  # fmt: skip
def test_invalid_position_is_an_error(world, old, new, complaint):
    text = notation.write(world)
    assert old in text
    with pytest.raises(ValueError, match=f"^not a position of Empires: {complaint}$"):
        notation.read(text.replace(old, new, 1))


def test_picture_has_a_line_for_every_row_and_nation(world):
    shown = text.show(world)
    assert shown.count("\n") == world.geometry.height + 2 and "Woodfolk" in shown


def test_refusal_names_the_tech_and_the_alternatives(match):
    answer = match.submit(0, {"do": "study", "tech": 6})
    assert "Letters cannot be studied now. Choose from Fire, Ropework, Reckoning." in answer.reason
