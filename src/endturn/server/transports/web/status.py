"""Endpoints: how the server is, for people and for Prometheus."""

import asyncio

from starlette.responses import Response

from endturn import __version__
from endturn.archive.store import ArchiveDown
from endturn.protocol import Health
from endturn.server.transports.web.endpoint import HEADERS, Asked, Endpoint, answered
from endturn.server.transports.web.names import require_admin

HEALTH_SECONDS = 5.0


async def health(asked: Asked) -> Response:
    """Whether the server can do what it is for."""
    site = asked.site
    made = Health("ok", __version__, len(site.lobby.rooms), site.places.open)
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await asyncio.to_thread(site.store.uptime)
    except (ArchiveDown, TimeoutError):
        made.status = "archive down"
    return answered(made, 200 if made.status == "ok" else 503)


async def metrics(asked: Asked) -> Response:
    """What the server has counted: in a quiet one that includes what a seat does in secret."""
    await require_admin(asked)
    site = asked.site
    site.metrics.rooms.set(len(site.lobby.rooms))
    site.metrics.asleep.set(len(site.lobby.asleep))
    site.metrics.commits.set(site.lobby.journal.commits)
    site.metrics.written.set(site.lobby.journal.written)
    return Response(site.metrics.text(), 200, HEADERS, "text/plain; version=0.0.4; charset=utf-8")


ENDPOINTS = (
    Endpoint("GET", "/health", "How the server is.", health, Health),
    Endpoint(
        "GET",
        "/metrics",
        "Counts and times, for Prometheus, which brings the admin's key.",
        metrics,
        "text/plain",
        refusals=(401,),
        key=True,
    ),
)
