"""A bot of ours as a client of a Cadre server, ours or an original one: `endturn bot GAME BOT --connect HOST:PORT`.

It asks for the entries of the gamelog in place of deltas. These say what was played, so that it plays a match of
its own along, which the bot looks at. A server of ours also says which settings it plays by; of another one the
profile must be known.
"""

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from endturn.bots.player import PATIENCE, Bot, Seen
from endturn.cadre import dialect
from endturn.cadre.wire import Delta, Era, Wire, carried, merge, players_of, truth, understand
from endturn.engine import record
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted
from endturn.engine.game import Game
from endturn.engine.match import Match, derived_seed

EOT = b"\x04"
LARGEST = 1 << 26  # bytes of one message
CONNECT_SECONDS = 10.0


class RemoteError(RuntimeError):
    """The server cannot be reached, or has ended the match; the sentence says why."""


class Wanted(NamedTuple):
    """What to play, and as whom."""

    session: str = "*"
    name: str = "endturn"
    settings: str = ""  # as the server takes them: maxTurns=50&profile=2022
    seat: int | None = None
    password: str | None = None
    profile: str | None = None  # for a server that does not say by which settings it plays


class Ended(NamedTuple):
    """How a match ended for the bot."""

    session: str
    seat: int
    won: bool
    reason: str
    gamelog: str | None
    state: str  # the fingerprint of the last state, as it was played along


def play_at(
    game: Game,
    make: Callable[[int], Bot],
    seed: int,
    place: tuple[str, int],
    wanted: Wanted,
    told: Callable[[str], None] = lambda text: None,
) -> Ended:
    """Play one match at a server, to its end."""
    try:
        connection = socket.create_connection(place, CONNECT_SECONDS)
    except OSError as error:
        host = f"{place[0]}:{place[1]}"
        raise RemoteError(f"There is no server at {host}: {error.strerror or error}.") from None
    with connection:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Player(game, make(seed), seed, Line(connection), wanted, told).run()


class Line:
    """A connection that carries messages."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._rest = bytearray()

    def send(self, event: str, data: Any) -> None:
        """Send an event."""
        try:
            self._connection.sendall(msgspec.json.encode({"event": event, "data": data}) + EOT)
        except OSError:
            return  # what it still has to say is read first

    def messages(self) -> Iterator[tuple[str, Any]]:
        """What the server says, until it closes."""
        while True:
            *frames, rest = bytes(self._rest).split(EOT) if EOT in self._rest else [bytes(self._rest)]
            self._rest = bytearray(rest)
            for frame in frames:
                said = json.loads(frame)
                yield said["event"], said.get("data")
            try:
                data = self._connection.recv(1 << 18)
            except OSError as error:
                raise RemoteError(f"The connection was lost: {error.strerror or error}.") from None
            if not data or len(self._rest) > LARGEST:
                return
            self._rest += data


class Player:
    """A bot at a server, and the match it plays along."""

    def __init__(
        self, game: Game, bot: Bot, seed: int, line: Line, wanted: Wanted, told: Callable[[str], None]
    ) -> None:
        self.game, self.bot, self.line, self.wanted, self.told = game, bot, line, wanted, told
        self.dialect = dialect(game)
        self.seed = derived_seed(seed, 1000)
        self.era: Era = "2022"
        self.shown: Wire = {}
        self.session, self.seat = "", 0
        self.match: Match | None = None
        self.order: int | None = None  # the turn that is being played
        self.refused = 0

    def run(self) -> Ended:
        """From the first message to the last."""
        said: dict[str, Any] = {
            "gameName": self.dialect.name,
            "requestedSession": self.wanted.session,
            "clientType": "endturn",
        }
        said |= {"playerName": carried(self.wanted.name), "gameSettings": self.wanted.settings or None}
        more = {"playerIndex": self.wanted.seat, "password": self.wanted.password}
        self.line.send("play", {**said, **more, "metaDeltas": True, "endturn": True})
        for event, data in self.line.messages():
            if event == "over":
                return self._ended(data or {})
            self._heard(event, data)
        raise RemoteError("The server closed the connection before the match was over.")

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

    # --- playing along ---

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
        entry = msgspec.convert(data, Delta)
        if entry.type == "start":
            self.era = era
        elif entry.event.invalid is None and entry.event.player is not None:
            self._replay(entry, int(entry.event.player.id))
        self.shown = merge(self.shown, entry.game)

    def _replay(self, entry: Delta, seat: int) -> None:
        event, match = entry.event, self.match
        assert match is not None
        if entry.type == "ran" and event.run is not None:
            self.refused = 0 if seat == self.seat else self.refused
            wish = understand(self.dialect, self.shown["gameObjects"], match.glance, self.era, event.run)
            self._submit(seat, wish.said)
        elif entry.type == "finished":
            done = truth(event.returned, self.era)
            self._submit(seat, self.dialect.end_turn if done else self.dialect.again.get(self.era))

    def _submit(self, seat: int, said: Any) -> None:
        if isinstance(said, Action):
            assert self.match is not None
            self.match.submit(seat, said)

    # --- acting ---

    def _act(self) -> None:
        """Run what the bot plays next; or end the turn, which a bot that is only refused does too."""
        match, order = self.match, self.order
        if match is None or order is None or self.seat not in match.to_act():
            return
        action = self.dialect.end_turn
        if self.refused < PATIENCE:
            action = self.bot.act(Seen(match, self.seat, self.seed))
        ends = action == self.dialect.end_turn
        if ends or action == self.dialect.again.get(self.era):
            self.order = None
            self.line.send("finished", {"orderIndex": order, "returned": ends})
            return
        assert self.dialect.run_of is not None
        run = self.dialect.run_of(match.glance, self.shown["gameObjects"], action)
        self.line.send("run", msgspec.to_builtins(run))

    # --- the end ---

    def _ended(self, data: dict[str, Any]) -> Ended:
        player = players_of(self.shown)[self.seat]
        assert self.match is not None
        self._catch_up()
        won = bool(player["won"])
        reason = player["reasonWon"] if won else player["reasonLost"]
        state = record.digest(self.match.dump())
        return Ended(self.session, self.seat, won, reason, data.get("gamelogURL"), state)

    def _catch_up(self) -> None:
        """Who left did so without an entry of its own: the last state says it."""
        assert self.match is not None
        for seat, player in enumerate(players_of(self.shown)):
            if self.match.to_act() and player["lost"] and self.game.rules.forfeit is not None:
                others = "".join(each["reasonWon"] for each in players_of(self.shown))
                why = "timed out" if "timed out" in others else "disconnected"
                answer = self.match.submit(seat, self.game.rules.forfeit(why))
                assert isinstance(answer, Accepted)

    def _names(self) -> list[str]:
        return [str(player.get("name", "Unknown")) for player in players_of(self.shown)]
