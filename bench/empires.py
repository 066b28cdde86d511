"""A turn change of Empires beside the installed freeciv server's, on the same savegames, in CPU time.

    python bench/empires.py SAVE...

The server is run twice on each save, for 1 turn and for many, as user nobody where we are root; the difference
is what a turn change costs it. Ours is the median of as many changes from the same save.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from endturn.games.empires.freeciv import oracle, savegame, secfile
from endturn.games.empires.rules import sequence

TURNS = 21


def ours(save: Path) -> tuple[float, int, int]:
    times = []
    for _ in range(3):
        world = savegame.load(save)
        sequence.prepare(world)
        for _ in range(5):
            start = time.process_time()
            sequence.turn_change(world)
            times.append(time.process_time() - start)
    return statistics.median(times), len(world.cities), len(world.units)


def server(save: Path, turns: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "start.sav"
        content = save.read_bytes()
        opener = secfile.OPENERS.get(save.suffix)
        plain.write_bytes(opener(content) if opener else content)
        last = secfile.read(plain).need("game").integer("turn") + turns - 1
        orders = (
            "set saveturns 0",
            'set autosaves ""',
            'set victories ""',
            "set timeout -1",
            f"set endturn {last}",
        )
        return oracle.serve(Path(folder), orders, plain)


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return
    print("save | cities | units | ours, ms | server, ms | times")
    for name in sys.argv[1:]:
        save = Path(name)
        mine, cities, units = ours(save)
        theirs = (
            (server(save, TURNS) - server(save, 1)) / (TURNS - 1) if oracle.is_installed() else float("nan")
        )
        print(f"{name} | {cities} | {units} | {mine * 1000:.1f} | {theirs * 1000:.1f} | {mine / theirs:.1f}")


if __name__ == "__main__":
    main()
