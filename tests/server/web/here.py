"""A server in this process, with real sockets, so that a test can control its archive and limits."""

import asyncio
from contextlib import asynccontextmanager

import httpx2

from arena import sqlite
from endturn.archive.store import Store
from endturn.server import app
from endturn.server.lobby import Lobby
from endturn.server.metrics import Metrics
from endturn.server.transports.web import Options, Site, application
from endturn.server.transports.web.accounts import first_admin
from web_arena import Arena


class Here:
    """The server and its parts."""

    socket_url, join = Arena.socket_url, Arena.join

    def __init__(self, site, url, admin):
        self.site, self.lobby, self.url, self.admin = site, site.lobby, url, admin
        self.web = httpx2.AsyncClient(base_url=url, timeout=30)

    async def create(self, game="treasure", **more):
        """Create a match. By default the requester gets both seats."""
        wish = {"game": game, "seats": [{"kind": "me"}] * 2, **more}
        answer = await self.web.post("/api/matches", json=wish)
        assert answer.status_code == 201, answer.text
        return answer.json()


@asynccontextmanager
async def here(folder, **options):
    """A server with these options of the web transport; the `treasure` fixture has to be used, too."""
    lobby = Lobby(Store(sqlite(folder)))
    await lobby.start()
    site = Site(lobby, Options(**options), Metrics())
    listening = app._listen("127.0.0.1", 0)
    web = app.Web(app._uvicorn(application(site)))
    running = asyncio.create_task(web.serve(sockets=[listening]))
    while not web.started:
        await asyncio.sleep(0.001)
    made = Here(site, app.address_of(listening).rstrip("/"), await first_admin(lobby))
    try:
        yield made
    finally:
        await made.web.aclose()
        web.should_exit = True
        await running
        site.close()
        await lobby.close()
        lobby.store.close()
