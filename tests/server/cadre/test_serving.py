"""The Cadre transport of `endturn serve`, run as a process."""

import asyncio
import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from endturn.cli import serving
from endturn.server import app
from endturn.server.transports.cadre import NO_LIMITS, CadreConfig, Limits
from endturn.server.transports.web import options
from server.web.test_serve import serve
from web_arena import arena

EOT = b"\x04"


class Client:
    """A client that waits for each answer."""

    def __init__(self, port):
        self.socket, self.rest = socket.create_connection(("127.0.0.1", port), timeout=20), b""

    def send(self, event, data=None):
        self.socket.sendall(json.dumps({"event": event, "data": data}).encode() + EOT)

    def until(self, *events):
        while True:
            while EOT not in self.rest:
                data = self.socket.recv(1 << 16)
                if not data:
                    raise ConnectionError("it hung up")
                self.rest += data
            frame, self.rest = self.rest.split(EOT, 1)
            message = json.loads(frame)
            if message["event"] in events:
                return message["event"], message.get("data")

    def play(self, session="*", **more):
        self.send("play", {"gameName": "Anarchy", "requestedSession": session, **more})
        return self.until("lobbied", "fatal")


def answer_to(port, password, session="new"):
    client = Client(port)
    try:
        return client.play(session, password=password)
    finally:
        client.socket.close()


def ports(server):
    found = re.search(r"connect to port (\d+). Their gamelogs are on port (\d+)", "".join(server.said))
    return int(found[1]), int(found[2])


@contextmanager
def cadre(folder, *options):
    with arena(folder, "--cadre-port", "0", *options) as server:
        yield server, *ports(server)


def test_command_line_starts_an_arena_with_a_password(tmp_path):
    (tmp_path / "word").write_text("sesame\n")
    with cadre(tmp_path, "--cadre-arena", "--cadre-password-file", str(tmp_path / "word")) as (_, tcp, http):
        body = {"gameName": "Anarchy", "session": "final", "gameSettings": {"playerNames": ["Ann", "Bob"]}}
        with urlopen(Request(f"http://127.0.0.1:{http}/setup", json.dumps(body).encode())) as answer:
            assert answer.status == 200
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"http://127.0.0.1:{http}/")
        kind, said = answer_to(tcp, "wrong", "final")
        assert kind == "fatal" and "not a valid password" in said["message"]
        assert answer_to(tcp, "sesame", "final")[0] == "lobbied"


def test_password_from_the_environment_is_not_logged(tmp_path, monkeypatch):
    monkeypatch.setenv("ENDTURN_CADRE_PASSWORD", "open-sesame")
    with cadre(tmp_path) as (server, tcp, _):
        assert answer_to(tcp, None)[0] == "fatal"
        assert answer_to(tcp, "open-sesame")[0] == "lobbied"
        server.stop()
        assert "open-sesame" not in server.log() + "".join(server.said)


def test_client_hears_that_the_server_stops(tmp_path):
    with cadre(tmp_path) as (server, tcp, _), ThreadPoolExecutor(1) as pool:
        client = Client(tcp)
        assert client.play()[0] == "lobbied"
        stopped = pool.submit(server.stop)
        assert client.until("fatal")[1]["message"] == "The server is shutting down."
        client.socket.close()
        assert stopped.result() == 0


def test_password_file_without_a_password_is_one_clear_error(tmp_path):
    (tmp_path / "empty").write_text("\n")
    for name, sentence in (("empty", "the first line is empty"), ("none", "No such file")):
        done = serve("--port", "0", "--db", "sqlite://", "--cadre-password-file", str(tmp_path / name))
        assert done.returncode == 2 and sentence in done.stderr and "Traceback" not in done.stderr


def test_address_limits_can_be_turned_off():
    assert serving.cadre(3000, False, None, no_limits=True).limits == NO_LIMITS
    assert serving.cadre(3000, False, None, no_limits=False).limits == Limits()
    assert NO_LIMITS.address_connections == NO_LIMITS.address_rate == NO_LIMITS.address_pages == 0


def test_page_named_with_origin_may_open_a_websocket(tmp_path, monkeypatch):
    asked = []

    async def start(lobby, chosen):
        asked.append(chosen)

    monkeypatch.setattr(app, "start_cadre", start)
    cadre = CadreConfig(arena=True, password="p")
    config = app.Config(web=options(["https://arena.example"]), cadre=cadre)
    asyncio.run(app._start_cadre(config, None, 8000))
    [chosen] = asked
    assert (chosen.origins, chosen.arena, chosen.password) == (("https://arena.example",), True, "p")
    assert chosen.page_ports == (8000,)
