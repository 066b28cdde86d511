"""Hostile and broken clients: they are answered or closed, memory is bounded, other matches are unaffected."""

import asyncio
import json
import random
import socket
import struct

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from endturn.protocol import LARGEST_MESSAGE
from web_arena import Client, arena, tokens

ROOM_TO_GROW = 30 << 20  # bytes that the server may have more after an attack than before


@pytest.fixture(scope="module")
def match(server):
    return server.create("treasure", settings={"max_turns": 1000})


async def undisturbed(server, ready, stop):
    """A match of two others, played while something happens and for some actions more."""
    created, played, after = server.create(settings={"max_turns": 1000}), 0, 0
    async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
        while after < 3:
            assert (await ann.act("mark", number=played % 100))["type"] == "done"
            played, after = played + 1, after + stop.is_set()
            ready.set()
            await asyncio.sleep(0.005)


def under(server, attack):
    """Run an attack while others play; the server's memory and they must not notice."""

    async def run():
        ready, stop = asyncio.Event(), asyncio.Event()
        others = asyncio.create_task(undisturbed(server, ready, stop))
        await ready.wait()
        before = server.memory()
        answer = await attack()
        stop.set()
        await others
        assert server.memory() - before < ROOM_TO_GROW
        return answer

    answer = asyncio.run(run())
    assert server.web.get("/health").json()["status"] == "ok"
    assert "Traceback" not in server.log()
    return answer


LUCK = random.Random(1)
DEEP = "[" * 8000 + "]" * 8000
NONSENSE = {
    "random bytes": [LUCK.randbytes(LUCK.randrange(1, 300)) for _ in range(40)],
    "random text": ["".join(chr(LUCK.randrange(1, 0x2000)) for _ in range(100)) for _ in range(40)],
    "truncated": ['{"type":"act","ask":1,"action":{"do":"dig"}}'[:n] for n in range(43)],
    "deep nesting": [DEEP, f'{{"type":"act","ask":1,"action":{DEEP}}}', '{"a":' * 2000 + "1" + "}" * 2000],
    "huge numbers": [
        '{"type":"act","ask":' + "9" * 5000 + ',"action":{"do":"dig"}}',
        '{"type":"act","ask":1,"action":{"do":"mark","number":' + "9" * 4000 + "}}",
        '{"type":"act","ask":1,"action":{"do":"mark","number":1e999}}',
        '{"type":"legal","ask":1,"piece":-99999999999999999999}',
        '{"type":"legal","ask":1,"piece":9223372036854775807}',
    ],
    "wrong types": [
        json.dumps({"type": kind, "ask": ask, "action": action, "text": action, "on": action})
        for kind in ("act", "chat", "pause", "preview", "legal", "undo", 7, None, [])
        for ask, action in ((1, None), ("1", []), (1, {"do": ["dig"]}), (None, {}))
    ],
    "wrong order": [json.dumps({"type": "join"}), json.dumps({"type": "join", "since": -1})],
    "empty": ["", b"", " ", "null", "{}", "[]", '"join"'],
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_every_invalid_message_gets_an_answer(server, match, kind):
    async def attack():
        answers = []
        async with server.join(match["match"]["id"], tokens(match)[0]) as client:
            for message in NONSENSE[kind]:
                await client.send(message)
                answers.append(await client.until("malformed", "refused", "done"))
        return answers

    answers = under(server, attack)
    assert len(answers) == len(NONSENSE[kind])
    assert all(answer["type"] != "done" and len(answer["reason"]) > 10 for answer in answers)


def test_only_join_is_accepted_first(server, match):
    async def attack():
        async with connect(server.socket_url(match["match"]["id"])) as opened:
            client = Client(opened)
            await client.send({"type": "ping", "ask": 1})
            first = await client.hear()
            await client.send(b"\xff\xfe")
            return first, await client.hear()

    first, second = under(server, attack)
    assert first["type"] == second["type"] == "malformed"


def test_too_many_invalid_messages_close_the_socket(server, match):
    async def attack():
        async with server.join(match["match"]["id"]) as client:
            with pytest.raises(ConnectionClosed) as closed:
                for _ in range(1000):
                    await client.send("nonsense")
                    await client.hear()
            return closed.value.rcvd.code

    assert under(server, attack) == 1008


def test_too_long_message_closes_the_socket(server, match):
    async def attack():
        codes = []
        for fragments in False, True:
            async with server.join(match["match"]["id"]) as client:
                big = "x" * (LARGEST_MESSAGE + 1)
                with pytest.raises(ConnectionClosed) as closed:
                    await client.socket.send(
                        (letter for letter in [big[:9000], big[9000:]]) if fragments else big
                    )
                    while True:
                        await client.hear()
                codes.append(closed.value.rcvd.code)
        return codes

    assert under(server, attack) == [1009, 1009]


def test_flood_is_throttled_and_answered_in_full(tmp_path):
    with arena(tmp_path) as server:
        created = server.create()

        async def attack():
            async with server.join(created["match"]["id"]) as client:
                for ask in range(160):
                    await client.send({"type": "ping", "ask": ask})
                return [(await client.until("done"))["ask"] for _ in range(160)]

        assert under(server, attack) == list(range(160))


def test_client_that_does_not_read_is_dropped_and_can_return(server):
    created = server.create("catastrophe")
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def attack():
        deaf = await open_raw(server, match, {"type": "join", "token": ann})
        async with server.join(match, bob) as client:
            assert client.welcome["match"]["seats"][0]["present"]
            for ask in range(3000):
                try:
                    send_raw(deaf, {"type": "legal", "ask": ask})
                except OSError:
                    break
                await asyncio.sleep(0.001)
            while (await client.until("presence"))["seats"][0]["present"]:
                pass
        deaf.close()
        async with server.join(match, ann) as again:
            return (await again.act("end_turn"))["type"]

    assert under(server, attack) == "done"


def test_reader_of_long_answers_is_not_dropped(server):
    created = server.create("anarchy", seed="5")
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def talk(stop):
        async with server.join(match, bob) as client:
            while not stop.is_set():
                await client.ask("chat", text="hi")
                await asyncio.sleep(0.01)

    async def ask():
        stop = asyncio.Event()
        talking = asyncio.create_task(talk(stop))
        async with server.join(match, ann, max_queue=None) as client:
            answers = [len((await client.ask("legal"))["answer"]["actions"]) for _ in range(3)]
            for number in range(901, 903):  # asked together
                await client.send({"type": "legal", "ask": number})
            told = [(await client.until("done"))["ask"] for _ in range(2)]
        stop.set()
        await talking
        return answers, told

    answers, told = asyncio.run(ask())
    assert min(answers) > 20_000 and told == [901, 902]


async def open_raw(server, match, first):
    """A socket that joins and never reads."""
    host, port = server.url.removeprefix("http://").split(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect((host, int(port)))
    made.sendall(
        f"GET /api/matches/{match}/play HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    await asyncio.sleep(0.2)
    send_raw(made, first)
    return made


def send_raw(made, message):
    body = json.dumps(message).encode()
    made.sendall(struct.pack("!BB", 0x81, 0x80 | len(body)) + b"\0\0\0\0" + body)


def test_slow_connections_delay_nobody(server, match):
    async def attack():
        host, port = server.url.removeprefix("http://").split(":")
        opened = [socket.create_connection((host, int(port))) for _ in range(200)]
        for number, each in enumerate(opened):
            if number % 2:
                each.sendall(b"GET /api/games HTTP/1.1\r\nHost: x")
        await asyncio.sleep(0.3)
        for each in opened:
            if number % 3:
                each.sendall(b"y")
        answer = await asyncio.to_thread(server.web.get, "/api/games")
        for each in opened:
            # Closed at once, without a goodbye.
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            each.close()
        return answer.status_code

    assert under(server, attack) == 200


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x00" * 100 + b"\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/matches/x/play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    ],
    ids=["zeros", "version", "long path", "length", "chunks", "handshake"],
)
def test_invalid_request_is_answered_or_closed(server, request_bytes):
    async def attack():
        host, port = server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request_bytes)
        answer = await asyncio.wait_for(reader.read(4096), 10)
        writer.close()
        return answer

    assert under(server, attack)[:10] in (b"HTTP/1.1 4", b"")


def test_too_long_body_is_refused_early(server):
    def endless():
        for _ in range(400):
            yield b" " * 10_000

    async def attack():
        return await asyncio.to_thread(lambda: server.web.post("/api/matches", content=endless()))

    answer = under(server, attack)
    assert answer.status_code == 413 and answer.json()["rule"] == "size"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b'{"game":"treasure","seats":' + b"9" * 400 + b"}", 400),
    ],
    ids=["nothing", "cut off", "bytes", "deep", "number"],
)
def test_invalid_bodies_are_malformed(server, body, status):
    answer = server.web.post("/api/matches", content=body)
    assert answer.status_code == status and answer.json()["rule"] == "malformed"


# --- whose pages may ask -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "{own}"}, 201),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://evil.example", "Host": "evil.example"}, 403),
    ],
)
def test_only_own_pages_can_make_changes(server, headers, status):
    said = {name: value.replace("{own}", server.url) for name, value in headers.items()}
    answer = server.web.post("/api/matches", json={"game": "treasure"}, headers=said)
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["rule"] == "origin"


def test_socket_from_another_origin_is_refused(server, match):
    async def attack(origin):
        async with connect(server.socket_url(match["match"]["id"]), origin=origin):
            return 101

    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(attack("https://evil.example"))
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body)["rule"] == "origin"
    assert asyncio.run(attack(server.url)) == 101


def test_too_many_requests_are_told_to_wait(tmp_path):
    with arena(tmp_path) as server:
        answers = [server.web.post("/api/login", json={"name": "ann", "password": "x" * 9}) for _ in range(8)]
        codes = [answer.status_code for answer in answers]
        assert codes[:4] == [401] * 4 and codes[-1] == 429
        assert answers[-1].json()["rule"] == "rate" and int(answers[-1].headers["retry-after"]) >= 1
        assert answers[-1].json()["reason"].endswith(f"Try again in {answers[-1].headers['retry-after']} s.")
        assert server.web.get("/api/games").status_code == 200
