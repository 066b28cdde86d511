"""Reads the body of an HTTP request, within limits of size and time."""

import asyncio

from starlette.requests import ClientDisconnect, Request


class NoBody(Exception):
    """The body is too large, too slow or incomplete. Holds the status and the sentence for the response."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


async def body_of(request: Request, largest: int, seconds: float) -> bytes:
    """The whole body. Raises NoBody if it is larger than `largest` bytes or takes longer than `seconds`."""
    read = b""
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                read += part
                if len(read) > largest:
                    raise NoBody(413, f"The request is larger than the limit of {largest} bytes.")
    except ClientDisconnect:
        raise NoBody(400, "The connection closed before the request was complete.") from None
    except TimeoutError:
        raise NoBody(408, f"Timed out: the request was not complete after {seconds:.0f} seconds.") from None
    return read
