"""Tests the rules of Catastrophe for acting, working and resting; other chapters have their own files."""

import pytest

from endturn.engine.actions import Action
from endturn.games.catastrophe import game
from endturn.games.catastrophe.actions import (
    Attack,
    ChangeJob,
    Construct,
    Convert,
    Deconstruct,
    Drop,
    EndTurn,
    Harvest,
    Move,
    Pickup,
    Rest,
)
from endturn.games.catastrophe.state import Job, Resource, Structure
from games.catastrophe.position import act, at, begin, draw, end_turns, energies, refused, start

rule = pytest.mark.rule
FOOD, MATERIALS = Resource.FOOD, Resource.MATERIALS
HERE, BESIDE, FAR = at(1, 1), at(2, 1), at(3, 1)

# Unit 0 stands at (1, 1) and may do each of these with the right job.
ALL_AROUND = """
. . . .
. {} f40 .
"""


def named(action: Action) -> str:
    return type(action).__name__


def every_action(unit: int, tile: int) -> list[Action]:
    return [
        Move(unit, tile),
        Attack(unit, tile),
        ChangeJob(unit, Job.SOLDIER),
        Construct(unit, tile, Structure.WALL),
        Convert(unit, tile),
        Deconstruct(unit, tile),
        Harvest(unit, tile),
        Drop(unit, tile, FOOD),
        Pickup(unit, tile, FOOD),
        Rest(unit),
    ]


# --- Board --------------------------------------------------------------------------------------------------


@rule("M1")
@pytest.mark.parametrize(
    "tile, row, column", [(at(1, 0), 0, 1), (at(2, 1), 1, 2), (at(1, 2), 2, 1), (at(0, 1), 1, 0)]
)
def test_unit_steps_north_east_south_and_west(tile, row, column):
    match = begin(ALL_AROUND.format("g0"))
    act(match, Move(0, tile))
    assert (match.state.tile[0] // 10, match.state.tile[0] % 10) == (row, column)


@rule("M1")
def test_rows_do_not_join_at_the_edges():
    match = begin(". . . . . . . . . g0\n. . .")
    assert refused(match, Move(0, at(0, 1))) == "A5"


@rule("M1")
@pytest.mark.parametrize("action", [a for a in every_action(0, 80) if hasattr(a, "tile")], ids=named)
def test_tile_outside_the_map_is_refused(action):
    assert refused(begin(ALL_AROUND.format("g0")), action) == "M1"


# --- Acting -------------------------------------------------------------------------------------------------


@rule("A1")
@pytest.mark.parametrize("action", every_action(0, BESIDE), ids=named)
def test_foreign_unit_cannot_be_commanded(action):
    for owner in "1-":
        assert refused(begin(ALL_AROUND.format(f"g{owner}")), action) == "A1"


@rule("A1")
@pytest.mark.parametrize("unit", [5, 9, 32767])
def test_missing_unit_cannot_be_commanded(unit):
    world = draw(ALL_AROUND.format("g0"))
    world.tile[0], world.unit_on[HERE] = -1, -1
    match = start(world)
    for number in (0, unit):
        assert {refused(match, action) for action in every_action(number, BESIDE)} == {"A1"}


ACTIONS_BY_JOB = [
    ("s0", Attack(0, BESIDE), "N-"),
    ("g0", Harvest(0, BESIDE), "f40"),
    ("b0", Construct(0, BESIDE, Structure.WALL), "%75"),
    ("b0", Deconstruct(0, BESIDE), "N-"),
    ("m0", Convert(0, BESIDE), "h-"),
]
by_job = pytest.mark.parametrize(
    "unit, action, target",
    ACTIONS_BY_JOB,
    ids=lambda value: named(value) if isinstance(value, Action) else None,
)


@rule("A2")
@by_job
def test_unit_acts_once_per_turn(unit, action, target):
    match = begin(f". . .\n. {unit} {target}\nS0 . .")
    act(match, action)
    for again in (action, Rest(0), ChangeJob(0, Job.FRESH_HUMAN)):
        assert refused(match, again) == "A2"


@rule("A2")
@pytest.mark.parametrize("first", [Rest(1), ChangeJob(2, Job.SOLDIER)], ids=named)
def test_resting_and_changing_jobs_are_actions(first):
    match = begin("S0 c0 .\ng0*50 g0 .\nf40 f40 .")
    act(match, first)
    assert refused(match, Harvest(first.unit, at(first.unit - 1, 2))) == "A2"


@rule("A2")
def test_moves_drops_and_pickups_are_not_actions():
    match = begin("S0 ,40 .\n. g0 f40")
    act(
        match,
        Pickup(0, at(1, 0), FOOD, 2),
        Pickup(0, at(1, 0), FOOD, 2),
        Drop(0, at(0, 1), FOOD),
        Move(0, at(1, 2)),
    )
    act(match, Move(0, at(1, 1)), Harvest(0, BESIDE), Drop(0, at(0, 1), FOOD))
    assert match.state.acted[0]


@rule("A3")
@by_job
def test_action_costs_the_energy_of_the_job(unit, action, target):
    match = begin(f". . .\n. {unit} {target}")
    act(match, action)
    assert energies(match, 0) == [75 if unit == "s0" else 25]


@rule("A3")
@pytest.mark.parametrize("energy, allowed", [("75", True), ("74.99", False)])
@pytest.mark.parametrize(
    "unit, action, target", ACTIONS_BY_JOB[1:], ids=lambda v: named(v) if isinstance(v, Action) else None
)
def test_action_needs_the_energy_it_costs(unit, action, target, energy, allowed):
    match = begin(f". . .\n. {unit}*{energy} {target}")
    if allowed:
        act(match, action)
    else:
        assert refused(match, action) == "A3"


@rule("A4")
@by_job
def test_each_action_needs_its_job(unit, action, target):
    for job in "sgbmhc":
        if job != unit[0]:
            world = draw(f". . .\n. {job}0 {target}")
            assert refused(start(world), action) == "A4"


def elsewhere(action: Action, tile: int) -> Action:
    return type(action)(0, tile, *[getattr(action, name) for name in action.__struct_fields__[2:]])


@rule("A5")
@by_job
def test_tile_that_is_not_adjacent_is_out_of_reach(unit, action, target):
    assert refused(begin(f". . .\n. {unit} . {target}"), elsewhere(action, FAR)) == "A5"
    assert refused(begin(f". . .\n. {unit} .\n. . {target}"), elsewhere(action, at(2, 2))) == "A5"


@rule("A5")
@pytest.mark.parametrize(
    "unit, action, target", [ACTIONS_BY_JOB[0], ACTIONS_BY_JOB[3]], ids=["attack", "deconstruct"]
)
def test_own_tile_is_not_adjacent(unit, action, target):
    assert refused(begin(f". . .\n. {unit}+S1"), elsewhere(action, HERE)) == "A5"


@rule("A5")
@pytest.mark.parametrize(
    "tile, allowed", [(HERE, True), (BESIDE, True), (at(1, 2), True), (FAR, False), (at(2, 2), False)]
)
def test_drops_and_pickups_reach_the_own_tile_and_adjacent_ones(tile, allowed):
    world = draw(". . .\n. g0 . .")
    world.food[0] = 10
    world.ground_materials[tile] = 5
    match = start(world)
    if allowed:
        act(match, Drop(0, tile, FOOD, 1), Pickup(0, tile, MATERIALS, 1))
    else:
        assert refused(match, Drop(0, tile, FOOD, 1)) == refused(match, Pickup(0, tile, MATERIALS, 1)) == "A5"


@rule("A6")
@pytest.mark.parametrize("job, limit", [("s0", 10), ("g0", 100), ("b0", 75), ("m0", 10), ("h0", 10)])
def test_food_and_materials_together_stay_within_the_limit_of_the_job(job, limit):
    world = draw(f". . .\n. {job} ,99+%99")
    world.energy[0] = 300
    match = start(world)
    act(match, Pickup(0, BESIDE, FOOD, 4), Pickup(0, BESIDE, MATERIALS, 99))
    assert (match.state.food[0], match.state.materials[0]) == (4, limit - 4)
    assert refused(match, Pickup(0, BESIDE, FOOD)) == "A6"


@rule("A6")
@pytest.mark.parametrize(
    "unit, action, target", [ACTIONS_BY_JOB[1], ACTIONS_BY_JOB[3]], ids=["harvest", "deconstruct"]
)
def test_unit_at_its_carry_limit_takes_nothing(unit, action, target):
    world = draw(f". . .\n. {unit} {target}")
    world.food[0] = 50
    world.materials[0] = 50 if unit == "g0" else 25
    assert refused(start(world), action) == "A6"


@rule("A7")
@by_job
def test_near_a_friendly_monument_an_action_costs_half(unit, action, target):
    match = begin(f". . . .\n. {unit}*50 {target} .\n. . . .\n. . . .\n. . . . M0")
    act(match, action)
    assert energies(match, 0) == [50 - (12.5 if unit == "s0" else 37.5)]


@rule("A7")
@pytest.mark.parametrize("monument", ["M1", "M-"])
def test_monuments_of_others_do_not_help(monument):
    match = begin(f". . .\n. g0*50 f40 {monument}")
    assert refused(match, Harvest(0, BESIDE)) == "A3"


@rule("M7")
@pytest.mark.parametrize(
    "x, y, helps", [(4, 4, True), (4, 0, True), (5, 1, False), (1, 5, False), (0, 4, True)]
)
def test_monument_works_in_a_square_of_seven(x, y, helps):
    world = draw(". . .\n. g0*50 f40")
    world.structure[at(x, y)], world.structure_owner[at(x, y)] = Structure.MONUMENT, 0
    match = start(world)
    if helps:
        act(match, Harvest(0, BESIDE))
    else:
        assert refused(match, Harvest(0, BESIDE)) == "A3"


# --- Moving -------------------------------------------------------------------------------------------------


@rule("P1")
@pytest.mark.parametrize("tile", [HERE, FAR, at(2, 2), at(0, 0)])
def test_unit_moves_to_adjacent_tiles_only(tile):
    assert refused(begin(ALL_AROUND.format("g0")), Move(0, tile)) in ("A5", "P2")


@rule("P2")
@pytest.mark.parametrize("other", ["g0", "s1", "h-"])
def test_unit_cannot_move_onto_another_unit(other):
    assert refused(begin(f". . .\n. g0 {other}"), Move(0, BESIDE)) == "P2"


@rule("P3")
@pytest.mark.parametrize(
    "structure, passable",
    [("S0", True), ("S1", True), ("==", True), ("W0", False), ("W1", False), ("M0", False), ("N-", False)],
)
def test_unit_walks_only_through_shelters_and_on_roads(structure, passable):
    match = begin(f". . .\n. g0 {structure}")
    if passable:
        act(match, Move(0, BESIDE))
    else:
        assert refused(match, Move(0, BESIDE)) == "P3"


@rule("P4")
@pytest.mark.parametrize("job, moves", [("s0", 3), ("g0", 4), ("b0", 4), ("m0", 4), ("h0", 4), ("c0", 2)])
def test_unit_has_the_moves_of_its_job_and_they_cost_no_energy(job, moves):
    match = begin(f". . .\n. {job}*60 .")
    end_turns(match, 2)
    act(match, *[Move(0, BESIDE if step % 2 == 0 else HERE) for step in range(moves)])
    assert refused(match, Move(0, HERE if moves % 2 else BESIDE)) == "P4"
    assert energies(match, 0) == [60]


@rule("P5")
def test_after_attack_change_of_job_and_rest_no_moves_are_left():
    match = begin("c0 g0 S0 .\n. . g0*50 .\ns0 N- .")
    act(match, ChangeJob(1, Job.SOLDIER), Rest(2), Attack(3, at(1, 2)))
    for unit, tile in ((1, at(1, 1)), (2, at(3, 1)), (3, at(0, 1))):
        assert refused(match, Move(unit, tile)) == "P4"


@rule("P5")
@pytest.mark.parametrize(
    "unit, action, target", ACTIONS_BY_JOB[1:], ids=lambda v: named(v) if isinstance(v, Action) else None
)
def test_after_other_actions_a_unit_can_still_move(unit, action, target):
    match = begin(f". . .\n. {unit} {target}")
    act(match, action, Move(0, at(0, 1)), Move(0, HERE))


# --- Jobs ---------------------------------------------------------------------------------------------------

NUMBERS = {  # moves, cost, rest, limit, upkeep
    Job.FRESH_HUMAN: (4, 0, 50, 10, 1),
    Job.CAT_OVERLORD: (2, 75, 10, 10, 0),
    Job.SOLDIER: (3, 25, 25, 10, 3),
    Job.GATHERER: (4, 75, 50, 100, 1),
    Job.BUILDER: (4, 75, 50, 75, 2),
    Job.MISSIONARY: (4, 75, 50, 10, 2),
}


@rule("J1")
@pytest.mark.parametrize("job", Job)
def test_job_has_the_documented_numbers(job):
    letter = "hcsgbm"[job]
    match = begin(f"S0 {letter}0*20 ,99 f90", gatherers_only=False, monument_cost_percent=100)
    world = match.state
    moves, cost, rest, limit, upkeep = NUMBERS[job]
    before = world.store[0]
    act(match, Rest(0))
    assert energies(match, 0) == [20 + rest * (2 if job == Job.CAT_OVERLORD else 1)]
    end_turns(match, 2)
    assert (match.state.moves[0], before - match.state.store[0]) == (
        moves,
        upkeep + 1,
    )  # includes the fresh human
    assert _limit(letter) == limit and _cost(letter) == cost


def _limit(letter: str) -> int:
    world = draw(f". {letter}0 ,200")
    world.energy[0] = 500
    match = start(world)
    act(match, Pickup(0, at(2, 0), FOOD))
    return match.state.food[0]


def _cost(letter: str) -> float:
    match = begin(f". {letter}0 f90", gatherers_only=False)
    act(match, Harvest(0, at(2, 0)))
    return 100 - match.state.energy[0]


@rule("K1")
@pytest.mark.parametrize("job", [job for job in Job if job != Job.CAT_OVERLORD])
def test_unit_can_take_any_other_job_except_overlord(job):
    letter = "g" if job != Job.GATHERER else "s"
    match = begin(f"c0 {letter}0")
    assert refused(match, ChangeJob(1, Job.CAT_OVERLORD)) == "K1"
    assert refused(match, ChangeJob(0, Job.SOLDIER)) == "K1"
    assert refused(match, ChangeJob(1, Job(match.state.job[1]))) == "K1"
    act(match, ChangeJob(1, job))
    assert match.state.job[1] == job


@rule("K2")
def test_changing_jobs_needs_and_keeps_full_energy():
    match = begin("c0 g0*99.5 .\ng0 . .")
    assert refused(match, ChangeJob(1, Job.SOLDIER)) == "K2"
    act(match, ChangeJob(2, Job.SOLDIER))
    assert energies(match, 2) == [100]


@rule("K3")
@pytest.mark.parametrize(
    "x, y, near", [(3, 1, True), (3, 3, True), (2, 1, True), (4, 2, False), (2, 4, False)]
)
def test_jobs_change_next_to_the_own_overlord(x, y, near):
    rows = [["." for _ in range(5)] for _ in range(5)]
    rows[2][2], rows[y][x] = "c0", "h0"
    match = begin("\n".join(" ".join(row) for row in rows))
    unit = next(u for u in range(2) if match.state.job[u] == Job.FRESH_HUMAN)
    if near:
        act(match, ChangeJob(unit, Job.SOLDIER))
    else:
        assert refused(match, ChangeJob(unit, Job.SOLDIER)) == "K3"


@rule("K3")
def test_enemy_overlord_does_not_help():
    assert refused(begin("c1 h0 h1"), ChangeJob(1, Job.SOLDIER)) == "K3"


@rule("K4")
def test_changing_jobs_drops_everything_even_in_a_shelter():
    world = draw("c0 S0+g0")
    world.food[1], world.materials[1] = 30, 40
    match = start(world)
    act(match, ChangeJob(1, Job.SOLDIER))
    after = match.state
    assert (after.food[1], after.materials[1]) == (0, 0)
    assert (after.ground_food[1], after.ground_materials[1], after.store[0]) == (30, 40, 1000)


# --- Harvesting ---------------------------------------------------------------------------------------------


@rule("H1")
@pytest.mark.parametrize("job", "sbmhc")
def test_only_gatherers_harvest_and_steal(job):
    for target in ("f40", "S1"):
        assert refused(begin(f". . .\n. {job}0 {target}"), Harvest(0, BESIDE)) == "A4"


@rule("H2")
def test_gatherer_harvests_its_own_tile_or_an_adjacent_one():
    match = begin(". . .\n. g0+f40 f40 f40")
    assert refused(match, Harvest(0, FAR)) == "A5"
    act(match, Harvest(0, HERE))
    assert match.state.food[0] == 40


@rule("H3")
def test_tile_without_food_cannot_be_harvested():
    assert refused(begin(". . .\n. g0 ."), Harvest(0, BESIDE)) == "H3"
    act(begin(". . .\n. g0 f1"), Harvest(0, BESIDE))


@rule("H4")
@pytest.mark.parametrize("carried, got", [(0, 40), (60, 40), (75, 25)])
def test_gatherer_takes_the_harvest_rate_or_what_it_can_carry(carried, got):
    world = draw(". . .\n. g0 f40")
    world.materials[0] = carried
    match = start(world)
    act(match, Harvest(0, BESIDE))
    assert match.state.food[0] == got
    assert match.state.harvest_rate[BESIDE] == 40


@rule("H5")
def test_harvested_tile_is_ready_again_after_ten_ends_of_turns():
    match = begin(". . .\n. g0*1000 f4")
    act(match, Harvest(0, BESIDE))
    end_turns(match, 8)
    assert match.state.turns_to_harvest[BESIDE] == 2
    assert refused(match, Harvest(0, BESIDE)) == "H5"
    end_turns(match, 2)
    act(match, Harvest(0, BESIDE))
    assert match.state.food[0] == 8


@rule("H6")
@pytest.mark.parametrize("store, carried, stolen", [(1000, 0, 100), (1000, 30, 70), (40, 0, 40), (0, 0, 0)])
def test_gatherer_steals_from_the_enemy_store(store, carried, stolen):
    world = draw(". . .\n. g0 S1")
    world.store[1], world.materials[0] = store, carried
    match = start(world)
    act(match, Harvest(0, BESIDE))
    assert (match.state.food[0], match.state.store[1]) == (stolen, store - stolen)
    assert (energies(match, 0), match.state.turns_to_harvest[BESIDE]) == ([25], 0)


@rule("H6")
@pytest.mark.parametrize("structure", ["S0", "W1", "M1", "N-", "=="])
def test_other_structures_cannot_be_harvested(structure):
    assert refused(begin(f". . .\n. g0 {structure}+f40"), Harvest(0, BESIDE)) == "H6"


@rule("H7")
def test_harvest_falls_every_sixty_turns():
    match = begin("f40 f5 f0", turn=58)
    end_turns(match)
    assert list(match.state.harvest_rate[:3]) == [40, 5, 0]
    end_turns(match)
    assert list(match.state.harvest_rate[:3]) == [30, 0, 0]
    end_turns(match, 59)
    assert match.state.harvest_rate[0] == 30
    end_turns(match)
    assert match.state.harvest_rate[0] == 20


# --- Constructing and deconstructing ------------------------------------------------------------------------


@rule("B1")
@pytest.mark.parametrize("structure", Structure)
def test_walls_shelters_and_monuments_are_constructed(structure):
    match = begin(". . .\n. b0 %999")
    if structure in (Structure.WALL, Structure.SHELTER, Structure.MONUMENT):
        act(match, Construct(0, BESIDE, structure))
        assert (match.state.structure[BESIDE], match.state.structure_owner[BESIDE]) == (structure, 0)
    else:
        assert refused(match, Construct(0, BESIDE, structure)) == "B1"


@rule("B2")
@pytest.mark.parametrize("there", ["S0", "W1", "N-", "=="])
def test_constructing_on_a_structure_is_refused(there):
    assert refused(begin(f". . .\n. b0 {there}+%200"), Construct(0, BESIDE, Structure.WALL)) == "B2"


@rule("B2")
@pytest.mark.parametrize("other", ["g0", "s1", "h-"])
def test_only_shelters_are_constructed_around_a_unit(other):
    match = begin(f". . .\n. b0 {other}+%200")
    for structure in (Structure.WALL, Structure.MONUMENT):
        assert refused(match, Construct(0, BESIDE, structure)) == "P2"
    act(match, Construct(0, BESIDE, Structure.SHELTER))


@rule("B3")
@rule("M6")
@pytest.mark.parametrize(
    "structure, cost", [(Structure.WALL, 75), (Structure.SHELTER, 50), (Structure.MONUMENT, 100)]
)
def test_structure_uses_the_materials_on_its_tile(structure, cost):
    assert refused(begin(f". . .\n. b0 %{cost - 1}"), Construct(0, BESIDE, structure)) == "B3"
    match = begin(f". . .\n. b0 %{cost + 7}")
    act(match, Construct(0, BESIDE, structure))
    assert (match.state.ground_materials[BESIDE], match.state.structure_materials[BESIDE]) == (7, cost)


@rule("B4")
def test_monument_does_not_lower_its_own_cost():
    match = begin(". . .\n. b0 %100")
    act(match, Construct(0, BESIDE, Structure.MONUMENT))
    assert (energies(match, 0), bool(match.state.acted[0])) == ([25], True)


@rule("B5")
def test_construction_ends_growth_for_good():
    match = begin(". . .\n. b0 f40+%50 s0\n. . s0")
    act(match, Construct(0, BESIDE, Structure.SHELTER))
    assert match.state.harvest_rate[BESIDE] == 0
    act(match, Attack(1, BESIDE))
    end_turns(match, 2)
    act(match, Attack(1, BESIDE))
    assert (match.state.structure[BESIDE], match.state.harvest_rate[BESIDE]) == (Structure.NOTHING, 0)


@rule("B6")
@pytest.mark.parametrize(
    "structure, allowed",
    [("N-", True), ("S1", True), ("W1", True), ("M1", True), ("S0", False), ("==", False), (".", False)],
)
def test_foreign_structures_except_roads_can_be_deconstructed(structure, allowed):
    match = begin(f". . .\n. b0 {structure}")
    if allowed:
        act(match, Deconstruct(0, BESIDE))
    else:
        assert refused(match, Deconstruct(0, BESIDE)) == "B6"


@rule("B7")
@pytest.mark.parametrize("materials, carried, taken", [(200, 0, 75), (200, 30, 45), (50, 0, 50), (75, 0, 75)])
def test_builder_takes_out_what_it_can_carry(materials, carried, taken):
    world = draw(f". . .\n. b0 N-:{materials}")
    world.food[0] = carried
    match = start(world)
    act(match, Deconstruct(0, BESIDE))
    assert match.state.materials[0] == taken
    left = match.state.structure_materials[BESIDE]
    assert (left, match.state.structure[BESIDE] == Structure.NOTHING) == (
        materials - taken,
        materials == taken,
    )


# --- Converting ---------------------------------------------------------------------------------------------


@rule("N1")
@pytest.mark.parametrize("other", [".", "h0", "s1"])
def test_only_neutral_units_are_converted(other):
    assert refused(begin(f". . .\n. m0 {other}"), Convert(0, BESIDE)) == "N1"


@rule("N2")
def test_converted_unit_belongs_to_the_seat_and_acts_on_its_next_turn():
    world = draw(". . .\n. m0 h-*40")
    world.bound_for[1] = at(9, 1)
    match = start(world)
    act(match, Convert(0, BESIDE))
    after = match.state
    assert (after.owner[1], after.energy[1], after.turns_to_die[1], after.bound_for[1]) == (0, 100, -1, -1)
    assert after.job[1] == Job.FRESH_HUMAN
    assert refused(match, Move(1, FAR)) == "P4"
    end_turns(match, 12)
    assert match.state.tile[1] == BESIDE
    act(match, Move(1, FAR))


def test_conversions_are_counted():
    match = begin("h- m0 h-\n. h- m0")
    act(match, Convert(1, at(2, 0)), Convert(4, at(1, 1)), EndTurn(), EndTurn(), EndTurn(), EndTurn())
    assert list(match.state.joined[:5]) == [0, 0, 1, 2, 0]


# --- Dropping and picking up --------------------------------------------------------------------------------


@rule("D1")
@pytest.mark.parametrize("amount, dropped", [(0, 30), (-5, 30), (1, 1), (12, 12), (99, 30)])
@pytest.mark.parametrize("resource", Resource)
def test_unit_drops_some_or_all(resource, amount, dropped):
    world = draw(". . .\n. g0 .")
    world.food[0] = world.materials[0] = 30
    match = start(world)
    act(match, Drop(0, BESIDE, resource, amount))
    lying = match.state.ground_food[BESIDE], match.state.ground_materials[BESIDE]
    carried = match.state.food[0], match.state.materials[0]
    assert (lying[resource], carried[resource]) == (dropped, 30 - dropped)
    assert (lying[1 - resource], carried[1 - resource], energies(match, 0)) == (0, 30, [100])


@rule("D2")
@pytest.mark.parametrize(
    "structure, food, materials",
    [
        ("S0", True, False),
        ("S1", False, False),
        ("==", True, True),
        ("W0", False, False),
        ("N-", False, False),
        ("M0", False, False),
    ],
)
def test_things_can_be_dropped_on_ground_roads_and_own_shelters(structure, food, materials):
    match = begin(f". . .\n. g0 {structure}")
    for resource, allowed in ((FOOD, food), (MATERIALS, materials)):
        if allowed:
            act(match, Drop(0, BESIDE, resource))
        else:
            assert refused(match, Drop(0, BESIDE, resource)) == "D2"


@rule("D3")
def test_food_in_an_own_shelter_goes_to_the_store():
    world = draw(". . .\n. g0 S0")
    world.food[0] = 30
    match = start(world)
    act(match, Drop(0, BESIDE, FOOD, 20))
    assert (match.state.store[0], match.state.ground_food[BESIDE], match.state.food[0]) == (1020, 0, 10)


@rule("G1")
@pytest.mark.parametrize("structure", ["S0", "S1", "==", "W1"])
def test_things_can_be_picked_up_under_structures(structure):
    match = begin(f". . .\n. g0 {structure}+,9")
    act(match, Pickup(0, BESIDE, FOOD, 4), Pickup(0, BESIDE, FOOD, 4))
    assert (match.state.food[0], match.state.ground_food[BESIDE]) == (8, 1)


@rule("G2")
def test_picking_up_costs_full_energy_near_a_monument():
    match = begin("M0 . .\n. g0*50 ,9")
    act(match, Pickup(0, BESIDE, FOOD))
    assert energies(match, 0) == [41]


@rule("G2")
@pytest.mark.parametrize("energy", ["0", "0.99"])
def test_picking_up_needs_energy(energy):
    assert refused(begin(f". . .\n. g0*{energy} ,9"), Pickup(0, BESIDE, FOOD)) == "G2"


@rule("G3")
@pytest.mark.parametrize(
    "amount, energy, carried, got",
    [
        (0, 100, 0, 60),
        (-3, 100, 0, 60),
        (1, 100, 0, 1),
        (7, 100, 0, 7),
        (90, 100, 0, 60),
        (0, 20.9, 0, 20),
        (0, 100, 85, 15),
    ],
)
@pytest.mark.parametrize("resource", Resource)
def test_pickup_is_limited_by_supply_room_and_energy(resource, amount, energy, carried, got):
    world = draw(". . .\n. g0 ,60+%60")
    world.energy[0] = energy
    world.food[0], world.materials[0] = (0, carried) if resource == FOOD else (carried, 0)
    match = start(world)
    act(match, Pickup(0, BESIDE, resource, amount))
    assert (match.state.food[0], match.state.materials[0])[resource] == got
    assert (match.state.ground_food[BESIDE], match.state.ground_materials[BESIDE])[resource] == 60 - got


@rule("G3")
def test_picking_up_nothing_is_refused():
    assert refused(begin(". . .\n. g0 %9"), Pickup(0, BESIDE, FOOD)) == "G3"


# --- Resting ------------------------------------------------------------------------------------------------


@rule("R1")
def test_rested_unit_cannot_rest():
    assert refused(begin("S0 g0"), Rest(0)) == "R1"


@rule("R2")
@rule("M7")
@pytest.mark.parametrize(
    "x, y, near", [(2, 1, True), (2, 2, True), (0, 0, True), (1, 1, True), (3, 1, False), (1, 3, False)]
)
def test_unit_rests_in_range_of_an_own_shelter(x, y, near):
    world = draw(". . . .\n. S0 . .\n. . . .\n. . . .\n. . . g0*10")
    world.unit_on[world.tile[0]], world.tile[0], world.unit_on[at(x, y)] = -1, at(x, y), 0
    match = start(world)
    if near:
        act(match, Rest(0))
    else:
        assert refused(match, Rest(0)) == "R2"


@rule("R2")
@pytest.mark.parametrize("structure", ["S1", "M0", "W0"])
def test_other_structures_give_no_rest(structure):
    assert refused(begin(f"{structure} g0*10"), Rest(0)) == "R2"


@rule("R3")
@pytest.mark.parametrize(
    "job, before, after", [("g0", 10, 60), ("s0", 10, 35), ("g0", 70, 100), ("m0", 0.5, 50.5)]
)
def test_rest_gives_the_energy_of_the_job_up_to_a_hundred(job, before, after):
    match = begin(f"S0 {job}*{before}")
    act(match, Rest(0))
    assert energies(match, 0) == [after]


@rule("R4")
def test_starving_unit_gains_a_quarter():
    world = draw("S0 g0*10")
    world.starving[0] = True
    match = start(world)
    act(match, Rest(0))
    assert energies(match, 0) == [22.5]


@rule("R5")
@pytest.mark.parametrize(
    "drawing, gained",
    [
        ("S0+c0 g0*10", 50 * 2 - 10),  # inside it, up to full energy
        (". . .\nc0 S0 s0*10", 50),  # next to it
        ("s0*10 S0+c0", 50),  # to the east
        (". s0*10\nS0+c0 .", 50),  # diagonal
        ("c0 . S0 s0*10", 25),  # two tiles away
        ("S0 s0*10 W0 c0", 25),  # a wall in between does not help
        ("S0 s0*10 S1 c0", 25),  # neither does an enemy shelter
        ("S0+c0 . . S0 s0*10", 25),  # at another shelter
        (". S0 c0 S0\n. s0*10 . .", 50),  # in range of one of two
    ],
)
def test_unit_gains_double_with_the_overlord_in_range(drawing, gained):
    match = begin(drawing)
    unit = next(u for u in range(2) if match.state.job[u] != Job.CAT_OVERLORD)
    act(match, Rest(unit))
    assert energies(match, unit) == [10 + gained]


@rule("R5")
@pytest.mark.parametrize(
    "unit, shelter", [((9, 1), (0, 2)), ((0, 1), (9, 0)), ((9, 1), (0, 3)), ((4, 0), (4, 7))]
)
def test_shelters_and_overlords_across_the_edge_of_the_map_do_not_help(unit, shelter):
    world = draw(". S0 .\n. . s0*10")
    world.unit_on[world.tile[0]], world.tile[0], world.unit_on[at(*unit)] = -1, at(*unit), 0
    own = at(unit[0], unit[1] + 1)  # a shelter to rest at, without the overlord
    for tile in (own, at(*shelter)):
        world.structure[tile], world.structure_owner[tile] = Structure.SHELTER, 0
    overlord = world.overlord[0]
    world.unit_on[world.tile[overlord]], world.tile[overlord] = -1, at(*shelter)
    match = start(world)
    act(match, Rest(0))
    assert energies(match, 0) == [35]


@rule("R5")
def test_starving_unit_gains_half_with_the_overlord():
    world = draw("S0+c0 g0*10")
    world.starving[1] = True
    match = start(world)
    act(match, Rest(1))
    assert energies(match, 1) == [35]


def test_every_kind_of_action_is_tested():
    tried = {type(action) for action in every_action(0, 0)} | {EndTurn}
    assert tried == {kind for kind, act_of in game.actions.items() if not act_of.anytime}
