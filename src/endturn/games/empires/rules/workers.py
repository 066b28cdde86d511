"""Where citizens work (TURN_CHANGE 5.6): the most valuable placement, as the server's search finds it.

Places with equal yields form a kind. A kind is used only when all kinds that surpass it are full. Citizens are placed
one after the other, the most promising kind first, and never on an earlier kind than the citizen before, so that each
placement is tried once. A branch ends if the most it could yield is too little or no better than the best so far, or if
its luxury could not reach what the last riot lacked. The last rule is wrong if units abroad anger people: it misses
better placements then. It is kept because the server has it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from endturn.games.empires.rules.effects import of_tile
from endturn.games.empires.rules.granary import granary_size
from endturn.games.empires.rules.mood import content_by_size, feelings, is_joyful, pressures
from endturn.games.empires.rules.output import (
    bonuses,
    made_and_wasted,
    rates,
    specialist_yields,
    tile_yields,
    tithes,
)
from endturn.games.empires.rules.refresh import fined, refresh
from endturn.games.empires.rules.support import is_military
from endturn.games.empires.rules.trade import route_income
from endturn.games.empires.rules.units import at_war
from endturn.games.empires.ruleset import GOLD, LUXURY, NOTHING, OUTPUTS, SCIENCE, TRADE, Output, Yields
from endturn.games.empires.state import City, Unit, World
from endturn.games.empires.vocabulary import EffectType

ANYTHING = -(10**9)
PATIENCE = 25000  # placements tried before the best so far is taken
ENDLESS = 10**9  # room for specialists
CLOSE = 0.5  # estimates this close count as equal


class Goal(NamedTuple):
    """The least surplus of a placement, the worth of each output, and whether disorder is allowed."""

    least: Yields
    worth: Yields
    joy: int  # the worth of a happy city
    allows_disorder: bool


def goals(world: World, city: City) -> list[Goal]:
    """The goals to try, one after the other, until one can be reached."""
    full = city.food_stock >= granary_size(world, city.size)
    food = 0 if full else 20 if city.size == 1 else 15 if city.size <= world.settings["notradesize"] else 10
    worth = food, 5, 0, 2, 0, 2
    wanted = (0 if full else 1), 1, 0, ANYTHING, 0, 0
    modest = 0, 0, 0, ANYTHING, 0, 0
    current = tuple(min(amount, 0) for amount in city.surplus)
    return [
        Goal(wanted, worth, 0, False),
        Goal(modest, worth, 0, False),
        Goal((*current[:GOLD], ANYTHING, *current[LUXURY:]), worth, 0, not city.owner.is_ai),
        Goal((ANYTHING,) * len(OUTPUTS), (1,) * len(OUTPUTS), 1, True),
    ]


@dataclass(slots=True, eq=False)
class PlaceKind:
    """Places with equal yields: tiles, or one kind of specialist without a limit."""

    yields: Yields
    tiles: list[int]  # empty for specialists
    specialist: int  # -1 for tiles
    room: int
    depth: int = 0  # how many places surpass this kind
    estimate: float = 0.0
    better: list["PlaceKind"] = field(default_factory=list)

    def surpasses(self, other: "PlaceKind") -> bool:
        """Whether it is at least as good in all outputs; of two equal kinds, specialists surpass tiles."""
        if self is other or any(a < b for a, b in zip(self.yields, other.yields, strict=True)):
            return False
        return self.specialist >= 0 or other.specialist < 0


@dataclass(slots=True)
class Placement:
    """The number of citizens on each kind, their yields, and what that is worth."""

    counts: list[int]
    yields: list[int]
    is_enough: bool
    worth: int


def is_workable(world: World, city: City, tile: int) -> bool:
    """Whether a city's citizens may work a tile, as far as other players and cities are concerned."""
    owner = city.owner
    if not world.known[tile] >> owner.number & 1 or world.owner[tile] not in (-1, owner.number):
        return False
    if world.worked[tile] not in (0, city.id) or (tile in world.city_at and tile != city.tile):
        return False
    if any(_occupies(city, unit) for unit in world.units_at.get(tile, ())):
        return False
    return of_tile(world, city, tile, EffectType.TILE_WORKABLE, None) > 0


def _occupies(city: City, unit: Unit) -> bool:
    stands = "DoesntOccupyTile" not in unit.type.unit_class.flags
    return stands and is_military(unit) and at_war(city.owner, unit.owner)


Compare = Callable[[PlaceKind, PlaceKind], float]


def merge_sorted(kinds: list[PlaceKind], compare: Compare) -> list[PlaceKind]:
    """Merge sort. As `compare` takes close estimates as equal, another method could end in another order."""
    if len(kinds) < 2:
        return list(kinds)
    middle = len(kinds) // 2
    left, right = merge_sorted(kinds[:middle], compare), merge_sorted(kinds[middle:], compare)
    merged = []
    while left and right:
        merged.append(left.pop(0) if compare(left[0], right[0]) <= 0 else right.pop(0))
    return merged + left + right


def by_depth(one: PlaceKind, other: PlaceKind) -> int:
    """Fewer surpassing places first, then more of the first output that differs."""
    if one.depth != other.depth:
        return one.depth - other.depth
    return next((b - a for a, b in zip(one.yields, other.yields, strict=True) if a != b), 0)


def by_estimate(one: PlaceKind, other: PlaceKind) -> float:
    """The more promising kind first."""
    difference = other.estimate - one.estimate
    return difference if abs(difference) > CLOSE else by_depth(one, other)


class Search:
    """The search over the placements of one city, in the server's order."""

    def __init__(self, world: World, city: City) -> None:
        """Sort the workable places into kinds, without those that better kinds always leave unused."""
        self.world, self.city = world, city
        self.center = tile_yields(world, city, city.tile)
        self.routes, self.tithe = route_income(world, city), tithes(world, city)
        self.pressed = pressures(world, city)
        self.content = max(content_by_size(world, city), 0)
        self.happy_cost = world.rules.parameters.happy_cost
        self.makes: dict[Yields, list[int]] = {}
        found = self._found()
        for kind in found:
            kind.better = [other for other in found if other.surpasses(kind)]
            kind.depth = sum(other.room for other in kind.better)
        self.found = [kind for kind in found if kind.depth < city.size]

    def _found(self) -> list[PlaceKind]:
        world, city = self.world, self.city
        tiles: dict[Yields, PlaceKind] = {}
        for tile, _ in world.geometry.circle(city.tile, city.radius_sq):
            if tile != city.tile and is_workable(world, city, tile):
                kind = tiles.setdefault(
                    tile_yields(world, city, tile), PlaceKind(tile_yields(world, city, tile), [], -1, 0)
                )
                kind.tiles.append(tile)
                kind.room += 1
        specialists: dict[Yields, PlaceKind] = {}
        for place in range(len(city.specialists)):
            yields = specialist_yields(world, city, place)
            specialists.setdefault(yields, PlaceKind(yields, [], place, ENDLESS))
        return [*tiles.values(), *specialists.values()]

    def solve(self, goal: Goal) -> Placement | None:
        """The best placement for a goal; None if no placement found reaches it."""
        self._aim(goal)
        self.explore(0)
        return self.best if self.best is not None and self.best.is_enough else None

    def _aim(self, goal: Goal) -> None:
        """Sort the kinds by the goal, and start without citizens."""
        self.goal = goal
        for kind in self.found:
            kind.estimate = self._estimate(kind.yields)
        self.kinds = merge_sorted(self.found, by_estimate)
        self.yields = [kind.yields for kind in self.kinds]
        self.rooms = [kind.room for kind in self.kinds]
        place = {id(kind): i for i, kind in enumerate(self.kinds)}
        self.needs = [len(kind.better) for kind in self.kinds]
        self.worse: list[list[int]] = [[] for _ in self.kinds]
        for i, kind in enumerate(self.kinds):
            for other in kind.better:
                self.worse[place[id(other)]].append(i)
        self.by_output = [
            [place[id(kind)] for kind in merge_sorted(self.found, self._by_output(o))] for o in OUTPUTS
        ]
        self.counts, self.met = [0] * len(self.kinds), [0] * len(self.kinds)
        self.made, self.idle, self.specialists = [0] * len(OUTPUTS), self.city.size, 0
        self.minimum = [used + least for used, least in zip(self.city.usage, goal.least, strict=True)]
        self.rises: dict[tuple[int, int, int, tuple[int, ...]], list[int]] = {}
        self.least_luxury, self.trials = ANYTHING, 0
        self.best: Placement | None = None

    def _estimate(self, yields: Yields) -> float:
        """The estimated worth of a place; luxury counts a little, as it prevents disorder."""
        bonus, made = bonuses(self.world, self.city), [float(amount) for amount in yields]
        trade = int(yields[TRADE] * bonus[TRADE] / 100.0)
        for output, share in zip((SCIENCE, GOLD, LUXURY), rates(self.world, self.city.owner), strict=True):
            made[output] += share * trade / 100.0
        made = [made[o] * (bonus[o] / 100.0) for o in OUTPUTS]
        return sum(made[o] * self.goal.worth[o] for o in OUTPUTS) + made[LUXURY]

    def _by_output(self, output: Output) -> Compare:
        """More of an output first; trade counts for what it is taxed into, a hundred times too much."""
        shares = dict(zip((SCIENCE, GOLD, LUXURY), rates(self.world, self.city.owner), strict=True))
        taxed = shares.get(output, 0) * bonuses(self.world, self.city)[TRADE] / 100.0

        def compare(one: PlaceKind, other: PlaceKind) -> int:
            mine = one.yields[output] + taxed * one.yields[TRADE]
            theirs = other.yields[output] + taxed * other.yields[TRADE]
            return int(theirs - mine) if mine != theirs else by_depth(one, other)

        return compare

    def explore(self, first: int) -> None:
        """Place the remaining citizens, on kinds from `first` on."""
        self.trials += 1
        if not self.idle:
            self.judge()
            return
        for kind in range(first, len(self.kinds)):
            if self.trials > PATIENCE:
                return
            free = self.counts[kind] < self.rooms[kind] and self.met[kind] == self.needs[kind]
            if free and self.promises(kind):
                self._move(kind, 1)
                self.explore(kind)
                self._move(kind, -1)

    def _move(self, kind: int, number: int) -> None:
        """Place a citizen on a kind, or remove one."""
        if self.counts[kind] == self.rooms[kind]:
            for worse in self.worse[kind]:
                self.met[worse] -= 1
        self.counts[kind] += number
        self.idle -= number
        self.specialists += number if self.kinds[kind].specialist >= 0 else 0
        self.made = [a + number * b for a, b in zip(self.made, self.yields[kind], strict=True)]
        if self.counts[kind] == self.rooms[kind]:
            for worse in self.worse[kind]:
                self.met[worse] += 1

    def promises(self, kind: int) -> bool:
        """Whether a citizen on this kind, with the best for the rest, could beat the best placement so far."""
        most = self.outputs([a + b for a, b in zip(self.made, self.rise(kind), strict=True)])
        if any(have < least for have, least in zip(most, self.minimum, strict=True)):
            return False
        hidden = max(self.specialists + self.idle - self.content, 0)  # specialists who would riot as workers
        if most[LUXURY] + self.happy_cost * hidden < self.least_luxury:
            return False
        best = self.best.yields if self.best else NOTHING
        return any(self.goal.worth[o] > 0 and most[o] > best[o] for o in OUTPUTS)

    def rise(self, kind: int) -> list[int]:
        """The most of each output, separately, that a citizen on this kind and the rest can add."""
        if self.idle == 1:
            return list(self.yields[kind])
        key = kind, self.counts[kind], self.idle, tuple(self.met[kind:])
        if key not in self.rises:
            self.rises[key] = [self._most(kind, output) for output in OUTPUTS]
        return self.rises[key]

    def _most(self, kind: int, output: Output) -> int:
        added, left = self.yields[kind][output], self.idle - 1
        counts, met = list(self.counts), list(self.met)
        counts[kind] += 1
        if counts[kind] == self.rooms[kind]:
            for worse in self.worse[kind]:
                met[worse] += 1
        for place in self.by_output[output]:
            if place < kind or met[place] != self.needs[place]:
                continue
            used = min(self.rooms[place] - counts[place], left)
            added += used * self.yields[place][output]
            left -= used
            if not left:
                break
            if used:
                for worse in self.worse[place]:
                    met[worse] += 1
        return added

    def outputs(self, placed: list[int]) -> list[int]:
        """The city's output from the yields of its citizens."""
        total = tuple(a + b for a, b in zip(placed, self.center, strict=True))
        if total not in self.makes:
            self.makes[total], _ = made_and_wasted(
                self.world, self.city, list(total), self.routes, self.tithe
            )
        return self.makes[total]

    def judge(self) -> None:
        """All citizens are placed: compare with the best so far. A riot shows how much luxury is needed at least."""
        made, usage, size = self.outputs(self.made), self.city.usage, self.city.size
        mood = feelings(self.world, size, self.specialists, made[LUXURY], self.pressed)
        disorder = mood.happy < mood.unhappy + 2 * mood.angry
        if disorder:
            made = fined(made, usage)
            hidden = max(self.specialists - self.content, 0)
            self.least_luxury = made[LUXURY] - usage[LUXURY] + self.happy_cost * hidden + 1
        surplus = [made[o] - usage[o] for o in OUTPUTS]
        worth = sum(have * each for have, each in zip(surplus, self.goal.worth, strict=True))
        if self.goal.joy and is_joyful(self.world, size, mood.happy, mood.unhappy + mood.angry):
            worth += self.goal.joy
        enough = not disorder or self.goal.allows_disorder
        enough = enough and all(a >= b for a, b in zip(surplus, self.goal.least, strict=True))
        if self.best is None or (enough, worth) > (self.best.is_enough, self.best.worth):
            self.best = Placement(list(self.counts), self.made, enough, worth)


def arrange(world: World, city: City) -> None:
    """Place all citizens again."""
    city.needs_arranging = False
    search = Search(world, city)
    for goal in goals(world, city):
        best = search.solve(goal)
        if best is not None:
            place(world, city, *_chosen(search, best))
            break
    refresh(world, city)


def _chosen(search: Search, best: Placement) -> tuple[set[int], list[int]]:
    """The tiles and specialists of a placement."""
    tiles: set[int] = set()
    specialists = [0] * len(search.city.specialists)
    for kind, count in zip(search.kinds, best.counts, strict=True):
        if kind.specialist >= 0:
            specialists[kind.specialist] += count
        else:
            tiles.update(kind.tiles[:count])
    return tiles, specialists


def place(world: World, city: City, tiles: set[int], specialists: list[int]) -> None:
    """Put citizens on tiles; the center is always worked."""
    for tile in city.worked:
        world.worked[tile] = 0
    city.worked = {city.tile, *tiles}
    for tile in city.worked:
        world.worked[tile] = city.id
    city.specialists = list(specialists)
