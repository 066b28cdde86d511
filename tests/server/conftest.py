"""Databases for the server's tests, and Hypothesis without clocks."""

import pytest
from hypothesis import settings

import postgres
from endturn.games import GAMES

settings.register_profile("server", deadline=None, derandomize=True)
settings.load_profile("server")


@pytest.fixture
def treasure(monkeypatch):
    """A small game that has a bit of everything, among those of the server."""
    monkeypatch.setitem(GAMES, "treasure", "treasure_game")


@pytest.fixture(scope="session")
def cluster():
    made = postgres.cluster_or_skip()
    yield made
    made.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/arena.db"
    return request.getfixturevalue("cluster").database()
