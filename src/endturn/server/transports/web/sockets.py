"""Changes to uvicorn's HTTP and WebSocket connections: a timeout for requests, and a fast path for short messages."""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from endturn.protocol import LARGEST_MESSAGE
from endturn.server.transports.web.frames import ends_whole, text_frame, whole_text

HEADER_SECONDS = 10.0  # that a client may take to send its first request line and headers
READ_AHEAD = 8  # unanswered messages after which the server stops reading


class Http(H11Protocol):
    """An HTTP connection that closes if no request arrives in time."""

    def connection_made(self, transport: Any) -> None:
        """Start the timeout for the first request."""
        super().connection_made(transport)
        self.loop.call_later(HEADER_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.abort()


class Sockets(WebSocketsSansIOProtocol):
    """A WebSocket that the application can write to, receive from and abort without waiting."""

    hears: Callable[[bytes], bool] | None = None  # gets each message, and returns whether it handled it
    _known = False  # whether the next bytes start with a frame
    _pieces = 0  # chunks of data before the socket was accepted; the first one is the request

    async def run_asgi(self) -> None:
        """Run the application for this socket."""
        offered: Any = self.scope["extensions"]
        offered["endturn.line"] = self
        try:
            await super().run_asgi()
        finally:
            offered.clear()  # break the reference cycle: a full garbage collection runs only every ten minutes
            self.hears = None

    # --- receiving ---

    def data_received(self, data: bytes) -> None:
        """Decode a single short message here. Leave everything else to the library."""
        if self._known and not (self.frames or self.close_sent):
            text = whole_text(data, LARGEST_MESSAGE)
            if text is not None:
                self.frames, self.curr_msg_data_type = [text], "text"
                self.send_receive_event_to_app()
                return
        # After a partial frame, only the library knows where the next frame starts.
        self._known = self._known and ends_whole(data)
        self._pieces += not self.handshake_complete
        super().data_received(data)

    async def send(self, message: Any) -> None:
        """Send a message of the application. After it accepts the socket, the client sends frames."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._known = self.handshake_complete and self._pieces == 1
        elif message["type"] == "websocket.http.response.body":
            # The refusal is the response. Without this, uvicorn would log that the application sent none.
            self.handshake_complete = self.close_sent

    def send_receive_event_to_app(self) -> None:
        """Pass a message on. Unlike uvicorn, this does not pause and resume reading for each message, which is slow."""
        text = self.frames[0] if self.curr_msg_data_type == "text" and len(self.frames) == 1 else b""
        if self.hears is not None and not self.close_sent and self.hears(text):
            self.frames = []
            return
        few = not self.read_paused and self.queue.qsize() < READ_AHEAD
        self.read_paused |= few  # uvicorn pauses reading only if this is False
        super().send_receive_event_to_app()
        if few:
            self.read_paused = False

    def shutdown(self) -> None:
        """Close the connection because the server stops. A refused socket already has its response."""
        self.transport.close() if self.initial_response else super().shutdown()

    def connection_lost(self, error: Exception | None) -> None:
        """Release the parser, which is in a reference cycle with the connection."""
        super().connection_lost(error)
        self.conn.parser.close()

    # --- sending ---

    @property
    def takes(self) -> bool:
        """Whether the application can write now."""
        gone = self.disconnected or self.close_sent or self.transport.is_closing()
        return self.writable.is_set() and not gone

    @property
    def unsent(self) -> int:
        """Bytes written that the operating system has not accepted yet."""
        return self.transport.get_write_buffer_size()

    def put(self, messages: list[bytes]) -> None:
        """Write messages, in one call."""
        self.transport.write(b"".join([text_frame(message) for message in messages]))

    def abort(self) -> None:
        """Close the connection without sending what is left."""
        self.transport.abort()

    def keepalive_timeout(self) -> None:
        """Close a connection whose client does not answer pings."""
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)
