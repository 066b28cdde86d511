"""`endturn map`: what a designer is told of a map, and reading one for a match."""

from pathlib import Path
from typing import Any

from endturn.cli.terminal import Mistake, command_line, grid, next_steps, say, say_json, screen
from endturn.engine.game import Game
from endturn.games.snowball.setup.maps import (
    MapError,
    Plan,
    faults,
    figures,
    frozen_ring,
    read_map,
    write_map,
)

LARGEST = 1 << 16  # bytes of a file


def check(game: str, file: Path | None, as_json: bool) -> None:
    """Say what is on a map, and what a good one has that it lacks; without a file print one to begin with."""
    if game != "snowball":
        raise Mistake(f"Only snowball is played on maps of one's own, and {game[:40]!r} is not snowball.")
    if file is None:
        print(write_map(frozen_ring()), end="")
        return
    plan = read(file)
    if as_json:
        say_json({**figures(plan)._asdict(), "faults": faults(plan)})
        return
    screen().print(grid("", "", rows=_rows(plan)))
    for fault in faults(plan) or ["It has all that a generated map has."]:
        say(fault[0].upper() + fault[1:])
    next_steps(command_line("play", game, "tactician", "random", "--map", file, "--watch"))


def read(file: Path) -> Plan:
    """The map that a file draws; Mistake names the file, and the line and column of what is wrong."""
    if file.is_file() and file.stat().st_size > LARGEST:
        raise Mistake(f"{file} is larger than {LARGEST} bytes, and no map is.")
    try:
        return read_map(file.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise Mistake(f"{file} is no text in UTF-8, and maps are texts.") from None
    except MapError as error:
        raise Mistake(f"{file}: {error}") from None


def chosen(game: Game, file: Path) -> dict[str, Any]:
    """The setting that has a match played on the map of a file."""
    if "map_text" not in game.settings.__struct_fields__:
        raise Mistake(f"--map is for games with a setting map_text, and {game.title} has none.")
    return {"map_text": "/".join(write_map(read(file)).split())}


def _rows(plan: Plan) -> list[tuple[str, str]]:
    told = figures(plan)
    tiles = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in told.tiles.items())
    starts = [
        f"{letter} at line {y + 1}, column {x + 1}, {snow} tiles of snow in its zone"
        for letter, (x, y), snow in zip("AB", told.starts, told.snow_in_zones, strict=True)
    ]
    return [
        ("size", f"{told.width} x {told.height}"),
        ("tiles", tiles),
        ("cover", f"{told.cover_percent:.1f} % of the tiles, {told.half_percent:.0f} % of it half"),
        ("after half a turn", "the same" if told.symmetric else "not the same"),
        *(("start", each) for each in starts),
        ("prizes", f"{told.prizes} tiles of snow beside full cover in the middle"),
    ]
