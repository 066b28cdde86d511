"""Empires over the WebSocket: bots answer, seats see their own world only, time that is over means done."""

import asyncio
import gzip

from endturn.engine import gamelog
from endturn.games import find
from web_arena import tokens

SMALL = {"width": 20, "height": 16, "last_turn": 5}


def finished(server, created):
    packed = server.web.get(f"/api/matches/{created['match']['id']}/gamelog").content
    return gamelog.verify(gzip.decompress(packed).decode().splitlines(keepends=True), find).match


def test_a_person_plays_against_a_steward_to_the_end_and_the_gamelog_holds(server):
    created = server.create("empires", ("me", "bot:steward"), settings=SMALL, seed="7")

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            scout = next(each["id"] for each in ann.view["units"] if each["kind"] == "Scout")
            assert (await ann.act("work", unit=scout, task="explore"))["type"] == "done"
            assert (await ann.act("found", unit=scout))["rule"] == "U6"
            while True:
                await ann.act("phase_done")
                while True:
                    last = await ann.until("happened")
                    if last["now"]["status"] == "over":
                        return ann.view, last["now"]["outcome"]
                    if 0 in last["now"]["to_act"]:
                        break

    view, outcome = asyncio.run(play())
    match = finished(server, created)
    assert outcome["places"] == list(match.outcome.places) and view == match.view(0)


def test_what_one_seat_does_unseen_is_told_to_nobody(server):
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


def test_a_seat_whose_time_is_over_is_done(server):
    clock = {"kind": "turn", "seconds": 0.2, "over": "default"}
    created = server.create("empires", settings=SMALL, clock=clock)

    async def watch():
        async with server.join(created["match"]["id"]) as watching:
            while (last := await watching.until("happened"))["now"]["status"] != "over":
                pass
            return last["now"]["outcome"]

    assert asyncio.run(watch())["how"] == "the last turn"
    assert {entry.action.__class__.__name__ for entry in finished(server, created).played()} == {"PhaseDone"}


def test_legal_actions_of_a_piece_and_a_preview_are_answered(server):
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
