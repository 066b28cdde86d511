"""The real server as an oracle: develops games and continues savegames, if Debian's package is installed."""

import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from endturn.games.empires.freeciv import savegame, secfile
from endturn.games.empires.freeciv.secfile import Secfile, Section, SectionTable, Value
from endturn.games.empires.rules.effects import of_player
from endturn.games.empires.vocabulary import EffectType

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


KINDS = "plain", "worklist", "broke", "lux", "nolux", "starve"
NO_BARBARIANS = "set barbarians DISABLED"  # in every kind but `plain`, so that nothing else happens


def varied(text: str, kind: str) -> str:
    """A savegame changed as a kind of sequence needs: worklists, no gold, much or no luxury, no food."""
    file = secfile.parse(text, f"the {kind} savegame")
    for player, most in _most_luxury(file).items():
        section = file.need(f"player{player}")
        if kind in (rates := {"broke": (0, 60, 40), "lux": (0, 100 - most, most), "nolux": (60, 40, 0)}):
            tax, science, luxury = rates[kind]
            section.entries |= {"rates.tax": tax, "rates.science": science, "rates.luxury": luxury}
        if kind == "broke":
            section.entries["gold"] = 0
        if kind == "starve":
            _set_column(section, lambda row: {"food_stock": 0})
        if kind == "worklist":
            _set_column(section, _with_coinage)
    return secfile.write(file)


def _most_luxury(file: Secfile) -> dict[int, int]:
    world = savegame.from_secfile(file)
    return {
        number: min(of_player(world, player, EffectType.MAX_RATES), 100)
        for number, player in world.players.items()
    }


def _with_coinage(row: dict[str, Value]) -> dict[str, Value]:
    if row["wl_length"]:
        return {}
    return {"wl_length": 1, "wl_kind0": "Building", "wl_value0": "Coinage"}


def _set_column(section: Section, change: Callable[[dict[str, Value]], dict[str, Value]]) -> None:
    """Change the rows of a player's cities; new columns come right before the city options."""
    table = section.table("c")
    columns = list(table.columns)
    rows = [dict(zip(columns, row, strict=True)) for row in table.rows]
    changes = [change(row) for row in rows]
    for name in dict.fromkeys(name for each in changes for name in each if name not in columns):
        columns.insert(columns.index("option0"), name)
    made = [
        {name: row.get(name, "") for name in columns} | new for row, new in zip(rows, changes, strict=True)
    ]
    if rows:
        section.entries["c"] = SectionTable(tuple(columns), [list(row.values()) for row in made])


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
