"""Compiles the rules of a match into the cache, in another process. The match continues with plain rules meanwhile."""

import os
import subprocess
import sys
from typing import Any

import msgspec

from endturn.engine.game import Game
from endturn.engine.rule import kernels
from endturn.engine.settings import settings_to_json
from endturn.engine.warming import warm
from endturn.games import find

COMMAND = "from endturn.compiling import compile_rules; compile_rules()"


class Compilation:
    """A process that compiles the rules of one kind of match."""

    def __init__(self, game: Game, settings: Any, niceness: int = 0) -> None:
        said = msgspec.json.encode(settings_to_json(settings)).decode()
        command = [sys.executable, "-c", COMMAND, game.name, said, str(niceness)]
        self._game = game
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def is_running(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.poll() is None

    def is_found(self) -> bool:
        """Wait until the process ends. Returns whether the compiled rules are in this process's cache."""
        where, _ = self._process.communicate()
        return where.strip() == kernels(self._game, "compiled").__file__

    def terminate(self) -> None:
        """Stop the process. Another thread may be waiting in `is_found`."""
        self._process.terminate()

    def stop(self) -> None:
        """Stop the process, and wait until it has ended."""
        self._process.terminate()
        self._process.communicate()


def compile_rules() -> None:
    """Compile the rules of the game and settings in this process's arguments; print the path of the result."""
    os.nice(int(sys.argv[3]))
    game = find(sys.argv[1])
    warm(game, game.configure(values=msgspec.json.decode(sys.argv[2])))
    print(kernels(game, "compiled").__file__)
