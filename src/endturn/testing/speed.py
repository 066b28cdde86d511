"""Measures how fast a game runs here: random play, single actions, copies, replays, compiling.

Single-threaded work is measured in CPU time of this process, which other programs do not affect; several threads, a GPU
and other processes are measured in wall time. The best of several repeats counts.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module, metadata
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from endturn.engine import gamelog, record
from endturn.engine.game import Game
from endturn.engine.match import Match, TurnBegan, derived_seed, signed
from endturn.engine.rule import kernels

PACKAGES = "endturn", "numpy", "numba", "llvmlite", "numba-cuda", "msgspec", "xxhash"
SPREAD = 256  # matches played to random stages; a larger batch has copies of them
WARM_UP = 2000  # actions that spread them over all stages
REPEATS = 5

Progress = Callable[[Iterable[int]], Iterable[int]]  # passes its numbers on and may show progress


class Measured(NamedTuple):
    """The best of several timed runs of random play."""

    game: str
    backend: str
    games: int
    threads: int
    actions: int  # in one run, over all matches
    seconds: float
    clock: str  # "cpu" or "wall"

    @property
    def rate(self) -> float:
        """Actions per second."""
        return self.actions / self.seconds


class Timed(NamedTuple):
    """The best of several timed runs of something repeated."""

    times: int
    seconds: float

    @property
    def rate(self) -> float:
        """Repetitions per second."""
        return self.times / self.seconds

    @property
    def each(self) -> float:
        """Seconds per repetition."""
        return self.seconds / self.times


class Compiled(NamedTuple):
    """Seconds until every entry point of a game has run once, in a new process."""

    entries: int
    importing: float  # Numba and NumPy
    compiling: float  # or loading from the cache
    cpu: float  # CPU time of compiling


def best_of(
    runs: Mapping[str, Callable[[], float]], repeats: int, progress: Progress = iter
) -> dict[str, float]:
    """The shortest time of each run. Runs alternate, so that ratios compare like with like."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in progress(range(repeats)):
        for name, run in runs.items():
            best[name] = min(best[name], run())
    return best


def timed(work: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    """The seconds that some work takes."""
    began = clock()
    work()
    return clock() - began


# --- random play --------------------------------------------------------------------------------------------


class Load(NamedTuple):
    """Random play to time: `steps` actions in each of `games` matches."""

    backend: str = "compiled"
    games: int = 1
    threads: int = 1
    steps: int = 1000
    seed: int = 0


def measure(
    game: Game,
    settings: Any = None,
    load: Load = Load(),  # noqa: B008  (immutable)
    *,
    repeats: int = REPEATS,
    progress: Progress = iter,
) -> Measured:
    """Time random play from the middle of matches, several times over."""
    backend, games, threads, steps, _ = load
    seconds = best_of({backend: prepare(game, settings, load)}, repeats, progress)[backend]
    return Measured(game.name, backend, games, threads, games * steps, seconds, clock_of(backend, threads))


def clock_of(backend: str, threads: int) -> str:
    """The clock to measure with: threads and GPUs need wall time."""
    return "cpu" if threads == 1 and backend != "gpu" else "wall"


def prepare(game: Game, settings: Any, load: Load) -> Callable[[], float]:
    """Play matches into their middle. The function returned plays the load and returns the seconds it took."""
    backend, games, threads, steps, seed = load
    batch = spread_batch(game, settings, backend=backend, games=games, threads=threads, seed=seed)
    clock = process_time if clock_of(backend, threads) == "cpu" else perf_counter
    if backend == "gpu":
        from endturn.engine.batch import DeviceBatch  # noqa: PLC0415  (NumPy)

        batch = DeviceBatch(batch)
        batch.play(steps)  # compiles
    return lambda: timed(lambda: batch.play(steps), clock)


def spread_batch(
    game: Game,
    settings: Any = None,
    *,
    backend: str = "compiled",
    games: int,
    threads: int = 1,
    seed: int = 0,
    pool: int | None = None,
) -> Any:
    """A batch with matches at all stages, because the cost of a turn depends on the stage."""
    from endturn.engine.batch import POOL, Batch  # noqa: PLC0415  (NumPy)

    host = "compiled" if backend == "gpu" else backend

    def begin(count: int) -> Any:
        return Batch(game, count, settings, seed=seed, backend=host, threads=threads, pool=pool or POOL)

    few = begin(min(games, SPREAD))
    few.play(WARM_UP)
    if games <= SPREAD:
        return few
    batch = begin(games)
    batch.seeds[:] = [few.seeds[i % few.games] for i in range(games)]
    _copy_around(few.states, batch.states)
    batch.actions = few.actions
    return batch


def _copy_around(few: Any, many: Any) -> None:
    """Fill a long list or array of states with copies of a short one."""
    if isinstance(many, list):
        many[:] = [record.copy(few[i % len(few)]) for i in range(len(many))]
        return
    # As bytes, because NumPy copies arrays of records field by field.
    source, target = few.view("u1").reshape(len(few), -1), many.view("u1").reshape(len(many), -1)
    for start in range(0, len(target), len(source)):
        rest = target[start : start + len(source)]
        rest[:] = source[: len(rest)]


# --- single actions, copies, replays ------------------------------------------------------------------------


def random_match(game: Game, settings: Any = None, *, seed: int = 0, backend: str = "compiled") -> Match:
    """A complete match between random players."""
    match = Match(game, settings, seed=seed, backend=backend)
    luck = derived_seed(seed, 1)
    when = 0
    while waiting := match.to_act():
        match.submit(waiting[0], match.random_action(waiting[0], luck, when))
        when += 1
    return match


def rows_of(match: Match) -> list[tuple[int, ...]]:
    """The actions of a match as numbers, as entry points take them."""
    return [(acted.seat, *match.game.actions.pack(acted.action)) for acted in match.played()]


def _held(match: Match, backend: str) -> Any:
    """The start of the match, as entry points take it."""
    if backend == "plain":
        return [record.load(match.layout, match.first)]
    import numpy as np  # noqa: PLC0415

    return np.frombuffer(bytearray(match.first), record.dtype(match.layout))


def measure_calls(match: Match, *, backend: str = "compiled", repeats: int = REPEATS) -> Timed:
    """Replay the actions of a match with one call from Python to `step_one` each."""
    step, rows, dice = kernels(match.game, backend).step_one, rows_of(match), signed(match.seed)

    def run() -> float:
        games = _held(match, backend)
        began = process_time()
        for row in rows:
            step(games, 0, *row, dice)
        return process_time() - began

    run()  # compiles
    return Timed(len(rows), best_of({"": run}, repeats)[""])


def measure_submits(match: Match, *, backend: str = "plain", repeats: int = REPEATS) -> Timed:
    """Replay the actions of a match through `Match.submit`, as a server does."""
    acts = match.played()

    def run() -> float:
        again = Match(match.game, match.settings, seed=match.seed, backend=backend)
        return timed(lambda: [again.submit(acted.seat, acted.action) for acted in acts])

    return Timed(len(acts), best_of({"": run}, repeats)[""])


def measure_copies(match: Match, *, copies: int = 10_000, repeats: int = REPEATS) -> Timed:
    """Copy one state onto another in a batch, with one Python statement each."""
    import numpy as np  # noqa: PLC0415

    from endturn.engine.batch import words_of  # noqa: PLC0415

    words = words_of(np.zeros(2, record.dtype(match.layout)))
    words[0] = words_of(_held(match, "compiled"))[0]

    def run() -> float:
        began = process_time()
        for _ in range(copies):
            words[1] = words[0]
        return process_time() - began

    return Timed(copies, best_of({"": run}, repeats)[""])


class Replays(NamedTuple):
    """Replays of gamelogs: the actions only, with all checksums, and from the text of the file."""

    actions: Timed
    hashed: Timed
    read: Timed  # the text: JSON and the checksum of each line
    verified: Timed  # text to verdict


def measure_replays(matches: list[Match], *, repeats: int = REPEATS) -> Replays:
    """Replay the gamelogs of matches, with one compiled call each."""
    kept = room_for_turns(matches)
    again = [_Again(match, kept) for match in matches]
    texts = [list(gamelog.write(match)) for match in matches]
    game = matches[0].game

    def find(_name: str) -> Game:
        return game

    runs: dict[str, Callable[[], Any]] = {
        "actions": lambda: [each.play() for each in again],
        "hashed": lambda: [each.play().fingerprints() for each in again],
        "read": lambda: [list(gamelog.read(text)) for text in texts],
        "verified": lambda: [gamelog.verify_fast(text, find) for text in texts],
    }
    for run in runs.values():
        run()  # compiles
    best = best_of({name: lambda run=run: timed(run) for name, run in runs.items()}, repeats)  # type: ignore[misc]
    count = sum(len(each.rows) for each in again)
    return Replays(*(Timed(count, best[name]) for name in Replays._fields))


def room_for_turns(matches: list[Match]) -> Any:
    """Memory for the states at the start of turns; replays share it, so that it stays in the CPU's cache."""
    import numpy as np  # noqa: PLC0415

    turns = max(sum(isinstance(entry, TurnBegan) for entry in match.log) for match in matches)
    layout = max((match.layout for match in matches), key=lambda kind: record.layout(kind).size)
    return np.zeros(turns * record.layout(layout).size, np.uint8)


class _Again:
    """A match ready to be replayed from its rows."""

    def __init__(self, match: Match, kept: Any) -> None:
        import numpy as np  # noqa: PLC0415

        from endturn.engine.batch import words_of  # noqa: PLC0415

        self.run = kernels(match.game, "compiled").replay_rows
        self.rows, self.dice = np.array(rows_of(match), np.int32), signed(match.seed)
        self.games = _held(match, "compiled")
        self.words, self.first = words_of(self.games), words_of(_held(match, "compiled"))
        self.bytes, self.size, self.begun = kept.data, self.games.itemsize, 0
        turns = len(kept) // self.size
        self.kept = words_of(kept[: turns * self.size].view(self.games.dtype))
        self.before = np.zeros(turns, np.int64)

    def play(self) -> "_Again":
        """From the start to the end."""
        self.words[:] = self.first
        played, self.begun, broken = self.run(
            self.games, self.words, 0, self.rows, self.dice, self.kept, self.before
        )
        if played != len(self.rows) or broken:
            raise RuntimeError(f"action {played} of a finished match cannot be replayed")
        return self

    def fingerprints(self) -> list[str]:
        """The checksum at the start of every turn."""
        edges = range(0, (self.begun + 1) * self.size, self.size)
        return [record.digest(self.bytes[a:b]) for a, b in pairwise(edges)]


# --- compiling ----------------------------------------------------------------------------------------------


def measure_compile(where: str, *, repeats: int = 1) -> tuple[Compiled, Compiled]:
    """Compile a game, named by its module, in a new process with an empty cache, then load it from that cache."""
    best: dict[bool, Compiled] = {}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            for cached in (False, True):
                made = _in_a_new_process(where, folder)
                best[cached] = min(best.get(cached, made), made, key=lambda each: each.cpu)
    return best[False], best[True]


def _in_a_new_process(where: str, folder: str) -> Compiled:
    command = [sys.executable, "-m", __name__, where]
    done = subprocess.run(
        command, env={**os.environ, "ENDTURN_CACHE": folder}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return Compiled(*json.loads(done.stdout.splitlines()[-1]))


def touch_entries(game: Game) -> int:
    """Call every compiled entry point of a game once, with a tiny batch. Returns their number."""
    import numpy as np  # noqa: PLC0415

    from endturn.engine.batch import Batch  # noqa: PLC0415

    module = kernels(game, "compiled")
    batch = Batch(game, 2, pool=1)
    seats = np.zeros(2, np.int64)
    batch.play(1)
    batch.step(batch.choose())
    batch.to_act()
    batch.piece_masks(seats)
    batch.option_masks(seats, seats)
    if game.knowledge.observe is not None:
        batch.observations(seats)
    match = Match(game, backend="compiled")
    seat = match.to_act()[0]
    action = match.random_action(seat, 1, 0)
    if game.knowledge.preview is not None:
        match.preview(seat)
    match.refuse(seat, action)
    match.submit(seat, action)
    match.changed(record.Watched(match.layout, match.first))
    _Again(match, room_for_turns([match])).play()
    return _count_entries(module, game, len(match.first))


def _count_entries(module: Any, game: Game, size: int) -> int:
    entries = {name: made for name, made in vars(module).items() if hasattr(made, "signatures")}
    without = {"observe_many": game.knowledge.observe is None, "preview_one": game.knowledge.preview is None}
    without["differing"] = size % 8 != 0  # its size is not a multiple of a word
    untouched = [name for name, made in entries.items() if not (made.signatures or without.get(name))]
    if untouched:
        raise RuntimeError(f"entry points not called: {', '.join(untouched)}")
    return len(entries)


# --- the machine --------------------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    """The CPU, its cores, the GPU if any, and the versions of Python and of the packages that matter for speed."""
    found = {package: _version(package) for package in PACKAGES}
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "gpu": _gpu(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "packages": {package: version for package, version in found.items() if version},
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        module = sys.modules.get(package.replace("-", "_"))
        return getattr(module, "__version__", None)


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _gpu() -> str | None:
    """The name of the first GPU, from its driver."""
    try:
        asked = subprocess.run(
            ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None
    return asked.stdout.splitlines()[0] if asked.returncode == 0 and asked.stdout else None


def _report_compiling(where: str) -> None:
    """The part of `measure_compile` that runs in a new process."""
    game = import_module(where).game
    began = perf_counter()
    import_module("numba")
    imported, working = perf_counter(), process_time()
    entries = touch_entries(game)
    print(json.dumps([entries, imported - began, perf_counter() - imported, process_time() - working]))


if __name__ == "__main__":
    _report_compiling(sys.argv[1])
