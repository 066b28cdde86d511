"""Who asks: names as people type them, and the accounts that keys open."""

from endturn.archive.store import Row
from endturn.server.seat import hashed
from endturn.server.transports.web.endpoint import Asked, NotDone
from endturn.server.transports.web.site import Site


def tidy(text: str) -> str:
    """What people type, on one line and without letters that nobody sees."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def key_row(site: Site, key: str) -> Row | None:
    """What the archive knows of a key that is still good. This waits for the archive."""
    found = site.store.key(hashed(key))
    expired = found is not None and found["expires_at"] is not None and found["expires_at"] < site.lobby.now()
    return None if expired else found


async def owner_of(asked: Asked) -> Row | None:
    """The account that a request's key is of; None without a key, NotDone with one that opens nothing."""
    if asked.key is None:
        return None
    found = await asked.site.beside(key_row, asked.site, asked.key)
    if found is None or found["purpose"] != "login":
        raise NotDone(401, "This key opens no account: log in again.", "login")
    return await asked.site.beside(asked.site.store.account, found["account"])


async def require_admin(asked: Asked) -> None:
    """NotDone where a request does not come with the key of an admin."""
    found = await asked.site.beside(key_row, asked.site, asked.key) if asked.key else None
    if found is None or found["purpose"] != "admin":
        raise NotDone(
            401, "This asks for the admin's key, which was shown when the server first started.", "admin"
        )


async def own_name(asked: Asked, wished: str) -> tuple[str, str | None]:
    """The name to sit under, and the account: one's own, or any that belongs to no account."""
    owner = await owner_of(asked)
    if owner is not None:
        return owner["name"], owner["id"]
    name = tidy(wished)
    if name and await asked.site.beside(asked.site.store.account, name) is not None:
        raise NotDone(409, f"{name!r} is the name of an account: log in, or choose another.", "name")
    return name, None
