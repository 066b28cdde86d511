"""One table says what the HTTP API offers; requests are checked, limited and answered here, alike for all of it."""

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
LARGEST_BODY = 1 << 17  # bytes; a position in notation is the longest that anyone has to say
BODY_SECONDS = 10.0  # within which a request's body must have come
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
NO_BODY = {400: "malformed", 408: "slow", 413: "size"}  # the rules by which there is no body
CHANGES = {"POST", "PUT", "DELETE"}


class NotDone(Exception):
    """A request is not carried out, and why."""

    def __init__(self, status: int, reason: str, rule: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.status, self.problem, self.wait = status, Problem(reason, rule), wait


class Asked(NamedTuple):
    """A request, understood."""

    site: Site
    path: dict[str, str]
    query: Any
    body: Any
    address: str
    key: str | None  # of an account or an admin


class Endpoint(NamedTuple):
    """One thing that can be asked over HTTP."""

    method: str
    path: str
    does: str  # a sentence
    answer: Callable[[Asked], Awaitable[Any]]
    gives: Any = None  # a struct, or the content type of something else
    takes: Any = None
    query: Any = None
    status: int = 200
    refusals: tuple[int, ...] = ()  # besides those that any request can get
    limit: str = "requests"  # which of the site's limits counts it, besides `requests`
    key: bool = False  # whether it asks for a key of an account or an admin

    async def respond(self, site: Site, request: Request) -> Response:
        """The response to a request; whatever goes wrong is a status and a sentence."""
        try:
            asked = await self._understand(site, request)
            said = await self.answer(asked)
        except NotDone as error:
            return problem(error)
        except ArchiveDown as error:
            return problem(NotDone(503, str(error), "archive"))
        except Exception:
            LOG.exception("a request failed", endpoint=f"{self.method} {self.path}")
            return problem(NotDone(500, "That was a fault of ours; it has been noted.", "fault"))
        return said if isinstance(said, Response) else answered(said, self.status)

    async def _understand(self, site: Site, request: Request) -> Asked:
        address = site.address(request)
        for limit in {"requests", self.limit}:
            require_patience(getattr(site, limit).take(address))
        require_own_page(site, request, self.method in CHANGES)
        query = _converted(_words(request), self.query, strict=False) if self.query else None
        body = _converted(await read_body(request), self.takes) if self.takes else None
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        return Asked(site, request.path_params, query, body, address, key if scheme == "Bearer" else None)


class Resource:
    """All that can be asked of one path."""

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
    return [Route(path, Resource(site, ways)) for path, ways in by_path.items()]


def wrong_method(request: Request, ways: Iterable[str]) -> Response:
    """The answer to what cannot be asked in this way, and how it can be."""
    can = ", ".join(ways)
    reason = f"This can be asked with {can}, not with {request.method[:20]!r}."
    made = problem(NotDone(405, reason, "method"))
    made.headers["Allow"] = can
    return made


def require_patience(wait: float) -> None:
    """NotDone where an address has asked too much lately."""
    if wait > 0:
        seconds = whole_seconds(wait)
        told = f"wait {seconds} second{'' if seconds == 1 else 's'}"
        raise NotDone(429, f"That is more than one address may ask: {told}.", "rate", wait)


def whole_seconds(wait: float) -> int:
    """After how many seconds one can ask again, and is not refused."""
    return int(wait) + 1


def require_own_page(site: Site, request: Request, changes: bool) -> None:
    """NotDone where another site's page wants to change something, or the server goes by a name not its own."""
    origin = request.headers.get("origin") if changes else None
    reason = site.origins.refuse(request.headers.get("host", ""), origin)
    if reason is not None:
        raise NotDone(403, reason, "origin")


async def read_body(request: Request) -> bytes:
    """All of a request's body; NotDone where there is none to be had."""
    try:
        return await body_of(request, LARGEST_BODY, BODY_SECONDS)
    except NoBody as error:
        raise NotDone(error.status, str(error), NO_BODY[error.status]) from None


def _words(request: Request) -> dict[str, str]:
    """What a query says. The word null is one like any other, and no value of ours."""
    made = dict(request.query_params)
    for name, word in made.items():
        if word.lower() == "null":
            raise NotDone(400, f"What is to be left out is left out - at `{name[:40]}`.", "malformed")
    return made


def _whole(text: str) -> int | float:
    """A number that is written with a point: as the document has it, 3.0 is a whole number like 3."""
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
    """The answer to a request that is not carried out."""
    made = answered(error.problem, error.status)
    if error.wait:
        made.headers["Retry-After"] = str(whole_seconds(error.wait))
    return made


def require(answer: Any, status: int = 409) -> Any:
    """What a room answered; NotDone where that is a refusal."""
    if isinstance(answer, Refusal):
        raise NotDone(503 if answer.rule == "archive" else status, answer.reason, answer.rule)
    return answer
