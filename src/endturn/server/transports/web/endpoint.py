"""Endpoints of the HTTP API. Every request is limited, checked and answered in the same way."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from endturn.archive.store import ArchiveDown
from endturn.engine.answers import Refusal
from endturn.protocol import Problem, complaint, encode
from endturn.server.transports.bodies import NoBody, body_of
from endturn.server.transports.web.site import Site

LOG = structlog.get_logger("endturn.web")
LARGEST_BODY = 1 << 17  # bytes; the longest valid bodies contain a position in notation
BODY_SECONDS = 10.0  # that a client may take to send a body
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
NO_BODY = {400: "malformed", 408: "slow", 413: "size"}  # rule ids
CHANGES = {"POST", "PUT", "DELETE"}


class NotDone(Exception):
    """The request fails, with a status, a sentence and a rule id."""

    def __init__(self, status: int, reason: str, rule: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.status, self.problem, self.wait = status, Problem(reason, rule), wait


class ApiRequest(NamedTuple):
    """A request, parsed and checked."""

    site: Site
    path: dict[str, str]
    query: Any
    body: Any
    address: str
    key: str | None  # of an account or an admin


class Endpoint(NamedTuple):
    """One method of one path, and the function that answers it."""

    method: str
    path: str
    does: str  # a sentence
    answer: Callable[[ApiRequest], Awaitable[Any]]
    gives: Any = None  # a struct, or the content type of something else
    takes: Any = None
    query: Any = None
    status: int = 200
    refusals: tuple[int, ...] = ()  # in addition to `openapi.ANY`
    limit: str = "requests"  # the limit of the site that applies in addition to `requests`
    key: bool = False  # whether it needs the key of an account or an admin

    async def respond(self, site: Site, request: Request) -> Response:
        """Answer a request. Every error becomes a status and a sentence."""
        try:
            asked = await self._understand(site, request)
            said = await self.answer(asked)
        except NotDone as error:
            return problem(error)
        except ArchiveDown as error:
            return problem(NotDone(503, str(error), "archive"))
        except Exception:
            LOG.exception("request failed", endpoint=f"{self.method} {self.path}")
            return problem(NotDone(500, "Internal error. It was logged.", "fault"))
        return said if isinstance(said, Response) else answered(said, self.status)

    async def _understand(self, site: Site, request: Request) -> ApiRequest:
        address = site.address(request)
        for limit in {"requests", self.limit}:
            require_patience(getattr(site, limit).take(address))
        require_own_page(site, request, self.method in CHANGES)
        query = _converted(_words(request), self.query, strict=False) if self.query else None
        body = _converted(await read_body(request), self.takes) if self.takes else None
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        return ApiRequest(
            site, request.path_params, query, body, address, key if scheme == "Bearer" else None
        )


class PathEndpoints:
    """The endpoints of one path."""

    def __init__(self, site: Site, endpoints: Sequence[Endpoint]) -> None:
        self.site = site
        self.ways = {endpoint.method: endpoint for endpoint in endpoints}
        if "GET" in self.ways:
            self.ways["HEAD"] = self.ways["GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        await (await self._answer(request))(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        endpoint = self.ways.get(request.method)
        if endpoint is None:
            return wrong_method(request, self.ways)
        made = await endpoint.respond(self.site, request)
        self.site.metrics.requests.labels(f"{endpoint.method} {endpoint.path}", made.status_code).inc()
        return made


def routes(site: Site, endpoints: Sequence[Endpoint]) -> list[Route]:
    """A route for each path."""
    by_path: dict[str, list[Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, []).append(endpoint)
    return [Route(path, PathEndpoints(site, ways)) for path, ways in by_path.items()]


def wrong_method(request: Request, ways: Iterable[str]) -> Response:
    """The response to a method that a path does not support. It lists the methods that the path supports."""
    can = ", ".join(ways)
    made = problem(NotDone(405, f"Method {request.method[:20]!r} not allowed; use {can}.", "method"))
    made.headers["Allow"] = can
    return made


def require_patience(wait: float) -> None:
    """Raise NotDone if an address has to wait."""
    if wait > 0:
        again = f"Try again in {whole_seconds(wait)} s."
        raise NotDone(429, f"Too many requests from your address. {again}", "rate", wait)


def whole_seconds(wait: float) -> int:
    """The whole number of seconds after which the request is no longer refused."""
    return int(wait) + 1


def require_own_page(site: Site, request: Request, changes: bool) -> None:
    """Raise NotDone for an unknown host name, and for a change requested by a page from another origin."""
    origin = request.headers.get("origin") if changes else None
    reason = site.origins.refuse(request.headers.get("host", ""), origin)
    if reason is not None:
        raise NotDone(403, reason, "origin")


async def read_body(request: Request) -> bytes:
    """The whole body of a request. Raises NotDone if it is too large, too slow or incomplete."""
    try:
        return await body_of(request, LARGEST_BODY, BODY_SECONDS)
    except NoBody as error:
        raise NotDone(error.status, str(error), NO_BODY[error.status]) from None


def _words(request: Request) -> dict[str, str]:
    """The query parameters. `null` is refused, because msgspec would read it as a missing value."""
    made = dict(request.query_params)
    for name, word in made.items():
        if word.lower() == "null":
            raise NotDone(400, f"Omit the parameter instead of sending null - at `{name[:40]}`.", "malformed")
    return made


def _whole(text: str) -> int | float:
    """A number with a decimal point. In JSON Schema, 3.0 is an integer like 3."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < LARGEST else number


LARGEST = 1 << 63
WHOLE = msgspec.json.Decoder(float_hook=_whole)


def _converted(said: Any, kind: Any, strict: bool = True) -> Any:
    try:
        if isinstance(said, bytes):
            said = WHOLE.decode(said)
        return msgspec.convert(said, kind, strict=strict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NotDone(400, complaint(error, kind), "malformed") from None


def answered(said: Any, status: int = 200) -> Response:
    """A struct as JSON."""
    return Response(encode(said), status, HEADERS, "application/json")


def problem(error: NotDone) -> Response:
    """The response to a request that fails."""
    made = answered(error.problem, error.status)
    if error.wait:
        made.headers["Retry-After"] = str(whole_seconds(error.wait))
    return made


def require(answer: Any, status: int = 409) -> Any:
    """A room's answer. Raises NotDone if it is a refusal."""
    if isinstance(answer, Refusal):
        raise NotDone(503 if answer.rule == "archive" else status, answer.reason, answer.rule)
    return answer
