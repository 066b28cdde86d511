"""Orders of units in savegames: a letter for each order, one for its direction, one for its activity."""

from typing import Any

from endturn.games.empires.freeciv.secfile import Value
from endturn.games.empires.rules.geometry import Geometry
from endturn.games.empires.rules.units import KEYPAD
from endturn.games.empires.state import Unit

MOVE, WAIT, ACT = "m", "w", "a"
NOTHING = "?"
LETTERS = {
    "Idle": "w", "Pollution": "p", "Mine": "m", "Irrigate": "i", "Fortified": "f", "Sentry": "s", "Pillage": "e",
    "Explore": "x", "Transform": "o", "Fortifying": "y", "Fallout": "u", "Base": "b", "Road": "R", "Convert": "c",
}  # fmt: skip
ACTIVITIES = {letter: activity for activity, letter in LETTERS.items()}
HEADINGS = {key: (east - 1, south - 1) for south, row in enumerate(KEYPAD) for east, key in enumerate(row)}


def written(geometry: Geometry, unit: Unit, longest: int) -> dict[str, Value]:
    """The columns of a unit's orders, with as many targets as the longest list of its owner's units."""
    tile, rows = unit.tile, []
    for order in unit.orders:
        if order["do"] == "go":
            east, south = geometry.vector(tile, order["tile"])
            tile = order["tile"]
            rows.append((MOVE, KEYPAD[south + 1][east + 1], NOTHING))
        elif order["do"] == "wait":
            rows.append((WAIT, NOTHING, NOTHING))
        else:
            rows.append((ACT, NOTHING, LETTERS[order["do"]]))
    kinds, headings, activities = ("".join(letters) for letters in zip(*rows, strict=True)) if rows else "---"
    targets = [int(order.get("target", -1)) for order in unit.orders] + [-1] * longest
    made: dict[str, Value] = {
        "orders_length": len(rows), "orders_index": 0, "orders_repeat": False,
        "orders_vigilant": any(order.get("vigilant") for order in unit.orders), "orders_list": kinds,
        "dir_list": headings, "activity_list": activities, "action_list": NOTHING * len(rows) or "-",
    }  # fmt: skip
    names = ["sub_tgt_vec", *(f"sub_tgt_vec,{place}" for place in range(1, longest))]
    return made | dict(zip(names, targets, strict=False))


def read(geometry: Geometry, row: dict[str, Value], tile: int, extras: list[int]) -> list[dict[str, Any]]:
    """The orders of a unit; empty if one of them is of a kind that our units do not know."""
    made: list[dict[str, Any]] = []
    kinds, headings, activities = (
        str(row.get(key, "")) for key in ("orders_list", "dir_list", "activity_list")
    )
    for place in range(int(row.get("orders_index", 0)), int(row.get("orders_length", 0))):
        order = _order(geometry, kinds[place].lower(), headings[place], activities[place], tile)
        if order is None:
            return []
        tile = order.get("tile", tile)
        target = int(row.get(f"sub_tgt_vec,{place}" if place else "sub_tgt_vec", -1))
        made.append(order | ({"target": extras[target]} if target >= 0 else {}) | _vigilance(row))
    return made


def _vigilance(row: dict[str, Value]) -> dict[str, bool]:
    return {"vigilant": True} if row.get("orders_vigilant") else {}


def _order(geometry: Geometry, kind: str, heading: str, activity: str, tile: int) -> dict[str, Any] | None:
    if kind == WAIT:
        return {"do": "wait"}
    if kind == ACT:
        return {"do": ACTIVITIES[activity]} if activity in ACTIVITIES else None
    if kind != MOVE or heading not in HEADINGS:
        return None
    x, y = geometry.to_map(tile % geometry.width, tile // geometry.width)
    beside = geometry.tile(x + HEADINGS[heading][0], y + HEADINGS[heading][1])
    return None if beside is None else {"do": "go", "tile": beside}
