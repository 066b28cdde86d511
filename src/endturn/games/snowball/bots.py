"""The tactical bot of Snowball Fight."""

from heapq import heappop, heappush
from math import hypot, sqrt

from endturn.bots.player import Seen
from endturn.engine.actions import Action
from endturn.games.snowball.actions import (
    Attack,
    Delay,
    HelpAlly,
    Move,
    Pick,
    Ready,
    Rearm,
    Stand,
)
from endturn.games.snowball.rules.acting import (
    distance_squared,
    dodge_percent,
    is_full_cover,
    is_half_cover,
    is_hero,
    is_ice,
    is_open,
    x_of,
    y_of,
)
from endturn.games.snowball.rules.muster import refuse_pick
from endturn.games.snowball.rules.previews import Throw, Walk, enemies_of, preview, throws
from endturn.games.snowball.rules.tending import refuse_help_ally, refuse_rearm
from endturn.games.snowball.rules.throwing import (
    chance_to_strike,
)
from endturn.games.snowball.rules.turns import has_snow
from endturn.games.snowball.state import NONE, RANGE, ROW, Battle, Kind, Phase, Posture
from endturn.mechanisms.grid import neighbour
from endturn.mechanisms.normal import CERTAIN

# --- a bot that looks before it throws ----------------------------------------------------------------------

HEROES = (
    Kind.BIG_BOOTS_BORIS,
    Kind.AUNT_AVALANCHE,
    Kind.DODGY_DOT,
    Kind.PROFESSOR_PARABOLA,
    Kind.CAPTAIN_KETTLE,
    Kind.NURSE_NONNA,
)
WANTED_HEROES = 3
LOOKED_AT = 6  # tiles that are weighed up in full
SWEET_SPOT = 5.5  # tiles between throwers
WORTH_A_THROW = 0.12  # least chance to hurt
FRIEND_COSTS = 1.5  # times as much as an enemy that is hurt
FEAR = 0.45  # how much being hurt counts against hurting, as a battle begins
LONG = 400  # turns of units after which nobody is afraid any more, nor waits for a better throw: a battle has to end
ICY = 1.0  # how bad it is to end a move on ice
AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))


class Tactician:
    """Fights from behind cover at the best distance, many against one; rearms in time and helps friends up."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, seen: Seen) -> Action:
        """The next action, chosen from the position alone."""
        battle: Battle = seen.state
        if battle.phase == Phase.DRAFT:
            return draft(battle, seen.seat)
        if battle.phase != Phase.BATTLE:
            return Ready()
        if battle.posture[battle.active] == Posture.PRONE:
            return Stand()
        return Turn(battle, seen.seat).best_action()


def draft(battle: Battle, seat: int) -> Action:
    """The best free hero, up to three."""
    own = sum(is_hero(battle.kind[u]) and battle.posture[u] > 0 for u in range(seat, len(battle.kind), 2))
    free = [hero for hero in HEROES if refuse_pick(battle, seat, hero) == 0]
    return Pick(free[0]) if free and own < WANTED_HEROES else Ready()


class Turn:
    """One turn of a unit, as the bot evaluates it."""

    def __init__(self, battle: Battle, seat: int) -> None:
        self.battle, self.seat, self.unit = battle, seat, battle.active
        self.here = battle.tile[self.unit]
        self.enemies = enemies_of(battle, seat)
        self.patience = max(0.0, 1 - battle.turn / LONG)

    def best_action(self) -> Action:
        """Walk to the best tile, then take the best action there."""
        battle = self.battle
        if battle.spent == 0 and battle.acted == 0:
            tile = self.best_place()
            if tile != self.here:
                return Move(tile)
        return self.best_deed()

    # --- where to ---

    def best_place(self) -> int:
        """The best tile for the unit this turn; far from all enemies, a tile on the way to them."""
        seen = preview(self.battle, self.seat)
        near = [self.here, *(at(walk) for walk in seen.walks if not walk.double)]
        ranked = sorted(near, key=lambda tile: (-self.promise(tile), tile))[:LOOKED_AT]
        everywhere = [self.here, *(at(walk) for walk in seen.walks)]
        if not any(self.within_throw(tile) for tile in near):
            return self.approach(everywhere)
        if self.here not in ranked:
            ranked.append(self.here)
        best = max(ranked, key=lambda tile: (self.worth(tile), tile == self.here, -tile))
        return self.approach(everywhere) if self.patience == 0 and self.worth(best) <= 0 else best

    def promise(self, tile: int) -> float:
        """A quick estimate of a tile: the right distance, cover in front, no ice."""
        nearest = min(self.enemies, key=lambda enemy: distance_squared(tile, self.battle.tile[enemy]))
        there = self.battle.tile[nearest]
        distance = sqrt(distance_squared(tile, there))
        guarded = shelter(self.battle, tile, there)
        return guarded - abs(distance - SWEET_SPOT) / 2 - (ICY if is_ice(self.battle, tile) else 0)

    def within_throw(self, tile: int) -> bool:
        """Whether an enemy is within range of a tile."""
        reach = RANGE[self.battle.kind[self.unit]]
        return any(distance_squared(tile, self.battle.tile[e]) <= reach * reach for e in self.enemies)

    def worth(self, tile: int) -> float:
        """The value of the best action at a tile, minus the risk to the unit there."""
        battle = self.battle
        battle.tile[self.unit] = tile
        moved, battle.spent = battle.spent, 0 if tile == self.here else 1
        gain = self.gain()
        harm = sum(self.threat(enemy) for enemy in self.enemies) * FEAR * self.patience
        battle.tile[self.unit], battle.spent = self.here, moved
        return gain - harm - (ICY * harm if is_ice(battle, tile) else 0)

    def gain(self) -> float:
        """The value of the unit's best action at its tile."""
        battle = self.battle
        if self.friend_to_help() is not None:
            return 1.2
        if battle.snowballs[self.unit] == 0:
            return 0.4 if has_snow(battle, battle.tile[self.unit]) else 0.0
        return max((self.value(throw) for throw in throws(battle, self.seat)), default=0.0)

    def threat(self, enemy: int) -> float:
        """The chance that an enemy hurts the unit with a throw from its tile."""
        battle = self.battle
        if battle.snowballs[enemy] == 0 or battle.posture[enemy] == Posture.PRONE:
            return 0.0
        reach = RANGE[battle.kind[enemy]]
        if distance_squared(battle.tile[enemy], battle.tile[self.unit]) > reach * reach:
            return 0.0
        struck = chance_to_strike(battle, enemy, battle.tile[enemy], self.unit) / (100 * CERTAIN)
        return struck * (100 - dodge_percent(battle, self.unit)) / 100

    def approach(self, tiles: list[int]) -> int:
        """The tile with the shortest way to the nearest enemy; without ice, if there is a choice."""
        ways = ways_to(self.battle, [self.battle.tile[enemy] for enemy in self.enemies])
        dry = [tile for tile in tiles if not is_ice(self.battle, tile)] or tiles
        return min(dry, key=lambda tile: (ways.get(tile, 10**6), tile))

    # --- what to do there ---

    def value(self, throw: Throw) -> float:
        """The value of a throw: the chance to hurt, weighted by the target, minus the risk to friends."""
        if throw.reason != 0 or throw.hurt < WORTH_A_THROW * self.patience:
            return 0.0
        battle = self.battle
        on_ice = is_ice(battle, battle.tile[throw.target])
        weight = 1 + 1.5 / battle.health[throw.target] + (0.2 if on_ice else 0)
        risk = sum(friend.hurt for friend in throw.friends)
        return throw.hurt * weight - FRIEND_COSTS * risk

    def best_deed(self) -> Action:
        """Help, throw, rearm, defend or wait."""
        battle = self.battle
        if battle.acted > 0:
            return Delay()
        friend = self.friend_to_help()
        if friend is not None:
            return HelpAlly(friend)
        best = max(throws(battle, self.seat), key=self.value, default=None)
        if best is not None and self.value(best) > 0:
            return Attack(best.target)
        if refuse_rearm(battle, self.seat) == 0:
            return Rearm()
        return Delay()

    def friend_to_help(self) -> int | None:
        """A downed or prone friend next to the unit, downed friends first."""
        friends = range(self.seat, len(self.battle.kind), 2)
        found = [u for u in friends if refuse_help_ally(self.battle, self.seat, u) == 0]
        return max(found, key=lambda u: self.battle.posture[u]) if found else None


def at(walk: Walk) -> int:
    """The tile that a walk leads to."""
    return walk.x + walk.y * ROW


def shelter(battle: Battle, tile: int, enemy: int) -> float:
    """The value of the cover next to a tile against an enemy: full counts more than half, in front more than aside."""
    best = 0.0
    ahead = x_of(enemy) - x_of(tile), y_of(enemy) - y_of(tile)
    for dx, dy in AROUND:
        there = tile + dx + dy * ROW
        if 0 <= x_of(tile) + dx < battle.width and 0 <= y_of(tile) + dy < battle.height:
            worth = 2.0 if is_full_cover(battle, there) else 1.0 if is_half_cover(battle, there) else 0.0
            best = max(best, worth * (dx * ahead[0] + dy * ahead[1]) / max(1.0, hypot(*ahead)))
    return best


def ways_to(battle: Battle, goals: list[int]) -> dict[int, int]:
    """The cost of walking from each tile to the nearest goal."""
    cost = dict.fromkeys(goals, 0)
    queue = [(0, goal) for goal in goals]
    while queue:
        spent, here = heappop(queue)
        for side in range(4):
            there = neighbour(here, side, ROW, battle.height)
            if there != NONE and is_open(battle, there):
                step = spent + (2 if is_ice(battle, there) else 1)
                if step < cost.get(there, 10**6):
                    cost[there] = step
                    heappush(queue, (step, there))
    return cost
