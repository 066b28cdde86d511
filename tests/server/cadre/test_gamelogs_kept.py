"""A gamelog is archived exactly once, even if the archive fails for a while."""

import asyncio

import pytest

from arena import until
from endturn.archive.store import ArchiveDown, Store
from endturn.server.transports.cadre import interrupted_sessions, saved_session
from server.cadre.client import SMALL, pair, serving
from server.cadre.test_stopping import no_gamelogs, play_to_the_end, wait_for_status


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(interrupted_sessions, "SWEEP", 0.05)
    monkeypatch.setattr(saved_session, "RETRY", 0.05)


def test_gamelog_written_unnoticed_is_not_written_again(tmp_path, monkeypatch):
    """A remote database that stores the gamelog but loses its answer."""

    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, SMALL)
            store, lost = server.lobby.store, []
            write = store.write

            def lose_the_answer(writes):
                write(writes)
                if not lost and any(each.values.get("kind") == "cadre" for each in writes):
                    lost.append(True)
                    raise ArchiveDown("It does not answer.", True)

            monkeypatch.setattr(store, "write", lose_the_answer)
            await play_to_the_end(one, two, order)
            for client in (one, two):
                assert (await client.until("over"))["gamelogURL"].endswith(
                    store.gamelog(kind="cadre")["name"]
                )
            assert lost and store.gamelogs("begun") == []

    asyncio.run(go())


def test_gamelog_of_an_interrupted_session_survives_an_unreadable_archive(tmp_path, monkeypatch):
    tried, down, entries = [], True, Store.entries

    def unreadable(store, match):
        tried.append(match)
        if down:
            raise ArchiveDown("It does not answer.")
        return entries(store, match)

    async def go():
        nonlocal down
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, SMALL, "again")
            heal = no_gamelogs(server.lobby.store, monkeypatch)
            await play_to_the_end(one, two, order)
            await until(lambda: server.lobby.store.results())
            await server.close()
            heal()
        monkeypatch.setattr(Store, "entries", unreadable)
        async with serving(tmp_path) as server:
            await until(lambda: len(tried) > 1, "it was tried only once")
            down = False
            said = await wait_for_status(server, "Anarchy")
            assert said["gamelogFilename"] == server.lobby.store.gamelog(kind="cadre")["name"]

    asyncio.run(go())
