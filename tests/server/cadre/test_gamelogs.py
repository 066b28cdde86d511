"""Gamelogs entry by entry, compared with recordings of the originals."""

import asyncio
import gzip
import json
from urllib.parse import unquote

import pytest

from endturn.cadre.gamelogs import file_name
from endturn.server.transports.cadre.saved_session import SavedSession
from server.cadre.client import SMALL, pair, serving
from server.cadre.test_transcripts import ask


def log_of(server):
    return json.loads(gzip.decompress(server.lobby.store.gamelog(kind="cadre")["packed"]))


@pytest.mark.parametrize("why", ["disconnected", "timed out"])
def test_2017_logs_a_leaving_as_its_own_entry(why, tmp_path):
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


def test_invalid_end_of_an_order_is_logged_as_recorded(tmp_path):
    """As in golden gamelog 2022/anarchy/22."""

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


@pytest.mark.parametrize("sent", [{}, {"args": None}, {"args": {}}, {"args": [1]}])
def test_run_is_logged_with_its_arguments_as_sent(sent, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server)
            run = {"caller": {"id": "0"}, "functionName": "log", **sent}
            await one.send("run", run)
            await one.until("ran")
            two.close()
            await one.until("over")
            (ran,) = [each["data"]["run"] for each in log_of(server)["deltas"] if each["type"] == "ran"]
            assert ran == run

    asyncio.run(go())


@pytest.mark.parametrize(
    ("session", "name"),
    [
        ("two words", "Anarchy-two words-"),
        ("café 北京", "Anarchy-café 北京-"),
        ('a/b\\c?d%e*f:g|h"i<j>k\u0000\n', "Anarchy-abcdefghijk-"),
        ("50%25", "Anarchy-5025-"),
        ("#1 & more", "Anarchy-#1 & more-"),
        ("s.json", "Anarchy-s.json-"),
    ],
)
def test_gamelog_keeps_its_session_name_and_is_found_by_url(session, name, tmp_path):
    async def go():
        async with serving(tmp_path) as server:
            one, two, _ = await pair(server, SMALL, session)
            two.close()
            over = await one.until("over")
            shown = over["visualizerURL"]
            assert over["gamelogURL"].isascii() and shown.isascii()
            assert over["message"] == f"---\nYour gamelog is viewable at:\n{shown}\n---"
            assert unquote(shown.partition("?log=")[2]) == over["gamelogURL"]
            path = over["gamelogURL"].partition(str(server.ports["http"]))[2]
            assert unquote(path).startswith(f"/gamelog/{name}")
            for end in ("", ".json", ".json.gz"):
                status, packed = await ask(server, "GET", path + end)
                assert status == 200 and json.loads(gzip.decompress(packed))["gameName"] == "Anarchy"

    asyncio.run(go())


@pytest.mark.parametrize("session", ["final.json", "final.gz", "..final"])
def test_arena_session_may_be_named_like_a_file(session, tmp_path):
    async def go():
        async with serving(tmp_path, arena=True) as server:
            one, two, _ = await pair(server, None, session)
            two.close()
            path = (await one.until("over"))["gamelogURL"].partition(str(server.ports["http"]))[2]
            assert path == f"/gamelog/Anarchy-{session}"
            assert (await ask(server, "GET", path))[0] == 200

    asyncio.run(go())


def test_every_gamelog_is_listed():
    saved = SavedSession(*("..", "x", "2022", [], [], [], {}, 0), dated=False)
    assert file_name(saved, 0) == "-x"
