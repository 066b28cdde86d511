"""Where citizens work (TURN_CHANGE 5.6): the placement with the most worth, found by branch and bound.

Tiles with equal yields form a class; a class is touched only when every class that is better in all
respects is used up. A branch ends where even the best that is left could not beat what was found.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from endturn.games.empires.rules.effects import of_tile
from endturn.games.empires.rules.granary import granary_size
from endturn.games.empires.rules.mood import Pressures, feelings, pressures
from endturn.games.empires.rules.output import (
    bonuses,
    made_and_wasted,
    rates,
    route_income,
    specialist_yields,
    tile_yields,
    tithes,
)
from endturn.games.empires.rules.refresh import fined, refresh
from endturn.games.empires.rules.support import is_military
from endturn.games.empires.rules.units import at_war
from endturn.games.empires.ruleset import FOOD, GOLD, LUXURY, OUTPUTS, SCIENCE, SHIELD, TRADE, Yields
from endturn.games.empires.state import City, Unit, World

ANYTHING = -(10**6)
ROUNDING = 12  # what rounding and the split of trade may add to an estimate of worth
PATIENCE = 20000  # branches after which the best so far is taken


class Goal(NamedTuple):
    """What a placement must leave over at least, what is worth how much, and whether disorder may be."""

    least: Yields
    worth: Yields
    allows_disorder: bool


def goals(world: World, city: City) -> list[Goal]:
    """What is tried, one after the other, until it can be done."""
    full = city.food_stock >= granary_size(world, city.size)
    food = 0 if full else 20 if city.size == 1 else 15 if city.size <= world.settings["notradesize"] else 10
    worth = food, 5, 0, 2, 0, 2
    wanted = (0 if full else 1), 1, 0, ANYTHING, 0, 0
    modest = 0, 0, 0, ANYTHING, 0, 0
    current = tuple(min(amount, 0) for amount in city.surplus)
    return [
        Goal(wanted, worth, False),
        Goal(modest, worth, False),
        Goal((*current[:GOLD], ANYTHING, *current[LUXURY:]), worth, not city.owner.is_ai),
        Goal((ANYTHING,) * len(OUTPUTS), worth, True),
    ]


class Kind(NamedTuple):
    """Places of equal yields: tiles, or one kind of specialist."""

    yields: Yields
    tiles: list[int]  # none for specialists
    specialist: int  # -1 for tiles
    room: int


@dataclass(slots=True)
class Placement:
    """So many citizens in each class."""

    counts: list[int]
    worth: int


def is_workable(world: World, city: City, tile: int) -> bool:
    """Whether a city's citizens may work a tile, as far as others are concerned."""
    owner = city.owner
    if not world.known[tile] >> owner.number & 1 or world.owner[tile] not in (-1, owner.number):
        return False
    if world.worked[tile] not in (0, city.id) or (tile in world.city_at and tile != city.tile):
        return False
    if any(_occupies(city, unit) for unit in world.units_at.get(tile, ())):
        return False
    return of_tile(world, city, tile, "Tile_Workable", None) > 0


def _occupies(city: City, unit: Unit) -> bool:
    stands = "DoesntOccupyTile" not in unit.type.unit_class.flags
    return stands and is_military(unit) and at_war(city.owner, unit.owner)


@dataclass(slots=True)
class Search:
    """The placements of one city."""

    world: World
    city: City
    kinds: list[Kind] = field(default_factory=list)
    better: list[list[int]] = field(default_factory=list)  # for each class, those that must be used up first
    center: Yields = ()
    routes: int = 0
    tithe: int = 0
    pressed: Pressures | None = None
    seen: dict[tuple[Yields, int], tuple[list[int], bool]] = field(default_factory=dict)
    branches: int = 0
    goal: Goal | None = None
    estimates: list[int] = field(default_factory=list)
    best: Placement | None = None

    def prepare(self) -> None:
        """Sort what can be worked into classes."""
        world, city = self.world, self.city
        found: dict[Yields, list[int]] = {}
        for tile, _ in world.geometry.circle(city.tile, city.radius_sq):
            if tile != city.tile and is_workable(world, city, tile):
                found.setdefault(tile_yields(world, city, tile), []).append(tile)
        self.kinds = [Kind(yields, tiles, -1, len(tiles)) for yields, tiles in found.items()]
        self.kinds += [
            Kind(specialist_yields(world, city, place), [], place, city.size)
            for place in range(len(city.specialists))
        ]
        self.center = tile_yields(world, city, city.tile)
        self.routes, self.tithe = route_income(world, city), tithes(world, city)
        self.pressed = pressures(world, city)

    def aim(self, goal: Goal) -> None:
        """Order the classes by what a goal makes of them."""
        self.goal, self.best, self.branches = goal, None, 0
        bonus = bonuses(self.world, self.city)
        science, tax, _ = rates(self.world, self.city.owner)
        weight = [goal.worth[o] * bonus[o] for o in OUTPUTS]
        weight[TRADE] += (science * weight[SCIENCE] + tax * weight[GOLD]) * bonus[TRADE] // 10000
        self.kinds.sort(
            key=lambda kind: (
                -sum(w * y for w, y in zip(weight, kind.yields, strict=True)),
                -sum(kind.yields),
            )
        )
        self.estimates = [sum(w * y for w, y in zip(weight, kind.yields, strict=True)) for kind in self.kinds]
        self.better = [
            [i for i, other in enumerate(self.kinds) if _dominates(other.yields, kind.yields)]
            for kind in self.kinds
        ]

    def outcome(self, total: Yields, specialists: int) -> tuple[list[int], bool]:
        """What such yields leave over, and whether there would be disorder."""
        key = total, specialists
        if key not in self.seen:
            city, world = self.city, self.world
            assert self.pressed is not None
            made, _ = made_and_wasted(world, city, list(total), self.routes, self.tithe)
            mood = feelings(world, city.size, specialists, made[LUXURY], self.pressed)
            disorder = mood.happy < mood.unhappy + 2 * mood.angry
            if disorder:
                made = fined(made, city.usage)
            self.seen[key] = [made[o] - city.usage[o] for o in OUTPUTS], disorder
        return self.seen[key]

    def worth(self, counts: list[int]) -> int | None:
        """What a placement is worth; None where the goal forbids it."""
        assert self.goal is not None
        total = list(self.center)
        specialists = 0
        for kind, count in zip(self.kinds, counts, strict=True):
            if count:
                specialists += count if kind.specialist >= 0 else 0
                for output, amount in enumerate(kind.yields):
                    total[output] += count * amount
        surplus, disorder = self.outcome(tuple(total), specialists)
        if disorder and not self.goal.allows_disorder:
            return None
        if any(have < least for have, least in zip(surplus, self.goal.least, strict=True)):
            return None
        return sum(have * each for have, each in zip(surplus, self.goal.worth, strict=True))

    def explore(self, at: int, left: int, counts: list[int], estimate: int, spare: list[int]) -> None:
        """Try what the classes from `at` on can do with the citizens left."""
        self.branches += 1
        if left == 0:
            worth = self.worth(counts)
            if worth is not None and (self.best is None or worth > self.best.worth):
                self.best = Placement(list(counts), worth)
            return
        if at == len(self.kinds) or self.branches > PATIENCE or not self.promises(at, left, estimate, spare):
            return
        kind = self.kinds[at]
        allowed = all(counts[i] == self.kinds[i].room for i in self.better[at])
        for count in range(min(left, kind.room) if allowed else 0, -1, -1):
            counts[at] = count
            gained = [s + count * y for s, y in zip(spare, kind.yields, strict=True)] if count else spare
            self.explore(at + 1, left - count, counts, estimate + count * self.estimates[at], gained)
        counts[at] = 0

    def promises(self, at: int, left: int, estimate: int, spare: list[int]) -> bool:
        """Whether the best that is left could still beat what was found, and feed the city."""
        assert self.goal is not None
        food, shield = spare[FOOD], spare[SHIELD]
        usage, bonus = self.city.usage, bonuses(self.world, self.city)
        most_food = max(kind.yields[FOOD] for kind in self.kinds[at:])
        most_shield = max(kind.yields[SHIELD] for kind in self.kinds[at:])
        if (food + left * most_food) * bonus[FOOD] // 100 - usage[FOOD] < self.goal.least[FOOD]:
            return False
        if (shield + left * most_shield) * bonus[SHIELD] // 100 - usage[SHIELD] < self.goal.least[SHIELD]:
            return False
        if self.best is None:
            return True
        for i in range(at, len(self.kinds)):
            taken = min(left, self.kinds[i].room)
            estimate += taken * self.estimates[i]
            left -= taken
            if not left:
                break
        fixed = sum(self.goal.worth[o] * usage[o] for o in OUTPUTS)
        return estimate // 100 - fixed + ROUNDING > self.best.worth

    def solve(self, goal: Goal) -> Placement | None:
        """The best placement for a goal, or None."""
        self.aim(goal)
        start = list(self.center)
        bonus = bonuses(self.world, self.city)
        start[TRADE] += self.routes
        start[GOLD] += self.tithe
        science, tax, _ = rates(self.world, self.city.owner)
        weight = [goal.worth[o] * bonus[o] for o in OUTPUTS]
        weight[TRADE] += (science * weight[SCIENCE] + tax * weight[GOLD]) * bonus[TRADE] // 10000
        estimate = sum(w * y for w, y in zip(weight, start, strict=True))
        self.explore(0, self.city.size, [0] * len(self.kinds), estimate, start)
        return self.best


def _dominates(one: Yields, other: Yields) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))


def arrange(world: World, city: City) -> None:
    """Place all citizens anew."""
    city.needs_arranging = False
    search = Search(world, city)
    search.prepare()
    for goal in goals(world, city):
        best = search.solve(goal)
        if best is not None:
            place(world, city, *_preferred(world, city, search, best))
            break
    refresh(world, city)


def _preferred(world: World, city: City, search: Search, best: Placement) -> tuple[set[int], list[int]]:
    """The tiles and specialists of the best placement, or of a known one that is worth as much."""
    if world.arranged is not None:
        wanted = world.arranged(world, city)
        if wanted is not None and _counted(search, *wanted) == best.worth:
            return wanted
    tiles: set[int] = set()
    specialists = [0] * len(city.specialists)
    for kind, count in zip(search.kinds, best.counts, strict=True):
        if kind.specialist >= 0:
            specialists[kind.specialist] += count
        else:
            tiles.update(kind.tiles[:count])
    return tiles, specialists


def _counted(search: Search, tiles: set[int], specialists: list[int]) -> int | None:
    """What a given placement is worth; None where it cannot be."""
    if len(tiles) + sum(specialists) != search.city.size:
        return None
    counts = []
    for kind in search.kinds:
        counts.append(
            specialists[kind.specialist] if kind.specialist >= 0 else len(tiles.intersection(kind.tiles))
        )
    return search.worth(counts) if sum(counts) == search.city.size else None


def place(world: World, city: City, tiles: set[int], specialists: list[int]) -> None:
    """Citizens go to their tiles; the centre is worked anyway."""
    for tile in city.worked:
        world.worked[tile] = 0
    city.worked = {city.tile, *tiles}
    for tile in city.worked:
        world.worked[tile] = city.id
    city.specialists = list(specialists)
