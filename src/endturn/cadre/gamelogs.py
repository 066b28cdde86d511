"""Gamelogs in the format of the original servers: reading theirs, and writing ours while a match is played.

A gamelog is a JSON object, usually packed by gzip. Its `deltas` are the entries: what happened, and the delta that
it caused.
"""

import re
import time
import zlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from endturn.cadre.deltas import LENGTH, REMOVED
from endturn.cadre.messages import encoded
from endturn.cadre.table import Dialect, Era, Run, Verdict

LARGEST_FILE = 1 << 28


class BadCadreLog(ValueError):
    """The file is not a gamelog of an original server, or it is damaged."""


# --- reading ------------------------------------------------------------------------------------------------


class PlayerReference(msgspec.Struct):
    """A reference to a player."""

    id: str


class Cause(msgspec.Struct):
    """What caused a delta. Which fields are set depends on the type of the entry."""

    player: PlayerReference | None = None
    run: Run | None = None
    order: Any = None
    returned: Any = msgspec.UNSET
    invalid: str | dict[str, Any] | None = None

    @property
    def refusal(self) -> str | None:
        """The original's sentence if it refused the run."""
        return str(self.invalid.get("message")) if isinstance(self.invalid, dict) else self.invalid


class LogEntry(msgspec.Struct):
    """One entry of a gamelog: what happened, and the delta it caused."""

    type: Literal["start", "order", "ran", "finished", "disconnect", "over"]
    data: Cause | None = None
    game: dict[str, Any] = {}

    @property
    def cause(self) -> Cause:
        """The cause; empty if the entry has none."""
        return self.data or Cause()


class Standing(msgspec.Struct):
    """A winner or a loser."""

    index: int
    reason: str


class CadreLog(msgspec.Struct, rename="camel"):
    """A gamelog of an original server."""

    game_name: str
    deltas: list[LogEntry]
    winners: list[Standing]
    losers: list[Standing]
    settings: dict[str, Any] = {}
    gamelog_version: str | None = None

    @property
    def era(self) -> Era:
        """Which server wrote it: only the later one wrote a version."""
        return "2017" if self.gamelog_version is None else "2022"


def read_log(data: bytes) -> CadreLog:
    """A gamelog from the bytes of a file, packed by gzip or not; BadCadreLog if it is not one."""
    try:
        log = msgspec.json.decode(_unpacked(data), type=CadreLog)
    except (msgspec.MsgspecError, zlib.error, UnicodeDecodeError, RecursionError) as error:
        raise BadCadreLog(f"not a gamelog of an original server: {str(error)[:200]}.") from None
    if not log.deltas or log.deltas[0].type != "start":
        raise BadCadreLog("the gamelog has no start entry.")
    return log


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacker = zlib.decompressobj(wbits=31)  # 31: a gzip header
    text = unpacker.decompress(data, LARGEST_FILE)
    if not unpacker.eof:
        raise BadCadreLog("the file is truncated or too large.")
    return text


# --- writing ------------------------------------------------------------------------------------------------

CONSTANTS = {"DELTA_REMOVED": REMOVED, "DELTA_LIST_LENGTH": LENGTH}
VERSION = "2.2.0"
CHUNK = 1 << 15  # bytes that wait to be packed
LARGEST = 1 << 25  # bytes; a larger log gets no more refused runs
# Fast, and with 16 kB of memory instead of the usual 256; +16 means a gzip header.
LEVEL, WINDOW, MEMORY = 1, 13 + 16, 5
ILLEGAL = re.compile(r'[\x00-\x1f\x7f-\x9f/\\?%*:|"<>]|^\.+')  # in file names, on some system
RAN = b'{"type":"ran","data":{"player":{"id":"%d"},"run":%b%b},"game":%b}'
REFUSED: Mapping[Era, bytes] = {
    "2022": b'{"type":"ran","data":{"player":{"id":"%d"},"invalid":%b,"run":%b%b},"game":%b}',
    "2017": b'{"type":"ran","data":{"player":{"id":"%d"},"invalid":{"message":%b},"run":%b%b},"game":%b}',
}


class SessionStart(msgspec.Struct, frozen=True):
    """A session as it began: all that its gamelog needs besides the match."""

    game: str  # its name on the wire
    session: str
    era: Era
    names: list[str]  # by seat
    kinds: list[str]  # the programs that play, by seat
    clients: list[int]  # the seats that are not our bots
    settings: dict[str, Any]  # every setting, as gamelogs list them
    epoch: int  # milliseconds since 1970
    dated: bool = True  # whether the gamelog's name includes the time; an arena's does not


def entry(kind: str, data: Any, game: bytes) -> bytes:
    """One entry of a log; `game` is a delta in JSON."""
    said = b"" if data is None else b'"data":%b,' % encoded(data)
    return b'{"type":"%b",%b"game":%b}' % (kind.encode(), said, game)


def ran(era: Era, seat: int, run: Run, returned: bytes, game: bytes, invalid: bytes | None) -> bytes:
    """The entry of a run. Everything but the run itself is JSON already."""
    if invalid is None:
        return RAN % (seat, encoded(run), returned, game)
    return REFUSED[era] % (seat, invalid, encoded(run), returned, game)


def file_name(start: SessionStart, at: int) -> str:
    """The original servers' name for the log of a session that ended at this time, in ms since 1970."""
    when = time.strftime("%Y.%m.%d.%H.%M.%S", time.localtime(at // 1000)) + f".{at % 1000:03d}"
    parts = [start.game, start.session]
    if start.dated:
        parts = [when, *parts] if start.era == "2017" else [*parts, when]
    return ILLEGAL.sub("", "-".join(parts))


class GamelogWriter:
    """Writes the log of one session. Entries are packed as they come, so a long match needs little memory."""

    def __init__(self, dialect: Dialect, start: SessionStart) -> None:
        self.size = 0  # of what has been packed, in bytes before packing
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY)
        self._packed: list[bytes] = []
        self._waiting: list[bytes] = []
        self._chunk = 0
        head: dict[str, Any] = {
            "gameName": dialect.name,
            "gameSession": start.session,
            "constants": CONSTANTS,
        }
        head["epoch"] = start.epoch
        if start.era == "2017":
            head |= {"randomSeed": start.settings["randomSeed"]}
        else:
            head |= {"gamelogVersion": VERSION, "gameVersion": dialect.version, "settings": start.settings}
        self._packed.append(self._packer.compress(encoded(head)[:-1] + b',"deltas":['))
        self._comma = b""

    @property
    def full(self) -> bool:
        """Whether the log is too large for more refused runs, which clients can send without limit."""
        return self.size > LARGEST

    def note(self, made: bytes) -> None:
        """Add an entry."""
        self._waiting.append(made)
        self._chunk += len(made)
        if self._chunk > CHUNK:
            self._pack()

    def close(self, standings: dict[str, Any]) -> bytes:
        """The whole log, packed; `standings` are its winners and losers."""
        self._pack()
        end = self._packer.compress(b"]," + encoded(standings)[1:])
        return b"".join([*self._packed, end, self._packer.flush()])

    def _pack(self) -> None:
        if self._waiting:
            self._packed.append(self._packer.compress(self._comma + b",".join(self._waiting)))
            self._waiting.clear()
            self.size += self._chunk
            self._chunk, self._comma = 0, b","


def standings(verdict: Verdict, names: tuple[str, ...], why: str | None) -> dict[str, Any]:
    """Winners and losers; `why` says how the loser left, if it did."""

    def standing(seat: int) -> dict[str, Any]:
        won = seat == verdict.winner
        return {
            "index": seat,
            "id": str(seat),
            "name": names[seat],
            "reason": verdict.won if won else verdict.lost,
            "disconnected": not won and why == "disconnected",
            "timedOut": not won and why == "timed out",
        }

    seats = range(len(names))
    return {
        "losers": [standing(seat) for seat in seats if seat != verdict.winner],
        "winners": [standing(verdict.winner)],
    }
