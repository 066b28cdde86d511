"""`endturn conform`: gamelogs of the original servers played again, and every state compared."""

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
from endturn.cli.terminal import Mistake, command_line, complain, next_steps, printable, say, say_json
from endturn.engine.game import Game
from endturn.games import find


def conform(name: str, files: Sequence[Path], refusals: bool, as_json: bool) -> None:
    """Compare a game with the original's gamelogs; exit code 1 where it differs, 2 where a file is none."""
    game = find(name)
    if game.name not in DIALECTS:
        raise Mistake(f"{game.title} has no original server whose gamelogs it could be compared with.")
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
    """What came of a file, told at once; None for a file that is no such gamelog."""
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
