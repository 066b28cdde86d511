"""The real server as an oracle: develops games and continues savegames, if Debian's package is installed."""

import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path

SERVER = Path(shutil.which("freeciv-server") or "/usr/games/freeciv-server")
FIRST_PORT, PORTS = 5800, 1000
QUIET = "set timeout -1", "set compresstype PLAIN", "set ec_turns 2", 'set victories ""'
FAILURE = "Failure loading savegame"
PATIENCE = 120  # seconds until a server that does not end is killed


class ServerFailed(RuntimeError):
    """The server failed; the message holds its last output."""


def is_installed() -> bool:
    """Whether the server is installed."""
    return SERVER.exists()


def serve(folder: Path, orders: Sequence[str], save: Path | None = None) -> float:
    """Run the server with these commands, and copy its saves to a folder. Returns the CPU seconds."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)  # the user that runs the server needs access
        room.chmod(0o777)
        (room / "orders.serv").write_text("\n".join((*orders, "start", "")))
        port = str(FIRST_PORT + os.getpid() % PORTS)
        command = [str(SERVER), "-b", "127.0.0.1", "-p", port, "-A", "none", "-e", "-r", "orders.serv"]
        if save is not None:
            shutil.copyfile(save, room / "start.sav")
            command += ["-f", "start.sav"]
        if os.geteuid() == 0:  # the server refuses to run as root
            command = ["setpriv", "--reuid=nobody", "--clear-groups", *command]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        _run(command, room)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        for made in room.glob("*-T*.sav"):
            shutil.copyfile(made, folder / made.name)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _run(command: Sequence[str], folder: Path) -> None:
    """Run to the end, but kill a server that could not load its savegame: it would wait for ever."""
    said: deque[str] = deque(maxlen=20)
    server = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    alarm = threading.Timer(PATIENCE, server.kill)
    alarm.start()
    with server:
        for line in server.stdout or ():
            said.append(line)
            if FAILURE in line:
                server.kill()
    alarm.cancel()
    if server.returncode:
        raise ServerFailed(f"the server failed: {''.join(said)}")


def develop(folder: Path, ruleset: str, turns: int, seed: int = 101, settings: Sequence[str] = ()) -> Path:
    """A game of five bots after a number of turns."""
    orders = [
        f"rulesetdir {ruleset}", "set aifill 5", "set minplayers 0", f"set gameseed {seed}", f"set mapseed {seed}",
        "set size 2",
        *settings, *QUIET, f"set saveturns {turns + 1}", "set savename developed", f"set endturn {turns + 1}",
    ]  # fmt: skip
    serve(folder, orders)
    return _saves(folder, "developed")[-1]


def humanised(text: str) -> str:
    """A savegame in which nobody acts: no player is a bot, and no unit is automatic."""
    text = re.sub(r'^flags="ai"\n', "", text, flags=re.MULTILINE)
    return re.sub(r"^u=\{.*?^\}", _resting, text, flags=re.MULTILINE | re.DOTALL)


def _resting(table: re.Match[str]) -> str:
    head, *rows, end = table[0].split("\n")
    place = [name.strip('"') for name in head.split("{")[1].split(",")].index("ai")
    made = []
    for row in rows:
        cells = row.split(",")
        cells[place] = "FALSE"
        made.append(",".join(cells))
    return "\n".join([head, *made, end])


def step(folder: Path, save: Path, turn: int, turns: int, more: Sequence[str] = ()) -> list[Path]:
    """The saves of a number of turn changes in which nobody acts."""
    orders = [*QUIET, *more, "set saveturns 1", "set savename stepped", f"set endturn {turn + turns}"]
    serve(folder, orders, save)
    return _saves(folder, "stepped")


def _saves(folder: Path, name: str) -> list[Path]:
    found = sorted(folder.glob(f"{name}-T*-auto.sav"))
    if not found:
        raise ServerFailed(f"the server left no savegame {name} in {folder}.")
    return found
