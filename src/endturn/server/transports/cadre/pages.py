"""The HTTP paths of the original server: gamelogs, the status of sessions, pages for people, /setup for arenas."""

import asyncio
from collections.abc import Awaitable, Callable
from html import escape
from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from endturn.archive.store import ArchiveDown, Row
from endturn.cadre import dialect
from endturn.cadre.messages import Fatal, encoded, in_script
from endturn.cadre.settings import choose, listing
from endturn.server.transports.bodies import NoBody, body_of
from endturn.server.transports.cadre.session_match import path_of
from endturn.server.transports.cadre.sessions import Sessions

ANYWHERE = {"Access-Control-Allow-Origin": "*"}
NO_SESSIONS = (
    "<p>There are no sessions. To open one, start a client with a session name, for example <code>run anarchy -s HOST "
    "-r NAME</code>. A second client joins it with the same name.</p>"
)
NEWEST = 10  # gamelogs on the home page
JSON = "application/json; charset=utf-8"
MOST = 1000  # gamelogs on a page of the archives
LARGEST_SETUP = 65536  # bytes
SLOWEST_SETUP = 10  # seconds for a setup request to arrive

Answer = Callable[[Request], Awaitable[Response]]


def routes(sessions: Sessions) -> list[Route]:
    """All routes, for a Starlette application."""
    pages = Pages(sessions)
    made = [
        Route("/gamelogs", pages.gamelogs),
        Route("/gamelogs/", pages.gamelogs),
        Route("/gamelog/{name}", pages.gamelog),
        Route("/status/{game}/{session:path}", pages.status),
    ]
    if sessions.arena:
        return [*made, Route("/setup", pages.setup, methods=["POST"])]
    parts = ("", "/", "/{game}", "/{game}/{page}", "/{game}/{page}/{count}")
    archives = [Route(f"/archives{part}", pages.archives) for part in parts]
    return [Route("/", pages.home), *archives, *made]


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(encoded(value), status, ANYWHERE | (headers or {}), JSON)


def _number(text: str | None, otherwise: int) -> int:
    """A positive number in a path."""
    return max(1, int(text)) if text and text.isdecimal() and len(text) < 10 else otherwise


class Pages:
    """Answers requests."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions, self.store = sessions, sessions.lobby.store

    async def gamelogs(self, request: Request) -> Response:
        """The names of the newest gamelogs, the oldest of them first."""
        try:
            return _json((await asyncio.to_thread(self.store.gamelog_names, "cadre"))[::-1])
        except ArchiveDown as error:
            return _json({"error": str(error)}, 503)

    async def gamelog(self, request: Request) -> Response:
        """A gamelog by name, with or without an extension, or the latest one."""
        try:
            row = await asyncio.to_thread(self._gamelog, request.path_params["name"])
        except ArchiveDown as error:
            return _json({"error": str(error)}, 503)
        if row is None:
            return _json({"error": "Gamelog not found."}, 404)
        return Response(row["packed"], 200, ANYWHERE | {"Content-Encoding": "gzip"}, JSON)

    def _gamelog(self, wanted: str) -> Row | None:
        """Find a gamelog. The exact name comes first, because a session's name may end like a file's."""
        plain = wanted.removesuffix(".gz").removesuffix(".json")
        if plain == "latest":
            return self.store.gamelog(kind="cadre")
        names = [wanted] if plain == wanted else [wanted, plain]
        found = (self.store.gamelog(kind="cadre", name=name) for name in names)
        return next((row for row in found if row is not None), None)

    async def status(self, request: Request) -> Response:
        """The status of a session."""
        game, name = request.path_params["game"], request.path_params["session"]
        said = self.sessions.status(game, name)
        if said is None:
            return _json({"error": f"Game name '{game[:100]}' is not a valid game alias."}, 400)
        return Response(encoded(said), 200, media_type=JSON)

    async def home(self, request: Request) -> Response:
        """The home page: sessions, the newest gamelogs, and games with their settings."""
        names = await self._newest(NEWEST)
        games = "".join(
            f"<h2>{escape(name)}</h2><pre>{escape(listing(game))}</pre>"
            for name, game in self.sessions.games.items()
        )
        live = "".join(
            f"<li>{escape(dialect(session.game).name)} {escape(session.name)}: {session.status}</li>"
            for session in list(self.sessions.open.values())[:100]
        )
        live = f"<ul>{live}</ul>" if live else NO_SESSIONS
        return _page(
            f"<h1>Sessions</h1>{live}<h1>Gamelogs</h1>{self._list(request, names)}<h1>Games</h1>{games}"
        )

    async def archives(self, request: Request) -> Response:
        """A page of gamelogs, newest first. The path selects the game, the page and its length."""
        asked = request.path_params
        page, count = _number(asked.get("page"), 1), min(_number(asked.get("count"), MOST), MOST)
        game = asked.get("game", "").lower()
        names = [
            name for name in await self._newest(MOST) if game in ("", "all") or f"{game}-" in name.lower()
        ]
        return _page(f"<h1>Gamelogs</h1>{self._list(request, names[(page - 1) * count : page * count])}")

    def _list(self, request: Request, names: list[str]) -> str:
        """A list of gamelogs with links to the visualizer."""
        if not names:
            return (
                "<p>There are no gamelogs yet. A session's gamelog appears here when its match is over.</p>"
            )
        here = str(request.base_url).rstrip("/")
        lines = (
            _line(path_of(name), self.sessions.links.watch(here + path_of(name)), name) for name in names
        )
        return f"<ul>{''.join(lines)}</ul>"

    async def _newest(self, count: int) -> list[str]:
        try:
            return await asyncio.to_thread(self.store.gamelog_names, "cadre", count)
        except ArchiveDown:
            return []

    async def setup(self, request: Request) -> Response:
        """Reserve a session for named players."""
        try:
            body = await body_of(request, LARGEST_SETUP, SLOWEST_SETUP)
        except NoBody as error:
            return _json({"error": str(error)}, error.status, {"Connection": "close"})
        try:
            said = msgspec.json.decode(body, type=dict[str, Any])
        except msgspec.DecodeError:
            return _json({"error": "The body is not a JSON object."}, 400)
        wrong = self._wrong_with(said)
        if not wrong:
            try:
                self._reserve(said)
            except Fatal as error:
                wrong = [str(error)]
        return _json({"error": "\n".join(wrong)}, 400) if wrong else _json({})

    def _wrong_with(self, said: dict[str, Any]) -> list[str]:
        wrong, game = [], self.sessions.named(said.get("gameName"))
        name, settings = said.get("session"), said.get("gameSettings")
        if game is None:
            return [
                f"Game name '{in_script(said.get('gameName', msgspec.UNSET))[:100]}' is not a valid game alias."
            ]
        if not name or not isinstance(name, str):
            wrong.append("session id required")
        elif name in ("*", "new"):
            wrong.append(f"session '{name}' is a reserved session name")
        elif (dialect(game).name, name) in self.sessions.open:
            wrong.append(f"session {name[:100]} is already taken.")
        if not isinstance(settings, dict):
            return [*wrong, "gameSettings is required"]
        names = settings.get("playerNames")
        if not isinstance(names, list) or len(names) != game.seat_count:
            wrong.append(f"gameSettings.playerNames must be an array of length {game.seat_count}")
        return wrong

    def _reserve(self, said: dict[str, Any]) -> None:
        game = self.sessions.named(said["gameName"])
        assert game is not None
        chosen = choose(game, urlencode(said["gameSettings"], doseq=True))
        session = self.sessions.create(game, said["session"], chosen)
        session.reserved = True
        password = said.get("password")
        session.password = password if isinstance(password, str) and password else None


def _line(path: str, seen: str, name: str) -> str:
    return f'<li><a href="{escape(path)}">{escape(name)}</a> <a href="{escape(seen)}">watch</a></li>'


def _page(body: str) -> Response:
    return HTMLResponse(f"<!DOCTYPE html><title>Cadre game server</title>{body}")
