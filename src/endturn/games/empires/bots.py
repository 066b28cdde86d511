"""Bots for Empires."""

from typing import Any

from endturn.bots.player import Seen
from endturn.engine.actions import Action
from endturn.games.empires.actions import (
    Aim,
    Build,
    Found,
    Go,
    PhaseDone,
    Revolt,
    SetRates,
    Task,
    Work,
)

# --- the steward

ROOM = 3  # least number of steps between cities
MOST_CITIES = 8
WORTH = {".": 6, "w": 4, "^": 2, "f": 2, ":": 1, "~": 4, "=": 1}  # of terrain near a new city
STUDIES = (
    "Reckoning", "Letters", "Fire", "Masonwork", "Healing", "Assembly", "Philosophy", "Ropework", "Seafaring",
    "Smelting", "Steam", "Flight", "Splitting", "Starlore",
)  # fmt: skip
POOR, RICH = 30, 120
FOUNDER = "Pioneer"
WONDERS = "Star Dial", "Great Stair", "Hall of Voices", "Far Glass"
TASKS = {"Mason": Task.AUTO, "Scout": Task.EXPLORE}


class Steward:
    """Founds cities on good land, lets the advisor choose buildings, studies, and keeps some gold."""

    def __init__(self, seed: int) -> None:
        self.turn = -1
        self.tried: set[tuple[Any, ...]] = set()  # in the current turn

    def act(self, seen: Seen) -> Action:
        """The first useful action that was not tried this turn."""
        view = seen.view
        if view["turn"] != self.turn:
            self.turn, self.tried = view["turn"], set()
        for action in (*self.policy(view), *self.orders(view), *self.works(view)):
            key = (type(action), *(getattr(action, name) for name in action.__struct_fields__))
            if key not in self.tried:
                self.tried.add(key)
                return action
        return PhaseDone()

    def policy(self, view: dict[str, Any]) -> list[Action]:
        """Choose the research goal, rates and government."""
        me, names = view["me"], view["rules"]["techs"]
        made: list[Action] = []
        unknown = [tech for tech in STUDIES if tech not in me["techs"] and tech in names]
        if unknown and me["goal"] != unknown[0]:
            made.append(Aim(names.index(unknown[0])))
        tax = 70 if me["gold"] < POOR else 20 if me["gold"] > RICH else 40
        luxury = 10 if any(city.get("disorder") for city in view["cities"]) else 0
        if (me["tax"], me["luxury"]) != (tax, luxury):
            made.append(SetRates(tax, luxury, 100 - tax - luxury))
        if not me["revolution"] and me["government"] == "chiefdom" and "Masonwork" in me["techs"]:
            made.append(Revolt(view["rules"]["governments"].index("crown")))
        return made

    def orders(self, view: dict[str, Any]) -> list[Action]:
        """Give orders to idle units."""
        made: list[Action] = []
        for unit in own(view, "units"):
            is_free = unit["activity"] == "idle" and not unit["auto"] and unit["bound_for"] is None
            if unit["kind"] == FOUNDER:
                made += self.settle(view, unit) if unit["moves"] > 0 else []
            elif is_free:
                made.append(Work(unit["id"], TASKS.get(unit["kind"], Task.FORTIFY)))
        return made

    def settle(self, view: dict[str, Any], unit: dict[str, Any]) -> list[Action]:
        """Found a city here if no place near is better, or else go to the best one."""
        sites = sorted(good_sites(view, unit), reverse=True)[:3]
        if not sites:
            return [Work(unit["id"], Task.SENTRY)] if unit["activity"] == "idle" else []
        if sites[0][1] == unit["tile"]:
            return [Found(unit["id"])]
        if unit["bound_for"] is not None:
            return []
        return [Found(unit["id"]) if tile == unit["tile"] else Go(unit["id"], tile) for _, tile in sites]

    def works(self, view: dict[str, Any]) -> list[Action]:
        """Build founders while there is room for cities, and wonders when nothing else is left."""
        items, mine = view["rules"]["items"], own(view, "cities")
        founders = sum(unit["kind"] == FOUNDER for unit in own(view, "units"))
        founders += sum(city["making"] == FOUNDER for city in mine)
        made: list[Action] = []
        for city in mine:
            offers = {items[number]: number for number in city["can_build"]}
            if len(mine) + founders < MOST_CITIES and city["size"] > 1 and city["making"] != FOUNDER:
                founders += 1
                made.append(Build(city["id"], offers.get(FOUNDER, 0)))
            elif city["making"] == "Coins":
                made += [Build(city["id"], offers[name]) for name in WONDERS if name in offers][:1]
        return made


def own(view: dict[str, Any], what: str) -> list[dict[str, Any]]:
    """The player's own cities or units."""
    return [each for each in view[what] if each["owner"] == view["me"]["seat"]]


def good_sites(view: dict[str, Any], unit: dict[str, Any]) -> list[tuple[int, int]]:
    """Known land for a city within reach of a founder, each with its worth; closer is better."""
    found = []
    for tile in range(view["width"] * view["height"]):
        y, x = divmod(tile, view["width"])
        away = apart(view, (x, y), (unit["x"], unit["y"]))
        if away > 8 or view["terrain"][y][x] not in ".w:" or not is_free_land(view, x, y):
            continue
        near = [(x + dx, y + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
        worth = sum(WORTH.get(sign(view, *place), 0) for place in near)
        found.append((worth + 6 * (view["terrain"][y][x] == ".") - 6 * away, tile))
    return found


def is_free_land(view: dict[str, Any], x: int, y: int) -> bool:
    """Whether no city is near and no other nation owns the land."""
    owner = view["borders"][y][x]
    if owner not in ("-", str(view["me"]["seat"])):
        return False
    return all(apart(view, (x, y), (city["x"], city["y"])) >= ROOM for city in view["cities"])


def apart(view: dict[str, Any], one: tuple[int, int], other: tuple[int, int]) -> int:
    """Steps between two places; on hexagons it may be a few more."""
    across = abs(one[0] - other[0])
    if view["round"]:
        across = min(across, view["width"] - across)
    return max(across, abs(one[1] - other[1]))


def sign(view: dict[str, Any], x: int, y: int) -> str:
    """The letter of the terrain at a place; a blank outside the map."""
    if view["round"]:
        x %= view["width"]
    inside = 0 <= x < view["width"] and 0 <= y < view["height"]
    return str(view["terrain"][y][x]) if inside else " "
