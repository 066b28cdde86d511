"""`endturn play --html`: a replay as one web page that needs no server."""

import base64
import gzip
import secrets
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from endturn.cli.terminal import Mistake
from endturn.engine.delta import diff
from endturn.engine.match import Acted, Entry, Match, TurnBegan
from endturn.engine.settings import settings_to_json
from endturn.protocol import ClockWish, Event, MatchInfo, ReplayPart, ReplayStep, SeatInfo, TurnMark, encode

PLACE = "MATCH"  # the placeholder in the page
MISSING = (
    "--html needs the browser client, which is not built. Run `npm ci` and `npm run build` in the folder web."
)


def require_page(file: Path, force: bool) -> str:
    """The empty replay page. Raises Mistake if it is not built or the file cannot be written."""
    if file.exists() and not force:
        raise Mistake(f"{file} exists. Choose another name, or overwrite it with --force.")
    if not file.parent.is_dir():
        raise Mistake(f"Cannot write {file}: the folder {file.parent} does not exist.")
    page = resources.files("endturn").joinpath("server", "static", "replay.html")
    if not page.is_file():
        raise Mistake(MISSING)
    return page.read_text(encoding="utf-8")


def write_page(match: Match, page: str, file: Path) -> None:
    """Write the page with a finished match in it. The file appears only when it is complete."""
    kept = {"names": list(match.game.seats), "replay": replay_of(match)}
    packed = base64.b64encode(gzip.compress(encode(kept), 9, mtime=0)).decode()
    part = file.with_name(f".{file.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        part.write_text(page.replace(PLACE, packed, 1), encoding="utf-8")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def replay_of(match: Match) -> ReplayPart:
    """The whole match step by step, as a spectator sees it."""
    twin = Match(match.game, match.settings, seed=match.seed, players=match.players)
    first = twin.view(None)
    marks: list[TurnMark] = []
    steps = list(_steps(match, twin, first, marks))
    return ReplayPart(_info(match), 0, first, steps, len(steps), marks)


def _steps(match: Match, twin: Match, view: dict[str, Any], marks: list[TurnMark]) -> Iterator[ReplayStep]:
    number = 0
    for entry in match.log:
        if isinstance(entry, TurnBegan):
            marks.append(TurnMark(entry.turn, number))
            continue
        number += 1
        _play(twin, entry)
        before, view = view, twin.view(None)
        yield ReplayStep(_event(match, entry, number, twin.turn), diff(before, view), number)


def _play(twin: Match, entry: Entry) -> None:
    if isinstance(entry, Acted):
        twin.submit(entry.seat, entry.action)
    elif not isinstance(entry, TurnBegan):
        twin.undo(entry.seat)


def _event(match: Match, entry: Entry, number: int, turn: int) -> Event:
    assert not isinstance(entry, TurnBegan)
    if isinstance(entry, Acted):
        return Event(number, "act", 0, entry.seat, match.game.actions.to_json(entry.action), turn=turn)
    return Event(number, "undo", 0, entry.seat, turn=turn)


def _info(match: Match) -> MatchInfo:
    outcome = match.outcome
    seats = [SeatInfo(seat, "bot", name, True, name, True) for seat, name in enumerate(match.players)]
    return MatchInfo(
        id="",
        game=match.game.name,
        title=match.game.title,
        status="over",
        seats=seats,
        settings=settings_to_json(match.settings),
        clock=ClockWish(),
        created_at=0,
        changed_at=0,
        outcome=None if outcome is None else {**outcome._asdict(), "winner": outcome.winner},
        seed=f"{match.seed:016x}",
    )
