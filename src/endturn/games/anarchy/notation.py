"""A position of Anarchy as one line of text, both ways.

    anarchy 12 seat 0 bribes 7,10 bonus 0,1 wind 12,13 hq 4,44 end 0,0,-1 set max_turns=40 max_fire=9
    | w0,3,4,100,0,12,1 f1,5,6,80,2 ... | N3 N3 E4 W4 ...

Buildings: kind letter, owner, then x, y, health, fire, exposure, bribed, the last ones left out where they
are 0. Forecasts: direction letter and intensity; those left out at the end are calm. Only settings that differ
from the defaults are written. Where there is rain (the setting `rain`) a fourth part has the sky: whether the wind
blew last turn, cells with rain and with storms.

At the end: the same position as the original servers and their clients write it, the Cadre wire.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from endturn.engine.dice import MASK
from endturn.engine.game import Action, settings_from, settings_to_json
from endturn.games.anarchy.actions import EndTurn, Extinguish, Ignite, Intensify, KeepTurn, Raid, Rotate
from endturn.games.anarchy.rules import distance, is_headquarters
from endturn.games.anarchy.setup import empty_city, join_neighbours
from endturn.games.anarchy.state import NONE, STORM_MONTHS, City, Decision, Ending, Kind, Settings
from endturn.games.anarchy.view import LETTERS
from endturn.mechanisms.cadre import (
    Argument,
    Cadre,
    Column,
    Era,
    Function,
    News,
    Run,
    Since,
    Verdict,
    Wire,
    id_of,
    ids_from,
    left,
    reference,
)
from endturn.mechanisms.grid import Direction
from endturn.mechanisms.weather import is_in, put_in

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
    sky = f" | {_sky(city)}" if city.settings.rain else ""
    return f"{head} set {chosen} | {buildings} | {forecasts}{sky}".replace("set  |", "set |")


def _sky(city: City) -> str:
    """Cells with rain, and with a storm and how long it lasts: `r12 r13 s40:1`."""
    rains = [f"r{cell}" for cell in range(len(city.storm_months)) if is_in(city.rain, cell)]
    storms = [f"s{cell}:{months}" for cell, months in enumerate(city.storm_months) if months]
    wind = "wind" if any(city.windy) else "calm"
    return " ".join([wind, *rains, *storms])


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
        parts = [part.split() for part in text.split("|")]
        if len(parts) < 3:
            raise ValueError("it has three parts or more, joined by |")
        head, buildings, forecasts, *sky = parts
        city = _read(head, buildings, forecasts)
        _read_sky(city, sky)
        return city
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
    city.ended, city.decided = Ending(ended), Decision(decided)
    for b, said in enumerate(buildings):
        _read_building(city, b, said)
    if len(forecasts) > city.forecast_count:
        raise ValueError(
            f"it has {len(forecasts)} forecasts, and {settings.max_turns} turns have {city.forecast_count}"
        )
    for f, said in enumerate(forecasts):
        city.direction[f], city.intensity[f] = DIRECTIONS[said[0]], int(said[1:])
    for lie in _lies(city):
        raise ValueError(lie)
    join_neighbours(city)
    return city


def _read_sky(city: City, sky: list[list[str]]) -> None:
    if len(sky) != (1 if city.settings.rain else 0):
        raise ValueError("the sky is written where there is rain, once, and nowhere else")
    cells = city.settings.map_width * city.settings.map_height
    for wind, *units in sky:
        if wind not in ("wind", "calm"):
            raise ValueError(f"the sky begins with 'wind' or 'calm', not with {wind!r}")
        for block in range(len(city.windy)):
            city.windy[block] = MASK if wind == "wind" else 0
        for said in units:
            where, _, months = said[1:].partition(":")
            if (
                said[0] not in "rs"
                or not 0 <= int(where) < cells
                or not 1 <= int(months or 1) <= STORM_MONTHS
            ):
                raise ValueError(f"{said!r} is no rain or storm over one of {cells} cells")
            put_in(city.rain if said[0] == "r" else city.storm, int(where), True)
            if said[0] == "s":
                city.storm_months[int(where)] = int(months or 1)


def _lies(city: City) -> Iterator[str]:
    """What cannot be: rules would look things up where there is nothing, or count beyond what fits."""
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
            f"{name} is {value}, not from {low} to {high}" for value in values if not low <= value <= high
        )
    for seat in range(2):
        if city.owner[city.headquarters[seat]] != seat:
            yield f"building #{city.headquarters[seat]}, the headquarters of seat {seat}, is not its own"


def _read_building(city: City, b: int, said: str) -> None:
    values = [int(value) for value in said[1:].split(",")]
    owner, x, y, health, fire, exposure, bribed = values + [0] * (7 - len(values))
    city.kind[b], city.owner[b], city.x[b], city.y[b] = KINDS[said[0]], owner, x, y
    city.health[b], city.fire[b], city.exposure[b], city.bribed[b] = health, fire, exposure, bool(bribed)


# --- on the Cadre wire --------------------------------------------------------------------------------------
# Objects are numbered: the two players, then the buildings, then the forecasts.

PLAYERS = 2
CLASSES = "Warehouse", "FireDepartment", "PoliceDepartment", "WeatherStation"  # by kind
LISTS = "warehouses", "fireDepartments", "policeDepartments", "weatherStations"
WINDS = "North", "East", "South", "West"  # by direction

CADRE_SETTINGS = {
    "baseBribesPerTurn": "base_bribes",
    "buildingStartingHealth": "building_health",
    "exposurePerTurnReduction": "exposure_fade",
    "firePerTurnReduction": "fire_fade",
    "headquartersHealthScalar": "headquarters_factor",
    "mapHeight": "map_height",
    "mapWidth": "map_width",
    "maxFire": "max_fire",
    "maxForecastIntensity": "max_intensity",
    "maxTurns": "max_turns",
}


def read_wire(first: Wire, settings: Settings) -> City:
    """The state that a complete first state of the original server describes."""
    buildings, forecasts = first["buildings"], first["forecasts"]
    ahead = PLAYERS + len(buildings)
    if buildings + forecasts != [reference(PLAYERS + i) for i in range(len(buildings + forecasts))]:
        raise ValueError("buildings and forecasts are not numbered one after the other")
    city = empty_city(settings, len(buildings))
    if len(forecasts) != city.forecast_count:
        raise ValueError(f"{len(forecasts)} forecasts are not one for each of {settings.max_turns} turns")
    objects = first["gameObjects"]
    city.turn, city.seat = first["currentTurn"], int(first["currentPlayer"]["id"])
    for seat in range(PLAYERS):
        city.bribes[seat] = objects[str(seat)]["bribesRemaining"]
        city.headquarters[seat] = int(objects[str(seat)]["headquarters"]["id"]) - PLAYERS
    for b in range(len(buildings)):
        _read_wire_building(city, b, objects[str(PLAYERS + b)])
    for f in range(len(forecasts)):
        said = objects[str(ahead + f)]
        city.direction[f], city.intensity[f] = Direction[said["direction"].upper()], said["intensity"]
    city.current_forecast, city.next_forecast = (
        NONE if first[name] is None else int(first[name]["id"]) - ahead
        for name in ("currentForecast", "nextForecast")
    )
    _check_wire(city)
    join_neighbours(city)
    return city


def _check_wire(city: City) -> None:
    """Rules look things up by these numbers; a damaged file may have any."""
    seats = [city.seat, *city.owner[: city.building_count]]
    winds = [city.current_forecast, city.next_forecast]
    if not all(seat in (0, 1) for seat in seats):
        raise ValueError("a player is neither 0 nor 1")
    if not all(0 <= b < city.building_count and city.owner[b] == s for s, b in enumerate(city.headquarters)):
        raise ValueError("a headquarters is no building of its player")
    if city.current_forecast == NONE or not all(NONE <= f < city.forecast_count for f in winds):
        raise ValueError("there is no such forecast")


def _read_wire_building(city: City, b: int, said: Wire) -> None:
    city.kind[b], city.owner[b] = Kind(CLASSES.index(said["gameObjectName"])), int(said["owner"]["id"])
    city.x[b], city.y[b], city.health[b] = said["x"], said["y"], said["health"]
    city.fire[b], city.exposure[b], city.bribed[b] = said["fire"], said.get("exposure", 0), said["bribed"]


def write_wire(city: City, era: Era) -> Wire:
    """The state as the original server showed it."""
    ahead = PLAYERS + city.building_count
    objects = {id_of(seat): _wire_player(city, seat) for seat in range(PLAYERS)}
    objects |= {id_of(PLAYERS + b): _wire_building(city, b) for b in range(city.building_count)}
    objects |= {id_of(ahead + f): _wire_forecast(city, f, ahead, era) for f in range(city.forecast_count)}
    said = {name: getattr(city.settings, CADRE_SETTINGS[name]) for name in SHOWN_SETTINGS}
    return {
        **said,
        "buildings": [reference(PLAYERS + b) for b in range(city.building_count)],
        "forecasts": [reference(ahead + f) for f in range(city.forecast_count)],
        "gameObjects": objects,
        **_wire_turn(city, era),
    }


def _wire_turn(city: City, era: Era) -> Wire:
    ahead = PLAYERS + city.building_count
    # In 2017 the turn passed on even when a headquarters had just burned; only the turn limit stopped it.
    passed = era == "2017" and city.ended in (Ending.HEADQUARTERS_BURNED, Ending.BOTH_HEADQUARTERS_BURNED)
    return {
        "currentForecast": _wire_reference(city.current_forecast, ahead),
        "currentPlayer": reference(1 - city.seat if passed else city.seat),
        "currentTurn": city.turn + passed,
        "nextForecast": _wire_reference(city.next_forecast, ahead),
    }


SHOWN_SETTINGS = "baseBribesPerTurn", "mapHeight", "mapWidth", "maxFire", "maxForecastIntensity", "maxTurns"


def _wire_reference(index: int, first: int) -> Wire | None:
    return None if index == NONE else reference(first + index)


def _wire_player(city: City, seat: int) -> Wire:
    own = [b for b in range(city.building_count) if city.owner[b] == seat]
    lists = {name: [reference(PLAYERS + b) for b in own if city.kind[b] == k] for k, name in enumerate(LISTS)}
    return {
        "bribesRemaining": city.bribes[seat],
        "buildings": [reference(PLAYERS + b) for b in own],
        "headquarters": reference(PLAYERS + city.headquarters[seat]),
        **lists,
    }


def _wire_building(city: City, b: int) -> Wire:
    north, east, south, west = (_wire_reference(column[b], PLAYERS) for column in city.neighbour)
    return {
        **_wire_ability(city, b),
        "bribed": bool(city.bribed[b]),
        "buildingEast": east,
        "buildingNorth": north,
        "buildingSouth": south,
        "buildingWest": west,
        "fire": city.fire[b],
        "health": city.health[b],
        "isHeadquarters": is_headquarters(city, b),
        "owner": reference(city.owner[b]),
        "x": city.x[b],
        "y": city.y[b],
        "gameObjectName": CLASSES[city.kind[b]],
        "id": id_of(PLAYERS + b),
    }


def _wire_ability(city: City, b: int) -> Wire:
    if city.kind[b] == Kind.WAREHOUSE:
        chosen = city.settings.max_fire if is_headquarters(city, b) else city.settings.warehouse_fire
        return {"exposure": city.exposure[b], "fireAdded": chosen}
    if city.kind[b] == Kind.FIRE_DEPARTMENT:
        return {"fireExtinguished": city.settings.extinguish_removes}
    return {}


def _wire_forecast(city: City, f: int, ahead: int, era: Era) -> Wire:
    direction = WINDS[city.direction[f]]
    return {
        "controllingPlayer": reference(f % 2),
        "direction": direction.lower() if era == "2017" else direction,
        "intensity": city.intensity[f],
        "gameObjectName": "Forecast",
        "id": id_of(ahead + f),
    }


COLUMNS = {
    "bribes": Column("bribesRemaining", 0),
    "health": Column("health", PLAYERS),
    "exposure": Column("exposure", PLAYERS),
    "fire": Column("fire", PLAYERS),
    "bribed": Column("bribed", PLAYERS, is_flag=True),
}
TURN_COLUMNS = {"turn", "seat", "current_forecast", "next_forecast", "ended"}


def news(city: City, era: Era, shown: Wire, since: Since) -> list[News]:
    """What may differ beside those columns; all else of a city stays as it was built."""
    made: list[News] = []
    dirty = since.dirty
    assert dirty is not None
    if "direction" in dirty or "intensity" in dirty:
        ahead = PLAYERS + city.building_count
        for f in {*dirty.get("direction", ()), *dirty.get("intensity", ())}:
            made += [(id_of(ahead + f), name, v) for name, v in _wire_forecast(city, f, ahead, era).items()]
    if not TURN_COLUMNS.isdisjoint(dirty):
        made += [(None, name, value) for name, value in _wire_turn(city, era).items()]
    return made


DECIDED = {
    Decision.HEADQUARTERS_DAMAGE: (
        "Your headquarters had the most health remaining.",
        "Your headquarters had less health remaining than another player.",
    ),
    Decision.BUILDINGS_STANDING: (
        "You had the most buildings not burned down.",
        "You had more buildings burned down than another player.",
    ),
    Decision.HEALTH_SUM: (
        "You had the highest health sum among your Buildings.",
        "You had a lower health sum than the other player.",
    ),
}


def verdict(city: City, era: Era) -> Verdict | None:
    """Who won and why, in the words of the original server."""
    if city.ended == Ending.GOING_ON:
        return None
    if city.decided == Decision.OPPONENT_LEFT:
        return left(era, city.winner, city.ended == Ending.TIMED_OUT)
    if city.decided == Decision.HEADQUARTERS_FALL:
        won, lost = "Reduced health of enemy's headquarters to zero.", "Headquarters reached zero health."
        return Verdict(city.winner, won, lost)
    prefix = "Both headquarters reached zero health on the same turn"
    if city.ended == Ending.TURN_LIMIT:
        prefix = f"Max turns reached ({city.settings.max_turns})"
    if city.decided == Decision.COIN:
        prefix = "Draw" if era == "2017" else f"{prefix}, Identical AIs played the game"
        return Verdict(city.winner, f"{prefix} - Won via coin flip.", f"{prefix} - Lost via coin flip.", True)
    glue = ": " if era == "2017" else " - "
    won, lost = DECIDED[Decision(city.decided)]
    lost = lost.replace("the other", "another") if era == "2017" else lost
    return Verdict(city.winner, prefix + glue + won, prefix + glue + lost)


def _function(
    action: Callable[..., Action], argument: Argument, returns: Callable[..., Any], refused: Any = False
) -> Function:
    """A function of a building; an argument that is a building becomes its number."""

    def made(city: City, caller: str, value: Any) -> Action:
        return action(int(caller) - PLAYERS, int(value) - PLAYERS if isinstance(value, str) else value)

    return Function((argument,), made, returns, refused)


def _ignited(city: City, action: Ignite, era: Era) -> int:
    return distance(city, action.warehouse, action.building)


def _raided(city: City, action: Raid, era: Era) -> int:
    return 0 if era == "2017" else min(city.health[action.warehouse], city.exposure[action.warehouse])


def _done(city: City, action: Action, era: Era) -> bool:
    return True


def run_of(city: City, objects: Mapping[str, Wire], action: Action) -> Run:
    """An action as a client would run it."""
    building, value = msgspec.structs.astuple(action)
    name = type(action).__name__.lower()
    argument = CADRE.functions[CLASSES[city.kind[building]], name].arguments[0]
    said = value if argument.kind == "boolean" else reference(PLAYERS + value)
    return Run(reference(PLAYERS + building), name, {argument.name: said})


def called(city: City, objects: Mapping[str, Wire]) -> Callable[[int], str]:
    """What gives the id of a building."""
    return ids_from(PLAYERS, city.building_count).__getitem__


BUILDING = Argument("building", "Building")
COUNTERCLOCKWISE, NEGATIVE = (Argument(name, "boolean", False) for name in ("counterclockwise", "negative"))

CADRE = Cadre(
    name="Anarchy",
    aliases=("MegaMinerAI-16-Anarchy",),
    version="2bc66f9a5d7babd553079e149c7466feb6f553935b608ff722872e195fbadab8",
    settings=CADRE_SETTINGS,
    parents=dict.fromkeys(CLASSES, "Building"),
    functions={
        ("Warehouse", "ignite"): _function(Ignite, BUILDING, _ignited, -1),
        ("FireDepartment", "extinguish"): _function(Extinguish, BUILDING, _done),
        ("PoliceDepartment", "raid"): _function(Raid, Argument("warehouse", "Warehouse"), _raided, -1),
        ("WeatherStation", "rotate"): _function(Rotate, COUNTERCLOCKWISE, _done),
        ("WeatherStation", "intensify"): _function(Intensify, NEGATIVE, _done),
    },
    read=read_wire,
    write=write_wire,
    verdict=verdict,
    end_turn=EndTurn(),
    again={"2022": KeepTurn()},
    columns=COLUMNS,
    news=news,
    run_of=run_of,
    called=called,
)
