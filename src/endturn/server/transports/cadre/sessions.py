"""The lobby of the Cadre protocol: clients meet in sessions, and full sessions become matches.

A session is a name under which clients of one game meet. When all its seats are taken, the server's lobby creates a
room for it, and a `SessionMatch` connects the clients to the room.
"""

import asyncio
import hmac
import math
import secrets
from collections.abc import Iterator
from typing import Any

import structlog
from msgspec import UNSET

from endturn.archive.store import ArchiveDown, Conflict
from endturn.cadre import DIALECTS, dialect
from endturn.cadre.gamelogs import CONSTANTS
from endturn.cadre.messages import Fatal, event, fatal, in_script
from endturn.cadre.settings import SessionSettings, choose, number_in, shortened
from endturn.engine.game import Game
from endturn.games import find as find_game
from endturn.server.clock import Timing
from endturn.server.lobby import Lobby, LobbyFull
from endturn.server.room import Room
from endturn.server.seat import Seat
from endturn.server.transports.cadre.background_compiler import BackgroundCompiler
from endturn.server.transports.cadre.connections import Client, ClientOutbox, Limits
from endturn.server.transports.cadre.interrupted_sessions import InterruptedSessions, clients_of
from endturn.server.transports.cadre.saved_session import SavedSession
from endturn.server.transports.cadre.session_match import Links, Member, SessionMatch, SharedServices
from endturn.server.transports.limits import Budgets, Places

LOG = structlog.get_logger("endturn.cadre")
LONGEST_SESSION = 100  # characters of a session's name
KEPT = 1000  # finished sessions whose status is remembered
SWEEP = 5.0  # seconds between checks of clients and rooms
ANY, NEW = ("*", None, ""), "new"


class Session:
    """Clients that have joined under one name."""

    def __init__(self, game: Game, name: str, chosen: SessionSettings) -> None:
        self.game, self.name, self.chosen = game, name, chosen
        self.password: str | None = None
        self.reserved = False  # by /setup: it stays when it is empty, and keeps its settings
        self.status = "open"
        self.members: list[Member] = []
        self.match: SessionMatch | None = None
        self.starting: asyncio.Task[None] | None = None

    @property
    def players(self) -> list[Member]:
        """The clients that play."""
        return [member for member in self.members if not member.spectating]

    @property
    def ready(self) -> bool:
        """Whether clients, or the bot that a client chose as opponent, take all seats."""
        bot = self.chosen.opponent is not None
        return len(self.players) + bot >= self.game.seat_count

    def seated(self) -> dict[int, Member]:
        """The client in each seat. Clients without a wish fill the seats that nobody asked for."""
        made = {member.wanted: member for member in self.players if member.wanted is not None}
        gaps = (seat for seat in range(self.game.seat_count) if seat not in made)
        made |= {next(gaps): member for member in self.players if member.wanted is None}
        return made

    def listed(self) -> dict[str, Any]:
        """Its status in the form of the original server."""
        said: dict[str, Any] = {
            "status": self.status,
            "gameName": dialect(self.game).name,
            "gameSession": self.name,
            "requiredNumberOfPlayers": self.game.seat_count,
        }
        if self.status == "over" and self.match is not None:
            said["gamelogFilename"] = self.match.gamelog_name
        return said | {"clients": [self._client(member) for member in self.members]}

    def _client(self, member: Member) -> dict[str, Any]:
        said: dict[str, Any] = {"name": member.name, "spectating": member.spectating}
        match = self.match
        if self.status != "over" or match is None or match.verdict is None or member.seat is None:
            return said
        return said | match.fate(member.seat)


class Sessions:
    """All sessions, and the messages of clients that are not in a match."""

    def __init__(self, lobby: Lobby, limits: Limits, links: Links, password: str | None, arena: bool) -> None:
        self.lobby, self.limits = lobby, limits
        self.password, self.arena = password, arena
        self.games: dict[str, Game] = {}  # by wire name
        for game in map(find_game, DIALECTS):
            self.games[dialect(game).name] = game
        self.clients: set[Client] = set()
        self.outbox = ClientOutbox()
        self._room_for = Places(limits.connections, limits.address_connections)
        self._budgets = Budgets(limits.address_rate)
        self.open: dict[tuple[str, str], Session] = {}  # waiting and running, in order of creation
        self.over: dict[tuple[str, str], dict[str, Any]] = {}  # the final status of each
        self._count = 0
        self._closing = False
        self.compiler = BackgroundCompiler()
        self.links = links
        self._shared = SharedServices(lobby.journal, links, self.compiler)
        self.interrupted = InterruptedSessions(lobby, self._shared, self._interrupted_ended)
        self._tasks = [asyncio.create_task(self._sweep(), name="cadre")]

    async def start(self) -> None:
        """Load the sessions that the end of the last server interrupted."""
        await self.interrupted.load()
        self._tasks.append(asyncio.create_task(self.interrupted.run(), name="cadre gamelogs"))

    # --- connections ---

    def admit(self, client: Client) -> bool:
        """Accept a connection unless there are too many."""
        if not self._room_for.enter(client.address):
            full = self._room_for.open >= self.limits.connections
            where = "to this server" if full else "from your address"
            client.end(fatal(f"Too many connections {where}. Try again later."))
            return False
        self.clients.add(client)
        client.budgets.append(self._budgets.of(client.address))
        return True

    def received(self, client: Client, what: str, data: Any) -> None:
        """Handle an event of a client, or pass it to the client's match."""
        member: Member | None = client.member
        if member is not None:
            if member.match is not None:
                member.match.received(member, what, data)
        elif what == "alias":
            client.say(event("named", self._alias(data)))
        elif what == "play":
            self._play(client, data)

    def vanished(self, client: Client) -> None:
        """A client's connection has ended."""
        if client in self.clients:
            self.clients.remove(client)
            self._room_for.leave(client.address)
        member: Member | None = client.member
        if member is None or self._closing:  # the server closes the connections: no player leaves
            return
        if member.match is not None:
            member.match.vanished(member)
        elif member.session.starting is None:
            member.session.members.remove(member)
            self._forget_if_empty(member.session)
        client.member = None  # break the reference cycle

    def _forget_if_empty(self, session: Session) -> None:
        if not session.members and not session.reserved:
            self.open.pop((dialect(session.game).name, session.name), None)
            if session.name == str(self._count):
                self._count -= 1  # the number is free again

    # --- alias and play ---

    def named(self, alias: Any) -> Game | None:
        """The game with this name or alias, ignoring case."""
        wanted = alias.lower() if isinstance(alias, str) else None
        for game in self.games.values():
            if wanted in [name.lower() for name in (dialect(game).name, *dialect(game).aliases)]:
                return game
        return None

    def _alias(self, alias: Any) -> str:
        game = self.named(alias)
        if game is None:
            raise Fatal(f"{in_script(alias)[:100]} is not a known game alias for any game.")
        return dialect(game).name

    def _play(self, client: Client, data: Any) -> None:
        if not data or not isinstance(data, dict):
            raise Fatal("Sent 'play' event with no data.")
        game = self._game(data.get("gameName", UNSET))
        self._authenticate(data.get("password"))
        text = "" if self.arena else data.get("gameSettings") or ""
        chosen = choose(game, text) if text and isinstance(text, str) else None
        wanted = seat_wanted(data.get("playerIndex"), game.seat_count)
        session = self._session(game, data.get("requestedSession"), chosen)
        self._check_entry(session, data, wanted)
        if chosen is not None and not session.reserved:
            session.chosen = chosen
        member = Member(client, shown_name(data), _text(data.get("clientType")) or "Unknown", wanted, False)
        member.spectating, member.meta = data.get("spectating") is True, data.get("metaDeltas") is True
        member.told, member.session = data.get("endturn") is True, session
        client.member, client.since = member, client.loop.time()
        session.members.append(member)
        client.say(event("lobbied", lobbied(game, session.name)))
        if session.ready:
            session.status = "running"
            session.starting = asyncio.create_task(self._start(session))

    def _game(self, name: Any) -> Game:
        if self.named(name) is None:
            raise Fatal(f"Game alias '{in_script(name)[:100]}' is not a known game.")
        if name not in self.games:
            wrong = f"Game name '{str(name)[:100]}' is not a valid game name."
            raise Fatal(f"{wrong}\nCannot put you in a room for a game we don't host.")
        return self.games[name]

    def _authenticate(self, said: Any) -> None:
        if self.password is not None and not same(self.password, said):
            wrong = f"{_text(said)[:100]} is not a valid password to play on this server"
            raise Fatal(f"Authentication Error: 'Could not authenticate.\n'{wrong}''")

    def _check_entry(self, session: Session, data: dict[str, Any], wanted: int | None) -> None:
        if session.status != "open":
            raise Fatal(f"Room '{session.name}' for game '{dialect(session.game).name}' is full! Sorry.")
        if session.password is not None and not same(session.password, data.get("password")):
            raise Fatal("Incorrect password for private room session")
        if wanted is not None and any(member.wanted == wanted for member in session.players):
            raise Fatal(f"Player index {wanted} is already taken")
        if data.get("spectating") is True and len(session.members) > 100:
            raise Fatal(f"Room '{session.name}' accepts no more spectators.")

    def _session(self, game: Game, wanted: Any, chosen: SessionSettings | None) -> Session:
        """Find the session that a client asks for, or create it."""
        name = None if wanted in ANY else _text(wanted)
        if name is None:
            found = next((s for s in self._of(game) if s.status == "open" and not s.password), None)
            if found is not None:
                return found
        elif name != NEW and (dialect(game).name, name) in self.open:
            return self.open[dialect(game).name, name]
        if len(self.open) >= self.limits.sessions:
            raise Fatal("Too many sessions on this server. Try again later.")
        if name is None or name == NEW:
            name = self._number(game)
        return self.create(game, name, chosen or choose(game))

    def _of(self, game: Game) -> Iterator[Session]:
        return (session for session in self.open.values() if session.game is game)

    def _number(self, game: Game) -> str:
        self._count += 1
        while (dialect(game).name, str(self._count)) in self.open:
            self._count += 1
        return str(self._count)

    def create(self, game: Game, name: str, chosen: SessionSettings) -> Session:
        """Create a session. It replaces a finished one of the same name."""
        if len(name) > LONGEST_SESSION:
            raise Fatal(f"A session name has at most {LONGEST_SESSION} characters.")
        self.over.pop((dialect(game).name, name), None)
        self.open[dialect(game).name, name] = session = Session(game, name, chosen)
        return session

    # --- from session to match ---

    async def _start(self, session: Session) -> None:
        chosen, players = session.chosen, session.seated()
        names = [self._name(session, seat, players) for seat in range(session.game.seat_count)]
        seats = [
            Seat("person", name, None, secrets.token_hex(32))
            if seat in players
            else Seat("bot", name, chosen.opponent)
            for seat, name in enumerate(names)
        ]
        saved = self._saved_session(session, names, players)
        wanted = session.game, chosen.settings, seats, Timing("bank", *chosen.clock_seconds)
        try:
            room = await self.lobby.create(*wanted, seed=chosen.dice, along=saved.insertion)
            self._begin(session, room, players, saved)
        except (ArchiveDown, Conflict, LobbyFull) as error:
            self._give_up(session, str(error))
        except Exception:
            LOG.exception("could not start a session", session=session.name)
            self._give_up(session, "Internal error: the match could not be started. It was logged.")

    def _saved_session(self, session: Session, names: list[str], players: dict[int, Member]) -> SavedSession:
        chosen, game = session.chosen, session.game
        kinds = [players[seat].kind if seat in players else "endturn" for seat in range(len(names))]
        return SavedSession(
            *(dialect(game).name, session.name, chosen.era, names, kinds, sorted(players)),
            *(chosen.listed(game), int(self.lobby.now()), not self.arena),
        )

    def _begin(self, session: Session, room: Room, players: dict[int, Member], saved: SavedSession) -> None:
        if self._closing:
            return
        for seat, member in players.items():
            member.seat, member.name = seat, room.match.players[seat]
        watching = [member for member in session.members if member.spectating]
        session.match = SessionMatch(
            room, saved, players, watching, self._shared, lambda match: self._ended(session)
        )
        session.match.start()

    def _name(self, session: Session, seat: int, players: dict[int, Member]) -> str:
        given = session.chosen.names
        if seat < len(given) and given[seat]:
            return given[seat]
        return players[seat].name if seat in players else session.chosen.opponent or ""

    def _give_up(self, session: Session, reason: str) -> None:
        for member in session.members:
            member.client.end(fatal(reason))
        self._ended(session)

    def _ended(self, session: Session) -> None:
        key = dialect(session.game).name, session.name
        session.status = "over"
        if self.open.get(key) is session:
            del self.open[key]
        self._note_end(key, session.listed())
        match, session.match = session.match, None
        if match is not None and match.gamelog_name is None:
            self.interrupted.add(match.room.id, match.saved)
        for member in session.members:
            member.match = None
        session.members.clear()  # only the final status stays in memory

    def _note_end(self, key: tuple[str, str], listed: dict[str, Any]) -> None:
        self.over[key] = listed
        while len(self.over) > KEPT:
            del self.over[next(iter(self.over))]

    def _interrupted_ended(self, saved: SavedSession, match: SessionMatch) -> None:
        """An interrupted session is over and its gamelog is archived."""
        key = saved.game, saved.session
        if key not in self.open and self.interrupted.find(*key) is saved:
            listed = self._listed_of(saved, "over", match)
            self._note_end(key, listed | {"gamelogFilename": match.gamelog_name})

    def _listed_of(
        self, saved: SavedSession, status: str, match: SessionMatch | None = None
    ) -> dict[str, Any]:
        listed = Session(self.games[saved.game], saved.session, choose(self.games[saved.game])).listed()
        return listed | {"status": status, "clients": clients_of(saved, match)}

    # --- status, checks and the end ---

    def status(self, alias: str, name: str) -> dict[str, Any] | None:
        """The status of a session, or None if the game is unknown."""
        game = self.named(alias)
        if game is None:
            return None
        key = dialect(game).name, name
        if key in self.open:
            return self.open[key].listed()
        if (saved := self.interrupted.find(*key)) is not None:
            return self._listed_of(saved, "running")
        if key in self.over:
            return self.over[key]
        return Session(game, name, choose(game)).listed() | {"status": "empty"}

    async def _sweep(self) -> None:
        """Disconnect clients that have waited too long, and end sessions whose rooms have failed."""
        while True:
            await asyncio.sleep(SWEEP)
            now = asyncio.get_running_loop().time()
            for client in list(self.clients):
                client.look_after(now)
                member: Member | None = client.member
                if member is None and now - client.since > self.limits.idle:
                    client.end(fatal("Timed out: no `play` message received."))
                elif member is not None and member.match is None and now - client.since > self.limits.lobby:
                    client.end(fatal("Timed out: no opponent has joined."))
            for session in list(self.open.values()):
                if session.match is not None:
                    session.match.check()

    async def close(self) -> None:
        """Disconnect all clients. Their matches stay in the archive as they are."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        self.compiler.close()
        for client in list(self.clients):
            client.end(fatal("The server is shutting down."))
        for _ in range(20):
            await asyncio.sleep(0 if not self.clients else 0.05)
        for client in list(self.clients):
            client.transport.abort()  # the client does not read its last message
        for session in self.open.values():
            if session.match is not None:
                session.match.stop()
        await asyncio.sleep(0)


def lobbied(game: Game, session: str) -> dict[str, Any]:
    """The answer to a client that has joined a session."""
    ours = dialect(game)
    version = {"gameVersion": ours.version}  # today's clients stop without it
    return {"gameName": ours.name, **version, "gameSession": session, "constants": CONSTANTS}


def seat_wanted(said: Any, seats: int) -> int | None:
    """The seat that a client asks for, or None."""
    if said is None or said == "":
        return None
    try:
        number = number_in(said) if isinstance(said, str) else float(said)
    except (ValueError, TypeError, OverflowError):
        number = math.nan
    if number == -1:
        return None
    if not (0 <= number < seats and number == int(number)):
        wrong = f"playerIndex '{str(said)[:50]}' is out of range (max {seats} players)."
        raise Fatal(f"{wrong}\nPlease use zero-based indexing, where '0' is the first player.")
    return int(number)


def shown_name(data: dict[str, Any]) -> str:
    """The player name to show."""
    return shortened(_text(data.get("playerName"))) or "Unknown"


def same(secret: str, said: Any) -> bool:
    """Compare a password in constant time."""
    return hmac.compare_digest(secret.encode(), _text(said).encode())


def _text(value: Any) -> str:
    """The value as text. Databases reject unpaired surrogates, so these are replaced."""
    said = "" if value is None else value if isinstance(value, str) else str(value)[:200]
    return said.encode("utf-8", "replace").decode()
