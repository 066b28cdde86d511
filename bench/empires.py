"""Compares a turn change of Empires with the installed freeciv server on the same savegames, in CPU time.

    python bench/empires.py [--save] SAVE...
    python bench/empires.py [--save] --develop PLAYERS TURNS [--size THOUSANDS]

The server runs twice on each save, for one turn and for many; the difference is the cost of its turn changes. When
started as root, the script runs the server as user nobody. Ours is the median of the first five turn changes from the
save, repeated three times. `--develop` first lets the server's bots play a world; `--save` writes the figures to
bench/RESULTS.md.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from endturn.games.empires.freeciv import oracle, savegame, secfile
from endturn.games.empires.freeciv import rules as installed
from endturn.games.empires.rules import sequence

TURNS, REPEATS, CHANGES, LAST_TURN = 21, 3, 5, 32767
TARGET = 3.0  # times the server's time
LOADING = 0.5  # seconds
RESULTS = Path(__file__).parent / "RESULTS.md"
BEGIN, END = "<!-- empires: written by empires.py --save -->", "<!-- end of empires -->"


class Figures(NamedTuple):
    """The figures of one save."""

    name: str
    cities: int
    units: int
    ours: float
    server: float
    loading: float

    def row(self) -> str:
        share, each = self.ours / self.server, self.ours * 1000 / (self.cities + self.units)
        return (
            f"| {self.name} | {self.cities} | {self.units} | {self.ours * 1000:.1f} | {self.server * 1000:.1f} | "
            f"{share:.1f} | {'yes' if share <= TARGET else 'no'} | {each:.2f} | {self.loading:.2f} |"
        )


def ours(save: Path) -> tuple[float, int, int]:
    times = []
    for _ in range(REPEATS):
        world = savegame.load(save)
        world.settings["endturn"] = LAST_TURN  # cities do nothing in a finished game
        sequence.prepare(world)
        for _ in range(CHANGES):
            start = time.process_time()
            sequence.turn_change(world)
            times.append(time.process_time() - start)
    return statistics.median(times), len(world.cities), len(world.units)


def loading(save: Path) -> float:
    """Return the best time in seconds to load a save with its ruleset, without caches."""
    times = []
    for _ in range(REPEATS):
        installed.load.cache_clear()
        start = time.process_time()
        savegame.load(save)
        times.append(time.process_time() - start)
    return min(times)


def server(save: Path) -> float:
    """Return the server's best time for a turn change; its start-up time varies."""
    return min((_run(save, TURNS) - _run(save, 1)) / (TURNS - 1) for _ in range(REPEATS))


def _run(save: Path, turns: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "start.sav"
        content = save.read_bytes()
        opener = secfile.OPENERS.get(save.suffix)
        plain.write_text(oracle.humanised((opener(content) if opener else content).decode()))
        last = secfile.read(plain).need("game").integer("turn") + turns - 1
        orders = (
            "set saveturns 0",
            'set autosaves ""',
            'set victories ""',
            "set timeout -1",
            f"set endturn {last}",
        )
        return oracle.serve(Path(folder), orders, plain)


def develop(folder: Path, players: int, turns: int, size: int) -> Path:
    """Let bots play a world with classic rules, then turn it into one without bots."""
    oracle.PATIENCE = 3600
    made = oracle.develop(folder, "classic", turns, 105, [f"set aifill {players}", f"set size {size}"])
    save = folder / f"classic-{players}-players-T{turns:04d}.sav"
    save.write_text(oracle.humanised(made.read_text()))
    return save


def figures(save: Path) -> Figures:
    mine, cities, units = ours(save)
    name = save.name if save.name.startswith("classic") else f"{save.parent.name}/{save.name}"
    theirs = server(save) if oracle.is_installed() else float("nan")
    return Figures(name, cities, units, mine, theirs, loading(save))


def lines(found: list[Figures]) -> list[str]:
    return [
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}. CPU time. Targets:",
        f"at most {TARGET:.0f} times the server's time per turn change; at most {LOADING} s to load a save.",
        "",
        "| save | cities | units | ours, ms | server, ms | times | held | ms per city or unit | loading, s |",
        "|---|---|---|---|---|---|---|---|---|",
        *(each.row() for each in found),
    ]


def write(text: list[str]) -> None:
    """Write the figures into their section of RESULTS.md; add the section if it is missing."""
    before, _, rest = RESULTS.read_text().partition(BEGIN)
    if not rest:
        before = before.rstrip() + "\n\n## Empires\n\n"
    after = rest.partition(END)[2] or "\n"
    RESULTS.write_text(f"{before}{BEGIN}\n\n" + "\n".join(text) + f"\n\n{END}{after}")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("saves", nargs="*", type=Path)
    asked.add_argument("--develop", nargs=2, type=int, metavar=("PLAYERS", "TURNS"))
    asked.add_argument(
        "--size", type=int, default=2, help="size of the developed world in thousands of tiles"
    )
    asked.add_argument("--save", action="store_true", help="write the figures to RESULTS.md")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        saves = list(options.saves)
        if options.develop:
            saves.append(develop(Path(folder), *options.develop, options.size))
        text = lines([figures(save) for save in saves])
    print("\n".join(text))
    if options.save:
        write(text)


if __name__ == "__main__":
    main()
