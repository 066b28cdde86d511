"""The client's own tests and types, run by its own tools; and how heavy the pages are."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from web.arena import STATIC

WEB = Path(__file__).parents[2] / "web"
HEAVIEST = 600_000  # bytes, compressed

installed = pytest.mark.skipif(
    not (WEB / "node_modules").is_dir(), reason="the client's tools are not installed: npm --prefix web ci"
)


def run(*words):
    environment = {**os.environ, "ENDTURN_PYTHON": sys.executable}
    done = subprocess.run(
        ["npm", "--prefix", WEB, "run", "--silent", *words], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@installed
def test_the_client_keeps_to_its_types():
    run("check")


@installed
def test_the_store_the_deltas_and_the_formats_hold():
    run("test")


@pytest.mark.skipif(not STATIC.exists(), reason="the browser client has not been built")
def test_all_that_a_browser_loads_is_light():
    loaded = [*STATIC.parent.glob("assets/*"), STATIC]
    assert sum(len(gzip.compress(file.read_bytes())) for file in loaded) < HEAVIEST
