"""What a seat receives never depends on hidden information."""

import asyncio
import json

import pytest

import hidden_game
from web_arena import tokens

TIMES = {"at", "created_at", "changed_at", "id"}  # test_leak_in_time compares these, too


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def position(gold):
    """Where Bob digs cell 7 there is always the same; what lies elsewhere nobody will find out."""
    shore = hidden_game.game.rules.setup(hidden_game.game.configure(), 1)
    for cell, here in enumerate([*gold, 3]):
        shore.gold[cell] = here
    return hidden_game.game.text.write(shore)


def played(server, gold, secret):
    """All that Bob and a spectator receive of a match, in which Ann does something that is hidden from them."""
    created = server.create("secrets", position=position(gold), seed="1")
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def play():
        async with server.join(match, ann) as first, server.join(match) as watching:
            async with server.join(match, bob) as second:
                await watching.until("presence")
                for do in secret:
                    answer = await (first.ask("undo") if do == "undo" else first.act("mark", number=do))
                    assert answer["type"] == ("refused" if do == "undo" else "done")
                await first.act("swim", direction="right", steps=1)
                await first.act("end_turn")
                await second.until("happened")
                await second.until("happened")
                await second.ask("legal")
                await second.act("dig")
                await second.act("swim", direction="left", steps=1)
                await second.ask("preview", action={"do": "dig"})
                await second.ask("preview", action={"do": "swim", "direction": "left", "steps": 1})
                heard = second.heard
            async with server.join(match, bob, since=2) as second:
                heard = heard + second.heard
            return heard, [await watching.until("happened") for _ in range(4)], first.heard

    return asyncio.run(play())


PLAIN = ([1] * 7, [])


@pytest.mark.parametrize(
    ("gold", "secret"),
    [([9] * 7, []), ([1] * 7, [5]), ([1] * 7, [5, 7, 6]), ([1] * 7, [5, "undo", 8])],
    ids=["gold", "one action", "three actions", "an undo that is refused"],
)
def test_hidden_actions_do_not_change_what_others_receive(server, gold, secret):
    theirs, watched, _ = played(server, *PLAIN)
    also_theirs, also_watched, own = played(server, gold, secret)
    assert without_times(also_theirs) == without_times(theirs)
    assert without_times(also_watched) == without_times(watched)
    marks = [m for m in own if m["type"] == "happened" and (m["event"]["action"] or {}).get("do") == "mark"]
    assert len(marks) == len([do for do in secret if do != "undo"])  # Ann heard of it


def test_time_of_change_does_not_reveal_hidden_actions(server):
    created = server.create("secrets")
    match, (ann, bob) = created["match"]["id"], tokens(created)

    def changed_at():
        one, many = server.web.get(f"/api/matches/{match}"), server.web.get("/api/matches")
        listed = next(each for each in many.json()["matches"] if each["id"] == match)
        assert one.json()["changed_at"] == listed["changed_at"]
        return listed["changed_at"]

    async def play():
        async with server.join(match, ann) as first:
            await first.act("mark", number=5)
            async with server.join(match, bob) as second:
                told = [second.welcome["match"]["changed_at"], changed_at()]
            await first.act("swim", direction="right", steps=1)
            swum = first.events()[-1]["at"]
            await first.act("mark", number=6)
            async with server.join(match, bob) as second:
                return told, swum, [second.welcome["match"]["changed_at"], changed_at()]

    told, swum, later = asyncio.run(play())
    assert told == [created["match"]["created_at"]] * 2 and later == [swum] * 2


def test_hidden_actions_leave_no_gap_in_event_numbers(server):
    theirs, watched, own = played(server, [1] * 7, [5, 6])
    numbers = [message["event"]["number"] for message in watched]
    assert numbers == [1, 2, 3, 4]
    assert [m["event"]["number"] for m in own if m["type"] == "happened"] == [1, 2, 3, 4]
    assert "mark" not in json.dumps([m["event"] for m in theirs if m["type"] == "happened"])


def test_event_numbers_stay_the_same_after_the_match(server):
    created = server.create("secrets")
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def play():
        async with server.join(match, ann) as first, server.join(match, bob) as second:
            await first.act("mark", number=5)
            await first.act("end_turn")
            await first.ask("resign")
            live = [await second.until("happened") for _ in range(2)]
        async with server.join(match, bob) as second:
            return [m["event"] for m in live], second.welcome

    live, welcome = asyncio.run(play())
    assert welcome["events"] == live and welcome["known"] == 2


def test_hidden_action_can_change_a_view_without_an_event(server):
    created = server.create("secrets")
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def play():
        async with server.join(match, ann) as first, server.join(match, bob) as second:
            await first.act("mark", number=77)
            seen = await second.until("happened")
            large = second.view["large"]
            await first.act("end_turn")
            return seen["event"], large, (await second.until("happened"))["event"]["number"]

    assert asyncio.run(play()) == (None, True, 1)


def test_replay_shows_hidden_actions_after_the_match(server):
    created = server.create("secrets")
    match, (ann, _) = created["match"]["id"], tokens(created)

    async def play():
        async with server.join(match, ann) as first:
            await first.act("mark", number=5)
            await first.ask("resign")

    asyncio.run(play())
    steps = server.web.get(f"/api/matches/{match}/replay").json()["steps"]
    assert steps[0]["event"]["action"] == {"do": "mark", "number": 5}
