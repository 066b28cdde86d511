"""Do we play as the original servers did? Their gamelogs are played again, and every state compared.

The first state is loaded, the logged actions go through `Match.submit`, and after each following delta the
whole state must be the original's, clocks aside; so must what was refused, what clients were returned, and
who won and why. Only the fall of a coin is taken from the log: the original's dice are not ours.

    report = conform(game, Path("01.json.gz").read_bytes(), "01.json.gz")
    print(report.text())
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import msgspec

from endturn.cadre import dialect
from endturn.cadre.wire import (
    BadCadreLog,
    CadreLog,
    Delta,
    Dialect,
    Note,
    Run,
    Standing,
    Verdict,
    Wire,
    leaver,
    merge,
    note,
    players_of,
    read_log,
    session_of,
    truth,
    understand,
    wire,
)
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game
from endturn.engine.match import Match
from endturn.engine.settings import SettingsError

NOTHING = "nothing"  # a value that one of the two has and the other has not
PLAYED = "played"


class Refused(NamedTuple):
    """An action that was refused, in the original's words and in ours; PLAYED where one of them played it."""

    original: str
    ours: str


class Mismatch(NamedTuple):
    """A difference: in which delta, where, and the two values."""

    delta: int
    kind: str
    path: str
    original: Any
    ours: Any

    def __str__(self) -> str:
        return (
            f"delta {self.delta} ({self.kind}), {self.path}:\n"
            f"    original: {_shown(self.original)}\n    ours:     {_shown(self.ours)}"
        )


class Report(NamedTuple):
    """What came of one file."""

    name: str
    era: str
    deltas: int  # compared
    refused: tuple[Refused, ...]
    mismatches: int  # deltas in which something differs, and the outcome if it does
    first: Mismatch | None
    outcome: Verdict | None  # ours

    def text(self, refusals: bool = False) -> str:
        """For people: a line of numbers, the refused actions if they are wanted, the first mismatch."""
        lines = [
            f"{self.name}: server of {self.era}, {self.deltas} deltas compared, "
            f"{len(self.refused)} refused actions, {self.mismatches} mismatches"
        ]
        lines += [f"  {line}" for line in _refusals(self.refused)] if refusals else []
        lines += [f"  first mismatch: {self.first}"] if self.first else []
        return "\n".join(lines)


def total(reports: Iterable[Report]) -> str:
    """One line for all files."""
    all_of = list(reports)
    deltas, refused = sum(each.deltas for each in all_of), sum(len(each.refused) for each in all_of)
    wrong, files = sum(each.mismatches for each in all_of), len(all_of)
    return f"total: {files} files, {deltas} deltas compared, {refused} refused actions, {wrong} mismatches"


def _refusals(refused: Iterable[Refused]) -> Iterator[str]:
    """Each kind of refusal once, with how often it came; those that differ only in numbers are of a kind."""
    examples: dict[str, Refused] = {}
    counts: Counter[str] = Counter()
    for each in refused:
        kind = re.sub(r"\d+", "#", f"{each.original} {each.ours}")
        examples.setdefault(kind, each)
        counts[kind] += 1
    for kind, count in counts.most_common():
        yield f"refused {count} times, original: {examples[kind].original}"
        yield f"{' ' * len(f'refused {count} times, ')}ours:     {examples[kind].ours}"


def _shown(value: Any) -> str:
    return NOTHING if value is NOTHING else msgspec.json.encode(value).decode()


# --- playing a gamelog again --------------------------------------------------------------------------------


def conform(game: Game, data: bytes, name: str) -> Report:
    """Play a gamelog of an original server and compare; BadCadreLog for what is none, or is damaged."""
    ours = dialect(game)
    try:
        log = read_log(data)
        if log.game_name != ours.name:
            raise BadCadreLog(f"this is a gamelog of {log.game_name[:50]}, not of {ours.name}.")
        return _Replay(game, ours, log).run(name)
    except BadCadreLog as error:
        raise BadCadreLog(f"{name}: {error}") from None


class _Replay:
    """Our match beside the original's states."""

    def __init__(self, game: Game, dialect: Dialect, log: CadreLog) -> None:
        self.game, self.dialect, self.log, self.era = game, dialect, log, log.era
        self.theirs, _ = _merged(0, {}, log.deltas[0].game)
        try:
            settings = game.configure(log.era, _settings(dialect, log, self.theirs))
            self.session = session_of(self.theirs)
            self.match = Match(game, settings, start=dialect.read(self.theirs, settings))
        except SettingsError as error:
            raise BadCadreLog(f"its settings cannot be played here: {error}") from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            said = f"there is no {error}" if isinstance(error, KeyError) else str(error)
            raise BadCadreLog(f"its first state is damaged: {said[:200]}.") from None
        # What ends a turn happened with the delta after it in 2022; the first turn had only the second half.
        self.pending = dialect.again.get(self.era)
        self.refused: list[Refused] = []
        self.settled = False  # whether a turn has ended or begun in this delta
        self.ours = self._written(deepcopy(self.theirs))

    def run(self, name: str) -> Report:
        """Play it all."""
        found = [list(self._step(i, delta)) for i, delta in enumerate(self.log.deltas[1:], 1)]
        found.append(list(self._compare_outcome()))
        wrong = [differences for differences in found if differences]
        first = wrong[0][0] if wrong else None
        refused = tuple(self.refused)
        return Report(name, self.era, len(found) - 1, refused, len(wrong), first, self._verdict())

    def _step(self, number: int, delta: Delta) -> Iterator[Mismatch]:
        self.theirs, left = _merged(number, self.theirs, delta.game)
        if delta.type == "ran":
            yield from self._ran(number, delta)
        elif delta.type == "finished":
            self._finished(number, delta)
        elif delta.type in ("order", "over") and (left is None or "currentTurn" in delta.game):
            self._end_turn()
        if left is not None and self.match.outcome is None:
            self._leave(*left)
        self._show()
        yield from self._compare(number, delta)

    # --- what happened ---

    def _ran(self, number: int, delta: Delta) -> Iterator[Mismatch]:
        event, seat = delta.event, self._seat(number, delta)
        if event.run is None:
            raise BadCadreLog(f"delta {number} does not say what was run.")
        ours, returned = self._run(seat, event.run)
        if ours is not None or event.refusal is not None:
            self.refused.append(Refused(event.refusal or PLAYED, ours or PLAYED))
        if (ours is None) != (event.refusal is None):
            yield Mismatch(number, "ran", "refused", event.refusal or PLAYED, ours or PLAYED)
        theirs = None if event.returned is msgspec.UNSET else event.returned
        if theirs != returned:
            yield Mismatch(number, "ran", "returned", theirs, returned)

    def _run(self, seat: int, run: Run) -> tuple[str | None, Any]:
        """Why we refuse it, if we do, and what the client is returned."""
        wish = understand(self.dialect, self.ours["gameObjects"], self.match.state, self.era, run)
        if isinstance(wish.said, Note):
            return note(self.session, wish.said, self.era, seat in self.match.to_act()), None
        answer = wish.said if isinstance(wish.said, Malformed) else self._submit(seat, wish.said)
        return (None, wish.returned) if isinstance(answer, Accepted) else (answer.reason, wish.refused)

    def _finished(self, number: int, delta: Delta) -> None:
        """The player is done, or wants to be asked again; a broken answer does neither."""
        event = delta.event
        if event.invalid is not None or event.order is None:
            return
        try:
            done = truth(False if event.returned is msgspec.UNSET else event.returned, self.era)
        except ValueError as error:
            raise BadCadreLog(f"delta {number} is damaged: returned {error}.") from None
        self.pending = self.dialect.end_turn if done else self.dialect.again.get(self.era)
        if self.era == "2017":
            self._end_turn()

    def _end_turn(self) -> None:
        """End or begin again the turn of whoever is at turn: in 2017 anybody could do that."""
        self.settled = self.pending is not None or self.era == "2022"
        if self.pending is not None:
            self._submit(next(iter(self.match.to_act()), 0), self.pending)
        self.pending = None

    def _leave(self, seat: int, why: str) -> None:
        self._submit(seat, self.game.rules.leave_action(why))

    def _submit(self, seat: int, action: Action) -> Accepted | Refusal | Malformed:
        try:
            return self.match.submit(seat, action)
        except OverflowError as error:
            raise BadCadreLog(f"it holds numbers that no match comes to: {error}.") from None

    def _seat(self, number: int, delta: Delta) -> int:
        players, player = ["0", "1"], delta.event.player
        if player is None or player.id not in players:
            raise BadCadreLog(f"delta {number} does not say which player ran it.")
        return players.index(player.id)

    # --- comparing ---

    def _verdict(self) -> Verdict | None:
        """Ours, with the coin as it fell in the log."""
        ours = self.dialect.verdict(self.match.state, self.era)
        winners = [seat for seat, each in enumerate(players_of(self.theirs)) if each.get("won")]
        return ours._replace(winner=winners[0]) if ours and ours.coin and winners else ours

    def _show(self) -> None:
        self.session.clocks[:] = [player.get("timeRemaining", 0) for player in players_of(self.theirs)]
        self.ours = self._written(self.ours)
        self.settled = False

    def _written(self, before: Wire) -> Wire:
        verdict = self._verdict()
        return wire(self.dialect, self.match.state, self.era, self.session, verdict, before, self.settled)

    def _compare(self, number: int, delta: Delta) -> Iterator[Mismatch]:
        if self.theirs != self.ours:
            for path, original, ours in differences(self.theirs, self.ours):
                yield Mismatch(number, delta.type, path, original, ours)

    def _compare_outcome(self) -> Iterator[Mismatch]:
        number, verdict = len(self.log.deltas) - 1, self._verdict()
        for path, standings in (("winners", self.log.winners), ("losers", self.log.losers)):
            original, ours = [_standing(each) for each in standings], _standings(path, verdict)
            if original != ours:
                yield Mismatch(number, "outcome", path, original, ours)


def _standing(said: Standing) -> Wire:
    return {"index": said.index, "reason": said.reason}


def _standings(path: str, verdict: Verdict | None) -> list[Wire]:
    if verdict is None:
        return []
    won = path == "winners"
    index = verdict.winner if won else 1 - verdict.winner
    return [{"index": index, "reason": verdict.won if won else verdict.lost}]


def _merged(number: int, before: Wire, delta: Wire) -> tuple[Wire, tuple[int, str] | None]:
    """The original's state after a delta, and who has left, if someone has."""
    try:
        after: Wire = merge(before, delta)
        return after, leaver(after)
    except (ValueError, RecursionError) as error:
        raise BadCadreLog(f"delta {number} is damaged: {str(error)[:200]}.") from None


def _settings(dialect: Dialect, log: CadreLog, first: Wire) -> dict[str, Any]:
    """Our settings from those of the file and, as far as it has none, from the game's attributes."""
    said = {**first, **log.settings}
    return {ours: said[name] for name, ours in dialect.settings.items() if name in said}


def differences(original: Any, ours: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two states differ: the path, and the two values."""
    if isinstance(original, list) and isinstance(ours, list):
        original, ours = dict(enumerate(original)), dict(enumerate(ours))
    if not isinstance(original, dict) or not isinstance(ours, dict):
        if original != ours:
            yield path, original, ours
        return
    for key in {**original, **ours}:
        one, other = original.get(key, NOTHING), ours.get(key, NOTHING)
        yield from differences(one, other, f"{path}.{key}" if path else str(key))
