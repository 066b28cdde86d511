"""`endturn map`: check a map that you drew, and read one for a match."""

from pathlib import Path
from typing import Any

from endturn.cli.terminal import Mistake, command_line, grid, next_steps, say, say_json, screen
from endturn.engine.game import Game
from endturn.engine.parts import BadMap, Maps
from endturn.games import find, offering

LARGEST = 1 << 16  # bytes of a file


def check(name: str, file: Path | None, as_json: bool) -> None:
    """Describe a map and say what it lacks. Without a file, print an example."""
    game = find(name)
    maps = _maps_of(game)
    if file is None:
        print(maps.example(), end="")
        return
    try:
        report = maps.check(_text(file))
    except BadMap as error:
        raise Mistake(f"{file}: {error}") from None
    if as_json:
        say_json(report.facts)
        return
    screen().print(grid("", "", rows=report.rows))
    for fault in report.faults or ["The map has everything that a generated map has."]:
        say(fault[0].upper() + fault[1:])
    bot = next(iter(game.bots), "random")
    next_steps(command_line("play", game.name, bot, "random", "--map", file, "--watch"))


def chosen(game: Game, file: Path) -> dict[str, Any]:
    """The settings of a match on the map in a file."""
    try:
        return _maps_of(game).settings(_text(file))
    except BadMap as error:
        raise Mistake(f"{file}: {error}") from None


def _maps_of(game: Game) -> Maps:
    if game.maps is None:
        raise Mistake(f"{game.title} cannot be played on your own maps. Games that can: {offering('maps')}.")
    return game.maps


def _text(file: Path) -> str:
    if file.is_file() and file.stat().st_size > LARGEST:
        raise Mistake(f"{file} is larger than the map limit of {LARGEST} bytes.")
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Mistake(f"{file} is not valid UTF-8 text.") from None
