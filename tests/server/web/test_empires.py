"""Empires over the WebSocket: bots answer, seats see only their own world, and a timeout ends a phase."""

import asyncio
import gzip

from endturn.engine import gamelog
from endturn.games import find
from web_arena import tokens

SMALL = {"width": 20, "height": 16, "last_turn": 5}


def finished(server, created):
    packed = server.web.get(f"/api/matches/{created['match']['id']}/gamelog").content
    return gamelog.verify(gzip.decompress(packed).decode().splitlines(keepends=True), find).match


async def to_the_end(ann):
    """The first seat is done whenever it is to act; what it hears before an answer counts, too."""
    now = ann.welcome["now"]
    while now["status"] != "over":
        await (ann.act("phase_done") if 0 in now["to_act"] else ann.until("happened"))
        now = [message["now"] for message in ann.heard if message["type"] == "happened"][-1]
    return now["outcome"]


def test_match_against_a_steward_verifies(server):
    created = server.create("empires", ("me", "bot:steward"), settings=SMALL, seed="7")

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            scout = next(each["id"] for each in ann.view["units"] if each["kind"] == "Scout")
            assert (await ann.act("work", unit=scout, task="explore"))["type"] == "done"
            assert (await ann.act("found", unit=scout))["rule"] == "U6"
            return await to_the_end(ann), ann.view

    outcome, view = asyncio.run(play())
    match = finished(server, created)
    assert outcome["places"] == list(match.outcome.places) and view == match.view(0)


def test_seats_of_a_match_for_four_have_their_sides(server):
    created = server.create("empires", ("me", *["bot:steward"] * 3), settings={**SMALL, "seats": 4}, seed="7")
    sides = [seat["side"] for seat in created["match"]["seats"]]
    assert len(set(sides)) == 4 and all(sides)

    async def heard():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            return [seat["side"] for seat in ann.welcome["match"]["seats"]]

    assert asyncio.run(heard()) == sides


def test_unseen_action_is_told_to_nobody(server):
    created = server.create("empires", settings=SMALL, seed="7")
    match, (ann, bob) = created["match"]["id"], tokens(created)

    async def play():
        async with (
            server.join(match, ann) as first,
            server.join(match, bob) as second,
            server.join(match) as watching,
        ):
            before = second.view, watching.view
            city = first.view["cities"][0]["id"]
            assert (await first.act("plan", city=city, item=1))["type"] == "done"
            assert (await first.act("set_rates", tax=0, luxury=0, science=100))["type"] == "done"
            await first.ask("chat", text="hello")
            await second.until("happened")
            await watching.until("happened")
            events = [each["kind"] for each in second.events()], [each["kind"] for each in watching.events()]
            return before, (second.view, watching.view), events

    before, after, events = asyncio.run(play())
    assert after == before and events == (["chat"], ["chat"])


def test_seat_out_of_time_is_done(server):
    clock = {"kind": "turn", "seconds": 0.2, "over": "default"}
    created = server.create("empires", settings=SMALL, clock=clock)

    async def watch():
        async with server.join(created["match"]["id"]) as watching:
            while (last := await watching.until("happened"))["now"]["status"] != "over":
                pass
            return last["now"]["outcome"]

    assert asyncio.run(watch())["how"] == "the last turn"
    assert {entry.action.__class__.__name__ for entry in finished(server, created).played()} == {"PhaseDone"}


def test_legal_actions_and_previews_work(server):
    created = server.create("empires", settings=SMALL, seed="7")

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            ready = (await ann.ask("ready"))["answer"]["pieces"]
            legal = (await ann.ask("legal", piece=ready[1]))["answer"]["actions"]
            city = ann.view["cities"][0]["id"]
            seen = await ann.ask("preview", action={"do": "set_rates", "tax": 100, "luxury": 0, "science": 0})
            return ready, legal, city, seen

    ready, legal, city, seen = asyncio.run(play())
    assert ready[0] == 0 and len(ready) == 6  # the people, a town, four units
    assert {action["city"] for action in legal} == {city} and {"build", "plan"} <= {
        action["do"] for action in legal
    }
    assert seen["type"] == "done" and seen["answer"]["certain"]


def test_settings_determine_the_number_of_seats(server):
    seats = ("me", "bot:steward", "bot:random", "bot:steward")
    created = server.create("empires", seats, settings={**SMALL, "width": 28, "seats": 4}, seed="7")

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            return await to_the_end(ann)

    assert sorted(asyncio.run(play())["places"])[0] == 1
    assert len(finished(server, created).outcome.places) == 4
    replay = server.web.get(f"/api/matches/{created['match']['id']}/replay").json()
    assert replay["steps"]
    refused = server.web.post("/api/matches", json={"game": "empires", "seats": [{"kind": "me"}] * 3})
    assert refused.status_code == 409 and "Empires has 2 seats, not 3." in refused.text
