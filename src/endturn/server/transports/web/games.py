"""Endpoints: the games and their rules."""

from importlib import resources

import msgspec
from starlette.responses import Response

from endturn.engine import views
from endturn.games import GAMES, find
from endturn.protocol import GameInfo, GameList
from endturn.server.transports.web.describe import game_info
from endturn.server.transports.web.endpoint import HEADERS, ApiRequest, Endpoint, NotDone

SCHEMA = "application/schema+json"


async def listed(asked: ApiRequest) -> GameList:
    """All games."""
    return GameList([game_info(name) for name in GAMES])


async def shown(asked: ApiRequest) -> GameInfo:
    """One game."""
    return game_info(known(asked.path["name"]))


async def rules(asked: ApiRequest) -> Response:
    """A game's rules: its README."""
    package = GAMES[known(asked.path["name"])]
    text = resources.files(package).joinpath("README.md").read_text(encoding="utf-8")
    return Response(text, 200, HEADERS, "text/markdown; charset=utf-8")


async def schema(asked: ApiRequest) -> Response:
    """The JSON schema of a game's views."""
    game = find(known(asked.path["name"]))
    text = msgspec.json.encode(views.schema(game.knowledge.view))
    return Response(text, 200, HEADERS, SCHEMA)


def known(name: str) -> str:
    """The name of a game. Raises NotDone for any other name."""
    if name not in GAMES:
        raise NotDone(404, f"There is no game {name[:80]!r}. Games: {', '.join(GAMES)}.", "unknown")
    return name


ENDPOINTS = (
    Endpoint("GET", "/api/games", "All games.", listed, GameList),
    Endpoint("GET", "/api/games/{name}", "One game.", shown, GameInfo, refusals=(404,)),
    Endpoint(
        "GET", "/api/games/{name}/rules", "The rules of a game.", rules, "text/markdown", refusals=(404,)
    ),
    Endpoint(
        "GET",
        "/api/games/{name}/schema",
        "The JSON schema of a game's views.",
        schema,
        SCHEMA,
        refusals=(404,),
    ),
)
