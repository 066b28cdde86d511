"""What a dialect is made of: everything about one game that the Cadre protocol needs.

There were two original servers, known by their era, "2017" and "2022". They differ in details, so most functions of
a dialect take the era.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from endturn.engine.actions import Action
from endturn.engine.answers import Malformed

Era = Literal["2017", "2022"]
Wire = dict[str, Any]  # a state, an object or a reference, as clients see it


# --- what clients send --------------------------------------------------------------------------------------


class Run(msgspec.Struct, rename="camel", gc=False):
    """A client's request to run a function of an object."""

    caller: Any = msgspec.UNSET
    function_name: str = ""
    args: Any = msgspec.UNSET


class Note(NamedTuple):
    """A message that a client logs to an object. It is not an action of the game."""

    to: str
    message: str


class Argument(NamedTuple):
    """One argument of a function."""

    name: str
    kind: str  # "boolean", "int", "string", or the class of the object to pass
    default: Any = None
    choices: tuple[str, ...] = ()  # for a string, in any case; the 2017 server let the game check them


class WireFunction(NamedTuple):
    """A function that clients can run on objects of a class."""

    arguments: tuple[Argument, ...]
    action: Callable[..., "Action | Note | Malformed"]  # (state, caller's id, *arguments)
    returns: Callable[[Any, Any, Era], Any]  # (state before, action, era): the value returned if it is played
    refused: Any  # the value returned if it is refused; the 2017 server returned nothing


# --- what clients see ---------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """Who won, in the words of the original server."""

    winner: int
    won: str
    lost: str
    coin: bool = False  # decided by a coin flip; the original's dice are not ours


class Column(NamedTuple):
    """A column of a state that clients see as one attribute of consecutive objects."""

    name: str  # the attribute
    first: int  # the number of the object that shows the first entry
    is_flag: bool = False


class Unused(NamedTuple):
    """A setting that the original servers accepted and showed, but ignored."""

    default: int
    official: str | None = None  # our setting of that name, which counts in the official profile


News = tuple[str | None, str, Any]  # (object id, or None for the game; attribute; its whole new value)


class Since(msgspec.Struct):
    """What has happened to a state since its news was last asked for."""

    dirty: Mapping[str, Sequence[int]] | None  # changed entries by column; None: check every column
    settled: bool  # a turn has ended or begun
    kept: dict[str, Any]  # storage for the dialect, kept between calls


# --- the table ----------------------------------------------------------------------------------------------


class Dialect(NamedTuple):
    """How one game looks on the wire."""

    name: str
    aliases: tuple[str, ...]
    version: str  # clients compare it with theirs
    settings: Mapping[str, str]  # wire name of a setting or a game attribute -> our setting
    parents: Mapping[str, str]  # class -> the class it inherits from
    functions: Mapping[tuple[str, str], WireFunction]  # by class and name
    read: Callable[[Wire, Any], Any]  # (first state, settings) -> our state; raises ValueError
    write: Callable[[Any, Era], Wire]  # our state -> the game's own attributes and objects
    verdict: Callable[[Any, Era], Verdict | None]
    end_turn: Action  # runTurn returned true
    again: Mapping[
        Era, Action
    ]  # runTurn returned false, in eras where that does something; also played before turn 0

    # For games in which objects appear and disappear. A state alone does not say which ids they have or what removed
    # objects looked like, so the next state is written from the one shown before:
    # (state, era, shown before, a turn has ended or begun).
    carry_on: Callable[[Any, Era, Wire, bool], Wire] | None = None
    number: Callable[[Any, Mapping[str, Wire], str], int] | None = None  # (state, objects, id) -> our number

    # For live matches: columns that are shown as they are, everything else that may have changed (state, era, shown
    # before, since), and an action as a client would run it (state, objects, action).
    columns: Mapping[str, Column] = {}
    news: "Callable[[Any, Era, Wire, Since], Iterable[News]] | None" = None
    run_of: "Callable[[Any, Mapping[str, Wire], Action], Run] | None" = None
    # (state, live objects) -> a function from our number to the id that refusals print; None: they print our number.
    called: Callable[[Any, Mapping[str, Wire]], Callable[[int], str]] | None = None

    # More settings.
    percents: Mapping[str, str] = {}  # fractions on the wire, whole percentages here
    of_2017: Mapping[str, str] = {}  # names that only the 2017 server knew
    unused: Mapping[str, Unused] = {}
