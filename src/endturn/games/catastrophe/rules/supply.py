"""Food, materials and energy: harvesting, stealing, dropping, picking up, resting (chapters H, D, G, R)."""

from endturn.engine.rule import rule
from endturn.games.catastrophe.refusals import (
    EXHAUSTED,
    FULL_HANDS,
    HAS_ACTED,
    NO_DROP_IN_ENEMY_SHELTER,
    NO_DROP_ON_STRUCTURE,
    NO_FOOD_HERE,
    NO_SHELTER,
    NOT_ENEMY_SHELTER,
    NOT_READY,
    NOTHING_THERE,
    ONLY_FOOD_IN_SHELTER,
    OUT_OF_REACH,
    TOO_MUCH,
    WELL_RESTED,
    WRONG_JOB,
)
from endturn.games.catastrophe.rules.acting import (
    act,
    act_and_stay,
    distance,
    is_near,
    refuse_command,
    refuse_effort,
    refuse_unit,
    room,
)
from endturn.games.catastrophe.rules.combat import shields
from endturn.games.catastrophe.state import (
    EFFECT_RADIUS,
    FULL_ENERGY,
    REGENERATION,
    Job,
    PickupAmount,
    Resource,
    Structure,
    World,
)
from endturn.mechanisms.grid import chebyshev

MOST = 1_000_000_000  # of a resource or energy in one place (G5)
SHELTER_RADIUS = EFFECT_RADIUS[Structure.SHELTER]


# --- harvesting and stealing --------------------------------------------------------------------------------


@rule
def refuse_harvest(game: World, seat: int, unit: int, tile: int) -> int:
    """A gatherer harvests ready food or steals, on its own or an adjacent tile (H1, H2, H3, H5, H6)."""
    broken = refuse_effort(game, seat, unit, tile)
    if broken != 0:
        return broken
    if game.settings.gatherers_only and game.job[unit] != Job.GATHERER:
        return WRONG_JOB
    if distance(game, unit, tile) > 1:
        return OUT_OF_REACH
    if game.structure[tile] != Structure.NOTHING:
        if not is_enemy_shelter(game, seat, tile):
            return NOT_ENEMY_SHELTER
    elif game.harvest_rate[tile] < 1:
        return NO_FOOD_HERE
    elif game.turns_to_harvest[tile] != 0:
        return NOT_READY
    return 0 if room(game, unit) > 0 else FULL_HANDS


@rule
def is_enemy_shelter(game: World, seat: int, tile: int) -> bool:
    """Return whether the other seat has a shelter on a tile (H6)."""
    return game.structure[tile] == Structure.SHELTER and game.structure_owner[tile] == 1 - seat


@rule
def harvest(game: World, seat: int, unit: int, tile: int) -> None:
    """Take food from the tile or the enemy's store, up to the carry limit (H4, H5, H6)."""
    if game.structure[tile] == Structure.SHELTER:
        taken = min(game.store[1 - seat], room(game, unit))
        game.store[1 - seat] -= taken
    else:
        taken = min(game.harvest_rate[tile], room(game, unit))
        game.turns_to_harvest[tile] = game.settings.turns_between_harvests
    game.food[unit] += taken
    act(game, unit)


# --- dropping and picking up --------------------------------------------------------------------------------


@rule
def refuse_drop(game: World, seat: int, unit: int, tile: int, resource: int, amount: int) -> int:
    """A unit drops things on open ground or a road, or food into an own shelter (D1, D2)."""
    broken = refuse_command(game, seat, unit, tile)
    if broken != 0:
        return broken
    if distance(game, unit, tile) > 1:
        return OUT_OF_REACH
    if game.structure[tile] == Structure.SHELTER:
        if game.structure_owner[tile] != seat:
            return NO_DROP_IN_ENEMY_SHELTER
        return 0 if resource == Resource.FOOD else ONLY_FOOD_IN_SHELTER
    return NO_DROP_ON_STRUCTURE if shields(game.structure[tile]) else 0


@rule
def drop(game: World, seat: int, unit: int, tile: int, resource: int, amount: int) -> None:
    """Put food from a shelter into the store, everything else on the ground; not an action (D1, D3)."""
    carried = game.food[unit] if resource == Resource.FOOD else game.materials[unit]
    dropped = carried if amount < 1 else min(carried, amount)
    if resource == Resource.MATERIALS:
        game.materials[unit] -= dropped
        game.ground_materials[tile] += dropped
    else:
        game.food[unit] -= dropped
        if game.structure[tile] == Structure.SHELTER:
            game.store[seat] += dropped
        else:
            game.ground_food[tile] += dropped


@rule
def refuse_pickup(game: World, seat: int, unit: int, tile: int, resource: int, amount: int) -> int:
    """A unit with energy and room picks up what lies on its own or an adjacent tile (G1, G2, G3, G5)."""
    broken = refuse_command(game, seat, unit, tile)
    if broken != 0:
        return broken
    if distance(game, unit, tile) > 1:
        return OUT_OF_REACH
    if int(game.energy[unit]) <= 0:
        return EXHAUSTED
    if room(game, unit) <= 0:
        return FULL_HANDS
    if lying(game, tile, resource) <= 0:
        return NOTHING_THERE
    put = -picked_up(game, unit, tile, resource, amount)
    return TOO_MUCH if put > 0 and put + game.energy[unit] + lying(game, tile, resource) > MOST else 0


@rule
def lying(game: World, tile: int, resource: int) -> int:
    """Return how much of a resource lies on a tile."""
    return game.ground_food[tile] if resource == Resource.FOOD else game.ground_materials[tile]


@rule
def picked_up(game: World, unit: int, tile: int, resource: int, amount: int) -> int:
    """Return the amount picked up, limited by room, energy and usually the supply (G3, G4)."""
    limit = min(room(game, unit), int(game.energy[unit]))
    if game.settings.pickup_amount == PickupAmount.AS_ASKED:
        return min(amount, limit)
    wanted = amount
    if amount < 1:
        by_materials = game.settings.pickup_amount == PickupAmount.BY_MATERIALS
        wanted = lying(game, tile, Resource.MATERIALS if by_materials else resource)
    return min(wanted, limit, lying(game, tile, resource))


@rule
def pickup(game: World, seat: int, unit: int, tile: int, resource: int, amount: int) -> None:
    """Pick things up for one energy each, even near a monument; not an action (G1, G2)."""
    taken = picked_up(game, unit, tile, resource, amount)
    game.energy[unit] -= taken
    if resource == Resource.FOOD:
        game.ground_food[tile] -= taken
        game.food[unit] += taken
    else:
        game.ground_materials[tile] -= taken
        game.materials[unit] += taken


# --- resting ------------------------------------------------------------------------------------------------


@rule
def refuse_rest(game: World, seat: int, unit: int) -> int:
    """A tired unit rests in range of an own shelter (R1, R2)."""
    broken = refuse_unit(game, seat, unit)
    if broken != 0:
        return broken
    if game.acted[unit]:
        return HAS_ACTED
    if game.energy[unit] >= FULL_ENERGY:
        return WELL_RESTED
    return 0 if is_near(game, game.tile[unit], seat, Structure.SHELTER, SHELTER_RADIUS) else NO_SHELTER


@rule
def rest(game: World, seat: int, unit: int) -> None:
    """Gain energy by job: less while starving, more with the overlord in range (R3, R4, R5)."""
    gained = REGENERATION[game.job[unit]] * 1.0
    if game.starving[unit]:
        gained *= game.settings.starving_rest_percent / 100.0
    if rests_with_overlord(game, seat, unit):
        gained *= game.settings.overlord_rest_percent / 100.0
    game.energy[unit] = min(game.energy[unit] + gained, FULL_ENERGY * 1.0)
    act_and_stay(game, unit)


@rule
def rests_with_overlord(game: World, seat: int, unit: int) -> bool:
    """Return whether the unit and its overlord are in range of the same own shelter (R5)."""
    width, overlord = game.settings.map_width, game.tile[game.overlord[seat]]
    for side in range(9):
        x, y = game.tile[unit] % width + side % 3 - 1, game.tile[unit] // width + side // 3 - 1
        if 0 <= x < width and 0 <= y < game.settings.map_height:
            shelter = x + y * width
            own = game.structure[shelter] == Structure.SHELTER and game.structure_owner[shelter] == seat
            if own and chebyshev(overlord, shelter, width) <= SHELTER_RADIUS:
                return True
    return False
