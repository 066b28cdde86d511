"""`endturn games` and `endturn rules`: lists the games, and prints their rules and settings."""

from importlib import resources
from typing import Any

import msgspec
from rich.markup import escape

from endturn.bots import bots_of
from endturn.cli.terminal import Mistake, command_line, grid, next_steps, say, say_json, screen
from endturn.engine import views
from endturn.engine.game import Game
from endturn.engine.settings import describe_settings, settings_to_json
from endturn.games import GAMES, find, offering


def games(as_json: bool) -> None:
    """List the games."""
    found = [find(name) for name in GAMES]
    if as_json:
        say_json([_facts(game) for game in found])
        return
    rows = [(f"[bold]{game.name}[/]", escape(game.title), _about(game)) for game in found]
    screen().print(grid("game", "title", "about", rows=rows))
    say()
    first = found[0]
    next_steps(command_line("rules", first.name), _example(first, "--watch"))


def _about(game: Game) -> str:
    lists = {"seats": game.seats, "profiles": game.profiles, "bots": bots_of(game)}
    lines = [f"[dim]{name:<8}[/] {escape(', '.join(entries))}" for name, entries in lists.items()]
    return "\n".join([escape(game.summary), *lines])


def _facts(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "version": game.version,
        "seats": game.seats,
        "profiles": list(game.profiles),
        "bots": list(bots_of(game)),
    }


def _example(game: Game, *options: str) -> str:
    """A command that plays the game, with its strongest bots first and the random bot last."""
    others = list(game.bots) or ["random"]
    bots = [others[seat % len(others)] for seat in range(game.seat_count - 1)]
    return command_line("play", game.name, *bots, "random", *options)


def rules(name: str, as_json: bool) -> None:
    """Print a game's rules and settings."""
    game = find(name)
    if as_json:
        say_json({**_facts(game), "profiles": game.profiles, "settings": _settings(game)})
        return
    _print_rules(resources.files(GAMES[name]).joinpath("README.md").read_text(encoding="utf-8"))
    if _settings(game):
        _print_settings(game)
    next_steps(_example(game, "--watch"), command_line("play", "--help"))


def _print_settings(game: Game) -> None:
    say(f"\n[bold]Settings of {escape(game.title)}[/]\n")
    rows = [
        (each["name"], _word(each["default"]), f"{escape(each['help'])} [dim]({each['choices']})[/]")
        for each in _settings(game)
    ]
    screen().print(grid("setting", "default", "meaning", rows=rows))
    say()
    chosen = [
        (name, " ".join(f"{setting}={_word(value)}" for setting, value in values.items()) or "the defaults")
        for name, values in game.profiles.items()
    ]
    screen().print(grid("profile", "settings", rows=chosen))
    say()


def _print_rules(text: str) -> None:
    if not screen().is_terminal:
        say(escape(text))
        return
    from rich.markdown import Markdown  # noqa: PLC0415  (slow to import, and pipes do not need it)

    screen().print(Markdown(text))


def _settings(game: Game) -> list[dict[str, Any]]:
    """Every setting, with its default as a JSON value."""
    defaults = settings_to_json(game.settings())
    return [{**s._asdict(), "default": defaults[s.name]} for s in describe_settings(game.settings)]


def _word(value: object) -> str:
    """A value as the user would type it after `--set name=`."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def schema(name: str) -> None:
    """Print the JSON schema of a game's views."""
    say_json(views.schema(find(name).knowledge.view))


def turn_change(name: str, as_json: bool) -> None:
    """List the steps of a game's turn change in order."""
    game = find(name)
    if game.turn_steps is None:
        raise Mistake(
            f"{game.title} has no turn change to list. Games that have one: {offering('turn_steps')}."
        )
    stages = game.turn_steps()
    if as_json:
        say_json([{"stage": stage, "steps": [s._asdict() for s in steps]} for stage, steps in stages.items()])
        return
    for stage, steps in stages.items():
        say(f"\n[bold]{stage}[/]")
        for step in steps:
            number, note = step.id and f"{step.id}  ", step.note and f" [dim]{step.note}[/]"
            say(f"  {'    ' * step.depth}{number}{step.text}{note}")
