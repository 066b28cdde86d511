"""Endpoints for finished matches: replay them step by step, verify them, and start new matches from them."""

import gzip
from collections import OrderedDict
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from endturn.archive.store import Row
from endturn.engine import gamelog
from endturn.engine.delta import diff
from endturn.engine.game import Game
from endturn.engine.match import Match
from endturn.games import find
from endturn.protocol import ReplayPart, ReplayStep, TurnMark, Verification
from endturn.server.history import DoesNotFit, Entry, History, seated
from endturn.server.live_match import failure_in
from endturn.server.transports.web.describe import ENDED, event_of, match_info, seats_from
from endturn.server.transports.web.endpoint import ApiRequest, NotDone
from endturn.server.transports.web.site import Site

KEPT_REELS = 8  # replays in memory


class Part(msgspec.Struct, frozen=True):
    """Which part of a replay: the steps before it, its number of steps, and the seat whose view it shows."""

    first: Annotated[int, Meta(ge=0, le=1 << 31)] = 0
    count: Annotated[int, Meta(ge=1, le=500)] = 200
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None


class Reel:
    """A replay of a finished match. It only moves forward: to go back, it starts again."""

    def __init__(self, row: Row, seats: list[Row], entries: list[Row], log: list[str]) -> None:
        self.game: Game = seated(row, find(row["game"]))
        if row["version"] != self.game.version:
            raise NotDone(
                409,
                f"The match used version {row['version']} of the rules of {self.game.title}. "
                f"This server has version {self.game.version}.",
                "version",
            )
        self.row, self.entries = row, _kept(log, entries)
        self.info = match_info(row, seats_from(row, seats))
        self.names = [seat["name"] or name for seat, name in zip(seats, self.game.seats, strict=True)]
        self.turns = _marks(log, entries)
        self.rewind()

    def rewind(self) -> None:
        """Go back to the start."""
        self.history = History(self.row, self.game, self.names, "plain")
        self.at = 0

    def advance(self) -> Entry:
        """Replay one step, and return its entry."""
        try:
            self.history.replay(self.entries[self.at])
        except DoesNotFit as error:
            raise NotDone(409, f"The match cannot be replayed. {error}", "replay") from None
        self.at += 1
        return self.history.entries[-1]

    @property
    def match(self) -> Match:
        """The match after the steps so far."""
        return self.history.match

    @property
    def played(self) -> int:
        """The number of actions and undos so far."""
        return len(self.history.played)

    def go_to(self, step: int) -> None:
        """Go to the point after `step` steps."""
        if step < self.at:
            self.rewind()
        while self.at < step:
            self.advance()

    def part(self, wanted: Part) -> ReplayPart:
        """The requested part of the replay."""
        seat, last = wanted.seat, self.game.seat_count - 1
        if seat is not None and seat > last:
            raise NotDone(409, f"There is no seat {seat}. Seat must be 0 to {last}.", "seat")
        first = min(wanted.first, len(self.entries))
        self.go_to(first)
        begin = view = self.match.view(seat)
        steps = []
        for _ in range(min(wanted.count, len(self.entries) - first)):
            entry = self.advance()
            before, view = view, self.match.view(seat) if entry.kind in ("act", "undo") else view
            steps.append(
                ReplayStep(event_of(self.game, entry, entry.number), diff(before, view), self.played)
            )
        return ReplayPart(self.info, first, begin, steps, len(self.entries), self.turns)

    def position(self, played: int) -> str:
        """The position after `played` actions and undos, in the game's notation.

        Raises NotDone if there are fewer, or if the match was over by then.
        """
        self.rewind()
        while self.played < played and self.at < len(self.entries):
            self.advance()
        if self.played < played or not self.match.to_act():
            many = sum(row["kind"] in ("act", "undo") for row in self.entries)
            last = many - (self.row["status"] == "over")
            raise NotDone(
                409,
                f"from_action must be 0 to {last}, not {played}.",
                "from_action",
            )
        return self.game.text.write(self.match.state)


def _kept(log: list[str], entries: list[Row]) -> list[Row]:
    """The entries up to the first one that is missing from the gamelog, possibly because it made the match stop."""
    played = sum("do" in said or "undo" in said for said in map(msgspec.json.decode, log[1:]))
    numbers = [number for number, row in enumerate(entries) if row["kind"] in ("act", "undo")]
    return entries[: numbers[played]] if played < len(numbers) else entries


def _marks(log: list[str], entries: list[Row]) -> list[TurnMark]:
    """The start of each turn, from the gamelog, in steps of the replay."""
    steps = [0, *(n for n, row in enumerate(entries, 1) if row["kind"] in ("act", "undo"))]
    played, marks = 0, []
    for line in log[1:]:
        said = msgspec.json.decode(line)
        if "do" in said or "undo" in said:
            played += 1
        elif "turn" in said:
            marks.append(TurnMark(said["turn"], steps[played]))
    return marks


class Reels:
    """The replays in memory. The least recently used one is dropped first."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._reels: OrderedDict[str, Reel] = OrderedDict()

    def get(self, match: str) -> Reel:
        """The replay of a finished match. Blocks on the archive, so it must not run on the event loop."""
        reel = self._reels.pop(match, None) or self._load(match)
        self._reels[match] = reel
        if len(self._reels) > KEPT_REELS:
            self._reels.popitem(last=False)
        return reel

    def _load(self, match: str) -> Reel:
        store = self.site.store
        row = store.match(match)
        if row is None:
            raise NotDone(404, f"There is no match {match[:40]!r}.", "unknown")
        if row["status"] not in ENDED:
            raise NotDone(409, "The match is not over. Its replay stays hidden until then.", "over")
        return Reel(row, store.seats(match), store.entries(match), gamelog_lines(self.site, match))


def no_gamelog(row: Row | None) -> NotDone:
    """The error for a finished match without a gamelog, with the reason."""
    why = failure_in(row) if row is not None else None
    return NotDone(404, f"This match has no gamelog. {why or ''}".rstrip(), "unknown")


def gamelog_lines(site: Site, match: str) -> list[str]:
    """The lines of a finished match's gamelog."""
    kept = site.store.gamelog(match=match)
    if kept is None:
        raise no_gamelog(site.store.match(match))
    return gzip.decompress(kept["packed"]).decode().splitlines(keepends=True)


def reels_of(site: Site) -> Reels:
    """The replays of a site."""
    if site.reels is None:
        site.reels = Reels(site)
    reels: Reels = site.reels
    return reels


async def replayed(asked: ApiRequest) -> ReplayPart:
    """A part of a finished match, as a spectator or a seat saw it."""
    reels = reels_of(asked.site)
    made: ReplayPart = await asked.site.beside(lambda: reels.get(asked.path["id"]).part(asked.query))
    return made


async def verified(asked: ApiRequest) -> Verification:
    """Whether the gamelog of a finished match is valid."""
    made: Verification = await asked.site.beside(_verified, asked.site, asked.path["id"])
    return made


def _verified(site: Site, match: str) -> Verification:
    reels_of(site).get(match)  # raises NotDone if the match does not exist or is not over
    try:
        length = gamelog.verify(gamelog_lines(site, match), find).match.length()
    except gamelog.BadGamelog as error:
        return Verification(False, f"line {error.line}: {error.reason}")
    return Verification(True, None, length.actions, length.turns)


async def what_if(site: Site, match: str, played: int | None) -> tuple[str, Any, str]:
    """The game's name and the settings of a finished match, and its position after `played` actions."""

    def find_position() -> tuple[str, Any, str]:
        reel = reels_of(site).get(match)
        return reel.game.name, reel.match.settings, reel.position(played or 0)

    made: tuple[str, Any, str] = await site.beside(find_position)
    return made
