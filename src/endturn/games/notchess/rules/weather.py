"""The year: wind, rain and storms, flood and drought, snow and ice, and drowning (chapters W, X).

The mechanisms are in `mechanisms/weather` and do not know this game. This module has the tables and the order.
"""

from endturn.engine.dice import below
from endturn.engine.rule import Table, rule
from endturn.games.notchess.rules.board import is_wet, offset, remove, waters
from endturn.games.notchess.rules.combat import hurt
from endturn.games.notchess.rules.nomads import replace
from endturn.games.notchess.state import (
    CLIMATES,
    COVER,
    DROUGHT,
    DRY,
    FLOOD,
    MONTHS,
    MONTHS_A_SEASON,
    RAIN,
    STREAM,
    TURNS_A_MONTH,
    WIND,
    Board,
    Climate,
    Kind,
    Month,
    RainTick,
    Terrain,
    WindEdge,
)
from endturn.mechanisms.calendar import begins_month, begins_season, month_of
from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import (
    BLOCK,
    PERCENT,
    Rolls,
    Units,
    Wind,
    age_storms,
    appear_units,
    blow,
    chance,
    change_cover,
    first_of,
    is_in,
    move_heads,
    move_units,
    put_in,
    turn_wind,
    vanish_units,
)

EIGHTH = 8  # on the edge of the map, ice appears eight times less (W20)

# Chances in percent that snow or ice appears on a square, one row per climate, from W1nter to Aut4mn (W15, W21, W24,
# W27, W30).
APPEAR = (
    (95, 99, 99, 95, 50, 30, 20, 10, 5, 0, 0, 0, 7, 25, 65, 85),  # mountain
    (70, 88, 96, 96, 40, 30, 5, 1, 1, 0, 0, 0, 1, 8, 24, 50),  # ice
    (80, 93, 98, 98, 50, 32, 7, 2, 1, 0, 0, 0, 3, 14, 46, 70),  # forest, marsh
    (80, 93, 98, 98, 50, 32, 7, 2, 1, 0, 0, 0, 3, 14, 46, 70),  # plain
    (5, 6, 6, 6, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2),  # desert
)
# Chances in percent that it disappears.
VANISH = (
    (2, 0, 0, 0, 4, 6, 8, 14, 20, 25, 30, 25, 12, 6, 5, 4),
    (6, 0, 0, 0, 15, 25, 60, 80, 99, 99, 99, 99, 75, 50, 30, 15),
    (2, 0, 0, 0, 3, 3, 7, 25, 96, 99, 99, 99, 70, 30, 20, 2),
    (3, 0, 0, 0, 8, 17, 50, 80, 99, 99, 99, 99, 75, 40, 25, 12),
    (5, 0, 0, 0, 8, 17, 50, 80, 99, 99, 99, 99, 75, 40, 25, 12),
)
# The same chances in parts of CERTAIN, as one list. The last row is ice on the edge of the map (W20).
ALL_APPEAR = Table(
    [chance(percent) for row in APPEAR for percent in row]
    + [chance(percent, EIGHTH) for percent in APPEAR[Climate.ICE]]
)
ALL_VANISH = Table(chance(percent) for row in (*VANISH, VANISH[Climate.ICE]) for percent in row)
INITIAL = 85, 50, 70, 70, 2, 50  # percent before the first turn, by climate (W11, W19, W23, W26, W29)

RAINY = (
    Terrain.MOUNTAIN,
    Terrain.WATER,
    Terrain.PLAIN,
)  # where new rain appears, in this order (W43 to W45)
FLOODS = Table(
    (0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0)
)  # new floods per hundred squares, by month (X7)
FLOOD_MONTHS = 2
DRIES = Table(
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 0, 0, 0, 0)
)  # chance of a drought in percent, by month (X8)
DAMP_MONTHS = 3  # the month of the rain and two more (X8)


def rain_table(squares: int, summer_rain: bool) -> tuple[list[int], list[int]]:
    """How many rains appear (A) and disappear (D) in each month on a board of this size (W46, W47)."""
    s33, s29, s22 = (max(squares // part - 2, 1) for part in (33, 29, 22))
    s18, s17 = squares // 18 - 1, squares // 17 - 1
    appear = [0, 0, 0, 0, s33, s29, s22, squares // 10]
    appear += [squares // 22, s33 if summer_rain else 0, s18, s22, s17, squares // 7 + 1, s17, 0]
    vanish = [0, 0, 0, 0, 0, s33, s29, s22]
    vanish += [squares // 10 - 1, squares // 22 + 1, 0, s18, s22, 0, squares // 7 + squares // 17, s17]
    return [max(0, count) for count in appear], [max(0, count) for count in vanish]


@rule
def before_turn(game: Board, dice: int) -> None:
    """Everything that happens to the board before a player's turn, in order (W5, X11)."""
    month, new_month = month_of(game.turn, TURNS_A_MONTH, MONTHS), begins_month(game.turn, TURNS_A_MONTH)
    if new_month:
        begin_month(game, month, dice)
    rain_moves = new_month or game.settings.rain_tick != RainTick.MONTH
    if rain_moves:
        all_steps = new_month or game.settings.rain_tick == RainTick.TURN
        rain_steps(game, month, all_steps, dice)  # X10
    if new_month and game.settings.flood:
        change_floods(game, month, dice)
    if rain_moves and game.settings.drought:
        change_droughts(game, month, new_month, dice)
    if game.turn > 0 or game.settings.check_before_first_turn:
        rolls = Rolls(dice, COVER, game.turn)
        change_cover(game.cover, game.climates, game.appear, game.vanish, game.blocks, rolls)  # W12, W14
    if game.settings.rain_melts_snow:
        melt(game)
    drown(game, dice)


@rule
def begin_month(game: Board, month: int, dice: int) -> None:
    """Begin a month: its chances of snow, then wind, then storms (W5, X11)."""
    set_chances(game, month)
    if game.settings.wind:
        shift_wind(game, month, dice)
    age_storms(sky_of(game))  # X5


@rule
def sky_of(game: Board) -> Units:
    """The rain and the storms, as the weather mechanism takes them."""
    return Units(game.rain, game.storm, game.storm_months, game.arriving, game.crowded, game.blocks)


@rule
def wind_of(game: Board) -> Wind:
    """The wind, as the weather mechanism takes it."""
    return Wind(game.windy, game.wind, game.width, game.height)


@rule
def set_chances(game: Board, month: int) -> None:
    """Set this month's chances for each climate (W9, W18, W20)."""
    for climate in range(CLIMATES):
        game.appear[climate] = ALL_APPEAR[climate * MONTHS + month]
        game.vanish[climate] = ALL_VANISH[climate * MONTHS + month]


@rule
def shift_wind(game: Board, month: int, dice: int) -> None:
    """Turn the wind, more with the season than within it, and move every stream (X1, X2)."""
    new_season = begins_season(month, MONTHS_A_SEASON)
    game.wind = turn_wind(game.wind, new_season, Rolls(dice, WIND, game.turn))
    move_heads(game.head, game.streams, wind_of(game), Rolls(dice, STREAM, game.turn))
    raise_wind(game)


@rule
def raise_wind(game: Board) -> None:
    """Mark the squares of all streams (X1)."""
    length = max(3, (game.width + game.height) // 3)
    blow(wind_of(game), game.blocks, game.head, game.streams, length)


# --- rain ---------------------------------------------------------------------------------------------------


@rule
def rain_steps(game: Board, month: int, all_steps: bool, dice: int) -> None:
    """Some rains disappear, the rest move and merge, new ones appear (W31, W36, W37, W43, W44, W45)."""
    gone, wanted = rains_to_go(game, month), game.rain_appear[month]
    if all_steps and gone > 0:
        vanish_units(game.rain, game.blocks, gone, Rolls(dice, RAIN, game.turn))
    drift_rain(game, dice)
    for ground in RAINY:
        if all_steps and wanted > 0:
            wanted = new_rain(game, ground, wanted, dice)


@rule
def rains_to_go(game: Board, month: int) -> int:
    """The rains that disappear in a month; all if winter clears them (W36, X12)."""
    clears = game.settings.winter_clears_rain and month < MONTHS_A_SEASON
    return game.squares if clears else game.rain_vanish[month]


@rule
def new_rain(game: Board, ground: int, wanted: int, dice: int) -> int:
    """Place rains on one kind of ground. Returns how many found no room (W43, W44, W45)."""
    there, blocks = game.arriving, game.blocks
    for block in range(blocks):
        there[block] = squares_of(game, ground, block)
    return appear_units(sky_of(game), there, wanted, ground * game.squares, Rolls(dice, RAIN, game.turn))


@rule
def squares_of(game: Board, ground: int, block: int) -> int:
    """The mountains, waters or plains of a block, by their climates (W32)."""
    if ground == Terrain.WATER:
        return waters(game, block)
    if ground == Terrain.MOUNTAIN:
        return game.climates[Climate.MOUNTAIN_SNOW][block]
    return game.climates[Climate.PLAIN_SNOW][block]


@rule
def drift_rain(game: Board, dice: int) -> None:
    """Move every rain with the wind or at random, over squares of both colours; two that meet form a storm.

    The mechanism has the details: W38, W39, W40, W41, W42, W48, W49.
    """
    stays = game.settings.wind_edge == WindEdge.STAY
    lasts, rolls = game.settings.storm_months, Rolls(dice, RAIN, game.turn)
    if move_units(sky_of(game), wind_of(game), stays, lasts, rolls) > 0:
        strike(game)


@rule
def strike(game: Board) -> None:
    """New storms sink ships and, by a setting, hurt war figures; other pieces are unharmed (X6, G5, W51)."""
    for block in range(game.blocks):
        struck = game.crowded[block] & game.taken[block]
        game.crowded[block] = 0
        while struck != 0:
            piece = game.on[block * BLOCK + first_of(struck)]
            struck &= struck - 1
            if game.kind[piece] == Kind.SHIP:
                remove(game, piece)
            elif Kind.ROOK <= game.kind[piece] <= Kind.KNIGHT:
                hurt(game, piece, game.settings.storm_damage)


@rule
def melt(game: Board) -> None:
    """Remove snow and ice under rain, except on mountains (X12)."""
    for square in range(game.squares):
        if is_wet(game, square) and game.terrain[square] != Terrain.MOUNTAIN:
            put_in(game.cover, square, False)


# --- flood and drought --------------------------------------------------------------------------------------


@rule
def change_floods(game: Board, month: int, dice: int) -> None:
    """Shorten all floods by a month, then flood as many random plains as this month floods (X7)."""
    candidates = 0
    for square in range(game.squares):
        if game.plight[square] > 0:
            game.plight[square] -= 1
        candidates += can_flood(game, square)
    wanted = floods_to_come(game, month)
    for square in range(game.squares):
        if wanted > 0 and can_flood(game, square):
            if below(dice, candidates, FLOOD, square, game.turn) < wanted:
                game.plight[square] = FLOOD_MONTHS
                wanted -= 1
            candidates -= 1


@rule
def floods_to_come(game: Board, month: int) -> int:
    """How many squares are flooded in a month (X7)."""
    return max(1, game.squares * FLOODS[month] // 100) if FLOODS[month] != 0 else 0


@rule
def can_flood(game: Board, square: int) -> bool:
    """Whether a square can flood: a plain without snow, under rain or next to water or marsh (X7)."""
    if game.terrain[square] != Terrain.PLAIN or is_in(game.cover, square) or game.plight[square] != 0:
        return False
    beside = is_beside(game, square, Terrain.WATER) or is_beside(game, square, Terrain.MARSH)
    return is_wet(game, square) or beside


@rule
def change_droughts(game: Board, month: int, new_month: bool, dice: int) -> None:
    """End droughts under rain and in Autumn, month 1; dry out plains in Summer, months 2 to 4 (X8)."""
    percent = DRIES[month] if new_month else 0
    for square in range(game.squares):
        if new_month:
            game.damp[square] = max(0, game.damp[square] - 1)
        if is_wet(game, square):
            game.damp[square] = DAMP_MONTHS
        if game.plight[square] == DROUGHT and (is_wet(game, square) or month == Month.AUT1MN):
            game.plight[square] = 0
        elif percent > 0 and can_dry(game, square) and below(dice, PERCENT, DRY, square, game.turn) < percent:
            game.plight[square] = DROUGHT


@rule
def can_dry(game: Board, square: int) -> bool:
    """Whether a square can dry out: a plain without snow, flood, recent rain, or water next to it (X8)."""
    if game.terrain[square] != Terrain.PLAIN or is_in(game.cover, square) or game.plight[square] != 0:
        return False
    return game.damp[square] == 0 and not is_beside(game, square, Terrain.WATER)


@rule
def is_beside(game: Board, square: int, terrain: int) -> bool:
    """Whether one of the up to eight neighbours has this terrain."""
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            near = offset(game, square, dx, dy)
            if near != OFF_THE_MAP and near != square and game.terrain[near] == terrain:
                return True
    return False


# --- drowning -----------------------------------------------------------------------------------------------


@rule
def drown(game: Board, dice: int) -> None:
    """Remove war figures and nomads on water without ice, but not peasants and capitals (X13)."""
    for block in range(game.blocks):
        afloat = game.taken[block] & waters(game, block) & ~game.cover[block]
        while afloat != 0:
            piece = game.on[block * BLOCK + first_of(afloat)]
            afloat &= afloat - 1
            if game.kind[piece] == Kind.NOMAD:
                replace(game, piece - 2 * game.per_seat, dice, 1)
            elif Kind.ROOK <= game.kind[piece] <= Kind.KNIGHT:
                remove(game, piece)
