"""The seats of a match, and the tokens that open them."""

import hashlib
import hmac
from collections.abc import Sequence

import msgspec

LONGEST_NAME = 80


class Seat(msgspec.Struct):
    """A place in a match."""

    kind: str  # person, link, bot
    name: str
    bot: str | None = None
    token: str | None = None  # a hash; None if nobody has taken the seat yet
    account: str | None = None

    @property
    def taken(self) -> bool:
        """Whether the seat has a player."""
        return self.kind == "bot" or self.token is not None


def seat_with(seats: Sequence[Seat], token: str) -> int | None:
    """The number of the seat that a token opens."""
    mark = hashed(token)
    for number, seat in enumerate(seats):
        if seat.token is not None and hmac.compare_digest(seat.token, mark):
            return number
    return None


def hashed(token: str) -> str:
    """A token as the archive stores it. Tokens are long and random, so one round of hashing is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def cleaned(text: str) -> str:
    """A text that both databases accept: no zero bytes and no lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
