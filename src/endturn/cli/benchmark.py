"""`endturn bench`: measures how fast the rules of a game run."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from endturn.cli.terminal import (
    Mistake,
    Screen,
    command_line,
    complain,
    grid,
    next_steps,
    quoted,
    require_within,
    say_json,
    screen,
)
from endturn.engine.rule import BACKENDS, missing, require
from endturn.games import GAMES, find
from endturn.testing.speed import REPEATS, Load, Measured, machine, measure

GAMES_AT_ONCE = {"plain": 1, "compiled": 1024, "gpu": 65536}  # default number of matches at once
STEPS = {
    "plain": 2000,
    "compiled": 1000,
    "gpu": 1000,
}  # actions per match and repeat: about 0.1 s
MOST_GAMES, MOST_THREADS = 1 << 20, 1024
MOST_PLAIN_GAMES = 8  # more would take minutes without being more precise


class Wanted(NamedTuple):
    """What to measure, as typed. None means the default."""

    backend: str | None
    games: int | None
    threads: int | None
    gpu: bool


class BenchmarkRow(NamedTuple):
    """One measurement."""

    game: str
    backend: str
    games: int
    threads: int


def bench(game: str | None, wanted: Wanted, as_json: bool) -> None:
    """Measure, then print a table."""
    require_within("--games", wanted.games, 1, MOST_GAMES)
    require_within("--threads", wanted.threads, 1, MOST_THREADS)
    names = [find(game).name] if game else [name for name in GAMES if find(name).storage.compiles]
    for name in names:
        require("compiled" if not find(name).storage.compiles else "plain", find(name))
    backends = _backends(wanted)
    here = machine()
    rows = [
        row for name in names for backend in backends for row in _rows(name, backend, wanted, here["cores"])
    ]
    found = list(_measured(rows, quiet=as_json))
    if as_json:
        say_json({"machine": here, "measured": [{**each._asdict(), "rate": each.rate} for each in found]})
        return
    _print(found, here)
    next_steps(*_next(names[0], backends))


def _backends(wanted: Wanted) -> list[str]:
    """The backends to measure. Raises BackendMissing if one cannot run here."""
    if wanted.backend is not None and wanted.backend not in BACKENDS:
        raise Mistake(f"--backend must be plain, compiled or gpu, not {wanted.backend[:40]!r}.")
    asked = [wanted.backend] if wanted.backend else []
    asked += ["gpu"] if wanted.gpu and "gpu" not in asked else []
    for backend in asked:
        require(backend)
    if wanted.backend:
        return asked
    if sentence := missing("compiled"):
        complain(sentence)
        return ["plain", *asked]
    return ["plain", "compiled", *asked]


def _rows(game: str, backend: str, wanted: Wanted, cores: int) -> list[BenchmarkRow]:
    """The thread counts to measure: only compiled rules run in parallel threads, as plain rules hold the GIL."""
    games = wanted.games or GAMES_AT_ONCE[backend]
    games = min(games, MOST_PLAIN_GAMES) if backend == "plain" else games
    threads = [wanted.threads] if wanted.threads else [1, cores] if backend == "compiled" else [1]
    return [BenchmarkRow(game, backend, games, count) for count in dict.fromkeys(threads)]


def _measured(rows: list[BenchmarkRow], quiet: bool) -> Iterator[Measured]:
    """Measure, with a progress bar per row on a terminal."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=Screen(stderr=True),
        transient=True,
        disable=quiet or not Screen(stderr=True).redraws,
    ) as bars:
        for row in rows:
            yield _measure(row, bars)


def _measure(row: BenchmarkRow, bars: Progress) -> Measured:
    # Setup and compilation take most of the time and report no progress, so the bar pulses at first.
    bar = bars.add_task(f"{row.game}, {row.backend}, {row.games} matches, {row.threads} threads", total=None)

    def counted(repeats: Iterable[int]) -> Iterator[int]:
        bars.update(bar, total=REPEATS)
        for repeat in repeats:
            yield repeat
            bars.advance(bar)

    load = Load(row.backend, row.games, row.threads, STEPS[row.backend])
    return measure(find(row.game), load=load, progress=counted)


def _print(found: list[Measured], here: dict[str, Any]) -> None:
    rows = [
        (
            each.game,
            each.backend,
            f"{each.games}",
            f"{each.threads}",
            f"[bold]{each.rate:,.0f}[/]",
            f"{1e9 / each.rate:,.1f}",
            each.clock,
        )
        for each in found
    ]
    names = "game", "backend", "matches", "threads", "actions/s", "ns/action", "clock"
    screen().print(grid(*names, rows=rows, numbers=range(2, 6)))
    versions = ", ".join(f"{name} {version}" for name, version in here["packages"].items())
    parts = [here["cpu"], f"{here['cores']} cores", here["gpu"], f"Python {here['python']}", versions]
    screen().print(f"\n[dim]{quoted(', '.join(part for part in parts if part))}[/]\n")


def _next(game: str, backends: list[str]) -> list[str]:
    gpu = [] if "gpu" in backends or missing("gpu") else [command_line("bench", game, "--gpu")]
    return [command_line("bench", game, "--backend", "compiled", "--games", 4096), *gpu]
