"""`endturn conform`: replay recordings of original servers and compare every state."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from endturn import archive
from endturn.cadre import DIALECTS
from endturn.cadre.conformance import ConformanceReport, total
from endturn.cadre.conformance import conform as compare
from endturn.cadre.gamelogs import BadCadreLog
from endturn.cli.terminal import (
    Mistake,
    command_line,
    complain,
    grid,
    next_steps,
    printable,
    say,
    say_json,
    screen,
)
from endturn.engine.game import Game
from endturn.engine.parts import Conform, Summary
from endturn.games import find, offering


def conform(name: str, files: Sequence[Path], refusals: bool, as_json: bool) -> None:
    """Compare a game with recordings of its original server. Exits with 1 if anything differs."""
    game = find(name)
    if game.conform is not None:
        if refusals:
            raise Mistake(f"Recordings of {game.title} contain no refused actions. Leave out --refusals.")
        _compare_with(game, game.conform, files, as_json)
    elif game.name in DIALECTS:
        _compare_gamelogs(game, files, refusals, as_json)
    else:
        others = ", ".join([*DIALECTS, offering("conform")])
        raise Mistake(f"{game.title} has no original server to compare with. Games that have one: {others}.")


def _compare_with(game: Game, conform: Conform, files: Sequence[Path], as_json: bool) -> None:
    """Let the game itself compare recordings."""
    compared = []
    for file in files:
        compared.append(conform.compare(file))
        if not as_json:
            for line in compared[-1].lines:
                say(escape(printable(line)))
    summary = conform.summary([report for each in compared for report in each.reports])
    if as_json:
        say_json(summary.facts)
    else:
        _print_summary(summary)
        next_steps(command_line("turn-change" if game.turn_steps else "rules", game.name))
    if not all(each.agrees for each in compared):
        raise typer.Exit(1)


def _print_summary(summary: Summary) -> None:
    numbers = {column for column in range(len(summary.headings)) if column > 1}
    say()
    screen().print(grid(*summary.headings, rows=summary.rows, numbers=numbers))
    for line in summary.lines:
        say(escape(line))


def _compare_gamelogs(game: Game, files: Sequence[Path], refusals: bool, as_json: bool) -> None:
    """Compare Cadre gamelogs. Exits with 2 if a file is not one."""
    found = [_compared(game, file, refusals, as_json) for file in files]
    reports = [report for report in found if report is not None]
    if as_json:
        say_json([_facts(report, refusals) for report in reports])
    elif reports:
        say(f"\n{total(reports)}")
        next_steps(*_next(game, files[0], refusals))
    if len(reports) < len(files):
        raise typer.Exit(2)
    if any(report.mismatches for report in reports):
        raise typer.Exit(1)


def _compared(game: Game, file: Path, refusals: bool, as_json: bool) -> ConformanceReport | None:
    """The report on a file, printed at once; None if the file is not such a gamelog."""
    try:
        report = compare(game, archive.content(file), str(file))
    except (BadCadreLog, archive.BadFile) as error:
        complain(str(error))
        return None
    except OSError as error:
        complain(f"{file}: {error.strerror}.")
        return None
    if not as_json:
        _tell(report, refusals)
    return report


def _tell(report: ConformanceReport, refusals: bool) -> None:
    for line in report.text(refusals).splitlines():
        say(escape(printable(line)))


def _next(game: Game, file: Path, refusals: bool) -> list[str]:
    compared = [] if refusals else [command_line("conform", game.name, file, "--refusals")]
    return [*compared, command_line("rules", game.name)]


def _facts(report: ConformanceReport, refusals: bool) -> dict[str, Any]:
    return {
        "file": report.name,
        "server": report.era,
        "deltas": report.deltas,
        "refused": [each._asdict() for each in report.refused] if refusals else len(report.refused),
        "mismatches": report.mismatches,
        "first": report.first and report.first._asdict(),
    }
