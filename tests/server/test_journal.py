"""The journal: groups of writes, and failures that affect only their own job."""

import asyncio
import threading

import pytest

from arena import row, sqlite, until
from endturn.archive.store import MATCHES, ArchiveDown, Conflict, Store, change_match, insert
from endturn.server import journal as journal_module
from endturn.server.journal import Journal


class Held:
    """A store whose writer waits until released, so that writes queue."""

    def __init__(self, store):
        self.go, self.reached, self.store = threading.Event(), threading.Event(), store
        store.at = self.at

    def at(self, step):
        if step == "before":
            self.reached.set()
            assert self.go.wait(20)


async def gathered(store, first, *jobs):
    """The answers to jobs that came while the first was being written."""
    held = Held(store)
    journal = Journal(store)
    before = journal.write(first)
    await asyncio.to_thread(held.reached.wait, 20)
    asked = [journal.write(*job) for job in jobs]
    held.go.set()
    await before
    answers = await asyncio.gather(*asked, return_exceptions=True)
    await journal.close()
    return answers, journal


def play(folder, first, *jobs):
    store = Store(sqlite(folder))
    try:
        answers, journal = asyncio.run(gathered(store, first, *jobs))
        kept = [each["id"] for each in store.listed(["open"], limit=1000)]
        return answers, journal, set(kept)
    finally:
        store.close()


def test_writes_that_queue_become_one_transaction(tmp_path):
    jobs = [[insert(MATCHES, row(f"m{i}"))] for i in range(300)]
    answers, journal, kept = play(tmp_path, insert(MATCHES, row("first")), *jobs)
    assert answers == [None] * 300 and len(kept) == 301
    assert (journal.commits, journal.written) == (2, 301)


def test_group_size_is_limited(tmp_path):
    jobs = [[insert(MATCHES, row(f"m{i}"))] for i in range(1200)]
    answers, journal, _ = play(tmp_path, insert(MATCHES, row("first")), *jobs)
    assert answers == [None] * 1200 and journal.commits == 1 + 3


@pytest.mark.parametrize("place", [0, 4, 8])
def test_conflict_fails_only_its_own_job(tmp_path, place):
    jobs = [[insert(MATCHES, row(f"m{i}"))] for i in range(9)]
    jobs[place] = [insert(MATCHES, row("new")), insert(MATCHES, row("first"))]
    answers, _, kept = play(tmp_path, insert(MATCHES, row("first")), *jobs)
    assert isinstance(answers.pop(place), Conflict) and answers == [None] * 8
    assert kept == {"first", *(f"m{i}" for i in range(9) if i != place)}  # and nothing of the spoilt job


def test_invalid_value_fails_only_its_own_job(tmp_path):
    jobs = [[insert(MATCHES, row(f"m{i}"))] for i in range(5)]
    jobs[2] = [insert(MATCHES, row("huge", created_at=1 << 80))]
    answers, _, kept = play(tmp_path, insert(MATCHES, row("first")), *jobs)
    assert isinstance(answers.pop(2), OverflowError) and answers == [None] * 4
    assert "huge" not in kept and len(kept) == 5


def test_archive_down_fails_the_whole_group(tmp_path):
    async def trial(store):
        said = []
        journal = Journal(store, lambda up, ago: said.append(up))
        store.at = fail_at("commit")
        answers = await asyncio.gather(
            *(journal.write(insert(MATCHES, row(f"m{i}"))) for i in range(5)), return_exceptions=True
        )
        assert all(isinstance(answer, ArchiveDown) for answer in answers)
        store.at = lambda step: None
        await journal.write(insert(MATCHES, row("later")))
        await journal.close()
        assert said[0] is False and said[-1] is True

    store = Store(sqlite(tmp_path))
    asyncio.run(trial(store))
    assert [each["id"] for each in store.listed(["open"])] == ["later"]
    store.close()


def test_archive_down_fails_waiting_jobs_without_a_try(tmp_path):
    async def trial(store):
        held, tried = Held(store), []
        journal = Journal(store)
        first = journal.write(insert(MATCHES, row("first")))
        await asyncio.to_thread(held.reached.wait, 20)
        waiting = journal.write(insert(MATCHES, row("waiting")))
        store.at = lambda step: tried.append(step) or fail_at("written")(step)
        held.go.set()
        answers = await asyncio.gather(first, waiting, return_exceptions=True)
        assert all(isinstance(answer, ArchiveDown) and not answer.unknown for answer in answers)
        assert tried == ["written"]
        await journal.close()

    store = Store(sqlite(tmp_path))
    asyncio.run(trial(store))
    assert store.listed(["open"]) == []
    store.close()


def test_failed_write_reports_when_it_began(tmp_path, monkeypatch):
    seconds, said = [100.0], []
    monkeypatch.setattr(journal_module, "monotonic", lambda: seconds[0])

    def hang(step):
        seconds[0] += 2
        raise OSError(5, "Input/output error")

    async def trial(store):
        journal = Journal(store, lambda up, ago: said.append((up, ago)))
        store.at = hang
        with pytest.raises(ArchiveDown):
            await journal.write(insert(MATCHES, row("m")))
        await journal.close()

    store = Store(sqlite(tmp_path))
    asyncio.run(trial(store))
    store.close()
    assert said == [(False, 2.0)]


def fail_at(wanted):
    def at(step):
        if step == wanted:
            raise OSError(28, "No space left on device")

    return at


def test_write_after_closing_is_refused(tmp_path):
    async def trial(store):
        journal = Journal(store)
        last = journal.write(insert(MATCHES, row("last")))
        await journal.close()
        await last
        with pytest.raises(ArchiveDown, match="stopping"):
            await journal.write(change_match("last", status="over"))

    store = Store(sqlite(tmp_path))
    asyncio.run(trial(store))
    assert store.match("last")["status"] == "open"
    store.close()


def test_cancelled_caller_does_not_block_other_answers(tmp_path):
    async def trial(store):
        held = Held(store)
        journal = Journal(store)
        gone, stays = journal.write(insert(MATCHES, row("a"))), journal.write(insert(MATCHES, row("b")))
        gone.cancel()
        held.go.set()
        await stays
        await journal.close()

    store = Store(sqlite(tmp_path))
    asyncio.run(trial(store))
    assert {each["id"] for each in store.listed(["open"])} == {"a", "b"}
    store.close()


def test_failing_callback_does_not_block_other_answers(tmp_path):
    async def trial(store):
        journal, told = Journal(store), []
        journal.post([insert(MATCHES, row("a"))], lambda error: 1 // 0)
        journal.post([insert(MATCHES, row("b"))], told.append)
        await until(lambda: told)
        assert told == [None] and journal.commits == 1
        await journal.write(insert(MATCHES, row("c")))
        await journal.close()

    store = Store(sqlite(tmp_path))
    asyncio.run(trial(store))
    assert len(store.listed(["open"])) == 3
    store.close()


def test_close_writes_and_answers_everything(tmp_path):
    many = journal_module.GROUP + 100

    async def trial(store):
        held, journal = Held(store), Journal(store)
        asked = [journal.write(insert(MATCHES, row("first")))]
        await asyncio.to_thread(held.reached.wait, 20)
        asked += [journal.write(insert(MATCHES, row(f"m{i}"))) for i in range(many)]
        closing = asyncio.create_task(journal.close())
        await asyncio.sleep(0)
        held.go.set()
        await closing
        await asyncio.wait(asked, timeout=20)
        assert [each.done() and each.result() for each in asked] == [None] * (1 + many)

    store = Store(sqlite(tmp_path))
    asyncio.run(trial(store))
    assert len(store.listed(["open"], limit=1000)) == 1 + many
    store.close()


class Asking:
    """Those who ask a journal for one thing after the other; `told` are the answers they have heard."""

    def __init__(self, journal):
        self.journal, self.told, self.asked = journal, [], 0

    def ask(self, *names):
        for name in names:
            self.asked += 1
            match = insert(MATCHES, row(f"m{self.asked}"))
            self.journal.post([match], lambda error, name=name: self.told.append((name, error)), name)

    async def heard(self, *names):
        """Wait until they have all been told that it is on disk."""
        await until(lambda: len(self.told) >= len(names))
        assert sorted(self.told) == [(name, None) for name in sorted(names)]
        self.told.clear()

    async def nothing(self):
        """Give it time to write what it should not."""
        for _ in range(20):
            await asyncio.sleep(0.002)
        assert self.told == []


def asking(folder, monkeypatch, patience, trial):
    """A trial with a journal that waits so many seconds for those who shared the last commit."""
    monkeypatch.setattr(journal_module, "_pace", lambda lately: patience)

    async def inside():
        journal = Journal(store)
        await trial(Asking(journal))
        await journal.close()

    store = Store(sqlite(folder))
    asyncio.run(inside())
    store.close()


def test_commit_waits_for_callers_of_the_last_commit(tmp_path, monkeypatch):
    async def trial(they):
        they.ask("a", "b", "c")
        await they.heard("a", "b", "c")
        they.ask("b", "new", "a")
        await they.nothing()
        they.ask("c")
        await they.heard("a", "b", "c", "new")
        assert they.journal.commits == 2

    asking(tmp_path, monkeypatch, 3600, trial)


def test_single_caller_does_not_wait(tmp_path, monkeypatch):
    async def trial(they):
        for name in "aab":
            they.ask(name)
            await they.heard(name)
        they.ask("a", "b", "c")
        await they.heard("a", "b", "c")
        they.ask("a", "b", "c")
        await they.heard("a", "b", "c")
        assert they.journal.commits == 5

    asking(tmp_path, monkeypatch, 3600, trial)


def test_commit_waits_only_briefly_for_an_absent_caller(tmp_path, monkeypatch):
    async def trial(they):
        they.ask("a", "b")
        await they.heard("a", "b")
        they.ask("a")
        await they.heard("a")  # b thinks
        they.ask("a")
        await they.heard("a")
        assert they.journal.commits == 3

    asking(tmp_path, monkeypatch, 0.02, trial)


def test_commit_does_not_wait_for_anonymous_callers(tmp_path, monkeypatch):
    async def trial(they):
        they.ask("a", None)
        await until(lambda: len(they.told) == 2)
        they.told.clear()
        they.ask("a")
        await they.heard("a")

    asking(tmp_path, monkeypatch, 3600, trial)


def test_close_writes_a_commit_that_waits_for_callers(tmp_path, monkeypatch):
    async def trial(they):
        they.ask("a", "b")
        await they.heard("a", "b")
        they.ask("a")
        await they.nothing()

    asking(tmp_path, monkeypatch, 3600, trial)
    store = Store(sqlite(tmp_path))
    assert len(store.listed(["open"])) == 3
    store.close()


def test_pace_of_commits_grows_with_recent_requests():
    pace = journal_module._pace
    assert pace(50) == 0.001 and pace(100) == 2 * pace(50) and pace(10_000) == journal_module.SLOWEST


def test_journal_knows_why_the_last_write_failed(tmp_path):
    store = Store(sqlite(tmp_path))

    def full(step):
        if step == "commit":
            raise OSError(28, "No space left on device")

    async def inside():
        journal = Journal(store)
        await journal.write(insert(MATCHES, row("a")))
        assert journal.trouble is None
        store.at = full
        with pytest.raises(ArchiveDown):
            await journal.write(insert(MATCHES, row("b")))
        assert "No space left on device" in journal.trouble
        store.at = lambda step: None
        await journal.write(insert(MATCHES, row("c")))
        assert journal.trouble is None
        await journal.close()

    asyncio.run(inside())
    store.close()
