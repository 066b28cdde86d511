"""The server side of HTTP and WebSocket: what uvicorn leaves open, and a short way for short messages."""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from endturn.protocol import LARGEST_MESSAGE
from endturn.server.transports.web.frames import ends_whole, text_frame, whole_text

HEADER_SECONDS = 10.0  # within which a request's first line and headers must have come
READ_AHEAD = 8  # messages that may wait for their answer before no more are read


class Http(H11Protocol):
    """HTTP; a connection whose request does not come is closed."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self.loop.call_later(HEADER_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.abort()


class Sockets(WebSocketsSansIOProtocol):
    """WebSocket; the application can write to it at once, hear of messages at once, and end it."""

    hears: Callable[[bytes], bool] | None = None  # is told of a message, and says whether it has taken it up
    _known = False  # whether the next bytes begin with a frame
    _pieces = 0  # that came before the socket was accepted; the first is the request

    async def run_asgi(self) -> None:
        """Run the application for this socket."""
        offered: Any = self.scope["extensions"]
        offered["endturn.line"] = self
        try:
            await super().run_asgi()
        finally:
            offered.clear()  # else it would hold itself in memory until everything is searched for garbage
            self.hears = None

    # --- what comes ---

    def data_received(self, data: bytes) -> None:
        """One short message is looked into here; whatever else it is, the library knows."""
        if self._known and not (self.frames or self.close_sent):
            text = whole_text(data, LARGEST_MESSAGE)
            if text is not None:
                self.frames, self.curr_msg_data_type = [text], "text"
                self.send_receive_event_to_app()
                return
        # After a message that came in pieces nobody but the library knows where the next one begins.
        self._known = self._known and ends_whole(data)
        self._pieces += not self.handshake_complete
        super().data_received(data)

    async def send(self, message: Any) -> None:
        """What the application says; once it has accepted the socket, frames come."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._known = self.handshake_complete and self._pieces == 1
        elif message["type"] == "websocket.http.response.body":
            # It was refused, and that is an answer; uvicorn would log that there was none.
            self.handshake_complete = self.close_sent

    def send_receive_event_to_app(self) -> None:
        """A message has come; uvicorn would stop and begin to read anew for each of them, which takes its time."""
        text = self.frames[0] if self.curr_msg_data_type == "text" and len(self.frames) == 1 else b""
        if self.hears is not None and not self.close_sent and self.hears(text):
            self.frames = []
            return
        few = not self.read_paused and self.queue.qsize() < READ_AHEAD
        self.read_paused |= few  # it stops only where it believes that it reads
        super().send_receive_event_to_app()
        if few:
            self.read_paused = False

    def shutdown(self) -> None:
        """The server stops; one that was refused has had its answer."""
        self.transport.close() if self.initial_response else super().shutdown()

    def connection_lost(self, error: Exception | None) -> None:
        """Nothing comes any more."""
        super().connection_lost(error)
        self.conn.parser.close()  # it holds the connection, which holds it

    # --- what goes ---

    @property
    def takes(self) -> bool:
        """Whether it can be written to now."""
        gone = self.disconnected or self.close_sent or self.transport.is_closing()
        return self.writable.is_set() and not gone

    @property
    def unsent(self) -> int:
        """Bytes that were written, and that the system has not taken yet."""
        return self.transport.get_write_buffer_size()

    def put(self, messages: list[bytes]) -> None:
        """Write messages, all at once."""
        self.transport.write(b"".join([text_frame(message) for message in messages]))

    def abort(self) -> None:
        """End it, whatever the client has not read."""
        self.transport.abort()

    def keepalive_timeout(self) -> None:
        """A client that does not answer pings has gone."""
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)
