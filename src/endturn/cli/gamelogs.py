"""`endturn verify` and `endturn show`: replay a gamelog, check it and show it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from endturn import archive
from endturn.cli.matches import facts, seated, tell_outcome, verdict
from endturn.cli.terminal import (
    Mistake,
    command_line,
    complain,
    next_steps,
    picture,
    quoted,
    say,
    say_json,
    screen,
)
from endturn.engine.match import Match, TurnBegan
from endturn.games import find


def verify(files: Sequence[Path], as_json: bool) -> None:
    """Replay and check gamelogs. Exits with code 2 if one is invalid."""
    found = [_verified(file, as_json) for file in files]
    good = [file for file, said in zip(files, found, strict=True) if said["ok"]]
    if as_json:
        say_json(found)
    else:
        if len(files) > 1:
            say(f"\n{len(good)} of {len(files)} gamelogs are valid.")
        elif good:
            say()
        next_steps(*(command_line("show", file) for file in good[:1]))
    if len(good) < len(files):
        raise typer.Exit(2)


def _verified(file: Path, as_json: bool) -> dict[str, Any]:
    try:
        match = archive.verify(file, find).match
    except (archive.BadFile, OSError) as error:
        if not as_json:
            complain(_sentence(error))
        return {
            "file": str(file),
            "ok": False,
            "line": getattr(error, "line", None),
            "reason": _sentence(error),
        }
    if not as_json:
        say(f"[green]ok[/]  {quoted(str(file))}: {_told(match)}")
    return {"file": str(file), "ok": True, **facts(match)}


def _sentence(error: archive.BadFile | OSError) -> str:
    return f"{error.filename}: {error.strerror}." if isinstance(error, OSError) else str(error)


def _told(match: Match) -> str:
    players = " vs ".join(seated(match, seat) for seat in range(match.game.seat_count))
    return f"{match.game.title}, {players}, {match.length()}, {verdict(match, match.outcome)}"


def show(file: Path, turn: int | None, as_json: bool) -> None:
    """Show the board at the end, or at the start of a turn."""
    match = _at(file, turn)
    if as_json:
        say_json(match.view())
        return
    say(f"{quoted(str(file))}: {_told(match)}" if turn is None else f"{quoted(str(file))}, turn {turn}")
    screen().print(picture(match.game.text.show(match.state)), crop=False)
    say()
    if turn is None and match.outcome is not None:
        tell_outcome(match, match.outcome)
    other = _turns(match)[-1] // 2 if turn is None else turn + 1
    next_steps(command_line("show", file, "--turn", other), command_line("verify", file))


def _at(file: Path, turn: int | None) -> Match:
    match = archive.replay(file, find, turn).match
    if turn is None or match.turn == turn:
        return match
    turns = _turns(archive.replay(file, find).match)
    raise Mistake(f"{file} has no turn {turn}. Its turns are {turns[0]} to {turns[-1]}.")


def _turns(match: Match) -> list[int]:
    return [entry.turn for entry in match.log if isinstance(entry, TurnBegan)]
