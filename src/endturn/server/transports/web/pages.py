"""The browser client: files that Vite built. Its pages differ in the URL after `#`, so one file serves all pages."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

from endturn.server.transports.web.endpoint import (
    NotDone,
    problem,
    require_own_page,
    require_patience,
    wrong_method,
)
from endturn.server.transports.web.site import Site

MISSING = (
    "The browser client is not built. Run `make serve`, or `npm ci` and `npm run build` in the project's folder web. "
    "The API is at /api, and its description at /openapi.json.\n"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "worker-src 'self' blob:; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
}
READS = "GET", "HEAD"
FOREVER = "public, max-age=31536000, immutable"  # names of built files change with their content


async def page(site: Site, request: Request) -> Response:
    """A file of the browser client."""
    try:
        require_own_page(site, request, False)
        require_patience(site.requests.take(site.address(request), 0.2))
    except NotDone as error:
        return problem(error)
    path = request.url.path
    if path.startswith("/api/") or path == "/api":
        return problem(NotDone(404, f"There is no endpoint {path[:80]!r}. See /openapi.json.", "unknown"))
    if request.method not in READS:
        return wrong_method(request, READS)
    return _file(site.options.static, path)


def _file(folder: Path, path: str) -> Response:
    index, wanted = folder / "index.html", (folder / path.lstrip("/")).resolve()
    if not index.is_file():
        return PlainTextResponse(MISSING, 404, HEADERS)
    if wanted.is_relative_to(folder.resolve()) and wanted.is_file():
        built = "assets" in wanted.relative_to(folder.resolve()).parts
        return FileResponse(wanted, headers={**HEADERS, "Cache-Control": FOREVER if built else "no-cache"})
    if path == "/":
        return FileResponse(index, headers={**HEADERS, "Cache-Control": "no-cache"})
    if "." in path:
        return PlainTextResponse("There is no such file.\n", 404, HEADERS)
    return RedirectResponse(f"/#{path}", 303, HEADERS)  # people type /match/… for #/match/…
