"""Messages of the Cadre protocol: reading those of clients, and writing ours.

A message is JSON: an event's name and its data. Over TCP it ends with the byte EOT; over a WebSocket it is one text
frame.
"""

import json
import re
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from endturn.cadre.table import Run

EOT = b"\x04"
EVENTS = frozenset({"alias", "play", "run", "finished"})
NO_DATA = object()
UNCHANGED = b"{}"  # an empty delta
DELTA, INVALID = b'{"event":"delta","data":%b}', b'{"event":"invalid","data":{"message":%b}}'
TICK = b'{"gameObjects":{"%d":{"timeRemaining":%d}}}'  # a delta that only updates a player's clock
# JavaScript allows an unpaired surrogate in a string; it becomes U+FFFD.
ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)


class Fatal(Exception):
    """A client's mistake that ends its connection; the sentence says why."""


# --- from clients -------------------------------------------------------------------------------------------


class Message(msgspec.Struct):
    """A message of a client."""

    event: str
    data: Any = msgspec.UNSET


class RunMessage(msgspec.Struct, tag_field="event", tag="run", gc=False):
    """The most frequent message, decoded in one step."""

    data: Run
    event: ClassVar[str] = "run"


class FinishedMessage(msgspec.Struct, tag_field="event", tag="finished", gc=False):
    """The second most frequent message."""

    data: Any = None
    event: ClassVar[str] = "finished"


USUAL = msgspec.json.Decoder(RunMessage | FinishedMessage)
DECODER = msgspec.json.Decoder(Message)


def decoded(frame: bytes) -> Message | None:
    """The message in a frame; None if the frame is empty in JavaScript's sense, Fatal if it is not a message."""
    try:
        said = DECODER.decode(frame)
    except msgspec.ValidationError:
        if _is_falsy(frame):
            return None
        raise Fatal("Sent malformed json event") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        if (repaired := ESCAPES.sub(_repaired, frame)) != frame:
            return decoded(repaired)
        raise Fatal(f"Sent malformed JSON: 'SyntaxError: {str(error)[:200]}'") from None
    if said.event not in EVENTS:
        raise Fatal(f"Sent unknown event '{said.event[:100]}'.")
    return said


def _repaired(escape: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if escape["half"] else escape[0]


def _is_falsy(frame: bytes) -> bool:
    """Whether JavaScript takes the value for false: 0, -0.0, null, an empty string."""
    try:
        value = msgspec.json.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return False
    return not value and not isinstance(value, dict | list)


def run_in(data: Any) -> Run:
    """The run in the data of a message that `USUAL` does not decode."""
    said = data if isinstance(data, dict) else {}
    return Run(
        said.get("caller", msgspec.UNSET), said.get("functionName", ""), said.get("args", msgspec.UNSET)
    )


# --- to clients ---------------------------------------------------------------------------------------------


def encoded(value: Any) -> bytes:
    """A value as JSON in ASCII, so that a client that reads in pieces never splits a character."""
    made = msgspec.json.encode(value)
    return made if made.isascii() else json.dumps(json.loads(made), separators=(",", ":")).encode()


def event(name: str, data: Any = NO_DATA) -> bytes:
    """A message."""
    return b'{"event":"%b"}' % name.encode() if data is NO_DATA else with_json(name, encoded(data))


def with_json(name: str, data: bytes) -> bytes:
    """A message whose data is JSON already."""
    return b'{"event":"%b","data":%b}' % (name.encode(), data)


def in_json(delta: dict[str, Any]) -> bytes:
    """A delta as clients and gamelogs get it."""
    return encoded(delta) if delta else UNCHANGED


@lru_cache(typed=True)  # otherwise True would be 1
def answered_with(returned: Any) -> tuple[bytes, bytes]:
    """A run's returned value as part of a gamelog entry, and as the answer to the client."""
    if returned is None:
        return b"", event("ran")
    made = encoded(returned)
    return b',"returned":%b' % made, with_json("ran", made)


def fatal(message: str, timed_out: bool = False) -> bytes:
    """The message that ends a connection."""
    return event("fatal", {"message": message, "timedOut": timed_out})


def in_script(value: Any) -> str:
    """A value as the original servers, written in JavaScript, printed it in a sentence."""
    if value is msgspec.UNSET:
        return "undefined"
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, list):
        return ",".join(in_script(each) for each in value[:10])[:100]
    return str(value)[:100] if isinstance(value, str) else msgspec.json.encode(value).decode()[:100]
