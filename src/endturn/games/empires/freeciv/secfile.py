"""Section files, the text format of Freeciv's rulesets and savegames: reading, access and writing."""

import bz2
import gzip
import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from endturn.engine.parts import BadRecording

Value: TypeAlias = "int | float | bool | str"

SKIP = re.compile(r"(?:[ \t\r\n]+|[;#][^\n]*)+")
BLANK = re.compile(r"(?:[ \t\r]+|[;#][^\n]*)+")
SECTION = re.compile(r"\[([^\]\n]+)\]")
INCLUDE = re.compile(r'\*include[ \t]+"([^"\n]+)"')
KEY = re.compile(r"([A-Za-z_][\w.,\-]*)[ \t]*=")
ITEM = re.compile(
    r"""_\(\s*"(?P<told>(?:[^"\\]|\\.)*)"\s*\)
      | "(?P<text>(?:[^"\\]|\\.)*)"
      | (?P<whole>[-+]?\d+)(?![\w.])
      | (?P<real>[-+]?\d+\.\d*)
      | (?P<word>true|false)\b
      | \$(?P<raw>[^$]*)\$
      | \*(?P<path>[^*\n]+)\*""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
ESCAPED = {"n": "\n", "\n": ""}
QUALIFIER = re.compile(r"^\?[^:]*:")
OPENERS = {".xz": lzma.decompress, ".gz": gzip.decompress, ".bz2": bz2.decompress}


class BadSecfile(BadRecording):
    """A ruleset or savegame that cannot be used; the message names file, line and section."""


class SectionTable(NamedTuple):
    """Rows under named columns. A row may continue beyond the last column, which then holds several values."""

    columns: tuple[str, ...]
    rows: list[list[Value]]


class Raw(str):
    """A text between dollar signs, kept as it is."""

    __slots__ = ()


Entry: TypeAlias = "Value | list[Value] | SectionTable"


@dataclass(slots=True)
class Section:
    """The entries of one `[name]`, with the line of each."""

    name: str
    file: str
    line: int
    entries: dict[str, Entry] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def wrong(self, problem: str, key: str | None = None) -> BadSecfile:
        """The error for a problem with this section, or with one of its entries."""
        line = self.lines.get(key, self.line) if key else self.line
        return BadSecfile(f"{self.file}, line {line}, section [{self.name}]: {problem}")

    def need(self, key: str) -> Entry:
        """An entry that must exist."""
        if key not in self.entries:
            raise self.wrong(f"missing entry {key!r}.")
        return self.entries[key]

    def integer(self, key: str, default: int | None = None) -> int:
        """A whole number."""
        value = self.need(key) if default is None else self.entries.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(f"{key!r} must be a whole number, not {_shown(value)}.", key)
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """TRUE or FALSE."""
        value = self.need(key) if default is None else self.entries.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(f"{key!r} must be TRUE or FALSE, not {_shown(value)}.", key)
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text in quotes."""
        value = self.need(key) if default is None else self.entries.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(f"{key!r} must be a text, not {_shown(value)}.", key)
        return value

    def vector(self, key: str) -> list[Value]:
        """A list of values; empty if the entry is missing."""
        value = self.entries.get(key, [])
        if isinstance(value, SectionTable):
            raise self.wrong(f"{key!r} must be a list of values, not a table.", key)
        return value if isinstance(value, list) else [value]

    def texts(self, key: str) -> list[str]:
        """A list of texts, without empty ones."""
        return [str(value) for value in self.vector(key) if value != ""]

    def table(self, key: str) -> SectionTable:
        """A table; empty if the entry is missing."""
        value = self.entries.get(key, SectionTable((), []))
        if not isinstance(value, SectionTable):
            raise self.wrong(f"{key!r} must be a table.", key)
        return value

    def records(self, key: str) -> list[dict[str, Value]]:
        """The rows of a table as dictionaries by column; a short row lacks its last columns."""
        table = self.table(key)
        return [Row(self, key, zip(table.columns, row, strict=False)) for row in table.rows]

    @contextmanager
    def blamed(self, key: str | None = None) -> Iterator[None]:
        """Report any error with values of this section as a problem of the section."""
        try:
            yield
        except BadSecfile:
            raise
        except (KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise self.wrong(f"a value is missing, unknown or out of range: {error}.", key) from None


class Row(dict[str, Value]):
    """A row of a table by column; a missing column is an error that names its table."""

    def __init__(self, section: Section, key: str, cells: Iterable[tuple[str, Value]]) -> None:
        """The cells of a row in a section's table."""
        super().__init__(cells)
        self.section, self.key = section, key

    def __missing__(self, column: str) -> Value:
        """Report a missing column."""
        raise self.section.wrong(f"a row of {self.key!r} lacks the column {column!r}.", self.key)


@dataclass(slots=True)
class Secfile:
    """A file as its sections, in order."""

    name: str
    sections: dict[str, Section] = field(default_factory=dict)

    def need(self, name: str) -> Section:
        """A section that must exist."""
        if name not in self.sections:
            raise BadSecfile(
                f"{self.name}: missing section [{name}]. The file is cut off or of another kind."
            )
        return self.sections[name]

    def starting(self, prefix: str) -> Iterator[Section]:
        """All sections whose name starts with a prefix, in order."""
        return (section for name, section in self.sections.items() if name.startswith(prefix))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."


def unqualified(text: str) -> str:
    """A name without the `?context:` prefix for translators."""
    return QUALIFIER.sub("", text)


def read(path: Path, data: Path | None = None) -> Secfile:
    """Read a file, compressed or not; `data` is the folder for its includes."""
    content = path.read_bytes()
    opener = OPENERS.get(path.suffix)
    try:
        text = (opener(content) if opener else content).decode()
    except (lzma.LZMAError, EOFError, OSError, UnicodeDecodeError) as error:
        raise BadSecfile(f"{path}: not a section file, or cut off: {error}.") from None
    return parse(text, str(path), data)


def parse(text: str, name: str, data: Path | None = None) -> Secfile:
    """Read the text of a section file."""
    file = Secfile(name)
    Reader(text, name, data, file).read()
    return file


@dataclass(slots=True)
class Reader:
    """A position in a text that is being read."""

    text: str
    name: str
    data: Path | None
    file: Secfile
    at: int = 0
    section: Section | None = None
    counted: tuple[int, int] = (0, 1)  # the position up to which lines are counted, and their number

    def read(self) -> None:
        """Read all statements."""
        while self.skip(SKIP) < len(self.text):
            if found := SECTION.match(self.text, self.at):
                self.begin(found[1].strip(), found.end())
            elif found := INCLUDE.match(self.text, self.at):
                self.include(found[1], found.end())
            elif found := KEY.match(self.text, self.at):
                self.assign(found[1], found.end())
            else:
                raise self.wrong("expected a [section] or 'key = value' here.")

    def skip(self, pattern: re.Pattern[str]) -> int:
        if found := pattern.match(self.text, self.at):
            self.at = found.end()
        return self.at

    def line(self) -> int:
        start, lines = self.counted
        self.counted = self.at, lines + self.text.count("\n", start, self.at)
        return self.counted[1]

    def wrong(self, problem: str) -> BadSecfile:
        within = f", section [{self.section.name}]" if self.section else ""
        return BadSecfile(f"{self.name}, line {self.line()}{within}: {problem}")

    def begin(self, name: str, end: int) -> None:
        if name in self.file.sections:
            raise self.wrong(f"duplicate section [{name}].")
        self.section = self.file.sections[name] = Section(name, self.name, self.line())
        self.at = end

    def include(self, path: str, end: int) -> None:
        if self.data is None or not (self.data / path).is_file():
            raise self.wrong(f"included file {path!r} not found.")
        inner = Reader((self.data / path).read_text(), str(self.data / path), self.data, self.file)
        inner.read()
        self.at, self.section = end, inner.section

    def assign(self, key: str, end: int) -> None:
        if self.section is None:
            raise self.wrong(f"{key!r} comes before the first [section].")
        self.section.lines[key] = self.line()
        self.at = end
        self.skip(SKIP)
        self.section.entries[key] = self.table() if self.text.startswith("{", self.at) else self.values(key)

    def values(self, key: str) -> Entry:
        items = self.row(key)
        return items[0] if len(items) == 1 else items

    def row(self, key: str) -> list[Value]:
        """Items separated by commas; after a comma the next item may follow on a later line."""
        items = [self.item(key)]
        while self.text.startswith(",", self.skip(BLANK)):
            self.at += 1
            self.skip(SKIP)
            if not self.text or self.text[self.at : self.at + 1] == "}":
                break
            items.append(self.item(key))
        return items

    def item(self, key: str) -> Value:
        found = ITEM.match(self.text, self.at)
        if not found:
            raise self.wrong(f"cannot read the value of {key!r}. Is the file cut off?")
        self.at = found.end()
        kind, text = found.lastgroup, found[found.lastgroup or 0]
        if kind == "whole":
            return int(text)
        if kind == "real":
            return float(text)
        if kind == "word":
            return text.lower() == "true"
        if kind == "raw":
            return Raw(text)
        return ESCAPE.sub(lambda e: ESCAPED.get(e[1], e[1]), text) if "\\" in text else text

    def table(self) -> SectionTable:
        rows: list[list[Value]] = []
        self.at += 1
        self.skip(SKIP)
        while not self.text.startswith("}", self.at):
            if self.at >= len(self.text):
                raise self.wrong("a table lacks its closing '}'. Is the file cut off?")
            rows.append(self.row("a table"))
            self.skip(SKIP)
        self.at += 1
        return SectionTable(tuple(map(str, rows[0])) if rows else (), rows[1:])


def write(file: Secfile) -> str:
    """The text of a section file, as the server writes its savegames."""
    return "\n".join(_section(section) for section in file.sections.values())


def _section(section: Section) -> str:
    lines = [f"{key}={_entry(entry)}" for key, entry in section.entries.items()]
    return "\n".join(["", f"[{section.name}]", *lines, ""])


def _entry(entry: Entry) -> str:
    if isinstance(entry, SectionTable):
        return "\n".join(["{" + _row(entry.columns), *map(_row, entry.rows), "}"])
    return _row(entry) if isinstance(entry, list) else _item(entry)


def _row(items: Sequence[Value]) -> str:
    return ",".join(map(_item, items))


def _item(value: Value) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Raw):
        return f"${value}$"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return str(value)
