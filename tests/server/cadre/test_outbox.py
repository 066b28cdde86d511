"""Messages go out at the end of the loop's round, in order, in one write per client."""

import asyncio

import pytest

from endturn.server.transports.cadre import connections
from endturn.server.transports.cadre.connections import MOST_UNTOLD, TOGETHER, Client, ClientOutbox, Limits
from server.cadre.client import PATIENCE, SMALL, pair, said, serving


class Listener(Client):
    """A client that records every write."""

    def __init__(self, receiver):
        super().__init__(receiver, Limits())
        self.writes = []

    def _send(self, messages):
        self.writes.append(b"".join(messages))


class Post:
    """The parts of a receiver that clients need here."""

    def __init__(self):
        self.outbox = ClientOutbox()


async def written(client, *writes):
    """Wait until a client has had exactly these writes."""
    async with asyncio.timeout(PATIENCE):
        while len(client.writes) < len(writes):
            await asyncio.sleep(0.001)
    assert client.writes == list(writes)


def played(test):
    """Run a test in an event loop with an outbox."""

    async def go():
        await test(Post())

    asyncio.run(go())


def test_messages_of_a_round_are_one_write_at_its_end():
    async def test(post):
        one, two = Listener(post), Listener(post)
        one.tell(b"a")
        one.say(b"b")
        two.say(b"c")
        one.say(b"d")
        assert one.writes == two.writes == []
        await asyncio.sleep(0)
        assert (one.writes, two.writes) == ([b"abd"], [b"c"])
        one.say(b"e")
        await asyncio.sleep(0)
        assert one.writes == [b"abd", b"e"]

    played(test)


def test_full_outbox_is_sent_before_the_round_ends():
    async def test(post):
        clients = [Listener(post) for _ in range(TOGETHER + 1)]
        for client in clients[:-1]:
            client.say(b"x")
        assert not any(client.writes for client in clients)
        clients[-1].say(b"x")
        assert [len(client.writes) for client in clients] == [1] * TOGETHER + [0]
        await asyncio.sleep(0)
        assert [client.writes for client in clients] == [[b"x"]] * (TOGETHER + 1)

    played(test)


@pytest.mark.parametrize("many", [1, connections.AT_ONCE * 2 + 1])
def test_messages_nobody_waits_for_are_sent_a_little_later(many, monkeypatch):
    monkeypatch.setattr(connections, "SOON", 0.5)

    async def test(post):
        clients = [Listener(post) for _ in range(many)]
        for message in (b"a", b"b"):
            for client in clients:
                client.tell(message)
            await asyncio.sleep(0)
            assert not any(client.writes for client in clients)
        for client in clients:
            await written(client, b"ab")
        clients[0].tell(b"c")
        await written(clients[0], b"ab", b"c")

    played(test)


def test_served_client_waits_again_while_others_are_served(monkeypatch):
    monkeypatch.setattr(connections, "SOON", 0.5)

    async def test(post):
        first, *_, last = clients = [Listener(post) for _ in range(connections.AT_ONCE + 1)]
        for client in clients:
            client.tell(b"a")
        while not first.writes:
            await asyncio.sleep(0)
        first.tell(b"b")
        while not last.writes:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert first.writes == [b"a"]
        await written(first, b"a", b"b")

    played(test)


def test_too_many_waiting_messages_are_sent_at_once():
    async def test(post):
        client = Listener(post)
        for _ in range(MOST_UNTOLD):
            client.tell(b"x")
        assert client.writes == [b"x" * MOST_UNTOLD]

    played(test)


def test_disconnected_client_gets_and_keeps_nothing():
    async def test(post):
        client = Listener(post)
        client.say(b"a")
        client.closing = True
        await asyncio.sleep(0)
        client.say(b"b")
        await asyncio.sleep(0)
        assert client.writes == [] and client._out == []

    played(test)


def test_earlier_answers_precede_a_fatal_message(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, _, _ = await pair(server, SMALL)
            good = said("run", {"caller": {"id": "0"}, "functionName": "log", "args": {"message": "hi"}})
            await one.raw(good + b"{nope\x04")
            await one.until("ran")
            assert "malformed" in (await one.until("fatal"))["message"]
            assert await one.closed()

    asyncio.run(go())
