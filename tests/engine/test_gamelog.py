"""Gamelogs: what is written can be read, replayed and verified; damage and lies are found at their line."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import msgspec
import pytest

import treasure_game as treasure
from endturn.engine import gamelog, record
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted
from endturn.engine.gamelog import (
    BadGamelog,
    GamelogWriter,
    Replay,
    export,
    replay,
    verify,
    verify_fast,
    write,
)
from endturn.engine.match import Match
from treasure_game import Bet, Dig, Direction, EndTurn, Leave, Mark, Swim, find

ACTIONS = (
    Swim(Direction.RIGHT, 1),
    Bet(double=True),
    EndTurn(),
    Dig(),
    EndTurn(),
    Mark(7),
    EndTurn(),
)


def finished(*actions: Action, backend: str = "plain", seed: int = 7, **chosen: Any) -> Match:
    match = Match(treasure.game, treasure.game.configure(values=chosen), seed=seed, backend=backend)
    for action in actions:
        assert isinstance(match.submit(match.to_act()[0], action), Accepted)
    return match


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """A short match to its end."""
    return list(write(finished(*ACTIONS, max_turns=3)))


def found(altered: list[str], check: Callable[..., Any] = verify) -> BadGamelog:
    with pytest.raises(BadGamelog) as caught:
        check(altered, find)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    return caught.value


def split(text: str) -> list[str]:
    """Lines as a file gives them."""
    return list(StringIO(text, newline="\n"))


# --- what holds ---------------------------------------------------------------------------------------------


def test_unchanged_gamelog_verifies(lines):
    done = verify(lines, find)
    assert (done.actions, done.turns) == (len(ACTIONS), 3)
    assert done.match.dump() == finished(*ACTIONS, max_turns=3).dump()
    assert done.end is not None and done.end["end"]["how"] == "counted"


def test_the_first_line_describes_the_match(lines):
    head = msgspec.json.decode(lines[0])
    del head["#"]
    assert head == {
        "endturn": 1,
        "game": "treasure",
        "version": 3,
        "settings": {"max_turns": 3, "bounty": "rich", "together": False},
        "seed": "0x7",
        "players": ["Ann", "Bob"],
    }


def test_every_line_is_a_json_object(lines):
    for line in lines:
        assert line.endswith("\n") and line.count("\n") == 1
        assert isinstance(msgspec.json.decode(line), dict)


def test_every_turn_has_the_checksum_of_its_state(lines):
    said = [msgspec.json.decode(line) for line in lines]
    told = {line["turn"]: line["state"] for line in said if "turn" in line}
    assert list(told) == [0, 1, 2, 3]
    for turn, state in told.items():
        assert record.digest(replay(lines, find, turn).dump()) == state


def test_replay_to_a_turn_gives_the_match_at_that_turn(lines):
    for turn, actions in enumerate([(), ACTIONS[:3], ACTIONS[:5], ACTIONS]):
        match = replay(lines, find, turn)
        assert match.turn == turn
        assert match.dump() == finished(*actions, max_turns=3).dump()


def test_match_continues_after_a_replay_to_a_turn(lines):
    match = replay(lines, find, 1)
    assert match.submit(1, Dig()) == Accepted(1)


def test_lines_written_during_play_equal_those_written_afterwards(lines):
    match = Match(treasure.game, treasure.game.configure(values={"max_turns": 3}), seed=7)
    writer = GamelogWriter(match)
    made = [writer.header(), *writer.news()]
    for action in ACTIONS:
        match.submit(match.to_act()[0], action)
        fresh = writer.news()
        assert fresh
        made += fresh
    assert writer.news() == []
    assert [*made, writer.end()] == lines


@pytest.mark.parametrize("backend", ["plain", "compiled"])
@pytest.mark.parametrize("seed", [0, (1 << 63) + 1, (1 << 64) - 1])
def test_a_match_replays_on_either_backend_whatever_its_seed(backend, seed):
    match = finished(Bet(), Bet(), EndTurn(), Dig(), backend="compiled", seed=seed)
    again = Replay(write(match), find, backend).run().match
    assert again.dump() == match.dump() and again.log == match.log


def test_interrupted_match_verifies_without_an_outcome():
    match = finished(*ACTIONS[:4])
    done = verify(write(match), find)
    assert done.end is not None and done.end["end"] is None
    assert done.match.dump() == match.dump()


def test_match_with_a_leaver_verifies():
    done = verify(write(finished(EndTurn(), Leave())), find)
    assert done.match.outcome is not None and done.match.outcome.winner == 0


def test_undone_actions_are_in_the_log_and_replay():
    match = finished(Bet(), Swim(Direction.RIGHT, 2), Mark(5))
    match.undo(0)
    match.undo(0)
    match.submit(0, Swim(Direction.RIGHT, 1))
    match.submit(0, EndTurn())
    done = verify(write(match), find)
    assert done.match.dump() == match.dump()
    assert sum('"undo":0' in line for line in write(match)) == 2


def test_gamelog_contains_the_start_position():
    start = treasure.setup(treasure.Settings(), 99)
    start.turn, start.score[1], start.mark = 3, -40, 123_456
    match = Match(treasure.game, seed=5, start=start)
    for action in Dig(), EndTurn():
        assert isinstance(match.submit(match.to_act()[0], action), Accepted)
    done = verify(write(match), find)
    assert done.match.custom_start and done.match.first == record.dump(start)
    assert done.match.dump() == match.dump()


def test_any_name_of_a_player_survives():
    names = ['Zoë "☃",\\', 'a\u2028b\x85\n,"#":"']
    match = Match(treasure.game, players=names, seed=1)
    assert verify(split("".join(write(match))), find).match.players == tuple(names)


def test_an_export_is_one_json_value_with_everything_in_it(lines):
    whole = export(finished(*ACTIONS, max_turns=3))
    assert msgspec.json.decode(msgspec.json.encode(whole)) == whole
    assert whole["game"] == "treasure" and whole["seed"] == "0x7" and whole["end"]["how"] == "counted"
    actions = [entry for entry in whole["log"] if "do" in entry]
    assert [(entry["seat"], entry["do"]) for entry in actions] == [
        (0, "swim"),
        (0, "bet"),
        (0, "end_turn"),
        (1, "dig"),
        (1, "end_turn"),
        (0, "mark"),
        (0, "end_turn"),
    ]
    assert actions[0]["direction"] == "right" and actions[1]["double"] is True


# --- what was damaged ---------------------------------------------------------------------------------------


def test_any_changed_character_is_found_at_its_line(lines):
    for number, line in enumerate(lines, 1):
        for at, letter in enumerate(line):
            other = "1" if letter == "0" else "0"
            text = "".join([*lines[: number - 1], line[:at], other, line[at + 1 :], *lines[number:]])
            assert found(split(text)).line == number, (number, at)


def test_truncated_file_is_found_at_the_line_of_the_cut(lines):
    text = "".join(lines)
    for length in range(len(text)):
        assert found(split(text[:length])).line == text[:length].count("\n") + 1, length


def test_a_line_that_is_missing_is_found_where_it_is_missing(lines):
    for number in range(1, len(lines) + 1):
        assert found(lines[: number - 1] + lines[number:]).line == number


def test_lines_that_were_swapped_are_found_at_the_first_of_them(lines):
    for first in range(len(lines)):
        for second in range(first + 1, len(lines)):
            swapped = list(lines)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            assert found(swapped).line == first + 1


def test_a_line_that_comes_twice_is_found_at_its_second_time(lines):
    for number in range(1, len(lines) + 1):
        assert found(lines[:number] + [lines[number - 1]] + lines[number:]).line == number + 1


def test_a_line_put_in_from_another_match_is_found_at_its_place(lines):
    other = list(write(finished(*ACTIONS, max_turns=3, seed=8)))
    for number in range(1, len(lines) + 1):
        assert found([*lines[: number - 1], other[number - 1], *lines[number:]]).line in (number, number + 1)


@pytest.mark.parametrize("extra", ["\n", "{}\n", "x"])
def test_text_after_the_end_is_found(lines, extra):
    assert found([*lines, extra]).line == len(lines) + 1


@pytest.mark.parametrize("text", ["", "hello\n", "{}\n", "[]\n", "\x00\x01", '{"endturn":1}\n'])
def test_foreign_file_is_rejected_at_line_one(text):
    assert found(split(text)).line == 1


def test_overlong_line_is_not_parsed(lines):
    bad = found([lines[0], "x" * (gamelog.LARGEST_LINE + 1)])
    assert bad.line == 2 and str(gamelog.LARGEST_LINE) in bad.reason


# --- what was forged: every check agrees, and still it does not hold ----------------------------------------


def forged(lines: list[str], number: int, **changes: Any) -> list[str]:
    """The gamelog with other values in one line and all checks made to agree; None takes a value out."""
    told = [msgspec.json.decode(line) for line in lines]
    changed = {**told[number - 1], **changes}
    told[number - 1] = {key: value for key, value in changed.items() if value is not None}
    return chained(told)


def chained(told: list[dict[str, Any]]) -> list[str]:
    """Lines with these contents, each with the check that belongs to it there."""
    made, check = [], ""
    for said in told:
        text = msgspec.json.encode({key: value for key, value in said.items() if key != "#"}).decode()
        check = gamelog._check(check, text)
        made.append(f'{text[:-1]},"#":"{check}"}}\n')
    return made


def test_a_forged_gamelog_without_changes_is_the_gamelog(lines):
    assert forged(lines, 1) == lines


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"endturn": 2}, ["format 2", "format 1"]),
        ({"endturn": None}, ["format"]),
        ({"game": "chess"}, ["chess", "treasure"]),
        ({"game": None}, ["game"]),
        ({"game": ["treasure"]}, ["treasure"]),
        ({"version": 2}, ["version 2", "This program has 3"]),
        ({"version": "3"}, ["version"]),
        ({"settings": {"max_turns": 0}}, ["max_turns", "from 1 to 1000"]),
        ({"settings": {"depth": 3}}, ["depth", "max_turns"]),
        ({"settings": {"bounty": "huge"}}, ["bounty", "poor or rich"]),
        ({"settings": {"max_turns": [3]}}, ["max_turns"]),
        ({"settings": [3]}, ["header"]),
        ({"settings": None}, ["settings"]),
        ({"seed": "seven"}, ["seven"]),
        ({"seed": 7}, ["header"]),
        ({"seed": hex(1 << 64)}, ["2**64"]),
        ({"seed": "-0x1"}, ["2**64"]),
        ({"seed": None}, ["seed"]),
        ({"players": ["Ann"]}, ["1", "2"]),
        ({"players": 2}, ["header"]),
        ({"players": None}, ["players"]),
        ({"start": "somewhere"}, ["position"]),
        ({"start": {"turn": 1}}, ["header"]),
        ({"start": "{}"}, ["position"]),
        ({"start": '{"mark":"x"}'}, ["position"]),
    ],
)
@pytest.mark.parametrize("check", [verify, verify_fast])
def test_wrong_header_is_found_and_named(lines, changes, words, check):
    bad = found(forged(lines, 1, **changes), check)
    assert bad.line == 1
    assert all(word in bad.reason for word in words), bad.reason


def line_of(lines: list[str], part: str) -> int:
    return next(number for number, line in enumerate(lines, 1) if part in line)


@pytest.mark.parametrize(
    ("where", "changes", "words"),
    [
        ('"do":"swim"', {"steps": 3, "direction": "left"}, ["rule S2", "off the shore"]),
        ('"do":"swim"', {"steps": 9}, ["Not an action", "$.steps"]),
        ('"do":"swim"', {"seat": 1}, ["rule turn"]),
        ('"do":"swim"', {"seat": None}, ["Seat must be"]),
        ('"do":"swim"', {"seat": 10**30}, ["Seat must be"]),
        ('"do":"swim"', {"do": "fly"}, ["Not an action", "fly"]),
        ('"do":"swim"', {"do": None}, ["Not an action"]),
        ('"turn":1', {"turn": 5}, ["turn 5", "turn 1"]),
        ('"turn":1', {"state": "0" * 16}, ["0" * 16]),
        ('"end":', {"state": "0" * 16}, ["0" * 16]),
        ('"end":', {"end": {"how": "counted", "places": [2, 2], "reasons": ["", ""]}}, ["[2, 2]"]),
        ('"end":', {"end": 5}, ["5"]),
    ],
)
@pytest.mark.parametrize("check", [verify, verify_fast])
def test_wrong_line_is_found_at_its_place(lines, where, changes, words, check):
    number = line_of(lines, where)
    bad = found(forged(lines, number, **changes), check)
    assert bad.line == number
    assert all(word in bad.reason for word in words), bad.reason


@pytest.mark.parametrize("changes", [{"seed": "0x8"}, {"settings": {"max_turns": 4}}])
def test_changed_seed_or_setting_is_found_at_the_first_checksum(lines, changes):
    assert found(forged(lines, 1, **changes)).line == 2


def test_changed_action_is_found_at_the_next_checksum(lines):
    number = line_of(lines, '"do":"bet"')
    assert found(forged(lines, number, double=False)).line == line_of(lines, '"turn":1')


def test_line_after_the_end_is_found_even_with_a_valid_checksum(lines):
    told = [msgspec.json.decode(line) for line in lines]
    for more in told[-1], told[2], {}:
        bad = found(chained([*told, more]))
        assert bad.line == len(lines) + 1 and "follows the end" in bad.reason


@pytest.mark.parametrize("undo", [0, 1, "x", 10**30, [0]])
def test_invalid_undo_is_found(lines, undo):
    number = line_of(lines, '"do":"dig"')
    bad = found(forged(lines, number, do=None, seat=None, undo=undo))
    assert bad.line == number


# --- verified at once, with compiled rules ------------------------------------------------------------------


def test_verify_fast_finds_what_verify_finds(lines):
    slow, fast = verify(lines, find), verify_fast(lines, find)
    assert (fast.actions, fast.turns, fast.end) == (slow.actions, slow.turns, slow.end)


def test_verify_fast_accepts_undo_and_start_positions():
    match = Match(treasure.game, seed=5, start=treasure.setup(treasure.Settings(), 99))
    match.submit(0, Mark(3))
    match.undo(0)
    match.submit(0, EndTurn())
    assert verify_fast(write(match), find).turns == 1


def test_verify_fast_finds_every_missing_line(lines):
    for number in range(1, len(lines) + 1):
        assert found(lines[: number - 1] + lines[number:], verify_fast).line == number
