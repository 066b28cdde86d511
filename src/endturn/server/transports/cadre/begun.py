"""What the archive has of a session from its beginning on, so that its gamelog can be written whatever happens.

It lies beside the match, and goes when the gamelog is there. What is found at the start of a server was interrupted.
"""

import asyncio
import gzip

import msgspec

from endturn.archive.store import GAMELOGS, ArchiveDown, Conflict, Row, Write, drop_gamelog, insert
from endturn.cadre.gamelogs import SessionStart
from endturn.server.journal import Journal

BEGUN, CADRE = "begun", "cadre"  # kinds of gamelogs
RETRY = 1.0  # seconds until an archive that was down is tried again


class Begun(SessionStart, frozen=True):
    """A session as it began, for the archive."""

    def written(self, match: str) -> Write:
        """The row that is written with the match's own."""
        packed = gzip.compress(msgspec.json.encode(self), 1, mtime=0)
        return insert(GAMELOGS, {"match": match, "kind": BEGUN, "name": match, "packed": packed})


def begun_in(row: Row) -> Begun:
    """A session as its row has it."""
    return msgspec.json.decode(gzip.decompress(row["packed"]), type=Begun)


async def keep(journal: Journal, gamelog: Row) -> None:
    """Write a session's gamelog, as soon as the archive takes it; that it is down others say already."""
    writes = insert(GAMELOGS, gamelog), drop_gamelog(gamelog["match"], BEGUN)
    while True:
        try:
            return await journal.write(*writes)
        except Conflict:
            return None  # an earlier try was written after all
        except ArchiveDown:
            await asyncio.sleep(RETRY)
