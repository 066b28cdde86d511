"""A match in progress as clients see it: every step of the match gives a delta.

    live = Live(dialect(game), match, "2022", session)
    live.first()                # the complete first state, as a delta
    match.submit(0, action)
    live.step(match)            # what the action changed, as a delta

A step looks only at columns whose bytes have changed. Writing the whole state would take a hundred times as long.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from endturn.cadre.deltas import apply_news, changes
from endturn.cadre.state import SessionFacts, id_of, ids_from, player_part, wire
from endturn.cadre.table import Dialect, Era, News, Note, Since, Verdict, Wire
from endturn.engine import record
from endturn.engine.match import Match
from endturn.engine.words import Names


class Live:
    """What clients see of a match in progress.

    The attributes that the dialect's columns show are read from the state when someone asks for them. Updating them in
    hundreds of objects, scattered in memory, would take longer than everything else at the end of a turn.
    """

    def __init__(self, dialect: Dialect, match: Match, era: Era, session: SessionFacts) -> None:
        if dialect.news is None:
            raise TypeError(f"the dialect of {dialect.name} has no news function")
        self.dialect, self.era, self.session = dialect, era, session
        self._shown = wire(dialect, match.state, era, session, None)
        self.objects: dict[str, Wire] = self._shown[
            "gameObjects"
        ]  # by id; attributes of columns may be outdated
        self._news, self._watched = dialect.news, record.Watched(match.layout, match.dump())
        self.state = record.window(match.layout, memoryview(self._watched.data))  # after the last step
        self._kept: dict[str, Any] = {}
        self._columns = {
            name: (column, ids_from(column.first, len(getattr(self.state, name))))
            for name, column in dialect.columns.items()
        }
        self._players = [self.objects[str(seat)] for seat in range(len(session.names))]

    def names(self) -> Names | None:
        """What clients call players, and the things that we number."""
        called = self.dialect.called
        if called is None:
            return None
        seats = tuple(f"Player {seat}" for seat in range(len(self.session.names)))
        return Names(seats, called(self.state, self.objects))

    @property
    def shown(self) -> Wire:
        """Everything that clients see, with lists as lists."""
        for name, (column, ids) in self._columns.items():
            for where, value in zip(ids, getattr(self.state, name), strict=True):
                if column.name in self.objects.get(where, ()):
                    self.objects[where][column.name] = value == 1 if column.is_flag else value
        return self._shown

    def first(self) -> Wire:
        """Everything that clients see, as the delta that they start from."""
        made: Wire = changes(None, self.shown)
        return made

    def step(self, match: Match, settled: bool = False, verdict: Verdict | None = None) -> Wire:
        """The delta since the last step; `settled` says that a turn has ended or begun."""
        dirty, objects_delta = match.changed(self._watched), self._clocks()
        for name, entries in dirty.items():
            if name in self._columns:
                self._add_column(name, entries, objects_delta)
        news = self._news(self.state, self.era, self._shown, Since(dirty, settled, self._kept))
        return apply_news(
            self._shown, chain(news, self._verdict(verdict)) if verdict else news, objects_delta
        )

    def _add_column(self, name: str, entries: list[int], objects_delta: dict[str, Wire]) -> None:
        """Add changed entries of a column to a delta. They also differ on the wire, so no comparison is needed."""
        (attribute, _, is_flag), ids = self._columns[name]
        values = getattr(self.state, name)
        for entry in entries:
            where, value = ids[entry], values[entry]
            value = value == 1 if is_flag else value
            if where in objects_delta:
                objects_delta[where][attribute] = value
            else:
                objects_delta[where] = {attribute: value}

    def tick(self, seat: int) -> bool:
        """Update a player's clock; returns whether it has changed."""
        left, player = self.session.clocks[seat], self._players[seat]
        ticked: bool = player["timeRemaining"] != left
        player["timeRemaining"] = left
        return ticked

    def note(self, note: Note) -> Wire:
        """The delta after a client has logged a message to an object. It includes changed clocks."""
        return apply_news(self._shown, [(note.to, "logs", self.session.notes[note.to])], self._clocks())

    def _clocks(self) -> dict[str, Wire]:
        """Changed clocks as a delta of objects: `apply_news` would take three times as long."""
        made: dict[str, Wire] = {}
        for seat, left in enumerate(self.session.clocks):
            if self.tick(seat):
                made[id_of(seat)] = {"timeRemaining": left}
        return made

    def _verdict(self, verdict: Verdict) -> Iterator[News]:
        for seat, player in enumerate(self._players):
            for name, value in player_part(seat, self.session, verdict).items():
                yield player["id"], name, value
