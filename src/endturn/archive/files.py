"""Gamelog files: lines of JSON, plain or gzipped.

    with writing(path) as write:        # writes a hidden temporary file, then renames it
        write(line)
    verify(path, find_game)             # BadFile: "cup.jsonl.gz, line 41: it was altered, ..."

A file appears only when it is complete. Errors name the damaged line.
"""

import gzip
import os
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path

from endturn.engine import gamelog
from endturn.engine.game import Game

GZIP = b"\x1f\x8b"
OPENING = '{"endturn":'  # the start of every gamelog's first line
LARGEST_FILE = 1 << 28  # bytes of a foreign gamelog, which is read at once; ours are read line by line
FOREIGN = "this is not an endturn gamelog."


class BadFile(ValueError):
    """A file that cannot be read or written. The message names the file and, if known, the line."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        place = str(path) if line is None else f"{path}, line {line}"
        super().__init__(f"{place}: {reason}")
        self.path, self.reason, self.line = path, reason, line


# --- writing ------------------------------------------------------------------------------------------------


@contextmanager
def writing(path: Path, overwrite: bool = False) -> Iterator[Callable[[str], None]]:
    """A function that writes one line. The file appears when the block ends without an error."""
    _refuse_target(path, overwrite)
    part = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as out:
            # The header has no name and no time, so that the same match gives the same bytes.
            with gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as packed:
                yield lambda line: _write(packed, line)
            out.flush()
            os.fsync(out.fileno())
        _publish(part, path, overwrite)
    finally:
        part.unlink(missing_ok=True)


def _write(packed: gzip.GzipFile, line: str) -> None:
    packed.write(line.encode())


def _refuse_target(path: Path, overwrite: bool) -> None:
    if not path.parent.is_dir():
        raise BadFile(path, f"the folder {path.parent} does not exist.")
    if path.exists() and not path.is_file():
        raise BadFile(path, "it is not a regular file.")
    if path.exists() and not overwrite:
        raise BadFile(path, "the file exists.")


def _publish(part: Path, path: Path, overwrite: bool) -> None:
    """Rename the finished file. Of two writers that may not overwrite, only one succeeds."""
    if overwrite:
        part.replace(path)
        return
    try:
        os.link(part, path)
    except FileExistsError:
        _refuse_target(path, overwrite)
    except OSError:  # a file system without hard links
        part.replace(path)


# --- reading ------------------------------------------------------------------------------------------------


def lines(path: Path) -> Iterator[str]:
    """The lines of a gamelog. If the file is damaged, BadFile names the last readable line."""
    with _opened(path) as file:
        number = 0
        while line := _line(path, file, number):
            number += 1
            if number == 1 and not line.startswith(OPENING):
                raise BadFile(path, FOREIGN, 1)
            yield line
        if number == 0:
            raise BadFile(path, "the file is empty.")


@contextmanager
def _opened(path: Path) -> Iterator[BufferedIOBase]:
    """The file's content, decompressed if its first bytes are those of gzip."""
    with path.open("rb") as raw:
        packed = raw.read(len(GZIP)) == GZIP
        raw.seek(0)
        yield gzip.GzipFile(fileobj=raw) if packed else raw


def _line(path: Path, file: BufferedIOBase, read: int) -> str:
    """The next line, at most one character longer than allowed; empty at the end of the file."""
    with _damage_named(path, read):
        return file.readline(gamelog.LARGEST_LINE + 1).decode()


@contextmanager
def _damage_named(path: Path, read: int) -> Iterator[None]:
    try:
        yield
    except EOFError:
        raise BadFile(path, f"the file is cut off; {_last(read)}", read + 1) from None
    except (gzip.BadGzipFile, zlib.error):
        raise BadFile(path, f"the file is damaged; {_last(read)}", read + 1) from None
    except UnicodeDecodeError:
        raise BadFile(path, "it is not UTF-8 text." if read else FOREIGN, read + 1) from None


def _last(read: int) -> str:
    return f"line {read} is the last readable line." if read else "no line is readable."


def content(path: Path) -> bytes:
    """A whole file that another program wrote, decompressed if necessary."""
    with _opened(path) as file, _damage_named(path, 0):
        made = file.read(LARGEST_FILE + 1)
    if not made:
        raise BadFile(path, "the file is empty.")
    if len(made) > LARGEST_FILE:
        raise BadFile(path, f"it is larger than {LARGEST_FILE} bytes.")
    return made


# --- replaying ------------------------------------------------------------------------------------------


def replay(path: Path, find_game: Callable[[str], Game], turn: int | None = None) -> gamelog.Replay:
    """Replay a gamelog to its end or to the start of a turn. Raises BadFile if it is invalid."""
    try:
        return gamelog.Replay(lines(path), find_game).run(turn)
    except gamelog.BadGamelog as error:
        raise BadFile(path, error.reason, error.line) from None


def verify(path: Path, find_game: Callable[[str], Game]) -> gamelog.Replay:
    """Replay a whole gamelog and compare every checksum. Raises BadFile if it is invalid."""
    return replay(path, find_game)
