"""A server in this process, over real sockets, whose time passes only when a test says so."""

import asyncio
import time
from contextlib import asynccontextmanager
from functools import partial

import httpx2

import endturn.server.lobby
from arena import sqlite
from endturn.archive.store import ENTRIES, INSERTS, Store
from endturn.server import app
from endturn.server.clock import Uptime
from endturn.server.lobby import Lobby
from endturn.server.metrics import Metrics
from endturn.server.transports.web import Site, application, options
from web_arena import Arena

WRITING = 0.0008  # seconds that an entry takes to be written


class Hand:
    """Seconds, as a test sets them."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return self.seconds


class TimedLobby(Lobby):
    """A lobby that goes by a hand, and whose entries take a while to be written."""

    def __init__(self, store, hand):
        super().__init__(store)
        self.hand, self._post = hand, self.journal.post
        self.journal.post = self.post

    def now(self):
        return 1e12 + self.hand.seconds * 1000

    def post(self, writes, told, who=None):
        entries = [write for write in writes if write.statement is INSERTS[ENTRIES.name]]

        def later(error):
            self.hand.seconds += WRITING * len(entries)
            told(error)

        self._post(writes, later, who)

    async def kill(self):
        """As if the process had ended: what it would write at its end is not written."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(room.close() for room in self.rooms.values()))
        self.bots.close()
        self._setter.shutdown(wait=False, cancel_futures=True)
        await self.journal.close()


class TimedArena(Arena):
    """Its clients; the same as with a server in a process of its own."""

    def __init__(self, url, lobby):
        self.url, self.lobby = url.rstrip("/"), lobby
        self.web = httpx2.Client(base_url=self.url, timeout=30)

    async def get(self, path):
        """What an anonymous caller is told."""
        return (await asyncio.to_thread(self.web.get, path)).text


@asynccontextmanager
async def timed_arena(folder, hand, monkeypatch, killed=False):
    """A server that is gone when the block ends: stopped well, or killed."""
    monkeypatch.setattr(endturn.server.lobby, "Uptime", partial(Uptime, steady=hand.now))
    monkeypatch.setattr(endturn.server.lobby, "SWEEP", 3600.0)  # beats, too: they come when a server starts
    store = Store(sqlite(folder))
    lobby = TimedLobby(store, hand)
    await lobby.start()
    site = Site(lobby, options(no_limits=True), Metrics())
    listening = app._listen("127.0.0.1", 0)
    web = app.Web(app._uvicorn(application(site)))
    running = asyncio.create_task(web.serve(sockets=[listening]))
    while not web.started:
        await asyncio.sleep(0.005)
    made = TimedArena(app.address_of(listening), lobby)
    try:
        yield made
    finally:
        made.web.close()
        web.should_exit = True
        await running
        site.close()
        await (lobby.kill() if killed else lobby.close())
        store.close()


async def until(holds):
    """Wait until something holds that comes of itself, by the real time."""
    limit = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < limit, "it never came to be"
        await asyncio.sleep(0.002)
