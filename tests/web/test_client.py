"""Runs the client's own type check and unit tests, and limits the size of its pages."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from web.arena import STATIC

WEB = Path(__file__).parents[2] / "web"
HEAVIEST = 600_000  # compressed bytes

installed = pytest.mark.skipif(
    not (WEB / "node_modules").is_dir(), reason="client tools missing: run npm --prefix web ci"
)


def run(*words):
    environment = {**os.environ, "ENDTURN_PYTHON": sys.executable}
    done = subprocess.run(
        ["npm", "--prefix", WEB, "run", "--silent", *words], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@installed
def test_client_type_check_passes():
    run("check")


@installed
def test_client_unit_tests_pass():
    run("test")


@pytest.mark.skipif(not STATIC.exists(), reason="client not built: run npm --prefix web run build")
def test_page_size_stays_below_the_limit():
    loaded = [*STATIC.parent.glob("assets/*"), STATIC]
    assert sum(len(gzip.compress(file.read_bytes())) for file in loaded) < HEAVIEST
