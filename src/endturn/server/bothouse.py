"""Bots on the server: they think in processes of their own, so that a slow one delays nobody but its match.

A worker keeps a copy of each match it plays in and is told only what has happened since it was last asked. A bot
that thinks longer than it may is stopped together with its worker, which then starts afresh.
"""

import asyncio
import multiprocessing
import os
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
KEPT_MATCHES = 500  # in a worker; one forgotten is told from its beginning when it is needed again
FIRST_START = 20.0  # seconds that a worker may take to start and import a game


class BotFailed(RuntimeError):
    """A bot gave no action: it took too long, or crashed. The sentence says which."""


class Table(NamedTuple):
    """What a copy of a match begins with."""

    match: str
    game: str
    settings: dict[str, Any]
    seed: int
    start: str | None
    bots: tuple[str | None, ...]  # by seat


class BotHouse:
    """The workers, and who asks them."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = [_Worker() for _ in range(workers)]

    async def act(self, table: Table, log: list[Any], seat: int, seconds: float) -> dict[str, Any]:
        """What a bot plays now. `log` is all that was played: [seat, action], or [seat, None] for an undo."""
        worker = self._workers[crc32(table.match.encode()) % len(self._workers)]
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(worker.thread, worker.act, table, log, seat, seconds)

    def forget(self, match: str) -> None:
        """A match is over: its bots are not needed any more."""
        worker = self._workers[crc32(match.encode()) % len(self._workers)]
        worker.thread.submit(worker.forget, match)

    def close(self) -> None:
        """Stop all workers."""
        for worker in self._workers:
            worker.thread.shutdown(wait=False, cancel_futures=True)
            worker.stop()


class _Worker:
    """One process, and the thread that talks with it."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="bots")
        self.process: Any = None
        self.pipe: Connection | None = None
        self.told: dict[str, int] = {}  # by match: how much of its log the worker knows

    def act(self, table: Table, log: list[Any], seat: int, seconds: float) -> dict[str, Any]:
        """Ask, and wait no longer than so many seconds."""
        patience = seconds if self.process is not None else seconds + FIRST_START
        known = self.told.get(table.match, 0) if self.process is not None else 0
        answer = self._exchange((table, known, log[known : (many := len(log))], seat), patience)
        if "failed" in answer:
            self.told.pop(table.match, None)
            raise BotFailed(answer["failed"])
        self.told[table.match] = many
        if len(self.told) > KEPT_MATCHES:
            self._exchange(("forget", first := next(iter(self.told))), FIRST_START)
            del self.told[first]
        return dict(answer)

    def forget(self, match: str) -> None:
        """The worker's copy of a match goes."""
        if self.told.pop(match, None) is not None and self.process is not None:
            self._exchange(("forget", match), FIRST_START)

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self.process is not None:
            self.process.kill()
        self.process = self.pipe = None
        self.told.clear()

    def _exchange(self, request: Any, seconds: float) -> Any:
        pipe = self._running()
        try:
            pipe.send(request)
            if not pipe.poll(seconds):
                self.stop()
                raise BotFailed(f"it took longer than {seconds:.1f} seconds")
            return pipe.recv()
        except (OSError, EOFError):
            self.stop()
            raise BotFailed("its process ended") from None

    def _running(self) -> Connection:
        if self.pipe is None or not self.process.is_alive():
            self.stop()
            context = multiprocessing.get_context("spawn")
            self.pipe, there = context.Pipe()
            self.process = context.Process(target=serve_bots, args=(there,), daemon=True)
            self.process.start()
            there.close()
        return self.pipe


# --- in the worker ------------------------------------------------------------------------------------------


class _Playing:
    """A match in the worker, and the bots that play in it."""

    def __init__(self, table: Table) -> None:
        game = find(table.game)
        start = game.parse_position(table.start) if table.start is not None else None
        settings = game.configure(values=table.settings)
        self.match = Match(game, settings, seed=table.seed, start=start)
        known = bots_of(game)
        # A seed for each seat that says nothing about the match's own dice.
        self.seeds = [derived_seed(table.seed, 1000 + seat) for seat in range(game.seat_count)]
        self.bots = [known[bot](self.seeds[seat]) if bot else None for seat, bot in enumerate(table.bots)]

    def catch_up(self, log: list[Any]) -> None:
        for seat, action in log:
            self.match.undo(seat) if action is None else self.match.submit(seat, action)

    def act(self, seat: int) -> dict[str, Any]:
        bot = self.bots[seat]
        assert bot is not None
        made: dict[str, Any] = msgspec.to_builtins(bot.act(Seen(self.match, seat, self.seeds[seat])))
        return made


def serve_bots(pipe: Connection) -> None:
    """The worker's life: play what is asked, until nobody asks any more."""
    playing: dict[str, _Playing] = {}
    while True:
        try:
            request = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        if request[0] == "forget":
            playing.pop(request[1], None)
            pipe.send({})
            continue
        table, known, log, seat = request
        try:
            if known == 0 or table.match not in playing:
                playing[table.match] = _Playing(table)
            playing[table.match].catch_up(log)
            pipe.send(playing[table.match].act(seat))
        except Exception as error:  # a bot's fault: its match hears of it
            playing.pop(table.match, None)
            pipe.send({"failed": f"it crashed: {error!r:.300}"})
