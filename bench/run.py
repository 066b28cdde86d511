"""Measures all CPU figures of this project and compares them with their targets.

    python bench/run.py [--quick] [--no-peers] [--save]

`--save` writes them to the section CPU of bench/RESULTS.md. bench/README.md explains each line.
Exits with 1 if a target is missed. Close other programs first: half of the lines are wall time.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import limit
import peers
import previews
import squads
import weather
from endturn.games import find
from endturn.testing import speed

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
BEGIN, END = "<!-- cpu: written by run.py --save -->", "<!-- end of cpu -->"
SEED = 1
SIZES = 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16
GAME, WHERE = "anarchy", "endturn.games.anarchy"


class Line(NamedTuple):
    """One figure with its target; `held` is None without a target."""

    what: str
    figure: str
    target: str = ""
    held: bool | None = None

    def __str__(self) -> str:
        verdict = {True: "yes", False: "**NO**", None: ""}[self.held]
        return f"| {self.what} | {self.figure} | {self.target} | {verdict} |"


class Plan(NamedTuple):
    """How much to measure."""

    repeats: int
    sizes: tuple[int, ...]
    with_peers: bool


def millions(rate: float) -> str:
    return f"{rate / 1e6:.2f} M/s"


def at_least(what: str, figure: float, target: float, text: str, unit: str) -> Line:
    return Line(what, text, f">= {target:g}{unit}", figure >= target)


def at_most(what: str, figure: float, target: float, unit: str) -> Line:
    return Line(what, f"{figure:.2f}{unit}", f"<= {target:g}{unit}", figure <= target)


# --- random play, peers, the limit --------------------------------------------------------------------------


def both_backends(plan: Plan, name: str) -> tuple[Any, int, float, float]:
    """Return a compiled run for further timing, its actions, and the rates of compiled and plain random play."""
    steps = {"compiled": (64, 2000), "plain": (1, 2000)}
    runs = {
        backend: speed.prepare(find(name), None, speed.Load(backend, games, steps=each, seed=SEED))
        for backend, (games, each) in steps.items()
    }
    best = speed.best_of(runs, plan.repeats)
    rates = {backend: games * each / best[backend] for backend, (games, each) in steps.items()}
    return runs["compiled"], 64 * 2000, rates["compiled"], rates["plain"]


def random_play(plan: Plan) -> Iterator[Line]:
    run, actions, compiled, plain = both_backends(plan, GAME)
    yield Line("random play, compiled, one core", millions(compiled))
    yield Line("random play, plain", f"{plain / 1e3:.1f} k/s")
    yield at_least("compiled against plain", compiled / plain, 40, f"{compiled / plain:.0f} x", " x")
    cores = os.cpu_count() or 1
    load = speed.Load(games=256 * cores, threads=cores, steps=2000, seed=SEED)
    spread = speed.measure(find(GAME), load=load, repeats=plan.repeats)
    yield Line(f"random play, compiled, {cores} threads (wall time)", millions(spread.rate))
    if plan.with_peers:
        yield from against_peers(plan, run, actions)


def catastrophe(plan: Plan) -> Iterator[Line]:
    """Measure random play, compared with plain and with OpenSpiel's chess, squads and the state's size."""
    run, actions, compiled, plain = both_backends(plan, "catastrophe")
    yield Line("Catastrophe: random play, compiled, one core", millions(compiled))
    yield Line("Catastrophe: random play, plain", f"{plain / 1e3:.1f} k/s")
    yield at_least(
        "Catastrophe: compiled against plain", compiled / plain, 30, f"{compiled / plain:.0f} x", " x"
    )
    match = speed.random_match(find("catastrophe"), seed=SEED)
    nanoseconds, size = squads.measure()
    yield Line(f"Catastrophe: finding a squad ({size:.1f} soldiers)", f"{nanoseconds:.0f} ns")
    yield at_most("Catastrophe: size of a state", len(match.first) / 1000, 16, "kB")
    if plan.with_peers:
        yield from against_chess(plan, "Catastrophe", run, actions, 10)


def snowball(plan: Plan) -> Iterator[Line]:
    """Measure random play, compared with plain and with OpenSpiel's chess, previews and the state's size."""
    run, actions, compiled, plain = both_backends(plan, "snowball")
    yield Line("Snowball Fight: random play, compiled, one core", millions(compiled))
    yield Line("Snowball Fight: random play, plain", f"{plain / 1e3:.1f} k/s")
    ratio = compiled / plain
    yield at_least("Snowball Fight: compiled against plain", ratio, 30, f"{ratio:.0f} x", " x")
    usual, most, targets = previews.measure()
    yield Line(f"Snowball Fight: preview of all targets (median {targets:.0f})", f"{usual:.1f} us")
    yield at_most("Snowball Fight: slowest preview in bots' matches", most, 200, " us")
    match = speed.random_match(find("snowball"), seed=SEED)
    yield Line("Snowball Fight: size of a state", f"{len(match.first) / 1000:.2f}kB")
    if plan.with_peers:
        yield from against_chess(plan, "Snowball Fight", run, actions, 5)


def notchess(plan: Plan) -> Iterator[Line]:
    """Measure random play with weather, on the usual and the largest board, and a weather step."""
    run, actions, compiled, plain = both_backends(plan, "notchess")
    yield Line("Not-Chess, 8 x 8 natural: random play, compiled, one core", millions(compiled))
    yield Line("Not-Chess, 8 x 8 natural: random play, plain", f"{plain / 1e3:.1f} k/s")
    ratio = compiled / plain
    yield at_least("Not-Chess: compiled against plain", ratio, 30, f"{ratio:.0f} x", " x")
    if plan.with_peers:
        yield from against_chess(plan, "Not-Chess", run, actions, 10)
    large = {"width": 30, "height": 18}
    load = speed.Load(games=64, steps=500, seed=SEED)
    found = speed.measure(find("notchess"), large, load, repeats=plan.repeats)
    yield Line("Not-Chess, 30 x 18 natural: random play, compiled, one core", millions(found.rate))
    costs = weather.measure(plan.repeats)
    for cost in costs:
        size = f"Not-Chess, {cost.width} x {cost.height}: one weather step"
        yield Line(size, f"{cost.step:.0f} ns, {cost.square:.1f} ns per square")
    what = "Not-Chess: weather per square, worst board against the median (growth is linear)"
    yield at_most(what, weather.growth(costs), weather.LINEAR, " x")


def against_chess(plan: Plan, title: str, run: Any, actions: int, target: float) -> Iterator[Line]:
    """Compare a game with OpenSpiel's chess, played in its fastest way."""
    ours = actions / speed.best_of({"": run}, plan.repeats)[""]
    found = peers.compare(["openspiel"], 1.0)["moves_per_second"]
    chess = max((rate for way, rate in found.items() if "chess" in way), default=0.0)
    if chess:
        text = f"{ours / chess:.1f} x"
        yield at_least(f"{title}: compiled against OpenSpiel's chess", ours / chess, target, text, " x")


def against_peers(plan: Plan, play: Any, actions: int) -> Iterator[Line]:
    """Run ours and OpenSpiel's chess alternately; the fastest way to play chess counts."""
    ours, theirs = 0.0, {}
    for _ in range(2 if plan.repeats > 3 else 1):
        ours = max(ours, actions / speed.best_of({"": play}, plan.repeats)[""])
        found = peers.compare(["openspiel"], 1.0)
        for way, rate in found["moves_per_second"].items():
            theirs[way] = max(rate, theirs.get(way, 0.0))
    chess = [rate for way, rate in theirs.items() if "chess" in way]
    if chess:
        ratio = ours / max(chess)
        yield at_least("compiled against OpenSpiel's chess", ratio, 10, f"{ratio:.1f} x", " x")
    others = peers.compare([peer for peer in peers.PEERS if peer != "openspiel"], 1.0)
    versions = {**found["versions"], **others["versions"]}
    for way, rate in {**theirs, **others["moves_per_second"]}.items():
        yield Line(f"peer: {way}", f"{rate / 1e3:,.1f} k/s")
    yield Line("peers' versions", ", ".join(f"{name} {version}" for name, version in versions.items()))
    for sentence in found["missing"] + others["missing"]:
        yield Line("peer missing", sentence)


def against_c(plan: Plan) -> Iterator[Line]:
    found = limit.compare(100 * plan.repeats)
    each = f"ours {found['ours_ns']:.0f} ns, C {found['c_ns']:.0f} ns"
    what = f"the end of a turn ({found['buildings']:.0f} buildings, {found['burning']:.0f} burning)"
    yield Line(what, each)
    yield at_least("ours against C (gcc -O3)", found["ratio"], 0.8, f"{found['ratio']:.2f} x", " x")


# --- one at a time ------------------------------------------------------------------------------------------


def one_at_a_time(plan: Plan) -> Iterator[Line]:
    matches = [speed.random_match(find(GAME), seed=seed) for seed in range(8 * plan.repeats)]
    longest = max(matches, key=lambda match: len(match.log))
    calls = speed.measure_calls(longest, repeats=4 * plan.repeats)
    yield at_least("one action per Python call, compiled", calls.rate / 1e6, 1, millions(calls.rate), " M/s")
    for backend in ("compiled", "plain"):
        submits = speed.measure_submits(longest, backend=backend, repeats=plan.repeats)
        yield Line(f"`Match.submit`, {backend}", f"{submits.rate / 1e3:.0f} k/s")
    copies = speed.measure_copies(longest, repeats=4 * plan.repeats)
    yield at_most("copy of a state", copies.each * 1e6, 1, " us")
    found = speed.measure_replays(matches, repeats=2 * plan.repeats)
    rate = found.actions.rate
    yield at_least("replay of gamelogs, actions", rate / 1e6, 5, millions(rate), " M/s")
    yield Line("the same with a checksum per turn", millions(found.hashed.rate))
    yield Line("reading a gamelog's text, actions", millions(found.read.rate))
    yield Line("from text to verdict, map included", millions(found.verified.rate))


# --- starting -----------------------------------------------------------------------------------------------


def starting(plan: Plan) -> Iterator[Line]:
    """Measure starting, in CPU time because compiling uses one thread; wall time is equal on a quiet machine."""
    first, cached = speed.measure_compile(WHERE, repeats=1 if plan.repeats < 4 else 2)
    yield at_most(f"first compile of all {first.entries} entry points (CPU time)", first.cpu, 10, " s")
    yield at_most("the same from the cache (CPU time)", cached.cpu, 0.5, " s")
    walls = f"{first.compiling:.2f} s and {cached.compiling:.2f} s"
    yield Line("both in wall time", walls)
    yield Line("importing Numba before that (wall time)", f"{cached.importing:.2f} s")
    yield from commands(plan)


def commands(plan: Plan) -> Iterator[Line]:
    for words, seconds in (("games", 0.5), (f"play {GAME} random random", 2.0)):
        taken, compiled = cold(words, 2 * plan.repeats)
        yield at_most(f"`endturn {words}`, cold (wall time)", taken, seconds, " s")
        if compiled:
            yield Line(f"`endturn {words}` compiled", compiled, "nothing", False)


def cold(words: str, repeats: int) -> tuple[float, str]:
    """Return the best wall time of a command in a new process with an empty cache, and the files it cached."""
    program, seconds = Path(sys.executable).with_name("endturn"), []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            began = perf_counter()
            subprocess.run(
                [str(program), *words.split()],
                cwd=folder,
                env={**os.environ, "ENDTURN_CACHE": str(Path(folder, "cache"))},
                capture_output=True,
                check=True,
            )
            seconds.append(perf_counter() - began)
        left = sorted(file.name for file in Path(folder, "cache").rglob("*.nbi"))
    return min(seconds), ", ".join(left)


# --- batches ------------------------------------------------------------------------------------------------


def by_size(plan: Plan) -> list[str]:
    """Tabulate nanoseconds per action by batch size, in one long call and in one call per action."""
    game = find(GAME)
    batches = {size: speed.spread_batch(game, games=size, seed=SEED) for size in plan.sizes}
    long = speed.best_of({str(n): _long(batch) for n, batch in batches.items()}, plan.repeats)
    short = speed.best_of({str(n): _short(batch) for n, batch in batches.items()}, 4 * plan.repeats)
    lines = ["| games | 64 actions per call | one action per call, chosen and played |", "|--:|--:|--:|"]
    for size in plan.sizes:
        each = long[str(size)] / size / 64, short[str(size)] / size
        lines.append(f"| {size:,} | {each[0] * 1e9:.0f} ns | {each[1] * 1e9:.0f} ns |")
    costs = [long[str(size)] / size for size in plan.sizes]
    spread = max(costs) / median(costs)
    lines.append("")
    lines.append(f"The most expensive size costs {spread:.2f} x the median: {_linear(spread)}.")
    return lines


def _linear(spread: float) -> str:
    return "linear" if spread <= 1.25 else "NOT linear"


def _long(batch: Any) -> Any:
    return lambda: speed.timed(lambda: batch.play(64))


def _short(batch: Any) -> Any:
    return lambda: speed.timed(lambda: batch.step(batch.choose()))


# --- all ----------------------------------------------------------------------------------------------------


def report(plan: Plan) -> Iterator[str]:
    """Yield Markdown line by line while measuring."""
    found = speed.machine()
    versions = ", ".join(f"{name} {version}" for name, version in found["packages"].items())
    gcc = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )[0]
    yield f"{date.today()}, {found['cpu']}, {found['cores']} cores, {found['system']},"
    yield f"Python {found['python']}, {versions}, {gcc}. Load at the start: {os.getloadavg()[0]:.1f}."
    yield ""
    yield f"| {find(GAME).title}, full-size maps, unless another game is named | measured | target | held |"
    yield "|---|--:|--:|---|"
    for part in (random_play, against_c, one_at_a_time, starting, catastrophe, snowball, notchess):
        for line in part(plan):
            yield str(line)
    yield ""
    yield "CPU time of one action by batch size, one thread:"
    yield ""
    yield from by_size(plan)


def save(lines: list[str]) -> None:
    before, _, rest = RESULTS.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    RESULTS.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{after}")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--quick", action="store_true", help="fewer repeats and smaller batches")
    asked.add_argument("--no-peers", action="store_true", help="skip packages that must be installed")
    asked.add_argument("--save", action="store_true", help="write the figures to RESULTS.md")
    options = asked.parse_args()
    plan = Plan(2 if options.quick else 5, SIZES[:4] if options.quick else SIZES, not options.no_peers)
    lines = []
    for line in report(plan):
        print(line, flush=True)
        lines.append(line)
    if options.save:
        save(lines)
    return 1 if any("NO" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
