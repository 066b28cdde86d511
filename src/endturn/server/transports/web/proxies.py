"""Finds the client's address behind trusted proxies."""

import ipaddress
from collections.abc import Iterable, Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Proxies:
    """The trusted proxies, as addresses or networks. Their X-Forwarded-For header names the client."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        """Raise a ValueError that names the first invalid address or network."""
        self._trusted = [_network(each) for each in trusted]

    def client(self, peer: str, forwarded: Sequence[str]) -> str:
        """The client's address, from the connection's peer and the values of X-Forwarded-For.

        Each proxy appends the address that it got the request from. So an address counts only if every address to
        the right of it is trusted; a client can put anything to the left.
        """
        known = peer
        if not self._trusted:
            return known
        said = [part.strip() for value in forwarded for part in value.split(",")]
        while self._trusts(known) and said:
            address = _address(said.pop())
            if address is None:
                break
            known = str(address)
        return known

    def _trusts(self, name: str) -> bool:
        address = _address(name)
        return address is not None and any(address in network for network in self._trusted)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        example = "Expected something like 127.0.0.1, ::1 or 10.0.0.0/8."
        raise ValueError(f"Not the address or network of a proxy: {text!r}. {example}") from None


def _address(text: str) -> Address | None:
    """The address in a text that may include a port; None if the text is invalid."""
    host = text[1:].partition("]")[0] if text.startswith("[") else text
    host = host.partition(":")[0] if host.count(":") == 1 else host
    try:
        made = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(made, "ipv4_mapped", None) or made
