"""Our own ruleset, and worlds from settings and a seed."""

import pytest

from endturn.games.empires import own, setup
from endturn.games.empires.freeciv import writing
from endturn.games.empires.freeciv.secfile import BadSecfile, write
from endturn.games.empires.rules import sequence
from endturn.games.empires.rules.effects import ANSWERS, unanswered

TEXT = own.FILE.read_text()


def world(seed=7, peoples=4, **settings):
    return setup.new_world(setup.Settings(peoples=peoples, **settings), seed)


def test_our_ruleset_uses_every_feature():
    rules = own.ruleset()
    assert {b.genus for b in rules.buildings} == {"Improvement", "SmallWonder", "GreatWonder", "Special"}
    assert {effect for d in rules.disasters for effect in d.effects} >= {
        "DestroyBuilding", "EmptyFoodStock", "ReducePopulation", "Pollution", "EmptyProdStock",
    }  # fmt: skip
    causes = {cause for extra in rules.extras for cause in extra.causes}
    assert causes >= {
        "Irrigation", "Mine", "Road", "Base", "Pollution", "Fallout", "Resource", "Appear",
    }  # fmt: skip
    assert (
        rules.parameters.illness_on and rules.parameters.nationality and rules.settings["migration"] is True
    )
    assert any(kind.fuel for kind in rules.unit_types.values())
    assert any(each.hp_loss_pct for each in rules.unit_classes.values())
    needs = [r for effects in rules.effects.values() for effect in effects for r in effect.requirements]
    assert {r.asks for r in needs} <= set(ANSWERS) and unanswered(rules) == []
    assert {"city", "player", "world", "local"} <= {r.range for r in needs}


def changed(old, new):
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("build_cost = 24", 'build_cost = "much"', "section [unit.Pioneer]: 'build_cost' must be a whole number"),
        ("[illness]", "[ilness]", "section [ilness]: unknown section. Sections are terrain, extra"),
        ('class = "Ship"', 'class = "Boat"', "section [unit.Cog]: unknown unit class 'boat'."),
        ('needs = ["Terrain: Fen"]', 'needs = ["Fen"]', "section [extra.Mist]: a requirement must read 'Type: name"),
        ("Terrain: Fen", "Terrane: Fen", "section [extra.Mist]: unknown requirement type 'Terrane'. Did you"),
        ("Terrain: Fen", "Terrain: Fen @ city", "section [extra.Mist]: Terrain has no range 'city'. Its ranges are"),
        ("Terrain: Fen", "Terrain: Fun", "section [extra.Mist]: it requires an unknown Terrain 'Fun'."),
        ("Gov: Crown", "Gov: Clown", "section [effects]: it requires an unknown Gov 'Clown'. Did you"),
        ("Size_Adj", "Size_Adjust", "section [effects]: no rule asks for an effect 'Size_Adjust'. Did you"),
        ('[[1, "Building: Hearth"]]', '[[1, "Building: Heart"]]', "section [effects]: it requires an unknown B"),
        ('req1 = "Letters"', 'req1 = "Runes"', "section [tech.Assembly]: 'req1' names an unknown tech 'runes'"),
    ],
)  # fmt: skip
def test_error_in_our_ruleset_names_file_line_and_section(old, new, complaint):
    text = changed(old, new)
    with pytest.raises(BadSecfile) as told:
        own.parse(text, "mine.toml")
    line = next(number for number, each in enumerate(text.split("\n"), 1) if new in each)
    assert str(told.value).startswith(f"mine.toml, line {line}, {complaint}")


def test_invalid_toml_is_an_error_with_its_line():
    with pytest.raises(BadSecfile, match=r"^mine.toml: invalid TOML: .*line 2"):
        own.parse("[style]\nbase_pollution =\n", "mine.toml")


def text_of(world):
    return write(writing.to_secfile(world))


def test_world_depends_only_on_its_seed():
    assert text_of(world(7)) == text_of(world(7)) != text_of(world(8))


@pytest.mark.parametrize(
    "settings", [{}, {"hexagonal": True}, {"round": False, "land": 20}, {"width": 20, "height": 16}]
)
def test_nations_start_on_a_meadow_that_feeds_them(settings):
    for seed in range(5):
        made = world(seed, **settings)
        assert (
            len(made.cities)
            == len(setup.PEOPLES)
            == len({city.owner.number for city in made.cities.values()})
        )
        for city in made.cities.values():
            assert made.terrain[city.tile].name == "Meadow" and city.surplus[0] > 0
            assert made.owner[city.tile] == city.owner.number and len(city.owner.units) == 4


def test_share_of_land_follows_the_setting():
    made = world(width=40, height=30, land=50)
    land = sum(not terrain.is_ocean for terrain in made.terrain)
    assert abs(100 * land / made.geometry.tiles - 50) < 1


@pytest.mark.parametrize("phases", list(setup.Phases))
@pytest.mark.parametrize("upkeep", list(setup.Upkeep))
def test_world_runs_to_its_last_turn_without_players(phases, upkeep):
    made = world(3, phases=phases, upkeep=upkeep, last_turn=40)
    while not made.is_over:
        sequence.finish_phase(made)
    assert made.turn == 41
    assert sum(city.size for city in made.cities.values()) > len(setup.PEOPLES)


def test_city_keeps_its_target_without_an_advisor():
    made = world(advisor=False, last_turn=30)
    while not made.is_over:
        sequence.finish_phase(made)
    assert {city.production.name for city in made.cities.values()} == {"Coins"}


def bulbs_of(made):
    return [player.research.bulbs for player in list(made.players.values())[:4]]


def test_players_who_alternate_have_separate_economies():
    made = world(phases=setup.Phases.PLAYERS)
    assert bulbs_of(made) == [0, 0, 0, 0]
    sequence.finish_phase(made)
    assert made.phase == 1 and made.turn == 1
    assert bulbs_of(made)[0] > 0 and bulbs_of(made)[1:] == [0, 0, 0]
    sequence.finish_phase(made)
    assert bulbs_of(made)[1] > 0 and bulbs_of(made)[2:] == [0, 0]
    sequence.turn_change(made)
    assert (made.turn, made.phase) == (2, 0) and all(bulbs_of(made))


def test_members_of_alternating_teams_share_a_phase():
    made = world(phases=setup.Phases.TEAMS, teams=True)
    sequence.finish_phase(made)
    assert [bulbs > 0 for bulbs in bulbs_of(made)] == [True, False, True, False]


def test_order_is_drawn_only_if_all_act_at_once():
    orders = set()
    made = world(2)
    for _ in range(6):
        sequence.turn_change(made)
        orders.add(tuple(player.number for player in made.order))
    assert len(orders) > 1
    queue = world(2, phases=setup.Phases.PLAYERS)
    sequence.turn_change(queue)
    assert [player.number for player in queue.order] == list(queue.players)
