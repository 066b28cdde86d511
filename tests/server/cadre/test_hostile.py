"""Faulty and hostile clients are answered or dropped, and nobody else notices."""

import asyncio
import json
import random
import socket

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.cadre.client import SMALL, Client, pair, quick, said, serving


def run_of(**data):
    return said("run", data)


BROKEN = {
    "no JSON": (b"{nope\x04", "Sent malformed JSON"),
    "half a character": (b'{"event":"\xff\xfe"}\x04', "Sent malformed JSON"),
    "deep nesting": (b'{"event":"alias","data":' + b"[" * 50_000 + b"\x04", "Sent malformed JSON"),
    "a list": (b"[1]\x04", "Sent malformed json event"),
    "no event": (b'{"data":1}\x04', "Sent malformed json event"),
    "an event that is a number": (b'{"event":7}\x04', "Sent malformed json event"),
    "an unknown event": (b'{"event":"order"}\x04', "Sent unknown event 'order'."),
    "an alias that is an object": (said("alias", {}), "[object Object] is not a known game alias"),
    "an alias that is null": (said("alias"), "null is not a known game alias"),
    "an alias that is left out": (b'{"event":"alias"}\x04', "undefined is not a known game alias"),
    "an alias that is a list": (said("alias", ["Anarchy"]), "Anarchy is not a known game alias"),
    "a game that is null": (said("play", {"gameName": None}), "Game alias 'null' is not a known game."),
    "a game that is left out": (said("play", {"x": 1}), "Game alias 'undefined' is not a known game."),
    "a game that is true": (said("play", {"gameName": True}), "Game alias 'true' is not a known game."),
    "a game that is a list": (said("play", {"gameName": ["Anarchy"]}), "Game alias 'Anarchy' is not"),
    "many lists, and nothing else": (b"[" * 50_000 + b"\x04", "Sent malformed json event"),
    "a number and a letter": (b"0x\x04", "Sent malformed"),
    "play without data": (said("play"), "Sent 'play' event with no data."),
    "play with a list": (said("play", [1]), "Sent 'play' event with no data."),
    "too many settings": (
        said("play", {"gameName": "Anarchy", "gameSettings": "&".join(["maxTurns=4"] * 200)}),
        "Max number of fields exceeded",
    ),
    "settings that cannot be together": (
        said("play", {"gameName": "Anarchy", "gameSettings": "mapWidth=99"}),
        "mapWidth must be even",
    ),
    "a profile that is none": (
        said("play", {"gameName": "Anarchy", "gameSettings": "profile=1999"}),
        "Anarchy has no profile '1999'",
    ),
    "a seat that is an object": (
        said("play", {"gameName": "Anarchy", "playerIndex": {}}),
        "playerIndex '{}' is out of range",
    ),
    "a long name of a session": (
        said("play", {"gameName": "Anarchy", "requestedSession": "x" * 200}),
        "A session name has at most 100 characters.",
    ),
    "a clock without time": (
        said("play", {"gameName": "Anarchy", "gameSettings": "playerStartingTime=0"}),
        'playerStartingTime setting is invalid ("0"). Must be >= 1',
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_message_ends_only_its_own_connection(name, tmp_path):
    data, answer = BROKEN[name]

    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server)
            guest = await Client.connect(server)
            await guest.raw(data)
            assert (await guest.until("fatal"))["message"].startswith(answer)
            assert await guest.closed()
            await one.finish(order)
            assert await two.until("order")

    asyncio.run(go())


@pytest.mark.parametrize(
    "value", [b"0", b"false", b"null", b'""', b" null ", b"0.0", b"-0", b"-0.0", b"0e1", b"0E-7"]
)
def test_empty_message_is_ignored(value, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            guest = await Client.connect(server)
            await guest.raw(value + b"\x04" + said("alias", "anarchy"))
            assert await guest.until("named", "fatal") == "Anarchy"

    asyncio.run(go())


FATAL_IN_GAME = {
    "no caller": (run_of(functionName="log"), "Cannot determine the calling game object of undefined"),
    "null as caller": (
        run_of(caller=None, functionName="log"),
        "Cannot determine the calling game object of null",
    ),
    "a huge number as caller": (
        b'{"event":"run","data":{"functionName":"log","caller":{"id":1' + b"0" * 5000 + b"}}}\x04",
        "",
    ),
    "a function that is a list": (
        run_of(caller={"id": "2"}, functionName=[1]),
        "Warehouse #2 does not have a method",
    ),
    "data that is a text": (said("run", "x"), "Cannot determine the calling game object of undefined"),
    "an order that is a list": (said("finished", {"orderIndex": []}), "Cannot find order #"),
    "an order that was never given": (said("finished", {"orderIndex": 7}), "Cannot find order # 7 you claim"),
}


@pytest.mark.parametrize("name", FATAL_IN_GAME)
def test_fatal_mistake_loses_the_match(name, tmp_path):
    data, answer = FATAL_IN_GAME[name]

    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server, f"{SMALL}&profile=2022")
            await one.raw(data)
            assert (await one.until("fatal"))["message"].startswith(answer)
            await two.until("over")
            assert (
                two.objects["1"]["won"] and two.objects["0"]["reasonLost"] == "Disconnected during gameplay."
            )

    asyncio.run(go())


WRONG_ARGUMENTS = [
    {},
    {"building": None},
    {"building": {"id": "0"}},
    {"building": {"id": "99999"}},
    {"building": {"id": {"id": "3"}}},
    {"building": {"id": "3", "x": 1}},
    {"building": [1, 2]},
    {"building": 1e308},
]
NAMED = {  # arguments as the original printed them
    "null": None,
    'Player "A" #0': {"id": "0"},
    '{"id":"99999"}': {"id": "99999"},
    '"\u00e9"': "\u00e9",
}


def test_impossible_arguments_are_refused_and_the_match_continues(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server)
            for args in WRONG_ARGUMENTS:
                assert await one.run(one.mine(0)[0], "ignite", **args) == -1
                assert [m["event"] for m in one.heard[-3:]] == ["invalid", "delta", "ran"]
            await one.finish(order)
            assert await two.until("order")

    asyncio.run(go())


def test_wrong_argument_is_named_in_the_originals_words(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, *_ = await pair(server)
            for shown, sent in NAMED.items():
                await one.run(one.mine(0)[0], "ignite", building=sent)
                sentence = f"Warehouse.ignite()'s 'building' arg was sent {shown} - it must be a Building."
                assert one.heard[-3]["data"]["message"] == sentence

    asyncio.run(go())


@pytest.mark.parametrize("data", [said("order"), b"{nope\x04", b"[1]\x04"])
def test_nothing_is_sent_after_over(data, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            two.close()
            await one.until("over")
            await one.raw(data)
            assert await one.closed()

    asyncio.run(go())


def test_unpaired_surrogate_breaks_nothing(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server)
            texts = {  # as JSON
                r"a\ud800": "a\ufffd",
                r"\udc00b": "\ufffdb",
                r"\\ud800\uD83D\uDE00\uDBFF\n": "\\ud800\U0001f600\ufffd\n",
            }
            for text in texts:
                run = f'{{"caller":{{"id":"2"}},"functionName":"log","args":{{"message":"{text}"}}}}'
                await one.raw(f'{{"event":"run","data":{run}}}\x04'.encode())
                assert await one.until("ran", "fatal") is None
            logs = one.objects["2"]["logs"]
            assert [logs[str(number)] for number in range(3)] == list(texts.values())
            await one.finish(order)
            assert await two.until("order")

    asyncio.run(go())


WORDS = ["alias", "play", "run", "finished", "Anarchy", "*", {"id": "2"}, None, -1, 2**70, True, [], {}, 0.5]
KEYS = ["event", "data", "gameName", "requestedSession", "caller", "functionName", "args", "gameSettings"]


class Rubbish:
    """Anything a client could send: bytes, parts of messages, messages of any shape."""

    def __init__(self, seed):
        self.luck = random.Random(seed)

    def value(self, depth=0):
        kind = self.luck.randrange(6 if depth < 3 else 3)
        if kind < 3:
            return self.luck.choice(WORDS)
        if kind == 3:
            return [self.value(depth + 1) for _ in range(self.luck.randrange(3))]
        return {self.luck.choice(KEYS): self.value(depth + 1) for _ in range(self.luck.randrange(4))}

    def message(self):
        return said(self.luck.choice(WORDS[:4]), self.value())

    def bytes(self):
        kind = self.luck.randrange(4)
        if kind == 0:
            return self.luck.randbytes(self.luck.randrange(1, 300))
        if kind == 1:
            text = self.message()
            return text[: self.luck.randrange(len(text) + 1)]
        return b"".join(self.message() for _ in range(self.luck.randrange(1, 5)))


def test_random_bytes_and_messages_out_of_order_leave_other_matches_alone(tmp_path):
    """Hundreds of clients send garbage while two players play; the server still has room."""
    talk = Rubbish(11)

    async def guest(server):
        client = await Client.connect(server)
        try:
            for _ in range(talk.luck.randrange(1, 6)):
                await client.raw(talk.bytes())
                await asyncio.sleep(0)
        except ConnectionError:
            pass
        client.close()

    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, SMALL.replace("maxTurns=4", "maxTurns=60"))
            players = (one, two)
            for turn in range(20):
                guests = [asyncio.create_task(guest(server)) for _ in range(15)]
                await players[turn % 2].finish(order)
                order = await players[1 - turn % 2].until("order")
                await asyncio.gather(*guests)
            for _ in range(100):
                if len(server.sessions.clients) == 2:
                    break
                await asyncio.sleep(0.05)
            assert len(server.sessions.clients) == 2
            assert sum(session.status == "open" for session in server.sessions.open.values()) == 0

    asyncio.run(go())


def test_too_long_message_ends_its_connection(tmp_path):
    async def go():
        async with serving(tmp_path, limits=quick(message=1000)) as server:
            for data in (b"x" * 5000, b'{"event":"alias","data":"' + b"x" * 2000 + b'"}\x04'):
                guest = await Client.connect(server)
                await guest.raw(data)
                assert "limit is 1000 bytes" in (await guest.until("fatal"))["message"]

    asyncio.run(go())


def test_flood_is_served_in_turns_and_fully_answered(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server)
            await one.raw(run_of(caller={"id": "2"}, functionName="log", args={"message": 1}) * 500)
            answers = [await one.until("ran") for _ in range(500)]
            assert len(answers) == 500
            await one.finish(order)
            assert await two.until("order")
            assert len(two.objects["2"]["logs"]) == 501  # and its length

    asyncio.run(go())


def test_client_that_sends_too_fast_waits(tmp_path):
    async def go():
        async with serving(tmp_path, limits=quick(rate=20)) as server:
            guest = await Client.connect(server)
            begun = asyncio.get_running_loop().time()
            await guest.raw(said("alias", "anarchy") * 50)
            for _ in range(50):
                assert await guest.until("named") == "Anarchy"
            assert asyncio.get_running_loop().time() - begun > 1

    asyncio.run(go())


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])  # they report an unread connection differently
def test_client_that_does_not_read_is_dropped(tmp_path, loop):
    async def go():
        async with serving(tmp_path, limits=quick(unread=1 << 16)) as server:
            clients = server.sessions.clients
            with socket.create_connection(("127.0.0.1", server.ports["tcp"])):
                while not clients:
                    await asyncio.sleep(0.005)
                (client,) = clients
                for _ in range(200):  # far more than the socket buffers hold
                    if not client.closing:
                        client.say(b"x" * 100_000)
                    await asyncio.sleep(0)
                for _ in range(100):
                    await asyncio.sleep(0.01 if clients else 0)
                assert not clients

    pytest.importorskip(loop).run(go())


def test_connections_and_sessions_are_limited(tmp_path):
    async def go():
        async with serving(tmp_path, limits=quick(connections=3, sessions=2)) as server:
            guests = [await Client.connect(server) for _ in range(3)]
            one_more = await Client.connect(server)
            assert "connections" in (await one_more.until("fatal"))["message"]
            assert await guests[0].play("new") == "1"
            assert await guests[1].play("new") == "2"
            await guests[2].send("play", {"gameName": "Anarchy", "requestedSession": "new"})
            assert "sessions" in (await guests[2].until("fatal"))["message"]

    asyncio.run(go())


def test_idle_client_is_disconnected(tmp_path, monkeypatch):
    monkeypatch.setattr("endturn.server.transports.cadre.sessions.SWEEP", 0.05)

    async def go():
        async with serving(tmp_path, limits=quick(idle=0.1, lobby=0.3)) as server:
            idle, waiting = await Client.connect(server), await Client.connect(server)
            await waiting.play("new")
            assert "no `play` message" in (await idle.until("fatal"))["message"]
            assert "no opponent has joined" in (await waiting.until("fatal"))["message"]
            await asyncio.sleep(0.05)
            assert not server.sessions.open

    asyncio.run(go())


def test_logged_messages_of_a_session_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr("endturn.server.transports.cadre.session_match.NOTES", 1000)

    async def go():
        async with serving(tmp_path) as server:
            one, *_ = await pair(server)
            await one.run("2", "log", message="x" * 500)
            await one.run("2", "log", message="x" * 500)
            assert "at most 1000 characters" in one.heard[-3]["data"]["message"]
            assert one.objects["2"]["logs"]["&LEN"] == 1

    asyncio.run(go())


# --- WebSockets ---


def test_foreign_page_may_not_open_a_websocket(tmp_path):
    async def go():
        async with serving(tmp_path, origins=["http://arena.example"]) as server:
            port = server.ports["web"]
            place = f"ws://127.0.0.1:{port}"
            for origin in ("http://evil.example", "http://127.0.0.1:8000", "null", "http://arena.example:1"):
                with pytest.raises(InvalidStatus, match="403"):
                    await connect(place, origin=origin)
            for host in ("evil.example", f"evil.example:{port}"):  # DNS rebinding
                with pytest.raises(InvalidStatus, match="403"):
                    await connect(f"ws://{host}", origin=f"http://{host}", host="127.0.0.1", port=port)
            for origin in (f"http://127.0.0.1:{port}", "http://vis.siggame.io", "http://arena.example"):
                async with connect(place, origin=origin) as page:
                    await page.send('{"event":"alias","data":"anarchy"}')
                    assert json.loads(await page.recv()) == {"event": "named", "data": "Anarchy"}

    asyncio.run(go())


def test_program_may_use_any_host_name_for_a_websocket(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            port = server.ports["web"]
            async with connect(f"ws://big.lab:{port}", host="127.0.0.1", port=port) as program:
                await program.send('{"event":"alias","data":"anarchy"}')
                assert json.loads(await program.recv()) == {"event": "named", "data": "Anarchy"}

    asyncio.run(go())


def test_garbage_over_a_websocket_ends_only_that_connection(tmp_path):
    async def go():
        async with serving(tmp_path, limits=quick(message=2000)) as server:
            place = f"ws://127.0.0.1:{server.ports['web']}"
            for message in (b"binary", "[", "x" * 5000):
                async with connect(place) as page:
                    await page.send(message)
                    with pytest.raises(ConnectionClosed):
                        while True:
                            assert "fatal" in await page.recv()
            raw = await asyncio.open_connection("127.0.0.1", server.ports["web"])
            raw[1].write(b"GET / HTTP/1.1\r\n\r\n")
            assert b"HTTP/1.1 4" in await raw[0].read()
            raw[1].close()
            async with connect(place) as page:
                await page.send('{"event":"alias","data":"anarchy"}')
                assert "Anarchy" in await page.recv()

    asyncio.run(go())


def test_half_a_message_of_a_vanished_client_leaves_nothing(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            guest = await Client.connect(server)
            await guest.raw(b'{"event":"pla')
            guest.close()
            other = await Client.connect(server)
            await other.play("mine")
            other.close()
            for _ in range(100):
                if not server.sessions.clients and not server.sessions.open:
                    return
                await asyncio.sleep(0.02)
            raise AssertionError((server.sessions.clients, server.sessions.open))

    asyncio.run(go())
