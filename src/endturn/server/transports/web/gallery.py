"""Those who look at one match, by what they may know: each seat is an audience, and so are the spectators.

What an audience is told is made once and sent to all of it. Its events are numbered by what it may know, so that
an action that is hidden from it leaves no gap, and its view is only ever compared with what it was last told.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from endturn.engine.delta import diff
from endturn.protocol import Event, Failed, Happened, Now, Presence, Welcome, encode
from endturn.server.history import Entry
from endturn.server.room import Room
from endturn.server.transports.web.describe import event_of, now_of, room_info, seats_info

MOST_QUEUED = 256  # messages that may wait for one guest
MOST_WAITING = 1 << 20  # and their bytes, besides one long answer that it asked for
PATIENCE = 5.0  # seconds in which a guest must take something of such an answer
BATCH = 1 << 15  # bytes that are written together, if it is more than one message; more is a long message
MOST_EVENTS = 500  # in one Welcome: the last of those that are not known yet


class Line(Protocol):
    """What a server offers besides ASGI: to write several messages, and to hear of one, without a task that waits."""

    hears: Callable[[bytes], bool] | None  # whether it has taken a message up; else it comes by ASGI

    @property
    def takes(self) -> bool:
        """Whether it can be written to now."""

    @property
    def unsent(self) -> int:
        """Bytes that were written to it, and that the system has not taken yet."""

    def put(self, messages: list[bytes]) -> None:
        """Write these."""

    def abort(self) -> None:
        """End it at once."""


class Outbox:
    """The guests for whom something waits. All of it is written a moment later, an answer with the event it is for."""

    def __init__(self) -> None:
        self._full: list[Guest] = []

    def add(self, guest: "Guest") -> None:
        """Something waits for this guest."""
        if not self._full:
            asyncio.get_running_loop().call_soon(self._wait)
        self._full.append(guest)

    def _wait(self) -> None:
        # Whoever was woken by what happened gives its answers in this round of the loop, or has done so.
        asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        full, self._full = self._full, []
        for guest in full:
            guest.flush()


class Guest:
    """One socket, and what waits to be sent to it. One that does not read is dropped, so that memory stays bounded."""

    def __init__(self, seat: int | None, outbox: Outbox, line: Line | None) -> None:
        self.seat, self.dropped = seat, False
        self.on_drop: Callable[[], object] = lambda: None
        self._outbox, self._line = outbox, line
        self._waiting: deque[bytes] = deque()
        self._size, self._most = 0, MOST_WAITING
        self._posted = False  # whether the outbox knows
        self._sending = False  # whether a message is on its way by `next`, so that no other may overtake it
        self._ready, self._taken = asyncio.Event(), asyncio.Event()

    def tell(self, message: bytes) -> None:
        """Put a message into the queue."""
        if self.dropped:
            return
        self._waiting.append(message)
        self._size += len(message)
        # A long message alone is no sign of slowness, so the first one always has a place.
        if len(self._waiting) > MOST_QUEUED or (self._size > self._most and len(self._waiting) > 1):
            self._drop()
        if not self._posted:
            self._posted = True
            self._outbox.add(self)

    def _drop(self) -> None:
        self.dropped = True
        self._waiting.clear()
        self.on_drop()

    async def give(self, answer: bytes) -> None:
        """Tell a guest what it asked for. A long answer has a place besides what else waits, and the next question is
        heard when this one is taken, so that there is never more than one; who takes nothing of it is dropped."""
        if len(answer) <= BATCH:
            self.tell(answer)
            return
        self._most = MOST_WAITING + len(answer)
        self.tell(answer)
        self.flush()
        before = None
        while self._waiting and before != self._left():
            before = self._left()
            await self._taking()
        if self._waiting:
            self._drop()

    def _left(self) -> int:
        """How much it has not taken."""
        return self._size + (0 if self._line is None else self._line.unsent)

    async def _taking(self) -> None:
        """Wait until all is taken, but not too long."""
        self._taken.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._taken.wait(), PATIENCE)

    def flush(self) -> None:
        """Write what waits; what the line does not take now, `next` gives to whoever waits for the line."""
        self._posted = False
        while self._waiting and self._line is not None and self._line.takes and not self._sending:
            self._line.put(self._batch())
        if self._waiting or self.dropped:
            self._ready.set()

    def _batch(self) -> list[bytes]:
        batch, size = [], 0
        while self._waiting and size < BATCH:
            batch.append(message := self._waiting.popleft())
            size += len(message)
        self._size -= size
        return batch

    async def next(self) -> bytes:
        """The next message to send."""
        self._sending = False
        while not self._waiting:
            self._taken.set()
            self._ready.clear()
            await self._ready.wait()
        message = self._waiting.popleft()
        self._size -= len(message)
        self._sending = True
        return message


class Audience:
    """All who may know the same: a seat's, the spectators, or all where nothing is hidden from anyone."""

    def __init__(self, seat: int | None, view: dict[str, Any], known: int) -> None:
        self.seat, self.view, self.known = seat, view, known
        self.guests: set[Guest] = set()
        self.stands: tuple[Any, ...] = ()


class Gallery:
    """The audiences of a room."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.audiences: dict[int | None, Audience] = {}
        self.here: Counter[int | None] = Counter()  # by seat; None are spectators
        self._hides = any(rule.hidden for rule in room.game.actions.values())
        self._together = room.game.knowledge.one_view and not self._hides
        room.observers.append(self.happened)
        room.on_change.append(self.changed)

    def close(self) -> None:
        """Nobody looks any more."""
        self.room.observers.remove(self.happened)
        self.room.on_change.remove(self.changed)

    @property
    def present(self) -> set[int]:
        """The seats whose players are here."""
        return {seat for seat, guests in self.here.items() if guests and seat is not None}

    # --- coming and going ---

    def join(self, guest: Guest, since: int) -> None:
        """Welcome a guest: what it may know, and what happened since the event of that number."""
        room, seat = self.room, None if self._together else guest.seat
        if seat not in self.audiences:
            self.audiences[seat] = Audience(seat, room.match.view(seat), len(self._entries(seat)))
        audience = self.audiences[seat]
        audience.guests.add(guest)
        self.here[guest.seat] += 1
        audience.stands = _stands(now := now_of(room))
        events = self._events(seat, since)
        info = room_info(room, self.present)
        guest.tell(encode(Welcome(info, guest.seat, audience.view, events, audience.known, now)))
        if room.status == "failed":
            guest.tell(encode(Failed(room.failure or "It was stopped.")))
        self.tell_presence()

    def leave(self, guest: Guest) -> None:
        """A guest has gone."""
        audience = self.audiences[seat := None if self._together else guest.seat]
        audience.guests.discard(guest)
        self.here[guest.seat] -= 1
        if not audience.guests:
            del self.audiences[seat]
        self.tell_presence()

    def _entries(self, seat: int | None) -> list[Entry]:
        """What an audience may know of what happened, in order."""
        every = self.room.entries
        return every if not self._hides else [entry for entry in every if self.room.visible(entry, seat)]

    def _events(self, seat: int | None, since: int) -> list[Event]:
        known = self._entries(seat)
        first = max(since, len(known) - MOST_EVENTS)
        return [event_of(self.room.game, entry, first + i) for i, entry in enumerate(known[first:], 1)]

    # --- telling ---

    def happened(self, entry: Entry) -> None:
        """Tell every audience what it may know of this."""
        now = now_of(self.room)
        for audience in list(self.audiences.values()):
            self._tell(audience, entry, now)

    def _tell(self, audience: Audience, entry: Entry, now: Now) -> None:
        change = self._change(audience) if entry.kind in ("act", "undo") else []
        event = None
        if self.room.visible(entry, audience.seat):
            audience.known += 1
            event = event_of(self.room.game, entry, audience.known)
        elif not change and audience.stands == _stands(now):
            return
        audience.stands = _stands(now)
        message = encode(Happened(event, change, now))
        for guest in audience.guests:
            guest.tell(message)

    def _change(self, audience: Audience) -> list[Any]:
        before, audience.view = audience.view, self.room.match.view(audience.seat)
        return diff(before, audience.view)

    def changed(self) -> None:
        """A seat was taken, with the last one the match began, or it was stopped: everyone hears of it."""
        if self.room.status == "failed":
            self.tell_all(encode(Failed(self.room.failure or "It was stopped.")))
        else:
            self._tell_standing(now_of(self.room))
        self.tell_presence()

    def _tell_standing(self, now: Now) -> None:
        """Where the match stands, to whom that is new."""
        for audience in self.audiences.values():
            if audience.stands != _stands(now):
                audience.stands = _stands(now)
                message = encode(Happened(None, self._change(audience), now))
                for guest in audience.guests:
                    guest.tell(message)

    def tell_presence(self) -> None:
        """Everyone hears who is here."""
        seats = seats_info(self.room.seats, self.room.game.seats, self.present)
        self.tell_all(encode(Presence(seats, self.here[None])))

    def tell_all(self, message: bytes) -> None:
        """Send the same to everyone."""
        for audience in self.audiences.values():
            for guest in audience.guests:
                guest.tell(message)


def _stands(now: Now) -> tuple[Any, ...]:
    """What of `Now` must not go unsaid."""
    return now.turn, tuple(now.to_act), now.status, now.clocks.paused
