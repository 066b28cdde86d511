"""The gamelog port: escaping, setup of sessions, and an archive that is down."""

import asyncio
import json

from endturn.archive.store import ArchiveDown
from server.cadre.client import Client, pair, serving
from server.cadre.test_entering import FINAL, set_up
from server.cadre.test_transcripts import ask


def test_session_names_are_escaped(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            await (await Client.connect(server)).play("<script>x</script>")
            status, home = await ask(server, "GET", "/")
            assert status == 200 and b"<script>" not in home and b"&lt;script&gt;x" in home

    asyncio.run(go())


def test_empty_page_says_what_to_do(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            home, archives = [(await ask(server, "GET", path))[1] for path in ("/", "/archives")]
            assert b"There are no sessions" in home
            assert b"when its match is over" in home and b"when its match is over" in archives
            await (await Client.connect(server)).play("one")
            home = (await ask(server, "GET", "/"))[1]
            assert b"Anarchy one: open" in home and b"There are no sessions" not in home

    asyncio.run(go())


def test_session_is_set_up_only_once(tmp_path):
    async def go():
        async with serving(tmp_path, arena=True) as server:
            await set_up(server, password="sesame")
            status, said = await ask(server, "POST", "/setup", json.dumps(FINAL))
            assert (status, json.loads(said)) == (400, {"error": "session final is already taken."})
            assert server.sessions.open["Anarchy", "final"].password == "sesame"

    asyncio.run(go())


def test_page_works_while_the_archive_is_down(tmp_path, monkeypatch):
    def down(*args, **more):
        raise ArchiveDown("It does not answer.")

    async def go():
        async with serving(tmp_path) as server:
            for name in ("gamelog", "gamelog_names"):
                monkeypatch.setattr(server.lobby.store, name, down)
            for path in ("/gamelogs", "/gamelog/latest"):
                assert await ask(server, "GET", path) == (503, b'{"error":"It does not answer."}')
            for path in ("/", "/archives"):
                assert (await ask(server, "GET", path))[0] == 200

    asyncio.run(go())


def test_any_page_may_fetch_a_gamelog(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            one.close()
            await two.until("over")
            reader, writer = await asyncio.open_connection("127.0.0.1", server.ports["http"])
            writer.write(b"GET /gamelog/latest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            writer.close()
            assert b"access-control-allow-origin: *" in head and b"content-encoding: gzip" in head

    asyncio.run(go())
