"""A server whose bots are slow, crash, loop or die: run as a program, so that its workers know these bots.

It prints a JSON object: of each match how it ended, and how one that loops stood when others had played theirs.
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
from endturn.server import bot_players as module
from endturn.server import bot_workers
from endturn.server.clock import Timing
from endturn.server.lobby import bot_seat


class Sleepy(RandomBot):
    """Takes half a second longer than a quick bot may."""

    def act(self, seen):
        time.sleep(bot_workers.QUICK + 0.5)
        return super().act(seen)


class Looping(RandomBot):
    """Thinks for ever; where it is asked to, it leaves the number of its process in a file."""

    def act(self, seen):
        if mark := os.environ.get("LOOPING"):
            Path(mark, str(os.getpid())).touch()
        while True:
            pass


class Waking(RandomBot):
    """Takes too long for its first action, and none for all others."""

    def act(self, seen):
        first = seen.view["turn"] == 0
        time.sleep(0.4 if first else 0.0)
        return treasure_game.Mark(1 if first else 2)


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
LATE = {"sleepy": Sleepy, "waking": Waking}
# Workers import this file as their main module, and find the same game by the same name.
treasure_game.game = game = replace(treasure_game.game, bots=BOTS | LATE)
arena.register()


async def matches(lobby):
    """A match of each bot against a person, without a clock, and of two also with a short one."""
    made = {name: await new(lobby, Timing(), bot_seat(game, name), arena.people()[1]) for name in BOTS}
    for name, seconds in (("looping", 1.0), ("sleepy", 0.3)):
        room = await new(lobby, Timing("move", seconds), bot_seat(game, name), arena.people()[1])
        made[f"{name} with a clock"] = room
    return made


async def late(lobby):
    """Matches against a person who never acts, by a clock that plays the default action; and how it played."""
    clock = Timing("move", 0.25, over="default")
    rooms = [await new(lobby, clock, bot_seat(game, name), arena.people()[1]) for name in LATE]
    await until(lambda: rooms[0].over and any(entry.body == MARKED for entry in rooms[1].entries))
    return {f"{name}, late": played(room) for name, room in zip(LATE, rooms, strict=True)}


MARKED = {"do": "mark", "number": 2}


def played(room):
    """How it ended, if it has, and what the first seat played."""
    outcome = room.outcome()
    acted = [entry.body for entry in room.entries if entry.seat == 0]
    return {
        "how": outcome and outcome.how,
        "first": acted[0],
        "other": [each for each in acted if each != arena.END],
    }


async def new(lobby, timing, *seats):
    return await lobby.create(game, game.configure(values={"max_turns": 6}), list(seats), timing)


async def work(folder):
    module.BOT_SECONDS = 2.0
    async with arena.arena(arena.sqlite(folder)) as lobby:
        made = await matches(lobby)
        await until(lambda: all(room.over for name, room in made.items() if name != "sleepy"))
        await until(lambda: made["sleepy"].entries)
        told = {name: ending(room) for name, room in made.items()}
        told |= await late(lobby)
        module.BOT_SECONDS = 600.0
        loops = await new(lobby, Timing(), bot_seat(game, "looping"), arena.people()[1])
        quick = await new(lobby, Timing(), bot_seat(game, "random"), bot_seat(game, "random"))
        await until(lambda: quick.over)
        told["random"] = ending(quick)
        told["looping meanwhile"] = {"status": loops.status, "entries": len(loops.entries)}
    return told


def ending(room):
    outcome, last = room.outcome(), room.entries[-1].body
    ended = {} if outcome is None else {"how": outcome.how, "places": outcome.places}
    return {"status": room.status, **ended, "last": last, "entries": len(room.entries)}


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
