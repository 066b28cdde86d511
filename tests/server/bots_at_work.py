"""A server whose bots are slow, crash, loop or die: run as a program, so that its workers know these bots.

It prints a JSON object: of each match how it ended, and of the quick ones how long an action took while the
looping ones looped.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import arena
import treasure_game
from arena import until

from endturn.bots import RandomBot
from endturn.engine.game import Accepted
from endturn.server import bothouse
from endturn.server import room as module
from endturn.server.clock import Timing
from endturn.server.lobby import bot_seat


class Sleepy(RandomBot):
    """Takes half a second longer than a quick bot may."""

    def act(self, seen):
        time.sleep(bothouse.QUICK + 0.5)
        return super().act(seen)


class Looping(RandomBot):
    """Thinks for ever; where it is asked to, it leaves the number of its process in a file."""

    def act(self, seen):
        if mark := os.environ.get("LOOPING"):
            Path(mark, str(os.getpid())).touch()
        while True:
            pass


class Crashing(RandomBot):
    def act(self, seen):
        raise KeyError("no idea")


class Dying(RandomBot):
    def act(self, seen):
        os._exit(3)


class Stubborn(RandomBot):
    """Always asks for what the rules forbid."""

    def act(self, seen):
        return treasure_game.Mark(1000)


BOTS = {"sleepy": Sleepy, "looping": Looping, "crashing": Crashing, "dying": Dying, "stubborn": Stubborn}
# Workers import this file as their main module, and find the same game by the same name.
treasure_game.game = game = replace(treasure_game.game, bots=BOTS)


async def matches(lobby):
    """A match of each bot against a person, without a clock or with a short one."""
    made = {}
    for name in BOTS:
        made[name] = await new(lobby, Timing(), bot_seat(game, name), arena.people()[1])
    made["looping with a clock"] = await new(
        lobby, Timing("move", 1.0), bot_seat(game, "looping"), arena.people()[1]
    )
    made["random"] = await new(lobby, Timing(), bot_seat(game, "random"), bot_seat(game, "random"))
    return made


async def new(lobby, timing, *seats):
    return await lobby.create(game, game.configure(values={"max_turns": 6}), list(seats), timing)


async def work(folder):
    module.BOT_SECONDS = 5.0
    async with arena.arena(arena.sqlite(folder)) as lobby:
        made = await matches(lobby)
        person = await new(lobby, Timing(), *arena.people())
        slowest, count, alive = 0.0, 0, None
        while not all(room.over for name, room in made.items() if name != "sleepy"):
            began = time.monotonic()
            answer = await person.act(0, {"do": "mark", "number": count % 100})
            assert isinstance(answer, Accepted)
            slowest, count = max(slowest, time.monotonic() - began), count + 1
            await asyncio.sleep(0.02)
            if made["random"].over and alive is None:
                alive = [name for name in BOTS if not made[name].over]
        await until(lambda: made["sleepy"].entries)
        told = {name: ending(room) for name, room in made.items()}
        told["while they looped"] = {"slowest": slowest, "actions": count, "still going": alive}
    return told


def ending(room):
    last = room.entries[-1]
    outcome = room.outcome()
    return {"status": room.status, "how": outcome and outcome.how, "places": outcome and outcome.places,
            "last": last.body, "entries": len(room.entries)}  # fmt: skip


async def loop_for_ever(folder):
    """One looping bot."""
    async with arena.arena(arena.sqlite(folder)) as lobby:
        await new(lobby, Timing(), bot_seat(game, "looping"), arena.people()[1])
        await asyncio.sleep(60)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        if sys.argv[1:] == ["loop"]:
            asyncio.run(loop_for_ever(place))
        print(json.dumps(asyncio.run(work(place))))
