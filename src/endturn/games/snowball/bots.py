"""Players of Snowball Fight: one by chance, and a tactical one; and how choices are numbered."""

from heapq import heappop, heappush
from math import hypot, sqrt

from endturn.bots.player import Seen
from endturn.engine.actions import Action, Row
from endturn.engine.dice import MASK, philox
from endturn.engine.rule import apart, rule
from endturn.games.snowball.actions import (
    ATTACK,
    DEFEND,
    DELAY,
    DISMISS,
    HELP_ALLY,
    MOVE,
    PICK,
    PLACE,
    READY,
    REARM,
    RECRUIT,
    STAND,
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
    is_up,
    seat_of,
    x_of,
    y_of,
)
from endturn.games.snowball.rules.moving import budget, movement, refuse_move
from endturn.games.snowball.rules.muster import KINDS, refuse_pick, refuse_place, refuse_recruit
from endturn.games.snowball.rules.previews import Throw, Walk, enemies_of, preview, throws
from endturn.games.snowball.rules.tending import is_helpless, refuse_defend, refuse_help_ally, refuse_rearm
from endturn.games.snowball.rules.throwing import (
    chance_to_strike,
    in_reach,
    refuse_attack,
)
from endturn.games.snowball.rules.turns import has_snow
from endturn.games.snowball.state import FIRST_HERO, NONE, RANGE, ROW, Battle, Kind, Phase, Posture
from endturn.mechanisms.grid import neighbour
from endturn.mechanisms.normal import CERTAIN

RANDOM_PLAY = 101  # purpose of a random player's rolls
AIMS = 4  # enemies that a random player tries to throw at
WALKS = 3  # tiles that it tries to walk to


# --- choices by number --------------------------------------------------------------------------------------
# A unit's options: first every tile (to walk to in battle, to be placed on before), then every unit to attack,
# every unit to help, and four more. The last piece stands for the seat itself.
OTHERS = 4


@rule
def pieces(game: Battle) -> int:
    """Every unit there can be, and one piece more that stands for the seat."""
    return len(game.kind) + 1


@rule
def options(game: Battle) -> int:
    """Every tile, every unit twice, and four more."""
    return game.width * game.height + 2 * len(game.kind) + OTHERS


@rule
def numbered_tile(game: Battle, number: int) -> int:
    """The tile with a number, counted row by row."""
    return number % game.width + number // game.width * ROW


@rule
def action_of(game: Battle, piece: int, option: int) -> Row:
    """What option a unit or a seat has under a number."""
    if piece == len(game.kind):
        return seat_action(game, option)
    if game.phase == Phase.MUSTER:
        return muster_action(game, piece, option)
    if game.phase != Phase.BATTLE or piece != game.active:
        return NONE, 0, 0, 0, 0
    tiles, units = game.width * game.height, len(game.kind)
    if option < tiles:
        return MOVE, numbered_tile(game, option), 0, 0, 0
    if option < tiles + units:
        return ATTACK, option - tiles, 0, 0, 0
    if option < tiles + 2 * units:
        return HELP_ALLY, option - tiles - units, 0, 0, 0
    number = option - tiles - 2 * units
    verb = REARM if number == 0 else DEFEND if number == 1 else STAND if number == 2 else DELAY
    return verb, 0, 0, 0, 0


@rule
def muster_action(game: Battle, piece: int, option: int) -> Row:
    """A unit before the battle: where to stand, or to go home."""
    tiles = game.width * game.height
    if option < tiles:
        return PLACE, piece, numbered_tile(game, option), 0, 0
    return DISMISS if option == tiles else NONE, piece, 0, 0, 0


@rule
def seat_action(game: Battle, option: int) -> Row:
    """A seat before the battle: whom to pick or recruit, and being ready."""
    if game.phase in (Phase.DRAFT, Phase.MUSTER):
        if option < KINDS:
            return PICK if game.phase == Phase.DRAFT else RECRUIT, option, 0, 0, 0
        if option == KINDS:
            return READY, 0, 0, 0, 0
        if option == KINDS + 1:
            return DELAY, 0, 0, 0, 0
    return NONE, 0, 0, 0, 0


@rule
def is_idle(game: Battle, seat: int, piece: int) -> bool:
    """In battle all units but the one at turn; before it the other seat's."""
    if piece == len(game.kind):
        return game.phase not in (Phase.DRAFT, Phase.MUSTER)
    if game.phase == Phase.BATTLE:
        return piece != game.active
    return game.phase != Phase.MUSTER or seat_of(piece) != seat


# --- by chance ----------------------------------------------------------------------------------------------


@rule
def random_action(game: Battle, seat: int, luck: int, when: int) -> Row:
    """Something that the seat may do, by chance."""
    what, first, second, third = philox(luck, RANDOM_PLAY, seat, when, 0)
    if game.phase == Phase.DRAFT:
        hero = FIRST_HERO + (first * (KINDS - FIRST_HERO) >> 32)
        good = what & 3 != 0 and refuse_pick(game, seat, hero) == 0
        return PICK if good else READY, hero if good else 0, 0, 0, 0
    if game.phase == Phase.MUSTER:
        return random_muster(game, seat, what, first, second)
    if game.posture[game.active] == Posture.PRONE:
        return STAND if what & 3 != 0 else DELAY, 0, 0, 0, 0
    return random_deed(game, seat, what, first, second, third)


@apart
def random_muster(game: Battle, seat: int, what: int, first: int, second: int) -> Row:
    """Recruit, place, or be done."""
    units = len(game.kind)
    kind, unit = first * KINDS >> 32, seat + 2 * (first * (units // 2) >> 32)
    tile = numbered_tile(game, second * (game.width * game.height) >> 32)
    if what & 3 == 0 and refuse_recruit(game, seat, kind) == 0:
        return RECRUIT, kind, 0, 0, 0
    if what & 3 == 1 and refuse_place(game, seat, unit, tile) == 0:
        return PLACE, unit, tile, 0, 0
    return READY, 0, 0, 0, 0


@rule
def random_deed(game: Battle, seat: int, what: int, first: int, second: int, third: int) -> Row:
    """A unit throws, walks or does something else, half of the time each of the first two where it can."""
    if what & 1:
        target = random_target(game, seat, first)
        if target != NONE:
            return ATTACK, target, 0, 0, 0
    if what & 6:
        tile = random_walk(game, seat, second)
        if tile != NONE:
            return MOVE, tile, 0, 0, 0
    if refuse_rearm(game, seat) == 0:
        return REARM, 0, 0, 0, 0
    friend = random_friend(game, seat, third)
    if friend != NONE:
        return HELP_ALLY, friend, 0, 0, 0
    defends = what & 24 == 0 and refuse_defend(game, seat) == 0
    return DEFEND if defends else DELAY, 0, 0, 0, 0


@rule
def random_target(game: Battle, seat: int, bits: int) -> int:
    """Some enemy near enough, if the unit at turn may throw at it; NONE where the bits pick none."""
    units = game.mustered // 2
    chosen = NONE
    for tries in range(AIMS if game.snowballs[game.active] > 0 else 0):
        target = 1 - seat + 2 * (((bits * units >> 32) + tries) % units)
        if (
            chosen == NONE
            and is_up(game, target)
            and in_reach(game, game.active, game.tile[game.active], target)
        ):
            chosen = target
    return chosen if chosen != NONE and refuse_attack(game, seat, chosen) == 0 else NONE


@rule
def random_walk(game: Battle, seat: int, bits: int) -> int:
    """Some tile near the unit at turn, if it may walk there; NONE where the bits pick none."""
    standard = movement(game) - game.spent
    reach = standard if standard > 0 and bits & 3 != 0 else budget(game)
    wide = 2 * reach + 1
    here, chosen = game.tile[game.active], NONE
    for _ in range(WALKS):
        dx, bits = (bits * wide >> 32) - reach, bits * wide & MASK
        dy, bits = (bits * wide >> 32) - reach, bits * wide & MASK
        x, y = x_of(here) + dx, y_of(here) + dy
        near = abs(dx) + abs(dy) <= reach and 0 <= x < game.width and 0 <= y < game.height
        if chosen == NONE and near and is_open(game, x + y * ROW):
            chosen = x + y * ROW
    return chosen if chosen != NONE and refuse_move(game, seat, chosen) == 0 else NONE


@rule
def random_friend(game: Battle, seat: int, bits: int) -> int:
    """The first friend from some number on that the unit at turn may help; NONE if there is none."""
    units = game.mustered // 2
    for tries in range(units):
        friend = seat + 2 * (((bits * units >> 32) + tries) % units)
        if is_helpless(game, friend) and refuse_help_ally(game, seat, friend) == 0:
            return friend
    return NONE


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
        """The next action, from the position alone."""
        battle: Battle = seen.state
        if battle.phase == Phase.DRAFT:
            return draft(battle, seen.seat)
        if battle.phase != Phase.BATTLE:
            return Ready()
        if battle.posture[battle.active] == Posture.PRONE:
            return Stand()
        return Turn(battle, seen.seat).best_action()


def draft(battle: Battle, seat: int) -> Action:
    """The best hero that is left, up to three."""
    own = sum(is_hero(battle.kind[u]) and battle.posture[u] > 0 for u in range(seat, len(battle.kind), 2))
    free = [hero for hero in HEROES if refuse_pick(battle, seat, hero) == 0]
    return Pick(free[0]) if free and own < WANTED_HEROES else Ready()


class Turn:
    """One turn of a unit, as the bot thinks about it."""

    def __init__(self, battle: Battle, seat: int) -> None:
        self.battle, self.seat, self.unit = battle, seat, battle.active
        self.here = battle.tile[self.unit]
        self.enemies = enemies_of(battle, seat)
        self.patience = max(0.0, 1 - battle.turn / LONG)

    def best_action(self) -> Action:
        """Walk to the best place first, then do what is best from there."""
        battle = self.battle
        if battle.spent == 0 and battle.acted == 0:
            tile = self.best_place()
            if tile != self.here:
                return Move(tile)
        return self.best_deed()

    # --- where to ---

    def best_place(self) -> int:
        """Where the unit is best off this turn; far from all enemies, the way towards them."""
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
        """A quick guess at how good a place is: the right distance, cover in front, no ice."""
        nearest = min(self.enemies, key=lambda enemy: distance_squared(tile, self.battle.tile[enemy]))
        there = self.battle.tile[nearest]
        distance = sqrt(distance_squared(tile, there))
        guarded = shelter(self.battle, tile, there)
        return guarded - abs(distance - SWEET_SPOT) / 2 - (ICY if is_ice(self.battle, tile) else 0)

    def within_throw(self, tile: int) -> bool:
        """Whether an enemy is near enough for a throw from a tile."""
        reach = RANGE[self.battle.kind[self.unit]]
        return any(distance_squared(tile, self.battle.tile[e]) <= reach * reach for e in self.enemies)

    def worth(self, tile: int) -> float:
        """What can be done from a place less what may be done to the unit there."""
        battle = self.battle
        battle.tile[self.unit] = tile
        moved, battle.spent = battle.spent, 0 if tile == self.here else 1
        gain = self.gain()
        harm = sum(self.threat(enemy) for enemy in self.enemies) * FEAR * self.patience
        battle.tile[self.unit], battle.spent = self.here, moved
        return gain - harm - (ICY * harm if is_ice(battle, tile) else 0)

    def gain(self) -> float:
        """The best that the unit can do from where it is."""
        battle = self.battle
        if self.friend_to_help() is not None:
            return 1.2
        if battle.snowballs[self.unit] == 0:
            return 0.4 if has_snow(battle, battle.tile[self.unit]) else 0.0
        return max((self.value(throw) for throw in throws(battle, self.seat)), default=0.0)

    def threat(self, enemy: int) -> float:
        """How likely an enemy hurts the unit with a throw from where it stands."""
        battle = self.battle
        if battle.snowballs[enemy] == 0 or battle.posture[enemy] == Posture.PRONE:
            return 0.0
        reach = RANGE[battle.kind[enemy]]
        if distance_squared(battle.tile[enemy], battle.tile[self.unit]) > reach * reach:
            return 0.0
        struck = chance_to_strike(battle, enemy, battle.tile[enemy], self.unit) / (100 * CERTAIN)
        return struck * (100 - dodge_percent(battle, self.unit)) / 100

    def approach(self, tiles: list[int]) -> int:
        """The tile from which the way to the nearest enemy is shortest, ice left out where there is a choice."""
        ways = ways_to(self.battle, [self.battle.tile[enemy] for enemy in self.enemies])
        dry = [tile for tile in tiles if not is_ice(self.battle, tile)] or tiles
        return min(dry, key=lambda tile: (ways.get(tile, 10**6), tile))

    # --- what to do there ---

    def value(self, throw: Throw) -> float:
        """How good a throw is: the chance to hurt, weighed by whom, less the risk for friends."""
        if throw.reason != 0 or throw.hurt < WORTH_A_THROW * self.patience:
            return 0.0
        battle = self.battle
        on_ice = is_ice(battle, battle.tile[throw.target])
        weight = 1 + 1.5 / battle.health[throw.target] + (0.2 if on_ice else 0)
        risk = sum(friend.hurt for friend in throw.friends)
        return throw.hurt * weight - FRIEND_COSTS * risk

    def best_deed(self) -> Action:
        """Help, throw, rearm, watch out or wait."""
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
        """A friend beside the unit that is downed or prone, downed ones first."""
        friends = range(self.seat, len(self.battle.kind), 2)
        found = [u for u in friends if refuse_help_ally(self.battle, self.seat, u) == 0]
        return max(found, key=lambda u: self.battle.posture[u]) if found else None


def at(walk: Walk) -> int:
    """The number of the tile that a walk leads to."""
    return walk.x + walk.y * ROW


def shelter(battle: Battle, tile: int, enemy: int) -> float:
    """How much the cover beside a tile is worth against an enemy: full more than half, in front more than aside."""
    best = 0.0
    ahead = x_of(enemy) - x_of(tile), y_of(enemy) - y_of(tile)
    for dx, dy in AROUND:
        there = tile + dx + dy * ROW
        if 0 <= x_of(tile) + dx < battle.width and 0 <= y_of(tile) + dy < battle.height:
            worth = 2.0 if is_full_cover(battle, there) else 1.0 if is_half_cover(battle, there) else 0.0
            best = max(best, worth * (dx * ahead[0] + dy * ahead[1]) / max(1.0, hypot(*ahead)))
    return best


def ways_to(battle: Battle, goals: list[int]) -> dict[int, int]:
    """What it costs to walk from each tile to the nearest of some goals."""
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
