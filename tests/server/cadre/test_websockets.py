"""WebSockets: allowed origins and pings."""

import asyncio
import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from endturn.server.transports.cadre import connections
from endturn.server.transports.origins import Origins
from server.cadre.client import SMALL, Client, serving

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PING, PONG = b"\x89\x00", b"\x8a\x80\x00\x00\x00\x00"


async def silent(server):
    """A WebSocket that answers nothing by itself, and the server's end of it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.ports["web"])
    server.guests.append(Client(reader, writer))
    writer.write(HANDSHAKE)
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    (client,) = server.sessions.clients
    return reader, writer, client


def test_pages_of_this_servers_own_ports_may_open_a_websocket(tmp_path):
    async def go():
        async with serving(tmp_path, page_ports=[8000]) as server:
            place = f"ws://127.0.0.1:{server.ports['web']}"
            for port in (server.ports["http"], 8000):
                async with connect(place, origin=f"http://127.0.0.1:{port}") as page:
                    await page.send('{"event":"alias","data":"anarchy"}')
                    assert json.loads(await page.recv()) == {"event": "named", "data": "Anarchy"}
            for origin in ("http://127.0.0.1:8001", "http://127.0.0.1", "http://localhost:8000"):
                with pytest.raises(InvalidStatus, match="403"):
                    await connect(place, origin=origin)

    asyncio.run(go())


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:3088", "http://127.0.0.1:3080"),
        ("localhost:3088", "https://LOCALHOST:3080"),
        ("localhost", "http://localhost:3080"),
        ("[::1]:3088", "http://[::1]:3080"),
        ("127.0.0.1:3088", "http://127.0.0.1"),
    ],
)
def test_page_of_another_port_of_the_server_is_its_own(host, origin):
    assert Origins(ports=[3080, 80]).refuse(host, origin) is None
    assert Origins(ports=[3081]).refuse(host, origin) is not None


def test_silent_websocket_is_dropped(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            reader, _, client = await silent(server)
            now = client.loop.time()
            client.look_after(now + 21)
            assert await reader.readexactly(2) == PING
            client.look_after(now + 30)  # too early for the next ping
            client.look_after(now + 80)
            assert await reader.readexactly(2) == PING
            client.look_after(now + 82)
            with pytest.raises(ConnectionError):
                if await reader.read() == b"":
                    raise ConnectionError

    asyncio.run(go())


@pytest.mark.parametrize("sign", [PONG, b"\x81\x86\x00\x00\x00\x00 null "])
def test_any_frame_is_a_sign_of_life(sign, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            reader, writer, client = await silent(server)
            now = client.loop.time()
            client.look_after(now + 21)
            writer.write(sign)
            while not client._heard:
                await asyncio.sleep(0.01)
            client.look_after(now + 61)
            client.look_after(now + 120)
            assert await reader.readexactly(6) == PING * 3 and not client.closing

    asyncio.run(go())


def test_client_that_is_not_read_need_not_answer_pings(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            *_, client = await silent(server)
            now = client.loop.time()
            client.hold(True)
            client.look_after(now + 21)
            client.look_after(now + 90)
            await asyncio.sleep(0.05)
            assert server.sessions.clients == {client}

    asyncio.run(go())


def test_all_clients_are_checked_while_they_wait_or_play(tmp_path, monkeypatch):
    monkeypatch.setattr("endturn.server.transports.cadre.sessions.SWEEP", 0.02)
    monkeypatch.setattr(connections, "PING", 0.0)

    async def go():
        async with serving(tmp_path) as server:
            reader, *_ = await silent(server)
            assert await reader.readexactly(2) == PING
            over_tcp = await Client.connect(server)
            assert await over_tcp.play("new", SMALL) == "1"

    asyncio.run(go())
