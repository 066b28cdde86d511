"""`endturn loadtest`: plays the requested actions, counts errors, and refuses remote hosts."""

import json
import os
import subprocess
import sys

from web_arena import START, TESTS


def loadtest(*options):
    environment = {**os.environ, "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{TESTS}"}
    command = [sys.executable, "-c", START, "loadtest", *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def test_every_action_is_answered_and_timed(server):
    done = loadtest(
        *("catastrophe", "--matches", "5", "--rate", "100", "--seconds", "1"),
        *("--connect", server.url, "--json"),
    )
    report = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert (report["matches"], report["actions"], report["errors"]) == (5, 100, 0)
    assert 0 < report["p50"] <= report["p99"] <= report["worst"]
    assert report["messages"] > 2 * 100  # an answer, and both seats hear of it


def test_load_test_starts_its_own_server():
    done = loadtest("catastrophe", "--matches", "2", "--rate", "20", "--seconds", "0.5")
    assert done.returncode == 0 and "10 actions in" in done.stdout, done.stderr


def test_remote_host_needs_anywhere():
    done = loadtest("--connect", "http://192.0.2.1:8000")
    assert done.returncode == 2
    assert done.stderr == (
        "http://192.0.2.1:8000 is a remote host. Pass --anywhere to load-test it anyway.\n"
    )


def test_scheme_of_a_server_url_is_optional(server):
    done = loadtest(
        *("catastrophe", "--matches", "1", "--rate", "20", "--seconds", "0.2"),
        *("--connect", server.url.removeprefix("http://")),
    )
    assert done.returncode == 0 and "4 actions in" in done.stdout, done.stderr


def test_invalid_server_url_is_one_clear_error():
    done = loadtest("--connect", "ws://127.0.0.1:8000")
    assert done.returncode == 2
    expected = "Not a server URL: 'ws://127.0.0.1:8000'. Expected something like http://127.0.0.1:8000."
    assert done.stderr == f"{expected}\n"


def test_missing_server_is_one_clear_error():
    done = loadtest("--connect", "http://127.0.0.1:9")
    assert done.returncode == 2 and "Traceback" not in done.stderr
