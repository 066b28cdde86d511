"""The history of a match: its entries, and the match that they lead to. No clocks, no files, no tasks."""

from collections.abc import Sequence
from typing import Any

import msgspec

from endturn.engine.actions import Action
from endturn.engine.answers import Malformed, Refusal
from endturn.engine.game import Game
from endturn.engine.match import Acted, Match, TurnBegan


class DoesNotFit(RuntimeError):
    """An archived entry does not fit the entries before it; the message says which one and why."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One line of a match's history."""

    number: int  # from 1
    at: int  # milliseconds since 1970
    kind: str  # act, undo, chat, pause, resume
    seat: int | None
    body: Any  # the action, or a chat message
    turn: int


def seated(row: dict[str, Any], game: Game) -> Game:
    """The game with the number of seats of an archived match."""
    return game.seated(game.configure(values=msgspec.json.decode(row["settings"])))


class History:
    """A match and its entries."""

    def __init__(self, row: dict[str, Any], game: Game, players: Sequence[str], backend: str) -> None:
        self.id: str = row["id"]
        self.game = game
        start = game.parse_position(row["start"]) if row["start"] is not None else None
        settings = game.configure(values=msgspec.json.decode(row["settings"]))
        seed = int(row["seed"], 16)
        self.match = Match(game, settings, seed=seed, players=players, backend=backend, start=start)
        self.begin()

    def begin(self) -> None:
        """Go back to the start of the match."""
        self.entries: list[Entry] = []
        self.played: list[Any] = []  # [seat, action], or [seat, None] for an undo
        self.changed_at = 0  # when something last happened that every seat may know of
        if len(self.match.log) > 1:
            self.match = self.match.restarted()
        self.to_act, self.turn = self.match.to_act(), self.match.turn

    def name_players(self, players: Sequence[str]) -> None:
        """Set the players' names, before the first action."""
        assert not self.played
        if tuple(players) != self.match.players:
            self.match = self.match.restarted(players)

    def last_action(self) -> Action:
        """The action that the match accepted last."""
        log = self.match.log
        acted = log[-2] if isinstance(log[-1], TurnBegan) else log[-1]
        assert isinstance(acted, Acted)
        return acted.action

    def checksum(self, kind: str) -> str | None:
        """The checksum of the state, if the last action began a turn."""
        began = self.match.log[-1]
        return began.state if kind == "act" and isinstance(began, TurnBegan) else None

    def append(self, entry: Entry) -> None:
        """Add the entry of what the match has just accepted."""
        self.entries.append(entry)
        if entry.kind != "act" or not self.game.actions.is_hidden(entry.body["do"]):
            self.changed_at = entry.at
        if entry.kind in ("act", "undo"):
            self.played.append([entry.seat, entry.body])
            self.to_act, self.turn = self.match.to_act(), self.match.turn

    # --- from the archive ---

    def replay(self, row: dict[str, Any]) -> None:
        """Play an archived entry. Raises DoesNotFit, and changes nothing, if it does not fit."""
        before = self.match.snapshot()
        try:
            self._replay(row)
        except Exception:
            self.match.restore(before)
            raise

    def _replay(self, row: dict[str, Any]) -> None:
        seat, body = row["seat"], msgspec.json.decode(row["body"])
        answer: Any = None
        if row["kind"] == "act":
            answer = self.match.submit(seat, body)
        elif row["kind"] == "undo":
            answer = self.match.undo(seat)
        if isinstance(answer, Refusal | Malformed):
            raise DoesNotFit(f"Entry {row['number']} of match {self.id} cannot be replayed: {answer.reason}")
        if row["number"] != len(self.entries) + 1 or row["state"] != self.checksum(row["kind"]):
            raise DoesNotFit(f"Match {self.id} differs from its log at entry {row['number']}.")
        self.append(Entry(row["number"], row["at"], row["kind"], seat, body, self.match.turn))

    def is_in(self, rows: Sequence[dict[str, Any]]) -> bool:
        """Whether archived rows start with the entries of this history."""
        if not self.entries:
            return True
        last = self.entries[-1]
        found = rows[last.number - 1] if len(rows) >= last.number else None
        return found is not None and (found["at"], found["kind"], found["seat"]) == (
            last.at,
            last.kind,
            last.seat,
        )

    # --- visibility ---

    def visible(self, entry: Entry, seat: int | None) -> bool:
        """Whether a seat, or a spectator, may know of an entry, during the match and afterwards.

        Everyone may know of the action that ends the match, because everyone must learn that it is over.
        """
        if entry.seat == seat or entry.kind != "act":  # a hidden action cannot be undone
            return True
        return not self.game.actions.is_hidden(entry.body["do"]) or self._ended_by(entry)

    def has_news(self, seat: int, after: int) -> bool:
        """Whether a seat may know of any entry after that number, except chat."""
        since = self.entries[max(0, after) :]
        return any(entry.kind != "chat" and self.visible(entry, seat) for entry in since)

    def _ended_by(self, entry: Entry) -> bool:
        last = next((each for each in reversed(self.entries) if each.kind == "act"), None)
        return not self.to_act and last is not None and last.number == entry.number
