"""Connections: how messages travel over TCP and WebSockets, and how much clients may send.

A client that sends faster than it is served is not read for a while; one that does not read is dropped. Messages to
clients wait in an outbox until the end of the event loop's round.
"""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any, Protocol, cast

import msgspec
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from endturn.cadre.messages import EOT, USUAL, Fatal, decoded, fatal
from endturn.server.transports.limits import Budget
from endturn.server.transports.origins import Origins

BURST = 64  # messages of one client before others are served
ALLOWANCE = 64  # messages that a client takes from its rate limits at once
LINGER = 30.0  # seconds for a client to read its last messages
SOON = 0.1  # seconds until messages go out that the client does not wait for
MOST_UNTOLD = 256  # such messages that may wait
# Clients answered together. Answered one by one, they would wake and sleep again for each write.
TOGETHER = 32
PING, PATIENCE = 20.0, 60.0  # seconds between pings of a page, and without an answer until it is dropped
AT_ONCE = 128  # clients written to before the loop serves others


class Limits(msgspec.Struct, frozen=True):
    """Limits per client, per address and for all clients; 0 turns a rate or address limit off."""

    message: int = 1 << 17  # bytes of one message
    rate: int = 5_000  # messages per second; faster messages wait
    address_rate: int = 5_000  # the same for all clients of one address
    unread: int = 1 << 23  # bytes waiting for a client that does not read
    connections: int = 4096
    address_connections: int = 1024
    pages: int = 512  # connections to the gamelog port
    address_pages: int = 64
    idle: float = 600.0  # seconds without a `play` message
    lobby: float = 3600.0  # seconds waiting for an opponent
    sessions: int = 4096  # waiting or being played


# No limits per client and address; those for all clients stay.
NO_LIMITS = Limits(rate=0, address_rate=0, address_connections=0, address_pages=0)


class ClientOutbox:
    """Clients with messages to send.

    The loop reads messages of many clients in one round and answers them together at its end. A client that is answered
    earlier would wake, answer and sleep again before the next one; waking it costs more than the write.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._now: list[Client] = []
        self._later: list[Client] = []

    def send(self, client: "Client") -> None:
        """The client waits for its messages: send them at the end of this round."""
        if len(self._now) == TOGETHER:
            self._send()
        if not self._now:
            self._loop.call_soon(self._send)
        self._now.append(client)

    def send_later(self, client: "Client") -> None:
        """The client does not wait for its messages: send them soon, together with later ones."""
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
    """Receives what clients send."""

    outbox: ClientOutbox

    def admit(self, client: "Client") -> bool:
        """A client has connected; False: it was turned away."""

    def received(self, client: "Client", event: str, data: Any) -> None:
        """A client has sent an event."""

    def vanished(self, client: "Client") -> None:
        """A client's connection has ended."""


def address_of(transport: asyncio.BaseTransport) -> str:
    """The IP address of a connection."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else "?"


class Client(asyncio.Protocol):
    """A connection. A client in a session has a `member`."""

    transport: asyncio.Transport

    def __init__(self, receiver: Receiver, limits: Limits) -> None:
        self.receiver, self.limits = receiver, limits
        self.loop = asyncio.get_running_loop()
        self.since = self.loop.time()  # when it connected, or asked to play
        self.closing = self.is_done = False
        self.member: Any = None  # set by the receiver
        self.address = "?"
        self.budgets = [Budget(limits.rate)]  # its messages count against each
        self._many = self._allowed = 0
        self._held: list[bytes] = []  # messages that came too fast
        self._on_hold = False
        self._resting: asyncio.TimerHandle | None = None
        self._out: list[bytes] = []  # messages to send
        self.soon = self.later = False  # whether it is in the outbox's queues

    # --- sending ---

    def say(self, message: bytes) -> None:
        """Send a message that the client waits for: at the end of this round, after all earlier messages."""
        self._out.append(message)
        if not self.soon:
            self.soon = True
            self.receiver.outbox.send(self)

    def tell(self, message: bytes) -> None:
        """Send a message that the client does not wait for: with the next one it waits for, or a little later."""
        out = self._out
        out.append(message)
        if not self.later:
            self.later = True
            self.receiver.outbox.send_later(self)
        elif len(out) >= MOST_UNTOLD:
            self.flush()

    def flush(self) -> None:
        """Send all waiting messages in one write."""
        self.soon = False
        if self._out:
            if not self.closing:
                self._send(self._out)
            self._out.clear()

    def _send(self, messages: list[bytes]) -> None:
        raise NotImplementedError

    def end(self, *messages: bytes) -> None:
        """Send the last messages and close. A client that knows the match is over gets no more messages."""
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
        """Called from time to time to check the connection. Over TCP the operating system does that."""

    def pause_writing(self) -> None:
        """Too many bytes wait because the client does not read: drop it."""
        self.closing = True
        self.loop.call_soon(self.transport.abort)  # not during a write

    # --- receiving ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has connected."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's transports have another class
        self.transport.set_write_buffer_limits(high=self.limits.unread)
        known: socket.socket | None = transport.get_extra_info("socket")
        if known is not None:
            known.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.address = address_of(transport)
        self.receiver.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, on either side."""
        self.closing = True
        self._held.clear()
        if self._resting is not None:
            self._resting.cancel()
        self.receiver.vanished(self)

    def take(self, frames: Sequence[bytes]) -> None:
        """Handle frames: a few at once, then others are served."""
        for frame in frames[:BURST]:
            self.take_one(frame)
        if len(frames) > BURST:
            self._held.extend(frames[BURST:])
            self._rest_until(self.loop.time())

    def take_one(self, frame: bytes) -> None:
        """Handle a frame. The rate limit is checked only once per allowance."""
        self._many += 1
        if self._many > self._allowed:
            self._take_allowance()
        if self.closing:
            return
        if self._resting is not None:
            self._held.append(frame)
            return
        try:
            said = USUAL.decode(frame)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            self._take_unusual(frame)
        else:
            self.receiver.received(self, said.event, said.data)

    def hold(self, on: bool) -> None:
        """Stop reading from the client, or continue."""
        self._on_hold = on
        if not self.closing and self._resting is None:
            self.transport.pause_reading() if on else self.transport.resume_reading()

    def _take_unusual(self, frame: bytes) -> None:
        """Handle a frame that is not one of the usual messages."""
        try:
            said = decoded(frame)
            if said is not None:
                self.receiver.received(self, said.event, said.data)
        except Fatal as error:
            self.end(fatal(str(error)))

    def _take_allowance(self) -> None:
        now, self._allowed = self.loop.time(), min(ALLOWANCE, self.limits.rate or ALLOWANCE)
        wait = max(budget.spend(self._allowed, now) for budget in self.budgets)
        self._many = 0 if wait else 1
        if wait:
            self._rest_until(now + wait)

    def _rest_until(self, when: float) -> None:
        if self._resting is None:
            self.transport.pause_reading()
            self._resting = self.loop.call_at(when, self._resume)

    def _resume(self) -> None:
        """Handle the frames that were held back."""
        self._resting = None
        held, self._held = self._held, []
        self.take(held)
        if self._resting is None and not self.closing and not self._on_hold:
            self.transport.resume_reading()


class TcpClient(Client):
    """A client over TCP."""

    def __init__(self, receiver: Receiver, limits: Limits) -> None:
        super().__init__(receiver, limits)
        self._rest = b""

    def _send(self, messages: list[bytes]) -> None:
        self.transport.write(EOT.join((*messages, b"")))

    def data_received(self, data: bytes) -> None:
        """Handle bytes: messages or parts of messages."""
        if not self._rest and data.find(EOT) == len(data) - 1 <= self.limits.message:
            return self.take_one(data[:-1])  # nearly always exactly one message
        if EOT not in data and len(self._rest) + len(data) <= self.limits.message:
            self._rest += data
            return
        if self._rest:
            data = self._rest + data
        *frames, self._rest = data.split(EOT)
        if len(data) > self.limits.message and max(map(len, (*frames, self._rest))) > self.limits.message:
            self._rest = b""
            self.end(fatal(f"Message too long. The limit is {self.limits.message} bytes."))
        self.take(frames)


class WebClient(Client):
    """A client over a WebSocket."""

    def __init__(self, receiver: Receiver, limits: Limits, origins: Origins) -> None:
        super().__init__(receiver, limits)
        self._socket = ServerProtocol(max_size=limits.message)
        self._origins = origins
        self._parts: list[bytes] = []
        self._asked_at = self._silent_since = self.loop.time()
        self._heard = True  # anything since the last check

    def look_after(self, now: float) -> None:
        """Ping the client, and drop it if it stays silent. A client that is not being read counts as alive."""
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
        """Handle bytes: the handshake or frames."""
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
        """Answer the handshake. Only pages send an origin; programs may use any host name for this server."""
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
        """The client has closed its side."""
        if self._socket.state is not State.CLOSED:
            self._socket.receive_eof()
