"""A preview shows what could happen, but reveals nothing hidden."""

import asyncio
import secrets

import pytest

from endturn.server.transports.web.site import FREE
from server.web.here import here
from web_arena import tokens

pytestmark = pytest.mark.usefixtures("treasure")
READY = {"do": "ready"}


async def foreseen(server, tile):
    """What Ann sees of the battle before it begins, where Bob has put a unit onto this tile in secret."""
    created = await server.create("snowball", settings={"map": "frozen_ring"}, seed="7")
    match, (ann, bob) = created["match"]["id"], tokens(created)
    async with server.join(match, ann) as first, server.join(match, bob) as second:
        for client in first, second:
            assert (await client.act(**READY))["type"] == "done"
        assert (await second.act("place", unit=1, tile=tile))["type"] == "done"
        assert (await second.act(**READY))["type"] == "done"
        return (await first.ask("preview", action=READY))["answer"]


def test_preview_does_not_depend_on_hidden_information(tmp_path, monkeypatch):
    monkeypatch.setattr(secrets, "randbits", lambda bits: 3)  # else what is imagined would differ anyway

    async def go():
        async with here(tmp_path) as server:
            one, other = [await foreseen(server, 33 + row * 64) for row in (8, 9)]
            assert one == other and "units" in one["change"][0]

    asyncio.run(go())


def test_preview_does_not_reveal_dice(tmp_path):
    async def go():
        async with here(tmp_path, messages=FREE) as server:
            created = await server.create(seed="7")
            async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
                seen = [(await ann.ask("preview", action={"do": "bet"}))["answer"] for _ in range(64)]
                assert not any(answer["certain"] for answer in seen)
                assert len({str(answer["change"]) for answer in seen}) == 2  # won, and lost

    asyncio.run(go())
