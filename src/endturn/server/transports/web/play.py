"""The WebSocket of a match: a client joins, sends requests, and receives answers and events.

The server answers a client's messages one at a time and reads the next message after the answer. It reads more slowly
from clients that exceed the rate limit, and drops clients that do not read.
"""

import asyncio
import secrets
import time
from functools import cache, partial
from typing import Any

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from endturn import protocol
from endturn.archive.store import ArchiveDown
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.delta import diff
from endturn.engine.game import Game
from endturn.engine.match import Match
from endturn.engine.rule import kernels, takes_dice
from endturn.protocol import (
    Act,
    BadMessage,
    Chat,
    Done,
    Join,
    Legal,
    Pause,
    Ping,
    Preview,
    Ready,
    Refused,
    Resign,
    Said,
    Undo,
    encode,
)
from endturn.server.live_match import Answer
from endturn.server.room import Room
from endturn.server.transports.limits import Bucket
from endturn.server.transports.web.endpoint import NotDone, problem, require_patience
from endturn.server.transports.web.gallery import Gallery, Guest, Line
from endturn.server.transports.web.matches import unknown_match
from endturn.server.transports.web.names import tidy
from endturn.server.transports.web.site import Site

LOG = structlog.get_logger("endturn.web")
JOIN_SECONDS = 10.0  # that a client may take to join
NOT_YOURS = Refusal(
    "leave", "Only the server reports timeouts and lost connections. Resign to leave the match."
)
MOST_MISTAKES = 50  # invalid messages after which a socket is closed
POLICY, TRY_LATER = 1008, 1013  # close codes


class Gone(Exception):
    """The server closes the client's socket, with a close code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def play(site: Site, socket: WebSocket) -> None:
    """One socket, from its first to its last message."""
    address = site.address(socket)
    refused = None
    try:
        room = await _admitted(site, socket, address)
    except NotDone as error:
        refused = error
    except ArchiveDown as error:
        refused = NotDone(503, str(error), "archive")
    if refused is not None:
        await socket.send_denial_response(problem(refused))
        return
    site.metrics.sockets.inc()
    try:
        await socket.accept()
        await _Talk(site, room, socket, address).run()
    finally:
        site.metrics.sockets.dec()
        site.places.leave(address)


async def _admitted(site: Site, socket: WebSocket, address: str) -> Room:
    """The room of a socket's match. Raises NotDone for a client that may not connect."""
    reason = site.origins.refuse(socket.headers.get("host", ""), socket.headers.get("origin"))
    if reason is not None:
        raise NotDone(403, reason, "origin")
    require_patience(site.requests.take(address))
    room = await site.lobby.find(match := socket.path_params["id"])
    if room is None:
        raise unknown_match(match)
    if not site.places.enter(address):
        raise NotDone(503, site.places.refusal(address), "full")
    return room


class _Talk:
    """A conversation with one client."""

    def __init__(self, site: Site, room: Room, socket: WebSocket, address: str) -> None:
        self.site, self.room, self.socket, self.address = site, room, socket, address
        self.bucket = Bucket(site.options.messages, time.monotonic())
        self.mistakes = 0
        self.line: Line | None = socket.scope["extensions"].get("endturn.line")
        self.listening = False  # whether `_read` waits for a message
        self.under_way: asyncio.Future[None] | None = None  # done when the current action is answered

    async def run(self) -> None:
        """Talk until either side closes the socket."""
        try:
            guest, gallery = await self._joined()
            try:
                await self._converse(guest)
            finally:
                gallery.leave(guest)
                self.site.let_go(gallery)
        except Gone as error:
            await self._close(error)
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # the client has disconnected: Starlette raises any of these

    async def _converse(self, guest: Guest) -> None:
        """Read and send messages until either direction ends."""
        both = [asyncio.create_task(self._listen(guest)), asyncio.create_task(self._speak(guest))]
        guest.on_drop = both[1].cancel  # it may wait for a client that does not read
        if self.line is not None:
            self.line.hears = partial(self._hear, guest)
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            ended = await asyncio.gather(*both, return_exceptions=True)
            # Break the reference cycle: a full garbage collection runs only every ten minutes.
            both.clear()
            guest.on_drop = lambda: None
        if guest.dropped:
            raise Gone(TRY_LATER, "You did not read the server's messages. Reconnect from your last event.")
        fault = next((each for each in ended if isinstance(each, Exception)), None)
        ended.clear()
        if fault is not None:
            try:
                raise fault
            finally:
                del fault

    async def _close(self, why: Gone) -> None:
        """Close the socket, without waiting for a client that does not read."""
        try:
            async with asyncio.timeout(1.0):
                await self.socket.close(why.code, why.reason)
        except (TimeoutError, RuntimeError, OSError):
            pass
        if why.code == TRY_LATER:
            self.site.metrics.dropped.inc()
            if self.line is not None:
                asyncio.get_running_loop().call_later(1.0, self.line.abort)

    # --- joining ---

    async def _joined(self) -> tuple[Guest, Gallery]:
        """Wait for the first message."""
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                while True:
                    said = await self._read()
                    if isinstance(said, Join):
                        joined = await self._join(said)
                        if not isinstance(joined, Refusal):
                            return joined
                        await self._answer(Refused(0, joined.rule, joined.reason))
                    elif said is not None:
                        await self._mistake(
                            "Send a `join` message first: with a seat's token to play, without one to watch."
                        )
        except TimeoutError:
            raise Gone(POLICY, f"Timed out: no `join` message within {JOIN_SECONDS:.0f} seconds.") from None

    async def _join(self, said: Join) -> tuple[Guest, Gallery] | Refusal:
        seat = self.site.lobby.seat_of(self.room, said.token)
        if isinstance(seat, Refusal):
            return seat
        guest, gallery = Guest(seat, self.site.outbox, self.line), self.site.gallery(self.room)
        answer = self.room.look(lambda: gallery.join(guest, said.since))
        return answer if isinstance(answer, Refusal) else (guest, gallery)

    # --- both directions ---

    async def _speak(self, guest: Guest) -> None:
        """Send the guest's messages that could not be written at once."""
        while True:
            await self.socket.send_text((await guest.next()).decode())

    async def _listen(self, guest: Guest) -> None:
        while True:
            said = await self._read(guest)
            if isinstance(said, Act) and guest.seat is not None:
                self._act(guest, guest.seat, said)
            elif said is not None:
                started = time.monotonic()
                answer = await self._asked(guest.seat, said)
                self._count(said, answer, started)
                await guest.give(encode(answer))

    def _hear(self, guest: Guest, raw: bytes) -> bool:
        """Play an action as soon as it arrives, if no other message is first. Leave other messages to `_listen`."""
        if not self.listening or self.under_way is not None or guest.seat is None:
            self.listening = False
            return False
        try:
            said = protocol.decode(raw)
        except BadMessage:
            said = None
        if not isinstance(said, Act) or self._must_wait():
            self.listening = False
            return False
        self._act(guest, guest.seat, said)
        return True

    def _act(self, guest: Guest, seat: int, said: Act) -> None:
        """Ask the room to play an action. `_acted` gets the answer, possibly at once."""
        self.under_way = asyncio.get_running_loop().create_future()
        then = partial(self._acted, guest, said, time.monotonic())
        answer = _posing(self.room.game, said.action) or self.room.play(then, seat, said.action)
        if answer is not None:
            then(answer)

    def _acted(self, guest: Guest, said: Act, started: float, answered: Answer) -> None:
        answer = _told(said.ask, answered)
        guest.tell(encode(answer))
        self._count(said, answer, started)
        under_way, self.under_way = self.under_way, None
        if under_way is not None and not under_way.done():
            under_way.set_result(None)

    def _must_wait(self) -> float:
        """Seconds until this client may send a request."""
        return self.bucket.take(1, time.monotonic()) or self.site.messages.take(self.address)

    def _count(self, said: Said, answer: Any, started: float) -> None:
        metrics = self.site.metrics
        metrics.answered(said.__struct_config__.tag, answer.__struct_config__.tag)
        if isinstance(said, Act):
            metrics.acting.observe(time.monotonic() - started)

    async def _read(self, guest: Guest | None = None) -> Said | None:
        """The next message, within the rate limits; None for an invalid message, after answering it."""
        self.listening = True
        received = await self.socket.receive()
        self.listening = False
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1000))
        if self.under_way is not None:
            await self.under_way
        while wait := self._must_wait():
            await asyncio.sleep(wait)
        raw = received.get("text") or received.get("bytes") or b""
        try:
            return protocol.decode(raw)
        except BadMessage as error:
            await self._mistake(str(error), guest, protocol.ask_in(raw))
            return None

    async def _mistake(self, reason: str, guest: Guest | None = None, ask: int | None = None) -> None:
        self.mistakes += 1
        self.site.metrics.answered("?", "malformed")
        message = protocol.MalformedMessage(reason, ask)
        if guest is not None:
            guest.tell(encode(message))
        else:
            await self._answer(message)
        if self.mistakes >= MOST_MISTAKES:
            raise Gone(POLICY, "Too many invalid messages.")

    async def _answer(self, message: Any) -> None:
        await self.socket.send_text(encode(message).decode())

    # --- requests ---

    async def _asked(self, seat: int | None, said: Said) -> Any:
        """The answer to a message."""
        if isinstance(said, Join):
            return protocol.MalformedMessage("You have already joined. Open another socket to join again.")
        if isinstance(said, Ping):
            return Done(said.ask)
        if isinstance(said, Chat):
            name = "a spectator" if seat is None else self.room.seats[seat].name
            words = tidy(said.text)
            if not words:
                return Refused(said.ask, "chat", "The message has no visible characters.")
            return _told(said.ask, await self.room.chat(seat, name, words))
        if seat is None:
            return Refused(said.ask, "seat", "Spectators cannot do that. Join with a seat's token to play.")
        return await self._played(seat, said)

    async def _played(self, seat: int, said: Any) -> Any:
        room = self.room
        if isinstance(said, Undo):
            return _told(said.ask, await room.undo(seat))
        if isinstance(said, Resign):
            return _told(said.ask, await room.leave(seat, "resigned"))
        if isinstance(said, Pause):
            return _told(said.ask, await room.pause(seat, said.on))
        if isinstance(said, Ready):
            return await self._ready(seat, said)
        think = self._legal if isinstance(said, Legal) else self._preview
        return await think(seat, said)

    async def _legal(self, seat: int, said: Legal) -> Any:
        """The legal actions of a seat. Listing them can be slow, so a thread does it, on a copy of the state."""
        game = self.room.game
        copy = self.room.look(lambda: game.storage.copy(self.room.match.state))
        if isinstance(copy, Refusal):
            return Refused(said.ask, copy.rule, copy.reason)
        if said.piece is not None and not 0 <= said.piece < game.choices.pieces(copy):
            return Refused(
                said.ask,
                "piece",
                f"There is no piece #{said.piece}. Piece must be 0 to {game.choices.pieces(copy) - 1}.",
            )

        def think() -> list[dict[str, Any]]:
            refuse = kernels(game, "plain").refuse
            return [game.actions.to_json(action) for action in game.legal(copy, seat, refuse, said.piece)]

        return Done(said.ask, {"actions": await self.site.beside(think)})

    async def _ready(self, seat: int, said: Ready) -> Any:
        """The pieces with at least one legal action. The list is empty during another seat's turn."""
        match = self.room.match

        def look() -> list[int]:
            mine = seat in match.to_act()
            count = match.game.choices.pieces(match.state) if mine else 0
            return [piece for piece in range(count) if next(match.legal(seat, piece), None) is not None]

        answer = self.room.look(look)
        if isinstance(answer, Refusal):
            return Refused(said.ask, answer.rule, answer.reason)
        return Done(said.ask, {"pieces": answer})

    async def _preview(self, seat: int, said: Preview) -> Any:
        """The preview of an action: the change of the view, and what the game adds to it."""
        answer = self.room.look(lambda: self._foreseen(seat, said))
        return _told(said.ask, answer) if isinstance(answer, Refusal | Malformed) else Done(said.ask, answer)

    def _foreseen(self, seat: int, said: Preview) -> Any:
        game, match = self.room.game, self.room.match
        action: Any = None
        if said.action is not None:
            refused = match.refuse(seat, said.action)
            if refused is not None:
                return refused
            action = game.actions.parse(said.action)
        elif game.knowledge.foresee is None:
            return Malformed(f"{game.title} has no preview without an action.")
        seen = {} if action is None else _imagined(match, seat, action)
        if game.knowledge.foresee is not None:
            seen |= game.knowledge.foresee(match.state, seat, action)
        return {"legal": True, **seen}


def _imagined(match: Match, seat: int, action: Any) -> dict[str, Any]:
    """The change of the view after an action, with other dice, and with random guesses at hidden information."""
    game, seed = match.game, secrets.randbits(64)
    if game.actions[type(action)].reveals and game.knowledge.conceal is None:
        return {}  # the preview would reveal what only playing the action may reveal
    start = game.storage.copy(match.state)
    start = game.knowledge.conceal(start, seat, seed) if game.knowledge.conceal else start
    copy = Match(game, match.settings, seed=seed, start=start)
    copy.submit(seat, action)
    certain = not takes_dice(game.actions[type(action)].apply)
    return {"change": diff(match.view(seat), copy.view(seat)), "certain": certain}


def _posing(game: Game, said: Any) -> Refusal | None:
    """Refuse an action that only the server may play: leaving for a reason other than resigning."""
    if game.rules.forfeit is None or (isinstance(said, dict) and said.get("do") != _way_out(game)):
        return None
    action, resigned = game.actions.parse(said), game.rules.forfeit("resigned")
    return NOT_YOURS if type(action) is type(resigned) and action != resigned else None


@cache
def _way_out(game: Game) -> str:
    """The name of the action that leaves the match."""
    assert game.rules.forfeit is not None
    return str(type(game.rules.forfeit("resigned")).__struct_config__.tag)


def _told(ask: int, answer: Accepted | Refusal | Malformed) -> Any:
    """A room's answer as a message of the protocol."""
    if isinstance(answer, Refusal):
        return Refused(ask, answer.rule, answer.reason)
    if isinstance(answer, Malformed):
        return protocol.MalformedMessage(answer.reason, ask)
    return Done(ask, {"turn": answer.turn})
