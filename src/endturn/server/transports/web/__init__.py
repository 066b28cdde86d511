"""The web transport: an HTTP API, a WebSocket for each match, and the browser client's files."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from endturn.protocol import encode
from endturn.server.transports.web import accounts, games, matches, status
from endturn.server.transports.web.endpoint import HEADERS
from endturn.server.transports.web.endpoint import routes as resources
from endturn.server.transports.web.openapi import document
from endturn.server.transports.web.pages import page
from endturn.server.transports.web.play import play
from endturn.server.transports.web.site import Options, Site, options

ENDPOINTS = (*games.ENDPOINTS, *matches.ENDPOINTS, *accounts.ENDPOINTS, *status.ENDPOINTS)

__all__ = ["ENDPOINTS", "Options", "Site", "application", "options"]


def application(site: Site) -> Starlette:
    """The ASGI application for HTTP and WebSocket."""

    async def playing(socket: WebSocket) -> None:
        await play(site, socket)

    async def paging(request: Request) -> Response:
        return await page(site, request)

    async def refusing(request: Request, error: Exception) -> Response:
        return await page(site, request)

    described = encode(document(ENDPOINTS))

    async def describing(request: Request) -> Response:
        return Response(described, 200, HEADERS, "application/json")

    return Starlette(
        routes=[
            Route("/openapi.json", describing, methods=["GET"]),
            *resources(site, ENDPOINTS),
            WebSocketRoute("/api/matches/{id}/play", playing),
            Route("/{path:path}", paging, methods=["GET"]),
        ],
        exception_handlers={405: refusing},
    )
