"""Gamelogs: a match as lines of JSON, from which anyone can play it again and check it.

The first line says which game, version, settings, seed and players; then come the actions in order, the
fingerprint of the state at the beginning of every turn, and how it ended. Each line ends with a check that
depends on all lines before it, so a change anywhere is found, and found at its line.

    {"endturn":1,"game":"anarchy","version":1,"settings":{...},"seed":"0x2a","players":["a","b"],"#":"5d41402a"}
    {"seat":0,"do":"ignite","warehouse":3,"building":5,"#":"bc4b2a76"}
    {"turn":1,"state":"9f86d081884c7d65","#":"b9719d91"}
    {"end":{"how":"...","places":[1,2],"reasons":["...","..."]},"state":"...","#":"1017a3f0"}

Reading and writing files is `archive`'s business; here are only lines.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
import xxhash

from endturn.engine import record
from endturn.engine.game import Game, Malformed, Refusal, SettingsError, settings_to_json
from endturn.engine.match import Acted, Entry, Match, TurnBegan, Undone

FORMAT = 1
LARGEST_LINE = 1 << 20


class BadGamelog(ValueError):
    """A gamelog that does not hold; the message names the line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


class Writer:
    """Turns a match into lines while it is played: `header`, then `news` after each action, then `end`."""

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
            said["start"] = match.game.write(record.load(match.layout, match.first))
        return self._line(said)

    def news(self) -> list[str]:
        """The lines for what happened since the last call."""
        fresh = self.match.log[self.told :]
        self.told += len(fresh)
        return [self._line(self._said(entry)) for entry in fresh]

    def end(self) -> str:
        """The last line: how it ended, or null for a match that was broken off."""
        outcome = self.match.outcome
        said = None if outcome is None else outcome._asdict()
        return self._line({"end": said, "state": record.digest(self.match.dump())})

    def _said(self, entry: Entry) -> dict[str, Any]:
        if isinstance(entry, Acted):
            return {"seat": entry.seat, **self.match.game.to_json(entry.action)}
        return {"undo": entry.seat} if isinstance(entry, Undone) else entry._asdict()

    def _line(self, said: dict[str, Any]) -> str:
        text = msgspec.json.encode(said).decode()
        self.check = _check(self.check, text)
        return f'{text[:-1]},"#":"{self.check}"}}\n'


def write(match: Match) -> Iterator[str]:
    """All lines of a match."""
    writer = Writer(match)
    yield writer.header()
    yield from writer.news()
    yield writer.end()


def _check(before: str, text: str) -> str:
    return xxhash.xxh32_hexdigest((before + text).encode())


# --- reading ------------------------------------------------------------------------------------------------


def read(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line's number and content, its check compared; BadGamelog where something is wrong."""
    check, number, ended = "", 0, False
    for number, line in enumerate(lines, 1):
        if ended:
            raise BadGamelog(number, "there is something behind the end of the match.")
        text, check = _checked(number, line, check)
        said = _decoded(number, text)
        ended = "end" in said
        yield number, said
    if number == 0:
        raise BadGamelog(1, "the file is empty.")
    if not ended:
        raise BadGamelog(
            number + 1, "the gamelog stops here: it has no end, so it was cut off or is still being played."
        )


def _checked(number: int, line: str, before: str) -> tuple[str, str]:
    if len(line) > LARGEST_LINE:
        raise BadGamelog(number, f"it is longer than {LARGEST_LINE} characters.")
    body, mark, rest = line.rpartition(',"#":"')
    if not mark and number == 1:
        raise BadGamelog(number, "this is no gamelog of endturn.")
    if not mark or not line.endswith('"}\n'):
        raise BadGamelog(number, "it is cut off.")
    check = _check(before, body + "}")
    if rest != f'{check}"}}\n':
        raise BadGamelog(number, "it was altered, or a line before it is missing: its check does not agree.")
    return body + "}", check


def _decoded(number: int, text: str) -> dict[str, Any]:
    try:
        said = msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise BadGamelog(number, f"it is not JSON: {error}.") from None
    return said


class Replay:
    """A gamelog played again, step by step, and compared with what it says."""

    def __init__(
        self, lines: Iterable[str], find_game: Callable[[str], Game], backend: str = "plain"
    ) -> None:
        self.lines = read(lines)
        number, head = next(self.lines)
        self.match = _begin(number, head, find_game, backend)
        self.actions = self.turns = 0
        self.end: dict[str, Any] | None = None

    def step(self) -> bool:
        """Play the next line; False when there is none."""
        number, said = next(self.lines, (0, {}))
        if not number:
            return False
        if "turn" in said:
            self._compare_turn(number, said)
        elif "end" in said:
            self._compare_end(number, said)
        elif "undo" in said:
            self._take_back(number, said)
        else:
            self._act(number, said)
        return True

    def run(self, until_turn: int | None = None) -> "Replay":
        """Play on, to the end or to the beginning of a turn."""
        while (until_turn is None or self.match.turn < until_turn) and self.step():
            pass
        return self

    def _act(self, number: int, said: dict[str, Any]) -> None:
        seat = said.pop("seat", None)
        answer = self.match.submit(seat, said)  # type: ignore[arg-type]
        if isinstance(answer, Malformed):
            raise BadGamelog(number, f"this is no action: {answer.reason}")
        if isinstance(answer, Refusal):
            raise BadGamelog(number, f"the action is against rule {answer.rule}: {answer.reason}")
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
                f"the file says turn {said.get('turn')} with state {said.get('state')}, "
                f"and playing it gives turn {began.turn} with state {began.state}.",
            )
        self.turns = began.turn

    def _compare_end(self, number: int, said: dict[str, Any]) -> None:
        outcome = self.match.outcome
        ours = msgspec.json.decode(msgspec.json.encode(outcome and outcome._asdict()))
        if said["end"] != ours:
            raise BadGamelog(number, f"the file says it ended {said['end']}, and playing it gives {ours}.")
        state = record.digest(self.match.dump())
        if said.get("state") != state:
            raise BadGamelog(
                number, f"the file ends with state {said.get('state')}, and playing it gives {state}."
            )
        self.end = said


def _begin(number: int, head: dict[str, Any], find_game: Callable[[str], Game], backend: str) -> Match:
    if head.get("endturn") != FORMAT:
        raise BadGamelog(
            number, f"this gamelog's format is {head.get('endturn')!r}; this program reads {FORMAT}."
        )
    try:
        game = find_game(str(head["game"]))
        if head["version"] != game.version:
            raise BadGamelog(
                number,
                f"it was played by version {head['version']} of {game.title}'s rules; this is {game.version}.",
            )
        settings = game.configure(values=head["settings"])
        start = game.read(head["start"]) if "start" in head else None
        return Match(
            game, settings, seed=int(head["seed"], 16), players=head["players"], backend=backend, start=start
        )
    except (KeyError, TypeError, SettingsError, LookupError) as error:
        raise BadGamelog(number, f"the header does not describe a match: {error}") from None


def replay(lines: Iterable[str], find_game: Callable[[str], Game], turn: int | None = None) -> Match:
    """The match of a gamelog, at its end or at the beginning of a turn."""
    return Replay(lines, find_game).run(turn).match


def verify(lines: Iterable[str], find_game: Callable[[str], Game]) -> Replay:
    """Play a gamelog again and compare every fingerprint and the outcome; BadGamelog where it does not hold."""
    return Replay(lines, find_game).run()


def export(match: Match) -> dict[str, Any]:
    """The whole match as one JSON value, for other programs."""
    head, *rest = (msgspec.json.decode(line) for line in write(match))
    return {**head, "log": rest[:-1], **rest[-1]}
