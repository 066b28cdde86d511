"""What all parts of the web transport share: the lobby, the limits, and the galleries of the matches."""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection

from endturn.server.lobby import Lobby
from endturn.server.metrics import Metrics
from endturn.server.room import Room
from endturn.server.transports.limits import Addresses, Places, Rate
from endturn.server.transports.origins import Origins, require_origins
from endturn.server.transports.web.gallery import Gallery, Outbox
from endturn.server.transports.web.proxies import Proxies

STATIC = Path(__file__).parents[2] / "static"  # the build output of the browser client

T = TypeVar("T")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Options of the web transport. Rates are per address, except `messages`, which is per socket."""

    host: str = "127.0.0.1"
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()  # trusted to send X-Forwarded-For
    requests: Rate = Rate(50, 200)
    creations: Rate = Rate(2, 30)  # matches and accounts
    logins: Rate = Rate(0.2, 5)
    messages: Rate = Rate(40, 120)
    address_messages: Rate = Rate(400, 1200)
    sockets: int = 6000
    address_sockets: int = 200
    static: Path = STATIC


FREE = Rate(0, 0)


def options(
    origins: Iterable[str] = (),
    static: Path | None = None,
    no_limits: bool = False,
    proxies: Iterable[str] = (),
) -> Options:
    """Options with these origins and trusted proxies, and with the default limits per address or none.

    Raises a ValueError that names the first invalid proxy or origin.
    """
    usual = Options(origins=tuple(origins), static=static or STATIC, proxies=tuple(proxies))
    Proxies(usual.proxies)
    require_origins(usual.origins)
    if not no_limits:
        return usual
    rates = dict.fromkeys(("requests", "creations", "logins", "messages", "address_messages"), FREE)
    return msgspec.structs.replace(usual, address_sockets=0, **rates)


class Site:
    """The web transport of one server."""

    def __init__(self, lobby: Lobby, options: Options, metrics: Metrics) -> None:
        self.lobby, self.store, self.options, self.metrics = lobby, lobby.store, options, metrics
        self.origins, self.proxies = Origins(options.origins, options.host), Proxies(options.proxies)
        self.requests = Addresses(options.requests)
        self.creations = Addresses(options.creations)
        self.logins = Addresses(options.logins)
        self.messages = Addresses(options.address_messages)
        self.places = Places(options.sockets, options.address_sockets)
        self.galleries: dict[str, Gallery] = {}
        self.outbox = Outbox()
        self.reels: Any = None  # a `replays.Reels`, from the first request for a replay
        # Slow work, such as listing all legal actions or a replay, runs on this thread, one piece at a time.
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="web")

    def address(self, asked: HTTPConnection) -> str:
        """The client's address, for limits per address."""
        peer = asked.client.host if asked.client else "?"
        return self.proxies.client(peer, asked.headers.getlist("x-forwarded-for"))

    async def beside(self, what: Callable[..., T], *args: Any) -> T:
        """Call a slow function on the thread."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, what, *args)

    def gallery(self, room: Room) -> Gallery:
        """The gallery of a room."""
        if room.id not in self.galleries:
            self.galleries[room.id] = Gallery(room)
        return self.galleries[room.id]

    def let_go(self, gallery: Gallery) -> None:
        """Drop a gallery if it is empty."""
        if not gallery.audiences and self.galleries.get(gallery.room.id) is gallery:
            # So the time until the room is unloaded does not reveal when somebody last acted in it.
            gallery.room.touch()
            gallery.close()
            del self.galleries[gallery.room.id]

    def present(self, match: str) -> set[int]:
        """The seats of a match whose players are connected."""
        return self.galleries[match].present if match in self.galleries else set()

    def close(self) -> None:
        """Stop the thread."""
        self.thread.shutdown(wait=False, cancel_futures=True)
