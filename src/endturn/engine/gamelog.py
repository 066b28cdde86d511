"""Gamelogs: a match as lines of JSON, from which anyone can replay and verify it.

The first line names the game, rules version, settings, seed and players. The actions follow in order, with the
checksum of the state at the start of every turn, and the last line tells how the match ended. Each line ends with a
checksum over all lines so far, so any change is found, at its line.

    {"endturn":1,"game":"anarchy","version":1,"settings":{...},"seed":"0x2a","players":["a","b"],"#":"5d41402a"}
    {"seat":0,"do":"ignite","warehouse":3,"building":5,"#":"bc4b2a76"}
    {"turn":1,"state":"9f86d081884c7d65","#":"b9719d91"}
    {"end":{"how":"...","places":[1,2],"reasons":["...","..."]},"state":"...","#":"1017a3f0"}

This module works with lines only; `archive` reads and writes files.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
import xxhash

from endturn.engine import record
from endturn.engine.answers import Malformed, Refusal
from endturn.engine.game import Game, Outcome
from endturn.engine.match import Acted, Entry, Match, TurnBegan, Undone, signed
from endturn.engine.rule import kernels, missing
from endturn.engine.settings import settings_to_json

FORMAT = 1
LARGEST_LINE = 1 << 20


class BadGamelog(ValueError):
    """A gamelog that cannot be verified; the message names the line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


class GamelogWriter:
    """Writes a match line by line as it is played: `header`, then `news` after each action, then `end`."""

    def __init__(self, match: Match) -> None:
        self.match, self.check, self.told = match, "", 0

    def header(self) -> str:
        """The first line."""
        match = self.match
        said: dict[str, Any] = {
            "endturn": FORMAT,
            "game": match.game.name,
            "version": match.game.version,
            "settings": settings_to_json(match.settings),
            "seed": hex(match.seed),
            "players": list(match.players),
        }
        if match.custom_start:
            said["start"] = match.game.text.write(match.game.storage.load(match.layout, match.first))
        return self._line(said)

    def news(self) -> list[str]:
        """The lines for everything since the last call."""
        fresh = self.match.log[self.told :]
        self.told += len(fresh)
        return [self._line(self._said(entry)) for entry in fresh]

    def end(self) -> str:
        """The last line: how the match ended, or null if it was interrupted."""
        outcome = self.match.outcome
        said = None if outcome is None else outcome._asdict()
        return self._line({"end": said, "state": record.digest(self.match.dump())})

    def _said(self, entry: Entry) -> dict[str, Any]:
        if isinstance(entry, Acted):
            return {"seat": entry.seat, **self.match.game.actions.to_json(entry.action)}
        return {"undo": entry.seat} if isinstance(entry, Undone) else msgspec.structs.asdict(entry)

    def _line(self, said: dict[str, Any]) -> str:
        text = msgspec.json.encode(said).decode()
        self.check = _check(self.check, text)
        return f'{text[:-1]},"#":"{self.check}"}}\n'


def write(match: Match) -> Iterator[str]:
    """All lines of a match."""
    writer = GamelogWriter(match)
    yield writer.header()
    yield from writer.news()
    yield writer.end()


def _check(before: str, text: str) -> str:
    return xxhash.xxh32_hexdigest((before + text).encode())


# --- reading ------------------------------------------------------------------------------------------------


def read(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line's number and content, after verifying its checksum. Raises BadGamelog."""
    check, number, ended = "", 0, False
    for number, line in enumerate(lines, 1):
        if ended:
            raise BadGamelog(number, "text follows the end of the match.")
        text, check = _checked(number, line, check)
        said = _decoded(number, text)
        ended = "end" in said and "do" not in said
        yield number, said
    if number == 0:
        raise BadGamelog(1, "the file is empty.")
    if not ended:
        raise BadGamelog(
            number + 1, "the gamelog has no end. It was cut off, or the match is still being played."
        )


def _checked(number: int, line: str, before: str) -> tuple[str, str]:
    if len(line) > LARGEST_LINE:
        raise BadGamelog(number, f"the line is longer than {LARGEST_LINE} characters.")
    body, mark, rest = line.rpartition(',"#":"')
    if not mark and number == 1:
        raise BadGamelog(number, "this is not an endturn gamelog.")
    if not mark or not line.endswith('"}\n'):
        raise BadGamelog(number, "the line is cut off.")
    check = _check(before, body + "}")
    if rest != f'{check}"}}\n':
        raise BadGamelog(number, "wrong checksum: the line was changed, or a line before it is missing.")
    return body + "}", check


def _decoded(number: int, text: str) -> dict[str, Any]:
    try:
        said = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadGamelog(number, f"not JSON: {error}.") from None
    return said


class Replay:
    """A gamelog replayed step by step and compared with its checksums."""

    def __init__(
        self, lines: Iterable[str], find_game: Callable[[str], Game], backend: str = "plain"
    ) -> None:
        self.lines = read(lines)
        number, head = next(self.lines)
        self.match = _begin(number, head, find_game, backend)
        self.actions = self.turns = 0
        self.told: int | None = None  # the last turn whose start the file has recorded
        self.end: dict[str, Any] | None = None

    def step(self) -> bool:
        """Play the next line. Returns False at the end."""
        number, said = next(self.lines, (0, {}))
        if not number:
            return False
        if "do" not in said and "turn" in said:
            self._compare_turn(number, said)
            return True
        self._check_turn_told(number)
        if "do" in said or "seat" in said:
            self._act(number, said)
        elif "end" in said:
            self._compare_end(number, said)
        elif "undo" in said:
            self._take_back(number, said)
        else:
            raise BadGamelog(number, "the line is not an action, a turn, an undo or the end.")
        return True

    def _check_turn_told(self, number: int) -> None:
        """The file must record the start of a turn before anything else in the turn."""
        if self.match.turn != self.told:
            raise BadGamelog(
                number, f"the state at the start of turn {self.match.turn} is missing before this line."
            )

    def run(self, until_turn: int | None = None) -> "Replay":
        """Play to the end or to the start of a turn."""
        while (until_turn is None or self.match.turn < until_turn) and self.step():
            pass
        return self

    def _act(self, number: int, said: dict[str, Any]) -> None:
        seat = said.pop("seat", None)
        answer = self.match.submit(seat, said)
        if isinstance(answer, Malformed):
            raise BadGamelog(number, answer.reason)
        if isinstance(answer, Refusal):
            raise BadGamelog(number, f"the action breaks rule {answer.rule}: {answer.reason}")
        self.actions += 1

    def _take_back(self, number: int, said: dict[str, Any]) -> None:
        answer = self.match.undo(said["undo"])
        if isinstance(answer, Refusal):
            raise BadGamelog(number, answer.reason)

    def _compare_turn(self, number: int, said: dict[str, Any]) -> None:
        began = next(entry for entry in reversed(self.match.log) if isinstance(entry, TurnBegan))
        if (began.turn, began.state) != (said.get("turn"), said.get("state")):
            raise BadGamelog(
                number,
                f"the file has turn {said.get('turn')} with state {said.get('state')}, "
                f"but the replay gives turn {began.turn} with state {began.state}.",
            )
        self.turns = self.told = began.turn

    def _compare_end(self, number: int, said: dict[str, Any]) -> None:
        ours = _as_json(self.match.outcome)
        if said["end"] != ours:
            raise BadGamelog(number, f"the file has the outcome {said['end']}, but the replay gives {ours}.")
        state = record.digest(self.match.dump())
        if said.get("state") != state:
            raise BadGamelog(
                number, f"the file ends with state {said.get('state')}, but the replay gives {state}."
            )
        self.end = said


def _as_json(outcome: Outcome | None) -> Any:
    return msgspec.json.decode(msgspec.json.encode(outcome and outcome._asdict()))


def _begin(number: int, head: dict[str, Any], find_game: Callable[[str], Game], backend: str) -> Match:
    if head.get("endturn") != FORMAT:
        raise BadGamelog(
            number, f"the gamelog has format {head.get('endturn')!r}. This version reads format {FORMAT}."
        )
    try:
        game = find_game(str(head["game"]))
        if head["version"] != game.version:
            raise BadGamelog(
                number,
                f"the match has version {head['version']} of {game.title}'s rules. This program has {game.version}.",
            )
        settings = game.configure(values=head["settings"])
        game = game.seated(settings)
        start = game.parse_position(head["start"]) if "start" in head else None
        players = [str(name) for name in head["players"]]
        if len(players) != game.seat_count:
            raise ValueError(f"{len(players)} players are named for {game.seat_count} seats.")
        return Match(
            game, settings, seed=int(head["seed"], 16), players=players, backend=backend, start=start
        )
    except BadGamelog:
        raise
    except (TypeError, ValueError, LookupError) as error:
        raise BadGamelog(number, f"the header does not describe a match: {error}") from None


def replay(lines: Iterable[str], find_game: Callable[[str], Game], turn: int | None = None) -> Match:
    """The match of a gamelog, at its end or at the start of a turn."""
    return Replay(lines, find_game).run(turn).match


def verify(lines: Iterable[str], find_game: Callable[[str], Game]) -> Replay:
    """Replay a gamelog and compare every checksum and the outcome. Raises BadGamelog."""
    return Replay(lines, find_game).run()


# --- in one call -------------------------------------------------------------------------------------------


class Verified(NamedTuple):
    """A verified gamelog: its actions and turns, and the content of its last line."""

    actions: int
    turns: int
    end: dict[str, Any]


Mark = tuple[int, Any, Any]  # a turn: the number of actions before it, its number, its checksum


def verify_fast(lines: Iterable[str], find_game: Callable[[str], Game]) -> Verified:
    """`verify` with compiled rules, all actions in one call. Raises BadGamelog.

    The fast way can only confirm a gamelog. Gamelogs with an error or an undo go through `verify`.
    """
    lines = list(lines)
    quickly = _hold_at_once(lines, find_game)
    if quickly is not None:
        return quickly
    slowly = verify(lines, find_game)
    return Verified(slowly.actions, slowly.turns, slowly.end or {})


def _hold_at_once(lines: list[str], find_game: Callable[[str], Game]) -> Verified | None:
    (number, head), *rest = read(lines)
    match = _begin(number, head, find_game, "plain")
    if missing("compiled", match.game):
        return None
    told = _rows_and_marks(match.game, [said for _, said in rest[:-1]])
    if told is None or not rest:
        return None
    rows, marks = told
    complete, ours, last = _play_at_once(match, rows, max(1, len(marks)))
    outcome = match.game.rules.outcome(record.load(match.layout, last))
    end = {"end": _as_json(outcome), "state": record.digest(last)}
    if not complete or ours != marks or end != rest[-1][1]:
        return None
    return Verified(len(rows), marks[-1][1], end)


def _rows_and_marks(game: Game, rest: list[dict[str, Any]]) -> tuple[list[Any], list[Mark]] | None:
    """The rows and turns between the first line and the last; None if there is anything else."""
    seats: list[Any] = []
    acts: list[Any] = []
    marks: list[Mark] = []
    for said in rest:
        if "do" not in said and "turn" in said:
            marks.append((len(acts), said["turn"], said.get("state")))
        else:
            seats.append(said.pop("seat", None))
            acts.append(said)
    actions = game.actions.parse_all(acts)
    if actions is None or not all(type(seat) is int and 0 <= seat < game.seat_count for seat in seats):
        return None
    return [(seat, *game.actions.pack(action)) for seat, action in zip(seats, actions, strict=True)], marks


def _play_at_once(match: Match, rows: list[Any], room: int) -> tuple[bool, list[Mark], bytes]:
    """Whether all rows can be played from the start of the match, the turns that began, and the last state."""
    import numpy as np  # noqa: PLC0415  (slow to import, and not needed for plain rules)

    from endturn.engine.batch import ROW, words_of  # noqa: PLC0415

    run = kernels(match.game, "compiled")
    games = np.frombuffer(bytearray(match.first), record.dtype(match.layout))
    kept, before = np.zeros(room, games.dtype), np.zeros(room, np.int64)
    packed = np.array(rows, np.int32).reshape(-1, ROW)
    played, begun, broken = run.replay_rows(
        games, words_of(games), 0, packed, signed(match.seed), words_of(kept), before
    )
    marks: list[Mark] = [(0, match.turn, record.digest(match.first))]
    for k in range(begun):
        turn = run.waiting_one(kept, k)[1]
        marks.append((int(before[k]), turn, record.digest(kept[k : k + 1].tobytes())))
    return played == len(rows) and broken == 0, marks, games.tobytes()


def export(match: Match) -> dict[str, Any]:
    """The whole match as one JSON value, for other programs."""
    head, *rest = (msgspec.json.decode(line) for line in write(match))
    return {**head, "log": rest[:-1], **rest[-1]}
