"""Writes gamelogs of sessions that the end of a server interrupted. Their matches continue until a clock runs out.

Such a gamelog lacks refused runs and messages that clients logged, because the archive does not hold them.
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
SWEEP = 1.0  # seconds between searches for finished matches


class GamelogReplay(SessionMatch):
    """Replays a match to write its gamelog. No clients take part; all seats count as our bots."""

    gamelog: Row | None = None

    def __init__(self, room: Room, saved: SavedSession, shared: SharedServices) -> None:
        super().__init__(room, saved, {}, [], shared._replace(compiler=None), lambda match: None)

    def replay(self, rows: list[Row]) -> None:
        """Replay all entries of the match."""
        self.start()
        for row in rows:
            self.room.replay(row)
            if row["kind"] == "act" and self.verdict is None:
                self._played(row["seat"], self.room.entries[-1].body)
        self._unsubscribe()

    def _end(self) -> None:
        self._decide()
        self.gamelog = self._gamelog()


class InterruptedSessions:
    """The interrupted sessions. Calls `ended` for each one after its gamelog is archived."""

    def __init__(
        self, lobby: Lobby, shared: SharedServices, ended: Callable[[SavedSession, SessionMatch], None]
    ) -> None:
        self._lobby, self._shared, self._ended = lobby, shared, ended
        self._saved: dict[str, SavedSession] = {}  # by match

    async def load(self) -> None:
        """Load them from the archive."""
        for row in await asyncio.to_thread(self._lobby.store.gamelogs, SESSION_KIND):
            self.add(row["match"], read_saved(row))

    def add(self, match: str, saved: SavedSession) -> None:
        """Add a session whose match continues without its clients."""
        self._saved[match] = saved

    def find(self, game: str, session: str) -> SavedSession | None:
        """The most recent session of this name."""
        of_that_name = [each for each in self._saved.values() if (each.game, each.session) == (game, session)]
        return max(of_that_name, key=lambda saved: saved.epoch, default=None)

    async def run(self) -> None:
        """Write the gamelog of each match that is over."""
        while True:
            for match in [match for match in self._saved if not self._lobby.is_live(match)]:
                try:
                    await self._finish(match, self._saved[match])
                except ArchiveDown:
                    break  # the next round tries again
                except Exception:
                    LOG.exception("could not write the gamelog of an interrupted match", match=match)
                self._saved.pop(match, None)
            await asyncio.sleep(SWEEP)

    async def _finish(self, match: str, saved: SavedSession) -> None:
        room, rows = await self._lobby.reread(match)
        if room.status == "failed":  # a failed match has no gamelog
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
    """The players as `/status` lists them, with their results if the match is over."""
    return [
        {"name": saved.names[seat], "spectating": False} | (match.fate(seat) if match else {})
        for seat in saved.clients
    ]
