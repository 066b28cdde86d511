"""Matches and replays over HTTP: lists, limits and errors."""

import asyncio

import pytest

from endturn.archive.store import MATCHES, ArchiveDown
from endturn.games import GAMES
from endturn.server import lobby as lobby_module
from endturn.server.transports.limits import Rate
from endturn.server.transports.web import endpoint, replays
from endturn.server.transports.web.site import FREE
from server.web.here import here
from web_arena import tokens

pytestmark = pytest.mark.usefixtures("treasure")


async def over(server, *actions, **more):
    """The path of a match that is over: Ann played these, then resigned."""
    created = await server.create(**more)
    async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
        for action in actions:
            assert (await ann.act(**action))["type"] == "done"
        await ann.ask("resign")
    return f"/api/matches/{created['match']['id']}"


# --- lists ---


def test_matches_are_listed_newest_change_first(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            made = [(await server.create())["match"]["id"] for _ in range(3)]
            with server.lobby.store.engine.begin() as line:  # in time so far apart that it matters
                for number, match in enumerate(made):
                    line.execute(
                        MATCHES.update().where(MATCHES.c.id == match).values(changed_at=100 + number)
                    )

            async def listed(**asked):
                answer = await server.web.get("/api/matches", params=asked)
                return [each["id"] for each in answer.json()["matches"]]

            assert await listed() == made[::-1] and await listed(limit=2) == made[:0:-1]
            assert await listed(before=102) == made[1::-1] and await listed(before=100) == []

    asyncio.run(go())


def test_result_list_respects_its_limit(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            ended = [await over(server) for _ in range(2)]
            for limit in 1, 2:
                answer = await server.web.get("/api/results", params={"limit": limit})
                assert len(answer.json()["results"]) == limit
            assert len(ended) == 2

    asyncio.run(go())


# --- beginning ---


def test_match_from_another_refuses_other_settings(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            first = (await over(server, settings={"max_turns": 9})).rpartition("/")[2]
            wish = {"game": "treasure", "from_match": first}
            for more in {"settings": {"max_turns": 3}}, {"profile": "long"}, {"position": "x"}:
                refused = await server.web.post("/api/matches", json=wish | more)
                assert (refused.status_code, refused.json()["rule"]) == (409, "from_match")
            created = await server.web.post("/api/matches", json=wish)
            assert created.json()["match"]["settings"]["max_turns"] == 9

    asyncio.run(go())


def test_full_server_refuses_new_matches(tmp_path, monkeypatch):
    async def go():
        async with here(tmp_path) as server:
            monkeypatch.setattr(lobby_module, "MOST_ROOMS", 0)
            full = await server.web.post("/api/matches", json={"game": "treasure"})
            assert (full.status_code, full.json()["rule"]) == (503, "full")

    asyncio.run(go())


def test_name_of_a_bot_is_one_line(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            seats = [{"kind": "me"}, {"kind": "bot", "bot": "random", "name": " R2\n\x1bD2 "}]
            assert (await server.create(seats=seats))["match"]["seats"][1]["name"] == "R2 D2"

    asyncio.run(go())


def test_incomplete_request_is_answered(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoint, "BODY_SECONDS", 0.1)

    async def go():
        async with here(tmp_path) as server:
            reader, writer = await asyncio.open_connection(*server.url.removeprefix("http://").split(":"))
            writer.write(b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200\r\n\r\n{")
            assert (await asyncio.wait_for(reader.readline(), 20)).startswith(b"HTTP/1.1 408")
            writer.close()

    asyncio.run(go())


# --- replays ---


def test_replay_shows_the_requested_seats_view(tmp_path, monkeypatch):
    monkeypatch.setitem(GAMES, "secrets", "hidden_game")

    async def go():
        async with here(tmp_path) as server:
            path = await over(server, {"do": "mark", "number": 5}, game="secrets")
            last = {}
            for seat in 0, 1, None:
                asked = {"first": 1} | ({} if seat is None else {"seat": seat})
                answer = await server.web.get(f"{path}/replay", params=asked)
                last[seat] = answer.json()["view"]["mark"]
            assert last == {0: 5, 1: None, None: None}

    asyncio.run(go())


def test_number_of_cached_replays_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(replays, "KEPT_REELS", 2)

    async def go():
        async with here(tmp_path) as server:
            paths = [await over(server) for _ in range(4)]
            for path in (*paths, paths[0]):
                assert (await server.web.get(f"{path}/replay")).json()["total"] == 1
            assert [f"/api/matches/{each}" for each in server.site.reels._reels] == [paths[3], paths[0]]

    asyncio.run(go())


def test_match_with_other_rules_cannot_be_replayed(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            path = await over(server)
            with server.lobby.store.engine.begin() as line:
                line.execute(MATCHES.update().values(version=2))
            answer = await server.web.get(f"{path}/replay")
            assert (answer.status_code, answer.json()["rule"]) == (409, "version")
            assert (
                "The match used version 2 of the rules of Treasure. This server has version 3."
                in answer.json()["reason"]
            )

    asyncio.run(go())


def test_gamelog_has_a_file_name(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            answer = await server.web.get(f"{await over(server)}/gamelog")
            assert answer.headers["content-disposition"].startswith('attachment; filename="')
            assert answer.headers["content-disposition"].endswith('.jsonl.gz"')

    asyncio.run(go())


# --- how it is, and pages ---


def test_unreadable_archive_is_unhealthy(tmp_path, monkeypatch):
    def down():
        raise ArchiveDown("It does not answer.")

    async def go():
        async with here(tmp_path) as server:
            match = (await server.create())["match"]["id"]
            async with server.join(match):
                assert (await server.web.get("/health")).json()["watching"] == 1
            monkeypatch.setattr(server.lobby.store, "uptime", down)
            ill = await server.web.get("/health")
            assert (ill.status_code, ill.json()["reason"]) == (503, "It does not answer.")

    asyncio.run(go())


def test_pages_check_the_host_and_count_a_fifth(tmp_path):
    async def go():
        async with here(tmp_path, requests=Rate(1e-6, 2), static=tmp_path) as server:
            (tmp_path / "index.html").write_text("hello")
            elsewhere = await server.web.get("/", headers={"Host": "evil.example"})
            assert (elsewhere.status_code, elsewhere.json()["rule"]) == (403, "origin")
            answers = [await server.web.get("/") for _ in range(11)]
            assert [each.status_code for each in answers] == [200] * 10 + [429]
            assert answers[0].headers["cache-control"] == "no-cache"

    asyncio.run(go())


def test_empty_gallery_is_dropped(tmp_path):
    async def go():
        async with here(tmp_path, messages=FREE) as server:
            match = (await server.create())["match"]["id"]
            room = server.lobby.rooms[match]
            before = len(room.observers), len(room.on_change)
            for _ in range(3):
                async with server.join(match):
                    assert (len(room.observers), len(room.on_change)) == (before[0] + 1, before[1] + 1)
                while match in server.site.galleries:
                    await asyncio.sleep(0.001)
            assert (len(room.observers), len(room.on_change)) == before

    asyncio.run(go())


def test_document_marks_endpoints_that_need_a_key(tmp_path):
    async def go():
        async with here(tmp_path) as server:
            paths = (await server.web.get("/openapi.json")).json()["paths"]
            keyed = {
                f"{m} {p}" for p, ways in paths.items() for m, each in ways.items() if "security" in each
            }
            assert {"get /metrics", "get /api/account", "post /api/logout"} < keyed
            assert "post /api/admin/matches/{id}/stop" in keyed and "get /api/games" not in keyed

    asyncio.run(go())
