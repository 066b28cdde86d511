"""Before the battle, sentence by sentence: the draft, buying an army, placing it, and keeping it secret."""

import pytest

from endturn.engine.answers import Accepted
from endturn.engine.match import Match
from endturn.games.snowball import game
from endturn.games.snowball.actions import (
    Attack,
    Delay,
    Dismiss,
    Move,
    Pick,
    Place,
    Ready,
    Rearm,
    Reconsider,
    Recruit,
)
from endturn.games.snowball.rules.acting import is_ice
from endturn.games.snowball.setup.maps import frozen_ring, write_map
from endturn.games.snowball.state import COST, HEALTH, ROW, Kind, Phase, Posture
from games.snowball.position import act, at, refused

rule = pytest.mark.rule
HEROES = list(Kind)[8:]
BLUE, ORANGE = 0, 1


def new(seed=1, **settings):
    """A match on the map of the rules, in its first phase."""
    return Match(game, game.configure(values={"map": "frozen_ring", **settings}), seed=seed)


def mustering(seed=1, **settings):
    """A match whose armies are being bought."""
    match = new(seed, **settings)
    while match.state.phase == Phase.DRAFT:
        act(match, Ready())
    return match


def army(match, seat):
    """The seat's units."""
    state = match.state
    return [u for u in range(seat, len(state.kind), 2) if state.posture[u] != Posture.ABSENT]


def kinds(match, seat):
    return [Kind(match.state.kind[u]) for u in army(match, seat)]


def say(match, seat, *actions):
    for action in actions:
        answer = match.submit(seat, action)
        assert isinstance(answer, Accepted), answer


# --- the draft ----------------------------------------------------------------------------------------------


@rule("A4")
def test_toss_winner_picks_first_then_two_each():
    for seed in range(6):
        match = new(seed)
        first, picked = match.state.first, []
        for hero in HEROES:
            picked.append(match.to_act()[0])
            act(match, Pick(hero))
        assert picked == [first, 1 - first, 1 - first, first, first, 1 - first]
    assert {new(seed).state.first for seed in range(6)} == {BLUE, ORANGE}


@rule("A4")
def test_ready_seat_picks_no_more_and_the_other_continues():
    match = new()
    first = match.state.first
    act(match, Ready(), Pick(HEROES[0]))
    assert match.to_act() == (1 - first,)
    act(match, Pick(HEROES[1]))
    assert match.to_act() == (1 - first,)
    act(match, Ready())
    assert match.state.phase == Phase.MUSTER


@rule("A4")
def test_the_draft_ends_when_nobody_can_pay_or_no_hero_is_left():
    match = new(army_points=5)
    act(match, Pick(HEROES[0]), Pick(HEROES[1]))
    assert match.state.phase == Phase.MUSTER
    match = new()
    act(match, *(Pick(hero) for hero in HEROES))
    assert match.state.phase == Phase.MUSTER


@rule("A4")
def test_only_heroes_are_drafted():
    assert refused(new(), Pick(Kind.ROOKIE)) == "A4"


@rule("A3")
def test_there_is_one_of_each_hero_on_the_map():
    match = new()
    act(match, Pick(Kind.DODGY_DOT))
    assert refused(match, Pick(Kind.DODGY_DOT)) == "A3"
    match = mustering()
    assert refused(match, Recruit(Kind.DODGY_DOT), BLUE) == "A3"


@rule("A3")
def test_with_hero_scope_army_each_army_may_have_one_of_each():
    match = new(hero_scope="army")
    assert match.state.phase == Phase.MUSTER
    for seat in (BLUE, ORANGE):
        say(match, seat, *(Dismiss(u) for u in army(match, seat)[:4]), Recruit(Kind.DODGY_DOT))
        assert refused(match, Recruit(Kind.DODGY_DOT), seat) == "A3"


# --- buying -------------------------------------------------------------------------------------------------


@rule("A1")
@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name)
def test_units_cost_one_two_or_three_points(kind):
    match = new(hero_scope="army")
    say(match, BLUE, *(Dismiss(u) for u in army(match, BLUE)))
    assert match.state.points[BLUE] == 12
    say(match, BLUE, Recruit(kind))
    assert match.state.points[BLUE] == 12 - COST[kind] == 12 - (1 + (kind > 3) + (kind > 7))


@rule("A1")
def test_nobody_spends_more_points_than_it_has():
    match = mustering()
    assert match.state.points[BLUE] == 0 and refused(match, Recruit(Kind.ROOKIE), BLUE) == "A1"
    match = new(army_points=3)
    act(match, Pick(HEROES[0]))
    assert sum(COST[kind] for kind in kinds(match, match.state.first)) == 3


@rule("A2")
def test_normal_and_strong_units_can_be_bought_repeatedly():
    match = mustering()
    say(match, BLUE, *(Dismiss(u) for u in army(match, BLUE)), *[Recruit(Kind.ROOKIE)] * 12)
    assert kinds(match, BLUE) == [Kind.ROOKIE] * 12
    assert refused(match, Recruit(Kind.ROOKIE), BLUE) == "A1"


@rule("A5")
def test_unit_can_be_dismissed_for_its_points_but_no_drafted_hero():
    match = new()
    first = match.state.first
    act(match, Pick(HEROES[0]), Ready(), Ready())
    hero, other = army(match, first)[:2]
    assert refused(match, Dismiss(hero), first) == "A5"
    cost = COST[match.state.kind[other]]
    say(match, first, Dismiss(other))
    assert match.state.points[first] == cost and other not in army(match, first)


@rule("A5")
def test_bought_hero_can_be_dismissed():
    match = new(hero_scope="army")
    say(match, BLUE, *(Dismiss(u) for u in army(match, BLUE)), Recruit(Kind.DODGY_DOT), Dismiss(0))
    assert army(match, BLUE) == []


@rule("U5")
def test_a_unit_begins_with_all_its_health_and_three_snowballs():
    state = mustering().state
    for unit in range(12):
        assert state.health[unit] == HEALTH[state.kind[unit]] and state.snowballs[unit] == 3


# --- placing ------------------------------------------------------------------------------------------------


@rule("P1")
def test_both_seats_muster_at_the_same_time():
    match = mustering()
    assert match.to_act() == (BLUE, ORANGE)
    say(match, ORANGE, Ready())
    assert match.to_act() == (BLUE,)


@rule("P2")
def test_units_are_placed_within_eight_tiles_of_the_own_start():
    match = mustering()
    x, y = match.state.start[BLUE] % ROW, match.state.start[BLUE] // ROW
    say(match, BLUE, Place(0, at(x, y - 8)), Place(0, at(x - 5, y + 6)))
    assert refused(match, Place(0, at(x + 8, y + 1)), BLUE) == "P2"
    assert refused(match, Place(0, at(x + 6, y - 6)), BLUE) == "P2"
    assert refused(match, Place(0, match.state.start[ORANGE]), BLUE) == "P2"


@rule("P2")
def test_two_units_change_places():
    match = mustering()
    here, there = match.state.tile[0], match.state.tile[2]
    say(match, BLUE, Place(0, there))
    assert (match.state.tile[0], match.state.tile[2]) == (there, here)


@rule("P2")
def test_nobody_is_placed_on_a_tree_or_off_the_map():
    match = mustering()
    assert refused(match, Place(0, at(4, 12)), BLUE) == "W2"
    assert refused(match, Place(0, at(41, 3)), BLUE) == "M1"


@rule("P3")
def test_each_seat_gets_a_proposed_army_and_formation():
    match = new(army_points=9)
    act(match, Ready(), Ready())
    expected = [Kind.CAPTAIN, Kind.SLUGGER, Kind.RUNNER, Kind.BULWARK, Kind.PITCHER]
    for seat in (BLUE, ORANGE):
        assert kinds(match, seat) == expected
        tiles = [match.state.tile[u] for u in army(match, seat)]
        assert tiles[0] == match.state.start[seat] and len(set(tiles)) == 5


@rule("P3")
def test_a_new_unit_is_proposed_snow_even_where_ice_is_nearer():
    rows = [list(row) for row in write_map(frozen_ring()).splitlines()]
    for x, y in [(x, y) for x in range(4, 9) for y in range(10, 15) if rows[y][x] == "."]:
        rows[y][x] = "~"
    match = Match(game, {"map_text": "\n".join("".join(row) for row in rows)}, seed=1)
    act(match, Ready(), Ready())
    tiles = [match.state.tile[u] for u in army(match, BLUE)]
    assert len(tiles) == 6 and not any(is_ice(match.state, tile) for tile in tiles)
    say(match, BLUE, Place(0, at(5, 12)))  # where it may be placed all the same
    assert is_ice(match.state, at(5, 12))


@rule("P4")
def test_the_battle_begins_when_both_are_ready():
    match = mustering()
    say(match, BLUE, Ready())
    assert match.state.phase == Phase.MUSTER
    say(match, ORANGE, Ready())
    assert match.state.phase == Phase.BATTLE and match.turn == 1


@rule("P4")
def test_a_seat_may_reconsider_until_the_other_is_ready_too():
    match = mustering()
    assert refused(match, Reconsider(), BLUE) == "P4"
    say(match, BLUE, Ready(), Reconsider(), Place(0, at(6, 8)), Ready())
    assert match.state.tile[0] == at(6, 8)
    say(match, ORANGE, Ready())
    assert refused(match, Reconsider(), BLUE) == "C1"


@rule("P4")
def test_an_army_has_at_least_one_unit():
    match = mustering()
    say(match, BLUE, *(Dismiss(u) for u in army(match, BLUE)))
    assert refused(match, Ready(), BLUE) == refused(match, Delay(), BLUE) == "P4"


@rule("P5")
def test_delaying_before_the_battle_means_being_ready():
    match = new()
    act(match, Delay(), Delay(), Delay(), Delay())
    assert match.state.phase == Phase.BATTLE


@rule("C1")
def test_each_action_belongs_to_its_part_of_the_match():
    match = new()
    for action in (Recruit(Kind.ROOKIE), Dismiss(0), Place(0, at(6, 8)), Move(at(6, 8)), Attack(1), Rearm()):
        assert refused(match, action) == "C1"
    match = mustering()
    for action in (Pick(HEROES[0]), Move(at(6, 8)), Attack(1)):
        assert refused(match, action, BLUE) == "C1"
    act(match, Ready(), Ready())
    for action in (Pick(HEROES[0]), Recruit(Kind.ROOKIE), Dismiss(0), Place(0, at(6, 8)), Ready()):
        assert refused(match, action) == "C1"


@rule("C4")
def test_a_seat_commands_its_own_units():
    match = mustering()
    assert refused(match, Place(1, at(6, 8)), BLUE) == refused(match, Dismiss(1), BLUE) == "C4"
    assert refused(match, Dismiss(22), BLUE) == refused(match, Dismiss(40), BLUE) == "C4"


@rule("M3")
def test_each_seat_has_a_start():
    state = mustering().state
    assert (state.start[BLUE], state.start[ORANGE]) == (at(6, 12), at(33, 11))


# --- secrets ------------------------------------------------------------------------------------------------

ASKED = [
    Recruit(Kind.ROOKIE),
    Dismiss(0),
    Dismiss(1),
    Dismiss(3),
    Dismiss(23),
    Place(1, at(33, 11)),
    Pick(HEROES[0]),
]
ASKED += [
    Place(0, at(33, 11)),
    Place(3, at(6, 12)),
    Move(at(33, 11)),
    Attack(1),
    Attack(21),
    Ready(),
    Reconsider(),
]


def two_matches(**settings):
    """The same for Blue, with Orange's armies as different as can be, and one of them with points left."""
    one, other = mustering(**settings), mustering(**settings)
    for match, kind, count, tile in (one, Kind.ROOKIE, 11, at(33, 15)), (other, Kind.SLUGGER, 6, at(30, 8)):
        say(match, ORANGE, *(Dismiss(u) for u in army(match, ORANGE)))
        say(match, ORANGE, *[Recruit(kind)] * count, Place(1, tile))
    return one, other


def two_places(**settings):
    """The same for Blue, with Orange's drafted hero on different tiles."""
    one, other = new(**settings), new(**settings)
    for match, tile in (one, at(33, 15)), (other, at(30, 8)):
        while match.state.phase == Phase.DRAFT:
            act(
                match,
                Pick(Kind.DODGY_DOT) if not army(match, ORANGE) and match.to_act() == (ORANGE,) else Ready(),
            )
        say(match, ORANGE, Place(1, tile))
    return one, other


@rule("P6")
def test_views_and_answers_reveal_nothing_of_the_other_army():
    one, other = two_matches()
    for seat in (BLUE, None):
        assert one.view(seat) == other.view(seat)
    assert list(one.legal(BLUE)) == list(other.legal(BLUE))
    assert [one.refuse(BLUE, action) for action in ASKED] == [other.refuse(BLUE, action) for action in ASKED]
    assert (one.turn, one.to_act()) == (other.turn, other.to_act())
    for action in (Place(0, at(6, 8)), Dismiss(2), Recruit(Kind.RUNNER), Ready(), Reconsider()):
        assert one.submit(BLUE, action) == other.submit(BLUE, action)
        assert one.view(BLUE) == other.view(BLUE)


@rule("P6")
def test_observations_and_previews_hide_the_army_too():
    one, other = two_matches()
    seen = []
    for match in (one, other):
        numbers = [0] * game.knowledge.observation_size(match.state)
        game.knowledge.observe(match.state, BLUE, numbers)
        seen.append((numbers, match.preview(BLUE)))
    assert seen[0] == seen[1]


@rule("P6")
def test_drafted_heroes_are_known_but_not_where_they_are():
    match = new()
    first = match.state.first
    act(match, Pick(Kind.DODGY_DOT), Ready(), Ready())
    units = match.view(1 - first)["units"]
    assert [u["name"] for u in units if u and u["seat"] == first] == ["Dodgy Dot"]
    assert units[first]["x"] is None and units[first]["y"] is None
    assert match.view(first)["units"][first]["x"] is not None


@rule("P6")
def test_heroes_that_are_bought_are_not_known():
    one, other = new(hero_scope="army"), new(hero_scope="army")
    for match, hero in (one, Kind.DODGY_DOT), (other, Kind.NURSE_NONNA):
        say(match, ORANGE, *(Dismiss(u) for u in army(match, ORANGE)[:2]), Recruit(hero))
    for seat in (BLUE, None):
        assert one.view(seat) == other.view(seat)
        assert not any(one.view(seat)["units"][ORANGE::2])


@rule("P6")
@pytest.mark.parametrize("pair", [two_matches, two_places])
def test_imagined_army_reveals_nothing_of_the_true_one(pair):
    one, other = pair()
    assert one.dump() != other.dump()
    for seat in (BLUE, None):
        for seed in range(3):
            assert game.storage.dump(game.knowledge.conceal(one.state, seat, seed)) == game.storage.dump(
                game.knowledge.conceal(other.state, seat, seed)
            )


@rule("P6")
def test_where_a_drafted_hero_stands_is_imagined_too():
    one, _ = two_places()
    assert one.view(BLUE)["units"][1]["kind"] == "dodgy_dot"
    tiles = {game.knowledge.conceal(one.state, BLUE, seed).tile[1] for seed in range(6)}
    assert len(tiles) > 3


@rule("P6")
def test_nothing_is_hidden_in_battle_or_with_the_setting_off():
    one, other = two_matches(hidden_placement=False)
    assert one.view(BLUE) != other.view(BLUE)
    one, other = two_matches()
    for match in (one, other):
        say(match, ORANGE, Ready())
        say(match, BLUE, Ready())
    assert one.view(BLUE) != other.view(BLUE)
