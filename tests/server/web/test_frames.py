"""The fast path for short messages: same bytes as the library, which handles all other frames."""

import asyncio
import json
import socket
from urllib.parse import urlsplit

import pytest
from websockets.frames import Frame, Opcode

from endturn.server.transports.web.frames import Frames, ends_whole, masked_frame, text_frame, whole_text
from web_arena import tokens

MASK = b"\x01\x80\xff\x07"
SIZES = 0, 1, 125, 126, 127, 65535, 65536, 70000


@pytest.mark.parametrize("size", SIZES)
def test_frame_equals_the_librarys(size):
    assert text_frame(b"x" * size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 16384])
def test_client_frame_is_decoded(size):
    text = "ä" * (size // 2)
    assert whole_text(masked_frame(text.encode(), MASK), 1 << 15) == text.encode()


def test_other_frames_are_left_to_the_library():
    frame = masked_frame(b"x" * 200, MASK)
    text = Frame(Opcode.TEXT, b"x").serialize(mask=True)
    unfinished = bytes((0x01,)) + text[1:]
    others = (
        *(frame[:-1], frame + b"x", frame * 2, frame[:1], b"", frame[:3]),
        *(unfinished, Frame(Opcode.BINARY, b"x").serialize(mask=True), text_frame(b"x")),
        Frame(Opcode.PING, b"x").serialize(mask=True),
    )
    assert [whole_text(each, 1000) for each in others] == [None] * len(others)
    assert whole_text(frame, 199) is None


def test_unmasked_frame_is_left_to_the_library():
    assert whole_text(text_frame(b"abcd") + text_frame(b"hi"), 1000) is None


def test_complete_frames_are_recognized():
    frame, long = masked_frame(b"x" * 20, MASK), masked_frame(b"x" * 300, MASK)
    assert ends_whole(frame) and ends_whole(frame + long + frame)
    pieces = [(frame + long)[:cut] for cut in range(1, len(frame + long)) if cut != len(frame)]
    assert not any(map(ends_whole, pieces))


@pytest.mark.parametrize("step", [1, 7, 70001])
def test_client_gets_all_frames_from_any_chunks(step):
    texts = [b"a" * size for size in SIZES]
    sent, frames, got = b"".join(map(text_frame, texts)), Frames(), []
    for at in range(0, len(sent), step):
        got += frames.cut(sent[at : at + step])
    assert got == [(0x81, text) for text in texts]


def ping(ask):
    return masked_frame(json.dumps({"type": "ping", "ask": ask}).encode(), MASK)


def part(opcode, ask, half, last):
    text = json.dumps({"type": "ping", "ask": ask}).encode()
    chosen = text[:9] if half == 0 else text[9:]
    return Frame(opcode, chosen, fin=last).serialize(mask=True)


def test_chunked_messages_are_answered_in_order(server):
    created = server.create("treasure")
    where = urlsplit(server.socket_url(created["match"]["id"]))
    line = socket.create_connection((where.hostname, where.port), timeout=20)
    line.sendall(
        f"GET {where.path} HTTP/1.1\r\nHost: {where.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    while not line.recv(65536).endswith(b"\r\n\r\n"):
        pass
    join = masked_frame(json.dumps({"type": "join", "token": tokens(created)[0]}).encode(), MASK)
    act = {"type": "act", "ask": 3, "action": {"do": "mark", "number": 1}}
    pieces = [
        join,
        ping(1),
        ping(2) + masked_frame(json.dumps(act).encode(), MASK) + ping(4),
        part(Opcode.TEXT, 5, 0, False),
        part(Opcode.CONT, 5, 1, True),
        ping(6)[:7],
        ping(6)[7:] + ping(7),
        ping(8),
    ]

    async def told():
        frames, answers = Frames(), []
        for piece in pieces:
            line.sendall(piece)
            await asyncio.sleep(0.05)
        while len(answers) < 8:
            data = await asyncio.to_thread(line.recv, 65536)
            assert data, answers
            said = [json.loads(text) for _, text in frames.cut(data)]
            answers += [each["ask"] for each in said if each["type"] == "done"]
        return answers

    assert asyncio.run(told()) == [1, 2, 3, 4, 5, 6, 7, 8]
    line.close()
