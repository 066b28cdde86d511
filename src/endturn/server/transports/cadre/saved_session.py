"""The start of a session, archived with its match so that the gamelog can be written even after a crash.

The row with the gamelog replaces it. A row that a starting server finds belongs to an interrupted session.
"""

import asyncio
import gzip

import msgspec

from endturn.archive.store import GAMELOGS, ArchiveDown, Conflict, Row, Write, drop_gamelog, insert
from endturn.cadre.gamelogs import SessionStart
from endturn.server.journal import Journal

SESSION_KIND, GAMELOG_KIND = "begun", "cadre"  # kinds of rows in the table of gamelogs
RETRY = 1.0  # seconds between attempts while the archive is down


class SavedSession(SessionStart, frozen=True):
    """The start of a session, as archived."""

    def insertion(self, match: str) -> Write:
        """The write that the archive performs together with that of the match."""
        packed = gzip.compress(msgspec.json.encode(self), 1, mtime=0)
        return insert(GAMELOGS, {"match": match, "kind": SESSION_KIND, "name": match, "packed": packed})


def read_saved(row: Row) -> SavedSession:
    """Read a session from its row."""
    return msgspec.json.decode(gzip.decompress(row["packed"]), type=SavedSession)


async def archive_gamelog(journal: Journal, gamelog: Row) -> None:
    """Write a gamelog. Tries again until the archive accepts it; `Journal.trouble` tells why it does not."""
    writes = insert(GAMELOGS, gamelog), drop_gamelog(gamelog["match"], SESSION_KIND)
    while True:
        try:
            return await journal.write(*writes)
        except Conflict:
            return None  # an earlier attempt did succeed
        except ArchiveDown:
            await asyncio.sleep(RETRY)
