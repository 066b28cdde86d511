"""Connections: how messages of the Cadre protocol travel over TCP and over WebSockets, and how much they may.

On TCP a message is JSON and the byte EOT, split and joined at will; on a WebSocket it is one text. Whatever a
client sends, it is answered or cut off here: what comes out is an event's name and its data. A client that sends
faster than it is served is not read any further for a while, and one that does not read is let go. What clients are
to hear lies in an outbox until the end of the loop's round.
"""

import asyncio
import json
import re
import socket
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Protocol, cast

import msgspec
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from endturn.cadre.wire import Run
from endturn.server.transports.limits import Budget
from endturn.server.transports.origins import Origins

EOT = b"\x04"
BURST = 64  # messages of one client before others have their turn
ALLOWANCE = 64  # messages for which a client asks at once whether it may send them
LINGER = 30.0  # seconds that a client has to read its last messages
SOON = 0.1  # seconds until a client hears what it does not wait for
MOST_UNTOLD = 256  # messages after which it hears them at once
TOGETHER = (
    32  # clients that are answered together: written to one by one they would wake and sleep again for each
)
PING, PATIENCE = 20.0, 60.0  # seconds between signs of life that a page is asked for, and without any
AT_ONCE = 128  # clients that are written to before others have their turn
EVENTS = frozenset({"alias", "play", "run", "finished"})
NO_DATA = object()
UNCHANGED = b"{}"  # a delta that says nothing
DELTA, INVALID = b'{"event":"delta","data":%b}', b'{"event":"invalid","data":{"message":%b}}'
TICK = b'{"gameObjects":{"%d":{"timeRemaining":%d}}}'  # a delta that says only what a player's clock does


class Limits(msgspec.Struct, frozen=True):
    """What one client, those of one address, and all of them may ask of a server; 0 is no limit of an address."""

    message: int = 1 << 17  # bytes of one message
    rate: int = 5_000  # messages a second; what comes faster waits
    address_rate: int = 5_000  # the same for all clients of an address together
    unread: int = 1 << 23  # bytes that wait for a client that does not read
    connections: int = 4096
    address_connections: int = 1024
    pages: int = 512  # connections to the gamelogs' port
    address_pages: int = 64
    idle: float = 600.0  # seconds without having asked to play
    lobby: float = 3600.0  # seconds of waiting for an opponent
    sessions: int = 4096  # that wait or are being played


# Of a client and of an address: all of them together still have theirs.
NO_LIMITS = Limits(rate=0, address_rate=0, address_connections=0, address_pages=0)


class Message(msgspec.Struct):
    """What a client sends."""

    event: str
    data: Any = msgspec.UNSET


class RunMessage(msgspec.Struct, tag_field="event", tag="run", gc=False):
    """What clients send most, read in one go."""

    data: Run
    event: ClassVar[str] = "run"


class FinishedMessage(msgspec.Struct, tag_field="event", tag="finished", gc=False):
    """What they send next to that."""

    data: Any = None
    event: ClassVar[str] = "finished"


USUAL = msgspec.json.Decoder(RunMessage | FinishedMessage)
DECODER = msgspec.json.Decoder(Message)
# Scripts take half a character in a text; here it becomes the sign for one that is unknown.
ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)


class Fatal(Exception):
    """What a client did ends its connection; the sentence says why."""


class Outbox:
    """What clients are to hear.

    Many clients' messages are read in one round of the loop. Their answers go out together at its end: a client that is
    written to in between wakes, answers, and sleeps again before the next one is; waking it costs more than the write.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._now: list[Client] = []
        self._later: list[Client] = []

    def send(self, client: "Client") -> None:
        """It waits for what it is to hear."""
        if len(self._now) == TOGETHER:
            self._send()
        if not self._now:
            self._loop.call_soon(self._send)
        self._now.append(client)

    def send_later(self, client: "Client") -> None:
        """It does not: what comes in the meantime can go out with it."""
        if not self._later:
            self._loop.call_later(SOON, self._send_later)
        self._later.append(client)

    def _send(self) -> None:
        clients, self._now = self._now, []
        for client in clients:
            client.flush()

    def _send_later(self) -> None:
        waited, self._later = self._later, []
        self._send_some(waited)

    def _send_some(self, clients: "list[Client]") -> None:
        for client in clients[:AT_ONCE]:
            client.later = False
            client.flush()
        if len(clients) > AT_ONCE:
            self._loop.call_soon(self._send_some, clients[AT_ONCE:])


class Receiver(Protocol):
    """Whoever is told what clients do."""

    outbox: Outbox

    def admit(self, client: "Client") -> bool:
        """A client has come; False: it was turned away."""

    def received(self, client: "Client", event: str, data: Any) -> None:
        """A client has sent an event."""

    def vanished(self, client: "Client") -> None:
        """A client's connection has ended."""


def encoded(value: Any) -> bytes:
    """A value as JSON in ASCII: a client that reads in pieces never cuts a character in two."""
    made = msgspec.json.encode(value)
    return made if made.isascii() else json.dumps(json.loads(made), separators=(",", ":")).encode()


def event(name: str, data: Any = NO_DATA) -> bytes:
    """A message of ours."""
    return b'{"event":"%b"}' % name.encode() if data is NO_DATA else with_json(name, encoded(data))


def with_json(name: str, data: bytes) -> bytes:
    """A message of ours whose data is JSON already."""
    return b'{"event":"%b","data":%b}' % (name.encode(), data)


def in_json(delta: dict[str, Any]) -> bytes:
    """A delta as clients and gamelogs have it."""
    return encoded(delta) if delta else UNCHANGED


@lru_cache(typed=True)  # else True were 1
def answered_with(returned: Any) -> tuple[bytes, bytes]:
    """What a run returned, as gamelogs have it, and as who ran it is told."""
    if returned is None:
        return b"", event("ran")
    made = encoded(returned)
    return b',"returned":%b' % made, with_json("ran", made)


def fatal(message: str, timed_out: bool = False) -> bytes:
    """The message that ends a connection."""
    return event("fatal", {"message": message, "timedOut": timed_out})


def address_of(transport: asyncio.BaseTransport) -> str:
    """Where a connection comes from."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else "?"


class Client(asyncio.Protocol):
    """A connection. Who plays or watches on it has a `place`."""

    transport: asyncio.Transport

    def __init__(self, receiver: Receiver, limits: Limits) -> None:
        self.receiver, self.limits = receiver, limits
        self.loop = asyncio.get_running_loop()
        self.since = self.loop.time()  # when it came, or asked to play
        self.closing = self.is_done = False
        self.place: Any = None  # what the receiver notes of it
        self.address = "?"
        self.budgets = [Budget(limits.rate)]  # what it sends is taken off each
        self._many = self._allowed = 0
        self._held: list[bytes] = []  # what came too fast
        self._on_hold = False
        self._resting: asyncio.TimerHandle | None = None
        self._out: list[bytes] = []  # what it is to hear
        self.soon = self.later = False  # whether the outbox has it, for what it waits for or for other things

    # --- to it ---

    def say(self, message: bytes) -> None:
        """It waits for this: it hears it at the end of this round, after all that it was told before."""
        self._out.append(message)
        if not self.soon:
            self.soon = True
            self.receiver.outbox.send(self)

    def tell(self, message: bytes) -> None:
        """It does not wait for this, and hears it when it is said something, or a little later."""
        out = self._out
        out.append(message)
        if not self.later:
            self.later = True
            self.receiver.outbox.send_later(self)
        elif len(out) >= MOST_UNTOLD:
            self.flush()

    def flush(self) -> None:
        """All that it is to hear is sent, in one go."""
        self.soon = False
        if self._out:
            if not self.closing:
                self._send(self._out)
            self._out.clear()

    def _send(self, messages: list[bytes]) -> None:
        raise NotImplementedError

    def end(self, *messages: bytes) -> None:
        """Send the last messages, and close when they are out. To who has heard that all is over nothing is said."""
        if not self.closing:
            self._out += () if self.is_done else messages
            self.flush()
            self.closing = True
            self._say_goodbye()
            self.transport.close()
            self.loop.call_later(LINGER, self.transport.abort)

    def _say_goodbye(self) -> None:
        pass

    def look_after(self, now: float) -> None:
        """Now and then somebody looks whether it is still there; over TCP the system does."""

    def pause_writing(self) -> None:
        """More waits for it than may: it does not read, and is sent nothing more."""
        self.closing = True
        self.loop.call_soon(self.transport.abort)  # not in the midst of a write

    # --- from it ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        self.transport = cast(asyncio.Transport, transport)  # one of uvloop's is of another class
        self.transport.set_write_buffer_limits(high=self.limits.unread)
        known: socket.socket | None = transport.get_extra_info("socket")
        if known is not None:
            known.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.address = address_of(transport)
        self.receiver.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, whoever ended it."""
        self.closing = True
        self._held.clear()
        if self._resting is not None:
            self._resting.cancel()
        self.receiver.vanished(self)

    def take(self, frames: Sequence[bytes]) -> None:
        """Messages, or what should be such. A few at once, then others have their turn."""
        for frame in frames[:BURST]:
            self.take_one(frame)
        if len(frames) > BURST:
            self._held.extend(frames[BURST:])
            self._rest_until(self.loop.time())

    def take_one(self, frame: bytes) -> None:
        """A message, or what should be one. The time is looked at only when all have come that it has asked for."""
        self._many += 1
        if self._many > self._allowed:
            self._ask_for_more()
        if self.closing:
            return
        if self._resting is not None:
            self._held.append(frame)
            return
        try:
            said = USUAL.decode(frame)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            self._understand(frame)
        else:
            self.receiver.received(self, said.event, said.data)

    def hold(self, on: bool) -> None:
        """Read nothing more of it for a while, or go on."""
        self._on_hold = on
        if not self.closing and self._resting is None:
            self.transport.pause_reading() if on else self.transport.resume_reading()

    def _understand(self, frame: bytes) -> None:
        """A message that is not one of the usual ones."""
        try:
            said = _decoded(frame)
            if said is not None:
                self.receiver.received(self, said.event, said.data)
        except Fatal as error:
            self.end(fatal(str(error)))

    def _ask_for_more(self) -> None:
        now, self._allowed = self.loop.time(), min(ALLOWANCE, self.limits.rate or ALLOWANCE)
        wait = max(budget.spend(self._allowed, now) for budget in self.budgets)
        self._many = 0 if wait else 1
        if wait:
            self._rest_until(now + wait)

    def _rest_until(self, when: float) -> None:
        if self._resting is None:
            self.transport.pause_reading()
            self._resting = self.loop.call_at(when, self._go_on)

    def _go_on(self) -> None:
        """What was held is next."""
        self._resting = None
        held, self._held = self._held, []
        self.take(held)
        if self._resting is None and not self.closing and not self._on_hold:
            self.transport.resume_reading()


def _mended(escape: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if escape["half"] else escape[0]


def _says_nothing(frame: bytes) -> bool:
    """Whether scripts take what a frame has for false: 0, -0.0, null, an empty text."""
    try:
        value = msgspec.json.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return False
    return not value and not isinstance(value, dict | list)


def _decoded(frame: bytes) -> Message | None:
    """What a frame says; None where that is nothing, and Fatal where it is no event."""
    try:
        said = DECODER.decode(frame)
    except msgspec.ValidationError:
        if _says_nothing(frame):
            return None
        raise Fatal("Sent malformed json event") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        if (mended := ESCAPES.sub(_mended, frame)) != frame:
            return _decoded(mended)
        raise Fatal(f"Sent malformed JSON: 'SyntaxError: {str(error)[:200]}'") from None
    if said.event not in EVENTS:
        raise Fatal(f"Sent unknown event '{said.event[:100]}'.")
    return said


class TcpClient(Client):
    """A client over TCP."""

    def __init__(self, receiver: Receiver, limits: Limits) -> None:
        super().__init__(receiver, limits)
        self._rest = b""

    def _send(self, messages: list[bytes]) -> None:
        self.transport.write(EOT.join((*messages, b"")))

    def data_received(self, data: bytes) -> None:
        """Bytes have come: messages, or parts of them."""
        if not self._rest and data.find(EOT) == len(data) - 1 <= self.limits.message:
            return self.take_one(data[:-1])  # as it nearly always is: one message
        if EOT not in data and len(self._rest) + len(data) <= self.limits.message:
            self._rest += data
            return
        if self._rest:
            data = self._rest + data
        *frames, self._rest = data.split(EOT)
        if len(data) > self.limits.message and max(map(len, (*frames, self._rest))) > self.limits.message:
            self._rest = b""
            self.end(fatal(f"Sent a message of more than {self.limits.message} bytes."))
        self.take(frames)


class WebClient(Client):
    """A client over a WebSocket."""

    def __init__(self, receiver: Receiver, limits: Limits, origins: Origins) -> None:
        super().__init__(receiver, limits)
        self._socket = ServerProtocol(max_size=limits.message)
        self._origins = origins
        self._parts: list[bytes] = []
        self._asked_at = self._silent_since = self.loop.time()
        self._heard = True  # from it, since it was last looked after

    def look_after(self, now: float) -> None:
        """It is asked for a sign of life, and let go where there is none. While it is not read there can be none."""
        if self._heard or self._on_hold or self._resting is not None:
            self._heard, self._silent_since = False, now
        if now - self._silent_since > PATIENCE:
            self.transport.abort()
        elif now - self._asked_at >= PING and self._socket.state is State.OPEN:
            self._asked_at = now
            self._socket.send_ping(b"")
            self._write()

    def _send(self, messages: list[bytes]) -> None:
        if self._socket.state is State.OPEN:
            for message in messages:
                self._socket.send_text(message)
            self._write()

    def _say_goodbye(self) -> None:
        if self._socket.state is State.OPEN:
            self._socket.send_close(1000)
            self._write()

    def data_received(self, data: bytes) -> None:
        """Bytes have come: the handshake, or frames."""
        self._heard = True
        self._socket.receive_data(data)
        for happened in self._socket.events_received():
            if isinstance(happened, Request):
                self._socket.send_response(self._answer(happened))
            elif isinstance(happened, Frame):
                self._frame(happened)
        self._write()
        if self._socket.close_expected() or self._socket.state is State.CLOSED:
            self.closing = True
            self.transport.close()

    def _answer(self, request: Request) -> Response:
        """Programs name no origin, and go by whatever name they have for this server."""
        origin = request.headers.get("Origin")
        reason = origin and self._origins.refuse(request.headers.get("Host", ""), origin)
        if reason:
            return self._socket.reject(403, f"{reason}\n")
        return self._socket.accept(request)

    def _frame(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                whole, self._parts = b"".join(self._parts), []
                self.take_one(whole)
        elif frame.opcode is Opcode.BINARY:
            self.end(fatal("Sent malformed json event"))

    def _write(self) -> None:
        data = b"".join(self._socket.data_to_send())
        if data and not self.transport.is_closing():
            self.transport.write(data)

    def eof_received(self) -> None:
        """It sends no more."""
        if self._socket.state is not State.CLOSED:
            self._socket.receive_eof()
