"""The HTTP server of the gamelog port. It limits connections and closes slow ones."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from endturn.server.transports.cadre.connections import Limits, address_of
from endturn.server.transports.limits import Places

SILENT = 10.0  # seconds for a request to arrive
LONGEST = 300.0  # seconds until even a busy connection is closed


class PageConnection(H11Protocol):
    """A connection to the gamelog port. It is closed if the next request does not arrive in time."""

    def __init__(self, places: Places, **known: Any) -> None:
        super().__init__(**known)
        self._places = places
        self._address: str | None = None  # its address, while it counts against the limits
        self._seen: Any = None  # the request at the last check

    def connection_made(self, transport: Any) -> None:
        """Accept the connection unless there are too many."""
        super().connection_made(transport)
        address = address_of(transport)
        if not self._places.enter(address):
            transport.abort()
            return
        self._address, self._until = address, self.loop.time() + LONGEST
        self.loop.call_later(SILENT, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place of a connection that has ended."""
        super().connection_lost(exc)
        if self._address is not None:
            self._places.leave(self._address)
            self._address = None

    def _look(self) -> None:
        if self._address is None:
            return
        if (self.cycle is self._seen and not self._answers()) or self.loop.time() >= self._until:
            self.transport.abort()
            return
        self._seen = self.cycle
        self.loop.call_later(SILENT, self._look)

    def _answers(self) -> bool:
        unfinished = self.cycle is not None and not self.cycle.response_complete
        return unfinished or self.transport.get_write_buffer_size() > 0


class PageServer(uvicorn.Server):
    """Uvicorn without its signal handlers: the application handles signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


def make_page_server(app: Starlette, limits: Limits) -> PageServer:
    """Make the server of the gamelog port."""
    http: Any = partial(PageConnection, Places(limits.pages, limits.address_pages))
    return PageServer(
        uvicorn.Config(app, http=http, log_config=None, lifespan="off", ws="none", access_log=False)
    )
