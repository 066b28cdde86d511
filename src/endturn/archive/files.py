"""Gamelog files: lines of JSON, gzipped or not.

    with writing(path) as write:        # into a hidden file beside it, which gets its name at the end
        write(line)
    verify(path, find_game)             # BadFile: "cup.jsonl.gz, line 41: it was altered, ..."

A file appears whole or not at all, and damage is named by its line.
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
OPENING = '{"endturn":'  # what the first line of every gamelog begins with
LARGEST_FILE = 1 << 28  # of foreign gamelogs, which are read at once; ours are read line by line
FOREIGN = "this is no gamelog of endturn."


class BadFile(ValueError):
    """A file that cannot be read as what it should be, or written; the sentence names it, and its line."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        place = str(path) if line is None else f"{path}, line {line}"
        super().__init__(f"{place}: {reason}")
        self.path, self.reason, self.line = path, reason, line


# --- writing ------------------------------------------------------------------------------------------------


@contextmanager
def writing(path: Path, overwrite: bool = False) -> Iterator[Callable[[str], None]]:
    """A function that writes one line; the file is there when the block ends well, and only then."""
    _refuse_target(path, overwrite)
    part = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as out:
            # No name and no time in the header: the same match gives the same bytes.
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
        raise BadFile(path, f"there is no folder {path.parent} to write it into.")
    if path.exists() and not path.is_file():
        raise BadFile(path, "this is no ordinary file, so it is not written over.")
    if path.exists() and not overwrite:
        raise BadFile(path, "the file exists, and was not asked to be written over.")


def _publish(part: Path, path: Path, overwrite: bool) -> None:
    """Give the file its name; of two writers without leave to overwrite, only one succeeds."""
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
    """The lines of a gamelog, whether gzipped or not; BadFile names the last one that could be read."""
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
    """The file's content, unpacked where its first bytes say that it is packed."""
    with path.open("rb") as raw:
        packed = raw.read(len(GZIP)) == GZIP
        raw.seek(0)
        yield gzip.GzipFile(fileobj=raw) if packed else raw


def _line(path: Path, file: BufferedIOBase, read: int) -> str:
    """The next line, no longer than one character too long; empty at the end of the file."""
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
        raise BadFile(path, "it is not text." if read else FOREIGN, read + 1) from None


def _last(read: int) -> str:
    return f"line {read} is the last that can be read." if read else "nothing in it can be read."


def content(path: Path) -> bytes:
    """All of a file that another program wrote, unpacked where it is packed."""
    with _opened(path) as file, _damage_named(path, 0):
        made = file.read(LARGEST_FILE + 1)
    if not made:
        raise BadFile(path, "the file is empty.")
    if len(made) > LARGEST_FILE:
        raise BadFile(path, f"it is larger than {LARGEST_FILE} bytes.")
    return made


# --- playing again ------------------------------------------------------------------------------------------


def replay(path: Path, find_game: Callable[[str], Game], turn: int | None = None) -> gamelog.Replay:
    """The gamelog played again, to its end or to the beginning of a turn; BadFile where it does not hold."""
    try:
        return gamelog.Replay(lines(path), find_game).run(turn)
    except gamelog.BadGamelog as error:
        raise BadFile(path, error.reason, error.line) from None


def verify(path: Path, find_game: Callable[[str], Game]) -> gamelog.Replay:
    """The whole gamelog played again and every fingerprint compared; BadFile where it does not hold."""
    return replay(path, find_game)
