"""WebSocket frames in their most frequent form: one whole text, neither long nor in parts. All else is the library's.

The general way through `websockets` takes some 20 µs a message more, most of it in generators; see
docs/decisions/0013.
"""

from typing import Any

from websockets import frames

TEXT, MASKED, SHORT, LONG = 0x81, 0x80, 126, 127  # the end of a message of text; lengths from 126 on follow
LONGEST = 1 << 16

unmasked: Any = frames.apply_mask  # type: ignore[attr-defined]  # in C where that is installed


def text_frame(text: bytes) -> bytes:
    """A message as a server sends it."""
    size = len(text)
    if size < SHORT:
        return b"%c%c%b" % (TEXT, size, text)
    if size < LONGEST:
        return b"%c%c%b%b" % (TEXT, SHORT, size.to_bytes(2, "big"), text)
    return b"%c%c%b%b" % (TEXT, LONG, size.to_bytes(8, "big"), text)


def masked_frame(text: bytes, mask: bytes) -> bytes:
    """A message as a client sends it; four bytes by chance are its mask."""
    size = len(text)
    sizes = b"%c" % (MASKED | size) if size < SHORT else b"%c%b" % (MASKED | SHORT, size.to_bytes(2, "big"))
    return b"%c%b%b%b" % (TEXT, sizes, mask, unmasked(text, mask))


def whole_text(data: bytes, most: int) -> bytes | None:
    """What a client said, where these bytes are just one frame with one whole text of at most so many bytes."""
    if len(data) < 6 or data[0] != TEXT or not data[1] & MASKED:
        return None
    size, head = data[1] & 0x7F, 2
    if size == SHORT:
        size, head = int.from_bytes(data[2:4], "big"), 4
    if size > most or size == LONG or len(data) != head + 4 + size:
        return None
    made: bytes = unmasked(data[head + 4 :], data[head : head + 4])
    return made


def ends_whole(data: bytes) -> bool:
    """Whether these bytes, which begin with a frame, are whole frames."""
    at = 0
    while at + 2 <= len(data):
        size, head = data[at + 1] & 0x7F, 2 + (4 if data[at + 1] & MASKED else 0)
        if size >= SHORT:
            more = 2 if size == SHORT else 8
            size, head = int.from_bytes(data[at + 2 : at + 2 + more], "big"), head + more
        at += head + size
    return at == len(data)


class Frames:
    """What a server sends, cut into frames; for clients."""

    def __init__(self) -> None:
        self._rest = b""

    def cut(self, data: bytes) -> list[tuple[int, bytes]]:
        """The frames that have come whole: the first byte of each, and what is in it."""
        data, at, made = self._rest + data if self._rest else data, 0, []
        while len(data) - at >= 2:
            size, head = data[at + 1], at + 2
            if size >= SHORT:
                head += 2 if size == SHORT else 8
                size = int.from_bytes(data[at + 2 : head], "big")
            if head + size > len(data):
                break
            made.append((data[at], data[head : head + size]))
            at = head + size
        self._rest = data[at:]
        return made
