"""The clients that watch one match, grouped by what they may know: one audience per seat, and one for spectators.

A message is built once per audience. Each audience numbers its own events, so an action that is hidden from it leaves
no gap. A change is always relative to the view that the audience received last.
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
MOST_WAITING = 1 << 20  # bytes that may wait for one guest, in addition to one long answer
PATIENCE = 5.0  # seconds without progress on a long answer after which a guest is dropped
BATCH = 1 << 15  # bytes written together; a message with more is a long one
MOST_EVENTS = 500  # in one Welcome: the latest ones


STOPPED = "The match was stopped."


class Line(Protocol):
    """What a connection offers in addition to ASGI: writing messages and receiving them without a waiting task."""

    hears: Callable[[bytes], bool] | None  # returns whether it handled the message; others go through ASGI

    @property
    def takes(self) -> bool:
        """Whether it can be written to now."""

    @property
    def unsent(self) -> int:
        """Bytes written to it that the operating system has not accepted yet."""

    def put(self, messages: list[bytes]) -> None:
        """Write messages."""

    def abort(self) -> None:
        """Close the connection without sending what is left."""


class Outbox:
    """The guests with waiting messages. They are written together a moment later, such as an answer with its event."""

    def __init__(self) -> None:
        self._full: list[Guest] = []

    def add(self, guest: "Guest") -> None:
        """Add a guest with waiting messages."""
        if not self._full:
            asyncio.get_running_loop().call_soon(self._wait)
        self._full.append(guest)

    def _wait(self) -> None:
        # Tasks that the event woke add their answers in this round of the loop.
        asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        full, self._full = self._full, []
        for guest in full:
            guest.flush()


class Guest:
    """One socket and its queue of messages. A guest that does not read is dropped, so that memory stays bounded."""

    def __init__(self, seat: int | None, outbox: Outbox, line: Line | None) -> None:
        self.seat, self.dropped = seat, False
        self.on_drop: Callable[[], object] = lambda: None
        self._outbox, self._line = outbox, line
        self._waiting: deque[bytes] = deque()
        self._size, self._most = 0, MOST_WAITING
        self._posted = False  # whether this guest is in the outbox
        self._sending = False  # whether `next` is sending a message; others must not overtake it
        self._ready, self._taken = asyncio.Event(), asyncio.Event()

    def tell(self, message: bytes) -> None:
        """Queue a message."""
        if self.dropped:
            return
        self._waiting.append(message)
        self._size += len(message)
        # A single long message does not show that the guest is slow, so it is always queued.
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
        """Queue an answer. Returns when a long answer is sent, so that at most one of them waits.

        A long answer does not count towards MOST_WAITING. A guest that reads nothing of it is dropped.
        """
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
        """Bytes that are not sent yet."""
        return self._size + (0 if self._line is None else self._line.unsent)

    async def _taking(self) -> None:
        """Wait until everything is sent, for at most PATIENCE seconds."""
        self._taken.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._taken.wait(), PATIENCE)

    def flush(self) -> None:
        """Write the queue to the line. What the line cannot accept now is left for `next`."""
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
    """Guests who may know the same: those of a seat, the spectators, or everyone if the game hides nothing."""

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
        self.close = room.subscribe(self.happened, self.changed)

    @property
    def present(self) -> set[int]:
        """The seats whose players are connected."""
        return {seat for seat, guests in self.here.items() if guests and seat is not None}

    # --- joining and leaving ---

    def join(self, guest: Guest, since: int) -> None:
        """Welcome a guest with its view, and the events after number `since`."""
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
            guest.tell(encode(Failed(room.failure or STOPPED)))
        self.tell_presence()

    def leave(self, guest: Guest) -> None:
        """Remove a guest whose socket has closed."""
        audience = self.audiences[seat := None if self._together else guest.seat]
        audience.guests.discard(guest)
        self.here[guest.seat] -= 1
        if not audience.guests:
            del self.audiences[seat]
        self.tell_presence()

    def _entries(self, seat: int | None) -> list[Entry]:
        """The entries that an audience may know of, in order."""
        every = self.room.entries
        return every if not self._hides else [entry for entry in every if self.room.visible(entry, seat)]

    def _events(self, seat: int | None, since: int) -> list[Event]:
        known = self._entries(seat)
        first = max(since, len(known) - MOST_EVENTS)
        return [event_of(self.room.game, entry, first + i) for i, entry in enumerate(known[first:], 1)]

    # --- telling ---

    def happened(self, entry: Entry) -> None:
        """Send every audience what it may know of an entry."""
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
        """Tell everyone that a seat was taken, that the match began or that it was stopped."""
        if self.room.status == "failed":
            self.tell_all(encode(Failed(self.room.failure or STOPPED)))
        else:
            self._tell_standing(now_of(self.room))
        self.tell_presence()

    def _tell_standing(self, now: Now) -> None:
        """Send the current state of the match to audiences that do not know it yet."""
        for audience in self.audiences.values():
            if audience.stands != _stands(now):
                audience.stands = _stands(now)
                message = encode(Happened(None, self._change(audience), now))
                for guest in audience.guests:
                    guest.tell(message)

    def tell_presence(self) -> None:
        """Tell everyone who is connected."""
        seats = seats_info(self.room.seats, self.room.game.seats, self.present)
        self.tell_all(encode(Presence(seats, self.here[None])))

    def tell_all(self, message: bytes) -> None:
        """Send a message to everyone."""
        for audience in self.audiences.values():
            for guest in audience.guests:
                guest.tell(message)


def _stands(now: Now) -> tuple[Any, ...]:
    """The parts of `Now` whose change clients must learn of."""
    return now.turn, tuple(now.to_act), now.status, now.clocks.paused
