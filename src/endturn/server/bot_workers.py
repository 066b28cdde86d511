"""Worker processes in which bots think, so that a slow bot delays only its own match.

A worker keeps a copy of each match it plays in and receives only what has happened since its last answer. A bot that
exceeds its time is stopped together with its worker, and the worker is restarted. Bots that were slow once
think in separate workers, so that quick bots do not wait for them.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from endturn.bots import bots_of
from endturn.bots.player import Seen
from endturn.engine.match import Match, derived_seed
from endturn.games import find

WORKERS = max(1, min(4, (os.cpu_count() or 2) - 1))
SLOW_WORKERS = 4
QUICK = 0.5  # seconds for one action; a bot that takes longer is a slow one
KEPT_MATCHES = 500  # in a worker; it gets the whole log of a match that it has forgotten
FIRST_START = 20.0  # seconds that a worker may take to start


class BotFailed(RuntimeError):
    """A bot returned no action. The message says why."""


class BotTooSlow(BotFailed):
    """A bot exceeded its time."""


class MatchSetup(NamedTuple):
    """What a worker needs to set up its copy of a match."""

    match: str
    game: str
    settings: dict[str, Any]
    seed: int
    start: str | None
    bots: tuple[str | None, ...]  # by seat


class BotWorkers:
    """The worker processes of a server."""

    def __init__(self, workers: int = WORKERS, slow_workers: int = SLOW_WORKERS) -> None:
        self._quick = [_Worker() for _ in range(workers)]
        self._slow = [_Worker() for _ in range(slow_workers)]
        self._known_slow: set[tuple[str, str | None]] = set()  # game and bot

    async def act(self, setup: MatchSetup, log: list[Any], seat: int, seconds: float) -> dict[str, Any]:
        """Ask a bot for its action. `log` lists everything played so far: [seat, action], or [seat, None] for undo."""
        bot = setup.game, setup.bots[seat]
        if bot not in self._known_slow:
            try:
                return await _ask(_worker_of(setup.match, self._quick), setup, log, seat, min(seconds, QUICK))
            except BotTooSlow:
                self._known_slow.add(bot)
                if seconds <= QUICK:
                    raise
                seconds -= QUICK
        return await _ask(_worker_of(setup.match, self._slow), setup, log, seat, seconds)

    def forget(self, match: str) -> None:
        """Drop the workers' copies of a match."""
        for worker in (_worker_of(match, self._quick), _worker_of(match, self._slow)):
            worker.thread.submit(worker.forget, match)

    def close(self) -> None:
        """Stop all workers."""
        for worker in [*self._quick, *self._slow]:
            worker.thread.shutdown(wait=False, cancel_futures=True)
            worker.close()


def _worker_of(match: str, workers: "list[_Worker]") -> "_Worker":
    """Always the same worker for a match: bots remember their plans, and another worker's bot has an old plan."""
    return workers[crc32(match.encode()) % len(workers)]


async def _ask(
    worker: "_Worker", setup: MatchSetup, log: list[Any], seat: int, seconds: float
) -> dict[str, Any]:
    return await asyncio.get_running_loop().run_in_executor(
        worker.thread, worker.act, setup, log, seat, seconds
    )


class _Worker:
    """One process. One thread at a time talks with it."""

    def __init__(self) -> None:
        self.process: Any = None
        self.pipe: Connection | None = None
        self.told: dict[str, int] = {}  # by match: how many entries of its log the worker has
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="bots")  # starts with its first request
        self._closed = False
        self._starting = threading.Lock()

    def act(self, setup: MatchSetup, log: list[Any], seat: int, seconds: float) -> dict[str, Any]:
        """Ask for an action, and wait at most `seconds`."""
        self._start_if_needed()
        known, many = self.told.get(setup.match, 0), len(log)
        verdict, said = self._exchange((setup, known, log[known:many], seat), seconds)
        if verdict == "failed":
            self.told.pop(setup.match, None)
            raise BotFailed(said)
        self.told[setup.match] = many
        if len(self.told) > KEPT_MATCHES:
            self.forget(next(iter(self.told)))
        return dict(said)

    def forget(self, match: str) -> None:
        """Drop the worker's copy of a match."""
        if self.told.pop(match, None) is not None and self.process is not None:
            self._exchange(("forget", match), FIRST_START)

    def close(self) -> None:
        """Stop the process for good. Called from another thread than everything else here."""
        with self._starting:
            self._closed = True
            if self.process is not None:
                self.process.kill()

    def _exchange(self, request: Any, seconds: float) -> Any:
        """Send a request, if any, and wait for the answer."""
        assert self.pipe is not None
        try:
            if request is not None:
                self.pipe.send(request)
            if not self.pipe.poll(seconds):
                self._stop()
                raise BotTooSlow(f"it took longer than {round(seconds, 2):g} seconds")
            return self.pipe.recv()
        except (OSError, EOFError):
            self._stop()
            raise BotFailed("its process ended") from None

    def _start_if_needed(self) -> None:
        """Restart a process that has ended. The new one has no matches."""
        if self.process is not None and self.process.is_alive():
            return
        self._stop()
        with self._starting:
            if self._closed:
                raise BotFailed("the server is stopping")
            context = multiprocessing.get_context("spawn")
            self.pipe, there = context.Pipe()
            self.process = context.Process(target=serve_bots, args=(there,), daemon=True)
            self.process.start()
        there.close()
        self._exchange(None, FIRST_START)

    def _stop(self) -> None:
        """Kill the process."""
        process, pipe = self.process, self.pipe
        self.process = self.pipe = None
        self.told.clear()
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()


# --- in the worker ------------------------------------------------------------------------------------------


class _BotMatch:
    """A match in a worker, and the bots that play in it."""

    def __init__(self, setup: MatchSetup) -> None:
        game = find(setup.game)
        start = game.parse_position(setup.start) if setup.start is not None else None
        settings = game.configure(values=setup.settings)
        self.match = Match(game, settings, seed=setup.seed, start=start)
        known = bots_of(game)
        # Seeds that reveal nothing about the match's own dice.
        self.seeds = [derived_seed(setup.seed, 1000 + seat) for seat in range(self.match.game.seat_count)]
        self.bots = [known[bot](self.seeds[seat]) if bot else None for seat, bot in enumerate(setup.bots)]

    def catch_up(self, log: list[Any]) -> None:
        for seat, action in log:
            self.match.undo(seat) if action is None else self.match.submit(seat, action)

    def act(self, seat: int) -> dict[str, Any]:
        bot = self.bots[seat]
        assert bot is not None
        made: dict[str, Any] = msgspec.to_builtins(bot.act(Seen(self.match, seat, self.seeds[seat])))
        return made


def serve_bots(pipe: Connection) -> None:
    """Run a worker: answer requests until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles it, and stops its workers itself
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    playing: dict[str, _BotMatch] = {}
    pipe.send(("ready", None))
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            return
        pipe.send(_answer(playing, request))


def _end_with_the_server() -> None:
    """Exit when the server has been killed, whatever a bot here is doing."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _answer(playing: dict[str, _BotMatch], request: Any) -> tuple[str, Any]:
    if request[0] == "forget":
        playing.pop(request[1], None)
        return "forgotten", None
    setup, known, log, seat = request
    try:
        if known == 0:
            playing[setup.match] = _BotMatch(setup)
        playing[setup.match].catch_up(log)
        return "plays", playing[setup.match].act(seat)
    except Exception as error:  # an error in the bot, which only its own match sees
        playing.pop(setup.match, None)
        return "failed", f"it crashed: {error!r:.300}"
