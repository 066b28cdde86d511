"""Limits per address and for the whole server on the Cadre ports."""

import asyncio
import json
import re
import socket
from urllib.parse import quote

import pytest

from endturn.server.transports.cadre import page_server
from endturn.server.transports.limits import Budget, Budgets
from server.cadre.client import SMALL, Client, pair, quick, serving
from server.cadre.test_hostile import said
from server.cadre.test_transcripts import ask


def seconds():
    return asyncio.get_running_loop().time()


# --- connections and messages ---


def test_connections_per_address_are_limited(tmp_path):
    async def go():
        async with serving(tmp_path, limits=quick(address_connections=2)) as server:
            one, _two, three = [await Client.connect(server) for _ in range(3)]
            assert "connections from your address" in (await three.until("fatal"))["message"]
            assert await three.closed()
            await one.leave()
            for _ in range(100):
                if len(server.sessions.clients) < 2:
                    break
                await asyncio.sleep(0.02)
            four = await Client.connect(server)
            await four.send("alias", "anarchy")
            assert await four.until("named", "fatal") == "Anarchy"

    asyncio.run(go())


def test_clients_of_one_address_share_its_rate(tmp_path):
    async def go():
        async with serving(tmp_path, limits=quick(address_rate=100)) as server:
            guests = [await Client.connect(server) for _ in range(4)]
            begun = seconds()
            for guest in guests:
                await guest.raw(said("alias", "anarchy") * 64)
            for guest in guests:
                for _ in range(64):
                    assert await guest.until("named") == "Anarchy"
            assert seconds() - begun > 1  # 256 messages: 100 are free, and allowances are 64

    asyncio.run(go())


def test_client_that_does_not_read_its_last_message_is_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr("endturn.server.transports.cadre.connections.LINGER", 0.2)

    async def go():
        async with serving(tmp_path) as server:
            deaf = socket.create_connection(("127.0.0.1", server.ports["tcp"]))
            await asyncio.sleep(0.1)
            (client,) = server.sessions.clients
            client.say(b"x" * 7_000_000)  # more than the socket buffers hold
            client.end()
            assert client.transport.get_write_buffer_size() > 0
            async with asyncio.timeout(5):
                while server.sessions.clients:
                    await asyncio.sleep(0.05)
            deaf.close()

    asyncio.run(go())


def test_budget_lasts_a_second_and_is_shared_in_turns():
    budget = Budget(10)
    assert [budget.spend(5, 100.0) for _ in range(4)] == [0.0, 0.0, 0.5, 1.0]
    assert budget.spend(5, 101.0) == 0.5
    assert budget.spend(10, 200.0) == 0.0 and budget.spend(10, 200.0) == 1.0
    assert Budget(0).spend(10**9, 0.0) == 0.0


def test_budget_outlives_a_connection():
    budgets = Budgets(10)
    assert budgets.of("::1") is budgets.of("::1") is not budgets.of("::2")


# --- the gamelogs' port ---


async def page(server):
    return await asyncio.open_connection("127.0.0.1", server.ports["http"])


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET /gamelogs HTTP/1.1\r\nHost: x\r\n\r\nGET /gam"])
def test_connection_without_a_request_is_closed(sent, tmp_path, monkeypatch):
    monkeypatch.setattr(page_server, "SILENT", 0.2)

    async def go():
        async with serving(tmp_path) as server:
            reader, writer = await page(server)
            writer.write(sent)
            async with asyncio.timeout(4):  # shorter than uvicorn's own keep-alive
                try:
                    while await reader.read(4096):
                        pass
                except ConnectionError:
                    pass
            writer.close()
            assert (await ask(server, "GET", "/gamelogs"))[0] == 200

    asyncio.run(go())


def test_gamelog_connections_per_address_are_limited(tmp_path):
    async def go():
        async with serving(tmp_path, limits=quick(address_pages=2)) as server:
            held = [await page(server) for _ in range(2)]
            reader, writer = await page(server)
            with pytest.raises(ConnectionError):
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                if await reader.read(1) == b"":
                    raise ConnectionError
            writer.close()
            for _, each in held:
                each.close()
            await asyncio.sleep(0.1)
            assert (await ask(server, "GET", "/gamelogs"))[0] == 200

    asyncio.run(go())


# --- pages ---


def test_size_of_a_setup_is_limited(tmp_path):
    async def go():
        async with serving(tmp_path, arena=True) as server:
            reader, writer = await page(server)
            writer.write(
                b"POST /setup HTTP/1.1\r\nHost: x\r\nContent-Length: 200000000\r\n\r\n" + b" " * 70_000
            )
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 413") and b"limit of 65536 bytes" in await reader.read(1000)
            writer.close()

    asyncio.run(go())


def test_aborted_setup_is_not_an_internal_error(tmp_path, capfd):
    async def go():
        async with serving(tmp_path, arena=True) as server:
            _, writer = await page(server)
            writer.write(b"POST /setup HTTP/1.1\r\nHost: x\r\nContent-Length: 200\r\n\r\n{")
            await writer.drain()
            await asyncio.sleep(0.1)
            writer.close()
            await asyncio.sleep(0.1)
            assert (await ask(server, "GET", "/gamelogs"))[0] == 200

    asyncio.run(go())
    assert "Exception in ASGI" not in capfd.readouterr().err


def test_arena_gamelog_is_named_without_the_time(tmp_path):
    async def go():
        async with serving(tmp_path, arena=True) as server:
            body = {
                "gameName": "Anarchy",
                "session": "final",
                "gameSettings": {"playerNames": ["Ann", "Bob"]},
            }
            assert await ask(server, "POST", "/setup", json.dumps(body)) == (200, b"{}")
            one, two, _ = await pair(server, None, "final")
            one.close()
            assert (await two.until("over"))["gamelogURL"].endswith("/gamelog/Anarchy-final")
            assert (await ask(server, "GET", "/gamelog/Anarchy-final.json.gz"))[0] == 200

    asyncio.run(go())


def test_archives_are_paged(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            for number in range(3):
                one, two, _ = await pair(server, SMALL, f"s{number}")
                one.close()
                await two.until("over")
            counts = {"": 3, "/": 3, "/Anarchy": 3, "/Catastrophe": 0, "/anarchy/1/2": 2, "/Anarchy/2/2": 1}
            for path, many in counts.items():
                status, text = await ask(server, "GET", f"/archives{path}")
                assert (status, text.count(b"<li>")) == (200, many), path
            assert b"Anarchy-s2-" in (await ask(server, "GET", "/archives/Anarchy/1/1"))[1]

    asyncio.run(go())


async def heads(server, path):
    """The headers of an answer."""
    reader, writer = await page(server)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: arena.example:3080\r\nConnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return head.decode().lower(), body.decode(errors="replace")


async def two_logs(server):
    for name in ("first", "second & last"):
        one, two, _ = await pair(server, SMALL, name)
        one.close()
        await two.until("over")


def test_gamelogs_are_listed_oldest_first_as_json(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            await two_logs(server)
            for path in ("/gamelogs", "/gamelog/latest", "/gamelog/nosuch", "/status/Anarchy/first"):
                head, _ = await heads(server, path)
                assert "content-type: application/json; charset=utf-8" in head, path
            names = json.loads((await ask(server, "GET", "/gamelogs"))[1])
            assert [name.split("-")[1] for name in names] == ["first", "second & last"]

    asyncio.run(go())


@pytest.mark.parametrize("path", ["/", "/archives"])
def test_pages_link_to_gamelogs_and_the_visualizer(path, tmp_path):
    async def go():
        async with serving(tmp_path, visualizer="http://watch.example/") as server:
            await two_logs(server)
            _, text = await heads(server, path)
            newest = re.findall(r'<li><a href="(/gamelog/[^"]*)">([^<]*)</a> <a href="([^"]*)">', text)[0]
            assert newest[1].startswith("Anarchy-second &amp; last-")
            assert newest[0].startswith("/gamelog/Anarchy-second%20%26%20last-")
            log = quote(f"http://arena.example:3080{newest[0]}", safe="")
            assert newest[2] == f"http://watch.example/?log={log}"
            assert (await ask(server, "GET", newest[0]))[0] == 200

    asyncio.run(go())


def test_session_with_a_slash_in_its_name_is_found(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            guest = await Client.connect(server)
            await guest.play("a/b c")
            said = json.loads((await ask(server, "GET", "/status/anarchy/a%2Fb%20c"))[1])
            assert (said["status"], said["gameSession"]) == ("open", "a/b c")

    asyncio.run(go())
