"""The rules of Anarchy: for each action its refusal and its effect; the end of a turn; the outcome.

Ids such as (F2) refer to README.md. Refusals are the numbers in `refusals.py`.
"""

from endturn.engine.dice import below
from endturn.engine.rule import rule
from endturn.games.anarchy.refusals import (
    ALREADY_BRIBED,
    AT_THE_EDGE,
    BURNED_DOWN,
    CALM_ALREADY,
    EXTINGUISHES_HEADQUARTERS,
    IGNITES_HEADQUARTERS,
    NO_BRIBES,
    NO_NEXT_FORECAST,
    NO_SUCH_BUILDING,
    NOT_A_WAREHOUSE,
    NOT_YOURS,
    NOTHING_TO_KEEP,
    STRONGEST_ALREADY,
    UNDER_A_STORM,
    WRONG_KIND,
)
from endturn.games.anarchy.state import (
    LIGHTNING,
    MONTHS,
    NONE,
    RAIN_APPEARS,
    RAIN_DAMPS,
    RAIN_VANISHES,
    STORM_MONTHS,
    TURNS_A_MONTH,
    WIND_COMPASS,
    BonusBribes,
    City,
    Decision,
    Ending,
    Kind,
)
from endturn.mechanisms.calendar import begins_month, month_of
from endturn.mechanisms.endings import end_match
from endturn.mechanisms.grid import steps_between
from endturn.mechanisms.turns import ALIKE, first_difference, waiting_for
from endturn.mechanisms.weather import (
    BLOCK,
    Rolls,
    Units,
    Wind,
    age_storms,
    appear_units,
    fill,
    is_in,
    move_units,
    vanish_units,
)

COIN, RAIN = 1, 5  # purposes of rolls (V6, Y2); setup uses the numbers between


# --- bribes -------------------------------------------------------------------------------------------------


@rule
def refuse_bribe(game: City, seat: int, actor: int, kind: int) -> int:
    """Check whether a seat may bribe a building for an action of this kind (B1 to B5, Y6)."""
    if actor >= game.building_count:
        return NO_SUCH_BUILDING
    if game.kind[actor] != kind:
        return WRONG_KIND
    if game.owner[actor] != seat:
        return NOT_YOURS
    if game.bribes[seat] <= 0:
        return NO_BRIBES
    if game.health[actor] <= 0:
        return BURNED_DOWN
    if game.bribed[actor]:
        return ALREADY_BRIBED
    return UNDER_A_STORM if game.settings.rain and is_in(game.storm, cell_of(game, actor)) else 0


@rule
def bribe(game: City, seat: int, actor: int) -> None:
    """Spend one bribe; the building cannot be bribed again this turn (B3, B5)."""
    game.bribes[seat] -= 1
    game.bribed[actor] = True


# --- warehouses ---------------------------------------------------------------------------------------------


@rule
def is_headquarters(game: City, building: int) -> bool:
    """Return whether the building is either seat's headquarters (M4)."""
    return building == game.headquarters[0] or building == game.headquarters[1]


@rule
def refuse_ignite(game: City, seat: int, warehouse: int, building: int) -> int:
    """A warehouse ignites any building except a headquarters (I1, I5)."""
    broken = refuse_bribe(game, seat, warehouse, Kind.WAREHOUSE)
    if broken != 0:
        return broken
    if building >= game.building_count:
        return NO_SUCH_BUILDING
    if is_headquarters(game, building):
        return IGNITES_HEADQUARTERS
    if not game.settings.fire_at_the_edge and (at_edge(game, warehouse) or at_edge(game, building)):
        return AT_THE_EDGE
    return 0


@rule
def at_edge(game: City, building: int) -> bool:
    """Return whether a building is in the first row or column (I5)."""
    return game.x[building] == 0 or game.y[building] == 0


@rule
def ignite(game: City, seat: int, warehouse: int, building: int) -> None:
    """Add fire to the target, and exposure to the warehouse by distance (I2, I3, I4)."""
    bribe(game, seat, warehouse)
    added = game.settings.max_fire if is_headquarters(game, warehouse) else game.settings.warehouse_fire
    game.fire[building] = min(game.settings.max_fire, game.fire[building] + added)
    game.exposure[warehouse] += distance(game, warehouse, building)


@rule
def distance(game: City, one: int, other: int) -> int:
    """Return the steps east or west plus the steps north or south between two buildings (I4)."""
    return steps_between(game.x[one], game.y[one], game.x[other], game.y[other])


# --- fire and police departments ----------------------------------------------------------------------------


@rule
def refuse_extinguish(game: City, seat: int, fire_department: int, building: int) -> int:
    """A fire department extinguishes any building except a headquarters (X1)."""
    broken = refuse_bribe(game, seat, fire_department, Kind.FIRE_DEPARTMENT)
    if broken != 0:
        return broken
    if building >= game.building_count:
        return NO_SUCH_BUILDING
    return EXTINGUISHES_HEADQUARTERS if is_headquarters(game, building) else 0


@rule
def extinguish(game: City, seat: int, fire_department: int, building: int) -> None:
    """Reduce the fire (X2)."""
    bribe(game, seat, fire_department)
    game.fire[building] = max(0, game.fire[building] - game.settings.extinguish_removes)


@rule
def refuse_raid(game: City, seat: int, police_department: int, warehouse: int) -> int:
    """A police department raids any warehouse, including headquarters and its own (R1)."""
    broken = refuse_bribe(game, seat, police_department, Kind.POLICE_DEPARTMENT)
    if broken != 0:
        return broken
    if warehouse >= game.building_count:
        return NO_SUCH_BUILDING
    return NOT_A_WAREHOUSE if game.kind[warehouse] != Kind.WAREHOUSE else 0


@rule
def raid(game: City, seat: int, police_department: int, warehouse: int) -> None:
    """The warehouse loses health equal to its exposure, which becomes 0 (R2)."""
    bribe(game, seat, police_department)
    hurt(game, warehouse, game.exposure[warehouse])
    game.exposure[warehouse] = 0


@rule
def hurt(game: City, building: int, damage: int) -> None:
    """Lower a building's health to at least 0; a building that falls earns its owner a bribe (F1, B6)."""
    left = max(0, game.health[building] - damage)
    if left == 0 and game.health[building] > 0 and game.settings.bonus_bribes == BonusBribes.ONCE:
        game.bonus[game.owner[building]] += 1
    game.health[building] = left


# --- weather stations ---------------------------------------------------------------------------------------


@rule
def refuse_rotate(game: City, seat: int, weather_station: int, counterclockwise: bool) -> int:
    """There must be a next forecast (W1)."""
    broken = refuse_bribe(game, seat, weather_station, Kind.WEATHER_STATION)
    if broken != 0:
        return broken
    return NO_NEXT_FORECAST if game.next_forecast == NONE else 0


@rule
def rotate(game: City, seat: int, weather_station: int, counterclockwise: bool) -> None:
    """Turn the wind a quarter clockwise or counterclockwise (W2)."""
    bribe(game, seat, weather_station)
    quarters = 3 if counterclockwise else 1
    game.direction[game.next_forecast] = (game.direction[game.next_forecast] + quarters) % 4


@rule
def refuse_intensify(game: City, seat: int, weather_station: int, negative: bool) -> int:
    """The intensity stays between 0 and `max_intensity` (W3)."""
    broken = refuse_rotate(game, seat, weather_station, False)
    if broken != 0:
        return broken
    intensity = game.intensity[game.next_forecast]
    if negative:
        return CALM_ALREADY if intensity <= 0 else 0
    return STRONGEST_ALREADY if intensity >= game.settings.max_intensity else 0


@rule
def intensify(game: City, seat: int, weather_station: int, negative: bool) -> None:
    """Make the wind stronger or weaker by 1 (W3)."""
    bribe(game, seat, weather_station)
    change = -1 if negative else 1
    game.intensity[game.next_forecast] = game.intensity[game.next_forecast] + change


# --- the end of a turn --------------------------------------------------------------------------------------


@rule
def end_turn(game: City, seat: int, dice: int) -> None:
    """Run the steps at the end of a turn, then pass the turn unless the match is over (T2)."""
    burn(game)
    blow(game)
    die_down(game)
    if game.settings.rain:
        weather(game, dice)
    cool_down(game)
    next_weather(game)
    pay_bribes(game, 1 - seat)
    judge(game, dice)
    if game.ended == Ending.GOING_ON:
        game.turn += 1
        game.seat = 1 - seat


@rule
def burn(game: City) -> None:
    """Every fire does damage (F1); a building that falls, or keeps burning at 0 health, may earn a bribe (B6)."""
    in_ruins_too = game.settings.bonus_bribes == BonusBribes.WHILE_BURNING
    earned, earned_by_second = 0, 0
    for building in range(game.building_count):
        health, fire = game.health[building], game.fire[building]
        left = max(0, health - fire)
        earns = (left == 0) & (fire > 0) & ((health > 0) | in_ruins_too)
        earned += earns
        earned_by_second += earns & game.owner[building]
        game.health[building] = left
    if game.settings.bonus_bribes != BonusBribes.NEVER:
        game.bonus[0] += earned - earned_by_second
        game.bonus[1] += earned_by_second


@rule
def blow(game: City) -> None:
    """Collect in `arriving` the fires that the wind carries, before any of them burns (F3, F4, F5)."""
    intensity = game.intensity[game.current_forecast]
    if intensity == 0:
        return
    downwind = game.neighbour[game.direction[game.current_forecast]]
    for building in range(game.building_count):
        if game.fire[building] > 0:
            if game.settings.wind_crosses_buildings:
                carry_over_row(game, downwind, building, intensity)
            elif downwind[building] != NONE:
                carry(game, downwind[building], min(game.fire[building], intensity))


@rule
def carry_over_row(game: City, downwind: list[int], building: int, intensity: int) -> None:
    """Carry fire of the wind's intensity to that many buildings in an unbroken row (F3)."""
    reached = downwind[building]
    for _ in range(intensity):
        if reached == NONE:
            return
        carry(game, reached, min(intensity, game.settings.max_fire))
        if game.fire[reached] > 0:
            return  # its own fire travels on with the same strength and reach
        reached = downwind[reached]


@rule
def carry(game: City, building: int, fire: int) -> None:
    """Of several fires that arrive, the strongest counts (F4)."""
    game.arriving[building] = max(game.arriving[building], fire)


@rule
def die_down(game: City) -> None:
    """Every fire dies down; a stronger arriving fire replaces it (F2, F4)."""
    fade = game.settings.fire_fade
    for building in range(game.building_count):
        left = max(0, game.fire[building] - fade)
        game.fire[building] = max(left, game.arriving[building])
        game.arriving[building] = 0


@rule
def cool_down(game: City) -> None:
    """Reduce the exposure of unbribed buildings; then all can be bribed again (E1, B5)."""
    fade = game.settings.exposure_fade
    for building in range(game.building_count):
        if not game.bribed[building]:
            game.exposure[building] = max(0, game.exposure[building] - fade)
        game.bribed[building] = False


@rule
def next_weather(game: City) -> None:
    """The next forecast becomes the current one (C2, C3)."""
    game.current_forecast = game.next_forecast
    late = game.settings.late_forecasts
    coming, last = game.turn + (1 if late else 2), game.forecast_count if late else game.settings.max_turns
    game.next_forecast = coming if coming < last else NONE


@rule
def pay_bribes(game: City, upcoming: int) -> None:
    """Give both seats their bribes, and extra bribes for fallen buildings (B3, B6)."""
    for seat in range(2):
        game.bribes[seat] = game.settings.base_bribes
        if seat == upcoming or game.settings.bonus_bribes == BonusBribes.WHILE_BURNING:
            game.bribes[seat] += game.bonus[seat]
            game.bonus[seat] = 0


# --- rain over the city -------------------------------------------------------------------------------------


@rule
def weather(game: City, dice: int) -> None:
    """Move rain and storms; in a new month some disappear and others appear (Y1, Y2, Y3)."""
    cells = game.settings.map_width * game.settings.map_height
    month = month_of(game.turn, TURNS_A_MONTH, MONTHS)
    new_month = begins_month(game.turn, TURNS_A_MONTH)
    sky, rolls = sky_of(game), Rolls(dice, RAIN, game.turn)
    if new_month:
        age_storms(sky)
        vanish_units(game.rain, len(game.rain), RAIN_VANISHES[month] * cells // 100, rolls)
    drift_rain(game, dice)
    if new_month:
        anywhere, wanted = game.arriving_rain, RAIN_APPEARS[month] * cells // 100
        fill(anywhere, cells)
        appear_units(sky, anywhere, wanted, 0, rolls)
    soak(game)


@rule
def sky_of(game: City) -> Units:
    """The rain and the storms, as the weather mechanism takes them."""
    return Units(game.rain, game.storm, game.storm_months, game.arriving_rain, game.crowded, len(game.rain))


@rule
def drift_rain(game: City, dice: int) -> None:
    """Move rain with the current forecast's wind over the whole city; storms that form strike (Y3, Y5)."""
    width, height = game.settings.map_width, game.settings.map_height
    fill(game.windy, BLOCK * len(game.windy) if game.intensity[game.current_forecast] > 0 else 0)
    wind = Wind(game.windy, WIND_COMPASS[game.direction[game.current_forecast]], width, height)
    if move_units(sky_of(game), wind, False, STORM_MONTHS, Rolls(dice, RAIN, game.turn)) > 0:
        strike(game)


@rule
def strike(game: City) -> None:
    """Lightning sets fire to the buildings below each storm that formed (Y5)."""
    for building in range(game.building_count):
        if is_in(game.crowded, cell_of(game, building)):
            game.fire[building] = min(game.settings.max_fire, game.fire[building] + LIGHTNING)
    for block in range(len(game.crowded)):
        game.crowded[block] = 0


@rule
def soak(game: City) -> None:
    """Rain reduces the fire of the buildings below (Y4)."""
    for building in range(game.building_count):
        if is_in(game.rain, cell_of(game, building)):
            game.fire[building] = max(0, game.fire[building] - RAIN_DAMPS)


@rule
def cell_of(game: City, building: int) -> int:
    """Return the cell a building stands on, numbered row by row (Y1)."""
    return game.x[building] + game.y[building] * game.settings.map_width


# --- keeping a turn, leaving --------------------------------------------------------------------------------


@rule
def refuse_keep_turn(game: City, seat: int) -> int:
    """Keeping the turn requires the setting `refills` (T3)."""
    return 0 if game.settings.refills else NOTHING_TO_KEEP


@rule
def keep_turn(game: City, seat: int) -> None:
    """Refill both seats' bribes; the turn continues (T3)."""
    game.bribes[0] = game.bribes[1] = game.settings.base_bribes


@rule
def leave(game: City, seat: int, why: int) -> None:
    """A seat that leaves loses (V7)."""
    end_match(game, Ending.RESIGNED + why, Decision.OPPONENT_LEFT, 1 - seat)


# --- the outcome --------------------------------------------------------------------------------------------


@rule
def judge(game: City, dice: int) -> None:
    """End the match if this turn ends it (V1, V2)."""
    fallen_0, fallen_1 = game.health[game.headquarters[0]] == 0, game.health[game.headquarters[1]] == 0
    last_turn = game.turn + 1 >= game.settings.max_turns
    if last_turn and not game.settings.headquarters_on_last_turn:
        decide(game, Ending.TURN_LIMIT, dice)
    elif fallen_0 and fallen_1:
        decide(game, Ending.BOTH_HEADQUARTERS_BURNED, dice)
    elif (fallen_0 or fallen_1) and game.settings.one_headquarters_ends:
        end_match(game, Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, 1 if fallen_0 else 0)
    elif last_turn:
        decide(game, Ending.TURN_LIMIT, dice)


@rule
def decide(game: City, ending: int, dice: int) -> None:
    """Decide by the first condition in which the seats differ (V3, V4, V5, V6)."""
    damage = game.health[game.headquarters[0]] - game.health[game.headquarters[1]]
    standing, health = compare_buildings(game)
    decisive, winner = first_difference(damage, standing, health)
    if decisive == ALIKE:
        end_match(game, ending, Decision.COIN, below(dice, 2, COIN, 0, game.turn))
    else:
        end_match(game, ending, Decision.HEADQUARTERS_FALL + decisive, winner)


@rule
def compare_buildings(game: City) -> tuple[int, int]:
    """Return seat 0's lead in standing buildings and in total health (V4, V5)."""
    standing = health = 0
    for building in range(game.building_count):
        side = 1 if game.owner[building] == 0 else -1
        standing += side if game.health[building] > 0 else 0
        health += side * game.health[building]
    return standing, health


@rule
def to_act(game: City) -> int:
    """Return the bit of the seat to act, or 0 when the match is over (T1, T4)."""
    return waiting_for(game.seat, game.ended != Ending.GOING_ON)


@rule
def turn(game: City) -> int:
    """Return the number of the turn, from 0."""
    return game.turn
