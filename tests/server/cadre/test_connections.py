"""Connections to the gamelog port, and the limits of a closed or busy server."""

import asyncio

import pytest

from arena import until
from endturn.archive.store import GAMELOGS, insert
from endturn.server.transports.cadre import background_compiler, page_server
from endturn.server.transports.cadre.background_compiler import BackgroundCompiler
from server.cadre.client import Client, pair, serving
from server.cadre.test_play import GAMES

ASK = b"GET /gamelogs HTTP/1.1\r\nHost: x\r\n\r\n"


def test_busy_connection_has_a_maximum_age(tmp_path, monkeypatch):
    monkeypatch.setattr(page_server, "SILENT", 0.05)
    monkeypatch.setattr(page_server, "LONGEST", 0.2)

    async def go():
        async with serving(tmp_path) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.ports["http"])
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                async with asyncio.timeout(20):
                    while True:
                        writer.write(ASK)
                        await reader.readuntil(b"[]")
            writer.close()

    asyncio.run(go())


def test_slow_reader_gets_a_long_answer_in_full(tmp_path, monkeypatch):
    monkeypatch.setattr(page_server, "SILENT", 0.05)
    looks, look = [], page_server.PageConnection._look

    def counted(connection):
        looks.append(connection)
        look(connection)

    monkeypatch.setattr(page_server.PageConnection, "_look", counted)

    async def go():
        async with serving(tmp_path) as server:
            await pair(server)
            match = next(iter(server.lobby.rooms))
            large = {"match": match, "kind": "cadre", "name": "large", "packed": b"x" * 16_000_000}
            await server.lobby.journal.write(insert(GAMELOGS, large))
            reader, writer = await asyncio.open_connection("127.0.0.1", server.ports["http"])
            writer.write(b"GET /gamelog/large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
            seen = len(looks)
            await until(lambda: len(looks) > seen + 3)
            async with asyncio.timeout(20):
                assert len(await reader.read()) == 16_000_000
            writer.close()

    asyncio.run(go())


def test_closed_server_admits_nobody(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            await (await Client.connect(server)).play("new")
            await server.close()
            for port in server.ports.values():
                with pytest.raises(ConnectionError):
                    await asyncio.open_connection("127.0.0.1", port)

    asyncio.run(go())


def test_number_of_compiled_kinds_of_matches_is_limited(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    made = []
    monkeypatch.setattr(background_compiler, "ENOUGH", 2)
    monkeypatch.setattr(background_compiler, "MOST_KINDS", 1)
    monkeypatch.setattr(BackgroundCompiler, "_make", lambda self, game, settings, layout: made.append(layout))

    async def go():
        async with serving(tmp_path) as server:
            for number, game in enumerate(("Anarchy", "Catastrophe", "Anarchy")):
                one, two, order = await pair(server, GAMES[game], f"s{number}", gameName=game)
                for client, other in ((one, two), (two, one)):
                    await client.finish(order)
                    order = await other.until("order")
            rooms = list(server.lobby.rooms.values())
            assert made == [rooms[0].match.layout] and rooms[1].match.layout is not made[0]

    asyncio.run(go())
