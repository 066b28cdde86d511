"""Endpoints: optional accounts, and administration. A key is sent once; the archive stores only its hash."""

import secrets
from functools import cache
from typing import Any

import argon2
import structlog

from endturn.archive.store import ACCOUNTS, KEYS, Conflict, Row, account_id, drop_admins, drop_key, insert
from endturn.engine.answers import Refusal
from endturn.protocol import AccountInfo, Credentials, LoggedIn, MatchInfo, Stop
from endturn.server.lobby import Lobby
from endturn.server.seat import hashed
from endturn.server.transports.web.describe import room_info
from endturn.server.transports.web.endpoint import ApiRequest, Endpoint, NotDone, require
from endturn.server.transports.web.matches import room_of
from endturn.server.transports.web.names import owner_of, require_admin, tidy
from endturn.server.transports.web.site import Site

LOG = structlog.get_logger("endturn.web")
LOGIN_LASTS = 30 * 24 * 3600 * 1000  # milliseconds
HASHER = argon2.PasswordHasher()  # argon2id, with the library's recommended costs
LOG_IN_FIRST = "Log in first: this needs the key of an account."


@cache
def nobody() -> str:
    """A password hash to compare with if an account does not exist, so that the answer takes equally long."""
    return HASHER.hash(secrets.token_urlsafe(24))


async def register(asked: ApiRequest) -> LoggedIn:
    """A new account."""
    name = asked.body.name
    if tidy(name) != name or len(name.casefold()) > 32:
        raise NotDone(
            409,
            "A name must be one line of visible characters, without spaces at the start or end.",
            "name",
        )
    site = asked.site
    password = await site.beside(HASHER.hash, asked.body.password)
    row = {"id": account_id(name), "name": name, "password": password, "created_at": int(site.lobby.now())}
    try:
        await site.lobby.journal.write(insert(ACCOUNTS, row))
    except Conflict:
        raise NotDone(409, f"The name {name!r} is taken. Choose another.", "name") from None
    LOG.info("account created", account=name)
    return await _logged_in(site, row)


async def log_in(asked: ApiRequest) -> LoggedIn:
    """A key for an account."""
    found = await asked.site.beside(_checked, asked.site, asked.body)
    if found is None:
        raise NotDone(401, "Wrong name or password.", "login")
    return await _logged_in(asked.site, found)


def _checked(site: Site, said: Credentials) -> Row | None:
    found = site.store.account(said.name)
    try:
        HASHER.verify(found["password"] if found else nobody(), said.password)
    except argon2.exceptions.VerificationError:
        return None
    return found


async def _logged_in(site: Site, account: Row) -> LoggedIn:
    key, expires = secrets.token_urlsafe(24), int(site.lobby.now()) + LOGIN_LASTS
    values = {"token": hashed(key), "account": account["id"], "purpose": "login", "expires_at": expires}
    await site.lobby.journal.write(insert(KEYS, values))
    return LoggedIn(account["name"], key, expires)


async def log_out(asked: ApiRequest) -> AccountInfo:
    """Revoke the key of this request."""
    owner = await owner_of(asked)
    if owner is None:
        raise NotDone(401, LOG_IN_FIRST, "login")
    await asked.site.lobby.journal.write(drop_key(hashed(asked.key or "")))
    return AccountInfo(owner["name"])


async def shown(asked: ApiRequest) -> AccountInfo:
    """The account of the key in this request."""
    owner = await owner_of(asked)
    if owner is None:
        raise NotDone(401, LOG_IN_FIRST, "login")
    return AccountInfo(owner["name"])


# --- admins -------------------------------------------------------------------------------------------------


async def first_admin(lobby: Lobby, replace: bool = False) -> str | None:
    """A new admin key, to show once; None if one exists already. With `replace`, the old key stops working."""
    if replace:
        await lobby.journal.write(drop_admins())
    elif lobby.store.has_admin():
        return None
    key = secrets.token_urlsafe(24)
    values: dict[str, Any] = {"token": hashed(key), "account": None, "purpose": "admin", "expires_at": None}
    await lobby.journal.write(insert(KEYS, values))
    return key


async def stop_match(asked: ApiRequest) -> MatchInfo:
    """Stop a match; its log so far is kept."""
    await require_admin(asked)
    room, reason = await room_of(asked), tidy(asked.body.reason)
    if not reason:
        raise NotDone(
            409,
            "The reason has no visible characters. Everyone sees it: write one, or omit the field.",
            "reason",
        )
    answer = await room.stop(reason)
    if isinstance(answer, Refusal):
        require(answer)
    LOG.info("match stopped by an admin", match=room.id)
    return room_info(room, asked.site.present(room.id))


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/accounts",
        "Create an account. Accounts are optional.",
        register,
        LoggedIn,
        takes=Credentials,
        status=201,
        refusals=(409,),
        limit="logins",
    ),
    Endpoint(
        "POST",
        "/api/login",
        "Get a key for an account.",
        log_in,
        LoggedIn,
        takes=Credentials,
        refusals=(401,),
        limit="logins",
    ),
    Endpoint("POST", "/api/logout", "Revoke this key.", log_out, AccountInfo, refusals=(401,), key=True),
    Endpoint(
        "GET", "/api/account", "The account of this key.", shown, AccountInfo, refusals=(401,), key=True
    ),
    Endpoint(
        "POST",
        "/api/admin/matches/{id}/stop",
        "Stop a match, as an admin.",
        stop_match,
        MatchInfo,
        takes=Stop,
        refusals=(401, 404, 409),
        limit="logins",
        key=True,
    ),
)
