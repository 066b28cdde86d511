"""Limits of sockets, shared message limits, and the order of answers."""

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from arena import until
from endturn.server import app
from endturn.server.transports.limits import Addresses, Places, Rate
from endturn.server.transports.web import options
from server.test_room import Gate
from server.web.here import here
from server.web.test_hostile import open_raw
from web_arena import tokens

pytestmark = pytest.mark.usefixtures("treasure")
SELDOM = 1e-6  # a second: nothing is added while a test lasts


async def refused(server, match):
    """The refusal of a socket."""
    with pytest.raises(InvalidStatus) as answer:
        async with server.join(match):
            pass
    return answer.value.response


async def served(server):
    """Wait until the server has read what was sent so far, unless it stopped reading."""
    for _ in range(3):
        assert (await server.web.get("/health")).status_code == 200


# --- how many ---


def test_closed_socket_frees_its_place(tmp_path):
    async def go():
        async with here(tmp_path, address_sockets=2) as server:
            match = (await server.create())["match"]["id"]
            for _ in range(5):
                async with server.join(match), server.join(match):
                    assert (await refused(server, match)).status_code == 503
                await until(lambda: server.site.places.open == 0)

    asyncio.run(go())


def test_no_limits_allows_many_sockets_per_address():
    assert options(no_limits=True).address_sockets == 0 < options().address_sockets
    assert Places(3, options(no_limits=True).address_sockets).enter("a")


def test_socket_counts_as_a_request(tmp_path):
    async def go():
        async with here(tmp_path, requests=Rate(SELDOM, 3)) as server:
            match = (await server.create())["match"]["id"]
            for _ in range(2):
                async with server.join(match):
                    pass
            answer = await refused(server, match)
            assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0

    asyncio.run(go())


def test_sockets_of_one_address_share_a_message_limit(tmp_path):
    now = 0.0

    async def go():
        nonlocal now
        async with here(tmp_path) as server:
            server.site.messages = Addresses(Rate(50, 4), lambda: now)
            created = await server.create()
            match, (ann, bob) = created["match"]["id"], tokens(created)
            async with server.join(match, ann) as first, server.join(match, bob) as second:
                await first.ask("ping")
                await second.ask("ping")
                both = (
                    asyncio.create_task(first.act("mark", number=1)),
                    asyncio.create_task(second.ask("ping")),
                )
                await served(server)
                assert not any(task.done() for task in both)
                now = 1.0
                assert [(await task)["type"] for task in both] == ["done"] * 2

    asyncio.run(go())


# --- in which order ---

ACT = {"type": "act", "action": {"do": "mark", "number": 1}}
NO_ACT = {"type": "act", "action": {"do": "fly"}}
PING = {"type": "ping"}


@pytest.mark.parametrize(
    "said",
    [(ACT, PING, ACT), (ACT, NO_ACT, PING), (ACT, ACT, NO_ACT), (ACT, PING, NO_ACT)],
    ids=["a ping", "what is no action", "an action", "both"],
)
def test_answers_come_in_the_order_of_requests(tmp_path, said):
    async def go():
        async with here(tmp_path) as server:
            created = await server.create()
            async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
                gate = Gate(server.lobby.store)
                for ask, each in enumerate(said):
                    await ann.send({**each, "ask": ask})
                    await served(server)
                await gate.reached.wait()
                gate.open()
                answers = [await ann.until("done", "malformed") for _ in said]
                assert [answer["ask"] for answer in answers] == [0, 1, 2]

    asyncio.run(go())


# --- how long ---


@pytest.mark.parametrize(
    "unread", [0, 8_000_000], ids=["all is sent", "much waits"]
)  # more than a system takes
def test_socket_without_pongs_is_closed(tmp_path, monkeypatch, unread):
    monkeypatch.setattr(app, "PONG_SECONDS", 0.4)

    async def go():
        async with here(tmp_path) as server:
            match = (await server.create())["match"]["id"]
            with await open_raw(server, match, {"type": "join"}):
                await until(lambda: match in server.site.galleries)
                (guest,) = server.site.galleries[match].audiences[None].guests
                guest._line.put([b"x" * unread])
                assert bool(guest._line.unsent) == bool(unread)
                await until(lambda: server.site.places.open == 0)

    asyncio.run(go())
