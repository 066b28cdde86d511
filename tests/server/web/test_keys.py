"""Keys: each opens only its own endpoints, until it expires."""

import asyncio

import pytest

from endturn.archive.store import KEYS, insert
from endturn.server.seat import hashed
from server.web.here import here

pytestmark = pytest.mark.usefixtures("treasure")


def with_key(key):
    return {"Authorization": f"Bearer {key}"}


async def put_key(server, key, purpose, expires_at, account=None):
    """A key as the archive stores it."""
    values = {"token": hashed(key), "account": account, "purpose": purpose, "expires_at": expires_at}
    await server.lobby.journal.write(insert(KEYS, values))


def test_account_key_is_not_an_admin_key(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            said = {"name": "Cleo", "password": "correct horse"}
            login = with_key((await server.web.post("/api/accounts", json=said)).json()["key"])
            match = (await server.create())["match"]["id"]
            path = f"/api/admin/matches/{match}/stop"
            refused = [
                await server.web.post(path, json={"reason": "No."}, headers=login),
                await server.web.get("/metrics", headers=login),
            ]
            assert [(each.status_code, each.json()["rule"]) for each in refused] == [(401, "admin")] * 2
            assert (await server.web.get(f"/api/matches/{match}")).json()["status"] == "running"
            admin = with_key(server.admin)
            assert (await server.web.get("/metrics", headers=admin)).status_code == 200
            assert (await server.web.get("/api/account", headers=login)).status_code == 200
            assert (await server.web.get("/api/account", headers=admin)).status_code == 401

    asyncio.run(go())


@pytest.mark.parametrize(
    ("purpose", "path"), [("login", "/api/account"), ("admin", "/metrics")], ids=["login", "admin"]
)
def test_expired_key_is_refused(tmp_path, purpose, path):
    async def go():
        async with here(tmp_path) as server:
            await server.web.post("/api/accounts", json={"name": "Cleo", "password": "correct horse"})
            account = "cleo" if purpose == "login" else None
            await put_key(server, "old", purpose, 1, account)
            await put_key(server, "good", purpose, 1 << 52, account)
            asked = [await server.web.get(path, headers=with_key(key)) for key in ("old", "good")]
            assert [answer.status_code for answer in asked] == [401, 200]

    asyncio.run(go())
