"""Gamelogs verified at once: good ones hold; of others the same line is named as by playing step by step."""

import msgspec
import pytest
import xxhash

import toy_game
import treasure_game
from endturn.engine import gamelog
from endturn.engine.answers import Accepted
from endturn.engine.gamelog import BadGamelog
from endturn.engine.match import Match


def find(name):
    return {"pig": toy_game.game, "treasure": treasure_game.game}[name]


def random_match(game, seed, actions=1000, start=None):
    match = Match(game, seed=seed, start=start)
    for when in range(actions):
        if not match.to_act():
            break
        seat = match.to_act()[0]
        match.submit(seat, match.random_action(seat, seed + 1, when))
    return match


def lines_of(match):
    return list(gamelog.write(match))


def altered(lines, number, **changes):
    """The gamelog with a line changed by someone who knows how checks are made."""
    said = [msgspec.json.decode(line) for line in lines]
    said[number - 1].update(changes)
    made, check = [], ""
    for each in said:
        del each["#"]
        text = msgspec.json.encode(each).decode()
        check = xxhash.xxh32_hexdigest((check + text).encode())
        made.append(f'{text[:-1]},"#":"{check}"}}\n')
    return made


def line_with(lines, key, nth=0):
    return [number for number, line in enumerate(lines, 1) if key in msgspec.json.decode(line)][nth]


def complaint(verify, lines):
    with pytest.raises(BadGamelog) as caught:
        verify(lines, find)
    return caught.value.line, caught.value.reason


@pytest.fixture
def never_slowly(monkeypatch):
    def verify(lines, find_game):
        raise AssertionError("it was played step by step")

    monkeypatch.setattr(gamelog, "verify", verify)


@pytest.mark.parametrize("game", [toy_game.game, treasure_game.game], ids=lambda game: game.name)
@pytest.mark.parametrize("seed", range(3))
def test_good_gamelog_verifies_fast(game, seed, never_slowly):
    match = random_match(game, seed)
    found = gamelog.verify_fast(lines_of(match), find)
    assert found.actions == len(match.played())
    assert found.turns == match.turn
    assert found.end["end"]["how"] == match.outcome.how


def test_interrupted_match_verifies(never_slowly):
    match = random_match(treasure_game.game, 5, actions=7)
    assert gamelog.verify_fast(lines_of(match), find).end["end"] is None


def test_empty_match_verifies(never_slowly):
    assert gamelog.verify_fast(lines_of(Match(toy_game.game)), find).actions == 0


def test_match_from_a_position_verifies(never_slowly):
    start = random_match(treasure_game.game, 8, actions=9).state
    match = random_match(treasure_game.game, 9, start=start)
    assert gamelog.verify_fast(lines_of(match), find).actions == len(match.played())


def test_both_ways_find_the_same_error():
    lines = lines_of(random_match(treasure_game.game, 6))
    slowly, quickly = gamelog.verify(lines, find), gamelog.verify_fast(lines, find)
    assert (slowly.actions, slowly.turns) == (quickly.actions, quickly.turns)


@pytest.mark.parametrize(
    ("key", "nth", "changes"),
    [
        ("state", 3, {"state": "0123456789abcdef"}),
        ("turn", 2, {"turn": 77}),
        ("seat", 4, {"seat": 5}),
        ("seat", 4, {"seat": True}),
        ("seat", 2, {"do": "fly"}),
        ("seat", 2, {"height": 3}),
        ("end", 0, {"end": {"how": "luck", "places": [1, 2], "reasons": ["", ""]}}),
        ("end", 0, {"state": "0123456789abcdef"}),
        ("endturn", 0, {"version": 9}),
    ],
)
def test_changed_line_is_named_as_by_verify(key, nth, changes):
    good = lines_of(random_match(treasure_game.game, 6))
    bad = altered(good, line_with(good, key, nth), **changes)
    assert complaint(gamelog.verify_fast, bad) == complaint(gamelog.verify, bad)


def test_another_seed_is_found_at_the_first_state_that_differs():
    good = lines_of(random_match(toy_game.game, 6))
    assert complaint(gamelog.verify_fast, altered(good, 1, seed="0x7"))[0] > 1


def test_line_changed_without_its_checksum_is_named():
    lines = lines_of(random_match(toy_game.game, 6))
    lines[4] = lines[4].replace("roll", "hold")
    assert complaint(gamelog.verify_fast, lines)[0] == 5


@pytest.mark.parametrize("length", [0, 1, 5])
def test_truncated_gamelog_is_refused(length):
    lines = lines_of(random_match(toy_game.game, 6))[:length]
    assert complaint(gamelog.verify_fast, lines) == complaint(gamelog.verify, lines)


def test_a_gamelog_without_its_turn_lines_does_not_overrun_the_room_for_turns():
    good = lines_of(random_match(toy_game.game, 6))
    bad = altered([line for line in good if "turn" not in msgspec.json.decode(line)], 1)
    said = complaint(gamelog.verify_fast, bad)
    assert said == complaint(gamelog.verify, bad) and "turn 0 is missing" in str(said)


def test_gamelog_with_an_undo_verifies():
    match = Match(treasure_game.game, seed=7)
    match.submit(0, treasure_game.Swim(treasure_game.Direction.RIGHT, 1))
    assert match.undo(0) == Accepted(0)
    match.submit(0, treasure_game.EndTurn())
    assert gamelog.verify_fast(lines_of(match), find).end["end"] is None
