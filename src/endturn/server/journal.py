"""The journal: writes go to the archive in groups, and whoever asked hears of it when they are on disk."""

import asyncio
import math
import threading
import time
from collections.abc import Callable, Sequence
from queue import SimpleQueue

import structlog

from endturn.archive.store import ArchiveDown, Store, Write

LOG = structlog.get_logger("endturn.journal")
GROUP = 500  # requests in one transaction, about
LATELY = 0.1  # seconds
PACE = (
    2e-5  # seconds from one commit to the next for each request lately: the more ask, the more share a commit
)
SLOWEST = 0.012  # seconds from one commit to the next, however many ask

Told = Callable[[Exception | None], None]  # hears why a write failed, or None when it is on disk


class _Job:
    """Writes that belong together, and who waits for them."""

    __slots__ = ("told", "writes")

    def __init__(self, writes: Sequence[Write], told: Told) -> None:
        self.writes, self.told = writes, told


_Answer = tuple[_Job, Exception | None]


class Journal:
    """One thread that writes. All that has gathered while it was writing goes into the next transaction."""

    def __init__(self, store: Store, told: Callable[[bool], None] = lambda up: None) -> None:
        """`told` hears after every group whether the archive is up."""
        self.store = store
        self.commits = self.written = 0
        self.trouble: str | None = None  # why the last write could not be kept
        self._told = told
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._next: list[_Job] = []  # what this round of the loop has to write
        self._jobs: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def write(self, *writes: Write) -> "asyncio.Future[None]":
        """On disk when this is done. ArchiveDown or Conflict: it is not, or nobody knows (`ArchiveDown.unknown`)."""
        done = self._loop.create_future()

        def told(error: Exception | None) -> None:
            if not done.done():
                done.set_exception(error) if error else done.set_result(None)

        self.post(writes, told)
        return done

    def post(self, writes: Sequence[Write], told: Told) -> None:
        """`write` for a caller that does not wait: `told` is called, later and on the loop."""
        if self._closed:
            self._loop.call_soon(told, ArchiveDown("The server is stopping."))
            return
        if not self._next:  # all that come together are handed over together: larger groups, fewer commits
            self._loop.call_soon(self._hand_over)
        self._next.append(_Job(writes, told))

    def _hand_over(self) -> None:
        for first in range(0, len(self._next), GROUP):
            self._jobs.put(self._next[first : first + GROUP])
        self._next = []

    async def close(self) -> None:
        """Write what is left, and stop."""
        self._closed = True
        self._hand_over()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        last, began, lately = False, 0.0, 0.0
        while not last and (first := self._jobs.get()) is not None:
            before, began = began, time.monotonic()
            jobs, last = self._gather(first)
            lately = lately * math.exp((before - began) / LATELY) + len(jobs)
            self._answer(self._write(jobs))
            if len(jobs) > 1 and not last:
                time.sleep(max(0.0, began + _pace(lately) - time.monotonic()))

    def _gather(self, first: list[_Job]) -> tuple[list[_Job], bool]:
        jobs = list(first)
        while len(jobs) < GROUP and not self._jobs.empty():
            more = self._jobs.get()
            if more is None:
                return jobs, True
            jobs += more
        return jobs, False

    def _write(self, jobs: list[_Job]) -> list[_Answer]:
        try:
            self.store.write([write for job in jobs for write in job.writes])
        except ArchiveDown as error:
            self.trouble = str(error)
            return [(job, error) for job in jobs]
        except Exception as error:
            if len(jobs) == 1:
                return [(jobs[0], error)]
            # One of them spoils the group: halves, until it is alone and the others are written.
            half = len(jobs) // 2
            return self._write(jobs[:half]) + self._write(jobs[half:])
        self.trouble = None
        self.commits += 1
        self.written += len(jobs)
        return [(job, None) for job in jobs]

    def _answer(self, answers: list[_Answer]) -> None:
        def tell() -> None:
            self._told(not any(isinstance(error, ArchiveDown) for _, error in answers))
            for job, error in answers:
                try:
                    job.told(error)
                except Exception:  # one that cannot bear the answer keeps it from nobody else
                    LOG.exception("an answer of the journal was not taken")

        try:
            self._loop.call_soon_threadsafe(tell)
        except RuntimeError:
            return  # the loop has been closed: nobody waits any more


def _pace(lately: float) -> float:
    """Seconds from one commit to the next, when so many have asked lately.

    A commit costs the CPU time of some ten actions. Where many ask it is worth waiting until more of them share it, and
    where few do nobody should wait for nothing: at 500 requests a second it is a millisecond, from 6,000 on twelve.
    """
    return min(SLOWEST, PACE * lately)
