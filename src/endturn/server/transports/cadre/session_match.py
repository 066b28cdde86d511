"""The match of a session: it connects clients of the Cadre protocol to the seats of a room.

The room plays and archives what clients run; then all clients get the change as a delta. Messages of one client are
handled one at a time. A client that waits for an answer gets it at once; others get the delta a little later.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import structlog

from endturn.archive.store import Row
from endturn.cadre import dialect
from endturn.cadre.deltas import escape_removed
from endturn.cadre.gamelogs import GamelogWriter, entry, file_name, ran, standings
from endturn.cadre.live import Live
from endturn.cadre.messages import (
    DELTA,
    INVALID,
    TICK,
    UNCHANGED,
    answered_with,
    encoded,
    event,
    fatal,
    in_json,
    in_script,
    run_in,
    with_json,
)
from endturn.cadre.runs import action_for, as_boolean, function_of, log_note, understand
from endturn.cadre.state import SessionFacts, find_object, reference
from endturn.cadre.table import Note, Run, Verdict, WireFunction
from endturn.engine.actions import Action, Leave, Why
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.server.history import Entry
from endturn.server.journal import Journal
from endturn.server.live_match import Answer, is_passing
from endturn.server.room import Room
from endturn.server.transports.cadre.background_compiler import BackgroundCompiler
from endturn.server.transports.cadre.connections import Client
from endturn.server.transports.cadre.saved_session import GAMELOG_KIND, SavedSession, archive_gamelog

LOG = structlog.get_logger("endturn.cadre")
NOTES = 1 << 20  # characters that the clients of a session may log
MOST_WAITING = 64  # messages of a client in the queue before the server stops reading from it
GOODBYE = 1.0  # seconds from the end of a match until its connections close
NOT_YOUR_TURN = "It is not your turn."
TIMED_OUT = "Your client has run out of time, and has been timed out."
BROKEN = "An unhandled fatal error occurred on the server:\n\n"


class Member:
    """A client in a session, as a player or spectator."""

    def __init__(self, client: Client, name: str, kind: str, wanted: int | None, spectating: bool) -> None:
        self.client, self.name, self.kind = client, name, kind
        self.wanted, self.spectating = wanted, spectating
        self.meta = False  # gets gamelog entries instead of deltas
        self.told = False  # gets our settings with `start`
        self.session: Any = None
        self.match: SessionMatch | None = None
        self.seat: int | None = None
        self.pending: PendingRun | FinishedOrder | None = None  # what the room has yet to answer
        self.waiting: deque[tuple[str, Any]] = deque()

    def answered(self, answer: Answer) -> None:
        """Pass the room's answer on to the match."""
        if self.match is not None:
            self.match.answered(self, answer)


class PendingRun(msgspec.Struct):
    """A run that the room has yet to decide on."""

    run: Run
    function: WireFunction
    said: Action | Note | Malformed


class FinishedOrder(NamedTuple):
    """The end of an order, which the room has yet to accept."""

    order: int
    returned: Any
    ends: bool  # whether the turn ends; otherwise it starts again


class Links(NamedTuple):
    """Where clients find gamelogs."""

    http_port: int
    visualizer: str

    def watch(self, url: str) -> str:
        """The URL at which the visualizer shows a gamelog."""
        return f"{self.visualizer}?log={quote(url, safe='')}"


class SharedServices(NamedTuple):
    """What the sessions of a server share."""

    journal: Journal
    links: Links
    compiler: BackgroundCompiler | None


class SessionMatch:
    """The match of one session."""

    def __init__(
        self,
        room: Room,
        saved: SavedSession,
        players: dict[int, Member],
        watching: list[Member],
        shared: SharedServices,
        on_end: Callable[["SessionMatch"], None],
    ) -> None:
        self.room, self.saved = room, saved
        self.dialect = dialect(room.game)
        self.era = saved.era
        self.players, self.watching = players, watching
        self.everyone = [*players.values(), *watching]
        self.verdict: Verdict | None = None
        self.left: tuple[int, str] | None = None  # the seat that left, and how
        self.gamelog_name: str | None = None
        self._journal, self._links, compiler = shared
        self._compiler = compiler if room.backend == "plain" else None
        self._on_end = on_end
        self._tasks: set[asyncio.Task[None]] = set()
        self._orders: dict[int, set[int]] = {seat: set() for seat in range(room.game.seat_count)}
        self._counts = [0] * room.game.seat_count  # orders so far, by seat
        self._noted = 0
        self._leave_tag = room.game.actions.to_json(Leave())["do"]
        self.session = self._session()
        self.live = Live(self.dialect, room.match, self.era, self.session)
        self._to_act = room.match.to_act()
        self._unsubscribe: Callable[[], None] = lambda: None  # before the start
        room.name_things(self.live.names())
        self.log = GamelogWriter(self.dialect, saved)

    def _session(self) -> SessionFacts:
        saved = self.saved
        names, kinds = (tuple(map(escape_removed, texts)) for texts in (self.room.match.players, saved.kinds))
        clocks: list[float] = [saved.settings["playerStartingTime"]] * len(names)
        added = saved.settings["timeAddedPerTurn"]
        unused = {name: saved.settings[name] for name in self.dialect.unused if name in saved.settings}
        return SessionFacts(escape_removed(saved.session), names, kinds, clocks, added, {}, unused)

    # --- start ---

    def start(self) -> None:
        """Send the first state to all clients and the first order to the seats to act."""
        self._unsubscribe = self.room.subscribe(self._happened)
        self._tell("start", None, encoded(self.live.first()))
        for member in self.everyone:
            member.match = self
            member.client.say(event("start", self._start_of(member)))
        self._order()
        for member in list(self.everyone):
            if member.client.closing:
                self.vanished(member)

    def _start_of(self, member: Member) -> dict[str, Any]:
        said: dict[str, Any] = {} if member.seat is None else {"playerID": str(member.seat)}
        return said | ({"settings": self.room.row["settings"]} if member.told else {})

    def _order(self) -> None:
        """Send an order to each seat that may act. In 2022 the gamelog has it, with the changes of the turn's start."""
        self._to_act = self.room.match.to_act()
        for seat in self._to_act:
            said = _order_of(self._counts[seat])
            if self.era == "2022":
                self._tell("order", {"player": reference(seat), "order": said}, self._step(True))
            self._send_order(seat, said)

    def _send_order(self, seat: int, said: dict[str, Any]) -> None:
        self._orders[seat].add(self._counts[seat])
        self._counts[seat] += 1
        if seat in self.players:
            self.players[seat].client.say(event("order", said))

    # --- deltas and the gamelog ---

    def _tell(self, kind: str, data: Any, game: bytes) -> None:
        """Log an event and send its delta, `game`, to all clients."""
        self._tell_entry(entry(kind, data, game), game)

    def _tell_entry(self, made: bytes, game: bytes) -> None:
        """Add an entry to the gamelog and send its delta, if it has one, to all clients."""
        self.log.note(made)
        if game != UNCHANGED:
            plain = DELTA % game
            for member in self.everyone:
                member.client.tell(self._as_meta(made) if member.meta else plain)

    def _as_meta(self, made: bytes) -> bytes:
        return with_json("delta" if self.era == "2017" else "meta-delta", made)

    def _read_clocks(self, *seats: int) -> None:
        """Read the time left at the last stop of each clock."""
        for seat in seats:
            self.session.clocks[seat] = int(self.room.left_when_stopped(seat) * 1e6)

    def _step(self, settled: bool = False, verdict: Verdict | None = None) -> bytes:
        """The delta since the last one. Call it only between two actions: only then is the room's match archived."""
        match = self.room.match
        self._to_act = match.to_act()
        return in_json(self.live.step(match, settled, verdict))

    def _look_at_clock(self, seat: int) -> None:
        """Read the time left now if the clock runs. The time of a stopped clock is known already."""
        room = self.room
        if room.thinks(seat):
            self.session.clocks[seat] = int((room.remaining(seat) or 0) * 1e6)

    def _tick(self, seat: int) -> bytes:
        """The delta of a seat's clock, read now."""
        self._look_at_clock(seat)
        return self._ticked(seat)

    def _ticked(self, seat: int) -> bytes:
        """The delta of a seat's clock, as last read."""
        return TICK % (seat, self.session.clocks[seat]) if self.live.tick(seat) else UNCHANGED

    # --- messages of clients ---

    def received(self, member: Member, what: str, data: Any) -> None:
        """Handle or queue a client's message. Messages of spectators are ignored."""
        if member.seat is None or self.verdict is not None:
            return
        if member.pending is None and not member.waiting:
            return self._run(member, data) if type(data) is Run else self._serve(member, what, data)
        member.waiting.append((what, data))
        if len(member.waiting) == MOST_WAITING:
            member.client.hold(True)

    def _serve(self, member: Member, what: str, data: Any) -> None:
        if what == "run":
            self._run(member, data if type(data) is Run else run_in(data))
        elif what == "finished":
            self._finished(member, data if isinstance(data, dict) else {})

    def _next(self, member: Member) -> None:
        """Handle the messages that waited for the room's answer."""
        member.pending = None
        while (
            member.waiting and member.pending is None and not member.client.closing and self.verdict is None
        ):
            if len(member.waiting) == MOST_WAITING:
                member.client.hold(False)
            self._serve(member, *member.waiting.popleft())

    def _fatal(self, member: Member, message: str) -> None:
        member.client.end(fatal(message))

    def _run(self, member: Member, run: Run) -> None:
        """Handle a run. Nearly all messages are runs, so this path is short."""
        seat, objects = member.seat, self.live.objects
        assert seat is not None
        caller, name = find_object(run.caller, objects), run.function_name
        if caller is None:
            named = in_script(run.caller)
            return self._fatal(member, f"Cannot determine the calling game object of {named} to run for.")
        kind, number = caller["gameObjectName"], caller["id"]
        function = function_of(self.dialect, kind, name) if isinstance(name, str) else None
        if function is None:
            return self._fatal(member, f"{kind} #{number} does not have a method {in_script(name)}")
        means = action_for(self.dialect, objects, self.live.state, self.era, run, number, function)
        if isinstance(means, Malformed):
            self._refuse(member, run, function, means.reason)
        elif seat not in self._to_act and (self.era == "2022" or not isinstance(means, Note)):
            self._refuse(member, run, function, NOT_YOUR_TURN)
        elif isinstance(means, Note):
            self._note(member, run, function, means)
        else:
            self._ask(member, PendingRun(run, function, means), means)

    def _ask(self, member: Member, asked: PendingRun | FinishedOrder, action: Action | Malformed) -> None:
        """Ask the room to play an action for a client."""
        assert member.seat is not None
        member.pending = asked
        answer = self.room.play(member.answered, member.seat, action)
        if answer is not None:
            member.pending = None
            self._refused(member, asked, answer)

    def answered(self, member: Member, answer: Answer) -> None:
        """The room's answer, if it was not final at once. An accepted action has already been sent to everyone."""
        asked = member.pending
        if asked is not None and not isinstance(answer, Accepted):
            self._refused(member, asked, answer)
        self._next(member)

    def _refused(
        self, member: Member, asked: PendingRun | FinishedOrder, answer: Refusal | Malformed
    ) -> None:
        if isinstance(answer, Refusal) and answer.rule == "failed":
            self.check()
        elif self.verdict is not None:
            return
        elif isinstance(asked, PendingRun):
            self._refuse(member, asked.run, asked.function, answer.reason)
        else:
            self._finish_again(member, asked, answer.reason)

    def _refuse(self, member: Member, run: Run, function: WireFunction, reason: str) -> None:
        seat, said = member.seat, encoded(reason)
        assert seat is not None
        game, returned = self._tick(seat), function.refused if self.era == "2022" else None
        member.client.tell(INVALID % said)
        self._ran(seat, run, returned, game, said)

    def _note(self, member: Member, run: Run, function: WireFunction, said: Note) -> None:
        seat = member.seat
        assert seat is not None
        self._noted += len(said.message) + 100
        full = f"A session may log at most {NOTES} characters of messages." if self._noted > NOTES else None
        at_turn = seat in self._to_act
        if reason := full or log_note(self.session, said, self.era, at_turn):
            return self._refuse(member, run, function, reason)
        self._look_at_clock(seat)
        self._ran(seat, run, None, in_json(self.live.note(said)))

    def _ran(self, seat: int, run: Run, returned: Any, game: bytes, invalid: bytes | None = None) -> None:
        """Log a run that was played or refused, send its delta to all clients, and answer the client that ran it."""
        answer, message = answered_with(returned)
        if invalid is None or not self.log.full:
            self._tell_entry(ran(self.era, seat, run, answer, game, invalid), game)
        member = self.players.get(seat)
        if member is not None:
            member.client.say(message)

    def _finished(self, member: Member, said: dict[str, Any]) -> None:
        seat, index, returned = member.seat, said.get("orderIndex"), said.get("returned")
        assert seat is not None
        if type(index) not in (int, float) or index not in self._orders[seat]:
            message = f"Cannot find order # {in_script(index)} you claim to have finished."
            return self._fatal(member, message)
        self._orders[seat].discard(int(index))
        done = FinishedOrder(int(index), returned, False)
        try:
            done = done._replace(ends=as_boolean(returned, self.era))
        except ValueError:
            value = in_script(returned)
            cast = f"'{value}' is an Object and cannot be reasonably cast to a boolean"
            message = f"Return value ({value}) from finished order invalid! {cast}"
            return self._unfinished(member, done, message, done.order, cast)
        action = self.dialect.end_turn if done.ends else self.dialect.again.get(self.era)
        if action is None or (not done.ends and self.room.refusal(seat, action)):
            self._tell("finished", self._done(seat, done), self._tick(seat))
            return self._order()
        self._ask(member, done, action)

    def _finish_again(self, member: Member, done: FinishedOrder, reason: str) -> None:
        """The room refuses the end of an order: give the order again under a new number."""
        seat = member.seat or 0
        self._unfinished(member, done, reason, self._counts[seat])
        self._orders[seat].add(self._counts[seat])
        self._counts[seat] += 1

    def _unfinished(
        self, member: Member, done: FinishedOrder, reason: str, index: int, logged: str | None = None
    ) -> None:
        """Refuse the end of an order and give the order again. `logged` is a shorter reason for the gamelog."""
        seat = member.seat
        assert seat is not None
        self._tell("finished", self._done(seat, done, logged or reason), self._tick(seat))
        member.client.say(event("invalid", {"message": reason}))
        order = _order_of(index)
        if self.era == "2022":
            self._tell("order", {"player": reference(seat), "order": order}, UNCHANGED)
        member.client.say(event("order", order))

    def _done(self, seat: int, done: FinishedOrder, invalid: str | None = None) -> dict[str, Any]:
        order = {"index": done.order, "name": "runTurn", "args": [], "errors": int(invalid is not None)}
        data = {"player": reference(seat), "order": "runTurn" if self.era == "2017" else order}
        return data | {"returned": done.returned} | ({} if invalid is None else {"invalid": invalid})

    # --- entries of the room ---

    def _happened(self, happened: Entry) -> None:
        if happened.kind != "act" or happened.seat is None or self.verdict is not None:
            return
        try:
            self._played(happened.seat, happened.body)
        except Exception:  # a bug of the server ends only this session
            LOG.exception("a session failed", match=self.room.id)
            self._abort("Internal error: the session was stopped. It was logged.")

    def _played(self, seat: int, body: dict[str, Any]) -> None:
        asked = self.players[seat].pending if seat in self.players else None
        if body["do"] == self._leave_tag:
            self._has_left(seat, body)
        elif isinstance(asked, PendingRun):
            self._read_clocks(seat)
            before = self.live.state
            returned = asked.function.returns(before, asked.said, self.era)
            self._ran(seat, asked.run, returned, self._step())
        elif isinstance(asked, FinishedOrder):
            self._turn_over(seat, asked)
        else:
            self._bot_played(seat, body)
        if self.room.over:
            self._end()
        elif self._compiler is not None and self._compiler.switch(self.room):
            self._compiler = None

    def _bot_played(self, seat: int, body: dict[str, Any]) -> None:
        action = self.room.game.actions.parse(body)
        assert isinstance(action, Action) and self.dialect.run_of is not None
        if action == self.dialect.end_turn or action == self.dialect.again.get(self.era):
            index = self._orders[seat].pop()
            return self._turn_over(seat, FinishedOrder(index, action == self.dialect.end_turn, False))
        run = self.dialect.run_of(self.live.state, self.live.objects, action)
        request = understand(self.dialect, self.live.objects, self.live.state, self.era, run)
        self._read_clocks(seat)
        self._ran(seat, run, request.returned, self._step())

    def _turn_over(self, seat: int, done: FinishedOrder) -> None:
        """An order is finished: its turn has ended or starts again."""
        self._read_clocks(seat)
        if self.era == "2017":
            self._read_clocks(*range(len(self.session.clocks)))
            verdict = self.dialect.verdict(self.room.match.glance, self.era)
            self._tell("finished", self._done(seat, done), self._step(True, verdict))
        else:
            self._tell("finished", self._done(seat, done), self._ticked(seat))
            self._read_clocks(*range(len(self.session.clocks)))
        self._order()

    def _has_left(self, seat: int, body: dict[str, Any]) -> None:
        timed_out = body.get("why") == Why.TIMED_OUT
        self.left = seat, "timed out" if timed_out else "disconnected"
        self._read_clocks(seat)
        if timed_out and seat in self.players:
            self.players[seat].client.end(fatal(TIMED_OUT, True))
        if self.era == "2017":
            # That server logged the end here and nothing in `over`, and set `timeout` however a player left.
            game = self._step(verdict=self.dialect.verdict(self.room.match.glance, self.era))
            self._tell("disconnect", {"player": reference(seat), "timeout": True}, game)

    # --- end ---

    def _end(self) -> None:
        self._decide()
        self._start_task(self._say_over(self._gamelog()))

    def _decide(self) -> None:
        verdict: Verdict | None = self.dialect.verdict(self.room.match.glance, self.era)
        assert verdict is not None
        self.verdict = verdict
        self._tell("over", None, self._step(self.left is None, verdict))

    def _gamelog(self) -> Row:
        """The row of the whole gamelog."""
        assert self.verdict is not None
        name = file_name(self.saved, self.room.entries[-1].at)
        why = self.left[1] if self.left else None
        packed = self.log.close(standings(self.verdict, self.session.names, why))
        return {"match": self.room.id, "kind": GAMELOG_KIND, "name": name, "packed": packed}

    def fate(self, seat: int) -> dict[str, Any]:
        """The result of a finished match for a seat."""
        assert self.verdict is not None
        won = self.verdict.winner == seat
        left = self.left[1] if self.left is not None and self.left[0] == seat else None
        return {
            "index": seat,
            "won": won,
            "lost": not won,
            "reason": self.verdict.won if won else self.verdict.lost,
            "disconnected": left == "disconnected",
            "timedOut": left == "timed out",
        }

    async def _say_over(self, gamelog: Row) -> None:
        """Archive the gamelog, then send its URL to all clients."""
        await archive_gamelog(self._journal, gamelog)
        self.gamelog_name = gamelog["name"]
        said = self._over()
        for member in self.everyone:
            member.client.say(said)
        self._close()

    def _over(self) -> bytes:
        url = f"http://__HOSTNAME__:{self._links.http_port}{path_of(self.gamelog_name or '')}"
        shown = self._links.watch(url)
        message = f"---\nYour gamelog is viewable at:\n{shown}\n---"
        return event("over", {"gamelogURL": url, "visualizerURL": shown, "message": message})

    def _close(self) -> None:
        self._unsubscribe()
        self.room.name_things(None)  # they refer to everything that was shown
        loop = asyncio.get_running_loop()
        for member in self.everyone:
            member.client.is_done = True
            loop.call_later(GOODBYE, member.client.end)
        self._on_end(self)

    def vanished(self, member: Member) -> None:
        """A client's connection has ended. A player who disconnects loses."""
        if member in self.everyone:
            self.everyone.remove(member)
            member.waiting.clear()
            if member.seat is not None and self.verdict is None:
                self._start_task(self._leave(member.seat))

    async def _leave(self, seat: int) -> None:
        answer = await self.room.leave(seat, "disconnected")
        while is_passing(answer) and self.verdict is None:
            await asyncio.sleep(1)
            answer = await self.room.leave(seat, "disconnected")
        if not isinstance(answer, Accepted):
            self.check()

    def check(self) -> None:
        """End the session if its room has failed."""
        if self.room.status == "failed" and self.verdict is None:
            self._abort(self.room.failure or "The match was stopped.")

    def _abort(self, reason: str) -> None:
        self.verdict = Verdict(-1, "", "")
        for member in self.everyone:
            member.client.end(fatal(BROKEN + reason))
        self._close()

    def stop(self) -> None:
        """The server stops: do not send anything more to clients."""
        self._unsubscribe()
        for task in self._tasks:
            task.cancel()

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def path_of(gamelog: str) -> str:
    """The path of a gamelog at the gamelog port, in ASCII."""
    return f"/gamelog/{quote(gamelog, safe='')}"


def _order_of(index: int) -> dict[str, Any]:
    return {"name": "runTurn", "index": index, "args": []}
