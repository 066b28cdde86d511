"""A turn change of Empires beside the installed freeciv server's, on the same savegames, in CPU time.

    python bench/empires.py [--save] SAVE...
    python bench/empires.py [--save] --develop PLAYERS TURNS [--size THOUSANDS]

The server is run twice on each save, for 1 turn and for many, as user nobody where we are root; the difference
is what a turn change costs it. Ours is the median of as many changes, of which the first five from the same save.
`--develop` first lets the server's bots make a world; `--save` writes the figures into bench/RESULTS.md.
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
TARGET = 3.0  # times the server's
LOADING = 0.5  # seconds
RESULTS = Path(__file__).parent / "RESULTS.md"
BEGIN, END = "<!-- empires: written by empires.py --save -->", "<!-- end of empires -->"


class Figures(NamedTuple):
    """What came of one save."""

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
        world.settings["endturn"] = LAST_TURN  # a game that is over has no city turns
        sequence.prepare(world)
        for _ in range(CHANGES):
            start = time.process_time()
            sequence.turn_change(world)
            times.append(time.process_time() - start)
    return statistics.median(times), len(world.cities), len(world.units)


def loading(save: Path) -> float:
    """Seconds to load a save with its ruleset, which nothing has read before; the best of a few."""
    times = []
    for _ in range(REPEATS):
        installed.load.cache_clear()
        start = time.process_time()
        savegame.load(save)
        times.append(time.process_time() - start)
    return min(times)


def server(save: Path) -> float:
    """What a turn change costs the server; the best of a few, as its start varies."""
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
    """A world of classic rules in which nobody acts any more."""
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
        f"a turn change at most {TARGET:.0f} times the server's; a save with its ruleset loaded in {LOADING} s.",
        "",
        "| save | cities | units | ours, ms | server, ms | times | held | ms a city or unit | loading, s |",
        "|---|---|---|---|---|---|---|---|---|",
        *(each.row() for each in found),
    ]


def write(text: list[str]) -> None:
    """Put the figures into their part of RESULTS.md, which is made if there is none."""
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
        "--size", type=int, default=2, help="thousands of tiles of the world that is developed"
    )
    asked.add_argument("--save", action="store_true", help="write the figures into RESULTS.md")
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
