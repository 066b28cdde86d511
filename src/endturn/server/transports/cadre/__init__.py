"""The Cadre transport: clients of the original servers play here unchanged, over TCP, WebSockets and old HTTP paths.

    cadre = await start_cadre(lobby)        # TCP on 3000, HTTP on 3080, WebSockets on 3088, all on loopback
    await cadre.close()

The server is `sessions` (who meets whom), `play` (a match on the wire), `framing` (connections), `settings`,
`gamelog` and `pages`. docs/cadre.md says how it differs from the originals.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterable, Iterator

import uvicorn
from starlette.applications import Starlette

from endturn.server.lobby import Lobby
from endturn.server.transports.cadre.framing import Client, Limits, TcpClient, WebClient, from_here
from endturn.server.transports.cadre.pages import routes
from endturn.server.transports.cadre.play import Links
from endturn.server.transports.cadre.sessions import Sessions

TCP, HTTP, WEB = 3000, 3080, 3088
VISUALIZER = "http://vis.siggame.io/"
PAGES = frozenset({"http://vis.siggame.io", "https://vis.siggame.io"})  # that may open WebSockets

__all__ = ["CadreServer", "Limits", "start_cadre"]


class CadreServer:
    """A running Cadre transport; `ports` are those it really has."""

    def __init__(
        self, sessions: Sessions, servers: list[asyncio.Server], web: "_Web | None", ports: dict[str, int]
    ) -> None:
        self.sessions, self.ports = sessions, ports
        self._servers, self._web = servers, web

    async def close(self) -> None:
        """Stop listening and let everyone go."""
        for server in self._servers:
            server.close()
        await self.sessions.close()
        if self._web is not None:
            await self._web.stop()


class _Web(uvicorn.Server):
    """Uvicorn in a loop of ours: signals are not its business."""

    task: asyncio.Task[None]

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def stop(self) -> None:
        self.should_exit = True
        await self.task


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
    origins: Iterable[str] = PAGES,
    limits: Limits | None = None,
) -> CadreServer:
    """Listen for clients of the Cadre protocol; a port 0 is any that is free, None none at all."""
    loop, chosen = asyncio.get_running_loop(), limits or Limits()
    listening = socket.create_server((host, http_port)) if http_port is not None else None
    shown_port = listening.getsockname()[1] if listening else http_port or HTTP
    sessions = Sessions(lobby, chosen, Links(shown_port, visualizer), password, arena)
    await sessions.start()
    servers, ports = [], {"http": shown_port}
    allowed = from_here(frozenset(origins))
    kinds: list[tuple[str, int | None, Callable[[], Client]]] = [
        ("tcp", port, lambda: TcpClient(sessions, chosen)),
        ("web", web_port, lambda: WebClient(sessions, chosen, allowed)),
    ]
    for name, wanted, make in kinds:
        if wanted is not None:
            servers.append(await loop.create_server(make, host, wanted, backlog=1024))
            ports[name] = servers[-1].sockets[0].getsockname()[1]
    web = await _serve_pages(sessions, listening) if listening else None
    return CadreServer(sessions, servers, web, ports)


async def _serve_pages(sessions: Sessions, listening: socket.socket) -> _Web:
    app = Starlette(routes=routes(sessions))
    web = _Web(uvicorn.Config(app, log_level="warning", lifespan="off", ws="none", access_log=False))
    web.task = asyncio.create_task(web.serve(sockets=[listening]), name="cadre pages")
    while not web.started and not web.task.done():
        await asyncio.sleep(0.01)
    return web
