"""Units at a turn change: creation, loss, hit points, fuel, moves, veterans."""

from endturn.games.empires.rules.effects import of_unit
from endturn.games.empires.rules.numbers import clip, percent
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.terrain import extras_on
from endturn.games.empires.ruleset import UnitType
from endturn.games.empires.state import City, Player, Unit, World
from endturn.games.empires.vocabulary import DiplomaticState, EffectType

WORK = {
    "Pollution", "Mine", "Irrigate", "Pillage", "Transform", "Fallout", "Base", "Road",
}  # fmt: skip
TEACHING = WORK - {"Pillage"}  # activities that may make a unit veteran
COUNTED = WORK | {"Fortifying", "Convert"}
ACTIVITY_FACTOR = 10
ENEMY_REACH = 3
KEYPAD = "789", "456", "123"  # facings in savegames, as the keys lie on a keyboard
FIRST_DRAWN, DRAWN = 1000, 9000  # drawn ids have four digits


def next_identity(world: World) -> int:
    """An unused id for a city or unit.

    In a match it is drawn: consecutive ids would reveal how many units and cities others have made (V9).
    """
    drawn = world.draws_identities
    number = FIRST_DRAWN + world.chance.below(DRAWN, "identity") if drawn else world.last_identity + 1
    while number in world.units or number in world.cities:
        number += 1
    if not drawn:
        world.last_identity = number
    return number


def create(world: World, player: Player, kind: UnitType, tile: int, veteran: int, home: City | None) -> Unit:
    """Create a unit at the front of all lists; its facing and its goods are drawn."""
    east, south = world.geometry.directions[world.chance.below(len(world.geometry.directions), "facing")]
    carrying = ""
    if home is not None and world.rules.parameters.goods_on_leaving and world.rules.goods:
        carrying = world.rules.goods[world.chance.below(len(world.rules.goods), "goods")]
    unit = Unit(
        id=next_identity(world), owner=player, type=kind, tile=tile, veteran=veteran, hp=kind.hitpoints, home=home,
        activity="Idle", activity_count=0, activity_target=-1, changed_from="Idle", changed_from_count=0,
        changed_from_target=-1, done_moving=False, moves=move_rate(world, kind, veteran), fuel=kind.fuel,
        moved=False, paradropped=False, transport=-1, born=world.turn, facing=KEYPAD[south + 1][east + 1],
        nationality=player.number, carrying=carrying,
    )  # fmt: skip
    world.units[unit.id] = unit
    player.units.insert(0, unit)
    world.units_at.setdefault(tile, []).insert(0, unit)
    if home is not None:
        home.units.insert(0, unit)
    return unit


def relocate(world: World, unit: Unit, tile: int) -> None:
    """Put a unit on another tile, before the units there."""
    world.units_at[unit.tile].remove(unit)
    unit.tile = tile
    world.units_at.setdefault(tile, []).insert(0, unit)


def remove(world: World, unit: Unit) -> None:
    """Remove a unit, and refresh its home and the city it stood in. Its cargo may drown."""
    del world.units[unit.id]
    unit.owner.units.remove(unit)
    world.units_at[unit.tile].remove(unit)
    if unit.home is not None and unit in unit.home.units:
        unit.home.units.remove(unit)
    for city in {
        id(city): city for city in (unit.home, world.city_at.get(unit.tile)) if city is not None
    }.values():
        refresh(world, city)
    for cargo in [each for each in world.units_at[unit.tile] if each.transport == unit.id]:
        cargo.transport = -1
        if not is_in_city(world, cargo) and not _is_native(world, cargo) and not _rescued(world, cargo):
            lose(world, cargo, "drowned")


def _rescued(world: World, unit: Unit) -> bool:
    """Bring a unit worth rescuing from a lost boat to its owner's nearest city. Returns whether it was rescued."""
    if "EvacuateFirst" not in unit.type.flags or not unit.owner.cities:
        return False
    refuge = min(unit.owner.cities, key=lambda city: world.geometry.distance(unit.tile, city.tile))
    relocate(world, unit, refuge.tile)
    unit.moved = True
    refresh(world, refuge)
    world.tell("unit_rescued", unit.owner.number, unit.id, refuge.id)
    return True


def lose(world: World, unit: Unit, cause: str) -> None:
    """Remove a unit and count it as lost."""
    unit.owner.units_lost += 1
    world.tell("unit_lost", unit.owner.number, unit.id, cause)
    remove(world, unit)


def _is_native(world: World, unit: Unit) -> bool:
    native = unit.type.native
    if native in world.terrain[unit.tile].native_to:
        return True
    return any("NativeTile" in e.flags and native in e.native_to for e in extras_on(world, unit.tile))


def is_in_city(world: World, unit: Unit) -> bool:
    """Whether the unit stands in a city."""
    return unit.tile in world.city_at


def move_rate(world: World, kind: UnitType, veteran: int) -> int:
    """The move fragments of a healthy unit, before effects."""
    return kind.move_rate * world.rules.parameters.move_fragments + kind.veterans[veteran].move_bonus


def moves_of(world: World, unit: Unit) -> int:
    """P5: the move fragments of a unit for a turn."""
    fragments = world.rules.parameters.move_fragments
    whole = moves = move_rate(world, unit.type, unit.veteran)
    if "DamageSlows" in unit.type.unit_class.flags:
        moves = moves * unit.hp // unit.type.hitpoints
    moves += of_unit(world, unit, EffectType.MOVE_BONUS) * fragments
    return max(moves, min(unit.type.unit_class.min_speed * fragments, whole))


def enemies_near(world: World, unit: Unit) -> bool:
    """Whether a unit or city of an enemy is within a few steps."""
    near = world.geometry.square(unit.tile, ENEMY_REACH)
    cities, groups = world.city_at, world.units_at
    owners = {id(cities[tile].owner): cities[tile].owner for tile in near if tile in cities}
    for tile in near:
        if tile in groups:
            owners |= {id(other.owner): other.owner for other in groups[tile]}
    return any(at_war(unit.owner, owner) for owner in owners.values())


def at_war(one: Player, other: Player) -> bool:
    """Whether two players are enemies; barbarians are everybody's."""
    if one is other:
        return False
    if one.barbarian or other.barbarian:
        return True
    return one.relations[other.number].state in (DiplomaticState.WAR, DiplomaticState.NEVER_MET)


def retire_units(world: World, player: Player) -> None:
    """T2a: units with no enemy near may retire, as barbarians do."""
    for unit in list(player.units):
        if not enemies_near(world, unit) and world.chance.below(100, "retire") < of_unit(
            world, unit, EffectType.RETIRE_PCT
        ):
            world.tell("unit_retired", player.number, unit.id)
            remove(world, unit)


def restore_hitpoints(world: World, unit: Unit) -> None:
    """E6a: units recover, or lose hit points far from a base."""
    unit.hp = clip(0, _hp_after_rest(world, unit), unit.type.hitpoints)
    unit.moved = unit.paradropped = False


def die_without_hitpoints(world: World, unit: Unit) -> None:
    """E6b: a unit without hit points dies."""
    if unit.hp <= 0:
        lose(world, unit, "hp")


def _hp_after_rest(world: World, unit: Unit) -> int:
    before, most, unit_class = unit.hp, unit.type.hitpoints, unit.type.unit_class
    hp = before
    if not unit.moved:
        hp += _gain(world, unit)
    hp += of_unit(world, unit, EffectType.UNIT_RECOVER)
    harm = world.settings["killunhomed"]
    if unit.home is None and harm > 0 and "GameLoss" not in unit.type.flags:
        hp = min(hp - max(percent(most, harm), 1), before - 1)
    if (
        unit_class.hp_loss_pct
        and not is_in_city(world, unit)
        and unit.transport < 0
        and not _in_base(world, unit)
    ):
        hp -= percent(most, unit_class.hp_loss_pct)
    if before < most <= hp and unit.activity == "Sentry":
        unit.activity = "Idle"
    return hp


def _gain(world: World, unit: Unit) -> int:
    most, tenth = unit.type.hitpoints, (unit.type.hitpoints + 9) // 10
    gain = percent(most, of_unit(world, unit, EffectType.HP_REGEN))
    if is_in_city(world, unit):
        gain = max(gain, most // 3)
    if not unit.type.unit_class.hp_loss_pct:
        gain += tenth
    return gain + (tenth if unit.activity == "Fortified" else 0)


def _in_base(world: World, unit: Unit) -> bool:
    """Whether the unit stands in a base for its class."""
    bases = (extra for extra in extras_on(world, unit.tile) if extra.is_base)
    return any(unit.type.native in base.native_to for base in bases)


def use_fuel(world: World, player: Player) -> None:
    """E7: aircraft refuel or use a turn of fuel, and crash without any."""
    for unit in player.units:
        if unit.type.fuel:
            unit.fuel = unit.type.fuel if _refuels(world, unit) else unit.fuel - 1
    for unit in [each for each in player.units if each.type.fuel and each.fuel <= 0]:
        if unit.id in world.units:
            lose(world, unit, "fuel")


def _refuels(world: World, unit: Unit) -> bool:
    if is_in_city(world, unit) or unit.transport >= 0:
        return True
    native = unit.type.native
    return any("Refuel" in e.flags and native in e.native_to for e in extras_on(world, unit.tile))


def seek_refuge(world: World, unit: Unit) -> None:
    """E6c: aircraft low on fuel fly to an own city within reach of their moves."""
    if not unit.type.fuel or unit.fuel > 1 or _refuels(world, unit):
        return
    reach = unit.moves // world.rules.parameters.move_fragments
    for tile in world.geometry.square(unit.tile, reach):
        city = world.city_at.get(tile)
        if city is not None and city.owner is unit.owner:
            _fly(world, unit, tile)
            return


def _fly(world: World, unit: Unit, tile: int) -> None:
    unit.moves -= world.geometry.distance(unit.tile, tile) * world.rules.parameters.move_fragments
    relocate(world, unit, tile)


def work_rate(world: World, unit: Unit) -> int:
    """P3: the progress that a unit makes in a turn."""
    if unit.moves <= 0:
        return 0
    fragments, level = world.rules.parameters.move_fragments, unit.type.veterans[unit.veteran]
    return ACTIVITY_FACTOR * level.power_fact * (unit.type.move_rate * fragments) // (100 * fragments)


def become_veteran(world: World, unit: Unit) -> None:
    """P4: a worker may become veteran by its work."""
    if unit.activity not in TEACHING or "Settlers" not in unit.type.flags or "NoVeteran" in unit.type.flags:
        return
    if unit.veteran + 1 >= len(unit.type.veterans):
        return
    if world.chance.below(100, "veteran") < unit.type.veterans[unit.veteran].work_raise_chance:
        unit.veteran += 1
        world.tell("unit_became_veteran", unit.owner.number, unit.id)
