"""One of our bots as a client of a Cadre server, ours or an original: `endturn bot GAME BOT --connect HOST:PORT`.

The client asks for gamelog entries instead of deltas. They say what was played, so it can play the same match locally
and show that match to the bot. Our own servers also send the settings; for other servers the profile must be given.
"""

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from endturn.bots.player import PATIENCE, Bot, Seen
from endturn.cadre import dialect
from endturn.cadre.deltas import escape_removed, merge
from endturn.cadre.gamelogs import LogEntry
from endturn.cadre.messages import EOT
from endturn.cadre.runs import as_boolean, understand
from endturn.cadre.state import players_of
from endturn.cadre.table import Era, Wire
from endturn.engine import record
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted
from endturn.engine.game import Game
from endturn.engine.match import Match, derived_seed

LARGEST = 1 << 26  # bytes of one message
CONNECT_SECONDS = 10.0


class RemoteError(RuntimeError):
    """The server cannot be reached or has ended the match; the sentence says why."""


class JoinRequest(NamedTuple):
    """What to play, and as whom."""

    session: str = "*"
    name: str = "endturn"
    settings: str = ""  # as the server takes them: maxTurns=50&profile=2022
    seat: int | None = None
    password: str | None = None
    profile: str | None = None  # for a server that does not send its settings


class RemoteResult(NamedTuple):
    """How a match ended for the bot."""

    session: str
    seat: int
    won: bool
    reason: str
    gamelog: str | None
    state: str  # checksum of the last state of the local match


def play_at(
    game: Game,
    make: Callable[[int], Bot],
    seed: int,
    place: tuple[str, int],
    wanted: JoinRequest,
    told: Callable[[str], None] = lambda text: None,
) -> RemoteResult:
    """Play one match at a server, to its end. `told` gets a line of text whenever something happens."""
    dialect(game)  # fail before connecting if there is none
    try:
        socket_ = socket.create_connection(place, CONNECT_SECONDS)
    except OSError as error:
        host = f"{place[0]}:{place[1]}"
        raise RemoteError(f"Cannot connect to {host}: {error.strerror or error}.") from None
    with socket_:
        socket_.settimeout(None)
        socket_.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return RemotePlayer(game, make(seed), seed, Connection(socket_), wanted, told).run()


class Connection:
    """Sends and receives messages over a socket."""

    def __init__(self, socket_: socket.socket) -> None:
        self._socket = socket_
        self._rest = bytearray()

    def send(self, event: str, data: Any) -> None:
        """Send an event."""
        try:
            self._socket.sendall(msgspec.json.encode({"event": event, "data": data}) + EOT)
        except OSError:
            return  # the server's last messages can still be read

    def messages(self) -> Iterator[tuple[str, Any]]:
        """The server's messages, until it closes the connection."""
        while True:
            *frames, rest = bytes(self._rest).split(EOT) if EOT in self._rest else [bytes(self._rest)]
            self._rest = bytearray(rest)
            for frame in frames:
                said = json.loads(frame)
                yield said["event"], said.get("data")
            try:
                data = self._socket.recv(1 << 18)
            except OSError as error:
                raise RemoteError(f"Connection lost: {error.strerror or error}.") from None
            if not data or len(self._rest) > LARGEST:
                return
            self._rest += data


class RemotePlayer:
    """A bot at a server, with its local copy of the match."""

    def __init__(
        self,
        game: Game,
        bot: Bot,
        seed: int,
        connection: Connection,
        wanted: JoinRequest,
        told: Callable[[str], None],
    ) -> None:
        self.game, self.bot, self.connection = game, bot, connection
        self.wanted, self.told = wanted, told
        self.dialect = dialect(game)
        self.seed = derived_seed(seed, 1000)
        self.era: Era = "2022"
        self.shown: Wire = {}
        self.session, self.seat = "", 0
        self.match: Match | None = None
        self.order: int | None = None  # the turn being played
        self.refused = 0

    def run(self) -> RemoteResult:
        """Play from the first message to the last."""
        said: dict[str, Any] = {
            "gameName": self.dialect.name,
            "requestedSession": self.wanted.session,
            "clientType": "endturn",
        }
        said |= {"playerName": escape_removed(self.wanted.name), "gameSettings": self.wanted.settings or None}
        more = {"playerIndex": self.wanted.seat, "password": self.wanted.password}
        self.connection.send("play", {**said, **more, "metaDeltas": True, "endturn": True})
        for event, data in self.connection.messages():
            if event == "over":
                return self._ended(data or {})
            self._heard(event, data)
        raise RemoteError("The server closed the connection before the match ended.")

    def _heard(self, event: str, data: Any) -> None:
        if event == "fatal":
            raise RemoteError(f"The server ended the match: {data['message'].splitlines()[0]}")
        if event == "lobbied":
            self.session = data["gameSession"]
            self.told(f"In session {self.session}.")
        elif event == "start":
            self._start(data)
        elif event in ("delta", "meta-delta"):
            self._follow(data, "2022" if event == "meta-delta" else "2017")
        elif event == "order":
            self.order, self.refused = data["index"], 0
            self._act()
        elif event == "ran":
            self._act()
        elif event == "invalid":
            self.refused += 1

    # --- the local match ---

    def _start(self, data: Any) -> None:
        self.seat = int(data["playerID"])
        if "settings" in data:
            settings = self.game.configure(values=json.loads(data["settings"]))
        else:
            known = {ours: self.shown[n] for n, ours in self.dialect.settings.items() if n in self.shown}
            settings = self.game.configure(self.wanted.profile or self.era, known)
        self.match = Match(self.game, settings, start=self.dialect.read(self.shown, settings))
        self.told(f"{' against '.join(self._names())}, as {self.game.seats[self.seat]}.")

    def _follow(self, data: Any, era: Era) -> None:
        entry = msgspec.convert(data, LogEntry)
        if entry.type == "start":
            self.era = era
        elif entry.cause.invalid is None and entry.cause.player is not None:
            self._replay(entry, int(entry.cause.player.id))
        self.shown = merge(self.shown, entry.game)

    def _replay(self, entry: LogEntry, seat: int) -> None:
        cause, match = entry.cause, self.match
        assert match is not None
        if entry.type == "ran" and cause.run is not None:
            self.refused = 0 if seat == self.seat else self.refused
            request = understand(self.dialect, self.shown["gameObjects"], match.glance, self.era, cause.run)
            self._submit(seat, request.said)
        elif entry.type == "finished":
            done = as_boolean(cause.returned, self.era)
            self._submit(seat, self.dialect.end_turn if done else self.dialect.again.get(self.era))

    def _submit(self, seat: int, said: Any) -> None:
        if isinstance(said, Action):
            assert self.match is not None
            self.match.submit(seat, said)

    # --- acting ---

    def _act(self) -> None:
        """Run the bot's next action, or end the turn. A bot whose actions keep being refused ends it, too."""
        match, order = self.match, self.order
        if match is None or order is None or self.seat not in match.to_act():
            return
        action = self.dialect.end_turn
        if self.refused < PATIENCE:
            action = self.bot.act(Seen(match, self.seat, self.seed))
        ends = action == self.dialect.end_turn
        if ends or action == self.dialect.again.get(self.era):
            self.order = None
            self.connection.send("finished", {"orderIndex": order, "returned": ends})
            return
        assert self.dialect.run_of is not None
        run = self.dialect.run_of(match.glance, self.shown["gameObjects"], action)
        self.connection.send("run", msgspec.to_builtins(run))

    # --- the end ---

    def _ended(self, data: dict[str, Any]) -> RemoteResult:
        player = players_of(self.shown)[self.seat]
        assert self.match is not None
        self._play_leaving()
        won = bool(player["won"])
        reason = player["reasonWon"] if won else player["reasonLost"]
        state = record.digest(self.match.dump())
        return RemoteResult(self.session, self.seat, won, reason, data.get("gamelogURL"), state)

    def _play_leaving(self) -> None:
        """Play a leaving that had no entry of its own; only the last state shows it."""
        assert self.match is not None
        for seat, player in enumerate(players_of(self.shown)):
            if self.match.to_act() and player["lost"] and self.game.rules.forfeit is not None:
                others = "".join(each["reasonWon"] for each in players_of(self.shown))
                why = "timed out" if "timed out" in others else "disconnected"
                answer = self.match.submit(seat, self.game.rules.forfeit(why))
                assert isinstance(answer, Accepted)

    def _names(self) -> list[str]:
        return [str(player.get("name", "Unknown")) for player in players_of(self.shown)]
