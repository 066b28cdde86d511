"""A load test: plays many matches over the WebSocket at a fixed rate of actions, and measures the response times.

Random play makes the actions beforehand: a list for each of a few dozen seeds, so that most matches differ and the
server gains little from caches. The match that plays next is random, as with people, so turns do not all end at the
same time. Actions are due at fixed times, even if earlier ones have no answer yet, and response times count from the
due time: a server that falls behind cannot hide it.
"""

import asyncio
import gc
import ssl
import statistics
import time
from collections import Counter, deque
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import msgspec
from websockets.client import ClientProtocol
from websockets.protocol import State
from websockets.uri import parse_uri

from endturn.engine.match import Match
from endturn.games import find
from endturn.protocol import Created, NewMatch, SeatWish, encode
from endturn.server.app import loop_factory
from endturn.server.transports.web.frames import MASKED, Frames, masked_frame, unmasked

OPENING = 50  # matches opened at the same time
PATIENCE = 30.0  # seconds to wait for answers after the last action
SEED = 1  # of the random play
SEEDS = 50  # of different matches
TICK = 0.001  # seconds between checks for due actions
PING, PONG = 0x89, 0x8A
MASK = b"mask"  # of all frames, so that they can be made beforehand
DONE, NEWS = b'{"type":"done"', (b'{"type":"happened"', b'{"type":"presence"')


class LoadPlan(NamedTuple):
    """What to play, and how fast."""

    url: str
    game: str
    matches: int
    rate: float  # actions per second, in all matches together
    seconds: float
    settings: dict[str, Any]


class LoadReport(NamedTuple):
    """The result: counts, and response times in milliseconds."""

    matches: int
    actions: int
    errors: int
    first_error: str | None
    seconds: float
    rate: float  # answers per second
    p50: float
    p99: float
    worst: float
    messages: int  # received
    cpu: float  # seconds of CPU time that the load test itself used


class Played(NamedTuple):
    """An action: its seat, and the WebSocket frame that plays it."""

    seat: int
    frame: bytes


def script(plan: LoadPlan, seed: int, length: int) -> list[Played]:
    """The first actions of a random match."""
    game = find(plan.game)
    match = Match(game, plan.settings, seed=seed)
    made: list[Played] = []
    while len(made) < length:
        waiting = match.to_act()
        if not waiting:
            raise ValueError(
                f"A random match of {game.title} ends after {len(made)} actions, before {length}."
            )
        action = match.random_action(waiting[0], SEED, len(made))
        match.submit(waiting[0], action)
        said = {"type": "act", "ask": len(made) + 1, "action": game.actions.to_json(action)}
        made.append(Played(waiting[0], masked_frame(encode(said), MASK)))
    return made


class PlayerSocket(asyncio.Protocol):
    """The socket of a seat. It uses little CPU time, because the server may run on the same computer."""

    def __init__(self, address: str, token: str) -> None:
        self._uri, self._token = parse_uri(address), token
        self._opening: ClientProtocol | None = ClientProtocol(self._uri)
        self._frames = Frames()
        self.transport: Any = None
        self.answered: Callable[[bytes], None] = self._welcome
        self.joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.messages = 0

    def connection_made(self, transport: Any) -> None:
        """Request a WebSocket."""
        self.transport = transport
        assert self._opening is not None
        self._opening.send_request(self._opening.connect())
        transport.write(b"".join(self._opening.data_to_send()))

    def data_received(self, data: bytes) -> None:
        """Handle answers and pings. Events are only counted."""
        if self._opening is not None:
            self._open(data)
            return
        for kind, text in self._frames.cut(data):
            if kind == PING:
                self.transport.write(bytes((PONG, MASKED | len(text))) + MASK + unmasked(text, MASK))
            elif not text.startswith(NEWS):
                self.answered(text)
            self.messages += 1

    def connection_lost(self, error: Exception | None) -> None:
        """Count a closed connection as an error, if an answer was due."""
        self.answered(b"")

    def _open(self, data: bytes) -> None:
        assert self._opening is not None
        self._opening.receive_data(data)
        if self._opening.handshake_exc is not None:
            self.joined.set_exception(self._opening.handshake_exc)
        elif self._opening.state is State.OPEN:
            self._opening = None
            self.transport.write(masked_frame(encode({"type": "join", "token": self._token}), MASK))

    def _welcome(self, text: bytes) -> None:
        if not self.joined.done():
            refused = None if text.startswith(b'{"type":"welcome"') else ConnectionError(text[:200].decode())
            self.joined.set_exception(refused) if refused else self.joined.set_result(None)


class LoadMatch:
    """One match: a socket for each seat, and the next action."""

    def __init__(self, players: list[PlayerSocket], actions: list[Played], count: "Count") -> None:
        self.players, self.actions, self.count, self.next = players, actions, count, 0
        self.due: deque[float] = deque()  # due times: of the action that was sent, and of those that wait
        for player in players:
            player.answered = self._answered

    def play(self, due: float) -> None:
        """Send the next action, once the one before is answered."""
        self.due.append(due)
        if len(self.due) == 1:
            self._send()

    def _send(self) -> None:
        seat, frame = self.actions[self.next]
        self.next += 1
        self.players[seat].transport.write(frame)

    def _answered(self, text: bytes) -> None:
        if not self.due:
            return  # the test is over
        due = self.due.popleft()
        if text.startswith(DONE):
            self.count.times.append(time.perf_counter() - due)
        else:
            self.count.wrong(text[:300].decode() or "The server closed the connection.")
        if self.due:
            self._send()

    def close(self) -> None:
        """Close the sockets."""
        self.due.clear()
        for player in self.players:
            player.transport.close()


class Count:
    """Response times and errors so far."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.errors = 0
        self.first_error: str | None = None

    def wrong(self, reason: str) -> None:
        """Count an error."""
        self.errors += 1
        self.first_error = self.first_error or reason


def run(plan: LoadPlan, opened: Callable[[str], None] = lambda line: None) -> LoadReport:
    """Run a load test. `opened` gets a line of text when all matches are open."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(_run(plan, opened))


async def _run(plan: LoadPlan, opened: Callable[[str], None]) -> LoadReport:
    order = _order(plan)
    length = max(Counter(order).values())
    actions = [script(plan, seed, length) for seed in range(min(SEEDS, plan.matches))]
    count, limit = Count(), asyncio.Semaphore(OPENING)

    async def seated(number: int) -> LoadMatch:
        async with limit:
            seed = number % len(actions)
            return LoadMatch(await _open(plan, seed), actions[seed], count)

    began = time.perf_counter()
    matches = await asyncio.gather(*(seated(number) for number in range(plan.matches)))
    opened(f"opened {plan.matches} matches in {time.perf_counter() - began:.1f} seconds")
    for player in (players := [player for match in matches for player in match.players]):
        player.messages = 0
    gc.freeze()
    gc.disable()  # a garbage collection here would count as response time
    try:
        used = time.process_time()
        seconds = await _measure(plan, [matches[number] for number in order], count)
        used = time.process_time() - used
        return _report(plan, count, seconds, sum(player.messages for player in players), used)
    finally:
        gc.enable()
        for match in matches:
            match.close()


def _order(plan: LoadPlan) -> list[int]:
    """The match of each action, in the order of play."""
    random = Random(SEED)
    return [random.randrange(plan.matches) for _ in range(max(1, int(plan.rate * plan.seconds)))]


async def _measure(plan: LoadPlan, turns: list[LoadMatch], count: Count) -> float:
    """Play each action when it is due. Returns the seconds until the last answer."""
    began, sent = time.perf_counter(), 0
    while sent < len(turns):
        passed = time.perf_counter() - began
        while sent < len(turns) and sent / plan.rate <= passed:
            turns[sent].play(began + sent / plan.rate)
            sent += 1
        await asyncio.sleep(TICK)
    deadline = time.perf_counter() + PATIENCE
    while len(count.times) + count.errors < sent and time.perf_counter() < deadline:
        await asyncio.sleep(TICK)
    seconds = time.perf_counter() - began
    for _ in range(sent - len(count.times) - count.errors):
        count.wrong("An action was not answered.")
    return seconds


def _report(plan: LoadPlan, count: Count, seconds: float, messages: int, used: float) -> LoadReport:
    times = sorted(1000 * each for each in count.times) or [0.0]
    p50, p99 = statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]
    return LoadReport(
        plan.matches,
        len(count.times),
        count.errors,
        count.first_error,
        round(seconds, 2),
        round(len(count.times) / seconds, 1),
        round(p50, 2),
        round(p99, 2),
        round(times[-1], 2),
        messages,
        round(used, 2),
    )


async def _open(plan: LoadPlan, seed: int) -> list[PlayerSocket]:
    wish = NewMatch(plan.game, [SeatWish("me")] * find(plan.game).seat_count, plan.settings, seed=f"{seed:x}")
    created = await asyncio.to_thread(_create, plan.url, wish)
    address = f"{plan.url.replace('http', 'ws', 1)}/api/matches/{created.match.id}/play"
    return [await _joined(address, each.token) for each in created.tokens]


def _create(url: str, wish: NewMatch) -> Created:
    said = Request(f"{url}/api/matches", encode(wish), {"Content-Type": "application/json"})
    with urlopen(said, timeout=PATIENCE) as answer:
        return msgspec.json.decode(answer.read(), type=Created)


async def _joined(address: str, token: str) -> PlayerSocket:
    uri = parse_uri(address)
    secure = ssl.create_default_context() if uri.secure else None
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE):
        _, player = await loop.create_connection(
            lambda: PlayerSocket(address, token), uri.host, uri.port, ssl=secure
        )
        await player.joined
    return player
