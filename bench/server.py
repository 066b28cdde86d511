"""What matches cost a server that holds them: memory of an idle one, a start with many, CPU time of a write.

    python bench/server.py

- memory: a new process makes so many matches; what its resident memory grew by, divided by their number. Once with
  every match in memory, once with all of them asleep in the archive.
- start: from opening the archive to a lobby that answers, in a new process, with so many unfinished matches of a few
  moves each; and how long the first of them takes to be found then.
- writes: CPU time of an entry, alone in its transaction and in groups.
"""

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PLAYED = 20  # actions in each match


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--matches", type=int, default=1000)
    asked.add_argument("--game", default="anarchy")
    asked.add_argument("--backend", default="plain")
    asked.add_argument("--part", help=argparse.SUPPRESS)
    asked.add_argument("--db", help=argparse.SUPPRESS)
    said = asked.parse_args()
    if said.part:
        print(json.dumps(PARTS[said.part](said)))
        return
    with tempfile.TemporaryDirectory() as folder:
        db = f"sqlite:///{folder}/arena.db"
        for part in PARTS:
            print(f"{part}: {part_of(said, part, db)}", flush=True)


def part_of(said: argparse.Namespace, part: str, db: str) -> str:
    """One measurement in a process of its own."""
    own = ["--matches", str(said.matches), "--game", said.game, "--backend", said.backend]
    command = [sys.executable, __file__, "--part", part, "--db", db, *own]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return ", ".join(f"{what} {value}" for what, value in json.loads(done.stdout.splitlines()[-1]).items())


def resident() -> int:
    """Bytes of memory this process holds now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def memory(said: argparse.Namespace) -> dict[str, str]:
    from endturn.archive.store import Store  # noqa: PLC0415  (imports are a part of what is measured elsewhere)
    from endturn.games import find  # noqa: PLC0415
    from endturn.server import lobby as module  # noqa: PLC0415

    async def inside() -> dict[str, str]:
        lobby = module.Lobby(Store(said.db), said.backend)
        await lobby.start()
        game = find(said.game)
        await filled(lobby, game, 20)  # what the first ones import and cache is not theirs
        before = resident()
        await filled(lobby, game, said.matches)
        awake = (resident() - before) / said.matches
        for room in lobby.rooms.values():
            room.touched = 0.0
        await lobby._let_go()
        asleep = (resident() - before) / said.matches
        assert not lobby.rooms
        await lobby.close()
        return {"a match in memory": kilobytes(awake), "a match asleep": kilobytes(asleep)}

    return asyncio.run(inside())


async def filled(lobby: Any, game: Any, many: int) -> None:
    """So many matches of two people, a few actions played in each."""
    from endturn.server.clock import Timing  # noqa: PLC0415
    from endturn.server.room import Seat  # noqa: PLC0415

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


def start(said: argparse.Namespace) -> dict[str, str]:
    """The archive that `memory` left."""
    began = time.monotonic()
    from endturn.archive.store import Store  # noqa: PLC0415
    from endturn.server.lobby import Lobby  # noqa: PLC0415

    imported = time.monotonic()

    async def inside() -> dict[str, str]:
        opened = time.monotonic()
        lobby = Lobby(Store(said.db), said.backend)
        await lobby.start()
        ready = time.monotonic()
        names = list(lobby.asleep)
        assert len(names) >= said.matches
        for name in names[:20]:
            room = await lobby.find(name)
            assert room is not None and len(room.entries) == PLAYED
        found = (time.monotonic() - ready) / 20
        await lobby.close()
        return {
            "imports": f"{imported - began:.3f} s",
            f"ready with {len(names)} unfinished matches": f"{ready - opened:.3f} s",
            "from the start of Python on": f"{ready - began:.3f} s",
            "a match found": f"{found * 1000:.1f} ms",
        }

    return asyncio.run(inside())


def writes(said: argparse.Namespace) -> dict[str, str]:
    from endturn.archive.store import ENTRIES, Store, insert  # noqa: PLC0415

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
        spent = (time.process_time() - began) / len(rows)
        told[f"an entry in a group of {size}"] = f"{spent * 1e6:.0f} us"
    store.close()
    return told


def kilobytes(size: float) -> str:
    return f"{size / 1000:.1f} kB"


PARTS = {"memory": memory, "start": start, "writes": writes}


if __name__ == "__main__":
    main()
