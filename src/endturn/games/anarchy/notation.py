"""Writes and reads a position of Anarchy as one line of text.

    anarchy 12 seat 0 bribes 7,10 bonus 0,1 wind 12,13 hq 4,44 end 0,0,-1 set max_turns=40 max_fire=9
    | w0,3,4,100,0,12,1 f1,5,6,80,2 ... | N3 N3 E4 W4 ...

Buildings: kind letter and owner, then x, y, health, fire, exposure and bribed, without zeros at the end. Forecasts:
direction letter and intensity; missing ones at the end are calm. Only settings that differ from the defaults are
written. With the setting `rain`, a fourth part describes the sky: whether the wind blew last turn, and the cells with
rain and storms.
"""

from collections.abc import Iterator
from typing import Any

from endturn.engine.dice import MASK
from endturn.engine.settings import settings_from, settings_to_json
from endturn.games.anarchy.setup import empty_city, join_neighbours
from endturn.games.anarchy.state import NONE, STORM_MONTHS, City, Decision, Ending, Kind, Settings
from endturn.games.anarchy.text import LETTERS
from endturn.mechanisms.grid import Direction
from endturn.mechanisms.weather import is_in, put_in

KINDS = {letter: kind for kind, letter in LETTERS.items()}
DIRECTIONS = {direction.name[0]: direction for direction in Direction}


def write(city: City) -> str:
    """Write a position as text."""
    head = (
        f"anarchy {city.turn} seat {city.seat} bribes {_pair(city.bribes)} bonus {_pair(city.bonus)} "
        f"wind {city.current_forecast},{city.next_forecast} hq {_pair(city.headquarters)} "
        f"end {city.ended + 0},{city.decided + 0},{city.winner}"
    )
    chosen = " ".join(f"{name}={value}" for name, value in _changed_settings(city).items())
    buildings = " ".join(_building(city, b) for b in range(city.building_count))
    forecasts = " ".join(_forecast(city, f) for f in range(city.forecast_count))
    sky = f" | {_sky(city)}" if city.settings.rain else ""
    return f"{head} set {chosen} | {buildings} | {forecasts}{sky}".replace("set  |", "set |")


def _sky(city: City) -> str:
    """Write the cells with rain, and with storms and their months: `r12 r13 s40:1`."""
    rains = [f"r{cell}" for cell in range(len(city.storm_months)) if is_in(city.rain, cell)]
    storms = [f"s{cell}:{months}" for cell, months in enumerate(city.storm_months) if months]
    wind = "wind" if any(city.windy) else "calm"
    return " ".join([wind, *rains, *storms])


def _pair(values: Any) -> str:
    return f"{values[0]},{values[1]}"


def settings_of(city: City) -> Settings:
    """Return the settings stored in a state."""
    values = {name: getattr(city.settings, name) for name in Settings.__struct_fields__}
    defaults = Settings()
    typed = {name: type(getattr(defaults, name))(value) for name, value in values.items()}
    return Settings(**typed)


def _changed_settings(city: City) -> dict[str, Any]:
    defaults = settings_to_json(Settings())
    return {name: v for name, v in settings_to_json(settings_of(city)).items() if v != defaults[name]}


def _building(city: City, b: int) -> str:
    values = [city.x[b], city.y[b], city.health[b], city.fire[b], city.exposure[b], city.bribed[b]]
    while len(values) > 3 and not values[-1]:
        values.pop()
    return f"{LETTERS[Kind(city.kind[b])]}{city.owner[b]},{','.join(map(str, map(int, values)))}"


def _forecast(city: City, f: int) -> str:
    return f"{Direction(city.direction[f]).name[0]}{city.intensity[f]}"


def read(text: str) -> City:
    """Read a position; raise ValueError with the reason if the text is invalid."""
    try:
        parts = [part.split() for part in text.split("|")]
        if len(parts) < 3:
            raise ValueError("expected three or four parts separated by |")
        head, buildings, forecasts, *sky = parts
        city = _read(head, buildings, forecasts)
        _read_sky(city, sky)
        return city
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"not a position of Anarchy: {error}") from None


def _read(head: list[str], buildings: list[str], forecasts: list[str]) -> City:
    name, turn, _, seat, _, bribes, _, bonus, _, wind, _, headquarters, _, end, _, *chosen = head
    if name != "anarchy":
        raise ValueError(f"it must begin with 'anarchy', not {name!r}")
    settings = settings_from(Settings, dict(part.split("=", 1) for part in chosen), "Anarchy")
    assert isinstance(settings, Settings)
    city = empty_city(settings, len(buildings))
    city.turn, city.seat = int(turn), int(seat)
    for column, said in ((city.bribes, bribes), (city.bonus, bonus), (city.headquarters, headquarters)):
        column[0], column[1] = (int(value) for value in said.split(","))
    city.current_forecast, city.next_forecast = (int(value) for value in wind.split(","))
    ended, decided, city.winner = (int(value) for value in end.split(","))
    city.ended, city.decided = Ending(ended), Decision(decided)
    for b, said in enumerate(buildings):
        _read_building(city, b, said)
    if len(forecasts) > city.forecast_count:
        raise ValueError(
            f"it has {len(forecasts)} forecasts, but a match of {settings.max_turns} turns has {city.forecast_count}"
        )
    for f, said in enumerate(forecasts):
        city.direction[f], city.intensity[f] = DIRECTIONS[said[0]], int(said[1:])
    for error in _errors(city):
        raise ValueError(error)
    join_neighbours(city)
    return city


def _read_sky(city: City, sky: list[list[str]]) -> None:
    if len(sky) != (1 if city.settings.rain else 0):
        raise ValueError("the part for the sky is required with the setting rain, and only then")
    cells = city.settings.map_width * city.settings.map_height
    for wind, *units in sky:
        if wind not in ("wind", "calm"):
            raise ValueError(f"the sky must begin with 'wind' or 'calm', not {wind!r}")
        for block in range(len(city.windy)):
            city.windy[block] = MASK if wind == "wind" else 0
        for said in units:
            where, _, months = said[1:].partition(":")
            if (
                said[0] not in "rs"
                or not 0 <= int(where) < cells
                or not 1 <= int(months or 1) <= STORM_MONTHS
            ):
                raise ValueError(f"{said!r} is not rain or a storm over cells 0 to {cells - 1}")
            put_in(city.rain if said[0] == "r" else city.storm, int(where), True)
            if said[0] == "s":
                city.storm_months[int(where)] = int(months or 1)


def _errors(city: City) -> Iterator[str]:
    """Yield an error for each value with which rules would overflow or read missing entries."""
    farthest = city.settings.map_width + city.settings.map_height - 2
    exposed = 32767 - farthest * ((city.settings.max_turns - city.turn + 1) // 2)
    pairs = [
        ("the seat", [city.seat], 0, 1),
        ("the turn", [city.turn], 0, city.settings.max_turns - 1),
        (
            "a current or next forecast",
            [city.current_forecast, city.next_forecast],
            NONE,
            city.forecast_count - 1,
        ),
        ("the winner", [city.winner], -1, 1),
        ("a headquarters", city.headquarters, 0, city.building_count - 1),
        ("an intensity", city.intensity, 0, city.settings.max_intensity),
        ("an owner", city.owner, 0, 1),
        ("an x", city.x, 0, city.settings.map_width - 1),
        ("a y", city.y, 0, city.settings.map_height - 1),
        ("a fire", city.fire, 0, city.settings.max_fire),
        ("a health", city.health, 0, 30_000),
        ("an exposure", city.exposure, 0, exposed),
    ]
    for name, values, low, high in pairs:
        yield from (
            f"{name} must be from {low} to {high}, not {value}"
            for value in values
            if not low <= value <= high
        )
    for seat in range(2):
        if city.owner[city.headquarters[seat]] != seat:
            yield f"building #{city.headquarters[seat]}, the headquarters of seat {seat}, belongs to the other seat"


def _read_building(city: City, b: int, said: str) -> None:
    values = [int(value) for value in said[1:].split(",")]
    owner, x, y, health, fire, exposure, bribed = values + [0] * (7 - len(values))
    city.kind[b], city.owner[b], city.x[b], city.y[b] = KINDS[said[0]], owner, x, y
    city.health[b], city.fire[b], city.exposure[b], city.bribed[b] = health, fire, exposure, bool(bribed)
