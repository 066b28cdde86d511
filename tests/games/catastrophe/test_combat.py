"""Tests squads and combat rule by rule, and squads also against an independent definition."""

import random

import pytest

from endturn.games.catastrophe.actions import Attack, ChangeJob, Convert, EndTurn, Move, Pickup
from endturn.games.catastrophe.setup import arrive
from endturn.games.catastrophe.state import NOBODY, NONE, Job, Resource, Structure
from endturn.games.catastrophe.view import squad_of
from games.catastrophe.position import (
    HEIGHT,
    JOBS,
    OWNERS,
    WIDTH,
    act,
    at,
    begin,
    draw,
    end_turns,
    energies,
    refused,
    start,
)

rule = pytest.mark.rule


def squads(drawing: str, **settings) -> list[list[int]]:
    """Return the squads of the units in a drawing, each sorted."""
    world = draw(drawing, **settings)
    return [sorted(squad_of(world, unit)) for unit in range(world.unit_count - 4)]


# --- Squads -------------------------------------------------------------------------------------------------


@rule("S1")
@pytest.mark.parametrize(
    "drawing, expected",
    [
        ("s0 s0 s0", [[0, 1, 2]] * 3),
        ("s0 . s0", [[0], [1]]),
        ("s0 .\n. s0", [[0], [1]]),  # diagonals do not join
        ("s0 s0\ns0 .", [[0, 1, 2]] * 3),
        ("s0 s1 s0", [[0], [1], [2]]),
        ("s0 g0 s0", [[0], [0, 1, 2], [2]]),  # a gatherer connects no soldiers
        ("s0 h- s0", [[0], [1], [2]]),
        ("s0 . .\n. . .\n. . .\n. . s0", [[0], [1]]),
    ],
)
def test_connected_soldiers_form_a_squad(drawing, expected):
    assert squads(drawing) == expected


@rule("S2")
def test_other_units_join_adjacent_soldiers_one_way():
    assert squads("s0 s0 s0 g0") == [[0, 1, 2]] * 3 + [[0, 1, 2, 3]]
    assert squads("g0 g0 s0") == [[0], [1, 2], [2]]
    assert squads("g0 g0") == [[0], [1]]
    assert squads("g0 s1") == [[0], [1]]


@rule("S3")
def test_neutral_unit_is_alone_in_its_squad():
    world = draw("s0 h- h- s1")
    world.job[1] = Job.SOLDIER
    world.job[2] = Job.SOLDIER
    assert [squad_of(world, unit) for unit in (1, 2)] == [[1], [2]]


@rule("S4")
def test_squads_follow_the_position():
    match = begin("c0 g0 s0 . s0 h- m0")
    act(match, Move(3, 3))
    assert sorted(squad_of(match.state, 2)) == [2, 3]
    act(match, ChangeJob(1, Job.SOLDIER))
    assert sorted(squad_of(match.state, 2)) == [1, 2, 3]
    act(match, Move(3, 4), Convert(5, 5))
    assert sorted(squad_of(match.state, 4)) == [3, 4]


@rule("S5")
def test_squad_gathers_outwards_from_its_first_member():
    world = draw(". s0 .\ns0 s0 s0\n. s0 s0")
    assert squad_of(world, 2) == [2, 0, 3, 4, 1, 5]
    world.settings.squads_north_south = True
    assert squad_of(world, 2) == [2, 0, 4, 3, 1, 5]


def connected_soldiers(world, unit: int) -> set[int]:
    """A squad by its definition: the smallest set with the unit in it that no soldier beside a member is missing from.

    A member passes it on if it is a soldier, or the unit itself."""
    members, owner = {unit}, world.owner[unit]
    if owner == NOBODY:
        return members
    while True:
        more = {
            other
            for other in range(world.unit_count)
            if world.tile[other] != NONE and world.owner[other] == owner and world.job[other] == Job.SOLDIER
            for member in members
            if abs(world.tile[member] % WIDTH - world.tile[other] % WIDTH)
            + abs(world.tile[member] // WIDTH - world.tile[other] // WIDTH)
            == 1
        }
        if more <= members:
            return members
        members |= more


@pytest.mark.parametrize("north_south", [False, True])
def test_squads_are_the_connected_soldiers_in_any_position(north_south):
    luck = random.Random(5)
    sizes = set()
    for _ in range(150):
        world = draw("", squads_north_south=north_south)
        tiles = luck.sample(range(WIDTH * (HEIGHT - 1)), 20)
        for tile in tiles:
            job, owner = luck.choice("ssssgbmh"), luck.choice("0001-")
            arrive(world, tile if luck.random() < 0.95 else NONE, JOBS[job], OWNERS[owner])
        before = bytes(world.called), bytes(world.mustered)
        for unit in range(world.unit_count):
            if world.tile[unit] != NONE:
                squad = squad_of(world, unit)
                assert squad[0] == unit and len(squad) == len(set(squad))
                assert set(squad) == connected_soldiers(world, unit)
                sizes.add(len(squad))
        assert (bytes(world.called), bytes(world.mustered)) == before
    assert max(sizes) > 5


# --- Combat -------------------------------------------------------------------------------------------------


@rule("C1")
@pytest.mark.parametrize(
    "target, allowed",
    [
        ("W1", True),
        ("W0", True),
        ("S0", True),
        ("N-", True),
        ("S0+g0", True),
        ("g1", True),
        ("h-", True),
        ("==+g1", True),
    ]
    + [(".", False), ("==", False), ("g0", False), ("==+g0", False)],
)
def test_attack_needs_a_structure_or_a_foreign_unit(target, allowed):
    match = begin(f"s0 {target}")
    if allowed:
        act(match, Attack(0, at(1, 0)))
    else:
        assert refused(match, Attack(0, at(1, 0))) == "C1"


@rule("C2")
def test_whole_squad_attacks_for_25_energy_each():
    match = begin("s0 s0 s0 W1")
    act(match, Attack(2, at(3, 0)))
    assert match.state.structure_owner[at(3, 0)] == NOBODY
    assert energies(match, 0, 1, 2) == [75, 75, 75]
    assert match.state.structure[at(3, 0)] == Structure.NOTHING
    assert [bool(match.state.acted[unit]) for unit in range(3)] == [True] * 3


@rule("C2")
def test_members_that_have_acted_do_not_attack():
    match = begin("W1 s0 s0 N-:200")
    world = match.state
    world.acted[0] = True
    act(match, Attack(1, at(3, 0)))
    assert energies(match, 0, 1) == [100, 75]
    assert match.state.structure_materials[at(3, 0)] == 175


@rule("C2")
def test_attacker_near_a_monument_spends_half():
    match = begin("M0 s0 N-:200")
    act(match, Attack(0, at(2, 0)))
    assert (energies(match, 0), match.state.structure_materials[at(2, 0)]) == ([87.5], 175)


@rule("C3")
@pytest.mark.parametrize("energy, given", [(10, 10), (25, 25), (0.5, 0.5), (26, 25)])
def test_attacker_without_enough_energy_is_beaten(energy, given):
    match = begin(f"s0*{energy} s1")
    act(match, Attack(0, at(1, 0)))
    assert energies(match, 1) == [100 - given]
    assert (match.state.owner[0] == NOBODY) == (energy <= 25)


@rule("C3")
def test_beaten_attacker_near_a_monument_gives_double():
    match = begin("M0 s0*10 . .\n. s1 .")
    act(match, Attack(0, at(1, 1)))
    assert (energies(match, 1), match.state.owner[0]) == ([80], NOBODY)


@rule("C4")
@pytest.mark.parametrize("materials, left", [(200, 150), (51, 1), (50, 0), (10, 0)])
def test_structure_without_materials_disappears(materials, left):
    match = begin(f"s0 s0 N-:{materials}")
    act(match, Attack(1, at(2, 0)))
    stands = match.state.structure[at(2, 0)] == Structure.NEUTRAL
    assert stands == (left > 0)
    assert not stands or match.state.structure_materials[at(2, 0)] == left


@rule("C4")
def test_remaining_materials_are_rounded_down():
    match = begin("s0*10.5 N-:200")
    act(match, Attack(0, at(1, 0)))
    assert match.state.structure_materials[at(1, 0)] == 189


@rule("C4")
def test_shelter_protects_a_unit_and_a_road_does_not():
    match = begin("s0 S1+g1 . s0 ==+g1")
    act(match, Attack(0, at(1, 0)), Attack(2, at(4, 0)))
    assert energies(match, 1, 3) == [100, 75]
    assert match.state.structure_materials[at(1, 0)] == 25


@rule("C5")
@pytest.mark.parametrize(
    "defenders, lost",
    [
        ("s1", [100]),
        ("s1 s1", [50, 50]),
        ("g1 s1", [50, 50]),
        ("s1 g1", [100, 0]),
        ("g1 g1", [100, 0]),
        ("h-", [100]),
    ],
)
def test_pool_is_divided_among_the_attacked_squad(defenders, lost):
    world = draw(f"s0 s0 s0 s0 {defenders}")
    for unit in range(4, 4 + len(lost)):
        world.energy[unit] = 101
    match = start(world)
    act(match, Attack(3, at(4, 0)))
    assert energies(match, *range(4, 4 + len(lost))) == [101 - each for each in lost]


@rule("C5")
def test_defenders_near_their_monument_lose_half():
    match = begin("s0 s0 s1 s1 s1 s1 s1 . . M1\n")
    world = match.state
    act(match, Attack(1, at(2, 0)))
    assert energies(match, 2, 3, 4, 5, 6) == [90, 90, 90, 90, 95]
    assert world.energy[0] == 75


@rule("C6")
def test_beaten_unit_is_neutral_for_ten_turns():
    world = draw("s0 s0 s1*50")
    world.food[2], world.materials[2] = 3, 4
    match = start(world)
    act(match, Attack(1, at(2, 0)))
    after = match.state
    assert (after.owner[2], after.job[2], after.energy[2], after.turns_to_die[2]) == (
        NOBODY,
        Job.FRESH_HUMAN,
        100,
        10,
    )
    assert (after.tile[2], after.ground_food[2], after.ground_materials[2]) == (at(2, 0), 3, 4)
    assert (after.food[2], after.materials[2]) == (0, 0)
    end_turns(match, 9)
    assert match.state.tile[2] == at(2, 0)
    end_turns(match)
    assert (match.state.tile[2], match.state.unit_on[at(2, 0)]) == (NONE, NONE)


@rule("C6")
@pytest.mark.parametrize("energy, beaten", [(25, True), (25.5, False)])
def test_unit_is_beaten_when_no_energy_is_left(energy, beaten):
    match = begin(f"s0 g1*{energy}")
    act(match, Attack(0, at(1, 0)))
    assert (match.state.owner[1] == NOBODY) == beaten


@rule("C6")
def test_beaten_unit_can_be_converted_by_either_side():
    match = begin("s0 g1*25 m1 .\n. m0 . .")
    act(match, Attack(0, at(1, 0)), Convert(3, at(1, 0)))
    assert (match.state.owner[1], match.state.turns_to_die[1]) == (0, -1)
    match = begin("s0 g1*25 m1 .\n. m0 . .")
    act(match, Attack(0, at(1, 0)), EndTurn(), Convert(2, at(1, 0)))
    assert match.state.owner[1] == 1


@rule("C7")
def test_beaten_overlord_keeps_its_tile_and_owner():
    world = draw("s0 s0 c1*50 s1")
    world.food[2] = 3
    match = start(world)
    act(match, Attack(1, at(2, 0)))
    after = match.state
    assert (after.energy[2], after.owner[2], after.job[2]) == (25, 1, Job.CAT_OVERLORD)
    match = begin("s0 s0 c1*50 .")
    act(match, Attack(1, at(2, 0)))
    after = match.state
    assert (after.energy[2], after.owner[2], after.job[2], after.tile[2]) == (
        0,
        1,
        Job.CAT_OVERLORD,
        at(2, 0),
    )
    assert after.turns_to_die[2] == -1


@rule("C8")
def test_beaten_neutral_unit_disappears_at_once():
    world = draw("s0 h-*25")
    world.food[1] = 3
    match = start(world)
    act(match, Attack(0, at(1, 0)))
    assert (match.state.tile[1], match.state.unit_on[at(1, 0)], match.state.ground_food[at(1, 0)]) == (
        NONE,
        NONE,
        3,
    )


def test_pickup_can_exhaust_the_overlord():
    match = begin("c0*5 ,9")
    act(match, Pickup(0, at(1, 0), Resource.FOOD))
    assert energies(match, 0) == [0]
    end_turns(match)
    assert match.outcome.winner == 1
