"""The Cadre transport: clients of the original servers play here unchanged, over TCP, WebSockets and old HTTP paths.

    cadre = await start_cadre(lobby)        # TCP on 3000, HTTP on 3080, WebSockets on 3088, all on loopback
    await cadre.close()

The server is `sessions` (who meets whom), `session_match` (a match on the wire), `connections`, `pages` and
`page_server`, and for what a restart interrupts `saved_session` and `interrupted_sessions`. docs/cadre.md says how it
differs from the originals.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable

from starlette.applications import Starlette

from endturn.server.lobby import Lobby
from endturn.server.transports.cadre.connections import NO_LIMITS, Client, Limits, TcpClient, WebClient
from endturn.server.transports.cadre.page_server import PageServer, make_page_server
from endturn.server.transports.cadre.pages import routes
from endturn.server.transports.cadre.session_match import Links
from endturn.server.transports.cadre.sessions import Sessions
from endturn.server.transports.origins import Origins

TCP, HTTP, WEB = 3000, 3080, 3088
VISUALIZER = "http://vis.siggame.io/"
# Pages that may open WebSockets, beside this server's own.
PAGES = "http://vis.siggame.io", "https://vis.siggame.io"

__all__ = ["NO_LIMITS", "CadreServer", "Limits", "start_cadre"]


class CadreServer:
    """A running Cadre transport; `ports` are those it really has."""

    def __init__(
        self, sessions: Sessions, servers: list[asyncio.Server], pages: "_Pages | None", ports: dict[str, int]
    ) -> None:
        self.sessions, self.ports = sessions, ports
        self._servers, self._pages = servers, pages

    async def close(self) -> None:
        """Stop listening and let everyone go."""
        for server in self._servers:
            server.close()
        await self.sessions.close()
        if self._pages is not None:
            http, task = self._pages
            http.should_exit = True
            await task


_Pages = tuple[PageServer, asyncio.Task[None]]


async def start_cadre(
    lobby: Lobby,
    host: str = "127.0.0.1",
    port: int = TCP,
    *,
    http_port: int | None = HTTP,
    web_port: int | None = WEB,
    password: str | None = None,
    arena: bool = False,
    visualizer: str = VISUALIZER,
    origins: Iterable[str] = (),
    page_ports: Iterable[int] = (),
    limits: Limits | None = None,
) -> CadreServer:
    """Listen for clients of the Cadre protocol; a port 0 is any that is free, None none at all.

    Pages of this host may open WebSockets if they come from the gamelogs' port, or from one of `page_ports`.
    """
    loop, chosen = asyncio.get_running_loop(), limits or Limits()
    listening = socket.create_server((host, http_port)) if http_port is not None else None
    shown_port = listening.getsockname()[1] if listening else http_port or HTTP
    sessions = Sessions(lobby, chosen, Links(shown_port, visualizer), password, arena)
    await sessions.start()
    servers, ports = [], {"http": shown_port}
    pages_from = Origins((*PAGES, *origins), host, [*page_ports, *([shown_port] if listening else [])])
    kinds: list[tuple[str, int | None, Callable[[], Client]]] = [
        ("tcp", port, lambda: TcpClient(sessions, chosen)),
        ("web", web_port, lambda: WebClient(sessions, chosen, pages_from)),
    ]
    for name, wanted, make in kinds:
        if wanted is not None:
            servers.append(await loop.create_server(make, host, wanted, backlog=1024))
            ports[name] = servers[-1].sockets[0].getsockname()[1]
    pages = await _serve_pages(sessions, listening, chosen) if listening else None
    return CadreServer(sessions, servers, pages, ports)


async def _serve_pages(sessions: Sessions, listening: socket.socket, limits: Limits) -> _Pages:
    server = make_page_server(Starlette(routes=routes(sessions)), limits)
    task = asyncio.create_task(server.serve(sockets=[listening]), name="cadre pages")
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    return server, task
