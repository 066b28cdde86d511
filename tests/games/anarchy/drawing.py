"""Draws cities for tests and plays in them; every change goes through `Match.submit`.

    h w*5 .         Red's headquarters, Red's warehouse with a fire of 5, an empty cell
    H F:40 P+S!     Blue's headquarters, fire department with 40 health; two on a cell, the station bribed
    W@12            Blue's warehouse with an exposure of 12

The drawing begins at (0, 0). Buildings are numbered in reading order. A headquarters that is not drawn stands in the
south-western (Red) or south-eastern corner (Blue) and comes last.
"""

import re
from collections.abc import Iterator
from typing import Any

from endturn.engine.match import Match
from endturn.games.anarchy import game
from endturn.games.anarchy.notation import settings_of
from endturn.games.anarchy.state import City, Settings

BUILDING = re.compile(r"([wfpsh])(?::(\d+))?(?:\*(\d+))?(?:@(\d+))?(!)?", re.IGNORECASE)


def draw(
    drawing: str,
    wind: str = "",
    *,
    turn: int = 0,
    bribes: str = "10,10",
    bonus: str = "0,0",
    **settings: Any,
) -> City:
    """Return the city of a drawing; `wind` lists the forecasts from turn 0, and missing ones are calm."""
    chosen = game.configure(values=settings)
    rows = enumerate(drawing.strip().splitlines())
    cells = [(x, y, cell) for y, row in rows for x, cell in enumerate(row.split()) if cell != "."]
    drawn = [(x, y, building) for x, y, cell in cells for building in cell.split("+")]
    drawn += _corners(chosen, {building[0] for _, _, building in drawn})
    letters = [building[0] for _, _, building in drawn]
    after = turn + 1 if turn + 1 < chosen.max_turns else -1
    head = f"anarchy {turn} seat {turn % 2} bribes {bribes} bonus {bonus} wind {turn},{after}"
    said = " ".join(f"{name}={value}" for name, value in settings.items())
    buildings = " ".join(_notation(*building, chosen) for building in drawn)
    hq = f"hq {letters.index('h')},{letters.index('H')}"
    forecasts = wind.split() + ["N0"] * (chosen.max_turns + chosen.max_turns % 2)
    winds = " ".join(forecasts[: chosen.max_turns + chosen.max_turns % 2])
    state: City = game.parse_position(f"{head} {hq} end 0,0,-1 set {said} | {buildings} | {winds}")
    return state


def _corners(settings: Settings, drawn: set[str]) -> Iterator[tuple[int, int, str]]:
    for letter, x in ("h", 0), ("H", settings.map_width - 1):
        if letter not in drawn:
            yield x, settings.map_height - 1, letter


def _notation(x: int, y: int, said: str, settings: Settings) -> str:
    matched = BUILDING.fullmatch(said)
    assert matched, f"not a building in a drawing: {said!r}"
    letter, health, fire, exposure, bribed = matched.groups()
    full = settings.building_health * (settings.headquarters_factor if letter in "hH" else 1)
    kind, owner = letter.lower().replace("h", "w"), int(letter.isupper())
    return f"{kind}{owner},{x},{y},{health or full},{fire or 0},{exposure or 0},{int(bool(bribed))}"


def begin(drawing: str, wind: str = "", *, seed: int = 0, **situation: Any) -> Match:
    """Return a match that starts with this city."""
    state = draw(drawing, wind, **situation)
    return Match(game, settings_of(state), seed=seed, start=state)


def fires(match: Match, count: int) -> list[int]:
    """Return the fires of the first buildings."""
    return list(match.state.fire[:count])


def healths(match: Match, count: int) -> list[int]:
    """Return the health of the first buildings."""
    return list(match.state.health[:count])
