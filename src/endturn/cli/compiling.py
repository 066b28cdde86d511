"""`endturn play --backend compiled`: the match starts with plain rules while another process compiles."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from endturn.engine.match import Match
from endturn.engine.settings import settings_to_json
from endturn.engine.warming import warm
from endturn.games import find

MAKE = "from endturn.cli.compiling import make; make()"


class Compiling:
    """Compiles the rules of a match into the cache, in another process."""

    def __init__(self, match: Match) -> None:
        self._match = match
        settings = msgspec.json.encode(settings_to_json(match.settings)).decode()
        command = [sys.executable, "-c", MAKE, match.game.name, settings]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def look(self) -> None:
        """Switch the match to compiled rules if they are ready. The state keeps its bytes."""
        if self._match.backend == "plain" and self._process.poll() == 0:
            self._match.change_backend("compiled")

    def stop(self) -> None:
        """Stop compiling; the match is over."""
        self._process.terminate()
        self._process.wait()


@contextmanager
def compiling(match: Match) -> Iterator[Compiling]:
    """Compile the rules of a match until the block ends."""
    made = Compiling(match)
    try:
        yield made
    finally:
        made.stop()


def make() -> None:
    """Compile the rules of the game and settings in this process's arguments."""
    game = find(sys.argv[1])
    warm(game, game.configure(values=msgspec.json.decode(sys.argv[2])))
