"""Which web pages may talk to this server: its own, and those it was told of.

A browser says in `Origin` whose page is asking; programs say nothing, and may ask. `Host` is checked too, because a
page of evil.example whose name was pointed at this machine would else count as our own.
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
    """Whether it is a number and no name, which nobody can point elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def require_origins(said: Iterable[str]) -> None:
    """ValueError names what is no origin."""
    for origin in said:
        if not WRITTEN.fullmatch(origin):
            raise ValueError(f"{origin!r} is no address of pages, which is as https://arena.example.")


class Origins:
    """The origins that are let in; each is written as browsers do: https://arena.example, http://localhost:5173.

    A page of this server's own may come from another port than the one it talks to: `ports` are those that have pages.
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
        """Why a request is not let in: a sentence, or None where it is."""
        if not (name_of(host) in self.names or is_address(name_of(host))):
            return f"This server does not go by the name {host[:80]!r}: start it with --origin for that name."
        if origin is None or origin.lower() in self.allowed or origin.lower() in self._own(host):
            return None
        return f"Pages of {origin[:80]!r} may not talk to this server: start it with --origin to let them."

    def _own(self, host: str) -> set[str]:
        """The origins of this server's own pages, for who calls it by this name."""
        name = f"[{name_of(host)}]" if ":" in name_of(host) else name_of(host)
        names = [host.lower(), *(name + ending for ending in self._endings)]
        return {f"{scheme}://{name}" for scheme in ("http", "https") for name in names}
