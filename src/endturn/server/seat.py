"""A place at the table of a match, and whose it is."""

import msgspec


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
