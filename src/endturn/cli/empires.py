"""`endturn turn-change` and `endturn conform` for Empires: the sequence, and our turn change beside the server's."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from endturn.cli.terminal import Mistake, command_line, grid, next_steps, printable, say, say_json, screen
from endturn.games.empires import conform as comparison
from endturn.games.empires.rules import sequence

SHOWN = 8  # mismatches that are told one by one


def turn_change(game: str, as_json: bool) -> None:
    """Print the steps of a turn change in order."""
    if game != "empires":
        raise Mistake(f"Only empires has a turn change, and {game!r} is not empires.")
    if as_json:
        say_json([_stage(stage) for stage in sequence.STAGES])
        return
    for stage in sequence.STAGES:
        say(f"\n[bold]{stage.name}[/]")
        for depth, number, text, note in sequence.listed(stage.steps):
            say(
                f"  {'    ' * depth}{number + '  ' if number else ''}{text}{f' [dim]{note}[/]' if note else ''}"
            )


def _stage(stage: sequence.Stage) -> dict[str, Any]:
    return {"stage": stage.name, "steps": [line._asdict() for line in sequence.listed(stage.steps)]}


def conform(folders: Sequence[Path], as_json: bool) -> None:
    """Compare all consecutive saves of some folders; exit code 1 where something differs."""
    reports: list[comparison.Report] = []
    for folder in folders:
        found = _compared(folder)
        reports += found
        if not as_json:
            _tell_folder(folder, found)
    if as_json:
        say_json({"changes": [_facts(report) for report in reports], "fields": _fields(reports)})
    else:
        _tell_all(reports)
        next_steps(command_line("turn-change", "empires"))
    if any(report.mismatches or not report.same_generator for report in reports):
        raise typer.Exit(1)


def _compared(folder: Path) -> list[comparison.Report]:
    if not folder.is_dir():
        raise Mistake(f"{folder} is no folder; empires is compared with folders of consecutive savegames.")
    pairs = comparison.pairs(folder)
    if not pairs:
        raise Mistake(f"{folder} has no two savegames, whose names contain .sav, to compare.")
    trace = comparison.read_trace(folder)
    return [comparison.compare(one, two, trace.get(one.name.split(".")[0])) for one, two in pairs]


def _tell_folder(folder: Path, reports: Sequence[comparison.Report]) -> None:
    same = sum(report.same_generator for report in reports)
    wrong = sum(len(report.mismatches) for report in reports)
    total = sum(report.total.total() for report in reports)
    say(
        f"{escape(folder.name)}: {len(reports)} changes, {same} with equal draws, {wrong} of {total} fields differ"
    )
    for report in reports:
        if report.first_draw:
            say(f"  {escape(report.name)}: {escape(printable(report.first_draw))}")
        if report.mismatches:
            say(f"  {escape(report.name)}: {escape(printable(str(report.mismatches[0])))}")


def _tell_all(reports: Sequence[comparison.Report]) -> None:
    matched, total = _summed(reports)
    rows = []
    for level, title in comparison.LEVELS.items():
        names = sorted(name for each, name in total if each == level)
        rows.append((f"[bold]{level}[/]", f"[bold]{title}[/]", *_share(matched, total, level, names)))
        differing = [name for name in names if matched[level, name] < total[level, name]]
        rows += [("", name, *_share(matched, total, level, [name])) for name in differing]
    same = sum(report.same_generator for report in reports)
    rows.append(("", "[bold]generator equal[/]", str(same), str(len(reports)), _percent(same, len(reports))))
    say()
    screen().print(grid("level", "field", "matched", "total", "share", rows=rows, numbers={2, 3, 4}))
    unanswered = sorted({name for report in reports for name in report.unanswered})
    if unanswered:
        say(f"Not implemented, and without influence here: {', '.join(unanswered)}.")
    draws = sum(report.draws for report in reports)
    say(
        f"{draws} draws, and {sum(r.advisor_draws for r in reports)} more that the server's advisor makes at the end"
    )


def _summed(
    reports: Sequence[comparison.Report],
) -> tuple[Counter[tuple[int, str]], Counter[tuple[int, str]]]:
    matched: Counter[tuple[int, str]] = Counter()
    total: Counter[tuple[int, str]] = Counter()
    for report in reports:
        matched.update(report.matched)
        total.update(report.total)
    return matched, total


def _share(
    matched: Counter[tuple[int, str]], total: Counter[tuple[int, str]], level: int, names: Sequence[str]
) -> tuple[str, str, str]:
    good, every = (sum(count[level, name] for name in names) for count in (matched, total))
    return str(good), str(every), _percent(good, every)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.3f} %" if whole else "-"


def _fields(reports: Sequence[comparison.Report]) -> list[dict[str, Any]]:
    matched, total = _summed(reports)
    return [
        {"level": level, "field": name, "matched": matched[level, name], "total": count}
        for (level, name), count in sorted(total.items())
    ]


def _facts(report: comparison.Report) -> dict[str, Any]:
    return {
        "change": report.name,
        "fields": report.total.total(),
        "differing": len(report.mismatches),
        "draws": report.draws,
        "their_draws": report.their_draws,
        "advisor_draws": report.advisor_draws,
        "same_generator": report.same_generator,
        "first_draw": report.first_draw,
        "mismatches": [mismatch._asdict() for mismatch in report.mismatches[:SHOWN]],
    }
