"""The Cadre transport: clients of the original servers play here unchanged, over TCP, WebSockets and HTTP.

    cadre = await start_cadre(lobby)        # TCP on 3000, HTTP on 3080, WebSockets on 3088, all on loopback
    await cadre.close()

`sessions` brings clients together, `session_match` plays a match with them, and `connections` carries the messages.
`pages` answers HTTP, through `page_server`. `saved_session` and `interrupted_sessions` write the gamelogs of sessions
that a restart interrupted. docs/cadre.md lists the differences from the originals.
"""

import asyncio
import socket
from collections.abc import Callable

import msgspec
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
# Pages that may open WebSockets, in addition to this server's own.
PAGES = "http://vis.siggame.io", "https://vis.siggame.io"

__all__ = ["NO_LIMITS", "CadreConfig", "CadreServer", "Limits", "start_cadre"]


class CadreConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Where the transport listens and what it accepts. Port 0 is any free port."""

    host: str = "127.0.0.1"
    port: int = TCP
    http_port: int | None = HTTP  # None: no pages
    web_port: int | None = WEB  # None: no WebSockets
    password: str | None = None  # every client must send it
    arena: bool = False  # sessions are set up before their players join; clients choose no settings
    visualizer: str = VISUALIZER
    origins: tuple[str, ...] = ()  # more pages that may open WebSockets
    page_ports: tuple[int, ...] = ()  # pages of this host on these ports may open WebSockets, too
    limits: Limits = Limits()


class CadreServer:
    """A running Cadre transport. `ports` are the ports it listens on."""

    def __init__(
        self, sessions: Sessions, servers: list[asyncio.Server], pages: "_Pages | None", ports: dict[str, int]
    ) -> None:
        self.sessions, self.ports = sessions, ports
        self._servers, self._pages = servers, pages

    async def close(self) -> None:
        """Stop listening and disconnect all clients."""
        for server in self._servers:
            server.close()
        await self.sessions.close()
        if self._pages is not None:
            http, task = self._pages
            http.should_exit = True
            await task


_Pages = tuple[PageServer, asyncio.Task[None]]


async def start_cadre(lobby: Lobby, config: CadreConfig | None = None) -> CadreServer:
    """Listen for clients of the Cadre protocol."""
    config = config or CadreConfig()
    loop, limits = asyncio.get_running_loop(), config.limits
    listening = None if config.http_port is None else socket.create_server((config.host, config.http_port))
    shown_port = listening.getsockname()[1] if listening else HTTP
    links = Links(shown_port, config.visualizer)
    sessions = Sessions(lobby, limits, links, config.password, config.arena)
    await sessions.start()
    servers, ports = [], {"http": shown_port}
    page_ports = [*config.page_ports, *([shown_port] if listening else [])]
    pages_from = Origins((*PAGES, *config.origins), config.host, page_ports)
    kinds: list[tuple[str, int | None, Callable[[], Client]]] = [
        ("tcp", config.port, lambda: TcpClient(sessions, limits)),
        ("web", config.web_port, lambda: WebClient(sessions, limits, pages_from)),
    ]
    for name, wanted, make in kinds:
        if wanted is not None:
            servers.append(await loop.create_server(make, config.host, wanted, backlog=1024))
            ports[name] = servers[-1].sockets[0].getsockname()[1]
    pages = await _serve_pages(sessions, listening, limits) if listening else None
    return CadreServer(sessions, servers, pages, ports)


async def _serve_pages(sessions: Sessions, listening: socket.socket, limits: Limits) -> _Pages:
    server = make_page_server(Starlette(routes=routes(sessions)), limits)
    task = asyncio.create_task(server.serve(sockets=[listening]), name="cadre pages")
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    return server, task
