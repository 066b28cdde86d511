"""The archive's rows for a live match: entries, seats, results and the gamelog."""

import gzip
from typing import Any

import structlog

from endturn.archive.store import (
    GAMELOGS,
    RESULTS,
    Write,
    change_match,
    change_seat,
    insert,
    new_entry,
)
from endturn.engine import gamelog
from endturn.engine.match import Match
from endturn.server.live_match import Pending, encoded

LOG = structlog.get_logger("endturn.room")


def rows_of(match: str, pending: Pending) -> list[Write]:
    """The writes that save a pending change."""
    if pending.entry is None:
        return _rows_of_seat(match, pending)
    entry = pending.entry
    return [
        new_entry(
            match=match,
            number=entry.number,
            at=entry.at,
            kind=entry.kind,
            seat=entry.seat,
            body=encoded(entry.body),
            clock=pending.reading,
            state=pending.checksum,
        )
    ]


def _rows_of_seat(match: str, pending: Pending) -> list[Write]:
    rows = []
    if pending.seat is not None:
        number, seat = pending.seat
        rows.append(change_seat(match, number, name=seat.name, token=seat.token, account=seat.account))
    return [*rows, change_match(match, **pending.changes)] if pending.changes else rows


def rows_at_end(match: str, pending: Pending, played: Match) -> list[Write]:
    """The writes that save a change which ends the match, with results and gamelog. Slow for a long gamelog."""
    if pending.failure is None:
        return [*rows_of(match, pending), *_results(match, pending, played), gamelog_row(match, played)]
    failed = change_match(
        match, status="failed", changed_at=pending.at, outcome=failed_outcome(pending.failure)
    )
    return [failed, *gamelog_rows(match, played)]


def _results(match: str, pending: Pending, played: Match) -> list[Write]:
    outcome = played.outcome
    assert outcome is not None
    rows = [change_match(match, status="over", changed_at=pending.at, outcome=encoded(outcome._asdict()))]
    for seat, player in enumerate(played.players):
        place, reason = outcome.places[seat], outcome.reasons[seat]
        values = {"match": match, "seat": seat, "name": player, "place": place, "reason": reason}
        rows.append(insert(RESULTS, values))
    return rows


def gamelog_rows(match: str, played: Match) -> list[Write]:
    """The gamelog of a match that was stopped, or nothing if writing the gamelog fails too."""
    try:
        return [gamelog_row(match, played)]
    except Exception:
        LOG.exception("cannot write the gamelog of a stopped match", match=match)
        return []


def gamelog_row(match: str, played: Match) -> Write:
    """The gamelog of a match."""
    packed = gzip.compress("".join(gamelog.write(played)).encode(), 6, mtime=0)
    name = f"{played.game.name}-{match}"
    return insert(GAMELOGS, {"match": match, "kind": "endturn", "name": name, "packed": packed})


def failed_outcome(reason: str) -> str:
    """The outcome that the archive stores for a match that was stopped."""
    return encoded({"failed": reason})


def seat_row(match: str, number: int, seat: Any) -> Write:
    """The write that saves a seat as it is in memory."""
    return change_seat(match, number, name=seat.name, token=seat.token, account=seat.account)
