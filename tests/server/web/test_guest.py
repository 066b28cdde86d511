"""A guest's queue: bounded for clients that do not read, and large enough for those that do."""

import asyncio

import pytest

from endturn.server.transports.web import gallery
from endturn.server.transports.web.gallery import MOST_QUEUED, MOST_WAITING, Guest, Outbox

LONG = b"x" * (3 * MOST_WAITING)


class Line:
    """A line that takes messages while it is open."""

    hears = None

    def __init__(self, takes=True):
        self.takes, self.taken, self.unsent = takes, [], 0

    def put(self, messages):
        self.taken += messages


async def speak(guest, line):
    """What the socket's task does: give to the line what it did not take at once."""
    while True:
        message = await guest.next()
        while not line.takes:
            await asyncio.sleep(0.001)
        line.taken.append(message)


def test_reading_guest_gets_long_answers_and_events():
    async def inside():
        guest = Guest(0, Outbox(), line := Line())
        guest.tell(b"before")
        await guest.give(LONG)
        guest.tell(b"after")
        await asyncio.sleep(0.01)
        return guest.dropped, line.taken

    assert asyncio.run(inside()) == (False, [b"before", LONG, b"after"])


def test_next_request_waits_for_a_long_answer():
    async def inside():
        guest = Guest(0, Outbox(), line := Line(takes=False))
        speaking = asyncio.create_task(speak(guest, line))
        guest.tell(b"on its way")
        giving = asyncio.create_task(guest.give(LONG))
        await asyncio.sleep(0.01)
        for _ in range(3):
            guest.tell(b"y" * (MOST_WAITING // 4))
        assert not giving.done() and not guest.dropped
        line.takes = True
        await asyncio.wait_for(giving, 5)
        speaking.cancel()
        return guest.dropped, len(line.taken)

    assert asyncio.run(inside()) == (False, 5)


def test_guest_that_ignores_a_long_answer_is_dropped(monkeypatch):
    monkeypatch.setattr(gallery, "PATIENCE", 0.02)

    async def inside():
        guest, dropped = Guest(0, Outbox(), line := Line()), []
        guest.on_drop = lambda: dropped.append(True)
        line.takes = False
        await asyncio.wait_for(guest.give(LONG), 5)
        return guest.dropped, dropped

    assert asyncio.run(inside()) == (True, [True])


def test_slow_reader_of_a_long_answer_is_not_dropped(monkeypatch):
    monkeypatch.setattr(gallery, "PATIENCE", 0.05)

    async def inside():
        guest, line = Guest(0, Outbox(), Line(takes=False)), None
        line = guest._line
        line.unsent = 1000
        speaking = asyncio.create_task(speak(guest, line))
        guest.tell(b"on its way")
        giving = asyncio.create_task(guest.give(LONG))
        for _ in range(20):
            await asyncio.sleep(0.02)
            line.unsent -= 1
        assert not giving.done() and not guest.dropped
        line.takes = True
        await asyncio.wait_for(giving, 5)
        speaking.cancel()
        return guest.dropped

    assert asyncio.run(inside()) is False


@pytest.mark.parametrize("size", [1, MOST_WAITING // 10])
def test_guest_that_does_not_read_is_dropped(size):
    async def inside():
        guest = Guest(0, Outbox(), Line(takes=False))
        told = 0
        while not guest.dropped:
            guest.tell(b"z" * size)
            told += 1
        return told, len(guest._waiting)

    assert asyncio.run(inside()) == (min(MOST_QUEUED, 10 if size > 1 else 1000) + 1, 0)
