"""Whose request it is, where proxies stand between: trusted ones are believed, and no others."""

import ipaddress
from collections.abc import Iterable, Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Proxies:
    """The proxies that may say in X-Forwarded-For whose request they pass on: addresses, or networks of them."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        """ValueError names what is no address."""
        self._trusted = [_network(each) for each in trusted]

    def client(self, peer: str, forwarded: Sequence[str]) -> str:
        """The address of whoever asks, by the peer of the connection and the values of X-Forwarded-For.

        Each proxy adds whom it heard from on the right, so what stands there counts as long as those to the right of
        it are trusted. Anyone can write anything to the left of that.
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
        example = "a trusted proxy is named as 127.0.0.1, ::1 or 10.0.0.0/8"
        raise ValueError(f"{text!r} is no address and no network: {example}.") from None


def _address(text: str) -> Address | None:
    """An address, which may have a port behind it."""
    host = text[1:].partition("]")[0] if text.startswith("[") else text
    host = host.partition(":")[0] if host.count(":") == 1 else host
    try:
        made = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(made, "ipv4_mapped", None) or made
