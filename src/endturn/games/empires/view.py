"""What a seat may know of a match of Empires (chapter V): what it sees, remembers and is told."""

from collections.abc import Iterator
from typing import Any

from endturn.engine.dice import Stream
from endturn.games.empires.actions import Subject
from endturn.games.empires.notation import items, number_of
from endturn.games.empires.rules import governing
from endturn.games.empires.rules.chance import rolled
from endturn.games.empires.rules.granary import granary_size
from endturn.games.empires.rules.news import news
from endturn.games.empires.rules.planning import price_of
from endturn.games.empires.rules.production import can_build, cost
from endturn.games.empires.rules.research import bulbs_needed, researchable
from endturn.games.empires.rules.sight import seen_by
from endturn.games.empires.rules.support import buildings_in
from endturn.games.empires.ruleset import OUTPUTS, Ruleset
from endturn.games.empires.state import (
    NOBODY,
    UNSET,
    City,
    Glimpse,
    Player,
    Research,
    Unit,
    World,
)
from endturn.games.empires.view_types import (
    AffairsView,
    CityView,
    LandView,
    MotionView,
    NamesView,
    NationView,
    UnitView,
    WorldView,
)

CONCEALED = 102  # what dice are rolled for
UNKNOWN = " "
LETTERS = {"Meadow": ".", "Wood": "w", "Ridge": "^", "Fen": "f", "Waste": ":", "Shallows": "~", "Deep": "="}
RICHEST = 500  # the most gold of a concealed nation


def view(world: World, seat: int | None) -> WorldView:
    """All that a seat may know, as plain values. A spectator sees the map when all is over (V5)."""
    player = None if seat is None else world.players[seat]
    seen = frozenset(range(world.geometry.tiles)) if world.is_over else _seen(world, player)
    memory = world.seen.get(0 if seat is None else seat, {}) if player or world.is_over else {}
    return {
        "turn": world.turn,
        "year": world.year,
        "phase": world.phase,
        "last_turn": world.settings["endturn"],
        "is_over": world.is_over,
        "winners": list(world.winners),
        "width": world.geometry.width,
        "height": world.geometry.height,
        "round": world.geometry.wraps_x,
        "hexagonal": world.geometry.is_hex,
        **land(world, memory, seen),
        "players": [people(world, each, player) for each in world.players.values() if not each.barbarian],
        "me": None if player is None else affairs(world, player),
        "cities": list(_cities(world, player, memory, seen)),
        "units": [
            _unit(world, each, player) for each in world.units.values() if _is_known(each, player, seen)
        ],
        "motion": _motion(world),
        "news": news(world, seat),
        "rules": words_of(world.rules),
    }


def _seen(world: World, player: Player | None) -> set[int]:
    return set() if player is None else seen_by(world, player)


def _is_known(unit: Unit, player: Player | None, seen: Any) -> bool:
    """V4: units are known if they are seen."""
    return unit.owner is player or unit.tile in seen


def words_of(rules: Ruleset) -> NamesView:
    """The names behind the numbers in actions and views."""
    key = id(rules.buildings)
    if key not in _WORDS:
        _WORDS[key] = {
            "items": [each.name for each in items(rules)],
            "techs": [tech.name for tech in rules.techs],
            "governments": list(rules.governments),
            "specialists": list(rules.specialists),
            "headings": HEADINGS,
            "terrain": {letter: name for name, letter in letters(rules).items()},
        }
    return _WORDS[key]


HEADINGS = ["north-west", "north", "north-east", "west", "east", "south-west", "south", "south-east"]
_WORDS: dict[int, NamesView] = {}


def letters(rules: Ruleset) -> dict[str, str]:
    """A letter for each terrain."""
    return {terrain.name: LETTERS.get(terrain.name, terrain.name[0].lower()) for terrain in rules.terrains}


# --- land


def land(world: World, memory: dict[int, Glimpse], seen: Any) -> LandView:
    """V3: rows of terrain, owners and tiles in sight, and the extras of tiles, as last seen."""
    width, letter = world.geometry.width, [letters(world.rules)[each.name] for each in world.rules.terrains]
    tiles = range(world.geometry.tiles)
    known = [memory.get(tile) for tile in tiles]
    terrain = "".join(UNKNOWN if each is None else letter[each.terrain] for each in known)
    owners = "".join("-" if each is None or each.owner == NOBODY else str(each.owner) for each in known)
    sight = "".join("1" if tile in seen else "0" for tile in tiles)
    extras = {
        str(tile): _extras(world, each.extras)
        for tile, each in enumerate(known)
        if each is not None and each.extras
    }
    return {
        "terrain": _rows(terrain, width),
        "borders": _rows(owners, width),
        "sight": _rows(sight, width),
        "extras": extras,
    }


def _rows(text: str, width: int) -> list[str]:
    return [text[start : start + width] for start in range(0, len(text), width)]


def _extras(world: World, bits: int) -> list[str]:
    return [extra.name for extra in world.rules.extras if extra.bit & bits]


def _at(world: World, tile: int) -> tuple[int, int]:
    y, x = divmod(tile, world.geometry.width)
    return x, y


# --- nations


def people(world: World, player: Player, viewer: Player | None) -> NationView:
    """V6: what is public about a nation, and what only itself and nations with an embassy know."""
    waiting = governing.to_act(world)
    made: NationView = {
        "number": player.number,
        "name": player.name,
        "team": player.team,
        "alive": player.is_alive,
        "score": player.score.get("total", 0),
        "to_act": bool(waiting >> player.number & 1),
    }
    if viewer is None or viewer is player:
        return made
    relation = viewer.relations[player.number]
    made |= {"relation": relation.state, "turns_left": relation.turns_left, "embassy": relation.embassy}
    if relation.embassy:
        made |= {
            "government": player.government,
            "gold": player.gold,
            "techs": _techs(world, player.research),
        }
    return made


def affairs(world: World, player: Player) -> AffairsView:
    """What a player knows about their own nation."""
    research = player.research
    studied = research.researching
    return {
        "seat": player.number,
        "gold": player.gold,
        "tax": player.tax,
        "luxury": player.luxury,
        "science": player.science,
        "government": player.government,
        "revolution": player.target_government,
        "revolution_turn": player.revolution_finishes,
        "studies": None if studied == UNSET else world.rules.techs[studied].name,
        "goal": None if research.goal == UNSET else world.rules.techs[research.goal].name,
        "bulbs": research.bulbs,
        "bulbs_needed": bulbs_needed(world, research, studied),
        "techs": _techs(world, research),
        "can_study": [tech.index for tech in researchable(world, research)],
        "spaceship": dict(player.spaceship),
    }


def _techs(world: World, research: Research) -> list[str]:
    return [tech.name for tech in world.rules.techs[1:] if research.known >> tech.index & 1]


def _motion(world: World) -> MotionView | None:
    motion = world.motion
    if motion is None:
        return None
    subject = Subject(motion.subject).name.lower()
    yes, no = ([seat for seat in range(world.seats) if bits >> seat & 1] for bits in (motion.yes, motion.no))
    return {"subject": subject, "mover": motion.mover, "turns_left": motion.turns_left, "yes": yes, "no": no}


# --- cities and units


def _cities(world: World, player: Player | None, memory: dict[int, Glimpse], seen: Any) -> Iterator[CityView]:
    if player is not None:
        yield from (own_city(world, city) for city in player.cities)
    for tile, known in sorted(memory.items()):
        if known.city is not None and (player is None or known.city[2] != player.number):
            number, name, owner, size = known.city
            x, y = _at(world, tile)
            yield {
                "id": number, "name": name, "owner": owner, "size": size,
                "tile": tile, "x": x, "y": y, "seen": tile in seen,
            }  # fmt: skip


def own_city(world: World, city: City) -> CityView:
    """V4: everything about a city of the player."""
    x, y = _at(world, city.tile)
    return {
        "id": city.id,
        "name": city.name,
        "owner": city.owner.number,
        "size": city.size,
        "tile": city.tile,
        "x": x,
        "y": y,
        "seen": True,
        "making": city.production.name,
        "stock": city.shield_stock,
        "cost": cost(world, city.production),
        "price": price_of(world, city),
        "can_build": [place for place, each in enumerate(items(world.rules)) if can_build(world, city, each)],
        "worklist": [number_of(world.rules, each) for each in city.worklist],
        "buildings": [building.name for building in buildings_in(world, city)],
        "food": city.food_stock,
        "granary": granary_size(world, city.size),
        "surplus": {output.name.lower(): city.surplus[output] for output in OUTPUTS},
        "specialists": list(city.specialists),
        "worked": sorted(city.worked),
        "happy": city.happy,
        "content": city.content,
        "unhappy": city.unhappy,
        "angry": city.angry,
        "disorder": city.anarchy,
        "bought": city.did_buy,
        "sold": city.did_sell,
    }


def _unit(world: World, unit: Unit, player: Player | None) -> UnitView:
    x, y = _at(world, unit.tile)
    made: UnitView = {
        "id": unit.id,
        "kind": unit.type.name,
        "owner": unit.owner.number,
        "tile": unit.tile,
        "x": x,
        "y": y,
        "hp": unit.hp,
        "veteran": unit.veteran,
    }
    if unit.owner is not player:
        return made
    ordered = unit.orders[-1].get("tile") if unit.orders else None
    made |= {
        "moves": unit.moves,
        "fuel": unit.fuel,
        "activity": unit.activity.lower(),
        "auto": unit.is_auto,
        "bound_for": ordered,
        "home": unit.home.id if unit.home else None,
    }
    return made


# --- concealing


def conceal(world: World, seat: int | None, seed: int) -> World:
    """V7: replace what a seat may not know at random, or remove it."""
    dice = Stream(seed, CONCEALED)
    world.chance = rolled(seed, CONCEALED, 0, 0)
    if seat is None or world.is_over:
        return world
    player = world.players[seat]
    seen, memory = seen_by(world, player), world.seen.get(seat, {})
    for other in world.players.values():
        if other is not player:
            _conceal_people(world, player, other, dice)
            world.seen.pop(other.number, None)
    for unit in [each for each in world.units.values() if not _is_known(each, player, seen)]:
        _lift(world, unit)
    for city in [each for each in world.cities.values() if each.owner is not player]:
        _conceal_city(world, city, city.tile in seen, memory.get(city.tile), dice)
    for tile in range(world.geometry.tiles):
        if tile not in memory and tile not in world.city_at:
            world.terrain[tile] = dice.choice(world.rules.terrains)
            world.extras[tile] = 0
            world.owner[tile] = NOBODY
    world.continents, world.events = [], [event for event in world.events if event.audience in (None, seat)]
    world.stamp += 1
    return world


def _conceal_people(world: World, player: Player, other: Player, dice: Stream) -> None:
    if player.relations[other.number].embassy:
        return
    other.gold = dice.below(RICHEST)
    other.government = other.government if other.barbarian else dice.choice(list(world.rules.governments))
    if other.research is not player.research:
        other.research.bulbs, other.research.researching, other.research.goal = 0, UNSET, UNSET
        other.research.known, other.research.techs = 1, 1
    other.stamp += 1


def _lift(world: World, unit: Unit) -> None:
    """Remove a unit without an event."""
    del world.units[unit.id]
    unit.owner.units.remove(unit)
    world.units_at[unit.tile].remove(unit)
    if unit.home is not None and unit in unit.home.units:
        unit.home.units.remove(unit)


def _conceal_city(world: World, city: City, is_seen: bool, known: Glimpse | None, dice: Stream) -> None:
    if known is None or known.city is None or known.city[0] != city.id:
        _unbuild(world, city)
        return
    city.size = city.size if is_seen else known.city[3]
    city.specialists = [city.size, *[0] * (len(city.specialists) - 1)]
    city.food_stock, city.shield_stock = dice.below(20), dice.below(40)
    city.worklist.clear()
    city.production = dice.choice([each for each in world.rules.buildings if each.is_improvement])


def _unbuild(world: World, city: City) -> None:
    """Remove a city that is not known; its great wonders still cannot be built (V6)."""
    for building in world.rules.buildings:
        if building.is_great_wonder and city.has(building):
            world.destroyed_wonders |= building.bit
    for unit in city.units:
        unit.home = None
    city.owner.cities.remove(city)
    del world.cities[city.id], world.city_at[city.tile]
