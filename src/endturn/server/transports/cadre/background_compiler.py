"""Compiles rules in the background and switches running matches to them.

A match starts with plain rules, which need no compiler. After many runs of one kind of match, another process compiles
its rules into the cache, a thread loads them, and every match of that kind switches after its next run. The bytes of
a state are the same on both backends.
"""

import asyncio
import threading
from collections import Counter
from typing import Any

import structlog

from endturn.compiling import Compilation
from endturn.engine.game import Game
from endturn.engine.rule import missing
from endturn.engine.warming import warm
from endturn.server.room import Room

LOG = structlog.get_logger("endturn.cadre")
ENOUGH = 1000  # runs of a kind of match before its rules are compiled
MOST_KINDS = 8  # to compile: clients choose map sizes, and some sizes are separate kinds
NICENESS = 10  # of the compiling process: matches come first


class BackgroundCompiler:
    """The kinds of matches that have compiled rules. A kind is the layout of a state."""

    def __init__(self) -> None:
        self.ready: set[Any] = set()
        self._runs: Counter[Any] = Counter()
        self._asked: set[Any] = set()
        self._loop = asyncio.get_running_loop()
        self._compilation: Compilation | None = None
        self._one_at_a_time = threading.Lock()
        self._closed = missing("compiled") is not None

    def switch(self, room: Room) -> bool:
        """Count a run played by plain rules; switch the match and return True if compiled rules are ready."""
        layout = room.match.layout
        if layout in self.ready:
            room.change_backend("compiled")
            return True
        self._runs[layout] += 1
        if self._runs[layout] == ENOUGH and len(self._asked) < MOST_KINDS and not self._closed:
            self._asked.add(layout)
            wanted = room.game, room.match.settings, layout
            threading.Thread(target=self._make, args=wanted, name="compiling", daemon=True).start()
        return False

    def close(self) -> None:
        """Stop compiling."""
        self._closed = True
        if self._compilation is not None:
            self._compilation.terminate()

    def _make(self, game: Game, settings: Any, layout: Any) -> None:
        with self._one_at_a_time:
            try:
                is_compiled = not self._closed and self._is_compiled(game, settings)
                if is_compiled and warm(game, settings).layout is layout:
                    self._loop.call_soon_threadsafe(self.ready.add, layout)
                elif not self._closed:
                    LOG.warning("rules could not be compiled", game=game.name)
            except Exception:  # plain rules still work; a closed loop needs nothing
                LOG.warning("rules could not be compiled", game=game.name, exc_info=True)

    def _is_compiled(self, game: Game, settings: Any) -> bool:
        """Compile in another process; returns whether this one will find the result in its cache."""
        self._compilation = Compilation(game, settings, NICENESS)
        try:
            return self._compilation.is_found()
        finally:
            self._compilation = None
