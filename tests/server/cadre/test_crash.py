"""`endturn serve` is killed or stopped while Cadre clients play. Everything a client was told is in the archive."""

import asyncio
import gzip
import json
import random
import re
import signal
from types import SimpleNamespace

from endturn.archive.store import Store
from endturn.server.transports.cadre.saved_session import read_saved
from server.cadre.client import PATIENCE, Client, Closed
from web_arena import arena

CLOCK = "playerStartingTime=4000000000&timeAddedPerTurn=0"
SETTINGS = {
    "Anarchy": f"mapWidth=12&mapHeight=8&maxTurns=1000&building_health=1000&headquarters_factor=30&{CLOCK}",
    "Catastrophe": f"maxTurns=1000&{CLOCK}",
}
ENDS = signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL
LUCK = random.Random(4)


class Player(Client):
    """Runs random functions, turn by turn; `told` holds the accepted runs."""

    async def enter(self, game, session):
        self.game, self.told, self.started = game, [], asyncio.Event()
        await self.play(session, SETTINGS[game], gameName=game)

    async def go_on(self):
        try:
            self.player = (await self.until("start"))["playerID"]
            self.started.set()
            while True:
                order = await self.until("order")
                for _ in range(LUCK.randrange(5)):
                    await self.try_something()
                await self.finish(order)
        except (Closed, ConnectionError):
            pass

    async def try_something(self):
        caller, function, args = self.ignition() if self.game == "Anarchy" else self.step()
        heard = len(self.heard)
        await self.run(caller, function, **args)
        if not any(message["event"] == "invalid" for message in self.heard[heard:]):
            self.told.append({"caller": {"id": caller}, "functionName": function, "args": args})

    def ignition(self):
        buildings = [said for said, each in self.objects.items() if "isHeadquarters" in each]
        return LUCK.choice(self.mine(self.player)), "ignite", {"building": {"id": LUCK.choice(buildings)}}

    def step(self):
        mine = {"id": self.player}
        units = [said for said, each in self.objects.items() if each.get("owner") == mine and each.get("job")]
        unit = LUCK.choice(units)
        here = self.objects[self.objects[unit]["tile"]["id"]] if self.objects[unit]["tile"] else {}
        ways = [here[f"tile{way}"] for way in ("North", "East", "South", "West") if here.get(f"tile{way}")]
        return unit, "move", {"tile": LUCK.choice(ways) if ways else {"id": "9"}}


async def played(server, number):
    """Play two sessions of each game until the server ends; returns their players by session."""
    tcp = re.search(r"connect to port (\d+)", "".join(server.said))[1]
    place = SimpleNamespace(ports={"tcp": int(tcp)}, guests=[])
    sessions = {}
    for game in (*SETTINGS, *SETTINGS):
        name = f"{game}{number}-{len(sessions)}"
        sessions[name] = [await Player.connect(place) for _ in range(2)]
        for player in sessions[name]:
            await player.enter(game, name)
    tasks = [asyncio.create_task(player.go_on()) for player in place.guests]
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(player.started.wait() for player in place.guests))
    await asyncio.sleep(LUCK.uniform(0.2, 1.0))
    await asyncio.to_thread(server.stop, ENDS[number])
    await asyncio.gather(*tasks)
    for player in place.guests:
        await player.leave()
    return sessions


def gamelogs(store):
    """All Cadre gamelogs, by session."""
    found = {}
    for row in store.gamelogs("cadre"):
        log = json.loads(gzip.decompress(row["packed"]))
        found[log["gameSession"]] = row["match"], log
    return found


async def all_over(store):
    async with asyncio.timeout(60):
        while store.gamelogs("begun"):
            await asyncio.sleep(0.2)


def test_told_runs_survive_a_kill_and_are_in_the_gamelog(tmp_path):
    sessions = {}
    for number in range(len(ENDS)):
        with arena(tmp_path, "--cadre-port", "0") as server:
            sessions |= asyncio.run(played(server, number))
            server.process.stdout.close()
    store = Store(f"sqlite:///{tmp_path}/arena.db")
    assert {read_saved(row).session for row in store.gamelogs("begun")} <= set(sessions)
    with arena(tmp_path, "--cadre-port", "0"):
        asyncio.run(all_over(store))
    logs, told, timed_out = gamelogs(store), 0, 0
    assert set(logs) == set(sessions)
    for name, players in sessions.items():
        match, log = logs[name]
        runs = [
            each["data"] for each in log["deltas"] if each["type"] == "ran" and "invalid" not in each["data"]
        ]
        for player in players:
            kept = [run["run"] for run in runs if run["player"]["id"] == player.player]
            assert kept[: len(player.told)] == player.told and len(kept) <= len(player.told) + 1
            told += len(player.told)
        turns = sum(each["type"] == "finished" for each in log["deltas"])
        (loser,) = log["losers"]
        assert len(store.entries(match)) == len(runs) + turns + loser["timedOut"]
        assert not loser["disconnected"]
        timed_out += loser["timedOut"]
    store.close()
    assert told > 100 and timed_out > 10
