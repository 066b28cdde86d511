"""A place at the table of a match, and whose it is."""

import hmac
from collections.abc import Sequence

import msgspec

from endturn.engine.answers import Refusal
from endturn.server.writing import hashed

Taken = tuple[int, str] | Refusal  # which seat somebody got, and the token to play it with; or why none


class Seat(msgspec.Struct):
    """A place at the table."""

    kind: str  # person, link, bot
    name: str
    bot: str | None = None
    token: str | None = None  # the hash of the token; none where nobody has taken the seat yet
    account: str | None = None

    @property
    def taken(self) -> bool:
        """Whether somebody plays here."""
        return self.kind == "bot" or self.token is not None


def seat_with(seats: Sequence[Seat], token: str) -> int | None:
    """Which seat a token is for."""
    mark = hashed(token)
    for number, seat in enumerate(seats):
        if seat.token is not None and hmac.compare_digest(seat.token, mark):
            return number
    return None
