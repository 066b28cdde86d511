"""A client written from the protocol's document alone, and a server on real sockets."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from endturn.archive.store import Store
from endturn.server.lobby import Lobby
from endturn.server.transports.cadre import CadreConfig, Limits, start_cadre

PATIENCE = 20  # seconds for one message
SMALL = "maxTurns=4&mapWidth=6&mapHeight=4&randomSeed=p1"


@cache
def empty_archive():
    """The bytes of an archive with empty tables. Creating the tables takes longer than most tests."""
    with TemporaryDirectory() as folder:
        Store(f"sqlite:///{folder}/arena.db").close()
        return (Path(folder) / "arena.db").read_bytes()


@asynccontextmanager
async def serving(folder, backend="plain", **options):
    """A server on free ports, with its archive in a folder."""
    if not (file := Path(folder) / "arena.db").exists():
        file.write_bytes(empty_archive())
    lobby = Lobby(Store(f"sqlite:///{folder}/arena.db"), backend)
    await lobby.start()
    server = await start_cadre(lobby, CadreConfig(port=0, http_port=0, web_port=0, **options))
    server.lobby, server.guests = lobby, []
    try:
        yield server
    finally:
        for guest in server.guests:
            await guest.leave()
        await server.close()
        await lobby.close()
        lobby.store.close()


def quick(**limits):
    return Limits(**limits)


def said(event, data=None):
    """A message as bytes."""
    return json.dumps({"event": event, "data": data}).encode() + b"\x04"


class Closed(Exception):
    """The server has closed the connection."""


class Client:
    """One connection. `state` is the state merged from deltas."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.state, self.player, self.heard = {}, None, []

    @classmethod
    async def connect(cls, server):
        made = cls(*await asyncio.open_connection("127.0.0.1", server.ports["tcp"], limit=1 << 24))
        server.guests.append(made)
        return made

    async def send(self, event, data=None):
        await self.raw(said(event, data))

    async def raw(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def receive(self):
        """Receive the next message; merge it if it is a delta."""
        try:
            async with asyncio.timeout(PATIENCE):
                frame = await self.reader.readuntil(b"\x04")
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise Closed from error
        message = json.loads(frame[:-1].decode("ascii"))
        self.heard.append(message)
        if message["event"] == "delta":
            merge(self.state, message["data"])
        return message

    async def until(self, *events):
        """The data of the next message with one of these events; earlier deltas are merged."""
        while True:
            message = await self.receive()
            if message["event"] in events:
                return message.get("data")

    async def silent(self, seconds=0.2):
        """Whether no message comes for a while."""
        try:
            async with asyncio.timeout(seconds):
                await self.reader.readuntil(b"\x04")
        except TimeoutError:
            return True
        return False

    async def closed(self):
        """Whether the server closes now, without a message."""
        try:
            await self.receive()
        except Closed:
            return True
        return False

    async def play(self, session="*", settings=None, **more):
        data = {"gameName": "Anarchy", "requestedSession": session, "playerName": "A", "clientType": "Raw"}
        if settings is not None:
            data["gameSettings"] = settings
        await self.send("play", data | more)
        return (await self.until("lobbied"))["gameSession"]

    async def run(self, caller, function, **args):
        await self.send("run", {"caller": {"id": caller}, "functionName": function, "args": args})
        return await self.until("ran")

    async def finish(self, order, returned=True):
        await self.send("finished", {"orderIndex": order["index"], "returned": returned})

    def close(self):
        self.writer.close()

    async def leave(self):
        """Close the connection and wait for it."""
        self.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    @property
    def objects(self):
        return self.state["gameObjects"]

    def mine(self, seat, kind="Warehouse"):
        """The ids of a seat's buildings of a kind, without the headquarters and buildings at the edge."""
        return [
            said
            for said, each in self.objects.items()
            if each["gameObjectName"] == kind
            and each["owner"] == {"id": str(seat)}
            and not each["isHeadquarters"]
            and each["x"] > 0
            and each["y"] > 0
        ]


def merge(state, delta):
    """Section 5 of the protocol's document: a list is a dictionary with its length and indices."""
    for key, value in delta.items():
        if key == "&LEN":
            for index in [k for k in state if k != "&LEN" and int(k) >= value]:
                del state[index]
            state["&LEN"] = value
        elif value == "&RM":
            state.pop(key, None)
        elif isinstance(value, dict) and isinstance(state.get(key), dict):
            merge(state[key], value)
        elif isinstance(value, dict):
            state[key] = {}
            merge(state[key], value)
        else:
            state[key] = value


def as_lists(value):
    """A merged state with its lists as lists."""
    if isinstance(value, dict) and "&LEN" in value:
        return [as_lists(value[str(i)]) for i in range(value["&LEN"])]
    return {k: as_lists(v) for k, v in value.items()} if isinstance(value, dict) else value


async def pair(server, settings=SMALL, session="*", **more):
    """Two clients in a session that has started, and the first client's first order."""
    one, two = await Client.connect(server), await Client.connect(server)
    name = await one.play(session, settings, **more)
    await two.play(name, **more)
    for client in (one, two):
        client.player = (await client.until("start"))["playerID"]
    return one, two, await one.until("order")
