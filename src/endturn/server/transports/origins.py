"""Which web pages may use this server: its own, and those from the origins that `--origin` lists.

Browsers send the page's origin in `Origin`. Other programs send no origin and are let in. `Host` is checked too:
otherwise evil.example could point its name at this server, and its pages would count as the server's own.
"""

import ipaddress
import re
from collections.abc import Iterable

WRITTEN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s]+/?", re.IGNORECASE)
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def name_of(host: str) -> str:
    """The name or address in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


def is_address(name: str) -> bool:
    """Whether a host is an IP address. Unlike a name, it cannot be pointed at another server."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def require_origins(said: Iterable[str]) -> None:
    """Raise a ValueError that names the first invalid origin."""
    for origin in said:
        if not WRITTEN.fullmatch(origin):
            raise ValueError(f"Not an origin: {origin!r}. Expected something like https://arena.example.")


class Origins:
    """The allowed origins, as browsers write them: https://arena.example, http://localhost:5173.

    The server's own pages may come from a port other than the one they talk to. `ports` lists the ports with pages.
    """

    def __init__(
        self, allowed: Iterable[str] = (), own_host: str = "127.0.0.1", ports: Iterable[int] = ()
    ) -> None:
        self._endings = ["" if port in (80, 443) else f":{port}" for port in ports]
        self.allowed = {origin.rstrip("/").lower() for origin in allowed}
        self.names = (
            LOOPBACK | {own_host.lower()} | {name_of(each.partition("://")[2]) for each in self.allowed}
        )

    def refuse(self, host: str, origin: str | None) -> str | None:
        """Why a request is refused, as a sentence; None if it is allowed."""
        if not (name_of(host) in self.names or is_address(name_of(host))):
            return f"Unknown host name {host[:80]!r}. Start the server with --origin for that name."
        if origin is None or origin.lower() in self.allowed or origin.lower() in self._own(host):
            return None
        return f"Pages from {origin[:80]!r} may not use this server. Start it with --origin to allow them."

    def _own(self, host: str) -> set[str]:
        """The origins of this server's own pages, under the name that the request uses."""
        name = f"[{name_of(host)}]" if ":" in name_of(host) else name_of(host)
        names = [host.lower(), *(name + ending for ending in self._endings)]
        return {f"{scheme}://{name}" for scheme in ("http", "https") for name in names}
