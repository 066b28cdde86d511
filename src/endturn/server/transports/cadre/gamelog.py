"""Gamelogs in the format of the original servers, written while a match is played.

Entries are packed as they come, so that a long match does not lie in memory. What clients send at will, refused
runs and messages, is left out when a log has grown beyond all measure.
"""

import re
import time
import zlib
from collections.abc import Mapping
from typing import Any

from endturn.cadre.wire import LENGTH, REMOVED, Dialect, Era, Run, Verdict
from endturn.server.transports.cadre.begun import Begun
from endturn.server.transports.cadre.framing import encoded

CONSTANTS = {"DELTA_REMOVED": REMOVED, "DELTA_LIST_LENGTH": LENGTH}
VERSION = "2.2.0"
CHUNK = 1 << 15  # bytes that wait to be packed
LARGEST = 1 << 25  # bytes of a log, after which refused runs are not in it any more
LEVEL, WINDOW, MEMORY = 1, 13 + 16, 5  # of the packer: quick, and in 16 kB where 256 are usual; 16 is gzip
ILLEGAL = re.compile(r'[\x00-\x1f\x7f-\x9f/\\?%*:|"<>]|^\.+')  # in names of files, on one system or another
RAN = b'{"type":"ran","data":{"player":{"id":"%d"},"run":%b%b},"game":%b}'
REFUSED: Mapping[Era, bytes] = {
    "2022": b'{"type":"ran","data":{"player":{"id":"%d"},"invalid":%b,"run":%b%b},"game":%b}',
    "2017": b'{"type":"ran","data":{"player":{"id":"%d"},"invalid":{"message":%b},"run":%b%b},"game":%b}',
}


def entry(kind: str, data: Any, game: bytes) -> bytes:
    """One entry of a log; `game` is a delta in JSON."""
    said = b"" if data is None else b'"data":%b,' % encoded(data)
    return b'{"type":"%b",%b"game":%b}' % (kind.encode(), said, game)


def ran(era: Era, seat: int, run: Run, returned: bytes, game: bytes, invalid: bytes | None) -> bytes:
    """The entry of what was run; all but the run itself is in JSON already."""
    if invalid is None:
        return RAN % (seat, encoded(run), returned, game)
    return REFUSED[era] % (seat, invalid, encoded(run), returned, game)


def file_name(begun: Begun, at: int) -> str:
    """What the original servers called the log of a session that ended at this time, in ms since 1970."""
    when = time.strftime("%Y.%m.%d.%H.%M.%S", time.localtime(at // 1000)) + f".{at % 1000:03d}"
    parts = [begun.game, begun.session]
    if begun.dated:
        parts = [when, *parts] if begun.era == "2017" else [*parts, when]
    return ILLEGAL.sub("", "-".join(parts))


class Gamelog:
    """The log of one session."""

    def __init__(self, dialect: Dialect, begun: Begun) -> None:
        self.size = 0  # bytes that are packed
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY)
        self._packed: list[bytes] = []
        self._waiting: list[bytes] = []
        self._chunk = 0
        head: dict[str, Any] = {
            "gameName": dialect.name,
            "gameSession": begun.session,
            "constants": CONSTANTS,
        }
        head["epoch"] = begun.epoch
        if begun.era == "2017":
            head |= {"randomSeed": begun.settings["randomSeed"]}
        else:
            head |= {"gamelogVersion": VERSION, "gameVersion": dialect.version, "settings": begun.settings}
        self._packed.append(self._packer.compress(encoded(head)[:-1] + b',"deltas":['))
        self._comma = b""

    @property
    def full(self) -> bool:
        """Whether only what matters has a place any more."""
        return self.size > LARGEST

    def note(self, made: bytes) -> None:
        """Something has happened: an entry."""
        self._waiting.append(made)
        self._chunk += len(made)
        if self._chunk > CHUNK:
            self._pack()

    def close(self, standings: dict[str, Any]) -> bytes:
        """The whole log, packed; `standings`: its winners and losers."""
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
    """Winners and losers; `why` is how the loser left, if it did."""

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
