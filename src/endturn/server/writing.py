"""What a room writes into the archive: entries, how a match ended, its gamelog."""

import asyncio
import gzip
import hashlib
from typing import Any

import msgspec

from endturn.archive.store import GAMELOGS, RESULTS, Row, Write, change_match, insert, new_entry
from endturn.engine import gamelog
from endturn.engine.match import Match
from endturn.server.clock import Clock
from endturn.server.ledger import Entry


class Step(msgspec.Struct):
    """What has happened, and what is so when it is written."""

    entry: Entry
    clock: Clock
    now: float
    paused: bool
    ends: bool  # whether the match is over with it
    write: Write


def entry_written(match: str, entry: Entry, clock: str | None, state: str | None) -> Write:
    """An entry, with what the clocks say after it, and the state's fingerprint where a turn begins with it."""
    return new_entry(
        match=match,
        number=entry.number,
        at=entry.at,
        kind=entry.kind,
        seat=entry.seat,
        body=encoded(entry.body),
        clock=clock,
        state=state,
    )


async def end_written(match: str, played: Match, at: int) -> list[Write]:
    """How a match ended."""
    outcome = played.outcome
    assert outcome is not None
    writes = [change_match(match, status="over", changed_at=at, outcome=encoded(outcome._asdict()))]
    for seat, player in enumerate(played.players):
        place, reason = outcome.places[seat], outcome.reasons[seat]
        values = {"match": match, "seat": seat, "name": player, "place": place, "reason": reason}
        writes.append(insert(RESULTS, values))
    return [*writes, await gamelog_written(match, played)]


async def gamelog_written(match: str, played: Match) -> Write:
    """The match's gamelog; packing a long one would hold everybody up, so a thread does it."""
    packed = await asyncio.to_thread(
        lambda: gzip.compress("".join(gamelog.write(played)).encode(), 6, mtime=0)
    )
    name = f"{played.game.name}-{match}"
    return insert(GAMELOGS, {"match": match, "kind": "endturn", "name": name, "packed": packed})


def hashed(token: str) -> str:
    """A token as the archive keeps it. Tokens are long and by chance, so that one round is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def cleaned(text: str) -> str:
    """A text that both databases take: no zero bytes, no halves of characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def encoded(value: Any) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()


def failed(reason: str) -> str:
    """What the archive has as the outcome of a match that was stopped."""
    return encoded({"failed": reason})


def failure_in(row: Row) -> str | None:
    """Why a match was stopped, if it was."""
    said = msgspec.json.decode(row["outcome"]) if row["status"] == "failed" and row["outcome"] else {}
    return said.get("failed")
