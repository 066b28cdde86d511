"""Optional parts of a game: maps of your own, comparison with an original server, the steps of a turn change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple


class BadMap(ValueError):
    """A text that is not a valid map. The message names line and column."""


class BadRecording(ValueError):
    """A file that is not a recording of an original server. The message names the file."""


class MapReport(NamedTuple):
    """What is on a map, for people and for programs."""

    rows: list[tuple[str, str]]  # a name and a text
    facts: dict[str, Any]
    faults: list[str]  # what the map lacks compared with a generated one


@dataclass(frozen=True, kw_only=True, eq=False)
class Maps:
    """Maps that players draw as text. Its functions raise BadMap."""

    example: Callable[[], str]
    check: Callable[[str], MapReport]
    settings: Callable[[str], dict[str, Any]]  # the settings of a match on this map


class Compared(NamedTuple):
    """The comparison of one recording with our replay of it."""

    lines: list[str]  # for people, in rich's markup
    agrees: bool
    reports: Sequence[Any]  # for `summary`


class Summary(NamedTuple):
    """The result of comparing all recordings."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    lines: list[str]
    facts: dict[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Conform:
    """Comparison with recordings of an original server."""

    compare: Callable[[Path], Compared]  # raises BadRecording
    summary: Callable[[Sequence[Any]], Summary]  # of all reports


class TurnLine(NamedTuple):
    """A step of a turn change, or the title of a group of steps, which has no id."""

    depth: int
    id: str
    text: str
    note: str


TurnSteps = Callable[[], dict[str, list[TurnLine]]]  # the steps of each stage
