"""A real server process and clients that talk to it."""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx2
from websockets.asyncio.client import connect

from endturn.engine.delta import patch

TESTS = Path(__file__).parent
# The server also knows the test games.
START = """
from endturn.games import GAMES
GAMES["treasure"] = "treasure_game"
GAMES["secrets"] = "hidden_game"
from endturn.cli import main
main()
"""


class Arena:
    """`endturn serve` on a free port."""

    def __init__(self, folder, *options, db=None, log=None):
        self.db = db or f"sqlite:///{folder}/arena.db"
        self.log_file = Path(log or f"{folder}/log-{time.monotonic_ns()}.txt")
        cadre = () if "--cadre-port" in options else ("--no-cadre",)
        command = [sys.executable, "-c", START, "serve", "--port", "0", *cadre, "--db", self.db, *options]
        environment = {**os.environ, "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{TESTS}"}
        with self.log_file.open("w") as file:
            self.process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=file, text=True
            )
        self.said = []
        while not (found := re.search(r"http://[^ ]*/", self._line())):
            pass
        self.url = found.group().rstrip("/")
        self.web = httpx2.Client(base_url=self.url, timeout=30)

    def _line(self):
        line = self.process.stdout.readline()
        assert line, f"the server did not start: {self.log()}"
        self.said.append(line)
        return line

    def log(self):
        return self.log_file.read_text()

    def stop(self, how=signal.SIGTERM):
        """Stop the server and return its exit code."""
        self.web.close()
        self.process.send_signal(how)
        rest, _ = self.process.communicate(timeout=30)
        self.said.append(rest)
        return self.process.returncode

    def memory(self):
        """Resident memory of the server process in bytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    @contextmanager
    def locked(self):
        """Hold the write lock of the SQLite database, as another program would."""
        other = sqlite3.connect(self.db.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("begin immediate")
        try:
            yield
        finally:
            other.execute("rollback")
            other.close()

    # --- over HTTP ---

    def until_health(self, status):
        """Poll /health until it answers with this status, and return the body."""
        for _ in range(400):
            answer = self.web.get("/health")
            if answer.status_code == status:
                return answer.json()
            time.sleep(0.05)
        raise AssertionError(answer.text)

    def create(self, game="treasure", seats=("me", "me"), **more):
        """Create a match and return the server's answer."""
        wishes = [
            {"kind": "bot", "bot": seat[4:]} if seat.startswith("bot:") else {"kind": seat} for seat in seats
        ]
        answer = self.web.post("/api/matches", json={"game": game, "seats": wishes, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def socket_url(self, match):
        return f"{self.url.replace('http', 'ws')}/api/matches/{match}/play"

    @asynccontextmanager
    async def join(self, match, token=None, since=0, **more):
        """A client that has joined and received the list of those present."""
        async with connect(self.socket_url(match), max_size=None, **more) as socket:
            client = Client(socket)
            await client.join(token, since)
            yield client


class Client:
    """One WebSocket client that applies changes to its view."""

    def __init__(self, socket):
        self.socket, self.asked = socket, 0
        self.heard, self.view, self.welcome = [], None, None

    async def join(self, token, since=0):
        await self.send({"type": "join", "token": token, "since": since})
        self.welcome = await self.until("welcome")
        await self.until("presence")

    async def send(self, message):
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hear(self, seconds=20):
        """The next message."""
        message = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        self.heard.append(message)
        if message["type"] == "welcome":
            self.view = message["view"]
        if message["type"] == "happened":
            self.view = patch(self.view, message["change"])
        return message

    async def until(self, *kinds):
        """Receive messages until one of these kinds arrives."""
        while (message := await self.hear())["type"] not in kinds:
            pass
        return message

    async def ask(self, kind, **more):
        """Send a request and wait for its answer."""
        self.asked += 1
        await self.send({"type": kind, "ask": self.asked, **more})
        while True:
            answer = await self.until("done", "refused", "malformed")
            if answer.get("ask") == self.asked:
                return answer

    async def act(self, do, **values):
        return await self.ask("act", action={"do": do, **values})

    def events(self):
        """All received events, including those of the welcome."""
        made = list(self.welcome["events"])
        made += [m["event"] for m in self.heard if m["type"] == "happened" and m["event"] is not None]
        return made


def tokens(created):
    return [each["token"] for each in created["tokens"]]


@contextmanager
def arena(folder, *options, db=None, log=None):
    """A server that stops at the end of the block."""
    made = Arena(folder, *options, db=db, log=log)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.stop()
        made.process.stdout.close()
