"""Bots on the server: a bot that is slow, crashes, loops or dies affects only its own match."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from endturn.server import bot_workers
from endturn.server.bot_workers import QUICK, BotFailed, BotTooSlow, BotWorkers, MatchSetup

PROGRAM = Path(__file__).parent / "bots_at_work.py"
LOST = {"status": "over", "how": "left", "places": [2, 1], "entries": 1}
END = {"do": "end_turn"}
DISCONNECTED, TIMED_OUT = {"do": "leave", "why": 2}, {"do": "leave", "why": 1}


@pytest.fixture(scope="module")
def told():
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("bot", ["looping", "crashing", "dying", "stubborn"])
def test_bot_without_a_legal_action_loses(told, bot):
    assert told[bot] == {**LOST, "last": DISCONNECTED}


@pytest.mark.parametrize("bot", ["looping", "sleepy"])
def test_bot_gets_no_more_time_than_its_clock(told, bot):
    assert told[f"{bot} with a clock"] == {**LOST, "last": TIMED_OUT}


def test_default_action_is_played_for_a_bot_out_of_time(told):
    assert told["sleepy, late"] == {"how": "counted", "first": END, "other": []}


def test_bot_thinks_again_after_the_clock_has_played_for_it(told):
    late = told["waking, late"]
    assert late["first"] == END and {each["number"] for each in late["other"]} == {2}


def test_timeout_of_a_bot_names_its_time_limit():
    worker = bot_workers._Worker()
    worker.pipe = SimpleNamespace(poll=lambda seconds: False, close=lambda: None)
    with pytest.raises(bot_workers.BotTooSlow, match=r"it took longer than 0\.05 seconds"):
        worker._exchange(None, 0.05)


def test_slow_bot_plays(told):
    assert told["sleepy"]["status"] == "running" and told["sleepy"]["entries"] > 0


def test_looping_bot_does_not_delay_other_matches(told):
    assert told["random"]["how"] == "counted"
    assert told["looping meanwhile"] == {"status": "running", "entries": 0}


def test_looping_bot_ends_with_a_killed_server(tmp_path):
    environment = {**os.environ, "LOOPING": str(tmp_path)}
    with subprocess.Popen([sys.executable, PROGRAM, "loop"], env=environment) as server:
        comes_true(lambda: list(tmp_path.iterdir()), "no bot ever looped")
        server.send_signal(signal.SIGKILL)
    workers = [int(file.name) for file in tmp_path.iterdir()]
    comes_true(lambda: not any(map(is_alive, workers)), f"the workers {workers} live on")


# --- one worker ---

SETUP = MatchSetup("m", "anarchy", {"max_turns": 4}, 7, None, (None, "random"))
LOG = [[0, {"do": "end_turn"}]]  # the first seat's only action: the bot is to act


@pytest.fixture
def worker():
    made = bot_workers._Worker()
    yield made
    made.close()
    made._stop()


def test_bot_continues_in_a_new_process_after_a_crash(worker):
    first = worker.act(SETUP, LOG, 1, 60)
    died = worker.process
    died.kill()
    died.join()
    assert worker.act(SETUP, LOG, 1, 60) == first and worker.process is not died


def test_worker_gets_the_whole_match_after_a_bot_failed(worker):
    first = worker.act(SETUP, LOG, 1, 60)
    with pytest.raises(BotFailed, match="it crashed"):
        worker.act(SETUP, LOG, 0, 60)  # a seat without a bot
    assert worker.act(SETUP, LOG, 1, 60) == first


def test_seed_of_a_bot_does_not_reveal_the_seed_of_the_match():
    playing = bot_workers._BotMatch(SETUP._replace(bots=("random", "random")))
    seeds = [bot.seed for bot in playing.bots]
    assert seeds == playing.seeds and len({SETUP.seed, *seeds}) == 3


def test_slow_bot_gets_its_remaining_time_then_a_slow_worker(monkeypatch):
    asked = []

    def act(worker, table, log, seat, seconds):
        asked.append((worker in house._quick, seconds))
        if worker in house._quick:
            raise BotTooSlow("it took too long")
        return {"do": "end_turn"}

    async def inside():
        return [await house.act(SETUP, LOG, 1, seconds) for seconds in (10.0, 10.0)]

    monkeypatch.setattr(bot_workers._Worker, "act", act)
    house = BotWorkers(1, 1)
    assert asyncio.run(inside()) == [{"do": "end_turn"}] * 2
    house.close()
    assert asked == [(True, QUICK), (False, 10.0 - QUICK), (False, 10.0)]


def test_match_always_uses_the_same_slow_worker(monkeypatch):
    asked = []

    def act(worker, setup, log, seat, seconds):
        asked.append((setup.match, worker))
        time.sleep(0.001)
        return {"do": "end_turn"}

    async def inside():
        for _ in range(5):
            await asyncio.gather(*(house.act(SETUP._replace(match=name), LOG, 1, 10.0) for name in "abcdef"))

    monkeypatch.setattr(bot_workers._Worker, "act", act)
    house = BotWorkers(1, 4)
    house._known_slow.add(("anarchy", "random"))
    asyncio.run(inside())
    house.close()
    assert len({worker for _, worker in asked}) > 1
    assert len(set(asked)) == 6 and len(asked) == 30


def comes_true(holds, otherwise):
    for _ in range(400):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail(otherwise)


def is_alive(process):
    try:
        os.kill(process, 0)
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
