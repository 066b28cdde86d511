"""The words of refusals: a sentence names them, a game says what they are, and who is told may have other names."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec


class Names(NamedTuple):
    """What seats and things are called in sentences for somebody who knows them by other names than ours."""

    seats: tuple[str, ...]
    number: Callable[[int], object]  # what stands for a number of ours


class Words(msgspec.Struct, gc=False):
    """The {words} of a refusal: a game's own class has a table of functions, and a sentence calls those it names."""

    state: Any
    seat: int
    action: Any
    names: Names | None = None  # ours, where nobody has others
    table: ClassVar[Mapping[str, Callable[[Any], object]]] = {}
    seats: ClassVar[tuple[str, ...]] = ()  # what the game calls them

    @property
    def kind(self) -> str:
        """What was to be done."""
        return type(self.action).__name__

    def who(self, seat: int) -> str:
        """What a seat is called."""
        return self.seats[seat] if self.names is None else self.names.seats[seat]

    def number_of(self, thing: int) -> object:
        """The number by which a thing is known."""
        return thing if self.names is None else self.names.number(thing)

    def __getitem__(self, name: str) -> object:
        """The word itself."""
        return self.table[name](self)
