"""A turn change of Empires beside the installed freeciv server's, on the same savegames, in CPU time.

    python bench/empires.py SAVE...

The server is run twice on each save, for 1 turn and for many, as user nobody where we are root; the difference
is what a turn change costs it. Ours is the median of as many changes from the same save.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from endturn.games.empires.freeciv import savegame, secfile
from endturn.games.empires.rules import sequence

SERVER = shutil.which("freeciv-server") or "/usr/games/freeciv-server"
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
        os.chmod(folder, 0o777)
        plain = Path(folder) / "start.sav"
        file = secfile.read(save)
        content = save.read_bytes()
        opener = secfile.OPENERS.get(save.suffix)
        plain.write_bytes(opener(content) if opener else content)
        last = file.need("game").integer("turn") + turns - 1
        script = Path(folder) / "script.serv"
        script.write_text(
            f'set saveturns 0\nset autosaves ""\nset victories ""\nset timeout -1\nset endturn {last}\nstart\n'
        )
        command = [
            SERVER,
            "-b",
            "127.0.0.1",
            "-p",
            "5799",
            "-A",
            "none",
            "-e",
            "-r",
            str(script),
            "-f",
            str(plain),
        ]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=nobody", "--clear-groups", *command]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return
    print("save | cities | units | ours, ms | server, ms | times")
    for name in sys.argv[1:]:
        save = Path(name)
        mine, cities, units = ours(save)
        theirs = (
            (server(save, TURNS) - server(save, 1)) / (TURNS - 1) if Path(SERVER).exists() else float("nan")
        )
        print(f"{name} | {cities} | {units} | {mine * 1000:.1f} | {theirs * 1000:.1f} | {mine / theirs:.1f}")


if __name__ == "__main__":
    main()
