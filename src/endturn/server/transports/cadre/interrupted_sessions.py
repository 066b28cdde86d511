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
from endturn.server.transports.cadre.saved_session import (
    SESSION_KIND,
    SavedSession,
    archive_gamelog,
    read_saved,
)
from endturn.server.transports.cadre.session_match import SessionMatch, SharedServices

LOG = structlog.get_logger("endturn.cadre")
SWEEP = 1.0  # seconds between looks for matches that are over


class GamelogReplay(SessionMatch):
    """A session's match played once more, for its gamelog alone: whoever played is taken for a bot of ours."""

    gamelog: Row | None = None

    def __init__(self, room: Room, saved: SavedSession, shared: SharedServices) -> None:
        super().__init__(room, saved, {}, [], shared._replace(compiler=None), lambda match: None)

    def replay(self, rows: list[Row]) -> None:
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


class InterruptedSessions:
    """All of them; `ended` hears of each when its gamelog is there."""

    def __init__(
        self, lobby: Lobby, shared: SharedServices, ended: Callable[[SavedSession, SessionMatch], None]
    ) -> None:
        self._lobby, self._shared, self._ended = lobby, shared, ended
        self._saved: dict[str, SavedSession] = {}  # by match

    async def load(self) -> None:
        """Know what the archive has of them."""
        for row in await asyncio.to_thread(self._lobby.store.gamelogs, SESSION_KIND):
            self.add(row["match"], read_saved(row))

    def add(self, match: str, saved: SavedSession) -> None:
        """A match goes on without its clients."""
        self._saved[match] = saved

    def find(self, game: str, session: str) -> SavedSession | None:
        """The last one of this name."""
        of_that_name = [each for each in self._saved.values() if (each.game, each.session) == (game, session)]
        return max(of_that_name, key=lambda saved: saved.epoch, default=None)

    async def run(self) -> None:
        """Write the gamelogs of those that are over."""
        while True:
            for match in [match for match in self._saved if not self._lobby.is_live(match)]:
                try:
                    await self._finish(match, self._saved[match])
                except ArchiveDown:
                    break  # all are still there in a moment
                except Exception:
                    LOG.exception("a gamelog could not be made of an interrupted match", match=match)
                self._saved.pop(match, None)
            await asyncio.sleep(SWEEP)

    async def _finish(self, match: str, saved: SavedSession) -> None:
        room, rows = await self._lobby.reread(match)
        if room.status == "failed":  # as ever, there is no gamelog then
            await self._lobby.journal.write(drop_gamelog(match, SESSION_KIND))
            return
        replay = await asyncio.to_thread(self._replayed, room, rows, saved)
        if replay.gamelog is not None:
            await archive_gamelog(self._lobby.journal, replay.gamelog)
            replay.gamelog_name = replay.gamelog["name"]
            self._ended(saved, replay)

    def _replayed(self, room: Room, rows: list[Row], saved: SavedSession) -> GamelogReplay:
        replay = GamelogReplay(room, saved, self._shared)
        replay.replay(rows)
        return replay


def clients_of(saved: SavedSession, match: SessionMatch | None = None) -> list[dict[str, Any]]:
    """Those who played, as the original server told of them; how it ended for them, if it has."""
    return [
        {"name": saved.names[seat], "spectating": False} | (match.fate(seat) if match else {})
        for seat in saved.clients
    ]
