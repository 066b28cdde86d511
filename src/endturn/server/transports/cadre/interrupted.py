"""Sessions that were interrupted by the end of a server: their matches end by their clocks, and have gamelogs, too.

What was refused, and what clients logged, is not in the archive and so not in such a gamelog; all else is.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog

from endturn.archive.store import ArchiveDown, Row, drop_gamelog
from endturn.server.lobby import Lobby
from endturn.server.room import Room
from endturn.server.transports.cadre.begun import BEGUN, Begun, begun_in, keep
from endturn.server.transports.cadre.play import Play, Shared

LOG = structlog.get_logger("endturn.cadre")
SWEEP = 1.0  # seconds between looks for matches that are over


class Replay(Play):
    """A session's match played once more, for its gamelog alone: whoever played is taken for a bot of ours."""

    gamelog: Row | None = None

    def __init__(self, room: Room, begun: Begun, shared: Shared) -> None:
        super().__init__(room, begun, {}, [], shared._replace(compiling=None), lambda play: None)

    def play(self, rows: list[Row]) -> None:
        """All that happened, up to the end."""
        self.start()
        for row in rows:
            self.room.replay(row)
            if row["kind"] == "act" and self.verdict is None:
                self._played(row["seat"], self.room.entries[-1].body)
        self.room.observers.clear()

    def _end(self) -> None:
        self._decide()
        self.gamelog = self._gamelog()


class Interrupted:
    """All of them; `ended` hears of each when its gamelog is there."""

    def __init__(self, lobby: Lobby, shared: Shared, ended: Callable[[Begun, Play], None]) -> None:
        self._lobby, self._shared, self._ended = lobby, shared, ended
        self._begun: dict[str, Begun] = {}  # by match

    async def load(self) -> None:
        """Know what the archive has of them."""
        for row in await asyncio.to_thread(self._lobby.store.gamelogs, BEGUN):
            self.add(row["match"], begun_in(row))

    def add(self, match: str, begun: Begun) -> None:
        """A match goes on without its clients."""
        self._begun[match] = begun

    def find(self, game: str, session: str) -> Begun | None:
        """The last one of this name."""
        of_that_name = [each for each in self._begun.values() if (each.game, each.session) == (game, session)]
        return max(of_that_name, key=lambda begun: begun.epoch, default=None)

    async def run(self) -> None:
        """Write the gamelogs of those that are over."""
        while True:
            for match in [match for match in self._begun if not self._lobby.is_live(match)]:
                try:
                    await self._finish(match, self._begun[match])
                except ArchiveDown:
                    break  # all are still there in a moment
                except Exception:
                    LOG.exception("a gamelog could not be made of an interrupted match", match=match)
                self._begun.pop(match, None)
            await asyncio.sleep(SWEEP)

    async def _finish(self, match: str, begun: Begun) -> None:
        room, rows = await self._lobby.reread(match)
        if room.status == "failed":  # as ever, there is no gamelog then
            await self._lobby.journal.write(drop_gamelog(match, BEGUN))
            return
        replay = await asyncio.to_thread(self._replayed, room, rows, begun)
        if replay.gamelog is not None:
            await keep(self._lobby.journal, replay.gamelog)
            replay.gamelog_name = replay.gamelog["name"]
            self._ended(begun, replay)

    def _replayed(self, room: Room, rows: list[Row], begun: Begun) -> Replay:
        replay = Replay(room, begun, self._shared)
        replay.play(rows)
        return replay


def clients_of(begun: Begun, play: Play | None = None) -> list[dict[str, Any]]:
    """Those who played, as the original server told of them; how it ended for them, if it has."""
    return [
        {"name": begun.names[seat], "spectating": False} | (play.fate(seat) if play else {})
        for seat in begun.clients
    ]
