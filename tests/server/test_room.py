"""Rooms: what players can do, what others see and when, and what a fault affects."""

import asyncio
import gzip
from collections import Counter
from dataclasses import replace

import pytest

import treasure_game
from arena import BET, END, arena, match, people, sqlite, until
from endturn.archive.store import ENTRIES, insert
from endturn.engine import gamelog
from endturn.engine.actions import Actions
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.match import Match
from endturn.server import room as module
from endturn.server.clock import Timing, Uptime
from endturn.server.live_match import encoded, is_passing
from endturn.server.seat import Seat, hashed
from timed_arena import Hand

pytestmark = pytest.mark.usefixtures("treasure")


def trial(folder):
    """Run the coroutine function below with a lobby."""

    def run(play):
        async def inside():
            async with arena(sqlite(folder)) as lobby:
                await play(lobby)

        asyncio.run(inside())

    return run


class Gate:
    """Holds the archive's writer at a step until it is opened."""

    def __init__(self, store, step="commit"):
        self.loop, self.opened, self.reached = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        self.step, self.store, self.error = step, store, None
        store.at = self.at

    def at(self, step):
        if step == self.step:
            self.loop.call_soon_threadsafe(self.reached.set)
            asyncio.run_coroutine_threadsafe(self.opened.wait(), self.loop).result(20)
            if self.error is not None:
                raise self.error

    def open(self, error=None):
        self.store.at, self.error = lambda step: None, error
        self.opened.set()


def by_hand(lobby):
    """New matches use this clock, which the test sets."""
    hand = Hand()
    lobby.uptime = Uptime(steady=hand.now)
    return hand


def broken(store, *, after=0, error=None):
    """The archive fails after so many writes."""
    count = 0

    def at(step):
        nonlocal count
        if step == "commit":
            count += 1
            if count > after:
                raise error or OSError(28, "No space left on device")

    store.at = at


# --- playing ---


def test_finished_match_has_a_gamelog_and_results(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=4)
        for turn in range(4):
            assert await room.act(turn % 2, BET) == Accepted(turn)
            assert await room.act(turn % 2, END) == Accepted(turn + 1)
        assert room.status == "over" and lobby.store.match(room.id)["status"] == "over"
        lines = gzip.decompress(lobby.store.gamelog(match=room.id)["packed"]).decode().splitlines(True)
        again = gamelog.Replay(lines, treasure_game.find).run()
        assert again.match.dump() == room.match.dump()
        places = [each["place"] for each in lobby.store.results()]
        assert places == list(room.outcome().places)


def test_refused_and_malformed_actions_change_nothing(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        assert isinstance(await room.act(0, {"do": "fly"}), Malformed)
        assert await room.act(1, END) == Refusal("turn", "It is another seat's turn.")
        assert room.entries == [] and lobby.store.entries(room.id) == []


def test_action_is_late_after_other_entries_except_chat(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        await room.act(0, BET)
        await room.chat(None, "Eve", "well bet")
        assert (await room.act(0, BET, after=0)).rule == "late"
        assert isinstance(await room.act(0, BET, after=1), Accepted)


def test_player_can_undo_the_last_action(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        before = room.match.dump()
        await room.act(0, {"do": "mark", "number": 7})
        assert isinstance(await room.undo(0), Accepted) and room.match.dump() == before
        assert [entry.kind for entry in room.entries] == ["act", "undo"]


def test_resigning_player_loses(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        assert isinstance(await room.leave(1, "resigned"), Accepted)
        assert room.status == "over" and room.outcome().winner == 0
        assert room.entries[-1].body == {"do": "leave", "why": 0}
        assert (await room.leave(0, "resigned")).rule == "over"


def test_match_begins_when_all_seats_are_taken(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, seats=[Seat("link", ""), Seat("link", "")])
        assert (await room.act(0, END)).rule == "open"
        await room.chat(None, "Eve", "anybody here?")
        (first, ann), (second, bob) = await room.take(1, "Ann"), await room.take(None, "  ")
        assert (first, second, room.status) == (1, 0, "running")
        assert (await room.take(None, "Eve")).rule == "seat"
        assert lobby.seat_of(room, ann) == 1 and lobby.seat_of(room, bob) == 0
        assert isinstance(lobby.seat_of(room, "guessed"), Refusal) and lobby.seat_of(room, None) is None
        assert room.match.players == ("player 1", "Ann") and len(room.entries) == 1
        kept = [seat["token"] for seat in lobby.store.seats(room.id)]
        assert ann not in str(kept) and len(set(kept)) == 2


def with_account(account):
    """Ann plays with this account, Bob without one."""
    ann, bob = people()
    ann.account = account
    return [ann, bob]


def test_new_token_for_an_account_replaces_the_old_one(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, seats=with_account("ann"))
        number, token = await room.take(None, "Ann", "ann")
        assert number == lobby.seat_of(room, token) == 0
        assert lobby.seat_of(room, "Ann").rule == "token" and lobby.seat_of(room, "Bob") == 1
        assert lobby.store.seats(room.id)[0]["token"] == hashed(token)


def test_account_gets_no_token_for_another_seat(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, seats=with_account("ann"))
        assert (await room.take(1, "Ann", "ann")).rule == "seat"
        assert lobby.seat_of(room, "Bob") == 1


def test_names_and_chat_are_cleaned_for_the_database(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, seats=[Seat("person", "A\0nn" * 40, token="t"), Seat("link", "")])
        await room.take(None, "B\ud800ob\0" * 40)
        await room.chat(0, "Ann", "half \ud83d of a face\0")
        assert room.entries[-1].body["text"] == "half ? of a face"
        assert [len(seat["name"]) for seat in lobby.store.seats(room.id)] == [80, 80]


def test_chat_works_after_the_match(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=1)
        await room.act(0, END)
        assert isinstance(await room.chat(1, "Bob", "well played"), Accepted)
        assert room.status == "over" and lobby.store.entries(room.id)[-1]["kind"] == "chat"


# --- nobody hears of what is not on disk ---


def test_action_is_visible_only_when_saved(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("turn", 60))
        await room.act(0, BET)
        told = []
        room.observers.append(told.append)
        seen = room.match.dump(), room.clock.since, len(room.entries), room.status
        gate = Gate(lobby.store)
        asked = asyncio.create_task(room.act(0, END))
        await gate.reached.wait()
        assert (room.match.dump(), room.clock.since, len(room.entries), room.status) == seen
        assert room.match.to_act() == (0,) and not told and not asked.done()
        gate.open()
        assert isinstance(await asked, Accepted)
        assert room.match.to_act() == (1,) and [entry.number for entry in told] == [2]


def test_pause_is_visible_only_when_saved(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        gate = Gate(lobby.store)
        asked = asyncio.create_task(room.pause(0, True))
        await gate.reached.wait()
        assert not room.paused
        gate.open()
        await asked
        assert room.paused


def test_undo_is_visible_only_when_saved(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        await room.act(0, {"do": "mark", "number": 7})
        before = room.match.dump()
        gate = Gate(lobby.store)
        asked = asyncio.create_task(room.undo(0))
        await gate.reached.wait()
        assert room.match.dump() == before
        gate.open()
        assert isinstance(await asked, Accepted) and room.match.dump() != before


def test_unsaved_change_has_no_effect(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        await room.act(0, BET)
        before, told = room.match.dump(), []
        room.observers.append(told.append)
        broken(lobby.store)
        answer = await room.act(0, BET)
        assert answer.rule == "archive" and "No space left on device" in answer.reason
        assert "Nothing was saved" in answer.reason
        assert room.match.dump() == before and len(room.entries) == 1 and not told
        lobby.store.at = lambda step: None
        assert isinstance(await room.act(0, BET), Accepted) and len(told) == 1
        assert len(lobby.store.entries(room.id)) == 2


def test_saved_change_with_a_lost_answer_is_told_later(tmp_path, monkeypatch):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        told = []
        room.observers.append(told.append)
        write = lobby.store.write

        def lost(writes):
            write(writes)
            raise module.ArchiveDown("The line went dead.", unknown=True)

        monkeypatch.setattr(lobby.store, "write", lost)
        answer = await room.act(0, BET)
        assert answer.rule == "archive" and "may have been saved" in answer.reason and room.entries == []
        monkeypatch.setattr(lobby.store, "write", write)
        await until(lambda: room.entries)  # by itself: nobody has to ask
        assert [entry.number for entry in told] == [1]
        assert isinstance(await room.act(0, END), Accepted)


def test_seat_is_free_after_an_uncertain_write(tmp_path, monkeypatch):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, seats=[people()[0], Seat("link", "")])
        write = lobby.store.write

        def lost(writes):
            write(writes)
            raise module.ArchiveDown("The line went dead.", unknown=True)

        monkeypatch.setattr(lobby.store, "write", lost)
        assert (await room.take(None, "Bob")).rule == "archive"
        monkeypatch.setattr(lobby.store, "write", write)
        number, token = await room.take(None, "Bob")
        assert number == 1 and room.status == "running" and lobby.seat_of(room, token) == 1


def test_repeated_request_with_a_token_gets_the_same_seat(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, seats=[Seat("link", ""), Seat("link", "")])
        first, again = await asyncio.gather(*[room.take(None, "Ann", token="ann's own") for _ in range(2)])
        assert first == again == (0, "ann's own") and room.status == "open"
        assert (await room.take(None, "Bob", token="bob's own"))[0] == 1 and room.status == "running"
        assert await room.take(1, "Ann", token="ann's own") == (0, "ann's own")  # also when it has begun
        assert lobby.seat_of(room, "ann's own") == 0


def test_entry_of_another_program_counts_and_is_told(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        await room.act(0, BET)
        told = []
        room.observers.append(told.append)
        first = lobby.store.entries(room.id)[0]
        lobby.store.write(
            [insert(ENTRIES, {**first, "number": 2, "body": encoded({"do": "bet", "double": True})})]
        )
        answer = await room.act(0, {"do": "mark", "number": 5})
        assert answer.rule == "archive" and "reloaded" in answer.reason
        assert isinstance(await room.act(0, {"do": "mark", "number": 5}), Accepted)
        assert [entry.body["do"] for entry in room.entries] == ["bet", "bet", "mark"]
        assert [entry.number for entry in told] == [2, 3]


def test_match_can_be_viewed_while_the_archive_is_down(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        broken(lobby.store)
        assert (await room.act(0, BET)).rule == "archive"
        assert room.look(lambda: room.match.turn) == 0


# --- clocks ---


def test_clocks_stand_still_during_a_write(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        hand = by_hand(lobby)
        room = await match(lobby, Timing("bank", 100))
        gate = Gate(lobby.store)
        asked = played(room, 0, END)
        await gate.reached.wait()
        hand.seconds += 7
        gate.open()
        assert isinstance(await asked, Accepted)
        hand.seconds += 5
        assert [room.clock.remaining(seat, room.now()) for seat in (0, 1)] == [100_000, 95_000]


def test_timer_follows_the_earliest_clock(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("bank", 300))
        room.clock.left[1] = 100.0
        assert isinstance(await room.act(0, END), Accepted)
        await until(lambda: room.over)
        assert room.outcome().winner == 0


def test_first_player_out_of_time_loses(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("bank", 30), together=True)
        room.clock.left[1] = 20_000.0
        room.clock.since = dict.fromkeys([0, 1], room.now() - 31_000)
        await room.mind_clocks()
        await until(lambda: room.over)
        assert room.outcome().winner == 0


@pytest.mark.parametrize("kind", ["bank", "move", "turn", "deadline"])
def test_timeout_is_a_forfeit_in_the_log(tmp_path, kind):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing(kind, 0.05))
        await until(lambda: room.over)
        assert room.outcome().winner == 1 and room.entries[-1].body == {"do": "leave", "why": 1}


def test_timeout_can_play_the_default_action(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("turn", 0.05, over="default"), max_turns=4)
        await until(lambda: room.over)
        assert [(entry.seat, entry.body) for entry in room.entries] == [(n % 2, END) for n in range(4)]


def test_action_after_a_timeout_is_refused(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("move", 30))
        room.clock.since[0] -= 31_000
        assert (await room.act(0, BET)).rule == "time"
        assert room.over and room.outcome().winner == 1


def test_bot_action_is_late_after_the_clock_has_played(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        marks = defaulting(treasure_game.game, treasure_game.Mark(5))
        chosen, clock = marks.configure(), Timing("move", 30, over="default")
        room = await lobby.create(marks, chosen, people(), clock)
        is_still = room.live.moment(0)
        room.clock.since[0] -= 31_000
        await room.mind_clocks()
        assert [entry.body["number"] for entry in room.entries] == [5] and room.match.turn == 0
        assert (await room.act_at(is_still, 0, BET)).rule == "late"
        assert isinstance(await room.act_at(room.live.moment(0), 0, BET), Accepted)


def test_second_player_out_of_time_gets_the_new_turns_time(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("turn", 30, over="default"), together=True)
        room.clock.since = dict.fromkeys([0, 1], room.now() - 31_000)
        await room.mind_clocks()
        await until(lambda: room.entries)
        await asyncio.sleep(0.05)
        assert len(room.entries) == 1 and not room.over


def test_nobody_runs_out_of_time_during_a_pause(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("turn", 30))
        assert isinstance(await room.pause(1, True), Accepted)
        assert room.clock.due() is None and (await room.act(0, END)).rule == "paused"
        assert (await room.pause(0, True)).rule == "pause"
        assert isinstance(await room.pause(0, False), Accepted)
        assert room.clock.due() is not None and isinstance(await room.act(0, END), Accepted)


def test_chat_and_undo_do_not_change_the_clocks(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("turn", 60))
        await room.act(0, {"do": "mark", "number": 1})
        due = room.clock.due()
        await room.chat(0, "Ann", "hm")
        await room.undo(0)
        assert room.clock.due() == pytest.approx(due, abs=1)


def test_clocks_stand_still_while_the_archive_is_down(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("turn", 0.4))
        await room.act(0, BET)
        broken(lobby.store)
        assert (await room.act(0, END)).rule == "archive"
        left = room.clock.remaining(0, room.now())
        await asyncio.sleep(0.6)
        assert room.status == "running" and room.clock.remaining(0, room.now()) == pytest.approx(left, abs=50)
        lobby.store.at = lambda step: None
        await until(lambda: room.over)  # and then it goes on, by itself
        assert room.outcome().winner == 1


# --- others ---


def test_spectators_get_every_entry_once_and_in_order(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        told = []
        room.observers.append(told.append)
        await asyncio.gather(*(room.act(0, {"do": "mark", "number": n}) for n in range(50)))
        assert [entry.number for entry in told] == list(range(1, 51)) and told == room.entries


def test_failing_observer_does_not_affect_others(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        told, failing = [], Counter()

        def fails(entry):
            failing["calls"] += 1
            raise KeyError("a fault of the transport's")

        room.observers += [fails, told.append]
        assert isinstance(await room.act(0, BET), Accepted)
        assert isinstance(await room.act(0, BET), Accepted)
        assert len(told) == 2 and failing["calls"] == 1 and room.status == "running"


def defaulting(game, action):
    """The game with another default action."""
    return replace(game, rules=replace(game.rules, default_action=action))


def secretive(kind):
    """Treasure with one hidden kind of action."""
    rule = treasure_game.game.actions[kind]._replace(hidden=True)
    return replace(treasure_game.game, actions=Actions({**treasure_game.game.actions, kind: rule}))


async def told_of(lobby, game, said):
    """Which of the seats and spectators are told of each of Ann's actions."""
    room = await lobby.create(game, game.configure(), people(), Timing())
    for each in said:
        assert isinstance(await room.act(0, each), Accepted)
    return [[room.visible(entry, seat) for seat in (0, 1, None)] for entry in room.entries]


def test_hidden_action_is_told_only_to_its_seat(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        mark, everyone, alone = {"do": "mark", "number": 1}, [True] * 3, [True, False, False]
        told = await told_of(lobby, secretive(treasure_game.Mark), [BET, mark, mark, BET])
        assert told == [everyone, alone, alone, everyone]


def test_hidden_action_that_ends_the_match_is_told_to_everyone(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        assert (
            await told_of(lobby, secretive(treasure_game.Leave), [BET, {"do": "leave"}]) == [[True] * 3] * 2
        )


MARK = {"do": "mark", "number": 1}


@pytest.mark.parametrize("kind", ["bank", "move", "turn", "deadline"])
def test_only_visible_actions_change_the_clocks(tmp_path, kind):
    @trial(tmp_path)
    async def play(lobby):
        game = secretive(treasure_game.Mark)
        room = await lobby.create(game, game.configure(), people(), Timing(kind, 100))
        before = room.clock.left.copy(), room.clock.since.copy()
        await room.act(0, MARK)
        assert (room.clock.left, room.clock.since) == before
        await room.act(0, BET)
        assert room.clock.since != before[1]


def test_hidden_action_that_changes_who_acts_sets_the_clocks(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        game = secretive(treasure_game.EndTurn)
        room = await lobby.create(game, game.configure(), people(), Timing("bank", 100))
        await room.act(0, END)
        assert list(room.clock.since) == [1]
        assert lobby.store.entries(room.id)[-1]["clock"] is not None


def test_hidden_default_action_is_played_once_per_timeout(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        game = defaulting(secretive(treasure_game.Mark), treasure_game.Mark(1))
        room = await lobby.create(game, game.configure(), people(), Timing("move", 0.2, over="default"))
        await until(lambda: room.entries)
        assert len(room.entries) == 1 and not room.clock.is_over(room.now())


def test_hidden_action_of_another_seat_makes_nothing_late(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        game = secretive(treasure_game.Mark)
        room = await lobby.create(game, game.configure(values={"together": True}), people(), Timing())
        await room.act(0, MARK)
        assert isinstance(await room.act(1, BET, after=0), Accepted)
        assert (await room.act(0, BET, after=0)).rule == "late"


def test_action_chosen_in_an_earlier_turn_is_late(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        then = room.live.moment(0)
        for seat in (0, 1):
            await room.act(seat, END)
        assert (await room.act_at(then, 0, BET)).rule == "late" and len(room.entries) == 2
        assert isinstance(await room.act_at(room.live.moment(0), 0, BET), Accepted)


def test_only_busy_and_archive_refusals_are_passing(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        asked = [played(room, 0, MARK) for _ in range(module.LONGEST_QUEUE + 2)]
        busy, done = await asked[-1], await asked[0]
        await asyncio.gather(*asked)
        others = done, await room.act(0, {"do": "fly"}), await room.act(1, END), await room.act(0, BET, 0)
        broken(lobby.store)
        down = await room.act(0, MARK)
        assert (busy.rule, down.rule, others[-1].rule) == ("busy", "archive", "late")
        assert is_passing(busy) and is_passing(down) and not any(map(is_passing, others))


def test_requests_beyond_the_queue_limit_are_refused(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        asked = [room.act(0, {"do": "mark", "number": n % 100}) for n in range(module.LONGEST_QUEUE + 50)]
        answers = Counter(getattr(answer, "rule", "done") for answer in await asyncio.gather(*asked))
        assert answers == {"done": 1 + module.LONGEST_QUEUE, "busy": 49}  # the first is being written already


def test_clock_runs_out_despite_a_full_queue(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("move", 0.05))
        gate = Gate(lobby.store)
        first = asyncio.create_task(room.act(0, BET))
        await gate.reached.wait()
        room.clock.since[0] = room.now()
        rest = [asyncio.create_task(room.act(1, END)) for _ in range(module.LONGEST_QUEUE + 1)]
        await asyncio.sleep(0.1)
        gate.open()
        assert isinstance(await first, Accepted)
        await asyncio.gather(*rest)
        await until(lambda: room.over)


# --- faults ---


def test_fault_in_rules_stops_only_that_match(tmp_path, monkeypatch):
    @trial(tmp_path)
    async def play(lobby):
        room, other = await match(lobby), await match(lobby)
        await room.act(0, BET)
        good, changes = room.match.dump(), []
        room.on_change.append(lambda: changes.append(room.status))
        monkeypatch.setattr(room.live.history.match, "submit_for_now", lambda seat, said: 1 // 0)
        answer = await room.act(0, BET)
        assert answer.rule == "failed" and "ZeroDivisionError" in answer.reason
        assert room.status == "failed" and changes == ["failed"] and room.match.dump() == good
        assert (await room.act(0, END)).rule == "failed" and room._timer is None
        assert isinstance(await other.act(0, END), Accepted)
        assert lobby.store.match(room.id)["status"] == "failed" and len(lobby.store.entries(room.id)) == 1
        lines = gzip.decompress(lobby.store.gamelog(match=room.id)["packed"]).decode().splitlines(True)
        assert gamelog.Replay(lines, treasure_game.find).run().match.dump() == good


def test_requester_is_answered_if_stopping_fails(tmp_path, monkeypatch):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        monkeypatch.setattr(room.live.history.match, "submit_for_now", lambda seat, said: 1 // 0)
        monkeypatch.setattr(room.live, "offer_stop", lambda now, reason: 1 // 0)
        assert (await room.act(0, BET)).rule == "failed"
        assert (await room.act(0, BET)).rule == "failed"


def test_stopped_match_keeps_its_reason(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        assert isinstance(await room.stop("Both went home."), Accepted)
        await room.close()
        del lobby.rooms[room.id]
        again = await lobby.find(room.id)
        assert (again.status, again.failure) == ("failed", "Both went home.")


def test_leaving_a_stopped_match_changes_nothing(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        await room.stop("Both went home.")
        assert (await room.leave(0, "resigned")).rule == "over"
        assert lobby.store.match(room.id)["status"] == "failed" and lobby.store.entries(room.id) == []


def test_stopped_match_has_no_running_clock(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        hand = by_hand(lobby)
        room = await match(lobby, Timing("bank", 100))
        hand.seconds += 10
        await room.stop("Both went home.")
        hand.seconds += 50
        assert room.clock.due() is None and room.clock.remaining(0, room.now()) == 90_000


def test_closing_room_answers_every_request(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        gate = Gate(lobby.store)
        asked = [asyncio.create_task(room.act(0, BET)) for _ in range(3)]
        await gate.reached.wait()
        closing = asyncio.create_task(room.close())
        await asyncio.sleep(0)
        gate.open()
        answers = await asyncio.gather(*asked)
        await closing
        assert isinstance(answers[0], Accepted)
        assert [answer.rule for answer in answers[1:]] == ["stopping"] * 2
        assert (await room.act(0, BET)).rule == "stopping"
        assert len(lobby.store.entries(room.id)) == 1


def test_match_that_cannot_continue_is_stopped(tmp_path, monkeypatch):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, Timing("move", 0.05))
        monkeypatch.setattr(
            room.live.history.match, "submit_for_now", lambda seat, said: (Refusal("X1", "No."), None)
        )
        await until(lambda: room.status == "failed")


def test_room_and_plain_match_reach_the_same_state(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=10)
        alone = Match(room.game, room.match.settings, seed=7)
        for step in range(60):
            seat = alone.to_act()[0] if alone.to_act() else 0
            said = alone.random_action(seat, 99, step) if alone.to_act() else END
            assert type(await room.act(seat, said)) is type(alone.submit(seat, said))
        assert room.match.dump() == alone.dump()


# --- for callers that cannot wait ---


def played(room, seat, said):
    """What `play` answers."""
    reply = asyncio.get_running_loop().create_future()
    if (answer := room.play(reply.set_result, seat, said)) is not None:
        reply.set_result(answer)
    return reply


def test_refusals_come_at_once_and_successes_when_saved(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=4)
        heard = []
        room.observers.append(heard.append)
        refused = played(room, 1, END)
        assert refused.done() and isinstance(refused.result(), Refusal)
        accepted = played(room, 0, END)
        assert not accepted.done() and not heard and room.match.to_act() == (0,)
        assert isinstance(await accepted, Accepted)
        assert [entry.seat for entry in heard] == [0] and room.match.to_act() == (1,)


def test_request_during_a_write_comes_after_it(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=9)
        gate = Gate(lobby.store)
        first, second, third = (played(room, seat, END) for seat in (0, 1, 0))
        await gate.reached.wait()
        assert not room.idle and not second.done() and room.entries == []
        gate.open()
        answers = [await each for each in (first, second, third)]
        assert all(isinstance(answer, Accepted) for answer in answers)
        assert [entry.seat for entry in room.entries] == [0, 1, 0]


def test_played_action_can_end_the_match(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=2)
        assert [type(await played(room, seat, END)) for seat in (0, 1)] == [Accepted, Accepted]
        assert room.status == "over" and lobby.store.gamelog(match=room.id) is not None
        assert isinstance(await played(room, 0, END), Refusal)


def test_played_but_unsaved_action_has_no_effect(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=9)
        broken(lobby.store)
        answer = await played(room, 0, END)
        assert isinstance(answer, Refusal) and answer.rule == "archive"
        assert room.match.to_act() == (0,) and room.entries == []
        lobby.store.at = lambda step: None
        assert isinstance(await played(room, 0, END), Accepted)


def test_queued_request_follows_a_failed_write(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        gate = Gate(lobby.store)
        first = played(room, 0, END)
        await gate.reached.wait()
        second = asyncio.create_task(room.chat(0, "Ann", "well?"))
        await asyncio.sleep(0.01)  # it is in the queue
        gate.open(OSError(28, "No space left on device"))
        assert (await first).rule == "archive"
        assert isinstance(await asyncio.wait_for(second, 20), Accepted)
        assert [entry.kind for entry in room.entries] == ["chat"]


def test_fault_in_a_played_action_stops_only_this_match(tmp_path, monkeypatch):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=9)
        monkeypatch.setattr(room.live.history.match, "submit_for_now", lambda seat, said: 1 // 0)
        answer = await played(room, 0, END)
        assert isinstance(answer, Refusal) and answer.rule == "failed" and room.status == "failed"


def test_closing_room_waits_for_the_pending_write(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=9)
        answer = played(room, 0, END)
        await room.close()
        assert isinstance(await answer, Accepted)
        assert isinstance(await played(room, 1, END), Refusal)


def test_refusal_is_immediate_only_without_a_pending_write(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby, max_turns=4)
        assert isinstance(room.refusal(1, END), Refusal) and room.refusal(0, END) is None
        gate = Gate(lobby.store)
        waiting = played(room, 0, END)
        await gate.reached.wait()
        assert room.refusal(1, END) is None  # that has to be asked: the turn is about to be seat 1's
        gate.open()
        assert isinstance(await waiting, Accepted)
        assert isinstance(room.refusal(0, END), Refusal) and room.refusal(1, END) is None


def test_action_of_a_gone_caller_keeps_its_place(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        gate = Gate(lobby.store)
        gone = asyncio.create_task(room.act(0, BET))
        await gate.reached.wait()
        gone.cancel()
        waiting = asyncio.create_task(room.chat(0, "ann", "still here"))
        await asyncio.sleep(0.05)
        assert room.entries == [] and not waiting.done()
        gate.open()
        await waiting
        assert [entry.kind for entry in room.entries] == ["act", "chat"]


def test_fault_while_committing_stops_the_match(tmp_path, monkeypatch):
    @trial(tmp_path)
    async def play(lobby):
        room = await match(lobby)
        monkeypatch.setattr(room.live.history, "append", lambda entry: 1 // 0)
        answer = await room.act(0, BET)
        assert answer.rule == "failed" and "ZeroDivisionError" in answer.reason
        assert room.status == "failed" and (await room.act(0, BET)).rule == "failed"


def test_request_of_an_observer_comes_after_the_entry(tmp_path):
    @trial(tmp_path)
    async def play(lobby):
        room, asked = await match(lobby), []

        def observer(entry):
            if not asked:
                asked.append(played(room, 0, BET))
                assert len(room.match.played()) == 1

        room.observers.append(observer)
        assert isinstance(await room.act(0, BET), Accepted)
        assert isinstance(await asked[0], Accepted)
        assert [entry.number for entry in room.entries] == [1, 2]
