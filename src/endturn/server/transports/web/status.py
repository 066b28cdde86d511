"""Endpoints: the server's health, and metrics for Prometheus."""

import asyncio
from typing import Literal

from starlette.responses import Response

from endturn import __version__
from endturn.archive.store import ArchiveDown
from endturn.protocol import Health
from endturn.server.transports.web.endpoint import HEADERS, ApiRequest, Endpoint, answered
from endturn.server.transports.web.names import require_admin
from endturn.server.transports.web.site import Site

HEALTH_SECONDS = 5.0


async def health(asked: ApiRequest) -> Response:
    """Whether the server and its archive work."""
    site = asked.site
    trouble = site.lobby.journal.trouble or await _cannot_read(site)
    status: Literal["ok", "archive down"] = "archive down" if trouble else "ok"
    made = Health(status, __version__, len(site.lobby.rooms), site.places.open, trouble)
    return answered(made, 503 if trouble else 200)


async def _cannot_read(site: Site) -> str | None:
    """Why the archive cannot be read, if so. The lobby writes every second, so failed writes are known already."""
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await asyncio.to_thread(site.store.uptime)
    except ArchiveDown as error:
        return str(error)
    except TimeoutError:
        return f"The archive did not answer within {HEALTH_SECONDS:.0f} seconds."
    return None


async def metrics(asked: ApiRequest) -> Response:
    """The server's metrics. Only an admin may read them: on a quiet server they could reveal hidden actions."""
    await require_admin(asked)
    site = asked.site
    site.metrics.rooms.set(len(site.lobby.rooms))
    site.metrics.asleep.set(len(site.lobby.asleep))
    site.metrics.commits.set(site.lobby.journal.commits)
    site.metrics.written.set(site.lobby.journal.written)
    return Response(site.metrics.text(), 200, HEADERS, "text/plain; version=0.0.4; charset=utf-8")


ENDPOINTS = (
    Endpoint("GET", "/health", "The health of the server.", health, Health),
    Endpoint(
        "GET",
        "/metrics",
        "Metrics for Prometheus. This needs the admin key.",
        metrics,
        "text/plain",
        refusals=(401,),
        key=True,
    ),
)
