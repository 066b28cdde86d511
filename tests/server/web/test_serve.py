"""`endturn serve` as a program: starting, stopping, output, logs and secrets."""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from endturn.server import app
from endturn.server.transports.cadre import CadreConfig
from endturn.server.transports.web import endpoint
from web_arena import Arena, arena, tokens


def serve(*options):
    command = [sys.executable, "-c", "from endturn.cli import main; main()", "serve", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_matches_continue_after_a_clean_restart(tmp_path, how):
    first = Arena(tmp_path)
    created = first.create()
    match, ann = created["match"]["id"], tokens(created)[0]

    async def begin():
        async with first.join(match, ann) as client:
            await client.act("mark", number=9)
            assert await asyncio.to_thread(first.stop, how) == 0
            return client.view

    before = asyncio.run(begin())
    assert "All matches are saved" in "".join(first.said)
    first.process.stdout.close()
    with arena(tmp_path) as second:

        async def go_on():
            async with second.join(match, ann, since=1) as client:
                return client.view, client.welcome["events"], await client.act("end_turn")

        view, events, answer = asyncio.run(go_on())
    assert (view, events, answer["type"]) == (before, [], "done")


HALF = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"


def test_second_signal_stops_the_server_at_once(tmp_path, monkeypatch):
    async def inside():
        reached = asyncio.get_running_loop().create_future()
        config = app.Config(db=f"sqlite:///{tmp_path}/arena.db", port=0, cadre=None)
        serving = asyncio.create_task(app.serve(config, reached.set_result))
        host, port = (await reached).url.strip("htp:/").split(":")
        reader, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(HALF)
            assert (await reader.readline()).startswith(b"HTTP/1.1 100")  # it waits for the other half
            signal.raise_signal(signal.SIGTERM)
            await until_refused(host, port)
            assert not serving.done()
            signal.raise_signal(signal.SIGTERM)
            await asyncio.wait([serving], timeout=20)
            assert serving.done()
        finally:
            writer.close()
            signal.raise_signal(signal.SIGTERM)
            await serving

    monkeypatch.setattr(app, "GRACE_SECONDS", 3600)
    monkeypatch.setattr(endpoint, "BODY_SECONDS", 3600)
    app.run(inside())


async def until_refused(host, port):
    """Wait until the port is closed."""
    with pytest.raises(ConnectionRefusedError):
        while True:
            _, writer = await asyncio.open_connection(host, port)
            writer.close()
            await asyncio.sleep(0.01)


def test_clocks_start_when_the_server_is_reachable(tmp_path, monkeypatch):
    seen = {}

    async def slow(config, lobby, port):
        began = lobby.uptime.now()
        await asyncio.sleep(0.05)
        seen.update(lobby=lobby, began=began, then=lobby.uptime.now())

    async def inside():
        reached = asyncio.Event()
        config = app.Config(db=f"sqlite:///{tmp_path}/arena.db", port=0)

        def say(where):
            time.sleep(0.05)
            seen["said"] = seen["lobby"].uptime.now()
            reached.set()

        serving = asyncio.create_task(app.serve(config, say))
        await asyncio.wait_for(reached.wait(), 20)
        for _ in range(1000):
            if seen["lobby"].uptime.now() > seen["then"]:
                break
            await asyncio.sleep(0.005)
        seen["later"] = seen["lobby"].uptime.now()
        signal.raise_signal(signal.SIGTERM)
        await serving

    monkeypatch.setattr(app, "_start_cadre", slow)
    asyncio.run(inside())
    assert seen["began"] == seen["then"] == seen["said"] < seen["later"]


def test_own_pages_can_open_cadre_sockets(tmp_path):
    async def inside():
        ready = asyncio.get_running_loop().create_future()
        config = app.Config(
            db=f"sqlite:///{tmp_path}/arena.db", port=0, cadre=CadreConfig(port=0, http_port=0, web_port=0)
        )
        serving = asyncio.create_task(app.serve(config, ready.set_result))
        where = await ready
        address = f"ws://127.0.0.1:{where.cadre['web']}/"
        async with connect(address, origin=where.url.rstrip("/")) as line:
            await line.send('{"event":"alias","data":"anarchy"}')
            assert await line.recv() == '{"event":"named","data":"Anarchy"}'
        signal.raise_signal(signal.SIGTERM)
        await serving

    asyncio.run(inside())


def test_admin_key_is_shown_once_and_secrets_are_not_stored(tmp_path):
    with arena(tmp_path) as first:
        created = first.create()
        first.web.post("/api/accounts", json={"name": "Dora", "password": "correct horse"})
        key = key_in(first.said)

        async def look():
            async with first.join(created["match"]["id"], tokens(created)[0]) as client:
                await client.send("nonsense")
                await client.until("malformed")

        asyncio.run(look())
        first.stop()
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.name.startswith("arena.db"))
        for secret in (key, *tokens(created), "correct horse"):
            assert secret.encode() not in kept and secret not in first.log()
    with arena(tmp_path) as second:
        assert "key" not in "".join(second.said)


def key_in(said):
    """The admin key, if the server printed it."""
    found = re.search(r"shown once\): (\S+)", "".join(said))
    return found and found.group(1)


def test_stopping_without_the_archive_prints_a_warning(tmp_path):
    with arena(tmp_path, log=tmp_path / "log.txt") as made:
        made.create()
        (tmp_path / "arena.db").rename(tmp_path / "elsewhere.db")
        assert made.until_health(503)["reason"].endswith("arena.db was deleted or moved. Put it back.")
        assert made.stop() == 2
        assert (
            "All matches are saved" not in "".join(made.said)
            and "was deleted or moved. Put it back." in made.log()
        )


def test_failed_first_start_creates_no_admin_key(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = "--port", "0", "--cadre-port", str(taken.getsockname()[1])
        done = serve(*ports, "--db", f"sqlite:///{tmp_path}/arena.db")
    assert done.returncode == 2 and "for Cadre clients" in done.stderr
    with arena(tmp_path) as second:
        assert key_in(second.said)


def test_new_admin_key_replaces_the_old_one(tmp_path):
    with arena(tmp_path) as first:
        old = key_in(first.said)
    with arena(tmp_path, "--new-admin-key") as second:
        new = key_in(second.said)
        asked = [second.web.get("/metrics", headers={"Authorization": f"Bearer {key}"}) for key in (old, new)]
        assert [answer.status_code for answer in asked] == [401, 200]


@pytest.mark.parametrize(
    ("option", "port", "most"),
    [
        ("--port", "99999", 65535),
        ("--port", "-5", 65535),
        ("--cadre-port", "70000", 65447),
        ("--cadre-port", "65500", 65447),  # gamelogs are 80 above it, WebSockets 88
    ],
)
def test_invalid_port_is_one_clear_error(option, port, most):
    done = serve(option, port, "--db", "sqlite://")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert f"{port} is not in the range 0<=x<={most}" in done.stderr and option in done.stderr


def test_taken_port_is_one_clear_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = serve("--port", str(port), "--no-cadre", "--db", "sqlite://")
    assert done.returncode == 2
    assert done.stderr == f"Cannot listen at 127.0.0.1, port {port}: Address already in use.\n"


@pytest.mark.parametrize(
    "origin", ["notaurl", "arena.example", "https://", "https://arena.example/play", "null"]
)
def test_invalid_origin_is_one_clear_error(origin):
    done = serve("--port", "0", "--no-cadre", "--db", "sqlite://", "--origin", origin)
    assert done.returncode == 2
    assert done.stderr == f"Not an origin: {origin!r}. Expected something like https://arena.example.\n"


def test_unreadable_archive_is_one_clear_error(tmp_path):
    done = serve("--port", "0", "--no-cadre", "--db", f"sqlite:///{tmp_path}/no/such/folder.db")
    assert done.returncode == 2
    assert "unable to open database file" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("postgresql://u:sec@ret:pw@host:bad/x", "Invalid archive URL"),
        ("postgresql://u:sec@ret@host/x", "Invalid archive URL"),
        ("sqlite://u:secret@host/x.db", "Invalid archive URL"),
        ("arena.db", "Invalid archive URL"),
        ("mysql://u:secret@host/x", "does not support 'mysql' databases"),
        ("postgresql+psycopg2://u:secret@host/x", "does not support 'postgresql+psycopg2' databases"),
    ],
)
def test_invalid_db_url_hides_the_password(address, wrong):
    done = serve("--port", "0", "--no-cadre", "--db", address)
    assert done.returncode == 2 and wrong in done.stderr
    assert len(done.stderr.splitlines()) == 1 and "Use sqlite:///FILE or" in done.stderr
    assert not re.search("sec|ret|pw", done.stderr.lower().replace("postgresql", ""))


def test_public_host_prints_a_warning(tmp_path):
    with arena(tmp_path) as usual:
        assert usual.url.startswith("http://127.0.0.1:") and "Warning" not in usual.log()
    with arena(tmp_path, "--host", "0.0.0.0") as open_to_all:
        assert "other computers can reach 0.0.0.0" in open_to_all.log()


def test_browser_client_is_served(tmp_path):
    static = tmp_path / "static"
    static.mkdir()
    with arena(tmp_path, "--static", str(static)) as server:
        missing = server.web.get("/")
        assert missing.status_code == 404 and "npm run build" in missing.text
        (static / "assets").mkdir()
        (static / "index.html").write_text("<title>arena</title>")
        (static / "assets" / "app-1a2b.js").write_text("play()")
        (tmp_path / "secret.txt").write_text("secret")
        home = server.web.get("/")
        assert (home.status_code, home.text) == (200, "<title>arena</title>")
        typed = server.web.get("/match/abc", follow_redirects=False)
        assert (typed.status_code, typed.headers["location"]) == (303, "/#/match/abc")
        gone = "/assets/app-old.js", "/%2e%2e/secret.txt", "/..%2fsecret.txt"
        others = [server.web.get(path, follow_redirects=False) for path in gone]
        assert [answer.status_code for answer in others] == [404] * 3
        for answer in home, typed, *others:
            assert "default-src 'self'" in answer.headers["content-security-policy"]
        script = server.web.get("/assets/app-1a2b.js")
        assert script.text == "play()" and "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        assert server.web.get("/api/typo").status_code == 404


def test_log_can_be_json(tmp_path):
    with arena(tmp_path, "--log-json") as server:
        server.stop()
        assert '"event": "stopping"' in server.log()


def test_refused_socket_logs_no_error(tmp_path):
    async def refused(url, **more):
        with pytest.raises(InvalidStatus) as answer:
            async with connect(url, **more):
                pass
        return answer.value.response.status_code

    with arena(tmp_path, "--log-json") as server:
        match = server.create()["match"]["id"]
        assert asyncio.run(refused(server.socket_url(match), origin="https://evil.example")) == 403
        assert asyncio.run(refused(server.socket_url("nowhere"))) == 404
        host, port = server.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as broken:
            broken.sendall(b"\0\r\n\r\n")
            assert broken.recv(100).startswith(b"HTTP/1.1 400")
        assert server.stop() == 0
        said = [json.loads(line) for line in server.log().splitlines()]
    assert not [line for line in said if line["level"] == "error"]
    assert [line["event"] for line in said if line.get("logger") == "uvicorn.error"] == [
        "Invalid HTTP request received."
    ]


def test_cadre_ports_log_json_too(tmp_path):
    with arena(tmp_path, "--log-json", "--cadre-port", "0") as server:
        port = int(re.search(r"gamelogs are on port (\d+)", "".join(server.said)).group(1))
        with socket.create_connection(("127.0.0.1", port), timeout=20) as broken:
            broken.sendall(b"\0\r\n\r\n")
            assert broken.recv(100).startswith(b"HTTP/1.1 400")
        assert server.stop() == 0
        said = [json.loads(line) for line in server.log().splitlines()]
    assert "Invalid HTTP request received." in [line["event"] for line in said]


def test_seat_request_can_be_repeated_after_a_kill(tmp_path):
    """The server is killed after it saves the seat and before it answers: only the client knows the token."""
    chosen = "x" * 16 + "y" * 16
    with arena(tmp_path) as first:
        path = f"/api/matches/{first.create(seats=('me', 'link'))['match']['id']}"
        first.web.post(f"{path}/seats", json={"token": chosen})  # whose answer is as good as lost
        first.stop(signal.SIGKILL)
    with arena(tmp_path) as second:
        again = second.web.post(f"{path}/seats", json={"token": chosen})
        assert (again.status_code, again.json()) == (201, {"seat": 1, "token": chosen})
        assert second.web.post(f"{path}/seats", json={"token": "z" * 32}).json()["rule"] == "seat"
        assert second.web.post(f"{path}/seats", json={"token": "short"}).status_code == 400


def test_server_survives_an_unwritable_log(tmp_path):
    """A full disk often contains the log too, and the lobby logs that the archive is down."""
    with arena(tmp_path, log="/dev/full") as server:
        with server.locked():
            server.until_health(503)
        assert server.until_health(200)["status"] == "ok"


def test_cadre_clients_connect_to_their_own_port(tmp_path):
    with arena(tmp_path, "--cadre-port", "0") as server:
        port = int(re.search(r"Cadre clients connect to port (\d+)", "".join(server.said)).group(1))
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(b'{"event":"alias","data":"Anarchy","sentTime":0}\x04')
            said = b""
            while not said.endswith(b"\x04"):
                said += client.recv(4096) or pytest.fail("it hung up")
        assert b'"named"' in said and b"Anarchy" in said


def test_taken_cadre_port_is_one_clear_error(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = serve("--port", "0", "--cadre-port", str(port), "--db", f"sqlite:///{tmp_path}/arena.db")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Cannot listen at 127.0.0.1 for Cadre clients, ports")


def test_answers_are_sent_at_once_without_uvloop():
    """With Nagle's algorithm, the end of an answer would wait 40 ms for an acknowledgement of its start."""

    async def accepted():
        found = asyncio.get_running_loop().create_future()

        async def met(reader, writer):
            found.set_result(
                writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            )
            writer.close()

        listening = app._listen("127.0.0.1", 0)
        async with await asyncio.start_server(met, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return await found

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        assert runner.run(accepted()) != 0
