"""Playing over the WebSocket, with real processes and sockets."""

import asyncio
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

import treasure_game
from endturn.engine import gamelog, record
from endturn.engine.match import Match
from endturn.games import find
from web_arena import TESTS, tokens

PLAYER = Path(__file__).parent / "player.py"


def start_player(server, created, seat):
    url = server.socket_url(created["match"]["id"])
    environment = {**os.environ, "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{TESTS}"}
    command = [sys.executable, str(PLAYER), url, tokens(created)[seat], str(seat)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_match_over_sockets_ends_like_a_match_in_process(server):
    created = server.create("catastrophe", settings={"max_turns": 6}, seed="5eed")
    players = [start_player(server, created, seat) for seat in (0, 1)]
    ends = [json.loads(player.communicate(timeout=60)[0]) for player in players]

    packed = server.web.get(f"/api/matches/{created['match']['id']}/gamelog").content
    head, *rest = (json.loads(line) for line in gzip.decompress(packed).decode().splitlines())
    match = Match(find("catastrophe"), head["settings"], seed=0x5EED)
    for said in rest:
        if "do" in said:
            match.submit(
                said["seat"], {key: value for key, value in said.items() if key not in ("seat", "#")}
            )
    assert match.outcome is not None and len(match.played()) > 6
    assert rest[-1]["state"] == record.digest(match.dump())
    for seat, end in enumerate(ends):
        assert end["view"] == json.loads(json.dumps(match.view(seat)))
        assert end["events"] == len(match.played())


def test_server_bot_answers(server):
    created = server.create("catastrophe", ("me", "bot:random"), settings={"max_turns": 4})

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            for _ in range(2):
                await ann.act("end_turn")
                while 0 not in (last := await ann.until("happened"))["now"]["to_act"]:
                    if last["now"]["status"] == "over":
                        return last["now"]["outcome"]

    assert asyncio.run(play())["places"]


def test_returning_client_gets_missed_events(server):
    created = server.create()
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def play():
        async with server.join(match, bob) as second:
            async with server.join(match, ann) as first:
                await first.act("mark", number=1)
                await second.until("happened")
            await second.ask("chat", text="where are you?")
            async with server.join(match, ann, since=1) as first:
                await first.act("mark", number=2)
                return first.events(), first.view["mark"], first.welcome["known"]

    events, mark, known = asyncio.run(play())
    assert [(event["number"], event["kind"]) for event in events] == [(2, "chat"), (3, "act")]
    assert mark == 2 and known == 2


def test_everyone_is_told_of_actions_and_presence(server):
    created = server.create()
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def play():
        async with server.join(match, ann) as first, server.join(match) as watching:
            async with server.join(match, bob):
                here = await watching.until("presence")
            gone = await watching.until("presence")
            await first.act("swim", direction="right", steps=2)
            happened = await watching.until("happened")
            return here, gone, happened, watching.view

    here, gone, happened, view = asyncio.run(play())
    assert [seat["present"] for seat in here["seats"]] == [True, True] and here["watching"] == 1
    assert [seat["present"] for seat in gone["seats"]] == [True, False]
    assert happened["event"]["action"] == {"do": "swim", "direction": "right", "steps": 2}
    assert view["place"] == [2, 7]


def test_refusal_has_a_rule_and_a_sentence(server):
    created = server.create()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            return await ann.act("swim", direction="left", steps=1), ann.view["place"]

    refused, place = asyncio.run(play())
    assert (refused["type"], refused["rule"]) == ("refused", "S2")
    assert refused["reason"] == "From cell 0 that leads off the shore, which has cells 0 to 7."
    assert place == [0, 7]


@pytest.mark.parametrize(
    ("seat", "ask", "rule"),
    [
        (1, {"kind": "act", "action": {"do": "dig"}}, "turn"),
        (1, {"kind": "undo"}, "undo"),
        (None, {"kind": "act", "action": {"do": "dig"}}, "seat"),
        (None, {"kind": "resign"}, "seat"),
        (None, {"kind": "legal"}, "seat"),
        (0, {"kind": "pause", "on": False}, "pause"),
        (0, {"kind": "legal", "piece": 99}, "piece"),
        (0, {"kind": "preview", "action": {"do": "swim", "direction": "left", "steps": 1}}, "S2"),
        (0, {"kind": "chat", "text": "\u200b"}, "chat"),
    ],
)
def test_impossible_requests_are_refused(server, seat, ask, rule):
    created = server.create()

    async def play():
        token = None if seat is None else tokens(created)[seat]
        async with server.join(created["match"]["id"], token) as client:
            return await client.ask(**ask)

    refused = asyncio.run(play())
    assert (refused["type"], refused["rule"]) == ("refused", rule) and refused["reason"].endswith(".")


@pytest.mark.parametrize("why", ["timed_out", "disconnected", 1])
def test_only_the_server_reports_timeouts_and_disconnects(server, why):
    created = server.create()
    pretended = {"do": "leave", "why": why}

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            await ann.send({"type": "legal", "ask": 98})  # so that the next one finds a question under way
            said = [await ann.ask("act", action=pretended) for _ in range(2)]
            said.append(await ann.ask("act", action=json.dumps(pretended)))
            return said, ann.events(), await ann.act("leave", why="resigned"), ann.events()

    refused, before, given_up, after = asyncio.run(play())
    for answer in refused:
        assert (answer["type"], answer["rule"]) == ("refused", "leave")
        assert answer["reason"].endswith("Resign to leave the match.")
    assert before == [] and given_up["type"] == "done"
    assert [event["action"] for event in after] == [{"do": "leave", "why": "resigned"}]


def test_malformed_action_names_the_bad_field(server):
    created = server.create()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            return [
                await ann.act("swim", direction="up", steps=1),
                await ann.ask("dance"),
                await ann.ask("chat"),
            ]

    action, unknown, missing = asyncio.run(play())
    assert action["type"] == "malformed" and "$.direction" in action["reason"]
    known = "join, act, undo, legal, ready, preview, chat, resign, pause, ping"
    assert (
        unknown["reason"] == f"Invalid value 'dance' - at `$.type`. It must be one of {known}."
        and "text" in missing["reason"]
    )
    assert [each["rule"] for each in (action, unknown, missing)] == ["malformed"] * 3


def test_seat_needs_its_own_token(server):
    mine, other = server.create(), server.create()

    async def play():
        async with connect(server.socket_url(mine["match"]["id"])) as socket:
            await socket.send(json.dumps({"type": "join", "token": tokens(other)[0]}))
            refused = json.loads(await socket.recv())
            await socket.send(json.dumps({"type": "join", "token": tokens(mine)[1]}))
            return refused, json.loads(await socket.recv())

    refused, welcome = asyncio.run(play())
    assert refused["rule"] == "token" and welcome["seat"] == 1


def test_legal_and_preview_come_from_the_rules(server):
    created = server.create()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            return [
                (await ann.ask("legal"))["answer"]["actions"],
                (await ann.ask("legal", piece=1))["answer"]["actions"],
                (await ann.ask("preview", action={"do": "dig"}))["answer"],
            ]

    every, one, preview = asyncio.run(play())
    match = Match(treasure_game.game)
    assert every == [match.game.actions.to_json(action) for action in match.legal(0)]
    assert one == [{"do": "end_turn"}]
    assert preview == {"legal": True}


def test_ready_lists_pieces_with_legal_actions(server):
    created = server.create()

    async def play():
        first, second = (server.join(created["match"]["id"], token) for token in tokens(created))
        async with first as ann, second as bob:
            return [(await each.ask("ready"))["answer"]["pieces"] for each in (ann, bob)]

    assert asyncio.run(play()) == [[0, 1], []]


def test_preview_shows_a_change_without_making_it(server):
    created = server.create()
    swim = {"do": "swim", "direction": "right", "steps": 1}

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            foreseen = (await ann.ask("preview", action=swim))["answer"]
            again = (await ann.ask("preview", action=swim))["answer"]
            await ann.act("swim", direction="right", steps=1)
            return foreseen, again, [told["change"] for told in ann.heard if told["type"] == "happened"]

    foreseen, again, (change,) = asyncio.run(play())
    assert foreseen == again == {"legal": True, "change": change, "certain": True} and change


def test_undo_restores_the_view(server):
    created = server.create()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            before = ann.view
            await ann.act("mark", number=42)
            marked = ann.view["mark"]
            return before, marked, await ann.ask("undo"), ann.view

    before, marked, answer, after = asyncio.run(play())
    assert answer["type"] == "done" and marked == 42 and after == before


def test_pause_stops_clocks_and_actions(server):
    created = server.create(clock={"kind": "bank", "seconds": 1000})

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            await ann.ask("pause", on=True)
            paused = ann.heard[-2]["now"]["clocks"]
            refused = await ann.act("dig")
            await ann.ask("pause", on=False)
            return paused, refused, ann.heard[-2]["now"]["clocks"]

    paused, refused, running = asyncio.run(play())
    assert paused["paused"] and paused["running"] == [] and paused["left"][1] == 1000 * 1000
    assert refused["rule"] == "paused" and running["running"] == [0]


def test_resignation_and_timeout_are_told(server):
    left, late = server.create(), server.create(clock={"kind": "move", "seconds": 0.2})

    async def play():
        async with server.join(left["match"]["id"], tokens(left)[1]) as bob:
            await bob.ask("resign")
            resigned = bob.heard[-2]
        async with server.join(late["match"]["id"], tokens(late)[1]) as bob:
            return resigned, bob.heard[0] if bob.heard[0]["now"]["outcome"] else await bob.until("happened")

    resigned, timed_out = asyncio.run(play())
    assert resigned["now"]["outcome"]["winner"] == 0
    assert resigned["event"]["action"] == {"do": "leave", "why": "resigned"}
    assert timed_out["now"]["outcome"]["winner"] == 1


def test_everyone_is_told_when_the_match_begins(server):
    created = server.create(seats=("me", "link"))
    match = created["match"]["id"]

    async def play():
        async with server.join(match, tokens(created)[0]) as ann, server.join(match) as watching:
            waiting = ann.welcome["now"]
            await asyncio.to_thread(
                lambda: server.web.post(f"/api/matches/{match}/seats", json={"name": "Bob"})
            )
            begun = [await client.until("happened") for client in (ann, watching)]
            seats = (await ann.until("presence"))["seats"]
            return waiting, begun, seats, await ann.act("bet")

    waiting, begun, seats, answer = asyncio.run(play())
    assert (waiting["status"], waiting["to_act"]) == ("open", [])
    assert [(told["event"], told["now"]["status"], told["now"]["to_act"]) for told in begun] == [
        (None, "running", [0])
    ] * 2
    assert [seat["name"] for seat in seats][1] == "Bob" and answer["type"] == "done"


def test_names_and_chat_are_one_visible_line(server):
    created = server.web.post(
        "/api/matches",
        json={
            "game": "treasure",
            "seats": [{"kind": "me", "name": " <b>\x1b[31mAnn\u202e\n"}, {"kind": "me"}],
        },
    ).json()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            await ann.ask("chat", text="hi\n\x00there")
            return ann.events()[-1]

    assert created["match"]["seats"][0]["name"] == "<b> [31mAnn"
    assert asyncio.run(play())["text"] == "hi there"


def test_finished_match_can_be_viewed_and_verified(server, tmp_path):
    created = server.create(seed="7")
    match = created["match"]["id"]

    async def play():
        async with server.join(match, tokens(created)[0]) as first:
            await first.act("mark", number=3)
            await first.ask("resign")
            return first.view

    last = asyncio.run(play())

    async def look():
        async with server.join(match) as watching:
            return watching.welcome

    welcome = asyncio.run(look())
    assert welcome["view"] == last and welcome["now"]["status"] == "over" and welcome["known"] == 2
    packed = server.web.get(f"/api/matches/{match}/gamelog").content
    lines = gzip.decompress(packed).decode().splitlines(keepends=True)
    assert gamelog.verify(lines, treasure_game.find).match.outcome.winner == 1


def test_documented_program_follows_a_whole_match(server):
    page = (TESTS.parent / "docs" / "serving.md").read_text()
    example = page.partition("```python\n")[2].partition("```")[0]
    created = server.create()
    url, (ann, bob) = server.socket_url(created["match"]["id"]), tokens(created)
    command = [sys.executable, "-c", example, url, bob]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout.readline() == "welcome\n"

        async def resign():
            async with server.join(created["match"]["id"], ann) as client:
                await client.ask("resign")

        asyncio.run(resign())
        assert program.communicate(timeout=30)[0].splitlines()[-1] == "happened"
