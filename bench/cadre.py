"""Measures the Cadre transport: CPU time per run and memory per session, compared with the original server.

    python bench/cadre.py [--game Anarchy] [--sessions 100] [--turns 10] [--rounds 5] [--profile tottime]
    python bench/cadre.py --bots 30 [--game Anarchy]

The server runs in its own process, on uvloop and with its archive in a file, as usual. The script reads its CPU time
(all threads, user and system, in nanoseconds) from /proc before and after. The clients run in this process. In each
session, the player to act sends legal runs one after the other, as real clients do, and ends its turn after ten; then
it sends runs that are refused.

Runs and ends of turns are measured separately, because the end of a turn costs more the more buildings burn. The
original's figure for an accepted run of Anarchy includes its share of them and is compared with
`accepted_with_turns_us`; its figure for Catastrophe covers a move alone, and is its lowest, from the first turns of a
match. Most messages to the opponent go out with the end of the turn and count as part of it. With many sessions, runs
that arrive together share a commit, as on any server with more than one match; with `--sessions 1` every run has its
own commit.

The floor is the cost of a uvloop server that only answers each message with the same number of bytes. CPU time grows
when other programs use the caches, so every round also times a loop of plain Python (`python_loop_ms`). Use both to
compare measurements. `--rounds` repeats everything and prints the minimum and the median. The original's figures are
in docs/cadre.md.

With `--bots` the clients are real programs: two processes of `endturn bot GAME random` per session, which leave little
of two cores to the server. The cost of a run, with its share of the ends of turns but without the start and end of a
match, is the difference between matches of 200 turns and of two.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import uvloop

ORIGINAL = {"refused": 225.0, "memory": 110_000.0, "start": 550.0}  # us, kB, ms
ACCEPTED = {"Anarchy": 700.0, "Catastrophe": 1300.0}  # us
LIKE = {"Anarchy": "accepted_with_turns_us", "Catastrophe": "accepted_us"}  # our figure that compares with it
WHOLE = 1000  # accepted runs in a whole match
SETTINGS = "playerStartingTime=1000000000000"
TOLD = b'{"event":"ran"', b'{"event":"order"', b'{"event":"over"', b'{"event":"fatal"'
SERVER = """
import asyncio, cProfile, pstats, sys, time
from endturn.archive.store import Store
from endturn.server.app import run, search_for_garbage, share_the_interpreter
from endturn.server.lobby import Lobby
from endturn.server.transports.cadre import NO_LIMITS, CadreConfig, start_cadre

async def main():
    lobby = Lobby(Store("sqlite:///" + sys.argv[1]), sys.argv[2])
    await lobby.start()
    server = await start_cadre(lobby, CadreConfig(port=0, http_port=0, web_port=None, limits=NO_LIMITS))
    searching = asyncio.create_task(search_for_garbage())
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
ECHO = """
import asyncio, uvloop
class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
    def data_received(self, data):
        self.transport.write(ANSWER)
ANSWER = b'{"event":"ran"'.ljust(300) + b"\\x04"
async def main():
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
uvloop.run(main())
"""


class Server:
    """A server process."""

    def __init__(self, program: str, *args: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-c", program, f"{self.folder.name}/arena.db", *args]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def times(self) -> dict[str, float]:
        """Return the CPU seconds of all running threads, and of the first thread, which runs the event loop."""
        threads = list(Path(f"/proc/{self.process.pid}/task").iterdir())
        spent = {each.name: int((each / "schedstat").read_text().split()[0]) / 1e9 for each in threads}
        return {"cpu": sum(spent.values()), "loop": spent[str(self.process.pid)]}

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


def message(event: str, data) -> bytes:
    return json.dumps({"event": event, "data": data}).encode() + b"\x04"


def run_of(caller: str, function: str, **args) -> bytes:
    return message("run", {"caller": {"id": caller}, "functionName": function, "args": args})


class Player(asyncio.Protocol):
    """A client that parses as little as possible, to leave the CPU to the server."""

    def __init__(self) -> None:
        self.rest, self.state, self.waiting, self.seen = b"", None, None, None

    def connection_made(self, transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        *frames, self.rest = (self.rest + data).split(b"\x04")
        for frame in frames:
            if frame.startswith(TOLD):
                self.heard(frame)
            elif self.state is None and frame.startswith(b'{"event":"delta"'):
                self.state = json.loads(frame)["data"]

    def heard(self, frame: bytes) -> None:
        if frame.startswith(b'{"event":"fatal"'):
            sys.exit(f"The server ended a match: {frame.decode()}")
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(frame)
        else:
            self.seen = frame

    async def next(self) -> bytes:
        """Wait for the next answer or order."""
        if self.seen:
            seen, self.seen = self.seen, None
            return seen
        self.waiting = asyncio.get_running_loop().create_future()
        return await self.waiting

    async def run(self, said: bytes) -> bytes:
        self.transport.write(said)
        return await self.next()

    def finish(self, order: bytes) -> None:
        index = json.loads(order)["data"]["index"]
        self.transport.write(message("finished", {"orderIndex": index, "returned": True}))


class Session:
    """Two players and the runs that each can send."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.accepted = self.refused = self.turns = self.played = 0

    async def open(self, port: int, number: int) -> None:
        loop = asyncio.get_running_loop()
        made = [await loop.create_connection(Player, "127.0.0.1", port) for _ in range(2)]
        self.players = [player for _, player in made]
        wish = {"gameName": self.game, "requestedSession": f"s{number}", "gameSettings": SETTINGS}
        for player in self.players:
            player.transport.write(message("play", wish))
            await asyncio.sleep(0)
        self.order = await self.players[0].next()
        self.seat = 0
        while self.players[1].state is None:
            await asyncio.sleep(0.01)
        self.objects = self.players[0].state["gameObjects"]
        plan = self._fires if self.game == "Anarchy" else self._moves
        self.plans = [plan(seat) for seat in (0, 1)]

    def _own(self, seat: int, kind: str) -> list[dict]:
        wanted = {"owner": {"id": str(seat)}, "gameObjectName": kind}
        return [each for each in self.objects.values() if wanted.items() <= each.items()]

    def _fires(self, seat: int) -> tuple[list[bytes], list[bytes], bytes]:
        """Return ten runs that are accepted in every turn, and one that is refused."""
        ids = [each["id"] for each in self._own(seat, "Warehouse") if not each["isHeadquarters"]]
        runs = [run_of(number, "ignite", building={"id": number}) for number in ids[:10]]
        return runs, runs, run_of(ids[0], "ignite", building=self.objects["0"]["headquarters"])

    def _moves(self, seat: int) -> tuple[list[bytes], list[bytes], bytes]:
        """Return moves of every unit to a free tile and back, and an attack on its own side, which is refused."""
        there, back = [], []
        for unit in self._own(seat, "Unit"):
            here = self.objects[unit["tile"]["id"]]
            if (free := self._free_beside(here)) is not None:
                self.objects[free]["unit"] = unit  # reserves the tile
                there.append(run_of(unit["id"], "move", tile={"id": free}))
                back.append(run_of(unit["id"], "move", tile={"id": here["id"]}))
        return there, back, run_of(unit["id"], "attack", tile=unit["tile"])

    def _free_beside(self, tile: dict) -> str | None:
        sides = [tile[f"tile{side}"] for side in ("North", "East", "South", "West")]
        known = [side["id"] for side in sides if side is not None]
        return next(
            (n for n in known if not self.objects[n]["unit"] and not self.objects[n]["structure"]), None
        )

    async def run(self, runs: bool, refused: int) -> None:
        """Send the runs of the player to act."""
        player, (*plan, wrong) = self.players[self.seat], self.plans[self.seat]
        for said in plan[self.played // 2 % 2] if runs else ():
            self._count(await player.run(said))
        for _ in range(refused):
            self._count(await player.run(wrong))
        self.played += runs

    async def end_turn(self) -> None:
        self.players[self.seat].finish(self.order)
        self.seat, self.turns = 1 - self.seat, self.turns + 1
        self.order = await self.players[self.seat].next()
        if not self.order.startswith(b'{"event":"order"'):
            sys.exit("A match ended too early. Choose fewer --turns.")

    def _count(self, answer: bytes) -> None:
        if answer.endswith((b"false}", b"-1}")):
            self.refused += 1
        else:
            self.accepted += 1


async def phase(
    server: Server, sessions: list[Session], turns: int, runs: bool, refused: int
) -> dict[str, float]:
    """Play some turns; return what the runs and the ends of turns cost the server."""
    for session in sessions:
        session.accepted = session.refused = session.turns = 0
    spent = dict.fromkeys(("cpu", "loop", "wall", "turns_cpu"), 0.0)
    for _ in range(turns):
        before, clock = server.times(), time.perf_counter()
        await asyncio.gather(*(session.run(runs, refused) for session in sessions))
        after = server.times()
        spent["wall"] += time.perf_counter() - clock
        spent["cpu"] += after["cpu"] - before["cpu"]
        spent["loop"] += after["loop"] - before["loop"]
        await asyncio.gather(*(session.end_turn() for session in sessions))
        spent["turns_cpu"] += server.times()["cpu"] - after["cpu"]
    counts = {name: sum(getattr(s, name) for s in sessions) for name in ("accepted", "refused", "turns")}
    return counts | spent


async def measure(options: argparse.Namespace, game: str) -> dict[str, float]:
    server = Server(SERVER, options.backend)
    try:
        warm, sessions = Session(game), [Session(game) for _ in range(options.sessions)]
        await warm.open(server.port, 10**6)
        await phase(server, [warm], 4, True, 2)  # loads compiled rules, fills caches
        empty, cpu = server.memory(), server.times()["cpu"]
        for number, session in enumerate(sessions):
            await session.open(server.port, number)
        start = (server.times()["cpu"] - cpu) / len(sessions)
        if options.profile:
            server.say("profile")
        played = await phase(server, sessions, options.turns, True, 0)
        if options.profile:
            server.say(options.profile)
            await asyncio.sleep(2)
            os.set_blocking(server.process.stdout.fileno(), False)
            print(server.process.stdout.read())
        refused = await phase(server, sessions, 2, False, 10 * options.turns)
        memory = (server.memory() - empty) / len(sessions)
    finally:
        server.close()
    found = {"start_ms": start * 1e3, "memory_kb": memory, **figures(played, refused)}
    return {"python_loop_ms": loop_of_python(), **found}


def figures(played: dict, refused: dict) -> dict[str, float]:
    """Return the microseconds per run, and where they are spent."""
    accepted, many = max(1, played["accepted"]), max(1, refused["refused"])
    return {
        "accepted_us": played["cpu"] / accepted * 1e6,
        "  of it on the loop": played["loop"] / accepted * 1e6,
        "  of it on the journal": (played["cpu"] - played["loop"]) / accepted * 1e6,
        "end_of_turn_us": played["turns_cpu"] / played["turns"] * 1e6,
        "accepted_with_turns_us": (played["cpu"] + played["turns_cpu"]) / accepted * 1e6,
        "refused_us": refused["cpu"] / many * 1e6,
        "accepted_runs": played["accepted"],
        "not_accepted": played["refused"],
        "accepted_per_second": played["accepted"] / played["wall"],
        "refused_per_second": refused["refused"] / refused["wall"],
    }


async def floor(sessions: int, messages: int = 200) -> float:
    """Return the microseconds per message of a server that only answers."""
    server, loop = Server(ECHO), asyncio.get_running_loop()
    try:
        made = [await loop.create_connection(Player, "127.0.0.1", server.port) for _ in range(sessions)]

        async def ask(player: Player) -> None:
            for _ in range(messages):
                await player.run(b"x" * 130)

        before = server.times()["cpu"]
        await asyncio.gather(*(ask(player) for _, player in made))
        return (server.times()["cpu"] - before) / sessions / messages * 1e6
    finally:
        server.close()


class Arena:
    """A server, and bots that play on it in their own processes."""

    def __init__(self, game: str, backend: str) -> None:
        self.game, self.server, self.sessions = game, Server(SERVER, backend), 0

    def play(self, sessions: int, turns: int) -> dict[str, float]:
        """Play sessions at the same time; return the server's CPU time and the number of runs and turns."""
        before = self._so_far()
        bots = [self._bot(self.sessions + number, turns) for number in range(sessions) for _ in range(2)]
        self.sessions += sessions
        if any([bot.wait() for bot in bots]):
            sys.exit("A bot did not play to the end.")
        return {name: value - before[name] for name, value in self._so_far().items()}

    def _bot(self, session: int, turns: int) -> subprocess.Popen[bytes]:
        program = [
            sys.executable,
            "-c",
            "from endturn.cli import main; main()",
            "bot",
            self.game.lower(),
            "random",
        ]
        where = ["--connect", f"127.0.0.1:{self.server.port}", "--session", str(session)]
        return subprocess.Popen(
            [*program, *where, "--settings", f"maxTurns={turns}"], stdout=subprocess.DEVNULL
        )

    def _so_far(self) -> dict[str, float]:
        with contextlib.closing(sqlite3.connect(f"{self.server.folder.name}/arena.db")) as archive:
            entries, turns = archive.execute("select count(*), count(state) from entries").fetchone()
        return {"runs": entries - turns, "turns": turns, "cpu": self.server.times()["cpu"]}


def with_bots(game: str, options: argparse.Namespace) -> float:
    """Return the server's microseconds per run, including its share of the ends of turns."""
    arena = Arena(game, options.backend)
    try:
        arena.play(1, 30)  # loads compiled rules
        short, long = arena.play(options.bots, 2), arena.play(options.bots, 200)
    finally:
        arena.server.close()
    return (long["cpu"] - short["cpu"]) / (long["runs"] - short["runs"]) * 1e6


def loop_of_python() -> float:
    """Return the CPU milliseconds of a hundred thousand dictionary entries: how fast this machine is now."""
    began = time.process_time()
    for _ in range(50):
        made = {}
        for number in range(2000):
            made[str(number)] = number
    return (time.process_time() - began) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--backend", default="compiled", help="`endturn serve` switches to compiled by itself"
    )
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--game", choices=("Anarchy", "Catastrophe"))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--profile", choices=("tottime", "cumtime"))
    parser.add_argument("--bots", type=int, help="measure this many sessions of real bots instead")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.path.realpath(sys.executable)}")
    games = (options.game,) if options.game else ("Anarchy", "Catastrophe")
    if options.bots:
        for game in games:
            rounds = [with_bots(game, options) for _ in range(options.rounds)]
            print(
                f"--- {game}, {options.bots} sessions of real bots: {min(rounds):.1f} us per run with its turns"
            )
            compare("accepted run", ACCEPTED[game], rounds)
        return
    print(f"floor_us {uvloop.run(floor(options.sessions)):.1f}")
    for game in games:
        rounds = [uvloop.run(measure(options, game)) for _ in range(options.rounds)]
        print(
            f"--- {game}, {options.sessions} sessions, {options.backend}, minimum and median of {len(rounds)}"
        )
        found = {name: [each[name] for each in rounds] for name in rounds[0]}
        for name, values in found.items():
            print(f"{name:24} {min(values):10.1f} {median(values):10.1f}")
        compare("accepted run", ACCEPTED[game], found[LIKE[game]])
        compare("refused run", ORIGINAL["refused"], found["refused_us"])
        compare("memory per session", ORIGINAL["memory"], found["memory_kb"])
        starts = zip(found["start_ms"], found["accepted_with_turns_us"], strict=True)
        whole = [start + each * WHOLE / 1000 for start, each in starts]
        compare(f"match of {WHOLE} runs", ORIGINAL["start"] + ACCEPTED[game] * WHOLE / 1000, whole)


def compare(what: str, original: float, ours: list[float]) -> None:
    print(
        f"{what}: {original / max(1, min(ours)):.1f} x less, median {original / max(1, median(ours)):.1f} x"
    )


if __name__ == "__main__":
    main()
