"""Anarchy's Cadre dialect.

Object numbers: the two players, then the buildings, then the forecasts.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from endturn.cadre.state import id_of, ids_from, reference, verdict_on_leaving
from endturn.cadre.table import Argument, Column, Dialect, Era, News, Run, Since, Verdict, Wire, WireFunction
from endturn.engine.actions import Action
from endturn.games.anarchy.actions import EndTurn, Extinguish, Ignite, Intensify, KeepTurn, Raid, Rotate
from endturn.games.anarchy.rules import distance, is_headquarters
from endturn.games.anarchy.setup import empty_city, join_neighbours
from endturn.games.anarchy.state import NONE, City, Decision, Ending, Kind, Settings
from endturn.mechanisms.grid import Direction

PLAYERS = 2
CLASSES = "Warehouse", "FireDepartment", "PoliceDepartment", "WeatherStation"  # by kind
LISTS = "warehouses", "fireDepartments", "policeDepartments", "weatherStations"
WINDS = "North", "East", "South", "West"  # by direction

SETTINGS = {  # by wire name
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
    """Our state, from the complete first state of an original server."""
    buildings, forecasts = first["buildings"], first["forecasts"]
    ahead = PLAYERS + len(buildings)
    if buildings + forecasts != [reference(PLAYERS + i) for i in range(len(buildings + forecasts))]:
        raise ValueError("buildings and forecasts are not numbered consecutively")
    city = empty_city(settings, len(buildings))
    if len(forecasts) != city.forecast_count:
        raise ValueError(f"{len(forecasts)} forecasts do not match {settings.max_turns} turns")
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
    """Refuse numbers from a damaged file that would make the rules look up nothing."""
    seats = [city.seat, *city.owner[: city.building_count]]
    winds = [city.current_forecast, city.next_forecast]
    if not all(seat in (0, 1) for seat in seats):
        raise ValueError("an owner or the current player is not 0 or 1")
    if not all(0 <= b < city.building_count and city.owner[b] == s for s, b in enumerate(city.headquarters)):
        raise ValueError("a headquarters does not belong to its player")
    if city.current_forecast == NONE or not all(NONE <= f < city.forecast_count for f in winds):
        raise ValueError("the current or next forecast does not exist")


def _read_wire_building(city: City, b: int, said: Wire) -> None:
    city.kind[b], city.owner[b] = Kind(CLASSES.index(said["gameObjectName"])), int(said["owner"]["id"])
    city.x[b], city.y[b], city.health[b] = said["x"], said["y"], said["health"]
    city.fire[b], city.exposure[b], city.bribed[b] = said["fire"], said.get("exposure", 0), said["bribed"]


def write_wire(city: City, era: Era) -> Wire:
    """The state as the original server would show it."""
    ahead = PLAYERS + city.building_count
    objects = {id_of(seat): _wire_player(city, seat) for seat in range(PLAYERS)}
    objects |= {id_of(PLAYERS + b): _wire_building(city, b) for b in range(city.building_count)}
    objects |= {id_of(ahead + f): _wire_forecast(city, f, ahead, era) for f in range(city.forecast_count)}
    said = {name: getattr(city.settings, SETTINGS[name]) for name in SHOWN_SETTINGS}
    return {
        **said,
        "buildings": [reference(PLAYERS + b) for b in range(city.building_count)],
        "forecasts": [reference(ahead + f) for f in range(city.forecast_count)],
        "gameObjects": objects,
        **_wire_turn(city, era),
    }


def _wire_turn(city: City, era: Era) -> Wire:
    ahead = PLAYERS + city.building_count
    # In 2017 the turn advanced even after a headquarters had burned; only the turn limit stopped it.
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
    """What may have changed besides those columns. The rest of a city never changes."""
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
        return verdict_on_leaving(era, city.winner, city.ended == Ending.TIMED_OUT)
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
) -> WireFunction:
    """A function of a building. Buildings among its arguments become our numbers."""

    def made(city: City, caller: str, value: Any) -> Action:
        return action(int(caller) - PLAYERS, int(value) - PLAYERS if isinstance(value, str) else value)

    return WireFunction((argument,), made, returns, refused)


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
    argument = DIALECT.functions[CLASSES[city.kind[building]], name].arguments[0]
    said = value if argument.kind == "boolean" else reference(PLAYERS + value)
    return Run(reference(PLAYERS + building), name, {argument.name: said})


def called(city: City, objects: Mapping[str, Wire]) -> Callable[[int], str]:
    """Gives the id of a building."""
    return ids_from(PLAYERS, city.building_count).__getitem__


BUILDING = Argument("building", "Building")
COUNTERCLOCKWISE, NEGATIVE = (Argument(name, "boolean", False) for name in ("counterclockwise", "negative"))

DIALECT = Dialect(
    name="Anarchy",
    aliases=("MegaMinerAI-16-Anarchy",),
    version="2bc66f9a5d7babd553079e149c7466feb6f553935b608ff722872e195fbadab8",
    settings=SETTINGS,
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
