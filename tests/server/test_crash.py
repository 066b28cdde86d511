"""Kill the server at random moments and at every step of a write: nothing acknowledged is lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import nursery

PROGRAM = Path(nursery.__file__)


def killed(url, kills):
    """What the nursery saw; in a process of its own, because it forks."""
    command = [sys.executable, PROGRAM, url, "--kills", str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_a_hundred_kills_lose_nothing_acknowledged(tmp_path):
    seen = killed(f"sqlite:///{tmp_path}/arena.db", 104)
    assert sum(seen["kills"].values()) == 104
    assert all(seen["kills"][step] == 13 for step in nursery.STEPS)
    # The trial was one: much was acknowledged, and some was written that nobody heard of.
    assert seen["acknowledged"] > 500 and seen["over"] > 10 and seen["written"] > seen["told"]


def test_kills_lose_nothing_acknowledged_on_postgresql(cluster):
    seen = killed(cluster.database(), 32)
    assert sum(seen["kills"].values()) == 32 and seen["acknowledged"] > 100


# --- the witness would notice ---


@pytest.fixture
def witness(tmp_path):
    url = f"sqlite:///{tmp_path}/arena.db"
    nursery.Store(url).close()
    return nursery.Witness(url)


def test_witness_notices_a_missing_match(witness):
    witness.hear([["ready"], ["created", "m"]])
    with pytest.raises(AssertionError, match="acknowledged, and are not there"):
        witness.check()


def test_witness_notices_a_server_that_does_not_start(witness):
    with pytest.raises(AssertionError, match="did not start"):
        witness.hear([["crashed", "no"]])
