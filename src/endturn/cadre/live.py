"""A match on the Cadre wire that goes on: what is shown follows the state, and every step gives its delta.

    live = Live(dialect, match, "2022", session)
    live.first()                # the complete first state, as a delta
    match.submit(0, action)
    live.step(match)                 # what that changed, as a delta

Only what differs between the states' bytes is looked at: writing a whole state takes a hundred times as long.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from endturn.cadre.wire import (
    Dialect,
    Era,
    News,
    Note,
    Session,
    Since,
    Verdict,
    Wire,
    changes,
    id_of,
    ids_from,
    player_part,
    tell,
    wire,
)
from endturn.engine import record
from endturn.engine.match import Match
from endturn.engine.words import Names


class Live:
    """The wire of a match that is being played.

    What the game's columns show is looked up in the state: with many matches it takes longer to note it in hundreds of
    objects, which are far away in memory, than all else does at the end of a turn.
    """

    def __init__(self, dialect: Dialect, match: Match, era: Era, session: Session) -> None:
        if dialect.news is None:
            raise TypeError(f"{dialect.name} does not say what is new on the wire")
        self.dialect, self.era, self.session = dialect, era, session
        self._shown = wire(dialect, match.state, era, session, None)
        # By id; what is in columns may be out of date.
        self.objects: dict[str, Wire] = self._shown["gameObjects"]
        self._news, self._watched = dialect.news, record.Watched(match.layout, match.dump())
        self.state = record.window(match.layout, memoryview(self._watched.data))  # that of the last step
        self._kept: dict[str, Any] = {}
        self._columns = {
            name: (column, ids_from(column.first, len(getattr(self.state, name))))
            for name, column in dialect.columns.items()
        }
        self._players = [self.objects[str(seat)] for seat in range(len(session.names))]

    def names(self) -> Names | None:
        """What clients call the players, and the things that we number."""
        called = self.dialect.called
        if called is None:
            return None
        seats = tuple(f"Player {seat}" for seat in range(len(self.session.names)))
        return Names(seats, called(self.state, self.objects))

    @property
    def shown(self) -> Wire:
        """All that clients have, lists as lists."""
        for name, (column, ids) in self._columns.items():
            for where, value in zip(ids, getattr(self.state, name), strict=True):
                if column.name in self.objects.get(where, ()):
                    self.objects[where][column.name] = value == 1 if column.is_flag else value
        return self._shown

    def first(self) -> Wire:
        """All that is shown, as the delta that a client begins with."""
        made: Wire = changes(None, self.shown)
        return made

    def step(self, match: Match, settled: bool = False, verdict: Verdict | None = None) -> Wire:
        """What has changed since the last step, as a delta; `settled`: a turn has ended or begun."""
        dirty, told = match.changed(self._watched), self._clocks()
        for name, entries in dirty.items():
            if name in self._columns:
                self._tell_column(name, entries, told)
        news = self._news(self.state, self.era, self._shown, Since(dirty, settled, self._kept))
        return tell(self._shown, chain(news, self._verdict(verdict)) if verdict else news, told)

    def _tell_column(self, name: str, entries: list[int], told: dict[str, Wire]) -> None:
        """What differs in a column differs on the wire, so that nobody has to look at what was there."""
        (attribute, _, is_flag), ids = self._columns[name]
        values = getattr(self.state, name)
        for entry in entries:
            where, value = ids[entry], values[entry]
            value = value == 1 if is_flag else value
            if where in told:
                told[where][attribute] = value
            else:
                told[where] = {attribute: value}

    def tick(self, seat: int) -> bool:
        """A player's clock is shown as it is now; whether it was different."""
        left, player = self.session.clocks[seat], self._players[seat]
        ticked: bool = player["timeRemaining"] != left
        player["timeRemaining"] = left
        return ticked

    def note(self, said: Note) -> Wire:
        """A message was logged to an object; and what has changed on the clocks."""
        return tell(self._shown, [(said.to, "logs", self.session.notes[said.to])], self._clocks())

    def _clocks(self) -> dict[str, Wire]:
        """What has changed on the clocks of which players: what `tell` would do, in a third of the time."""
        told: dict[str, Wire] = {}
        for seat, left in enumerate(self.session.clocks):
            if self.tick(seat):
                told[id_of(seat)] = {"timeRemaining": left}
        return told

    def _verdict(self, verdict: Verdict) -> Iterator[News]:
        for seat, player in enumerate(self._players):
            for name, value in player_part(seat, self.session, verdict).items():
                yield player["id"], name, value
