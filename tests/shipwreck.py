"""A real `endturn serve` that is killed again and again while programs play over its sockets, and who saw what.

    python shipwreck.py URL --kills 10 --seed 1

Two clients at each table play a shipped game as fast as they are answered. The server ends by SIGKILL at a random
moment and starts again on the same archive and port; the clients come back with the number of their last event. After
each kill a witness reads the archive by its own driver, plays every match again, and compares it with all that any
client was ever told.
"""

import argparse
import asyncio
import gzip
import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx2
import msgspec
import psycopg
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parent))

import nursery
from endturn.archive.store import MATCHES
from endturn.engine import gamelog
from endturn.games import find
from endturn.server.history import History
from endturn.server.transports.web.describe import event_of
from web_arena import Client

TABLES = {
    "anarchy": {"map_width": 12, "map_height": 8, "max_turns": 20},
    "snowball": {"max_ticks": 20, "army_points": 6},
    "notchess": {"max_months": 6},
    "empires": {"width": 20, "height": 16, "last_turn": 6},
}
BANK = 3600.0  # seconds that each seat has for a match
SLACK = 500.0  # milliseconds: from when the clocks go until the server says that it is ready, and on the way
BEAT = 1000.0  # milliseconds that may be given back after a kill: the time of service is written so often
LONGEST_LIFE = 2.0  # seconds from when the server is ready until it is killed
PATIENCE = 60.0  # seconds after which something must be wrong
LOST = (OSError, WebSocketException, httpx2.HTTPError, TimeoutError)


# --- the server ---------------------------------------------------------------------------------------------


class Ship:
    """The server: one process after the other, at the same port."""

    def __init__(self, url, folder):
        self.url, self.log, self.port = url, Path(folder) / "log.txt", 0
        self.ready_at = self.sunk_at = 0.0  # milliseconds of the steady clock

    def launch(self):
        """Start it; this waits until it can be reached."""
        said = ["serve", "--port", str(self.port), "--no-cadre", "--no-limits", "--db", self.url]
        command = [sys.executable, "-c", "from endturn.cli import main; main()", *said]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        while not (found := re.search(r"http://127.0.0.1:(\d+)/", line := self.process.stdout.readline())):
            assert line, f"the server did not start: {self.log.read_text()[-2000:]}"
        self.port, self.ready_at = int(found.group(1)), steady()

    def sink(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.sunk_at = steady()  # it may have gone on until now
        self.process.stdout.close()

    def served(self, since):
        """Milliseconds since then in which it can have been there."""
        if since > self.ready_at:
            return steady() - since
        return max(0.0, self.sunk_at - since) + steady() - self.ready_at


def steady():
    return time.monotonic() * 1000


# --- those who play -----------------------------------------------------------------------------------------


class Table:
    """Two clients who play one match after the other, whatever becomes of the server."""

    def __init__(self, ship, game, seen, luck):
        self.ship, self.game, self.seen, self.luck = ship, game, seen, luck

    async def keep_playing(self):
        while True:
            with suppress(*LOST):
                created = await asyncio.to_thread(self._create)
                players = [Player(self, created, seat) for seat in (0, 1)]
                self.seen.created[created["match"]["id"]] = players
                await asyncio.gather(*(player.to_the_end() for player in players))
            await asyncio.sleep(0.02)

    def _create(self):
        wish = {"game": self.game, "seats": [{"kind": "me"}] * 2, "settings": TABLES[self.game]}
        clock = {"kind": "bank", "seconds": BANK}
        address = f"http://127.0.0.1:{self.ship.port}/api/matches"
        made = httpx2.post(address, json={**wish, "clock": clock}, timeout=20)
        assert made.status_code == 201, made.text
        return made.json()


class Player(Client):
    """One seat: comes back with its last event's number, and compares what it is told with what it knew."""

    def __init__(self, table, created, seat):
        self.table, self.seat, self.match = table, seat, created["match"]["id"]
        self.token = created["tokens"][seat]["token"]
        self.events, self.done, self.resumed = {}, [], 0
        self.asked, self.heard, self.view, self.now = 0, [], None, None
        self.now_at = self.asked_at = (
            0.0  # no later than what it was told last; when it asked what was answered last
        )
        self.hides = any(rule.hidden for rule in find(table.game).actions.values())

    async def to_the_end(self):
        last = time.monotonic()
        while self.now is None or self.now["status"] != "over":
            with suppress(*LOST):
                address = f"ws://127.0.0.1:{self.table.ship.port}/api/matches/{self.match}/play"
                async with connect(address, max_size=None, max_queue=None, open_timeout=20) as self.socket:
                    await self._come_back()
                    last = time.monotonic()
                    await self._play()
            assert time.monotonic() - last < PATIENCE, f"match {self.match} cannot be reached"
            await asyncio.sleep(0.02)

    async def _come_back(self):
        known, before, began = len(self.events), self.view, steady()
        await self.send({"type": "join", "token": self.token, "since": known})
        welcome = await self.until("welcome", "refused")
        assert welcome["type"] == "welcome", f"match {self.match} does not let its player in: {welcome}"
        for event in welcome["events"]:
            self._note(event)
        assert len(self.events) == welcome["known"], f"match {self.match} does not tell all that happened"
        if before is not None:
            self.resumed += 1
            self._compare_clocks(welcome["now"])
            if len(self.events) == known and not self.hides:
                assert self.view == before, f"match {self.match} came back different"
        self.asked_at = began
        self._stand(welcome["now"])

    def _compare_clocks(self, now):
        used = self.table.ship.served(self.now_at)
        for before, left in zip(self.now["clocks"]["left"], now["clocks"]["left"], strict=True):
            assert left >= before - used - SLACK, (
                f"match {self.match}: {before - left} ms gone, {used} served"
            )
            assert left <= before + BEAT + SLACK, f"match {self.match}: {left - before} ms were given"

    async def hear(self, seconds=20):
        message = await super().hear(seconds)
        self.heard.clear()  # there are very many
        assert message["type"] != "failed", f"match {self.match} was stopped: {message}"
        if message["type"] == "happened":
            if message["event"] is not None:
                self._note(message["event"])
            self._stand(message["now"])
        return message

    def _note(self, event):
        assert event["number"] == len(self.events) + 1, (
            f"match {self.match} tells event {event['number']} next"
        )
        self.events[event["number"]] = event

    def _stand(self, now):
        """A message may have been on its way for long, but not for longer than since what was answered before it."""
        self.now, self.now_at = now, self.asked_at

    async def ask(self, kind, **more):
        began = steady()
        answer = await super().ask(kind, **more)
        self.asked_at = began
        return answer

    async def _play(self):
        choices = []
        while self.now["status"] != "over":
            if self.seat not in self.now["to_act"]:
                await self.hear()
                continue
            choices = choices or await self._choices()
            action = self.table.luck.choice(choices)
            if (await self.ask("act", action=action))["type"] == "done":
                self.done.append(action)
            else:
                choices = []  # something has changed: ask again what can be done

    async def _choices(self):
        """What can be done now, but giving up; ending the turn would else be one of very many."""
        luck = self.table.luck
        if luck.random() < 0.2:
            await self.ask("chat", text="x" * luck.randrange(1, 100))
        legal = (await self.ask("legal"))["answer"]["actions"]
        choices = [action for action in legal if action["do"] != "leave"] or legal
        ends = [action for action in choices if action["do"] in ("end_turn", "phase_done")]
        return choices + ends * (len(choices) // 8)


# --- the witness --------------------------------------------------------------------------------------------


class Witness:
    """Knows what clients were told, and plays every match in the archive again."""

    def __init__(self, url):
        self.url, self.created = url, {}
        self.histories, self.ended = {}, set()

    def check(self):
        matches, entries, logs = self._read()
        missing = set(self.created) - set(matches)
        assert not missing, f"matches {missing} were acknowledged, and are not there"
        for match, row in matches.items():
            self._replay(row, entries.get(match, []))
            self._check_end(row, logs.get(match))
            for player in self.created.get(match, ()):
                self._check_told(self.histories[match], player)

    def _replay(self, row, entries):
        """Replay the new entries. History raises if they do not fit the checksums that were written."""
        game = find(row["game"])
        if row["id"] not in self.histories:
            self.histories[row["id"]] = History(row, game, ["player 1", "player 2"], "plain")
        history = self.histories[row["id"]]
        for entry in entries[len(history.entries) :]:
            history.replay(entry)
        assert len(entries) == len(history.entries), f"entries of match {row['id']} are gone"

    def _check_end(self, row, log):
        match, over = self.histories[row["id"]].match, row["status"] == "over"
        assert row["status"] in ("running", "over"), f"match {row['id']} is {row['status']}: {row['outcome']}"
        assert over == (not match.to_act()), f"match {row['id']} is {row['status']}"
        assert (log is not None) == over, f"match {row['id']} is {row['status']}, and its gamelog is not so"
        if over and row["id"] not in self.ended:
            again = gamelog.verify(gzip.decompress(log).decode().splitlines(True), find).match
            assert again.dump() == match.dump(), f"the gamelog of match {row['id']} is another match's"
            self.ended.add(row["id"])

    def _check_told(self, history, player):
        """Every event that a client heard of is there under its number, and all that was answered `done`, in order."""
        visible = [entry for entry in history.entries if history.visible(entry, player.seat)]
        for number, event in player.events.items():
            assert number <= len(visible), f"event {number} of match {history.id} was told, and is not there"
            kept = msgspec.to_builtins(event_of(history.game, visible[number - 1], number))
            assert kept == event, f"event {number} of match {history.id} was told as another"
        acts = (e.body for e in history.entries if e.kind == "act" and e.seat == player.seat)
        kept = (history.game.actions.to_json(history.game.actions.parse(body)) for body in acts)
        for action in player.done:
            assert action in kept, f"seat {player.seat} of match {history.id} has lost {action}"

    def _read(self):
        """The archive by its own driver, not through the program that is on trial."""
        postgres = self.url.startswith("postgresql")
        line = psycopg.connect(self.url) if postgres else sqlite3.connect(self.url.removeprefix("sqlite:///"))
        try:
            if postgres:
                nursery._wait_for_the_dead(line)
            matches = self._rows(line, f"select {', '.join(MATCHES.c.keys())} from matches")
            entries = self._rows(line, "select * from entries order by match, number")
            logs = self._rows(line, "select match, packed from gamelogs")
        finally:
            line.close()
        by_match = {}
        for entry in entries:
            by_match.setdefault(entry["match"], []).append(entry)
        packed = {log["match"]: bytes(log["packed"]) for log in logs}
        return {row["id"]: row for row in matches}, by_match, packed

    def _rows(self, line, asked):
        found = line.execute(asked)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


# --- many lives ---------------------------------------------------------------------------------------------


async def trial(url, folder, kills, seed):
    """So many lives and deaths; the witness of them. AssertionError where anything was lost."""
    ship, seen, luck = Ship(url, folder), Witness(url), Random(seed)
    await asyncio.to_thread(ship.launch)
    tables = [Table(ship, game, seen, Random(luck.getrandbits(32))) for game in TABLES]
    playing = [asyncio.create_task(table.keep_playing()) for table in tables]
    try:
        for kill in range(kills):
            done, _ = await asyncio.wait(
                playing, timeout=luck.uniform(0.02, LONGEST_LIFE), return_when="FIRST_EXCEPTION"
            )
            for failed in done:
                failed.result()
            ship.sink()
            await asyncio.to_thread(seen.check)
            if kill < kills - 1:
                await asyncio.to_thread(ship.launch)
    except BaseException:
        print(ship.log.read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        if ship.process.poll() is None:
            ship.sink()
    return seen


def summary(seen):
    """What was seen, in numbers."""
    players = [player for pair in seen.created.values() for player in pair]
    games = Counter(history.game.name for history in seen.histories.values() if len(history.entries) > 1)
    return {"games": dict(games), "over": len(seen.ended),
            "told": sum(len(player.events) for player in players),
            "acknowledged": sum(len(player.done) for player in players),
            "resumed": sum(player.resumed for player in players),
            "written": sum(len(history.entries) for history in seen.histories.values())}  # fmt: skip


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("url")
    asked.add_argument("--kills", type=int, default=10)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--folder", default=".", help="where the server's log goes")
    said = asked.parse_args()
    print(json.dumps(summary(asyncio.run(trial(said.url, said.folder, said.kills, said.seed)))))


if __name__ == "__main__":
    main()
