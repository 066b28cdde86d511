"""A position of Anarchy as one line of text, both ways.

    anarchy 12 seat 0 bribes 7,10 bonus 0,1 wind 12,13 hq 4,44 end 0,0,-1 set max_turns=40 max_fire=9
    | w0,3,4,100,0,12,1 f1,5,6,80,2 ... | N3 N3 E4 W4 ...

Buildings: kind letter, owner, then x, y, health, fire, exposure, bribed, the last ones left out where they
are 0. Forecasts: direction letter and intensity. Only settings that differ from the defaults are written.
"""

from typing import Any

from endturn.engine.game import settings_from, settings_to_json
from endturn.games.anarchy.setup import empty_city, join_neighbours
from endturn.games.anarchy.state import City, Direction, Ending, Kind, Settings
from endturn.games.anarchy.view import LETTERS

KINDS = {letter: kind for kind, letter in LETTERS.items()}
DIRECTIONS = {direction.name[0]: direction for direction in Direction}


def write(city: City) -> str:
    """The position as text."""
    head = (
        f"anarchy {city.turn} seat {city.seat} bribes {_pair(city.bribes)} bonus {_pair(city.bonus)} "
        f"wind {city.current_forecast},{city.next_forecast} hq {_pair(city.headquarters)} "
        f"end {city.ended + 0},{city.decided + 0},{city.winner}"
    )
    chosen = " ".join(f"{name}={value}" for name, value in _changed_settings(city).items())
    buildings = " ".join(_building(city, b) for b in range(city.building_count))
    forecasts = " ".join(_forecast(city, f) for f in range(city.forecast_count))
    return f"{head} set {chosen} | {buildings} | {forecasts}".replace("set  |", "set |")


def _pair(values: Any) -> str:
    return f"{values[0]},{values[1]}"


def settings_of(city: City) -> Settings:
    """The settings that a state carries."""
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
    """The position that a text describes; ValueError says what cannot be read."""
    try:
        head, buildings, forecasts = (part.split() for part in text.split("|"))
        return _read(head, buildings, forecasts)
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"not a position of Anarchy: {error}") from None


def _read(head: list[str], buildings: list[str], forecasts: list[str]) -> City:
    name, turn, _, seat, _, bribes, _, bonus, _, wind, _, headquarters, _, end, _, *chosen = head
    if name != "anarchy":
        raise ValueError(f"it begins with {name!r}, not with 'anarchy'")
    settings = settings_from(Settings, dict(part.split("=", 1) for part in chosen), "Anarchy")
    assert isinstance(settings, Settings)
    city = empty_city(settings, len(buildings))
    city.turn, city.seat = int(turn), int(seat)
    for column, said in ((city.bribes, bribes), (city.bonus, bonus), (city.headquarters, headquarters)):
        column[0], column[1] = (int(value) for value in said.split(","))
    city.current_forecast, city.next_forecast = (int(value) for value in wind.split(","))
    ended, decided, city.winner = (int(value) for value in end.split(","))
    city.ended, city.decided = Ending(ended), type(city.decided)(decided)
    for b, said in enumerate(buildings):
        _read_building(city, b, said)
    for f, said in enumerate(forecasts):
        city.direction[f], city.intensity[f] = DIRECTIONS[said[0]], int(said[1:])
    join_neighbours(city)
    return city


def _read_building(city: City, b: int, said: str) -> None:
    values = [int(value) for value in said[1:].split(",")]
    owner, x, y, health, fire, exposure, bribed = values + [0] * (7 - len(values))
    city.kind[b], city.owner[b], city.x[b], city.y[b] = KINDS[said[0]], owner, x, y
    city.health[b], city.fire[b], city.exposure[b], city.bribed[b] = health, fire, exposure, bool(bribed)
