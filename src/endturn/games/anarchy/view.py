"""Views and observations of Anarchy. Nothing is hidden."""

from array import array
from collections.abc import MutableSequence
from functools import cache, lru_cache

from endturn.engine.rule import rule
from endturn.games.anarchy.rules import cell_of, is_headquarters
from endturn.games.anarchy.state import (
    MONTHS,
    NONE,
    RAIN_APPEARS,
    RAIN_VANISHES,
    TURNS_A_MONTH,
    City,
    Ending,
    Kind,
)
from endturn.games.anarchy.view_types import BuildingView, CityView, ForecastView, SkyView
from endturn.mechanisms.calendar import month_of
from endturn.mechanisms.grid import Direction
from endturn.mechanisms.rows import facts, rows
from endturn.mechanisms.weather import is_in

FIRST_SEATS = array("b", (0, 1) * 500)  # for each forecast, the seat whose turn ends when it blows
KINDS = {kind.value: kind.name.lower() for kind in Kind}
ENDED = {ending.value: ending.name.lower() for ending in Ending}
PER_BUILDING, SHARED, AHEAD = 9, 8, 6  # numbers per building and for the whole match; forecasts ahead


def view(city: City, seat: int | None) -> CityView:
    """Return everything, including the forecasts of all turns."""
    seen: CityView = {
        "turn": city.turn,
        "seat": city.seat,
        "bribes": list(city.bribes),
        "bonus": list(city.bonus),
        "headquarters": list(city.headquarters),
        "ended": ENDED[city.ended],
        "winner": city.winner,
        "current_forecast": city.current_forecast,
        "next_forecast": city.next_forecast,
        "settings": facts(city.settings),
        "buildings": buildings(city),
        "forecasts": rows(city.forecast_count, forecast, city.direction, city.intensity, FIRST_SEATS),
    }
    return {"sky": sky_over(city), **seen} if city.settings.rain else seen


def sky_over(city: City) -> SkyView:
    """Return the month, and the cells with rain or a thunderstorm (Y1)."""
    cells = range(city.settings.map_width * city.settings.map_height)
    month = month_of(city.turn, TURNS_A_MONTH, MONTHS)
    return {
        "month": month,
        "rain": [cell for cell in cells if is_in(city.rain, cell)],
        "storms": [cell for cell in cells if is_in(city.storm, cell)],
        "appear": RAIN_APPEARS[month] * len(cells) // 100,
        "disappear": RAIN_VANISHES[month] * len(cells) // 100,
    }


def buildings(city: City) -> list[BuildingView]:
    """Return all buildings."""
    fixed = city.kind, city.owner, city.x, city.y
    return rows(city.building_count, building, *fixed, city.health, city.fire, city.exposure, city.bribed)


@lru_cache(1 << 14)
def building(
    kind: int, owner: int, x: int, y: int, health: int, fire: int, exposure: int, bribed: int
) -> BuildingView:
    """Return one building as a dictionary."""
    return {
        "kind": KINDS[kind],
        "owner": owner,
        "x": x,
        "y": y,
        "health": health,
        "fire": fire,
        "exposure": exposure,
        "bribed": bool(bribed),
    }


@cache
def forecast(direction: int, intensity: int, first: int) -> ForecastView:
    """Return one forecast; `first` is the seat that controls it."""
    return {"direction": Direction(direction).name.lower(), "intensity": intensity, "controlled_by": first}


# --- as numbers ---------------------------------------------------------------------------------------------


def observation_size(city: City) -> int:
    """Return the length of an observation."""
    return SHARED + 2 * AHEAD + (PER_BUILDING + city.settings.rain) * len(city.health)


@rule
def observe(city: City, seat: int, out: MutableSequence[int]) -> None:
    """Write shared numbers, the next forecasts (direction, intensity), then nine numbers per building."""
    out[0], out[1] = city.turn, city.settings.max_turns - city.turn
    out[2], out[3] = city.bribes[seat], city.bonus[seat]
    out[4], out[5] = city.health[city.headquarters[seat]], city.health[city.headquarters[1 - seat]]
    out[6], out[7] = city.building_count, city.seat == seat
    for ahead in range(AHEAD):
        known = city.current_forecast != NONE and city.current_forecast + ahead < city.forecast_count
        out[SHARED + 2 * ahead] = city.direction[city.current_forecast + ahead] if known else NONE
        out[SHARED + 2 * ahead + 1] = city.intensity[city.current_forecast + ahead] if known else 0
    for b in range(city.building_count):
        at = SHARED + 2 * AHEAD + PER_BUILDING * b
        out[at], out[at + 1], out[at + 2] = city.x[b], city.y[b], city.kind[b]
        out[at + 3], out[at + 4] = city.owner[b] == seat, is_headquarters(city, b)
        out[at + 5], out[at + 6] = city.health[b], city.fire[b]
        out[at + 7], out[at + 8] = city.exposure[b], city.bribed[b]
        if city.settings.rain:  # after all buildings: 1 under rain, 2 under a storm
            cell = cell_of(city, b)
            out[SHARED + 2 * AHEAD + PER_BUILDING * len(city.health) + b] = (
                2 if is_in(city.storm, cell) else is_in(city.rain, cell)
            )
