"""The journal: writes go to the archive in groups, and whoever asked hears of it when they are on disk."""

import asyncio
import math
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from time import monotonic

import structlog

from endturn.archive.store import ArchiveDown, Store, Write

LOG = structlog.get_logger("endturn.journal")
GROUP = 500  # requests in one transaction, at most
LATELY = 0.1  # seconds
PACE = (
    2e-5  # seconds from one commit to the next for each request lately: the more ask, the more share a commit
)
SLOWEST = 0.012  # seconds from one commit to the next, however many ask

Told = Callable[[Exception | None], None]  # hears why a write failed, or None when it is on disk


class _Job:
    """Writes that belong together, and who waits for them."""

    __slots__ = ("told", "who", "writes")

    def __init__(self, writes: Sequence[Write], told: Told, who: str | None) -> None:
        self.writes, self.told, self.who = writes, told, who


_Answer = tuple[_Job, Exception | None]


class Journal:
    """One thread that writes, a group at a time.

    A commit costs the CPU time of some ten actions, so the next one waits until all who shared the last have asked
    again, and no longer than a moment. Who plays alone, one action after the other, waits for nobody.
    """

    def __init__(self, store: Store, told: Callable[[bool, float], None] = lambda up, ago: None) -> None:
        """`told` hears after every group whether the archive is up, and how many seconds ago that was asked."""
        self.store = store
        self.commits = self.written = 0
        self.trouble: str | None = None  # why the last write could not be kept
        self._told = told
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._next: list[_Job] = []  # what is to be written next
        self._writing = self._ready = (
            False  # whether the thread has a group; whether the next goes in this round
        )
        self._absent: set[str | None] = set()  # who shared the last commit and has not asked again
        self._patience: asyncio.TimerHandle | None = None  # until nobody waits for these any more
        self._began = self._lately = 0.0  # when the last group was handed over, and requests lately
        self._groups: SimpleQueue[list[_Job] | None] = SimpleQueue()
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

    def post(self, writes: Sequence[Write], told: Told, who: str | None = None) -> None:
        """`write` for a caller that does not wait: `told` is called, later and on the loop.

        `who` asks for one thing at a time, and perhaps again as soon as it has been told.
        """
        if self._closed:
            self._loop.call_soon(told, ArchiveDown("The server is stopping."))
            return
        self._next.append(_Job(writes, told, who))
        self._absent.discard(who)
        self._go_on()

    async def close(self) -> None:
        """Write what is left, and stop."""
        self._closed = True
        self._stop_waiting()
        while self._next:
            self._hand_over()
        self._groups.put(None)
        await asyncio.to_thread(self._thread.join)

    # --- on the loop: what goes into a group ---

    def _go_on(self) -> None:
        """Nothing is being written and nobody waited for: all that come in this round are handed over at its end."""
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
        if down is not None:  # those who wait would find the same, one group after the other
            waiting, self._next = self._next, []
            answers = [*answers, *((job, ArchiveDown(str(down))) for job in waiting)]
        for job, error in answers:
            try:
                job.told(error)
            except Exception:  # one that cannot bear the answer keeps it from nobody else
                LOG.exception("an answer of the journal was not taken")
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
                return  # the loop has been closed: nobody waits any more

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


def _pace(lately: float) -> float:
    """Seconds from one commit to the next, when so many have asked lately.

    A commit costs the CPU time of some ten actions. Where many ask it is worth waiting until more of them share it, and
    where few do nobody should wait for nothing: at 500 requests a second it is a millisecond, from 6,000 on twelve.
    """
    return min(SLOWEST, PACE * lately)
