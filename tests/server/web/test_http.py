"""The HTTP API: requests and answers."""

import asyncio
import gzip
import re
from pathlib import Path

import pytest
from starlette.requests import Request

import treasure_game
from endturn.cli.matches import facts
from endturn.engine import gamelog
from endturn.engine.delta import patch
from endturn.engine.match import Match
from endturn.games import GAMES
from endturn.games.snowball.setup.maps import frozen_ring, write_map
from endturn.server.transports.web import endpoint
from web_arena import tokens


def over(server, *actions, **more):
    """A match of Treasure that is over: Ann played these, then resigned."""
    created = server.create(**more)

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            for action in actions:
                answer = await (ann.ask("undo") if action == "undo" else ann.act(**action))
                assert answer["type"] == "done", answer
            await ann.ask("resign")

    asyncio.run(play())
    return created["match"]["id"]


def test_incomplete_request_is_refused(monkeypatch):
    async def never():
        await asyncio.sleep(3600)

    monkeypatch.setattr(endpoint, "BODY_SECONDS", 0.01)
    with pytest.raises(endpoint.NotDone) as refused:
        asyncio.run(endpoint.read_body(Request({"type": "http", "method": "POST", "headers": []}, never)))
    assert (refused.value.status, refused.value.problem.rule) == (408, "slow")


def test_games_are_listed_with_their_settings(server):
    games = {game["name"]: game for game in server.web.get("/api/games").json()["games"]}
    assert set(GAMES) <= set(games)
    settings = {setting["name"]: setting for setting in games["treasure"]["settings"]}
    assert settings["max_turns"]["kind"] == "number" and settings["max_turns"]["high"] == 1000
    assert settings["bounty"]["choices"] == ["poor", "rich"] and settings["bounty"]["default"] == "rich"
    assert settings["together"]["kind"] == "flag"
    text = next(each for each in games["snowball"]["settings"] if each["name"] == "map_text")
    assert (text["kind"], text["default"], text["high"]) == ("text", "", 4096)
    assert server.web.get("/api/games/treasure").json() == games["treasure"]


def test_match_can_use_a_custom_map(server):
    rows = write_map(frozen_ring()).split()
    begun = server.create("snowball", settings={"map_text": "\n".join(rows)})
    assert begun["match"]["settings"]["map_text"].split() == rows
    wish = {"game": "snowball", "seats": [{"kind": "me"}] * 2, "settings": {"map_text": "..x"}}
    answer = server.web.post("/api/matches", json=wish)
    assert answer.status_code == 409
    assert answer.json()["reason"] == "Line 1, column 3: 'x' is not a tile. Tiles are . ~ T m o A B."


def test_rules_are_the_games_readme(server):
    answer = server.web.get("/api/games/anarchy/rules")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    package = Path(__file__).parents[3] / "src" / "endturn" / "games" / "anarchy"
    assert answer.text == (package / "README.md").read_text()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/games/chess", 404),
        ("/api/matches/nowhere", 404),
        ("/api/matches/nowhere/replay", 404),
        ("/api/nothing", 404),
        ("/api/matches?status=lost", 400),
        ("/api/matches?limit=many", 400),
        ("/api/account", 401),
    ],
)
def test_missing_resource_is_one_clear_error(server, path, status):
    answer = server.web.get(path)
    assert answer.status_code == status and answer.json()["reason"].endswith(".")
    assert answer.json()["rule"] == {400: "malformed", 401: "login", 404: "unknown"}[status]


@pytest.mark.parametrize(
    ("method", "path", "status", "rule"),
    [
        ("DELETE", "/api/games", 405, "method"),
        ("POST", "/openapi.json", 405, "method"),
        ("PUT", "/", 405, "method"),
        ("POST", "/api/nothing", 404, "unknown"),
    ],
)
def test_wrong_method_or_path_is_refused(server, method, path, status, rule):
    answer = server.web.request(method, path)
    assert (answer.status_code, answer.json()["rule"]) == (status, rule)
    assert status == 404 or answer.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("wish", "status", "rule", "sentence"),
    [
        ({"game": "chess"}, 404, "unknown", "There is no game 'chess'"),
        (
            {"game": "treasure", "settings": {"max_turns": 0}},
            409,
            "settings",
            "max_turns must be a whole number",
        ),
        ({"game": "treasure", "settings": {"gold": 1}}, 409, "settings", "no setting 'gold'"),
        ({"game": "treasure", "profile": "best"}, 409, "settings", "Its profiles are official, long"),
        ({"game": "treasure", "seats": [{}] * 3}, 409, "seats", "has 2 seats, not 3"),
        ({"game": "treasure", "seats": [{"kind": "bot", "bot": "deep"}]}, 409, "bot", "no bot 'deep'"),
        ({"game": "treasure", "position": "nonsense"}, 409, "position", "Not a position"),
        (
            {"game": "anarchy", "position": "x"},
            409,
            "position",
            "Anarchy: expected three or four parts separated by |.",
        ),
        (
            {"game": "catastrophe", "position": "x"},
            409,
            "position",
            "Catastrophe: expected three parts separated by |.",
        ),
        (
            {"game": "notchess", "position": "x"},
            409,
            "position",
            "Not a position of Not-Chess: expected 6 parts",
        ),
        ({"game": "treasure", "seed": "1f"}, 409, "seed", "know every roll"),
        (
            {"game": "treasure", "seats": [{"kind": "cat"}]},
            400,
            "malformed",
            "[0].kind`. It must be one of bot, link, me.",
        ),
        (
            {"game": "treasure", "clock": {"kind": "x"}},
            400,
            "malformed",
            "one of bank, deadline, move, none, turn.",
        ),
        ({"game": "treasure", "from_action": 3}, 409, "from_action", "from_action needs from_match"),
        (
            {"game": "treasure", "clock": {"kind": "move", "increment": 5}},
            409,
            "clock",
            "Only a bank clock has an increment, not 'move'.",
        ),
        ({"game": "treasure", "colour": "red"}, 400, "malformed", "colour"),
        ({"game": "treasure", "from_match": "none"}, 404, "unknown", "There is no match 'none'"),
    ],
)
def test_invalid_match_is_refused(server, wish, status, rule, sentence):
    answer = server.web.post("/api/matches", json=wish)
    assert (answer.status_code, answer.json()["rule"]) == (status, rule)
    assert sentence in answer.json()["reason"]


@pytest.mark.parametrize("body", ["", '{"game"'])
def test_truncated_body_is_one_clear_error(server, body):
    answer = server.web.post("/api/matches", content=body).json()
    assert answer["reason"] == "The message is empty or cut off. Send a JSON object."


@pytest.mark.parametrize("seat", [7, -1])
def test_missing_seat_error_lists_the_seats(server, seat):
    match = server.create(seats=("me", "link"))["match"]["id"]
    answer = server.web.post(f"/api/matches/{match}/seats", json={"seat": seat})
    assert answer.status_code == 409 and answer.json() == {
        "reason": f"There is no seat {seat}. Seat must be 0 to 1.",
        "rule": "seat",
    }


@pytest.mark.parametrize("said", ["8", "8.0", "8e0"])
def test_whole_number_may_have_a_decimal_point(server, said):
    wish = f'{{"game": "treasure", "seats": [{{"kind": "me"}}, {{}}], "settings": {{"max_turns": {said}}}}}'
    answer = server.web.post("/api/matches", content=wish)
    assert answer.status_code == 201, answer.text
    assert answer.json()["match"]["settings"]["max_turns"] == 8


def test_open_seat_is_taken_once_and_the_match_begins(server):
    created = server.create(seats=("me", "link"))
    match = created["match"]["id"]
    assert created["match"]["status"] == "open" and len(created["tokens"]) == 1
    listed = server.web.get("/api/matches", params={"status": "open"}).json()["matches"]
    assert match in [each["id"] for each in listed]

    async def play():
        async with server.join(match, tokens(created)[0]) as ann:
            early = await ann.act("dig")
            taken = await asyncio.to_thread(
                server.web.post, f"/api/matches/{match}/seats", json={"name": "Bob", "seat": 1}
            )
            told = await ann.until("presence")
            return early, taken, told, await ann.act("dig")

    early, taken, told, dug = asyncio.run(play())
    assert early["rule"] == "open" and taken.status_code == 201 and dug["type"] == "done"
    assert told["seats"][1]["name"] == "Bob"
    again = server.web.post(f"/api/matches/{match}/seats", json={})
    assert again.status_code == 409 and again.json()["rule"] == "seat"

    async def join():
        async with server.join(match, taken.json()["token"]) as bob:
            return bob.welcome["seat"]

    assert asyncio.run(join()) == 1


def test_private_match_is_found_only_by_its_link(server):
    created = server.create(public=False)
    match = created["match"]["id"]
    listed = server.web.get("/api/matches?limit=200").json()["matches"]
    assert match not in [each["id"] for each in listed]
    assert server.web.get(f"/api/matches/{match}").json()["id"] == match


def test_seed_and_gamelog_stay_hidden_until_the_end(server):
    created = server.create(seed="abc")
    match = created["match"]["id"]
    for path in "gamelog", "replay", "verify":
        answer = server.web.get(f"/api/matches/{match}/{path}")
        assert answer.status_code == 409 and answer.json()["rule"] == "over"
    assert server.web.get(f"/api/matches/{match}").json()["seed"] is None
    finished = over(server, seed="abc")
    assert server.web.get(f"/api/matches/{finished}").json()["seed"] == f"{0xABC:016x}"
    packed = server.web.get(f"/api/matches/{finished}/gamelog")
    assert packed.headers["content-type"] == "application/gzip"
    assert gzip.decompress(packed.content).startswith(b'{"endturn":1,"game":"treasure"')


ACTIONS = (
    {"do": "swim", "direction": "right", "steps": 2},
    {"do": "mark", "number": 7},
    "undo",
    {"do": "dig"},
)


def test_replay_shows_every_step(server):
    match = over(server, *ACTIONS, seed="2a")
    replay = server.web.get(f"/api/matches/{match}/replay").json()
    assert replay["total"] == 5 and [step["played"] for step in replay["steps"]] == [1, 2, 3, 4, 5]
    assert [step["event"]["kind"] for step in replay["steps"]] == ["act", "act", "undo", "act", "act"]

    ours, view = Match(treasure_game.game, seed=0x2A), replay["view"]
    assert view == ours.view()
    for step in replay["steps"]:
        ours.undo(0) if step["event"]["kind"] == "undo" else ours.submit(0, step["event"]["action"])
        view = patch(view, step["change"])
        assert view == ours.view()


def test_replay_has_parts_and_turn_marks(server):
    created = server.create()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            await ann.act("mark", number=1)
            await ann.ask("chat", text="well")
            await ann.act("end_turn")
            await ann.ask("resign")

    asyncio.run(play())
    path = f"/api/matches/{created['match']['id']}/replay"
    whole = server.web.get(path).json()
    assert whole["turns"] == [{"turn": 0, "step": 0}, {"turn": 1, "step": 3}]
    rest = server.web.get(path, params={"first": 3, "count": 1}).json()
    assert rest["view"]["turn"] == 1 and rest["steps"] == whole["steps"][3:]
    third = server.web.get(path, params={"seat": 2})
    assert (third.status_code, third.json()["rule"]) == (409, "seat")
    assert third.json()["reason"] == "There is no seat 2. Seat must be 0 to 1."
    again = server.web.get(path, params={"first": 1, "count": 2}).json()
    assert again["steps"] == whole["steps"][1:3]


def test_finished_match_verifies(server):
    match = over(server, *ACTIONS)
    answer = server.web.get(f"/api/matches/{match}/verify").json()
    assert answer == {"verified": True, "reason": None, "actions": 3, "turns": 1}
    packed = server.web.get(f"/api/matches/{match}/gamelog").content
    lines = gzip.decompress(packed).decode().splitlines(keepends=True)
    told = facts(gamelog.verify(lines, treasure_game.find).match)  # as `endturn verify` tells it
    assert (told["actions"], told["turns"]) == (3, 1)


def test_match_can_start_from_a_finished_one(server):
    match = over(server, *ACTIONS)
    created = server.create(from_match=match, from_action=3)

    async def look():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            return ann.view, await ann.act("dig")

    view, dug = asyncio.run(look())
    assert view["place"][0] == 2 and view["mark"] == 0 and dug["type"] == "done"
    late = server.web.post("/api/matches", json={"game": "treasure", "from_match": match, "from_action": 5})
    assert late.status_code == 409 and "from_action must be 0 to 4, not 5." in late.json()["reason"]
    other = server.web.post("/api/matches", json={"game": "anarchy", "from_match": match})
    assert other.status_code == 409 and other.json()["rule"] == "from_match"


def test_results_list_places(server):
    match = over(server)
    results = {each["match"]: each for each in server.web.get("/api/results").json()["results"]}
    assert results[match]["places"] == [2, 1] and results[match]["reasons"] == ["gave up", "stayed"]


def test_account_keeps_its_name_and_seat(server):
    def asked(path, key=None, **body):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return server.web.post(path, json=body, headers=headers)

    made = asked("/api/accounts", name="Cleo", password="correct horse")
    assert made.status_code == 201
    assert asked("/api/accounts", name="CLEO", password="another one").json()["rule"] == "name"
    assert asked("/api/login", name="Cleo", password="wrong wrong").status_code == 401
    assert asked("/api/login", name="Nobody", password="wrong wrong").json()["rule"] == "login"
    key = asked("/api/login", name="cleo", password="correct horse").json()["key"]

    seats = [{"kind": "me", "name": "Cleo"}, {"kind": "me"}]
    assert asked("/api/matches", game="treasure", seats=seats).json()["rule"] == "name"
    mine = asked("/api/matches", key, game="treasure", seats=seats[:1]).json()
    assert mine["match"]["seats"][0]["name"] == "Cleo"
    again = asked(f"/api/matches/{mine['match']['id']}/seats", key, seat=0).json()
    assert again["seat"] == 0 and again["token"] != tokens(mine)[0]

    assert asked("/api/logout", key).json() == {"name": "Cleo"}
    assert asked("/api/matches", key, game="treasure").status_code == 401


def test_only_the_admin_key_stops_a_match(server):
    key = re.search(r"shown once\): (\S+)", "".join(server.said)).group(1)
    created = server.create()
    path = f"/api/admin/matches/{created['match']['id']}/stop"
    assert server.web.post(path, json={}).status_code == 401
    assert server.web.post(path, json={}, headers={"Authorization": "Bearer x"}).status_code == 401

    headers = {"Authorization": f"Bearer {key}"}
    blank = server.web.post(path, json={"reason": " \u200b "}, headers=headers)
    assert (blank.status_code, blank.json()["rule"]) == (409, "reason")

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            await asyncio.to_thread(server.web.post, path, json={"reason": "No."}, headers=headers)
            return await ann.until("failed"), await ann.act("dig")

    failed, refused = asyncio.run(play())
    assert failed["reason"] == "No." and (refused["rule"], refused["reason"]) == ("failed", "No.")
    assert server.web.get(f"/api/matches/{created['match']['id']}").json()["status"] == "failed"


def test_health_says_why_the_archive_is_down(server):
    with server.locked():
        ill = server.until_health(503)
    assert ill["status"] == "archive down" and "database is locked" in ill["reason"]
    well = server.until_health(200)
    assert well["status"] == "ok" and well["reason"] is None


def test_health_and_metrics_describe_the_server(server):
    server.create()
    assert server.web.get("/health").json()["status"] == "ok"
    assert server.web.get("/metrics").status_code == 401  # what is done in secret is counted, too
    key = re.search(r"shown once\): (\S+)", "".join(server.said)).group(1)
    text = server.web.get("/metrics", headers={"Authorization": f"Bearer {key}"}).text
    assert 'endturn_http_requests_total{endpoint="POST /api/matches",status="201"}' in text
    assert float(re.search(r"^endturn_rooms (.*)$", text, re.MULTILINE).group(1)) >= 1
