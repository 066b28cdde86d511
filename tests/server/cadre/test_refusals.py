"""Refusals by rules use the clients' own names and ids."""

import asyncio
import re

import pytest

from endturn.cadre import dialect
from endturn.engine.match import Match
from endturn.games import find
from server.cadre.client import SMALL, pair, serving
from server.cadre.test_play import room_of


def last_words(client):
    return [each for each in client.heard if each["event"] == "invalid"][-1]["data"]["message"]


@pytest.mark.parametrize("era", ["2022", "2017"])
def test_buildings_are_called_by_their_ids_and_players_by_theirs(era, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, *_ = await pair(server, f"{SMALL}&profile={era}")
            own, others = one.mine(0)[0], one.mine(1)[0]
            target = one.objects["1"]["headquarters"]
            await one.run(own, "ignite", building=target)
            assert last_words(one).startswith(f"headquarters #{target['id']} at (")
            await one.run(others, "ignite", building={"id": own})
            assert last_words(one).startswith(f"warehouse #{others} at (")
            assert last_words(one).endswith("belongs to Player 1. Player 0 can bribe only its own buildings.")

    asyncio.run(go())


@pytest.mark.parametrize("era", ["2022", "2017"])
def test_units_are_called_by_their_ids(era, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, *_ = await pair(server, f"maxTurns=24&randomSeed=c1&profile={era}", gameName="Catastrophe")
            units = [each["id"] for each in one.objects.values() if each["gameObjectName"] == "Unit"]
            for unit in units:
                tile = one.objects[unit]["tile"]
                await one.run(unit, "convert", tile=tile)
                assert re.match(r"[A-Z][a-z ]+ #(\d+) ", last_words(one))[1] == unit
                assert "Red" not in last_words(one) and "Blue" not in last_words(one)

    asyncio.run(go())


def test_dead_unit_keeps_its_id():
    game = find("catastrophe")
    match = Match(game, game.configure("2022"), seed=3)
    objects = dialect(game).write(match.state, "2022")["gameObjects"]
    ids = [said for said, each in objects.items() if each["gameObjectName"] == "Unit"]
    called = dialect(game).called(match.state, objects)
    assert [called(unit) for unit in range(len(ids))] == ids
    match.state.tile[5] = -1
    assert (called(5), called(-1)) == (ids[5], "-1")


def test_names_are_kept_only_while_a_match_is_played(tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            live = room_of(server).live.history.match
            assert live.restarted().names is live.names is not None
            two.close()
            await one.until("over")
            assert live.names is None

    asyncio.run(go())


@pytest.mark.parametrize("era", ["2022", "2017"])
def test_run_out_of_turn_is_refused_in_the_same_words_in_both_eras(era, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            _, two, _ = await pair(server, f"{SMALL}&profile={era}")
            own = two.mine(1)[0]
            await two.run(own, "ignite", building={"id": own})
            assert last_words(two) == "It is not your turn."
            await two.run("0", "log", message="hi")  # in 2017 allowed at any time
            assert two.objects["0"]["logs"]["&LEN"] == (era == "2017")

    asyncio.run(go())
