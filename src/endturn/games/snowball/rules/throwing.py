"""Throwing: from where, what is in the way, and what the ball meets (chapters L, B, H).

A throw is a random number: the share of all throws that fly farther to the left (`flown`, in parts of CERTAIN).
Whatever stands around the thrower covers an interval of these shares. The edges of an interval are angles, and
the normal distribution gives the share of throws to the left of an angle (H3). The ball hits what covers its
share, the nearest first. Chances are sums of such intervals, so previews are exact.
"""

from fractions import Fraction
from typing import NamedTuple

from endturn.engine.dice import philox
from endturn.engine.rule import apart, rule
from endturn.games.snowball.refusals import (
    NO_LINE_OF_SIGHT,
    NO_SNOWBALL,
    NO_SUCH_UNIT,
    NOT_AN_ENEMY,
    OUT_OF_RANGE,
)
from endturn.games.snowball.rules.acting import (
    are_neighbours,
    distance_squared,
    dodge_percent,
    has_perk,
    is_full_cover,
    is_half_cover,
    is_ice,
    is_open,
    is_up,
    refuse_deed,
    seat_of,
    unit_on,
    x_of,
    y_of,
)
from endturn.games.snowball.rules.turns import QUICK, conclude, look_for_defeat
from endturn.games.snowball.state import ACCURACY, NONE, RANGE, ROW, Battle, Flight, Kind, Phase, Posture
from endturn.mechanisms.grid import Direction, neighbour
from endturn.mechanisms.normal import deviation_of, share_below
from endturn.mechanisms.paths import around
from endturn.mechanisms.sight import (
    DISTANCES,
    FARTHEST,
    FULL_TURN,
    TILE,
    bearing,
    by_offset,
    discs,
    edges,
    heading,
    next_tile,
    sideways,
    steps_away,
    touches,
    turned,
)
from endturn.mechanisms.turns import NEVER

THROW = 1  # purpose of a roll
BODIES = discs(Fraction(2, 5))  # by offset: half the angle of a body of radius 0.4 (L1)
SIDES = sideways(Fraction(3, 10))  # by offset: the angle of a point 0.3 tiles beside its middle (L3)
FLAT = 4  # tiles within which the chance to hit does not grow any more (H4)
WIDTH_AT_FLAT = BODIES[FLAT]
STEADY = 85  # percent of the usual spread (U9)
HALF_BLOCKS, LOB_BLOCKS = 50, 30  # percent of throws that fly low (B2, U9)
FINE = 28  # bits behind the point of how many deviations an angle is
COVER = -2  # what a ball can meet beside a unit and NONE
FAR = 1 << 20  # steps


# --- the spread of throws -----------------------------------------------------------------------------------


@rule
def spread_of(game: Battle, unit: int, dx: int, dy: int) -> int:
    """The standard deviation of the angle of throws at an offset, in parts of a full turn (H3, H4, U9)."""
    inaccuracy = 100 - ACCURACY[game.kind[unit]]
    distance = max(DISTANCES[by_offset(dx, dy)], FLAT * TILE)
    # 2.5 degrees are a turn / 144; they grow by the inaccuracy with every tile
    spread = FULL_TURN * (100 * TILE + inaccuracy * distance) // (144 * 100 * TILE)
    if dx * dx + dy * dy < FLAT * FLAT:
        spread = spread * BODIES[by_offset(dx, dy)] // WIDTH_AT_FLAT
    if has_perk(game, unit, Kind.AUNT_AVALANCHE) and game.spent == 0:
        spread = spread * STEADY // 100
    return spread


@rule
def fineness(spread: int) -> int:
    """The factor from an angle to deviations, with FINE fractional bits."""
    return (1 << FINE + 16) // spread


@rule
def share_left_of(angle: int, fine: int) -> int:
    """The share of throws that fly left of an angle from the aim (H3)."""
    return share_below(angle * fine >> FINE)


@rule
def cover_angles(dx: int, dy: int, aim: int) -> tuple[int, int]:
    """The two angles from the aim between which throws cross the tile at an offset (B1, L1)."""
    first, last = edges(dx, dy)
    left = turned(first, aim)
    return left, left + last - first


@rule
def body_angles(dx: int, dy: int, aim: int) -> tuple[int, int]:
    """The two angles from the aim between which throws cross a body on the tile at an offset (B1, L1)."""
    middle, half = turned(bearing(dx, dy), aim), BODIES[by_offset(dx, dy)]
    return middle - half, middle + half


# --- what is in the way -------------------------------------------------------------------------------------


@rule
def mound_stops(game: Battle, unit: int, target: int, tile: int) -> bool:
    """Whether half cover stops a low throw: not next to the thrower, unless it is also next to the target (B2, B5)."""
    return not are_neighbours(tile, game.tile[unit]) or are_neighbours(tile, game.tile[target])


@rule
def cover_stops(game: Battle, unit: int, target: int, tile: int, low: bool) -> bool:
    """Whether cover on a tile stops a throw that flies low or high (B1, B2, B5)."""
    if is_full_cover(game, tile):
        return True
    return low and is_half_cover(game, tile) and mound_stops(game, unit, target, tile)


@rule
def body_stops(game: Battle, unit: int, target: int, other: int, low: bool) -> bool:
    """Whether a throw that flies low or high strikes a unit in its way (B3, B4, B6)."""
    if other == target:
        return True  # B3
    if other == unit or not low or game.posture[other] != Posture.STANDING:
        return False  # B6
    if seat_of(other) == seat_of(unit):
        return game.settings.friendly_fire and not are_neighbours(game.tile[other], game.tile[unit])
    return True


@rule
def is_within(dx: int, dy: int, reach: int) -> bool:
    """Whether a snowball flies as far as an offset: half a tile beyond the Range (B7)."""
    return 4 * (dx * dx + dy * dy) <= (2 * reach + 1) * (2 * reach + 1)


# --- the way of a ball --------------------------------------------------------------------------------------


@rule
def angle_of(flown: int, fine: int) -> int:
    """The angle of a throw from the aim: the largest that at most a share `flown` flies left of (H3)."""
    return (((deviation_of(flown) + 1) << FINE) - 1) // fine


@rule
def first_body(
    game: Battle, unit: int, point: int, target: int, aim: int, angle: int, low: bool
) -> tuple[int, int]:
    """The first unit that a snowball strikes if no cover stops it, and its distance in steps (B1, B7)."""
    reach, px, py = RANGE[game.kind[unit]], x_of(point), y_of(point)
    met, fewest = NONE, FAR
    for other in range(game.mustered):
        dx, dy = x_of(game.tile[other]) - px, y_of(game.tile[other]) - py
        if game.tile[other] != NONE and steps_away(dx, dy) < fewest and is_within(dx, dy, reach):
            left, right = body_angles(dx, dy, aim)
            if left <= angle < right and body_stops(game, unit, target, other, low):
                met, fewest = other, steps_away(dx, dy)
    return met, fewest


@rule
def meets_cover(
    game: Battle, unit: int, point: int, target: int, direction: int, low: bool, steps: int
) -> bool:
    """Whether cover stops a snowball within fewer than `steps` steps in a direction (B1, B2, B5, B7)."""
    reach, px, py = RANGE[game.kind[unit]], x_of(point), y_of(point)
    east, south, slope = heading(direction)
    x, y = next_tile(0, 0, slope)
    while x + y < steps and is_within(x, y, reach):
        column, row = px + east * x, py + south * y
        if not (0 <= column < game.width and 0 <= row < game.height):
            return False
        if cover_stops(game, unit, target, column + row * ROW, low):
            return True
        x, y = next_tile(x, y, slope)
    return False


@apart
def first_met(game: Battle, unit: int, point: int, target: int, flown: int, low: bool) -> int:
    """What a snowball meets first: a unit, COVER, or NONE if it lands in the snow (B1, B7)."""
    ax, ay = x_of(game.tile[target]) - x_of(point), y_of(game.tile[target]) - y_of(point)
    aim, angle = bearing(ax, ay), angle_of(flown, fineness(spread_of(game, unit, ax, ay)))
    met, steps = first_body(game, unit, point, target, aim, angle, low)
    return COVER if meets_cover(game, unit, point, target, aim + angle, low, steps) else met


# --- chances ------------------------------------------------------------------------------------------------
# What can be in the way to a tile lies between its column and row and those of the point the throw starts from.


@rule
def columns_between(one: int, other: int) -> int:
    """The bits of the columns from one to another, inclusive."""
    return (2 << max(one, other)) - (1 << min(one, other))


@rule
def narrowed(gap: tuple[int, int], angle: int, edges_seen: tuple[int, int]) -> tuple[int, int]:
    """A gap (how far it is shut, where it ends) narrowed by an obstacle between two angles."""
    shut, open_to = gap
    left, right = edges_seen
    if left >= open_to or right <= shut:
        return gap
    return (right, open_to) if left <= angle else (shut, left)


class Throws(NamedTuple):
    """The throws of a unit from a point at a target, either all low or all high."""

    unit: int
    point: int
    target: int
    aim: int  # the bearing of the target
    low: bool


@rule
def gap_in_cover(game: Battle, throws: Throws, bx: int, by: int, gap: tuple[int, int]) -> tuple[int, int]:
    """Narrow a gap by the cover on the way to an offset: how far it is shut from its angle on, and its end (B1)."""
    angle, px, py = gap[0], x_of(throws.point), y_of(throws.point)
    columns = columns_between(px, px + bx)
    for y in range(min(0, by), max(0, by) + 1):
        if (game.full[py + y] | game.half[py + y]) & columns != 0:
            for x in range(min(0, bx), max(0, bx) + 1):
                if cover_stops(game, throws.unit, throws.target, px + x + (py + y) * ROW, throws.low):
                    gap = narrowed(gap, angle, cover_angles(x, y, throws.aim))
    return gap


@rule
def next_gap(game: Battle, throws: Throws, bx: int, by: int, angle: int, end: int) -> tuple[int, int]:
    """The same from an angle to another, with the units that are nearer than the offset too (B1)."""
    gap = gap_in_cover(game, throws, bx, by, (angle, end))
    unit, point, target, _, low = throws
    px, py = x_of(point), y_of(point)
    for other in range(game.mustered):
        dx, dy = x_of(game.tile[other]) - px, y_of(game.tile[other]) - py
        near = game.tile[other] != NONE and steps_away(dx, dy) < steps_away(bx, by)
        if near and is_within(dx, dy, FARTHEST - 1) and body_stops(game, unit, target, other, low):
            gap = narrowed(gap, angle, body_angles(dx, dy, throws.aim))
    return gap


@rule
def share_met(game: Battle, unit: int, point: int, target: int, body: int, low: bool) -> int:
    """The share of throws at a target, all low or all high, that meet a body first (B1, H3)."""
    px, py = x_of(point), y_of(point)
    ax, ay = x_of(game.tile[target]) - px, y_of(game.tile[target]) - py
    bx, by = x_of(game.tile[body]) - px, y_of(game.tile[body]) - py
    aim, fine = bearing(ax, ay), fineness(spread_of(game, unit, ax, ay))
    angle, end = body_angles(bx, by, aim)
    throws, met = Throws(unit, point, target, aim, low), 0
    if share_left_of(angle, fine) == share_left_of(end, fine):
        return met  # too far aside for any throw
    while angle < end:
        shut, open_to = next_gap(game, throws, bx, by, angle, end)
        if shut > angle:
            angle = shut
        else:
            met += share_left_of(open_to, fine) - share_left_of(angle, fine)
            angle = open_to
    return met


@rule
def low_percent(game: Battle, unit: int) -> int:
    """The percentage of throws that fly low enough for half cover to stop them (B2, U9)."""
    return LOB_BLOCKS if has_perk(game, unit, Kind.PROFESSOR_PARABOLA) else HALF_BLOCKS


@apart
def chance_to_strike(game: Battle, unit: int, point: int, target: int) -> int:
    """The share of throws that strike the target, before it dodges, out of 100 × CERTAIN (B2, B3)."""
    low, chance = low_percent(game, unit), 0
    for flight in range(2):  # low, then high
        percent = low if flight == 0 else 100 - low
        chance += percent * share_met(game, unit, point, target, target, flight == 0)
    return chance


@rule
def chance_to_stray(game: Battle, unit: int, point: int, target: int, other: int) -> int:
    """The share of throws at a target that strike another unit, out of 100 × CERTAIN (B4, H3)."""
    px, py = x_of(point), y_of(point)
    dx, dy = x_of(game.tile[other]) - px, y_of(game.tile[other]) - py
    near = is_within(dx, dy, RANGE[game.kind[unit]])
    if not near or not body_stops(game, unit, target, other, True):
        return 0
    return low_percent(game, unit) * share_met(game, unit, point, target, other, True)


@rule
def open_chance(game: Battle, unit: int, point: int, target: int) -> int:
    """The share of throws that would strike the target if nothing were in the way (H3)."""
    dx = x_of(game.tile[target]) - x_of(point)
    dy = y_of(game.tile[target]) - y_of(point)
    fine = fineness(spread_of(game, unit, dx, dy))
    left, right = body_angles(dx, dy, bearing(dx, dy))
    return share_left_of(right, fine) - share_left_of(left, fine)


# --- from where ---------------------------------------------------------------------------------------------


@apart
def sees(game: Battle, point: int, tile: int) -> bool:
    """Whether at least one of three lines to a tile touches no full cover (L3)."""
    px, py = x_of(point), y_of(point)
    dx, dy = x_of(tile) - px, y_of(tile) - py
    straight, beside = bearing(dx, dy), SIDES[by_offset(dx, dy)]
    columns = columns_between(px, px + dx)
    middle = left = right = True
    for y in range(min(0, dy), max(0, dy) + 1):
        if game.full[py + y] & columns != 0:
            for x in range(min(0, dx), max(0, dx) + 1):
                if is_full_cover(game, px + x + (py + y) * ROW):
                    middle = middle and not touches(straight, x, y)
                    left = left and not touches(straight - beside, x, y)
                    right = right and not touches(straight + beside, x, y)
    return middle or left or right


@rule
def in_reach(game: Battle, unit: int, point: int, target: int) -> bool:
    """Whether a target is within the unit's Range of a throwing point (H2)."""
    reach = RANGE[game.kind[unit]]
    return distance_squared(point, game.tile[target]) <= reach * reach


@apart
def leaning_point(game: Battle, unit: int, side: int) -> int:
    """The tile on a side, if the unit may lean out to it along full cover, or NONE (L2)."""
    here, height = game.tile[unit], game.height
    there = neighbour(here, side, ROW, height)
    if there == NONE or not is_open(game, there) or unit_on(game, there) != NONE:
        return NONE
    along = False
    for turn in range(1, 4, 2):
        beside = neighbour(here, (side + turn) % 4, ROW, height)
        along = along or (beside != NONE and is_full_cover(game, beside))
    return there if along else NONE


@rule
def has_full_cover_beside(game: Battle, unit: int) -> bool:
    """Whether full cover is on one of a unit's four sides (L2)."""
    x, y = x_of(game.tile[unit]), y_of(game.tile[unit])
    above = game.full[y - 1] if y > 0 else 0
    below = game.full[y + 1] if y + 1 < game.height else 0
    return (around(above, game.full[y], below, False) >> x) & 1 == 1


@rule
def side_in_order(number: int) -> int:
    """The sides of a tile in the order of x, then y: west, north, south, east (L2)."""
    if number == 0:
        return Direction.WEST
    if number == 1:
        return Direction.NORTH
    return Direction.SOUTH if number == 2 else Direction.EAST


@rule
def throwing_tiles(game: Battle, unit: int) -> int:
    """How many throwing points to consider: the unit's tile, and four more next to full cover (L2)."""
    return 5 if game.settings.lean_out and has_full_cover_beside(game, unit) else 1


@rule
def throwing_tile(game: Battle, unit: int, number: int) -> int:
    """A throwing point by number: the unit's tile, then those to lean out to by x and y; NONE if it may not (L2)."""
    return game.tile[unit] if number == 0 else leaning_point(game, unit, side_in_order(number - 1))


@apart
def refuse_throw(game: Battle, unit: int, target: int) -> int:
    """A target in range and in sight of one of the throwing points (H2, L2, L3)."""
    leaning = RANGE[game.kind[unit]] + 1
    if distance_squared(game.tile[unit], game.tile[target]) > leaning * leaning:
        return OUT_OF_RANGE
    broken = OUT_OF_RANGE
    for number in range(throwing_tiles(game, unit)):
        point = throwing_tile(game, unit, number)
        if point != NONE and in_reach(game, unit, point, target):
            broken = NO_LINE_OF_SIGHT
            if sees(game, point, game.tile[target]):
                return 0
    return broken


@apart
def throwing_point(game: Battle, unit: int, target: int) -> int:
    """The throwing point with the best chance, the unit's tile first, or NONE if none sees the target (L2, L3, H2)."""
    best, most, tiles = NONE, -1, throwing_tiles(game, unit)
    for number in range(tiles):
        point = throwing_tile(game, unit, number)
        if point != NONE and in_reach(game, unit, point, target) and sees(game, point, game.tile[target]):
            chance = chance_to_strike(game, unit, point, target) if tiles > 1 else 0
            if chance > most:
                best, most = point, chance
    return best


# --- the throw ----------------------------------------------------------------------------------------------


@rule
def refuse_attack(game: Battle, seat: int, target: int) -> int:
    """The unit needs a snowball and an enemy that is up, in range and in sight (H1, H2, L3, C1, C3)."""
    broken = refuse_deed(game)
    if broken != 0:
        return broken
    if game.snowballs[game.active] < 1:
        return NO_SNOWBALL
    return refuse_target(game, game.active, target)


@rule
def refuse_target(game: Battle, unit: int, target: int) -> int:
    """An enemy that is up, in range and in sight (H1, H2, L3)."""
    if target >= len(game.kind) or game.posture[target] == Posture.ABSENT:
        return NO_SUCH_UNIT
    if seat_of(target) == seat_of(unit) or not is_up(game, target):
        return NOT_AN_ENEMY
    return refuse_throw(game, unit, target)


@rule
def attack(game: Battle, seat: int, target: int, dice: int) -> None:
    """Throw one snowball. Angle, height and dodge are always all rolled (H1, H3, B2, D1)."""
    unit = game.active
    where, height, agility, _ = philox(dice, THROW, unit, game.turn, 0)
    leans, flown = throwing_tiles(game, unit) > 1, where >> 2
    point = throwing_point(game, unit, target) if leans else game.tile[unit]  # the throw is legal
    low = height * 100 >> 32 < low_percent(game, unit)
    game.snowballs[unit] -= 1
    met = first_met(game, unit, point, target, flown, low)
    game.thrower, game.aimed_at, game.throw_point, game.flown = unit, target, point, flown
    game.struck = met if met >= 0 else NONE
    game.flight = Flight.STOPPED if met == COVER else Flight.WIDE
    if met >= 0:
        strike(game, met, agility * 100 >> 32)
    if game.phase == Phase.BATTLE:
        conclude(game, QUICK)


@rule
def strike(game: Battle, unit: int, roll: int) -> None:
    """A struck unit dodges, or loses one health and falls on ice or is downed (D1, D2, D3)."""
    if roll < dodge_percent(game, unit):
        game.flight = Flight.DODGED
        return
    game.flight = Flight.HIT
    game.health[unit] -= 1
    if game.health[unit] == 0:
        knock_out(game, unit)
    elif is_ice(game, game.tile[unit]):
        game.posture[unit] = Posture.PRONE
        game.defending[unit] = False


@rule
def knock_out(game: Battle, unit: int) -> None:
    """Remove a downed unit from the queue, and check for defeat (D3, V1)."""
    game.posture[unit] = Posture.DOWNED
    game.defending[unit] = False
    game.ready[unit] = NEVER
    look_for_defeat(game)
