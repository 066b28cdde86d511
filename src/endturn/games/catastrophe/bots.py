"""The bot of Catastrophe: `warlord` builds up, then marches."""

from collections.abc import Callable, Collection, Iterable, Iterator

from endturn.bots.player import Seen
from endturn.engine.actions import Action
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
from endturn.games.catastrophe.rules import acting, combat, labour, supply
from endturn.games.catastrophe.state import (
    ACTION_COST,
    FULL_ENERGY,
    NOBODY,
    NONE,
    Job,
    Resource,
    Structure,
    World,
)
from endturn.mechanisms.grid import chebyshev, manhattan, neighbour

# --- a bot that plans a turn --------------------------------------------------------------------------------


class Warlord:
    """Feeds, converts and builds at home, trains soldiers, and marches on the enemy overlord."""

    def __init__(self, seed: int) -> None:
        self.plan: list[Action] = []

    def act(self, seen: Seen) -> Action:
        """Return the next action of the plan, which is made when the turn begins."""
        if not self.plan:
            campaign = Campaign(seen.state, seen.seat)
            campaign.think()
            self.plan = [*campaign.orders, EndTurn()]
        return self.plan.pop(0)


RULES: dict[type[Action], tuple[Callable[..., int], Callable[..., None]]] = {
    Move: (labour.refuse_move, labour.move),
    Attack: (combat.refuse_attack, combat.attack),
    ChangeJob: (labour.refuse_change_job, labour.change_job),
    Construct: (labour.refuse_construct, labour.construct),
    Convert: (labour.refuse_convert, labour.convert),
    Deconstruct: (labour.refuse_deconstruct, labour.deconstruct),
    Harvest: (supply.refuse_harvest, supply.harvest),
    Drop: (supply.refuse_drop, supply.drop),
    Pickup: (supply.refuse_pickup, supply.pickup),
    Rest: (supply.refuse_rest, supply.rest),
}
FIRST_JOBS = Job.GATHERER, Job.MISSIONARY, Job.BUILDER, Job.SOLDIER, Job.SOLDIER, Job.GATHERER
ENOUGH_SOLDIERS = 4  # soldiers needed to march
MOST_WALLS = 3  # more would enclose its own units
STAGING = 7  # steps from the enemy overlord where soldiers wait for each other
SPENT = 2 * ACTION_COST[Job.SOLDIER]  # a soldier with less goes home to rest


class Campaign:
    """Plans one turn on a copy of the state, by trying orders and keeping the legal ones."""

    def __init__(self, world: World, seat: int) -> None:
        self.world, self.seat, self.orders = world, seat, list[Action]()
        self.width = world.settings.map_width
        self.home = world.tile[world.overlord[seat]]
        self.goal = world.tile[world.overlord[1 - seat]]
        self.taken: set[int] = set()  # tiles that units have reserved this turn

    def do(self, action: Action) -> bool:
        """Give an order if it is legal; return whether it is."""
        refuse, apply = RULES[type(action)]
        values = [getattr(action, name) for name in action.__struct_fields__]
        if refuse(self.world, self.seat, *values) != 0:
            return False
        apply(self.world, self.seat, *values)
        self.orders.append(action)
        return True

    def think(self) -> None:
        """Let every unit do its job; soldiers move together before they attack."""
        for unit in self.units(Job.FRESH_HUMAN):
            self.employ(unit)
        for unit in self.units(Job.MISSIONARY):
            self.preach(unit)
        for unit in self.units(Job.GATHERER):
            self.feed(unit)
        for unit in self.units(Job.BUILDER):
            self.build(unit)
        self.march()

    # --- looking around ---

    def units(self, *jobs: Job) -> list[int]:
        """Return its own units with one of these jobs."""
        world = self.world
        own = (u for u in range(world.unit_count) if world.owner[u] == self.seat and world.tile[u] != NONE)
        return [u for u in own if world.job[u] in jobs]

    def others(self, owner: int) -> list[int]:
        """Return the units of another owner."""
        world = self.world
        return [u for u in range(world.unit_count) if world.owner[u] == owner and world.tile[u] != NONE]

    def structures(self, structure: Structure, owner: int) -> list[int]:
        """Return the tiles with this kind of structure of an owner."""
        world = self.world
        tiles = (t for t in range(world.tile_count) if world.structure[t] == structure)
        return [t for t in tiles if world.structure_owner[t] == owner]

    def steps(self, one: int, other: int) -> int:
        """Return the steps between two tiles without obstacles."""
        return manhattan(one, other, self.width)

    def around(self, tile: int) -> Iterator[int]:
        """Return the adjacent tiles."""
        height = self.world.settings.map_height
        beside = (neighbour(tile, side, self.width, height) for side in range(4))
        return (there for there in beside if there != NONE)

    def path(self, unit: int, goals: Collection[int]) -> list[int]:
        """Return the shortest path to one of the goals as a list of tiles, or an empty list."""
        world, start = self.world, self.world.tile[unit]
        came_from, edge = {start: start}, [start]
        while edge:
            reached = [tile for tile in edge if tile in goals]
            if reached:
                return self.way_back(came_from, reached[0])
            edge = [
                there
                for tile in edge
                for there in self.around(tile)
                if there not in came_from
                and world.unit_on[there] == NONE
                and labour.is_passable(world.structure[there])
                and came_from.setdefault(there, tile) == tile
            ]
        return []

    @staticmethod
    def way_back(came_from: dict[int, int], tile: int) -> list[int]:
        """Return the tiles of a path without its start."""
        steps = []
        while came_from[tile] != tile:
            steps.append(tile)
            tile = came_from[tile]
        return steps[::-1]

    def go(self, unit: int, goals: Collection[int]) -> bool:
        """Move towards the nearest goal; return whether the unit reaches one."""
        if self.world.tile[unit] not in goals:
            if self.world.settings.moves_far:
                for tile in goals:
                    if self.do(Move(unit, tile)):
                        break
            else:
                for tile in self.path(unit, goals):
                    if not self.do(Move(unit, tile)):
                        break
        return self.world.tile[unit] in goals

    def go_beside(self, unit: int, tile: int) -> bool:
        """Move towards a tile; return whether the unit is next to it."""
        return self.go(unit, set(self.around(tile)))

    def nearest(self, unit: int, tiles: Iterable[int]) -> int | None:
        """Reserve and return the nearest of some tiles that no other unit has reserved."""
        here = self.world.tile[unit]
        free = [tile for tile in tiles if tile not in self.taken]
        chosen = min(free, key=lambda tile: (self.steps(here, tile), tile), default=None)
        self.taken |= set() if chosen is None else {chosen}
        return chosen

    # --- at home ---

    def recover(self, unit: int) -> None:
        """Go to a shelter and rest there; prefer the overlord's shelter."""
        shelters = self.structures(Structure.SHELTER, self.seat)
        here = self.world.tile[unit]
        best = min(shelters, key=lambda t: (self.steps(here, t) - 4 * (t == self.home), t), default=None)
        if best is not None:
            square = {t for t in range(self.world.tile_count) if chebyshev(t, best, self.width) <= 1}
            self.go(unit, square)
        self.do(Rest(unit))

    def employ(self, unit: int) -> None:
        """Bring a fresh human to the overlord and give it the most needed job."""
        if self.world.energy[unit] < FULL_ENERGY:
            self.recover(unit)
            return
        square = {t for t in range(self.world.tile_count) if chebyshev(t, self.home, self.width) == 1}
        if self.go(unit, square):
            self.do(ChangeJob(unit, self.needed_job()))

    def needed_job(self) -> Job:
        """Return the first job of the list that is not filled yet, then soldier."""
        have = [self.world.job[unit] for unit in self.units(*Job)]
        for place, job in enumerate(FIRST_JOBS):
            if have.count(job) < FIRST_JOBS[: place + 1].count(job):
                return job
        return Job.SOLDIER

    def preach(self, unit: int) -> None:
        """Convert the nearest neutral unit that can be reached in time."""
        world, here = self.world, self.world.tile[unit]
        if world.energy[unit] < ACTION_COST[Job.MISSIONARY] * acting.cost_share(world, unit):
            self.recover(unit)
            return
        alive = [
            u for u in self.others(NOBODY) if 4 * world.turns_to_die[u] > 2 * self.steps(here, world.tile[u])
        ]
        tile = self.nearest(unit, (world.tile[u] for u in alive))
        if tile is None:
            self.recover(unit)
        elif self.go_beside(unit, tile):
            self.do(Convert(unit, tile))

    def feed(self, unit: int) -> None:
        """Harvest, pick up or steal food and bring it to a shelter."""
        world = self.world
        tired = world.energy[unit] < ACTION_COST[Job.GATHERER] * acting.cost_share(world, unit)
        if world.food[unit] > 0 and (tired or acting.room(world, unit) < 20):
            self.deliver(unit)
        elif tired:
            self.recover(unit)
        else:
            self.harvest(unit)

    def deliver(self, unit: int) -> None:
        """Drop the food into its nearest shelter and rest there."""
        shelter = self.nearest_of(unit, self.structures(Structure.SHELTER, self.seat))
        if shelter is not None and self.go(unit, {shelter, *self.around(shelter)}):
            self.do(Drop(unit, shelter, Resource.FOOD))
            self.do(Rest(unit))

    def nearest_of(self, unit: int, tiles: Iterable[int]) -> int | None:
        """Return the nearest of some tiles, reserved or not."""
        return min(tiles, key=lambda tile: (self.steps(self.world.tile[unit], tile), tile), default=None)

    def harvest(self, unit: int) -> None:
        """Get food from the best tile: the ground, a harvest, or the enemy's store."""
        world, here = self.world, self.world.tile[unit]
        tile = max(
            (t for t in range(world.tile_count) if t not in self.taken), key=lambda t: self.worth(here, t)
        )
        if self.worth(here, tile) <= 0:
            self.recover(unit)
            return
        self.taken.add(tile)
        if self.go(unit, {tile, *self.around(tile)}):
            if not self.do(Harvest(unit, tile)):
                self.do(Pickup(unit, tile, Resource.FOOD, supply.lying(world, tile, Resource.FOOD)))
            self.deliver(unit)

    def worth(self, here: int, tile: int) -> float:
        """Return the food available on a tile, weighted by the distance there and home."""
        world = self.world
        way = self.steps(here, tile) + self.steps(tile, self.home)
        if world.turns_to_harvest[tile] * 2 > self.steps(here, tile) + 2:
            return 0
        if supply.is_enemy_shelter(world, self.seat, tile):
            return (min(100, world.store[1 - self.seat]) - 40) / (way + 8)
        if world.structure[tile] != Structure.NOTHING:
            return world.ground_food[tile] / (way + 8)
        return min(100, max(world.harvest_rate[tile], world.ground_food[tile])) / (way + 8)

    # --- building ---

    def build(self, unit: int) -> None:
        """Take neutral structures apart; build a monument at home, then shelters and walls further out."""
        world = self.world
        site, structure = self.project()
        cost = labour.materials_of(world, structure)
        if world.energy[unit] < ACTION_COST[Job.BUILDER] * acting.cost_share(world, unit):
            self.recover(unit)
        elif site is not None and world.ground_materials[site] >= cost:
            if self.go_beside(unit, site):
                self.do(Construct(unit, site, structure))
        elif site is not None and world.materials[unit] > 0:
            if self.go_beside(unit, site):
                self.do(Drop(unit, site, Resource.MATERIALS))
                self.do(Construct(unit, site, structure))
        else:
            self.fetch(unit, site)

    def project(self) -> tuple[int | None, Structure]:
        """Return what to build next and where."""
        own = {
            s: self.structures(s, self.seat) for s in (Structure.MONUMENT, Structure.SHELTER, Structure.WALL)
        }
        if not own[Structure.MONUMENT]:
            return self.site(2), Structure.MONUMENT
        if len(own[Structure.SHELTER]) < 2:
            return self.site(6), Structure.SHELTER
        if len(own[Structure.WALL]) < MOST_WALLS:
            return self.site(3), Structure.WALL
        return self.site(9), Structure.SHELTER

    def site(self, away: int) -> int | None:
        """Return an empty tile at this distance from the overlord; prefer materials, then closeness to the enemy."""
        world = self.world
        bare = [
            t
            for t in range(world.tile_count)
            if world.structure[t] == Structure.NOTHING
            and world.harvest_rate[t] == 0
            and world.unit_on[t] == NONE
            and self.steps(t, self.home) == away
        ]
        return min(
            bare, key=lambda t: (-world.ground_materials[t], self.steps(t, self.goal), t), default=None
        )

    def fetch(self, unit: int, site: int | None) -> None:
        """Pick up materials from the ground, or take the nearest neutral structure apart."""
        world, here = self.world, self.world.tile[unit]
        lying = [t for t in range(world.tile_count) if world.ground_materials[t] > 0 and t != site]
        heap = self.nearest(unit, (t for t in lying if self.steps(here, t) < 8))
        if heap is not None:
            if self.go(unit, {heap, *self.around(heap)}):
                amount = min(20, supply.lying(world, heap, Resource.MATERIALS))
                self.do(Pickup(unit, heap, Resource.MATERIALS, amount))
            return
        tile = self.nearest(unit, self.structures(Structure.NEUTRAL, NOBODY))
        if tile is not None and self.go_beside(unit, tile):
            self.do(Deconstruct(unit, tile))
        elif tile is None:
            self.recover(unit)

    # --- fighting ---

    def march(self) -> None:
        """Gather soldiers at home, then near the enemy overlord, then attack it; tired soldiers rest."""
        world, soldiers = self.world, self.units(Job.SOLDIER)
        fit = [u for u in soldiers if world.energy[u] >= SPENT]
        self.strike(fit)  # soldiers already next to an enemy
        ahead = [u for u in fit if self.steps(world.tile[u], self.goal) <= STAGING + 2]
        assault = len(ahead) >= min(len(fit), ENOUGH_SOLDIERS) and len(fit) >= 2
        for unit in sorted(fit, key=lambda u: self.steps(world.tile[u], self.goal)):
            self.advance(unit, len(fit), assault)
        self.strike(fit)
        for unit in soldiers:
            if world.owner[unit] == self.seat and (unit not in fit or not self.is_out(unit)):
                self.recover(unit)

    def is_out(self, unit: int) -> bool:
        """Return whether a soldier has left home."""
        return self.steps(self.world.tile[unit], self.home) > 4

    def advance(self, unit: int, fit: int, assault: bool) -> None:
        """Move towards a nearby enemy, the enemy overlord, or the waiting line."""
        world, here = self.world, self.world.tile[unit]
        if world.owner[unit] != self.seat or world.acted[unit]:
            return
        near = [u for u in self.others(1 - self.seat) if self.steps(world.tile[u], here) <= 5]
        prey = min(near, key=lambda u: (self.steps(world.tile[u], here), u), default=None)
        if assault:
            self.go_beside(unit, self.goal)
        elif prey is not None:
            self.go_beside(unit, world.tile[prey])
        elif fit >= ENOUGH_SOLDIERS or self.is_out(unit):
            if world.energy[unit] < FULL_ENERGY and not self.is_out(unit):
                return  # rest first
            ring = {t for t in range(world.tile_count) if self.steps(t, self.goal) == STAGING}
            self.go(unit, ring)

    def strike(self, soldiers: list[int]) -> None:
        """Attack the best target in reach: the overlord, soldiers, other units, structures."""
        for unit in soldiers:
            targets = [t for t in self.reach(unit) if self.target_rank(t) is not None]
            for tile in sorted(targets, key=lambda t: (self.target_rank(t), t)):
                if self.do(Attack(unit, tile)):
                    break

    def reach(self, unit: int) -> Iterable[int]:
        """Return the tiles an attack can reach."""
        far = self.world.settings.attacks_far
        return range(self.world.tile_count) if far else self.around(self.world.tile[unit])

    def target_rank(self, tile: int) -> int | None:
        """Return the rank of a target, 0 being the best, or None if it is not a target."""
        world, enemy = self.world, 1 - self.seat
        if tile == self.goal:
            return 0
        structure, there = world.structure[tile], world.unit_on[tile]
        if combat.shields(structure):
            return 3 if world.structure_owner[tile] == enemy else None
        if there == NONE or world.owner[there] != enemy:
            return None
        return 1 if world.job[there] == Job.SOLDIER else 2
