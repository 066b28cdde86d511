"""The server application: what can be configured, what is wired to what, and how it starts and stops."""

import asyncio
import contextlib
import gc
import importlib.util
import ipaddress
import itertools
import logging
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, NamedTuple, TextIO, TypeVar, cast

import msgspec
import structlog
import uvicorn

from endturn.archive.store import Store
from endturn.protocol import LARGEST_MESSAGE
from endturn.server.lobby import Lobby
from endturn.server.metrics import Metrics
from endturn.server.transports.cadre import CadreConfig, CadreServer, start_cadre
from endturn.server.transports.web import Options, Site, application
from endturn.server.transports.web.accounts import first_admin
from endturn.server.transports.web.sockets import Http, Sockets

LOG = structlog.get_logger("endturn.app")
PONG_SECONDS = 20.0
GRACE_SECONDS = 3
SWITCH_SECONDS = 0.0002  # for which a thread computes while another waits
SEND_BUFFER = 1 << 18
T = TypeVar("T")
SEARCH_SECONDS, SEARCH_ALL = 0.1, 6000  # between searches for garbage; one in so many looks at everything


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is to run."""

    db: str = "sqlite:///endturn.db"
    host: str = "127.0.0.1"
    port: int = 8000  # 0: any that is free
    cadre: CadreConfig | None = CadreConfig()  # host, origins and page ports are filled in; None: no Cadre
    backend: str = "plain"
    web: Options = Options()
    log_json: bool = False
    new_admin_key: bool = False  # the admin's key so far opens nothing any more


class CannotListen(RuntimeError):
    """The address or port to listen at is taken, or is not this machine's."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Web(uvicorn.Server):
    """uvicorn, which here leaves signals to the application."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


# --- running ------------------------------------------------------------------------------------------------


class Ready(NamedTuple):
    """Where a server can be reached, the key of an admin who is new, and the ports of the Cadre transport."""

    url: str
    admin: str | None
    cadre: dict[str, int]


async def serve(config: Config, ready: Callable[[Ready], None] = lambda where: None) -> str | None:
    """Run a server until it is told to stop; `ready` hears where it can be reached.

    Gives why the archive took nothing at the end, where it did not.
    """
    listening = _listen(config.host, config.port)
    store = await asyncio.to_thread(Store, config.db)
    lobby, metrics = Lobby(store, config.backend), Metrics()
    await lobby.start(serving=False)
    site = Site(lobby, msgspec.structs.replace(config.web, host=config.host), metrics)
    web = Web(_uvicorn(application(site)))
    stop_on_signals(web)
    share_the_interpreter()
    searching = asyncio.create_task(search_for_garbage(), name="garbage")
    running = asyncio.create_task(web.serve(sockets=[listening]))
    cadre = None
    try:
        cadre = await _start_cadre(config, lobby, listening.getsockname()[1])
        while not web.started and not running.done():
            await asyncio.sleep(0.01)
        # Not before all is well: a key that was made and never shown would be lost.
        admin = await first_admin(lobby, config.new_admin_key)
        ready(Ready(address_of(listening), admin, cadre.ports if cadre else {}))
        lobby.serve()  # to say where it is takes a moment, too
        await running
    finally:
        LOG.info("stopping")
        searching.cancel()
        web.should_exit = True
        await running
        if cadre is not None:
            await cadre.close()
        site.close()
        await lobby.close()
        store.close()
    return lobby.journal.trouble


async def _start_cadre(config: Config, lobby: Lobby, web_port: int) -> CadreServer | None:
    """Start the transport for the original clients unless it is off."""
    if config.cadre is None:
        return None
    more = {"host": config.host, "origins": config.web.origins, "page_ports": (web_port,)}
    chosen = msgspec.structs.replace(config.cadre, **more)
    try:
        return await start_cadre(lobby, chosen)
    except OSError as error:
        ports = f"{chosen.port}, {chosen.http_port} and {chosen.web_port}"
        reason = f"Cannot listen at {config.host} for Cadre clients, ports {ports}"
        raise CannotListen(f"{reason}: {error.strerror or error}.") from None


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once, without waiting for more, only where the protocol is named; uvloop always does.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Those that are accepted have it, too: the system holds no more than this for a client that does not read.
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise CannotListen(f"Cannot listen at {host}, port {port}: {error.strerror}.") from None
    return made


def address_of(listening: socket.socket) -> str:
    """The address to type into a browser."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def run(made: Coroutine[Any, Any, T]) -> T:
    """Run a server: on uvloop where it is installed, which takes a fifth less CPU time an action."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(made)


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, where it is installed."""
    quick = importlib.util.find_spec("uvloop") and importlib.import_module("uvloop")
    return quick.new_event_loop if quick else None


def share_the_interpreter() -> None:
    """A thread that computes lets the loop go on soon: after Python's 5 ms it would have to wait at each write."""
    sys.setswitchinterval(SWITCH_SECONDS)


async def search_for_garbage() -> None:
    """Search among what is new ten times a second, and set aside what is left; among everything every ten minutes.

    With thousands of matches in memory Python's own searches would hold everyone up for some hundred milliseconds, and
    find next to nothing: what a match makes is in no cycles, and is freed without them. Searching once a second held
    2,000 actions a second up for 20 ms, as each leaves a view of a hundred lists behind.
    """
    gc.disable()
    for count in itertools.count():
        all_of_it = count % SEARCH_ALL == 0
        if all_of_it:
            gc.unfreeze()
        gc.collect(2 if all_of_it else 0)
        gc.freeze()
        await asyncio.sleep(SEARCH_SECONDS)


def stop_on_signals(web: Web) -> None:
    """Stop well at the first signal, at once at the second."""

    def stop() -> None:
        web.force_exit = web.should_exit
        web.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)


def _uvicorn(app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Http,
        ws=Sockets,
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=PONG_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


class _Bearing:
    """A file for the log: where it cannot be written, as on a full disk, whoever logs goes on all the same."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, text: str) -> int:
        """Write, if that can be."""
        with contextlib.suppress(OSError):
            self.file.write(text)
        return len(text)

    def flush(self) -> None:
        """Write what waits, if that can be."""
        with contextlib.suppress(OSError):
            self.file.flush()


def keep_log(as_json: bool) -> None:
    """Logs go to standard error, a line each: for people, or as JSON for programs."""
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    last: Any = structlog.processors.JSONRenderer() if as_json else plain
    known: list[Any] = [structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso")]
    shown: list[Any] = [structlog.processors.format_exc_info, last]
    structlog.configure(
        processors=[*known, *shown],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Bearing(sys.stderr))),
    )
    _keep_log_of_libraries(known, shown)


def _keep_log_of_libraries(known: list[Any], shown: list[Any]) -> None:
    """What the libraries log, uvicorn among them, looks like what we do, with the library's name."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *shown],
            foreign_pre_chain=[*known, structlog.stdlib.add_logger_name],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
