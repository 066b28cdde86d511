"""A load test: so many matches over the WebSocket, so many actions a second, and how long each took to be answered.

Their actions are made beforehand by random play: a few dozen lists, each for the matches of one seed, so that most
matches differ and the server can save little by remembering. Whose action is next is by chance, as among people, so
that not all turns end at the same time. Actions are due at fixed times, whether or not the ones before were answered,
and their time counts from when they were due: a server that falls behind cannot hide it.
"""

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from endturn.engine.match import Match
from endturn.games import find
from endturn.protocol import Created, Done, NewMatch, Refused, SeatWish, decode_told, encode

OPENING = 50  # sockets that are opened at the same time
PATIENCE = 30.0  # seconds after the last action for answers to come in
LUCK = 1
SEEDS = 50  # of matches that differ


class Plan(NamedTuple):
    """What to do."""

    url: str
    game: str
    matches: int
    rate: float  # actions a second, in all
    seconds: float
    settings: dict[str, Any]


class Report(NamedTuple):
    """What came of it: counts, and milliseconds from when an action was due to its answer."""

    matches: int
    actions: int
    errors: int
    first_error: str | None
    seconds: float
    rate: float  # answered a second
    p50: float
    p99: float
    worst: float
    messages: int  # received


class Played(NamedTuple):
    """An action of the list: whose it is, and the message without its number."""

    seat: int
    action: dict[str, Any]


def script(plan: Plan, seed: int, length: int) -> list[Played]:
    """Actions of a random match, as many as one match has to play."""
    game = find(plan.game)
    match = Match(game, plan.settings, seed=seed)
    made: list[Played] = []
    while len(made) < length:
        waiting = match.to_act()
        if not waiting:
            raise ValueError(
                f"A random match of {game.title} ends after {len(made)} actions, before {length}."
            )
        action = match.random_action(waiting[0], LUCK, len(made))
        match.submit(waiting[0], action)
        made.append(Played(waiting[0], game.to_json(action)))
    return made


class Table:
    """One match: a socket for each seat, and how far it has come."""

    def __init__(self, sockets: list[ClientConnection], actions: list[Played], count: "Count") -> None:
        self.sockets, self.actions, self.count, self.next = sockets, actions, count, 0
        self.free = asyncio.Semaphore(1)  # taken while an action waits for its answer
        self.due = 0.0
        self.tasks = [asyncio.create_task(self._listen(socket)) for socket in sockets]

    async def play(self, due: float) -> None:
        """Send the next action as soon as the one before is answered."""
        await self.free.acquire()
        seat, action = self.actions[self.next]
        self.next += 1
        self.due = due
        await self.sockets[seat].send(encode({"type": "act", "ask": self.next, "action": action}).decode())

    async def _listen(self, socket: ClientConnection) -> None:
        async for message in socket:
            self.count.messages += 1
            # Most of what comes is what others did; only an answer is looked into.
            if message[:16] in ('{"type":"happene', '{"type":"presenc'):
                continue
            told = decode_told(message)
            if isinstance(told, Done):
                self.count.times.append(time.perf_counter() - self.due)
            else:
                self.count.wrong(told.reason if isinstance(told, Refused) else str(told))
            self.free.release()

    async def close(self) -> None:
        """Leave the table."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*(socket.close() for socket in self.sockets), return_exceptions=True)


class Count:
    """What has been counted so far."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.errors = self.messages = 0
        self.first_error: str | None = None

    def wrong(self, reason: str) -> None:
        """One more that was not answered well."""
        self.errors += 1
        self.first_error = self.first_error or reason


async def run(plan: Plan, opened: Callable[[str], None] = lambda line: None) -> Report:
    """Open all matches, play, and count; `opened` hears when all are open."""
    order = _order(plan)
    length = max(Counter(order).values())
    actions = [script(plan, seed, length) for seed in range(min(SEEDS, plan.matches))]
    count, limit = Count(), asyncio.Semaphore(OPENING)

    async def seated(number: int) -> Table:
        async with limit:
            seed = number % len(actions)
            return Table(await _open(plan, seed), actions[seed], count)

    began = time.perf_counter()
    tables = await asyncio.gather(*(seated(number) for number in range(plan.matches)))
    opened(f"{plan.matches} matches were opened in {time.perf_counter() - began:.1f} seconds")
    count.messages = 0
    try:
        return await _measure(plan, [tables[number] for number in order], count)
    finally:
        await asyncio.gather(*(table.close() for table in tables))


def _order(plan: Plan) -> list[int]:
    """In which matches the actions are played, one after the other."""
    chance = Random(LUCK)
    return [chance.randrange(plan.matches) for _ in range(max(1, int(plan.rate * plan.seconds)))]


async def _measure(plan: Plan, turns: list[Table], count: Count) -> Report:
    began, wanted = time.perf_counter(), len(turns)
    pending: set[asyncio.Task[None]] = set()
    for number, table in enumerate(turns):
        due = began + number / plan.rate
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        task = asyncio.create_task(table.play(due))
        pending.add(task)
        task.add_done_callback(pending.discard)
    deadline = time.perf_counter() + PATIENCE
    while len(count.times) + count.errors < wanted and time.perf_counter() < deadline:
        await asyncio.sleep(0.01)
    seconds = time.perf_counter() - began
    for _ in range(wanted - len(count.times) - count.errors):
        count.wrong("An action was not answered.")
    for task in pending:
        task.cancel()
    return _report(plan, count, seconds)


def _report(plan: Plan, count: Count, seconds: float) -> Report:
    times = sorted(1000 * each for each in count.times) or [0.0]
    p50, p99 = statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]
    return Report(
        plan.matches,
        len(count.times),
        count.errors,
        count.first_error,
        round(seconds, 2),
        round(len(count.times) / seconds, 1),
        round(p50, 2),
        round(p99, 2),
        round(times[-1], 2),
        count.messages,
    )


async def _open(plan: Plan, seed: int) -> list[ClientConnection]:
    wish = NewMatch(plan.game, [SeatWish("me")] * find(plan.game).seat_count, plan.settings, seed=f"{seed:x}")
    created = await asyncio.to_thread(_create, plan.url, wish)
    address = f"{plan.url.replace('http', 'ws', 1)}/api/matches/{created.match.id}/play"
    return [await _joined(address, each.token) for each in created.tokens]


def _create(url: str, wish: NewMatch) -> Created:
    said = Request(f"{url}/api/matches", encode(wish), {"Content-Type": "application/json"})
    with urlopen(said, timeout=PATIENCE) as answer:
        return msgspec.json.decode(answer.read(), type=Created)


async def _joined(address: str, token: str) -> ClientConnection:
    socket = await connect(
        address, max_size=None, compression=None, ping_interval=None, open_timeout=PATIENCE
    )
    await socket.send(encode({"type": "join", "token": token}).decode())
    await socket.recv()
    return socket
