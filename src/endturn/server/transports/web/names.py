"""Players' names, and the accounts that keys belong to."""

from endturn.archive.store import Row
from endturn.server.seat import hashed
from endturn.server.transports.web.endpoint import ApiRequest, NotDone
from endturn.server.transports.web.site import Site


def tidy(text: str) -> str:
    """A text on one line, without invisible characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def key_row(site: Site, key: str) -> Row | None:
    """The archived row of a key; None if the key is unknown or expired. Blocks on the archive."""
    found = site.store.key(hashed(key))
    expired = found is not None and found["expires_at"] is not None and found["expires_at"] < site.lobby.now()
    return None if expired else found


async def owner_of(asked: ApiRequest) -> Row | None:
    """The account of a request's key; None without a key. Raises NotDone for an invalid key."""
    if asked.key is None:
        return None
    found = await asked.site.beside(key_row, asked.site, asked.key)
    if found is None or found["purpose"] != "login":
        raise NotDone(401, "Invalid or expired key. Log in again.", "login")
    return await asked.site.beside(asked.site.store.account, found["account"])


async def require_admin(asked: ApiRequest) -> None:
    """Raise NotDone unless the request has an admin key."""
    found = await asked.site.beside(key_row, asked.site, asked.key) if asked.key else None
    if found is None or found["purpose"] != "admin":
        raise NotDone(401, "This needs the admin key. The server printed it when it first started.", "admin")


async def own_name(asked: ApiRequest, wished: str) -> tuple[str, str | None]:
    """The player's name and account: those of the request's key, or the requested name if no account has it."""
    owner = await owner_of(asked)
    if owner is not None:
        return owner["name"], owner["id"]
    name = tidy(wished)
    if name and await asked.site.beside(asked.site.store.account, name) is not None:
        raise NotDone(409, f"The name {name!r} belongs to an account. Log in, or choose another.", "name")
    return name, None
