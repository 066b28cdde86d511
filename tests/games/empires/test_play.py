"""Empires as a game: what players can tell nations, cities and units (chapters A, C and U)."""

import pytest

from endturn.bots import RandomBot, play
from endturn.engine import gamelog
from endturn.engine.actions import Why, leaving
from endturn.engine.answers import Accepted, Refusal
from endturn.engine.match import Match
from endturn.games import find
from endturn.games.empires import bots
from endturn.games.empires.actions import (
    Aim,
    Arrange,
    Ballot,
    Build,
    Buy,
    Call,
    CancelPact,
    Disband,
    Employ,
    Found,
    Go,
    Launch,
    Move,
    PhaseDone,
    Plan,
    Release,
    Retrain,
    Revolt,
    Sell,
    SetRates,
    Study,
    Subject,
    Task,
    Unplan,
    Work,
)
from endturn.games.empires.notation import number_of
from endturn.games.empires.rules import cities, units
from endturn.games.empires.rules.geometry import DIRECTIONS
from endturn.games.empires.rules.planning import price_of
from endturn.games.empires.ruleset import SCIENCE

rule = pytest.mark.rule
game = find("empires")
NORTH_WEST, EAST = 0, 4


def begin(seed=7, **settings):
    return Match(game, {"last_turn": 20, **settings}, seed=seed)


@pytest.fixture
def match():
    return begin()


def me(match):
    return match.state.players[0]


def town(match, seat=0):
    return match.state.players[seat].cities[0]


def unit(match, kind, seat=0):
    return next(each for each in match.state.players[seat].units if each.type.name == kind)


def item(match, name):
    rules = match.state.rules
    return number_of(rules, rules.building_by_name.get(name.lower()) or rules.unit_types[name.lower()])


def tech(match, name):
    return match.state.rules.tech_by_name[name.lower()].index


def government(match, name):
    return list(match.state.rules.governments).index(name)


def know(match, *names):
    for name in names:
        me(match).research.known |= 1 << tech(match, name)
    me(match).stamp += 1


def played(match, action, seat=0):
    assert isinstance(match.submit(seat, action), Accepted), match.refuse(seat, action)


def refused(match, action, rule_id, *words, seat=0):
    before = match.dump()
    answer = match.submit(seat, action)
    assert isinstance(answer, Refusal) and answer.rule == rule_id, answer
    assert all(word in answer.reason for word in words), answer.reason
    assert match.dump() == before


def turn(match):
    """Both players end the phase."""
    for seat in (0, 1):
        played(match, PhaseDone(), seat)


# --- phases


@rule("A1")
def test_living_players_may_act_until_they_end_the_phase(match):
    assert match.to_act() == (0, 1)
    played(match, PhaseDone())
    assert match.to_act() == (1,)
    refused(match, PhaseDone(), "A1", "Woodfolk")


@rule("A2")
def test_phase_ends_when_every_player_has_ended_it(match):
    played(match, PhaseDone(), 1)
    assert match.turn == 1
    played(match, PhaseDone(), 0)
    assert match.turn == 2 and match.to_act() == (0, 1)


@rule("A2")
def test_players_alternate(match):
    match = begin(phases="players")
    assert match.to_act() == (0,)
    played(match, PhaseDone(), 0)
    assert match.to_act() == (1,) and match.turn == 1
    played(match, PhaseDone(), 1)
    assert match.to_act() == (0,) and match.turn == 2


@rule("A2")
def test_turn_change_depends_on_dice_that_no_state_holds():
    worlds = [begin(seed=7), begin(seed=7)]
    assert worlds[0].state.chance.table == [0] * 56
    other = worlds[1].imagine(seed=8)
    for each in (worlds[0], other):
        for _ in range(12):
            turn(each)
    assert worlds[0].dump() != other.dump()


# --- what a nation decides


@rule("A3")
def test_rates_are_tens_that_add_up_to_100(match):
    played(match, SetRates(30, 20, 50))
    assert (me(match).tax, me(match).luxury, me(match).science) == (30, 20, 50)
    refused(match, SetRates(30, 20, 40), "A3", "30/20/40")
    refused(match, SetRates(35, 15, 50), "A3")


@rule("A3")
def test_rates_take_effect_at_once(match):
    played(match, SetRates(0, 0, 100))
    more = town(match).made[SCIENCE]
    played(match, SetRates(100, 0, 0))
    assert town(match).made[SCIENCE] < more


@rule("A4")
def test_changing_research_loses_bulbs_and_changing_back_restores_them(match):
    played(match, Study(tech(match, "fire")))
    me(match).research.bulbs = 9
    played(match, Study(tech(match, "ropework")))
    assert me(match).research.bulbs == 0
    played(match, Study(tech(match, "fire")))
    assert me(match).research.bulbs == 9


@rule("A4")
def test_tech_needs_its_requirements(match):
    refused(match, Study(tech(match, "letters")), "A4", "Letters", "Reckoning")
    know(match, "reckoning")
    played(match, Study(tech(match, "letters")))


@rule("A5")
def test_goal_sets_the_first_step(match):
    played(match, Aim(tech(match, "letters")))
    assert me(match).research.goal == tech(match, "letters")
    assert me(match).research.researching == tech(match, "reckoning")
    refused(match, Aim(tech(match, "letters")), "A5", "Letters")


@rule("A6")
def test_revolution_starts_with_strife(match):
    refused(match, Revolt(government(match, "crown")), "A6")
    know(match, "masonwork")
    played(match, Revolt(government(match, "crown")))
    assert me(match).government == "strife" and me(match).target_government == "crown"
    for _ in range(3):
        turn(match)
    assert me(match).government == "crown"
    refused(match, Revolt(government(match, "crown")), "A6")


@rule("A7")
@pytest.mark.parametrize("state, after", [("Peace", "War"), ("Cease-fire", "War"), ("Alliance", "Armistice")])
def test_treaty_can_be_cancelled(match, state, after):
    refused(match, CancelPact(1), "A7", "Stonefolk")
    me(match).relations[1].state = match.state.players[1].relations[0].state = state
    played(match, CancelPact(1))
    assert me(match).relations[1].state == match.state.players[1].relations[0].state == after


@rule("A7")
def test_team_members_cannot_cancel_their_alliance():
    match = begin(peoples=4, teams=True)
    refused(match, CancelPact(2), "A7", "team")


@rule("A8")
def test_complete_spaceship_can_be_launched(match):
    refused(match, Launch(), "A8")
    parts = "structurals", "fuel", "propulsion", "habitation", "life_support", "solar_panels"
    me(match).spaceship.update(dict.fromkeys(parts, 1), state=1)
    played(match, Launch())
    assert me(match).spaceship["state"] == 2


@rule("A9")
def test_only_one_vote_is_open(match):
    played(match, Call(Subject.FOG))
    refused(match, Call(Subject.END), "A9", seat=1)


@rule("A10")
def test_carried_vote_takes_effect(match):
    refused(match, Ballot(True), "A10")
    played(match, Call(Subject.END))
    refused(match, Ballot(True), "A10", "Woodfolk")
    played(match, Ballot(True), 1)
    assert match.state.motion is None
    turn(match)
    assert match.outcome is not None and match.outcome.how == "the last turn"


@rule("A10")
@pytest.mark.parametrize(
    "subject, name, value", [(Subject.LONGER, "endturn", 30), (Subject.FOG, "fogofwar", False)]
)
def test_votes_change_settings(match, subject, name, value):
    played(match, Call(subject))
    played(match, Ballot(True), 1)
    assert match.state.settings[name] == value


@rule("A10")
def test_vote_fails_with_half_against_it(match):
    played(match, Call(Subject.END))
    played(match, Ballot(False), 1)
    assert match.state.motion is None and match.state.settings["endturn"] == 20


@rule("A11")
def test_leaving_loses_everything_and_the_other_player_wins(match):
    played(match, leaving("resigned"))
    outcome = match.outcome
    assert outcome.places == (2, 1) and outcome.how == "the last" and not me(match).cities


@rule("A11")
def test_match_continues_with_several_left_and_nobody_leaves_twice():
    match = begin(peoples=4)
    played(match, PhaseDone(), 0)
    played(match, leaving("disconnected"), 1)
    assert match.turn == 2 and match.to_act() == (0,)
    refused(match, leaving("resigned"), "A11", "Stonefolk", seat=1)
    assert Why.DISCONNECTED == 2


# --- cities


@rule("C1")
def test_foreign_and_unknown_cities_are_refused_alike(match):
    refused(match, Buy(town(match, 1).id), "C1", "Alder")
    refused(match, Buy(99999), "C1", "Alder")


@rule("C2")
def test_city_builds_only_what_it_can(match):
    played(match, Build(town(match).id, item(match, "Pioneer")))
    assert town(match).production.name == "Pioneer"
    refused(match, Build(town(match).id, item(match, "Pioneer")), "C2", "Pioneer")
    refused(match, Build(town(match).id, item(match, "Mill")), "C2", "Alder", "Mill")
    refused(match, Build(town(match).id, 200), "C2", "200")


@rule("C3")
@pytest.mark.parametrize("just_built, left", [(False, 10), (True, 20)])
def test_changing_class_halves_shields_unless_just_built(match, just_built, left):
    city = town(match)
    match.state.turn = 9
    city.turn_last_built = 8 if just_built else 1
    city.production = city.changed_from = match.state.rules.building_by_name["loft"]
    city.shield_stock = city.before_change_shields = 20
    played(match, Build(city.id, item(match, "Shrine")))
    assert city.shield_stock == 20
    played(match, Build(city.id, item(match, "Spear")))
    assert city.shield_stock == left
    played(match, Build(city.id, item(match, "Loft")))
    assert city.shield_stock == 20


@rule("C4")
def test_worklist_holds_sixteen_entries(match):
    for _ in range(16):
        played(match, Plan(town(match).id, item(match, "Spear")))
    assert len(town(match).worklist) == 16
    refused(match, Plan(town(match).id, item(match, "Spear")), "C4", "Alder")


@rule("C5")
def test_entry_is_removed_from_the_worklist(match):
    played(match, Plan(town(match).id, item(match, "Spear")))
    played(match, Plan(town(match).id, item(match, "Scout")))
    played(match, Unplan(town(match).id, 0))
    assert [each.name for each in town(match).worklist] == ["Scout"]
    refused(match, Unplan(town(match).id, 1), "C5", "length is 1")


def ready_to_buy(match, name="Loft", stock=6):
    turn(match)
    city = town(match)
    match.submit(0, Build(city.id, item(match, name)))
    city.shield_stock = stock
    return city


@rule("C6")
@pytest.mark.parametrize("name, stock, price", [("Loft", 6, 105), ("Loft", 0, 272), ("Spear", 2, 50)])
def test_price_depends_on_missing_shields(match, name, stock, price):
    city = ready_to_buy(match, name, stock)
    assert price_of(match.state, city) == price
    me(match).gold = price - 1
    refused(match, Buy(city.id), "C6", f"{price} gold", str(price - 1))
    me(match).gold = price
    played(match, Buy(city.id))
    assert me(match).gold == 0 and city.did_buy and price_of(match.state, city) == 0
    refused(match, Buy(city.id), "C6")
    refused(match, Build(city.id, item(match, "Scout")), "C6")


@rule("C6")
def test_new_city_disorder_and_coins_prevent_buying(match):
    me(match).gold = 1000
    refused(match, Buy(town(match).id), "C6", "founded")
    city = ready_to_buy(match, "Spear")
    city.anarchy = 1
    refused(match, Buy(city.id), "C6", "disorder")
    played(match, Build(city.id, item(match, "Coins")))
    refused(match, Buy(city.id), "C6", "Coins")


@rule("C7")
def test_one_improvement_a_turn_is_sold_for_its_cost(match):
    city = town(match)
    for name in ("loft", "shrine"):
        cities.add_building(match.state, city, match.state.rules.building_by_name[name])
    gold = me(match).gold
    played(match, Sell(city.id, item(match, "Loft")))
    assert me(match).gold == gold + 36 and not city.has(match.state.rules.building_by_name["loft"])
    refused(match, Sell(city.id, item(match, "Shrine")), "C7", "this turn")
    refused(match, Sell(city.id, item(match, "Hearth")), "C7", "Hearth")


@rule("C9")
def test_citizen_becomes_a_specialist(match):
    city = town(match)
    tile = next(iter(city.worked - {city.tile}))
    played(match, Release(city.id, tile))
    assert city.worked == {city.tile} and city.specialists == [1, 0, 0] and not match.state.worked[tile]
    refused(match, Release(city.id, city.tile), "C9")


@rule("C10")
def test_specialist_goes_to_work(match):
    city = town(match)
    tile = next(iter(city.worked - {city.tile}))
    refused(match, Employ(city.id, tile), "C10", "0 minstrel")
    played(match, Release(city.id, tile))
    other = next(
        near
        for near in match.state.geometry.adjacent(city.tile)
        if near != tile and match.refuse(0, Employ(city.id, near)) is None
    )
    played(match, Employ(city.id, other))
    assert city.worked == {city.tile, other} and match.state.worked[other] == city.id
    refused(match, Employ(city.id, 0), "C10")


@rule("C8")
def test_arrange_places_citizens_best(match):
    city = town(match)
    played(match, Release(city.id, next(iter(city.worked - {city.tile}))))
    assert sum(city.specialists) == 1
    played(match, Arrange(city.id))
    assert sum(city.specialists) == 0 and len(city.worked) == 2


@rule("C11")
def test_specialist_changes_kind(match):
    city = town(match)
    played(match, Release(city.id, next(iter(city.worked - {city.tile}))))
    played(match, Retrain(city.id, 0, 1))
    assert city.specialists == [0, 1, 0]
    refused(match, Retrain(city.id, 0, 1), "C10")


# --- units


@rule("U1")
def test_foreign_and_unknown_units_are_refused_alike(match):
    refused(match, Disband(unit(match, "Scout", 1).id), "U1", "Woodfolk")
    refused(match, Disband(99999), "U1")


def heading_to(match, own, wanted):
    world = match.state
    for heading, (east, south) in enumerate(DIRECTIONS):
        tile = world.geometry.tile(
            own.tile % world.geometry.width + east, own.tile // world.geometry.width + south
        )
        if tile is not None and wanted(tile):
            return heading, tile
    raise AssertionError("nothing of the kind is near")


def is_land(match):
    return lambda tile: not match.state.terrain[tile].is_ocean


@rule("U2")
def test_unit_moves_one_step_and_sees_its_surroundings(match):
    scout = unit(match, "Scout")
    heading, tile = heading_to(match, scout, is_land(match))
    moves = scout.moves
    played(match, Move(scout.id, heading))
    assert scout.tile == tile and scout.moves < moves
    assert all(near in match.state.seen[0] for near in match.state.geometry.adjacent(tile))
    scout.moves = 0
    refused(match, Move(scout.id, heading), "U2", "moves")


@rule("U2")
def test_move_cancels_orders(match):
    scout = unit(match, "Scout")
    scout.orders, scout.is_auto, scout.activity = [{"do": "wait"}], True, "Sentry"
    played(match, Move(scout.id, heading_to(match, scout, is_land(match))[0]))
    assert (scout.orders, scout.is_auto, scout.activity) == ([], False, "Idle")


@rule("U2")
def test_land_unit_cannot_enter_water_or_join_strangers(match):
    world, scout = match.state, unit(match, "Scout")
    heading, tile = heading_to(match, scout, is_land(match))
    units.create(world, world.players[1], world.rules.unit_types["spear"], tile, 0, None)
    refused(match, Move(scout.id, heading), "U2", "strangers")
    world.terrain[tile] = world.rules.terrain_by_name["deep"]
    world.units_at[tile].clear()
    refused(match, Move(scout.id, heading), "U2")


@rule("U2")
def test_map_ends_in_the_north(match):
    scout = unit(match, "Scout")
    match.state.units_at[scout.tile].remove(scout)
    scout.tile = 3
    refused(match, Move(scout.id, NORTH_WEST), "U2", "map ends")


@rule("U3")
def test_unit_follows_a_known_path_for_several_turns(match):
    own, seen = unit(match, "Spear"), match.state.seen[0]
    far = max(
        (tile for tile in seen if match.refuse(0, Go(own.id, tile)) is None),
        key=lambda tile: match.state.geometry.distance(own.tile, tile),
    )
    assert match.state.geometry.distance(own.tile, far) > 1
    played(match, Go(own.id, far))
    assert own.tile != far and own.orders[-1] == {"do": "go", "tile": far}
    for _ in range(4):
        turn(match)
    assert own.tile == far and not own.orders
    unknown = next(tile for tile in range(match.state.geometry.tiles) if tile not in match.state.seen[0])
    refused(match, Go(own.id, unknown), "U3", "knows no path")


@rule("U4")
def test_units_do_only_what_they_can(match):
    mason, spear = unit(match, "Mason"), unit(match, "Spear")
    refused(match, Work(spear.id, Task.ROAD), "U4", "Spear", "road")
    refused(match, Work(mason.id, Task.FORTIFY), "U4", "Mason")
    refused(match, Work(mason.id, Task.ROAD), "U4")  # in a city
    heading, _ = heading_to(match, mason, is_land(match))
    played(match, Move(mason.id, heading))
    played(match, Work(mason.id, Task.ROAD))
    assert mason.activity == "Road"
    tile = mason.tile
    for _ in range(8):
        turn(match)
    assert (
        match.state.extras[tile] & match.state.rules.extra_by_name["track"].bit and mason.activity == "Idle"
    )


@rule("U4")
def test_explorer_sets_out_at_once_and_auto_worker_acts_alone(match):
    scout, mason = unit(match, "Scout"), unit(match, "Mason")
    start = scout.tile
    played(match, Work(scout.id, Task.EXPLORE))
    assert scout.tile != start
    played(match, Work(mason.id, Task.AUTO))
    for _ in range(4):
        turn(match)
    assert mason.tile != start


@rule("U5")
def test_repeated_activity_is_refused(match):
    spear = unit(match, "Spear")
    refused(match, Work(spear.id, Task.REST), "U5", "Spear")
    played(match, Work(spear.id, Task.FORTIFY))
    refused(match, Work(spear.id, Task.FORTIFY), "U5")


@rule("U6")
def test_pioneer_founds_a_city_two_steps_away(match):
    pioneer, scout = unit(match, "Pioneer"), unit(match, "Scout")
    refused(match, Found(pioneer.id), "U6", "2 steps")
    refused(match, Found(scout.id), "U6", "Scout")
    heading, tile = heading_to(match, pioneer, is_land(match))
    played(match, Move(pioneer.id, heading))
    pioneer.moves = 3
    refused(match, Found(pioneer.id), "U6")
    step = next(
        h for h in range(8) if match.refuse(0, Move(pioneer.id, h)) is None and away(match, pioneer, h) == 2
    )
    played(match, Move(pioneer.id, step))
    refused(match, Found(pioneer.id), "U2", "moves")
    pioneer.moves = 3
    before = set(match.state.units) | set(match.state.cities)
    played(match, Found(pioneer.id))
    assert len(me(match).cities) == 2 and pioneer.id not in match.state.units
    assert set(match.state.units) | set(match.state.cities) == before  # no id is left unused
    assert me(match).cities[1].name == "Birch" and me(match).cities[1].production.name != "Coins"


def away(match, own, heading):
    east, south = DIRECTIONS[heading]
    geometry = match.state.geometry
    tile = geometry.tile(own.tile % geometry.width + east, own.tile // geometry.width + south)
    return -1 if tile is None else geometry.distance(tile, town(match).tile)


@rule("U6")
def test_city_cannot_be_founded_on_foreign_land(match):
    pioneer = unit(match, "Pioneer")
    match.state.owner[pioneer.tile] = 1
    refused(match, Found(pioneer.id), "U6", "foreign")


@rule("U7")
def test_unit_can_be_disbanded(match):
    scout = unit(match, "Scout")
    played(match, Disband(scout.id))
    assert scout.id not in match.state.units


@rule("V9")
def test_ids_do_not_reveal_how_many_exist():
    match = begin(last_turn=40, width=24, height=16)
    first = numbers(match)
    play(match, [bots.Steward(1), bots.Steward(2)])
    later = [number for number in numbers(match) if number not in first]
    assert len(later) > 5 and all(1000 <= number < 10_000 for number in first + later)
    for made in first, later:  # in the order of their creation
        assert made != sorted(made) and max(made) - min(made) > 1000
    assert not set(first) & set(numbers(begin(seed=8, width=24, height=16)))


@rule("V9")
def test_used_id_is_not_given_again(match):
    world = match.state
    world.chance.table[:] = [0] * 56  # it always draws the same number
    kind = unit(match, "Scout").type
    made = [units.create(world, me(match), kind, town(match).tile, 0, None).id for _ in range(3)]
    assert len(set(made)) == 3 and len(world.units) == len({each.id for each in world.units.values()})


def numbers(match):
    return [*match.state.units, *match.state.cities]


# --- whole matches


def test_match_replays_from_its_gamelog():
    match = begin(last_turn=8, width=24, height=16)
    bots_play(match)
    assert gamelog.verify(gamelog.write(match), find).match.dump() == match.dump()


def bots_play(match):
    return play(match, [bots.Steward(1), RandomBot(2)])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_steward_beats_random_play(seed):
    match = begin(seed=seed, last_turn=25, width=28, height=18)
    assert bots_play(match).places == (1, 2)


def test_steward_plays_only_legal_actions():
    match = begin(seed=4, last_turn=15)
    steward, refusals = bots.Steward(1), []
    from endturn.bots.player import Seen  # noqa: PLC0415

    while 0 in match.to_act():
        action = steward.act(Seen(match, 0, 5))
        answer = match.submit(0, action)
        if not isinstance(answer, Accepted):
            refusals.append((action, answer))
        if isinstance(action, PhaseDone) and 1 in match.to_act():
            played(match, PhaseDone(), 1)
    assert refusals == []
