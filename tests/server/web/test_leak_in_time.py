"""What others receive never reveals a hidden action, whenever and however often it is played.

Servers play the same match by a clock that the test sets; in some of them a seat also acts in secret. All that the
other seat, a spectator and an anonymous caller receive must be the same, to the last digit of every time.
"""

import asyncio
import json
from typing import NamedTuple

import pytest

from endturn.games import GAMES
from endturn.server.app import loop_factory
from timed_arena import Hand, timed_arena, until
from web_arena import tokens

KINDS = ["none", "bank", "move", "turn", "deadline"]
# When something is done in secret, in seconds after each start of the server.
SECRETS = (0.5, 3.25, 3.2501, 12.5, 12.75, 26, 34, 41.5, 48, 88, 100)


def do(name, **values):
    return {"do": name, **values}


class Story(NamedTuple):
    """A match, and what is done in it."""

    settings: dict
    secretive: int  # the seat that acts in secret
    begin: list  # seats and actions
    goes_on: list  # what that seat does in public, after each start of the server
    secrets: list  # what it does in secret, again and again
    questions: list  # of the other seat


STORIES = {
    "secrets": Story(
        {"max_turns": 20},
        0,
        [],
        [[do("swim", direction="right", steps=1)], [do("dig")], [do("bet")]],
        [do("mark", number=3), do("mark", number=4)],
        [("undo", {}), ("ready", {}), ("act", {"action": do("dig")}), ("preview", {"action": do("dig")})],
    ),
    "snowball": Story(
        {"map": "frozen_ring"},
        1,
        [(0, do("ready")), (1, do("ready"))],
        [[], [do("ready"), do("reconsider")], [do("ready")]],
        [
            do("place", unit=1, tile=33 + 8 * 64),
            do("dismiss", unit=3),
            do("recruit", kind="rookie"),
            do("place", unit=1, tile=33 + 9 * 64),
        ],
        [
            ("undo", {}),
            ("ready", {}),
            ("legal", {"piece": 0}),
            ("act", {"action": do("place", unit=3, tile=0)}),
            ("act", {"action": do("dismiss", unit=5)}),
            ("preview", {"action": do("place", unit=3, tile=0)}),
        ],
    ),
    "empires": Story(
        {"width": 20, "height": 16, "last_turn": 5},
        1,
        [],
        [[], [], [do("phase_done")]],
        [
            do("set_rates", tax=0, luxury=0, science=100),
            do("work", unit=109, task="fortify"),
            do("set_rates", tax=50, luxury=0, science=50),
            do("plan", city=106, item=1),
        ],
        [("undo", {}), ("ready", {}), ("act", {"action": do("disband", unit=109)})],
    ),
}


class Table:
    """One match at one server: its players, and all that they and others are told."""

    def __init__(self, hand, story, secret):
        self.hand, self.story, self.secret = hand, story, secret
        self.start = 0.0  # when the server started
        self.told, self.tried, self.done = [], 0, 0
        self.match, self.tokens = "", []

    def at(self, seconds):
        self.hand.seconds = self.start + seconds

    async def create(self, game, clock):
        wish = {"settings": self.story.settings, "seed": "7", "clock": clock}
        created = await asyncio.to_thread(self.server.create, game, **wish)
        self.match, self.tokens = created["match"]["id"], tokens(created)

    async def sit_down(self, server, number):
        """What happens between two starts of the server."""
        self.server, mine, other = server, self.story.secretive, 1 - self.story.secretive
        async with (
            server.join(self.match, self.tokens[mine]) as self.mine,
            server.join(self.match, self.tokens[other]) as self.other,
            server.join(self.match) as self.watching,
        ):
            await self.other.until("presence")
            for seat, action in self.story.begin if number == 0 else []:
                await (self.mine if seat == mine else self.other).act(**action)
            await self.play(number)
        self.told += [self.other.heard, self.watching.heard]
        room = server.lobby.rooms[self.match]
        await until(lambda: not room.observers)

    async def play(self, number):
        await self.until(5)
        await self.look()
        await self.until(15)
        await self.look()
        for question, more in self.story.questions:
            await self.other.ask(question, **more)
        for seconds, action in enumerate(self.story.goes_on[number], 16):
            self.at(seconds)
            await self.mine.act(**action)
        await self.until(30)
        await self.look()
        await self.other.ask("pause", on=True)
        self.at(31)
        await self.mine.ask("pause", on=False)
        await self.until(40)
        await self.mine.ask("chat", text="I am still thinking.")
        await self.until(90)
        await self.look()
        await self.until(110)

    async def until(self, seconds):
        """Time passes, and meanwhile what has to be done in secret is done."""
        before = self.hand.seconds
        for when in self.secret:
            if before < self.start + when <= self.start + seconds:
                self.at(when)
                answer = await self.mine.act(**self.story.secrets[self.tried % len(self.story.secrets)])
                self.tried += 1
                self.done += answer["type"] == "done"
        self.at(seconds)

    async def look(self):
        """The other seat and the spectator read their messages, and everyone reconnects to the match."""
        for client in self.other, self.watching:
            await client.ask("ping")
        for token in self.tokens[1 - self.story.secretive], None:
            async with self.server.join(self.match, token) as again:
                self.told.append(again.heard)
            for client in self.other, self.watching:
                await client.until("presence")  # it came,
                await client.until("presence")  # and went
        await self.ask_around()

    async def ask_around(self):
        """What anyone can ask."""
        paths = f"/api/matches/{self.match}", "/api/matches", "/metrics", "/health"
        *told, health = await asyncio.gather(*map(self.server.get, paths))
        self.told += [*told, json.loads(health)["matches"]]

    async def leave_alone(self, server):
        """Nobody is there any more, and the room leaves memory."""
        gone = self.hand.seconds - self.start
        for seconds in 45, 59, 61:
            self.at(gone + seconds)
            await server.lobby._let_go()
            await self.ask_around()


async def tell(folder, game, kind, secret, monkeypatch):
    """What others are told in a match with such a clock, in which something is done in secret at these times."""
    hand = Hand()
    table = Table(hand, STORIES[game], secret)
    for number, killed in enumerate((True, False, False)):
        async with timed_arena(folder, hand, monkeypatch, killed=killed) as server:
            table.start, table.server = hand.seconds, server
            if number == 0:
                await table.create(game, {"kind": kind, "seconds": 2000, "increment": 5 * (kind == "bank")})
            await table.sit_down(server, number)
            if number == 1:
                await table.leave_alone(server)
        hand.seconds = table.start + 500
    assert table.done >= len(secret)  # of those that are repeated after each start
    return [json.dumps(each).replace(table.match, "match") for each in table.told]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", STORIES)
def test_hidden_actions_cannot_be_noticed(tmp_path, monkeypatch, game, kind):
    monkeypatch.setitem(GAMES, "secrets", "hidden_game")
    told = []
    for number, secret in enumerate(((), SECRETS)):
        (folder := tmp_path / str(number)).mkdir()
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            told.append(runner.run(tell(folder, game, kind, secret, monkeypatch)))
    for without, with_secrets in zip(*told, strict=True):
        assert with_secrets == without
