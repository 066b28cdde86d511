"""Output of the commands: text and tables for people, JSON for programs, one sentence for a mistake."""

import os
import shlex
import sys
from collections.abc import Container, Iterable
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

PROGRAM = "endturn"
PIPE_WIDTH = 160  # columns in a pipe unless COLUMNS is set; wide enough that grep and awk see whole rows


class Mistake(ValueError):
    """The user asked for something impossible. The message is the sentence to print."""


class Screen(Console):
    """Standard output or standard error, with colours only if the terminal or the user wants them."""

    def __init__(self, stderr: bool = False) -> None:
        plain = not (sys.stderr if stderr else sys.stdout).isatty() and "COLUMNS" not in os.environ
        width = PIPE_WIDTH if plain else None
        super().__init__(stderr=stderr, width=width, highlight=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """End the command: the reader closed the pipe. rich itself would exit with code 1."""
        raise BrokenPipeError

    @property
    def redraws(self) -> bool:
        """Whether the terminal can redraw printed lines."""
        return self.is_terminal and self.file.isatty() and not self.is_dumb_terminal


@cache
def screen() -> Screen:
    """Standard output."""
    return Screen()


def say(text: str = "") -> None:
    """Print a line of rich markup without wrapping it."""
    screen().print(text, soft_wrap=True)


def say_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def complain(sentence: str) -> None:
    """Print one sentence on standard error."""
    print(printable(" ".join(sentence.split())), file=sys.stderr)


def require_within(name: str, value: float | None, low: float, high: float) -> None:
    """Raise a Mistake if a number is outside its limits."""
    if value is not None and not low <= value <= high:
        raise Mistake(f"{name} must be a number from {low} to {high}, not {value}.")


def next_steps(*commands: str) -> None:
    """Suggest the next commands."""
    width = max(map(len, commands), default=0)
    for i, command in enumerate(commands):
        say(f"[dim]{'Next:' if i == 0 else '     '}[/] {escape(command):<{width}}".rstrip())


def command_line(*words: object) -> str:
    """A command as the user would type it."""
    return shlex.join([_program(), *map(str, words)])


@cache
def _program() -> str:
    """The command that starts this program: its name, or its path if the shell cannot find the name."""
    typed = Path(sys.argv[0])
    if typed.name != PROGRAM or which(PROGRAM) == str(typed):
        return PROGRAM
    return os.path.relpath(typed) if typed.is_relative_to(Path.cwd()) else str(typed)


def printable(text: str) -> str:
    """The text without characters that could control a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def quoted(text: str) -> str:
    """Foreign text, safe to print inside markup."""
    return escape(printable(text))


def grid(*columns: str, rows: Iterable[Iterable[str]], numbers: Container[int] = ()) -> Table:
    """A table of markup. It has a header if any column has a name, and only the last column wraps."""
    made = Table(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=any(columns)
    )
    for i, column in enumerate(columns):
        made.add_column(column, no_wrap=i < len(columns) - 1, justify="right" if i in numbers else "left")
    for row in rows:
        made.add_row(*row)
    return made


def picture(markup: str) -> Text:
    """A board. A narrow terminal cuts its lines instead of wrapping them."""
    made = Text.from_markup(markup)
    made.no_wrap, made.overflow = True, "crop"
    return made
