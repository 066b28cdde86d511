"""Do we play as the original servers did? Replays their gamelogs and compares every state.

The first state is loaded and the logged actions are submitted to a match. After each delta the whole state must equal
the original's, except the clocks, which are copied. So must refusals, returned values and the outcome. Only the result
of a coin flip is taken from the log, because the original's dice are not ours.

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
from endturn.cadre.deltas import merge
from endturn.cadre.gamelogs import BadCadreLog, CadreLog, LogEntry, Standing, read_log
from endturn.cadre.runs import as_boolean, log_note, understand
from endturn.cadre.state import leaver_of, players_of, session_of, wire
from endturn.cadre.table import Dialect, Note, Run, Verdict, Wire
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game
from endturn.engine.match import Match
from endturn.engine.settings import SettingsError

NOTHING = "nothing"  # a value that only one of the two states has
PLAYED = "played"


class RefusedRun(NamedTuple):
    """A refused run, in the original's words and in ours; PLAYED if one side played it."""

    original: str
    ours: str


class Difference(NamedTuple):
    """A difference: the delta, the path in the state, and the two values."""

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


class ConformanceReport(NamedTuple):
    """The comparison of one file."""

    name: str
    era: str
    deltas: int  # compared
    refused: tuple[RefusedRun, ...]
    mismatches: int  # deltas that differ, plus one if the outcome does
    first: Difference | None
    outcome: Verdict | None  # ours

    def text(self, refusals: bool = False) -> str:
        """The report as text: a line of totals, the refused actions on request, and the first mismatch."""
        lines = [
            f"{self.name}: server of {self.era}, {self.deltas} deltas compared, "
            f"{len(self.refused)} refused actions, {self.mismatches} mismatches"
        ]
        lines += [f"  {line}" for line in _refusals(self.refused)] if refusals else []
        lines += [f"  first mismatch: {self.first}"] if self.first else []
        return "\n".join(lines)


def total(reports: Iterable[ConformanceReport]) -> str:
    """One line that sums up all files."""
    all_of = list(reports)
    deltas, refused = sum(each.deltas for each in all_of), sum(len(each.refused) for each in all_of)
    wrong, files = sum(each.mismatches for each in all_of), len(all_of)
    return f"total: {files} files, {deltas} deltas compared, {refused} refused actions, {wrong} mismatches"


def _refusals(refused: Iterable[RefusedRun]) -> Iterator[str]:
    """Each kind of refusal once, with its count; refusals that differ only in numbers are one kind."""
    examples: dict[str, RefusedRun] = {}
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


# --- replaying a gamelog ------------------------------------------------------------------------------------


def conform(game: Game, data: bytes, name: str) -> ConformanceReport:
    """Replay a gamelog of an original server and compare every delta. Raises BadCadreLog if the file is unreadable."""
    ours = dialect(game)
    try:
        log = read_log(data)
        if log.game_name != ours.name:
            raise BadCadreLog(f"a gamelog of {log.game_name[:50]}, not of {ours.name}.")
        return _Comparison(game, ours, log).run(name)
    except BadCadreLog as error:
        raise BadCadreLog(f"{name}: {error}") from None


class _Comparison:
    """Our match next to the original's states."""

    def __init__(self, game: Game, dialect: Dialect, log: CadreLog) -> None:
        self.game, self.dialect, self.log, self.era = game, dialect, log, log.era
        self.theirs, _ = _merged(0, {}, log.deltas[0].game)
        try:
            settings = game.configure(log.era, _settings(dialect, log, self.theirs))
            self.session = session_of(self.theirs)
            self.match = Match(game, settings, start=dialect.read(self.theirs, settings))
        except SettingsError as error:
            raise BadCadreLog(f"its settings are not supported: {error}") from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            said = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise BadCadreLog(f"its first state is damaged: {said[:200]}.") from None
        # In 2022 a turn ended in the delta after it; before the first turn, only its second half happened.
        self.pending = dialect.again.get(self.era)
        self.refused: list[RefusedRun] = []
        self.settled = False  # a turn has ended or begun in this delta
        self.ours = self._written(deepcopy(self.theirs))

    def run(self, name: str) -> ConformanceReport:
        """Replay the whole gamelog."""
        found = [list(self._step(i, delta)) for i, delta in enumerate(self.log.deltas[1:], 1)]
        found.append(list(self._compare_outcome()))
        wrong = [differences for differences in found if differences]
        first = wrong[0][0] if wrong else None
        refused = tuple(self.refused)
        return ConformanceReport(name, self.era, len(found) - 1, refused, len(wrong), first, self._verdict())

    def _step(self, number: int, delta: LogEntry) -> Iterator[Difference]:
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

    def _ran(self, number: int, delta: LogEntry) -> Iterator[Difference]:
        cause, seat = delta.cause, self._seat(number, delta)
        if cause.run is None:
            raise BadCadreLog(f"delta {number} has no run.")
        ours, returned = self._run(seat, cause.run)
        if ours is not None or cause.refusal is not None:
            self.refused.append(RefusedRun(cause.refusal or PLAYED, ours or PLAYED))
        if (ours is None) != (cause.refusal is None):
            yield Difference(number, "ran", "refused", cause.refusal or PLAYED, ours or PLAYED)
        theirs = None if cause.returned is msgspec.UNSET else cause.returned
        if theirs != returned:
            yield Difference(number, "ran", "returned", theirs, returned)

    def _run(self, seat: int, run: Run) -> tuple[str | None, Any]:
        """Our refusal, if we refuse, and the value returned to the client."""
        request = understand(self.dialect, self.ours["gameObjects"], self.match.state, self.era, run)
        if isinstance(request.said, Note):
            return log_note(self.session, request.said, self.era, seat in self.match.to_act()), None
        answer = request.said if isinstance(request.said, Malformed) else self._submit(seat, request.said)
        return (None, request.returned) if isinstance(answer, Accepted) else (answer.reason, request.refused)

    def _finished(self, number: int, delta: LogEntry) -> None:
        """The player ends the turn or asks for another order; an invalid answer does neither."""
        cause = delta.cause
        if cause.invalid is not None or cause.order is None:
            return
        try:
            done = as_boolean(False if cause.returned is msgspec.UNSET else cause.returned, self.era)
        except ValueError as error:
            raise BadCadreLog(f"delta {number} is damaged: returned {error}.") from None
        self.pending = self.dialect.end_turn if done else self.dialect.again.get(self.era)
        if self.era == "2017":
            self._end_turn()

    def _end_turn(self) -> None:
        """End or restart the current turn, whoever asked: in 2017 any player could."""
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
            raise BadCadreLog(f"it has impossible numbers: {error}.") from None

    def _seat(self, number: int, delta: LogEntry) -> int:
        players, player = ["0", "1"], delta.cause.player
        if player is None or player.id not in players:
            raise BadCadreLog(f"delta {number} has no player.")
        return players.index(player.id)

    # --- comparing ---

    def _verdict(self) -> Verdict | None:
        """Our verdict; a coin flip falls as in the log."""
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

    def _compare(self, number: int, delta: LogEntry) -> Iterator[Difference]:
        if self.theirs != self.ours:
            for path, original, ours in differences(self.theirs, self.ours):
                yield Difference(number, delta.type, path, original, ours)

    def _compare_outcome(self) -> Iterator[Difference]:
        number, verdict = len(self.log.deltas) - 1, self._verdict()
        for path, standings in (("winners", self.log.winners), ("losers", self.log.losers)):
            original, ours = [_standing(each) for each in standings], _standings(path, verdict)
            if original != ours:
                yield Difference(number, "outcome", path, original, ours)


def _standing(said: Standing) -> Wire:
    return {"index": said.index, "reason": said.reason}


def _standings(path: str, verdict: Verdict | None) -> list[Wire]:
    if verdict is None:
        return []
    won = path == "winners"
    index = verdict.winner if won else 1 - verdict.winner
    return [{"index": index, "reason": verdict.won if won else verdict.lost}]


def _merged(number: int, before: Wire, delta: Wire) -> tuple[Wire, tuple[int, str] | None]:
    """The original's state after a delta, and the seat that has left, if one has."""
    try:
        after: Wire = merge(before, delta)
        return after, leaver_of(after)
    except (ValueError, RecursionError) as error:
        raise BadCadreLog(f"delta {number} is damaged: {str(error)[:200]}.") from None


def _settings(dialect: Dialect, log: CadreLog, first: Wire) -> dict[str, Any]:
    """Our settings, read from the file's settings and, where it has none, from the game's attributes."""
    said = {**first, **log.settings}
    return {ours: said[name] for name, ours in dialect.settings.items() if name in said}


def differences(original: Any, ours: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The differences between two states: the path and the two values."""
    if isinstance(original, list) and isinstance(ours, list):
        original, ours = dict(enumerate(original)), dict(enumerate(ours))
    if not isinstance(original, dict) or not isinstance(ours, dict):
        if original != ours:
            yield path, original, ours
        return
    for key in {**original, **ours}:
        one, other = original.get(key, NOTHING), ours.get(key, NOTHING)
        yield from differences(one, other, f"{path}.{key}" if path else str(key))
