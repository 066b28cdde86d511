"""The journal: saves writes to the archive in groups, and tells the callers when theirs are on disk."""

import asyncio
import math
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from time import monotonic

import structlog

from endturn.archive.store import ArchiveDown, Store, Write

LOG = structlog.get_logger("endturn.journal")
GROUP = 500  # most requests in one transaction
LATELY = 0.1  # seconds after which a request counts only 1/e as recent
PACE = 2e-5  # seconds between commits for each recent request: with more requests, more share a commit
SLOWEST = 0.012  # most seconds between commits

Told = Callable[[Exception | None], None]  # gets None when a write is on disk, or why it failed


class _Job:
    """Writes that belong together, and the caller that waits for them."""

    __slots__ = ("told", "who", "writes")

    def __init__(self, writes: Sequence[Write], told: Told, who: str | None) -> None:
        self.writes, self.told, self.who = writes, told, who


_Answer = tuple[_Job, Exception | None]


class Journal:
    """One thread that writes one group at a time.

    A commit costs the CPU time of some ten actions. So the next commit waits briefly for the callers that shared the
    last one to write again. A caller that was alone in the last commit does not wait.
    """

    def __init__(self, store: Store, told: Callable[[bool, float], None] = lambda up, ago: None) -> None:
        """`told` gets, after every group, whether the archive is up and how many seconds ago the write began."""
        self.store = store
        self.commits = self.written = 0
        self.trouble: str | None = None  # why the last write failed
        self._told = told
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._next: list[_Job] = []  # the next group
        self._writing = self._ready = (
            False  # whether the thread has a group; whether the next one goes out in this round of the loop
        )
        self._absent: set[str | None] = (
            set()
        )  # callers that shared the last commit and have not written again
        self._patience: asyncio.TimerHandle | None = None  # ends the wait for them
        self._began = self._lately = (
            0.0  # when the thread got the last group, and the number of recent requests
        )
        self._groups: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def write(self, *writes: Write) -> "asyncio.Future[None]":
        """Save writes. The future is done when they are on disk.

        It raises Conflict or ArchiveDown if they are not, or if that is not known (`ArchiveDown.unknown`).
        """
        done = self._loop.create_future()

        def told(error: Exception | None) -> None:
            if not done.done():
                done.set_exception(error) if error else done.set_result(None)

        self.post(writes, told)
        return done

    def post(self, writes: Sequence[Write], told: Told, who: str | None = None) -> None:
        """Like `write`, but calls `told` later on the loop instead of returning a future.

        `who` identifies a caller that has one write at a time and may write again after `told`.
        """
        if self._closed:
            self._loop.call_soon(told, ArchiveDown("The server is stopping."))
            return
        self._next.append(_Job(writes, told, who))
        self._absent.discard(who)
        self._go_on()

    async def close(self) -> None:
        """Save all remaining writes, and stop."""
        self._closed = True
        self._stop_waiting()
        while self._next:
            self._hand_over()
        self._groups.put(None)
        await asyncio.to_thread(self._thread.join)

    # --- on the loop: groups ---

    def _go_on(self) -> None:
        """If nothing delays the next group, hand it over at the end of this round of the loop."""
        if not (self._writing or self._ready or self._absent) and self._next:
            self._ready = True
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        group, self._next = self._next[:GROUP], self._next[GROUP:]
        self._ready, self._writing = False, bool(group)
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if group:
            before, self._began = self._began, monotonic()
            self._lately = self._lately * math.exp((before - self._began) / LATELY) + len(group)
            self._groups.put(group)

    def _answered(self, answers: list[_Answer]) -> None:
        self._writing = False
        if len(answers) > 1 and not self._closed:
            self._wait_for({job.who for job, _ in answers if job.who is not None})
        down = next((error for _, error in answers if isinstance(error, ArchiveDown)), None)
        self._told(down is None, monotonic() - self._began)
        if down is not None:  # the waiting writes would fail too, one group after the other
            waiting, self._next = self._next, []
            answers = [*answers, *((job, ArchiveDown(str(down))) for job in waiting)]
        for job, error in answers:
            try:
                job.told(error)
            except Exception:  # the other callers still get their answers
                LOG.exception("callback failed")
        self._go_on()

    def _wait_for(self, absent: set[str | None]) -> None:
        delay = self._began + _pace(self._lately) - monotonic()
        if absent and delay > 0:
            self._absent = absent
            self._patience = self._loop.call_later(delay, self._stop_waiting)

    def _stop_waiting(self) -> None:
        self._absent.clear()
        self._go_on()

    # --- on the thread ---

    def _work(self) -> None:
        while (group := self._groups.get()) is not None:
            answers = self._write(group)
            try:
                self._loop.call_soon_threadsafe(self._answered, answers)
            except RuntimeError:
                return  # the loop is closed, so no caller waits

    def _write(self, jobs: list[_Job]) -> list[_Answer]:
        try:
            self.store.write([write for job in jobs for write in job.writes])
        except ArchiveDown as error:
            self.trouble = str(error)
            return [(job, error) for job in jobs]
        except Exception as error:
            if len(jobs) == 1:
                return [(jobs[0], error)]
            # One request makes the whole group fail: halve the group until that request is alone.
            half = len(jobs) // 2
            return self._write(jobs[:half]) + self._write(jobs[half:])
        self.trouble = None
        self.commits += 1
        self.written += len(jobs)
        return [(job, None) for job in jobs]


def _pace(lately: float) -> float:
    """Seconds between commits, for a number of recent requests.

    With many requests it is worth waiting until more of them share a commit; with few it is not. At 500 requests per
    second this is one millisecond, from 6,000 on it is twelve.
    """
    return min(SLOWEST, PACE * lately)
