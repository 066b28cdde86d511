"""A server that is killed again and again, and a witness outside it that knows all it ever acknowledged.

    python nursery.py URL --kills 100 --seed 1

Every life of the server is a forked process: a lobby with several matches over the archive at URL, and a client for
each seat. Whatever a client or a spectator is told goes down a pipe to the witness at once. A life ends by SIGKILL:
from outside at a random moment, or from within at a step of a write. After each, the witness reads the archive by
itself and plays every match again; the next life must begin with exactly what the witness has.
"""

import argparse
import asyncio
import gzip
import json
import os
import select
import signal
import sqlite3
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import psycopg

sys.path.insert(0, str(Path(__file__).parent))

import treasure_game
from arena import match as new_match
from arena import register
from endturn.archive.store import Store
from endturn.engine import gamelog, record
from endturn.engine.answers import Accepted
from endturn.engine.match import Match, TurnBegan
from endturn.server.clock import Timing
from endturn.server.lobby import Lobby

MATCHES = 6  # at once
STEPS = "before", "written", "commit", "committed"
LONGEST = 30.0  # seconds that a life may last before something must be wrong


# --- a life of the server -----------------------------------------------------------------------------------


class Life:
    """In the forked process: serve, let clients play, tell the pipe; until killed."""

    def __init__(self, url, pipe, plan, seed):
        self.url, self.pipe, self.plan, self.luck = url, pipe, plan, Random(seed)

    def tell(self, *said):
        os.write(self.pipe, json.dumps(said).encode() + b"\n")  # shorter than PIPE_BUF: all of it or nothing

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        store = Store(self.url)
        self.lobby = Lobby(store)
        await self.lobby.start()
        rooms = [await self.lobby.find(match) for match in list(self.lobby.asleep)]
        for room in rooms:
            self.tell("rebuilt", room.id, len(room.entries), record.digest(room.match.dump()), room.status)
        self.tell("ready")
        store.at = self._killer()
        await asyncio.gather(*(self._keep_playing(room) for room in rooms + [None] * (MATCHES - len(rooms))))

    def _killer(self):
        step, number = self.plan
        count = Counter()

        def at(reached):
            count[reached] += 1
            if reached == step and count[reached] == number:
                os.kill(os.getpid(), signal.SIGKILL)

        return at

    async def _keep_playing(self, room):
        """One match after the other, for ever."""
        while True:
            if room is None:
                timing = self.luck.choice([Timing(), Timing("bank", 3600, 1), Timing("deadline", 86400)])
                turns, together = self.luck.randint(2, 8), self.luck.random() < 0.3
                room = await new_match(self.lobby, timing, max_turns=turns, together=together)
                self.tell("created", room.id)
            room.observers.append(partial(self._told, room.id))
            await asyncio.gather(*(self._client(room, seat) for seat in (0, 1)))
            room = None

    def _told(self, match, entry):
        self.tell("told", match, entry.number, entry.kind, entry.seat, entry.body)

    async def _client(self, room, seat):
        while not room.over:
            if seat not in room.match.to_act():
                await asyncio.sleep(0.001)
                continue
            answer, counts = await self._one_request(room, seat)
            if isinstance(answer, Accepted):
                self.tell("acknowledged", room.id, seat if counts else "talk")

    async def _one_request(self, room, seat):
        chance = self.luck.random()
        if chance < 0.06:
            return await room.chat(seat, "a client", "x" * self.luck.randrange(100)), False
        if chance < 0.12:
            return await room.undo(seat), True
        if chance < 0.13:
            return await room.leave(seat, "resigned"), True
        if chance < 0.4:
            return await room.act(seat, {"do": "mark", "number": self.luck.randrange(100)}), True
        said = room.match.random_action(seat, self.luck.getrandbits(62), len(room.entries))
        return await room.act(seat, msgspec.to_builtins(said)), True


def live(url, plan, seed):
    """One life, to its end by SIGKILL; the lines it sent."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            Life(url, writing, plan, seed).run()
        except BaseException as error:
            os.write(writing, json.dumps(["crashed", repr(error)[:500]]).encode() + b"\n")
        finally:
            os._exit(1)
    os.close(writing)
    try:
        return _lines(child, reading, plan)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)


def _lines(child, reading, plan):
    """All that comes out of the pipe; where the plan is a time, the process is killed so long after it was ready."""
    gathered, end, wait = b"", time.monotonic() + LONGEST, plan[1] if plan[0] == "after" else None
    while time.monotonic() < end:
        if wait is not None and b'["ready"]' in gathered:
            end, wait = time.monotonic() + wait, None
        ready, _, _ = select.select([reading], [], [], max(0.0, end - time.monotonic()))
        if ready:
            chunk = os.read(reading, 1 << 16)
            if not chunk:
                break
            gathered += chunk
    os.kill(child, signal.SIGKILL)
    while chunk := os.read(reading, 1 << 16):  # what was on its way
        gathered += chunk
    return [json.loads(line) for line in gathered.splitlines()]


# --- the witness --------------------------------------------------------------------------------------------


class Witness:
    """Knows what was acknowledged, and plays every match in the archive again."""

    def __init__(self, url):
        self.url = url
        self.told, self.created, self.acknowledged = {}, set(), Counter()
        self.kept, self.matches, self.ended = {}, {}, set()
        self.lives = 0

    def hear(self, lines):
        """What one life said; what it began with must be what was there."""
        assert ["ready"] in lines, f"the server did not start: {lines[-3:]}"
        for what, *said in lines:
            if what == "crashed":
                raise AssertionError(f"the server crashed: {said[0]}")
            if what == "rebuilt":
                self._compare(*said)
            elif what == "created":
                self.created.add(said[0])
            elif what == "told":
                self.told.setdefault(said[0], {})[said[1]] = tuple(said[2:])
            elif what == "acknowledged":
                self.acknowledged[tuple(said)] += 1
        self.lives += 1

    def _compare(self, match, entries, digest, status):
        assert status in ("open", "running"), f"match {match} came back as {status}"
        assert entries == len(self.kept.get(match, ())), f"match {match} came back with {entries} entries"
        if match in self.matches:
            assert digest == record.digest(self.matches[match].dump()), f"match {match} came back different"

    def check(self):
        """Everything that was acknowledged is in the archive, and every match is what its log says."""
        rows, entries, logs = self._read()
        missing = self.created - {row[0] for row in rows}
        assert not missing, f"matches {missing} were acknowledged, and are not there"
        by_match = {}
        for match, *entry in entries:
            by_match.setdefault(match, []).append(tuple(entry))
        for match, settings, seed, status in rows:
            if match not in self.ended:
                self._check_match(match, settings, seed, by_match.get(match, []))
                self._check_end(match, status, logs)
        self._check_acknowledged(by_match)

    def _check_match(self, match, settings, seed, entries):
        known = self.kept.get(match, [])
        assert entries[: len(known)] == known, f"what is written of match {match} has changed"
        if match not in self.matches:
            chosen = treasure_game.game.configure(values=json.loads(settings))
            self.matches[match] = Match(treasure_game.game, chosen, seed=int(seed, 16))
        playing = self.matches[match]
        for number, kind, seat, body, state in entries[len(known) :]:
            self._play(playing, match, kind, seat, json.loads(body))
            began = playing.log[-1]
            mark = began.state if kind == "act" and isinstance(began, TurnBegan) else None
            assert state == mark, f"match {match} differs from its log at entry {number}"
        assert [entry[0] for entry in entries] == list(range(1, len(entries) + 1)), f"match {match} has a gap"
        self.kept[match] = entries

    def _play(self, playing, match, kind, seat, body):
        answer = Accepted(0)
        if kind == "act":
            answer = playing.submit(seat, body)
        elif kind == "undo":
            answer = playing.undo(seat)
        assert isinstance(answer, Accepted), f"match {match} has what cannot be played: {answer}"

    def _check_end(self, match, status, logs):
        playing = self.matches[match]
        assert (status == "over") == (not playing.to_act()), f"match {match} is {status}"
        assert (match in logs) == (status == "over"), f"match {match} is {status}, and its gamelog is not so"
        if status == "over":
            lines = gzip.decompress(logs[match]).decode().splitlines(True)
            again = gamelog.Replay(lines, treasure_game.find).run().match
            assert again.dump() == playing.dump(), f"the gamelog of match {match} is another match's"
            self.ended.add(match)

    def _check_acknowledged(self, by_match):
        for match, entries in self.told.items():
            there = {
                number: (kind, seat, json.loads(body))
                for number, kind, seat, body, _ in by_match.get(match, [])
            }
            for number, told in entries.items():
                assert there.get(number) == told, (
                    f"entry {number} of match {match} was told, and is not there"
                )
        for (match, seat), many in self.acknowledged.items():
            there = [entry for entry in by_match.get(match, []) if (seat == "talk") == (entry[1] == "chat")]
            there = [entry for entry in there if seat in ("talk", entry[2])]
            assert len(there) >= many, f"seat {seat} of match {match} has lost an action"

    def _read(self):
        """The archive by its own driver, not through the program that is on trial."""
        postgres = self.url.startswith("postgresql")
        line = psycopg.connect(self.url) if postgres else sqlite3.connect(self.url.removeprefix("sqlite:///"))
        try:
            if postgres:
                _wait_for_the_dead(line)
            matches = line.execute("select id, settings, seed, status from matches").fetchall()
            columns = "match, number, kind, seat, body, state"
            entries = line.execute(f"select {columns} from entries order by match, number").fetchall()
            logs = line.execute("select match, packed from gamelogs").fetchall()
        finally:
            line.close()
        return matches, entries, {match: bytes(packed) for match, packed in logs}


def _wait_for_the_dead(line):
    """PostgreSQL may still be at work for a client that was killed."""
    others = (
        "select count(*) from pg_stat_activity where datname = current_database() and pid != pg_backend_pid()"
    )
    while line.execute(others).fetchone()[0]:
        line.rollback()
        time.sleep(0.002)


# --- many lives ---------------------------------------------------------------------------------------------


def plans(kills, luck):
    """Half of the lives end at a step of a write, each step in its turn; half at any moment."""
    for number in range(kills):
        step, turn = STEPS[number // 2 % len(STEPS)], 1 + number // 2 // len(STEPS)
        yield (step, turn) if number % 2 == 0 else ("after", luck.uniform(0.0, 0.15))


def trial(url, kills, seed):
    """So many lives and deaths; what was seen of them. AssertionError where anything was lost."""
    register()
    Store(url).close()
    luck, witness, ended = Random(seed), Witness(url), Counter()
    for plan in plans(kills, luck):
        witness.hear(live(url, plan, luck.getrandbits(32)))
        witness.check()
        ended[plan[0]] += 1
    told = sum(map(len, witness.told.values()))
    acknowledged = sum(witness.acknowledged.values())
    return {"kills": dict(ended), "matches": len(witness.kept), "over": len(witness.ended), "told": told,
            "acknowledged": acknowledged, "written": sum(map(len, witness.kept.values()))}  # fmt: skip


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("url")
    asked.add_argument("--kills", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    said = asked.parse_args()
    print(json.dumps(trial(said.url, said.kills, said.seed)))


if __name__ == "__main__":
    main()
