"""What the archive has of a session from its beginning on, so that its gamelog can be written whatever happens.

It lies beside the match, and goes when the gamelog is there. What is found at the start of a server was interrupted.
"""

import asyncio
import gzip

import msgspec

from endturn.archive.store import GAMELOGS, ArchiveDown, Conflict, Row, Write, drop_gamelog, insert
from endturn.cadre.gamelogs import SessionStart
from endturn.server.journal import Journal

SESSION_KIND, GAMELOG_KIND = "begun", "cadre"  # kinds of gamelogs
RETRY = 1.0  # seconds until an archive that was down is tried again


class SavedSession(SessionStart, frozen=True):
    """A session as it began, for the archive."""

    def insertion(self, match: str) -> Write:
        """The row that is written with the match's own."""
        packed = gzip.compress(msgspec.json.encode(self), 1, mtime=0)
        return insert(GAMELOGS, {"match": match, "kind": SESSION_KIND, "name": match, "packed": packed})


def read_saved(row: Row) -> SavedSession:
    """A session as its row has it."""
    return msgspec.json.decode(gzip.decompress(row["packed"]), type=SavedSession)


async def archive_gamelog(journal: Journal, gamelog: Row) -> None:
    """Write a session's gamelog, as soon as the archive takes it; that it is down others say already."""
    writes = insert(GAMELOGS, gamelog), drop_gamelog(gamelog["match"], SESSION_KIND)
    while True:
        try:
            return await journal.write(*writes)
        except Conflict:
            return None  # an earlier try was written after all
        except ArchiveDown:
            await asyncio.sleep(RETRY)
