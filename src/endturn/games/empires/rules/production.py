"""What a city builds (TURN_CHANGE E10d to E11.8): shields, buildings, units, and the next target."""

from collections.abc import Iterator

from endturn.games.empires.rules.cities import (
    add_building,
    destroy,
    hand_over_units,
    nearest_own,
    remove_building,
    shrink,
)
from endturn.games.empires.rules.diplomacy import renew_contact
from endturn.games.empires.rules.effects import (
    Target,
    built_anywhere,
    holds,
    obsolete,
    of_building,
    of_city,
    of_new_unit,
    of_player,
)
from endturn.games.empires.rules.numbers import clip, percent
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.research import give_immediate_techs
from endturn.games.empires.rules.support import upkeep_cost
from endturn.games.empires.rules.units import create, remove
from endturn.games.empires.ruleset import SHIELD, Building, UnitType
from endturn.games.empires.state import City, Player, Production, Unit, World
from endturn.games.empires.vocabulary import DiplomaticState, EffectType

DONE = True
Done = bool | None  # whether to skip the city's remaining steps of the group
CHANGED_CLASS = 50  # percent of shields kept when a city builds something of another class
PARTS = {
    EffectType.SS_STRUCTURAL: "Structural", EffectType.SS_COMPONENT: "Component", EffectType.SS_MODULE: "Module",
}  # fmt: skip
RECYCLING_STATES = DiplomaticState.ALLIANCE, DiplomaticState.TEAM, DiplomaticState.NEVER_MET
RECYCLED = 50  # percent of a unit's cost that a city gets for it


def cost(world: World, item: Production) -> int:
    """The cost in shields."""
    return max(percent(item.build_cost, world.settings["shieldbox"]), 1)


def distribute_surplus(world: World, city: City) -> None:
    """E10d: disband units that cannot be paid for; the rest of the surplus goes to the stock."""
    _disband_unpaid(world, city)
    if city.id not in world.cities:
        return
    city.shield_stock += city.surplus[SHIELD]
    city.before_change_shields = city.shield_stock
    city.last_turns_shield_surplus = city.surplus[SHIELD]


def _disband_unpaid(world: World, city: City) -> None:
    protected = world.rules.parameters.upkeep_protected["shield"]
    for unit in list(city.units):
        if city.surplus[SHIELD] >= 0:
            return
        costs = upkeep_cost(world, city.owner, unit.type, SHIELD) > 0
        if costs and not protected & unit.type.flags and _forced_to_leave(world, unit):
            world.tell("unit_lost", city.owner.number, unit.id, city.id, "cannot upkeep")
    for unit in list(city.units):
        if city.surplus[SHIELD] >= 0 or city.id not in world.cities:
            return
        if unit.upkeep[SHIELD] > 0:
            forgiven = unit.upkeep[SHIELD]
            shrink(world, city, 1, "unit upkeep")
            unit.upkeep[SHIELD] = 0
            city.surplus[SHIELD] += forgiven
            city.counted_from = None  # the saving lasts only until the next refresh


def _forced_to_leave(world: World, unit: Unit) -> bool:
    """Let the unit do the first of the ruleset's actions that it can do. Returns whether it is gone."""
    for action in world.rules.parameters.upkeep_actions["shield"]:
        wanted = world.rules.action_flags.get(action)
        if wanted is None or not wanted <= unit.type.flags:
            continue
        if action == "Disband Unit":
            remove(world, unit)
            return True
        here = world.city_at.get(unit.tile)
        if here is None or here.shield_stock >= cost(world, here.production):
            continue  # a target whose cost is covered takes no more shields
        if action == "Recycle Unit" and _may_recycle(unit, here):
            here.shield_stock += percent(cost(world, unit.type), RECYCLED)
            here.disbanded_shields += percent(cost(world, unit.type), RECYCLED)
            remove(world, unit)
            return True
        if action == "Help Wonder" and _builds_wonder(here):
            here.shield_stock += cost(world, unit.type)
            here.caravan_shields += cost(world, unit.type)
            remove(world, unit)
            return True
    return False


def _may_recycle(unit: Unit, city: City) -> bool:
    if city.owner is unit.owner:
        return True
    return unit.owner.relations[city.owner.number].state in RECYCLING_STATES


def _builds_wonder(city: City) -> bool:
    return isinstance(city.production, Building) and city.production.is_wonder


def remember_production(world: World, city: City) -> None:
    """E10e: shields now count as collected for what the city builds."""
    city.caravan_shields = city.disbanded_shields = 0
    city.changed_from = city.production


def mint(world: World, city: City) -> Done:
    """E10f.1: coinage turns all shields into gold."""
    city.has_built = True
    if not _building(city).is_coinage:
        return None
    city.owner.gold += city.before_change_shields
    city.before_change_shields = city.shield_stock = 0
    choose_next(world, city)
    return DONE


def modernise_building(world: World, city: City) -> None:
    """E10f.2: the target becomes the last building in its chain of replacements that the city can build."""
    city.production = newest_of(world, city, city.production)


def require_building(world: World, city: City) -> Done:
    """E10f.3: report a target that can no longer be built; the shields stay."""
    if can_build(world, city, city.production):
        return None
    world.tell("building_cant_be_built", city.owner.number, city.id, city.production.name, "unavailable")
    return DONE


def require_shields(world: World, city: City) -> Done:
    """E10f.4, E11.3: stop unless the stock covers the cost."""
    return None if city.shield_stock >= cost(world, city.production) else DONE


def move_small_wonder(world: World, city: City) -> None:
    """E10f.5: remove the small wonder from the city that had it."""
    if _building(city).is_small_wonder:
        for other in city.owner.cities:
            if other.has(_building(city)):
                remove_building(world, other, _building(city))


def complete_building(world: World, city: City) -> None:
    """E10f.6: add the building, or the part to the spaceship, and pay its cost."""
    building, price = _building(city), cost(world, city.production)
    if building.is_part:
        _add_part(world, city, building)
    else:
        add_building(world, city, building)
    city.before_change_shields -= price
    city.shield_stock -= price
    city.turn_last_built = world.turn
    world.tell(
        "building_built", None if building.is_great_wonder else city.owner.number, city.id, building.name
    )


def give_techs(world: World, city: City) -> None:
    """E10f.7: some buildings give techs when they are built."""
    player, building = city.owner, _building(city)
    given = of_player(world, player, EffectType.GIVE_IMM_TECH)
    if given <= 0 or building.is_part:
        return
    city.buildings &= ~building.bit
    player.stamp += 1
    before = of_player(world, player, EffectType.GIVE_IMM_TECH)
    city.buildings |= building.bit
    player.stamp += 1
    give_immediate_techs(world, player, given - before)


def _building(city: City) -> Building:
    assert isinstance(city.production, Building)
    return city.production


def _add_part(world: World, city: City, building: Building) -> None:
    for effect, part in PARTS.items():
        if of_building(world, city, building, effect) > 0:
            key = f"{part.lower()}s"
            city.owner.spaceship[key] = city.owner.spaceship.get(key, 0) + 1
            world.tell("spaceship", None, city.id, part)


def replacements(world: World, building: Building) -> Iterator[Building]:
    """The buildings that replace a building, one after the other."""
    while building.replaced_by:
        building = world.rules.building_by_name[building.replaced_by.lower()]
        yield building


def upgrades(world: World, kind: UnitType) -> Iterator[UnitType]:
    """The unit types that make a unit type obsolete, one after the other."""
    while kind.obsolete_by:
        kind = world.rules.unit_types[kind.obsolete_by.lower()]
        yield kind


def newest_of(world: World, city: City, item: Production) -> Production:
    """The last replacement or upgrade that the city can build, or the item itself."""
    chain: Iterator[Production]
    chain = replacements(world, item) if isinstance(item, Building) else upgrades(world, item)
    for each in chain:
        if can_build(world, city, each):
            item = each
    return item


def can_build(world: World, city: City, item: Production) -> bool:
    """Whether the city can build something now."""
    if isinstance(item, Building):
        return _can_build_building(world, city, item)
    return _can_build_unit(world, city, item)


def _can_build_building(world: World, city: City, building: Building) -> bool:
    if city.has(building) or not could_build_building(world, city.owner, building):
        return False
    if building.is_part and not _can_add_part(world, city, building):
        return False
    target = Target(player=city.owner, city=city, tile=city.tile, building=building)
    return holds(world, building.requirements, target)


def _can_add_part(world: World, city: City, building: Building) -> bool:
    return city.owner.spaceship.get("state", 0) < 2 and of_city(world, city, EffectType.ENABLE_SPACE) > 0


def could_build_building(world: World, player: Player, building: Building) -> bool:
    """Whether the building is neither obsolete nor a great wonder that stands or was destroyed."""
    if obsolete(world, player) & building.bit:
        return False
    gone = world.destroyed_wonders & building.bit
    return not (building.is_great_wonder and (gone or built_anywhere(world, building)))


def _can_build_unit(world: World, city: City, kind: UnitType) -> bool:
    if not could_build_unit(world, city.owner, kind):
        return False
    if kind.building and not city.has(world.rules.building_by_name[kind.building.lower()]):
        return False
    native = kind.native
    if "BuildAnywhere" in kind.unit_class.flags or native in world.terrain[city.tile].native_to:
        return True
    return any(native in world.terrain[tile].native_to for tile in world.geometry.adjacent(city.tile))


def could_build_unit(world: World, player: Player, kind: UnitType) -> bool:
    """Whether a player can build a unit type that nothing better has replaced."""
    if "Unique" in kind.flags and any(unit.type is kind for unit in player.units):
        return False
    return knows_unit(world, player, kind) and not _is_replaced(world, player, kind)


def knows_unit(world: World, player: Player, kind: UnitType) -> bool:
    """Whether a player has the tech and government for a unit type, replaced or not."""
    if "NoBuild" in kind.flags:
        return False
    if player.barbarian and not kind.roles & {"BarbarianBuild", "BarbarianBuildTech"}:
        return False
    if kind.government and kind.government.lower() != player.government:
        return False
    return _has_tech_for(world, player, kind)


def _is_replaced(world: World, player: Player, kind: UnitType) -> bool:
    return any(_has_tech_for(world, player, each) for each in upgrades(world, kind))


def _has_tech_for(world: World, player: Player, kind: UnitType) -> bool:
    """Whether a player knows the tech of a unit type; barbarians use techs of any player for some types."""
    known = player.research.known
    if player.barbarian and "BarbarianBuildTech" in kind.roles:
        known |= world.global_techs
    return kind.tech is None or bool(known >> kind.tech & 1)


def modernise_unit(world: World, city: City) -> None:
    """E11.1: upgrade an obsolete unit type, unless the city bought something this turn."""
    if not city.did_buy:
        city.production = newest_of(world, city, city.production)


def require_unit(world: World, city: City) -> Done:
    """E11.2: report a unit that cannot be built. Barbarians build it anyway."""
    if can_build(world, city, city.production) or city.owner.barbarian:
        return None
    world.tell("unit_cant_be_built", city.owner.number, city.id, city.production.name, "unavailable")
    return DONE


def require_citizens(world: World, city: City) -> Done:
    """E11.4: the last citizens leave only if the city may be disbanded."""
    kind = _kind(city)
    if city.size > kind.pop_cost:
        return None
    if city.size == kind.pop_cost and city.options.get("Disband") and len(city.owner.cities) > 1:
        _disband_city(world, city, kind)
    else:
        world.tell("unit_cant_be_built", city.owner.number, city.id, kind.name, "pop_cost")
    return DONE


def note_built(world: World, city: City) -> None:
    """E11.5: remember the turn in which the city last built something."""
    city.turn_last_built = world.turn


def complete_units(world: World, city: City) -> Done:
    """E11.6: create as many units as build slots and shields allow."""
    kind = _kind(city)
    for number in range(_how_many(world, city, kind)):
        _add_unit(world, city, kind)
        if number and city.worklist and city.worklist[0] is kind:
            city.worklist.pop(0)
        if city.id not in world.cities:
            return DONE
    return None


def _kind(city: City) -> UnitType:
    assert isinstance(city.production, UnitType)
    return city.production


def _how_many(world: World, city: City, kind: UnitType) -> int:
    if kind.pop_cost or "Unique" in kind.flags:
        return 1
    slots = max(of_city(world, city, EffectType.CITY_BUILD_SLOTS), 1)
    if city.worklist:
        repeated = 0
        while repeated < len(city.worklist) and city.worklist[repeated] is kind:
            repeated += 1
        slots = min(slots, repeated + 1)
    return clip(1, city.shield_stock // cost(world, kind), slots)


def _add_unit(world: World, city: City, kind: UnitType) -> None:
    unit = _create_unit(world, city, kind)
    city.owner.units_built += 1
    renew_contact(world, city.owner, city.tile)
    refresh(world, city)
    world.tell("unit_built", city.owner.number, unit.id, kind.name, city.id)
    price = cost(world, kind)
    if kind.pop_cost:
        shrink(world, city, kind.pop_cost, "unit built")
    city.before_change_shields -= price
    city.shield_stock -= price


def _disband_city(world: World, city: City, kind: UnitType) -> None:
    near = nearest_own(world, city)
    assert near is not None
    unit = _create_unit(world, city, kind)
    world.tell("unit_built", city.owner.number, unit.id, kind.name, city.id)
    hand_over_units(city, near)
    destroy(world, city, "disbanded into the last settler")
    refresh(world, near)


def _create_unit(world: World, city: City, kind: UnitType) -> Unit:
    level = clip(0, of_new_unit(world, city, kind, EffectType.VETERAN_BUILD), len(kind.veterans) - 1)
    return create(world, city.owner, kind, city.tile, level, city)


def choose_next(world: World, city: City) -> None:
    """Choose the next target: from the worklist, else the same again, else the advisor's."""
    if _take_from_worklist(world, city):
        return
    if isinstance(city.production, UnitType):
        if can_build(world, city, city.production) and "Unique" not in city.production.flags:
            return
    elif city.production.is_coinage:
        return
    advised = (world.advisor or advise)(world, city) if world.settings.get("advisor", True) else None
    if advised is not None:
        city.production = advised
        world.tell("building_advised", city.owner.number, city.id, advised.name)


def replan(world: World, player: Player) -> None:
    """E28a: replace targets that a lost tech made impossible; shields for another class are halved."""
    if not player.has_lost_tech:
        return
    player.has_lost_tech = False
    for city in player.cities:
        if can_build(world, city, city.production):
            continue
        before = class_of(city.production)
        world.tell("production_lost", player.number, city.id, city.production.name)
        choose_next(world, city)
        if class_of(city.production) != before and city.turn_last_built != world.turn:
            city.shield_stock = percent(city.before_change_shields, CHANGED_CLASS)


def class_of(item: Production) -> str:
    """The class of a target: changing to another class costs shields."""
    if isinstance(item, UnitType):
        return "unit"
    return "wonder" if item.is_wonder else "improvement"


def _take_from_worklist(world: World, city: City) -> bool:
    """Take the next target from the worklist, dropping what can never be built. Returns whether there was one."""
    place = 0
    while place < len(city.worklist):
        item = city.worklist[place]
        newest = newest_of(world, city, item)
        if can_build(world, city, newest):
            city.production = newest
            del city.worklist[place]
            return True
        if _never_again(world, city, newest):
            del city.worklist[place]
        else:
            place += 1
    return False


def _never_again(world: World, city: City, item: Production) -> bool:
    if isinstance(item, Building):
        return city.has(item) or not could_build_building(world, city.owner, item)
    return _is_replaced(world, city.owner, item)


def advise(world: World, city: City) -> Production | None:
    """Our advisor: the cheapest improvement that the city can build, else coinage, else the cheapest unit."""
    offers = [b for b in world.rules.buildings if b.is_improvement and can_build(world, city, b)]
    if offers:
        return min(offers, key=lambda building: (building.build_cost, building.index))
    for building in world.rules.buildings:
        if building.is_coinage and can_build(world, city, building):
            return building
    units = [
        kind for kind in world.rules.unit_types.values() if can_build(world, city, kind) and not kind.pop_cost
    ]
    return min(units, key=lambda kind: (kind.build_cost, kind.index), default=None)


def upgrade_units(world: World, player: Player) -> None:
    """E5d: upgrade random obsolete units."""

    def better(kind: UnitType) -> UnitType | None:
        possible = [each for each in upgrades(world, kind) if could_build_unit(world, player, each)]
        return possible[-1] if possible else None

    times = of_player(world, player, EffectType.UPGRADE_UNIT)
    candidates = [unit for unit in reversed(player.units) if better(unit.type)] if times > 0 else []
    while times > 0 and candidates:
        unit = candidates.pop(world.chance.below(len(candidates), "upgrade"))
        new = better(unit.type)
        assert new is not None
        unit.hp = unit.hp * new.hitpoints // unit.type.hitpoints
        unit.type = new
        unit.veteran = max(unit.veteran - world.rules.parameters.autoupgrade_veteran_loss, 0)
        world.tell("unit_upgraded", player.number, unit.id, new.name)
        times -= 1
