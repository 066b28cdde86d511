"""The ledger of a match: what happened in it, and the match that comes of it. No clocks, no files, no tasks.

What is played is tried on `live`. Until it is kept, everyone who looks at `match` sees what was before.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from endturn.archive.store import Row
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game
from endturn.engine.match import Acted, Match, TurnBegan

Refused = Refusal | Malformed
Answer = Accepted | Refused


class DoesNotFit(RuntimeError):
    """An entry of the archive does not fit what was before; the sentence says which, and why."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """Something that happened in a match, as the archive keeps it."""

    number: int  # from 1 on
    at: int  # milliseconds since 1970
    kind: str  # act, undo, chat, pause, resume
    seat: int | None
    body: Any  # the action, or a text
    turn: int


def seated(row: Row, game: Game) -> Game:
    """The game with as many seats as the match of a row has."""
    return game.seated(game.configure(values=msgspec.json.decode(row["settings"])))


class Ledger:
    """A match and its entries."""

    def __init__(self, row: Row, game: Game, players: Sequence[str], backend: str) -> None:
        self.id: str = row["id"]
        self.game = game
        start = game.parse_position(row["start"]) if row["start"] is not None else None
        settings = game.configure(values=msgspec.json.decode(row["settings"]))
        seed = int(row["seed"], 16)
        self.live = Match(game, settings, seed=seed, players=players, backend=backend, start=start)
        self.begin()

    def begin(self) -> None:
        """The match as it started."""
        self.entries: list[Entry] = []
        self.played: list[Any] = []  # of these what was played: [seat, action], or [seat, None] for an undo
        self.known_at = 0  # when the last thing happened that everyone may know
        if len(self.live.log) > 1:
            self.live = self.live.restarted()
        self._shown: Match | None = self.live

    def name_players(self, players: Sequence[str]) -> None:
        """Who plays is known only now."""
        if tuple(players) != self.live.players:
            self.live = self._shown = self._played_again(players)

    def _played_again(self, players: Sequence[str] = ()) -> Match:
        """The match after all that is kept, which was accepted once."""
        match = self.live.restarted(players)
        for seat, body in self.played:
            match.undo(seat) if body is None else match.submit(seat, body)
        return match

    @property
    def match(self) -> Match:
        """The match after all that is kept."""
        if self._shown is None:  # somebody looks while an action is being written, which is seldom
            self._shown = self._played_again()
        return self._shown

    # --- playing ---

    def submit(self, seat: int, said: object) -> Answer:
        """Try an action. Where it is accepted, `keep` or `roll_back` follows."""
        self._shown = None
        answer = self.live.submit(seat, said)
        if not isinstance(answer, Accepted):
            self._shown = self.live
        return answer

    def undo(self, seat: int) -> Answer:
        """Try to take the seat's last action back, in the same way."""
        self._shown = None
        answer = self.live.undo(seat)
        if not isinstance(answer, Accepted):
            self._shown = self.live
        return answer

    def last_action(self) -> Action:
        """What was accepted last."""
        log = self.live.log
        acted = log[-2] if isinstance(log[-1], TurnBegan) else log[-1]
        assert isinstance(acted, Acted)
        return acted.action

    def fingerprint(self, kind: str) -> str | None:
        """The state's, where the last action began a turn."""
        began = self.live.log[-1]
        return began.state if kind == "act" and isinstance(began, TurnBegan) else None

    def keep(self, entry: Entry) -> None:
        """It is on disk: from now on everyone sees it."""
        self.entries.append(entry)
        if entry.kind != "act" or not self.game.actions.is_hidden(entry.body["do"]):
            self.known_at = entry.at
        if entry.kind in ("act", "undo"):
            self.played.append([entry.seat, entry.body])
        self._shown = self.live

    def roll_back(self) -> None:
        """It is not on disk, or nobody knows: the match is as it was before."""
        self.live = self._shown = self.match

    def replay_all(self, rows: Sequence[Row]) -> None:
        """The match from its beginning on, as the archive has it."""
        self.begin()
        for row in rows:
            self.replay(row)

    def replay(self, row: Row) -> None:
        """An entry as the archive has it; where it does not fit the match is as before, and DoesNotFit says why."""
        self._shown = None
        try:
            self._replay(row)
        except Exception:
            self.roll_back()
            raise

    def _replay(self, row: Row) -> None:
        seat, body = row["seat"], msgspec.json.decode(row["body"])
        answer: Any = None
        if row["kind"] == "act":
            answer = self.live.submit(seat, body)
        elif row["kind"] == "undo":
            answer = self.live.undo(seat)
        if isinstance(answer, Refusal | Malformed):
            raise DoesNotFit(
                f"Entry {row['number']} of match {self.id} cannot be played again: {answer.reason}"
            )
        if row["number"] != len(self.entries) + 1 or row["state"] != self.fingerprint(row["kind"]):
            raise DoesNotFit(f"Match {self.id} differs from its log at entry {row['number']}.")
        self.keep(Entry(row["number"], row["at"], row["kind"], seat, body, self.live.turn))

    # --- who may know ---

    def visible(self, entry: Entry, seat: int | None) -> bool:
        """Whether a seat, or a spectator, is told that this happened. It stays so when the match is over.

        The action that ends a match is told to everyone: all must hear that it is over.
        """
        if entry.seat == seat or entry.kind not in ("act", "undo"):
            return True
        act = entry if entry.kind == "act" else self._taken_back(entry)
        return not self.game.actions.is_hidden(act.body["do"]) or self._ended_by(entry)

    def has_news(self, seat: int, after: int) -> bool:
        """Whether a seat knows of anything but talk since the entry of that number."""
        since = self.entries[max(0, after) :]
        return any(entry.kind != "chat" and self.visible(entry, seat) for entry in since)

    def _taken_back(self, undo: Entry) -> Entry:
        """The action that an undo took back."""
        later = 0  # undos in between, whose actions come before theirs
        for entry in self.entries[: undo.number - 1][::-1]:
            if entry.kind == "undo":
                later += 1
            elif entry.kind == "act":
                if later == 0:
                    return entry
                later -= 1
        raise LookupError(f"entry {undo.number} of match {self.id} takes nothing back")

    def _ended_by(self, entry: Entry) -> bool:
        last = next((each for each in reversed(self.entries) if each.kind == "act"), None)
        return not self.match.to_act() and last is not None and last.number == entry.number


def is_passing(answer: Any) -> bool:
    """Whether the same may be accepted in a moment."""
    return isinstance(answer, Refusal) and answer.rule in ("archive", "busy")
