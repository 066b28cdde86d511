"""A fast path for the most frequent WebSocket frames: one complete, short text message.

`websockets` handles all other frames. It takes some 20 µs more per message, most of it in generators; see
docs/decisions/0013.
"""

from typing import Any

from websockets import frames

TEXT, MASKED = 0x81, 0x80  # the first byte of a complete text message; the mask bit of the second byte
SHORT, LONG = 126, 127  # length codes: the length follows in 2 or in 8 bytes
LONGEST = 1 << 16

unmasked: Any = frames.apply_mask  # type: ignore[attr-defined]  # in C if the extension is installed


def text_frame(text: bytes) -> bytes:
    """The frame in which a server sends a text message."""
    size = len(text)
    if size < SHORT:
        return b"%c%c%b" % (TEXT, size, text)
    if size < LONGEST:
        return b"%c%c%b%b" % (TEXT, SHORT, size.to_bytes(2, "big"), text)
    return b"%c%c%b%b" % (TEXT, LONG, size.to_bytes(8, "big"), text)


def masked_frame(text: bytes, mask: bytes) -> bytes:
    """The frame in which a client sends a text message of less than 64 KiB, with a mask of four bytes."""
    size = len(text)
    sizes = b"%c" % (MASKED | size) if size < SHORT else b"%c%b" % (MASKED | SHORT, size.to_bytes(2, "big"))
    return b"%c%b%b%b" % (TEXT, sizes, mask, unmasked(text, mask))


def whole_text(data: bytes, most: int) -> bytes | None:
    """A client's message, if the bytes are exactly one frame with a complete text of at most `most` bytes."""
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
    """Whether bytes that start with a frame also end with one."""
    at = 0
    while at + 2 <= len(data):
        size, head = data[at + 1] & 0x7F, 2 + (4 if data[at + 1] & MASKED else 0)
        if size >= SHORT:
            more = 2 if size == SHORT else 8
            size, head = int.from_bytes(data[at + 2 : at + 2 + more], "big"), head + more
        at += head + size
    return at == len(data)


class Frames:
    """Splits what a server sends into frames, for clients."""

    def __init__(self) -> None:
        self._rest = b""

    def cut(self, data: bytes) -> list[tuple[int, bytes]]:
        """The complete frames: the first byte and the payload of each. The rest waits for more data."""
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
