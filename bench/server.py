"""Measures the server: actions under load, a start with many matches, memory per match, and writes.

    python bench/server.py [--quick] [--save]

`--quick` plays a tenth of the matches at a tenth of the rate, for a busy machine. `--save` writes the figures to the
section Server of bench/RESULTS.md.

- load: `endturn loadtest` and the server run in separate processes; CPU times come from /proc.
- memory: a new process creates many matches, first all loaded, then all unloaded to the archive. The result is the
  growth of its resident memory, divided by the number of matches.
- start: the time of `endturn serve` with the archive of these matches, from process start to the first answer to
  /health; the best of three. Python's compiled modules exist already, as after any earlier start.
- writes: the CPU time of an entry, alone in its transaction and in groups.
"""

import argparse
import asyncio
import datetime
import gc
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
BEGIN, END = "<!-- server: written by server.py --save -->", "<!-- end of server -->"
PLAYED = 20  # actions in each match
ENDTURN = [sys.executable, "-c", "from endturn.cli import main; main()"]


class Line(NamedTuple):
    """One figure with its target; `held` is None without a target."""

    what: str
    measured: str
    target: str = ""
    held: bool | None = None

    def __str__(self) -> str:
        verdict = {True: "yes", False: "**NO**", None: ""}[self.held]
        return f"| {self.what} | {self.measured} | {self.target} | {verdict} |"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument(
        "--matches", type=int, default=1000, help="number of matches, loaded and in the archive"
    )
    asked.add_argument("--game", default="anarchy")
    asked.add_argument("--quick", action="store_true", help="a tenth of the load")
    asked.add_argument("--seconds", type=int, default=30, help="seconds of load")
    asked.add_argument("--save", action="store_true", help="write the figures to RESULTS.md")
    asked.add_argument("--part", help=argparse.SUPPRESS)
    asked.add_argument("--db", help=argparse.SUPPRESS)
    said = asked.parse_args()
    if said.part:
        print(json.dumps(PARTS[said.part](said)))
        return
    lines = [heading(), ""]
    print(lines[0], flush=True)
    for line in ("| | measured | target | held |", "|---|--:|--:|---|", *measured(said)):
        lines.append(str(line))
        print(line, flush=True)
    if said.save:
        save(lines)


def heading() -> str:
    """Return a line with the date and the machine."""
    version = platform.python_version()
    load = os.getloadavg()[0]
    return f"{datetime.date.today()}, {os.cpu_count()} cores, Python {version}, load at the start {load:.1f}."


def measured(said: argparse.Namespace) -> Iterator[Line]:
    yield from load(said)
    with tempfile.TemporaryDirectory() as folder:
        db = f"sqlite:///{folder}/arena.db"
        found = part_of(said, "memory", db)
        yield Line(
            "memory per loaded match, idle",
            kilobytes(found["awake"]),
            "<= 200 kB",
            found["awake"] <= 200e3,
        )
        yield Line("memory per unloaded match", kilobytes(found["asleep"]))
        yield from start(said, db, folder)
        found = part_of(said, "rebuilding", db)
        yield Line(f"loading a match of {PLAYED} actions (CPU time)", f"{found['ms']:.1f} ms")
        for size, spent in part_of(said, "writes", db).items():
            yield Line(f"an entry in a group of {size} (CPU time)", f"{spent:.0f} us")


# --- load ---------------------------------------------------------------------------------------------------


def load(said: argparse.Namespace) -> Iterator[Line]:
    matches = 200 if said.quick else 2000
    own = ["--matches", str(matches), "--rate", str(matches), "--seconds", str(said.seconds), "--json"]
    done = subprocess.run(
        [*ENDTURN, "loadtest", said.game, *own], stdout=subprocess.PIPE, text=True, check=False
    )
    report = json.loads(done.stdout.splitlines()[-1])
    actions = max(1, report["actions"])
    what = f"`endturn loadtest --matches {matches} --rate {matches} --seconds {said.seconds}`"
    yield Line(f"{what}: answered per second", f"{report['rate']:.0f}, {report['errors']} errors")
    asked = ("", None) if said.quick else ("<= 50 ms", report["p99"] <= 50 and not report["errors"])
    yield Line("99 % of actions answered within", f"{report['p99']:.1f} ms", *asked)
    yield Line("50 % within, 100 % within", f"{report['p50']:.1f} ms, {report['worst']:.1f} ms")
    yield Line("CPU time of the server per action", f"{1000 * report['server_cpu_seconds'] / actions:.3f} ms")
    yield Line("CPU time of the load generator per action", f"{1000 * report['cpu'] / actions:.3f} ms")


# --- start --------------------------------------------------------------------------------------------------


def start(said: argparse.Namespace, db: str, folder: str) -> Iterator[Line]:
    """Measure a start with the archive that `memory` left."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started(environment, f"sqlite:///{folder}/other.db")  # compiles the modules
    runs = [started(environment, db) for _ in range(3)]
    wall, cpu = (min(each) for each in zip(*runs, strict=True))
    what = f"from process start to the first /health, {said.matches} unfinished matches"
    yield Line(what, f"{wall:.2f} s", "<= 1 s", wall <= 1)
    yield Line("CPU time of that", f"{cpu:.2f} s")


def started(environment: dict[str, str], db: str) -> tuple[float, float]:
    """Return the seconds until a server answers, and its CPU time until then."""
    began = time.perf_counter()
    command = [*ENDTURN, "serve", "--port", "0", "--no-cadre", "--db", db]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        found = None
        while found is None and (line := process.stdout.readline()):
            found = re.search(r"http://[^ ]*[0-9]", line)
        assert found is not None, "the server did not start"
        with urlopen(f"{found.group()}/health") as answer:
            assert answer.status == 200
        return time.perf_counter() - began, cpu_of(process.pid)
    finally:
        process.terminate()
        process.communicate()


def cpu_of(pid: int) -> float:
    """Return the CPU seconds a process has used, from /proc."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- parts in processes of their own ------------------------------------------------------------------------


def part_of(said: argparse.Namespace, part: str, db: str) -> dict[str, float]:
    """Run one measurement in a new process."""
    command = [sys.executable, __file__, "--part", part, "--db", db]
    command += ["--matches", str(said.matches), "--game", said.game]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def memory(said: argparse.Namespace) -> dict[str, float]:
    from endturn.archive.store import Store
    from endturn.games import find
    from endturn.server import lobby as module

    async def inside() -> dict[str, float]:
        lobby = module.Lobby(Store(said.db))
        await lobby.start()
        game = find(said.game)
        await filled(lobby, game, 20)  # the first matches also pay for imports and caches
        before = resident()
        await filled(lobby, game, said.matches)
        awake = (resident() - before) / said.matches
        for room in lobby.rooms.values():
            room.touched = 0.0
        await lobby._let_go()
        asleep = (resident() - before) / said.matches
        assert not lobby.rooms
        await lobby.close()
        return {"awake": awake, "asleep": asleep}

    return asyncio.run(inside())


async def filled(lobby: Any, game: Any, many: int) -> None:
    """Create matches with a person in each seat, and play a few actions in each."""
    from endturn.server.clock import Timing
    from endturn.server.seat import Seat

    async def one(number: int) -> None:
        seats = [
            Seat("person", f"player {seat}", token=f"{number} {seat}") for seat in range(game.seat_count)
        ]
        room = await lobby.create(game, game.configure(), seats, Timing("deadline", 86400), seed=number)
        for step in range(PLAYED):
            seat = room.match.to_act()[0]
            await room.act(seat, room.match.random_action(seat, number, step))

    for first in range(0, many, 50):
        await asyncio.gather(*(one(number) for number in range(first, min(first + 50, many))))


def rebuilding(said: argparse.Namespace) -> dict[str, float]:
    from endturn.archive.store import Store
    from endturn.server.lobby import Lobby

    async def inside() -> dict[str, float]:
        lobby = Lobby(Store(said.db))
        await lobby.start()
        first, *names = list(lobby.asleep)[:21]
        await lobby.find(first)
        began = time.process_time()
        for name in names:
            room = await lobby.find(name)
            assert room is not None and len(room.entries) == PLAYED
        spent = 1000 * (time.process_time() - began) / len(names)
        await lobby.close()
        return {"ms": spent}

    return asyncio.run(inside())


def writes(said: argparse.Namespace) -> dict[str, float]:
    from endturn.archive.store import ENTRIES, Store, insert

    store = Store(said.db)
    match, number, told = store.unfinished()[0]["id"], PLAYED, {}
    clock = '{"at":1.0,"left":[1.0,2.0],"turns":[0,1],"on":[0],"paused":false}'
    for size in (1, 10, 100):
        rows = []
        for _ in range(2000):
            number += 1
            said_there = {"match": match, "number": number, "at": 1, "kind": "act", "seat": 0}
            rows.append(insert(ENTRIES, {**said_there, "body": '{"do":"bet"}', "clock": clock}))
        began = time.process_time()
        for first in range(0, len(rows), size):
            store.write(rows[first : first + size])
        told[str(size)] = 1e6 * (time.process_time() - began) / len(rows)
    store.close()
    return told


def kilobytes(size: float) -> str:
    return f"{size / 1000:.1f} kB"


def save(lines: list[str]) -> None:
    """Write the figures into their section of RESULTS.md; add the section if it is missing."""
    text = RESULTS.read_text()
    if BEGIN not in text:
        text = f"{text.rstrip()}\n\n## Server\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    RESULTS.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{rest.partition(END)[2]}")


PARTS = {"memory": memory, "rebuilding": rebuilding, "writes": writes}


if __name__ == "__main__":
    main()
