"""Gamelogs entry by entry, where recordings of the originals say how they look."""

import asyncio
import gzip
import json

import pytest

from server.cadre.client import SMALL, pair, serving


def log_of(server):
    return json.loads(gzip.decompress(server.lobby.store.gamelog(kind="cadre")["packed"]))


@pytest.mark.parametrize("why", ["disconnected", "timed out"])
def test_in_2017_who_leaves_ends_the_match_with_an_entry_of_its_own(why, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            clock = "&playerStartingTime=150000000&timeAddedPerTurn=0" if why == "timed out" else ""
            one, two, _ = await pair(server, f"{SMALL}&profile=2017{clock}", metaDeltas=True)
            if not clock:
                one.close()
            await two.until("over")
            left, over = log_of(server)["deltas"][-2:]
            assert over == {"type": "over", "game": {}}
            assert (left["type"], left["data"]) == ("disconnect", {"player": {"id": "0"}, "timeout": True})
            lost = "Timed out during gameplay." if clock else "Disconnected during gameplay."
            changed = left["game"]["gameObjects"]
            assert {k: v for k, v in changed["0"].items() if k != "timeRemaining"} == {
                "lost": True,
                "reasonLost": lost,
            }
            assert changed["1"] == {"won": True, "reasonWon": f"All other players {why}."}
            (told,) = [
                each["data"] for each in two.heard if "lost" in json.dumps(each["data"].get("game", {}))
            ][1:]
            assert told == left

    asyncio.run(go())


def test_the_end_of_an_order_that_cannot_be_is_logged_as_recorded(tmp_path):
    """golden 2022/anarchy/22."""

    async def go():
        async with serving(tmp_path) as server:
            one, two, order = await pair(server, f"{SMALL}&profile=2022")
            await one.finish(order, {"a": 1})
            assert (await one.until("invalid"))["message"].startswith(
                "Return value ([object Object]) from finished"
            )
            assert await one.until("order") == order
            two.close()
            await one.until("over")
            done, again, _ = log_of(server)["deltas"][-3:]
            assert done["data"] == {
                "player": {"id": "0"},
                "invalid": "'[object Object]' is an Object and cannot be reasonably cast to a boolean",
                "order": {"index": 0, "name": "runTurn", "args": [], "errors": 1},
                "returned": {"a": 1},
            }
            said = {"name": "runTurn", "index": 0, "args": []}
            assert again == {"type": "order", "data": {"player": {"id": "0"}, "order": said}, "game": {}}

    asyncio.run(go())
