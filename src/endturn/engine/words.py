"""The words in refusals. A sentence names them, a game supplies them, and a reader may know things by other names."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec


class Names(NamedTuple):
    """The names of seats and things for readers who do not use ours, such as clients of the original server."""

    seats: tuple[str, ...]
    number: Callable[[int], object]  # their number for a number of ours


class Words(msgspec.Struct, gc=False):
    """The {words} of a refusal: each game's subclass has a table of functions, called for the words in a sentence."""

    state: Any
    seat: int
    action: Any
    names: Names | None = None  # None for ours
    table: ClassVar[Mapping[str, Callable[[Any], object]]] = {}
    seats: ClassVar[tuple[str, ...]] = ()  # the game's names for them

    @property
    def kind(self) -> str:
        """The kind of action."""
        return type(self.action).__name__

    def who(self, seat: int) -> str:
        """The name of a seat."""
        return self.seats[seat] if self.names is None else self.names.seats[seat]

    def number_of(self, thing: int) -> object:
        """A thing's number, as the reader knows it."""
        return thing if self.names is None else self.names.number(thing)

    def __getitem__(self, name: str) -> object:
        """The word for a name."""
        return self.table[name](self)
