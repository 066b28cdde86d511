"""Bots on the server: one that is slow, crashes, loops or dies costs its own match, and nobody else anything."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "bots_at_work.py"
LOST = {"status": "over", "how": "left", "places": [2, 1], "entries": 1}
DISCONNECTED, TIMED_OUT = {"do": "leave", "why": 2}, {"do": "leave", "why": 1}


@pytest.fixture(scope="module")
def told():
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("bot", ["looping", "crashing", "dying", "stubborn"])
def test_a_bot_that_gives_no_action_that_counts_has_lost(told, bot):
    assert told[bot] == {**LOST, "last": DISCONNECTED}


def test_a_room_waits_for_a_bot_no_longer_than_its_clock(told):
    assert told["looping with a clock"] == {**LOST, "last": TIMED_OUT}


def test_a_slow_bot_plays(told):
    assert told["sleepy"]["status"] == "running" and told["sleepy"]["entries"] > 0


def test_others_play_whole_matches_while_a_bot_loops(told):
    assert told["random"]["how"] == "counted"
    assert told["looping meanwhile"] == {"status": "running", "entries": 0}


def test_a_bot_that_loops_ends_with_a_server_that_was_killed(tmp_path):
    environment = {**os.environ, "LOOPING": str(tmp_path)}
    with subprocess.Popen([sys.executable, PROGRAM, "loop"], env=environment) as server:
        comes_true(lambda: list(tmp_path.iterdir()), "no bot ever looped")
        server.send_signal(signal.SIGKILL)
    workers = [int(file.name) for file in tmp_path.iterdir()]
    comes_true(lambda: not any(map(is_alive, workers)), f"the workers {workers} live on")


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
