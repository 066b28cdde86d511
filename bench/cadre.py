"""What the Cadre transport costs: CPU a run and memory a session, beside the original server's figures.

    python bench/cadre.py [--backend compiled] [--sessions 100] [--game Anarchy] [--profile server|loop]

The server is a process of its own, with its archive in a file as always; its CPU time (all threads, user and
system) is read from /proc before and after. The clients are in this process: each session's player at turn runs
what is legal, one run after the other as real clients do, and ends its turn after ten. The original's figures are
from docs/cadre.md: one process a session, its CPU beyond its start divided by the runs.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
ORIGINAL = {"accepted": 700.0, "refused": 225.0, "memory": 110_000.0}  # us, us, kB
SERVER = """
import asyncio, cProfile, pstats, sys, time
from endturn.archive.store import Store
from endturn.server.app import run, share_the_interpreter, spare_the_collector
from endturn.server.lobby import Lobby
from endturn.server.transports.cadre import Limits, start_cadre

async def main():
    lobby = Lobby(Store("sqlite:///" + sys.argv[1]), sys.argv[2])
    await lobby.start()
    server = await start_cadre(lobby, port=0, http_port=0, web_port=None, limits=Limits(rate=10**9))
    spare_the_collector()
    share_the_interpreter()
    print(server.ports["tcp"], flush=True)
    profile = cProfile.Profile(time.thread_time)
    while word := (await asyncio.to_thread(sys.stdin.readline)).strip():
        if word == "profile":
            profile.enable()
        else:
            profile.disable()
            pstats.Stats(profile).sort_stats(word).print_stats(60)
            sys.stdout.flush()

run(main())
"""


class Server:
    """The server's process."""

    def __init__(self, backend: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-c", SERVER, f"{self.folder.name}/arena.db", backend]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def cpu(self) -> float:
        return sum(self.times())

    def times(self) -> tuple[float, float]:
        """Seconds in the program and in the system on its behalf, of all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) / TICKS, int(fields[12]) / TICKS

    def memory(self) -> int:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1])

    def say(self, word: str) -> None:
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


class Player(asyncio.Protocol):
    """A client that reads only what it must, so that the machine is the server's."""

    def __init__(self) -> None:
        self.rest, self.state, self.waiting, self.seen = b"", None, None, 0

    def connection_made(self, transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        *frames, self.rest = (self.rest + data).split(b"\x04")
        for frame in frames:
            if self.state is None and frame.startswith(b'{"event":"delta"'):
                self.state = json.loads(frame)["data"]
            elif frame.startswith(
                (b'{"event":"ran"', b'{"event":"order"', b'{"event":"over"', b'{"event":"fatal"')
            ):
                self.heard(frame)

    def heard(self, frame: bytes) -> None:
        if frame.startswith(b'{"event":"fatal"'):
            sys.exit(f"The server ended a match: {frame.decode()}")
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(frame)
        else:
            self.seen = frame

    async def next(self) -> bytes:
        """The next answer or order."""
        if self.seen:
            seen, self.seen = self.seen, 0
            return seen
        self.waiting = asyncio.get_running_loop().create_future()
        frame = await self.waiting
        self.waiting = None
        return frame

    def send(self, event: str, data) -> None:
        self.transport.write(json.dumps({"event": event, "data": data}).encode() + b"\x04")

    async def run(self, caller: str, function: str, args: dict) -> bytes:
        self.send("run", {"caller": {"id": caller}, "functionName": function, "args": args})
        return await self.next()

    def finish(self, order: bytes) -> None:
        self.send("finished", {"orderIndex": json.loads(order)["data"]["index"], "returned": True})


class Session:
    """Two players, and what each of them can run."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.accepted = self.refused = self.turns = 0

    async def open(self, port: int, number: int, settings: str) -> None:
        loop = asyncio.get_running_loop()
        made = [await loop.create_connection(Player, "127.0.0.1", port) for _ in range(2)]
        self.players = [player for _, player in made]
        for player in self.players:
            wish = {"gameName": self.game, "requestedSession": f"s{number}", "gameSettings": settings}
            player.send("play", wish)
            await asyncio.sleep(0)
        self.order = await self.players[0].next()
        self.seat = 0
        while self.players[1].state is None:
            await asyncio.sleep(0.01)
        self.plans = [self._plan(seat) for seat in (0, 1)]
        self.wrong = [self._wrong(seat) for seat in (0, 1)]

    def _plan(self, seat: int) -> list[tuple[str, str, dict]]:
        """Ten runs that are accepted every turn."""
        objects = self.players[0].state["gameObjects"]
        own = [(k, o) for k, o in objects.items() if o.get("owner") == {"id": str(seat)}]
        if self.game == "Anarchy":
            ids = [k for k, o in own if o["gameObjectName"] == "Warehouse" and not o["isHeadquarters"]]
            return [(k, "ignite", {"building": {"id": k}}) for k in ids[:10]]
        tile = next(o["tile"] for _, o in own if o["gameObjectName"] == "Unit")
        units = [k for k, o in own if o["gameObjectName"] == "Unit"]
        return [(k, "drop", {"tile": tile, "resource": "food", "amount": 1}) for k in units]

    def _wrong(self, seat: int) -> tuple[str, str, dict]:
        """A run that the game's rules refuse."""
        caller, _, args = self.plans[seat][0]
        if self.game == "Anarchy":
            headquarters = self.players[0].state["gameObjects"]["0"]["headquarters"]
            return caller, "ignite", {"building": headquarters}
        return caller, "attack", {"tile": args["tile"]}

    async def play(self, turns: int, runs: bool, refused: int) -> None:
        for _ in range(turns):
            player, other = self.players[self.seat], self.players[1 - self.seat]
            for run in self.plans[self.seat] if runs else ():
                answer = await player.run(*run)
                self._count(answer)
            for _ in range(refused):
                await player.run(*self.wrong[self.seat])
                self.refused += 1
            player.finish(self.order)
            self.order = await other.next()
            self.seat, self.turns = 1 - self.seat, self.turns + 1

    def _count(self, answer: bytes) -> None:
        if answer.endswith((b"false}", b"-1}")):
            self.refused += 1
        else:
            self.accepted += 1


async def phase(
    server: Server, sessions: list[Session], turns: int, runs: bool, refused: int
) -> dict[str, float]:
    """Play on; what that cost the server."""
    for session in sessions:
        session.accepted = session.refused = session.turns = 0
    before, system, clock = server.cpu(), server.times()[1], asyncio.get_running_loop().time()
    await asyncio.gather(*(session.play(turns, runs, refused) for session in sessions))
    spent, wall = server.cpu() - before, asyncio.get_running_loop().time() - clock
    counts = {name: sum(getattr(s, name) for s in sessions) for name in ("accepted", "refused", "turns")}
    return {"cpu": spent, "system": server.times()[1] - system, "wall": wall, **counts}


async def measure(options: argparse.Namespace) -> dict[str, float]:
    server = Server(options.backend)
    try:
        sessions = [Session(options.game) for _ in range(options.sessions)]
        warm = Session(options.game)
        await warm.open(server.port, 10**6, options.settings)
        await warm.play(4, True, 2)  # compiled rules are loaded, caches are filled
        empty, cpu = server.memory(), server.cpu()
        for number, session in enumerate(sessions):
            await session.open(server.port, number, options.settings)
        start = (server.cpu() - cpu) / len(sessions)
        memory = (server.memory() - empty) / len(sessions)
        idle = await phase(server, sessions, options.turns, False, 0)
        if options.profile:
            server.say("profile")
        played = await phase(server, sessions, options.turns, True, 0)
        if options.profile:
            server.say(options.profile)
            await asyncio.sleep(1)
            os.set_blocking(server.process.stdout.fileno(), False)
            print(server.process.stdout.read())
        refused = await phase(server, sessions, 2, False, 10 * options.turns)
        after = (server.memory() - empty) / len(sessions)
    finally:
        server.close()
    turn = idle["cpu"] / idle["turns"] * 1e6
    runs = max(1, played["accepted"])
    return {
        "start_ms": start * 1e3,
        "memory_kb": memory,
        "memory_after_kb": after,
        "turn_us": turn,
        "run_us": (played["cpu"] * 1e6 - played["turns"] * turn) / runs,
        "run_with_turns_us": played["cpu"] * 1e6 / runs,
        "in_the_system_us": played["system"] * 1e6 / runs,
        "runs": played["accepted"],
        "runs_per_turn": played["accepted"] / played["turns"],
        "not_accepted": played["refused"],
        "runs_per_second": played["accepted"] / played["wall"],
        "refused_us": (refused["cpu"] * 1e6 - refused["turns"] * turn) / max(1, refused["refused"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="plain")
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--game", default="Anarchy")
    parser.add_argument("--settings", default="playerStartingTime=1000000000000")
    parser.add_argument("--profile", choices=("tottime", "cumtime"))
    options = parser.parse_args()
    found = asyncio.run(measure(options))
    for name, value in found.items():
        print(f"{name:20} {value:10.1f}")
    print(
        f"accepted run, turns' ends included: {ORIGINAL['accepted'] / found['run_with_turns_us']:.1f} x less CPU"
    )
    print(f"refused run: {ORIGINAL['refused'] / found['refused_us']:.1f} x less CPU")
    print(f"memory a session: {ORIGINAL['memory'] / max(1, found['memory_after_kb']):.0f} x less")


if __name__ == "__main__":
    main()
