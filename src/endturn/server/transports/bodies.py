"""What is sent with a request over HTTP, within limits of size and time."""

import asyncio

from starlette.requests import ClientDisconnect, Request


class NoBody(Exception):
    """It was too much, too slow, or broken off: the status and the sentence to answer with."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


async def body_of(request: Request, largest: int, seconds: float) -> bytes:
    """All that was sent; NoBody where that is more than so many bytes, or has not come within so many seconds."""
    read = b""
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                read += part
                if len(read) > largest:
                    raise NoBody(413, f"A request has at most {largest} bytes.")
    except ClientDisconnect:
        raise NoBody(400, "The connection was closed before the request had all come.") from None
    except TimeoutError:
        raise NoBody(408, f"The request did not come to its end within {seconds:.0f} seconds.") from None
    return read
