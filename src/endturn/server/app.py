"""The server application: its configuration, its parts, and how it starts and stops."""

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
SWITCH_SECONDS = 0.0002  # that a thread may compute while another one waits
SEND_BUFFER = 1 << 18
T = TypeVar("T")
SEARCH_SECONDS, SEARCH_ALL = 0.1, 6000  # between garbage collections; every so often a full one


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """The configuration of a server."""

    db: str = "sqlite:///endturn.db"
    host: str = "127.0.0.1"
    port: int = 8000  # 0: any free port
    cadre: CadreConfig | None = CadreConfig()  # host, origins and page ports are filled in; None: no Cadre
    backend: str = "plain"
    web: Options = Options()
    log_json: bool = False
    new_admin_key: bool = False  # replaces the old admin key


class CannotListen(RuntimeError):
    """The server cannot listen at the configured address and port."""


def is_loopback(host: str) -> bool:
    """Whether only the local computer can reach a server at this host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Web(uvicorn.Server):
    """A uvicorn server that leaves signals to the application."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do not install signal handlers."""
        yield


# --- running ------------------------------------------------------------------------------------------------


class Started(NamedTuple):
    """What a started server prints: its URL, a new admin key, and the ports of the Cadre transport."""

    url: str
    admin: str | None
    cadre: dict[str, int]


async def serve(config: Config, ready: Callable[[Started], None] = lambda started: None) -> str | None:
    """Run a server until a signal stops it. Calls `ready` when clients can connect.

    Returns why the last write to the archive failed, if it did.
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
        # Last, because nobody would see the key if the start failed after this.
        admin = await first_admin(lobby, config.new_admin_key)
        ready(Started(address_of(listening), admin, cadre.ports if cadre else {}))
        lobby.serve()  # after `ready`, because printing takes a moment too
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
    # asyncio sets TCP_NODELAY only on sockets that name the protocol; uvloop always does.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Accepted sockets inherit it: the system buffers no more than this for a client that does not read.
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
    """Run a server: on uvloop if it is installed, which takes a fifth less CPU time per action."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(made)


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's event loop, if uvloop is installed."""
    quick = importlib.util.find_spec("uvloop") and importlib.import_module("uvloop")
    return quick.new_event_loop if quick else None


def share_the_interpreter() -> None:
    """Let the loop interrupt computing threads soon: with Python's default it may wait 5 ms after each write."""
    sys.setswitchinterval(SWITCH_SECONDS)


async def search_for_garbage() -> None:
    """Collect garbage among new objects ten times a second and freeze the rest; among all objects every ten minutes.

    With thousands of matches in memory, Python's own collections would block the loop for some hundred milliseconds
    and find almost nothing, because matches create no reference cycles. Collecting only once a second blocked the loop
    for 20 ms at 2,000 actions per second, because each action leaves a view of a hundred lists.
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
    """Shut down cleanly at the first signal, at once at the second."""

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


class _TolerantFile:
    """A log file that ignores write errors, such as a full disk."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, text: str) -> int:
        """Write, if possible."""
        with contextlib.suppress(OSError):
            self.file.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if possible."""
        with contextlib.suppress(OSError):
            self.file.flush()


def keep_log(as_json: bool) -> None:
    """Log to standard error, one entry per line: for people, or as JSON for programs."""
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    last: Any = structlog.processors.JSONRenderer() if as_json else plain
    known: list[Any] = [structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso")]
    shown: list[Any] = [structlog.processors.format_exc_info, last]
    structlog.configure(
        processors=[*known, *shown],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _TolerantFile(sys.stderr))),
    )
    _keep_log_of_libraries(known, shown)


def _keep_log_of_libraries(known: list[Any], shown: list[Any]) -> None:
    """Format the logs of libraries, such as uvicorn, like our own, with the library's name."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *shown],
            foreign_pre_chain=[*known, structlog.stdlib.add_logger_name],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
