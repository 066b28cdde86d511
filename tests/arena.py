"""A lobby over a real archive, with Treasure among its games: what the server's tests play in."""

import asyncio
import tempfile
import time
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import treasure_game
from endturn.archive.store import Store
from endturn.games import GAMES
from endturn.server.clock import Timing
from endturn.server.lobby import Lobby
from endturn.server.seat import Seat, hashed

END = {"do": "end_turn"}
BET = {"do": "bet"}


def register():
    """Treasure is one of the server's games from now on, in this process."""
    GAMES["treasure"] = "treasure_game"


@cache
def _empty_archive():
    """The bytes of an archive in which nothing is: its tables are made once, not for every test."""
    with tempfile.TemporaryDirectory() as folder:
        Store(f"sqlite:///{folder}/arena.db").close()
        return Path(folder, "arena.db").read_bytes()


def sqlite(folder):
    """An archive in this folder, whose tables are there."""
    file = Path(folder, "arena.db")
    if not file.exists():
        file.write_bytes(_empty_archive())
    return f"sqlite:///{file}"


@asynccontextmanager
async def arena(url, calendar=time.time):
    store = Store(url)
    lobby = Lobby(store, calendar=calendar)
    await lobby.start()
    try:
        yield lobby
    finally:
        await lobby.close()
        store.close()


def people():
    return [Seat("person", name, token=hashed(name)) for name in ("Ann", "Bob")]


async def match(lobby, timing=None, seats=None, **settings):
    """A match of Treasure between two people."""
    chosen = treasure_game.game.configure(values={"max_turns": 20, **settings})
    return await lobby.create(
        treasure_game.game, chosen, seats or people(), timing or Timing(), seed=settings.get("seed", 7)
    )


async def until(holds, what="it never came to be"):
    """Wait until something holds; the limit is there only so that a failure is told."""
    for _ in range(4000):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(what)


def row(name, **values):
    """A match as the archive has it."""
    blank = {"game": "g", "version": 1, "settings": "{}", "seed": "0", "timing": "{}", "public": True}
    return {"id": name, **blank, "status": "open", "created_at": 1, "changed_at": 1, **values}


def entry(name, number, **values):
    """An entry of it."""
    return {
        "match": name,
        "number": number,
        "at": 1,
        "kind": "act",
        "seat": 0,
        "body": "{}",
        "clock": "{}",
        **values,
    }
