"""Batches: the same bytes whatever the backend and the threads; masks, observations and restarts."""

import threading
from typing import Annotated, Any

import numpy as np
import pytest

import toy_game
import treasure_game as treasure
from endturn.engine import dice, record
from endturn.engine.actions import Action, Actions, Rule
from endturn.engine.answers import MATCH_OVER, NO_SUCH_ACTION, NOT_YOUR_TURN
from endturn.engine.batch import Batch, DeviceBatch
from endturn.engine.game import Game, Outcome, Rules, Text
from endturn.engine.match import Match
from endturn.engine.record import i8, i16
from endturn.engine.rule import kernels, missing, rule
from endturn.games import find
from treasure_game import Bet, Dig, Direction, EndTurn, Leave, Mark, Swim

BACKENDS = pytest.mark.parametrize("backend", ["plain", "compiled"])
BY_EVERYONE = ["plain", "compiled"]


def dive(games: int = 12, backend: str = "compiled", **more: Any) -> Batch:
    more = {"seed": 4, "pool": 5, **more}
    return Batch(treasure.game, games, backend=backend, **more)


def states_of(batch: Batch) -> list[Any]:
    return [batch.state(i) for i in range(batch.games)]


def refusals(batch: Batch, rows: Any) -> list[int]:
    """What the plain rules say to each row."""
    refuse = kernels(treasure.game, "plain").refuse
    return [refuse(batch.state(i), seat, tuple(action)) for i, (seat, *action) in enumerate(rows.tolist())]


def seats_to_act(batch: Batch) -> Any:
    return np.array([0 if waiting & 1 else 1 for waiting in batch.to_act()], np.int64)


# --- the same bytes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [treasure.game, toy_game.game], ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_bytes_on_every_backend_and_with_any_threads(game):
    def played(backend: str, threads: int) -> tuple[bytes, list[int], list[int]]:
        batch = Batch(game, 7, seed=9, backend=backend, threads=threads, pool=3)
        batch.play(90)
        batch.play(11)
        return batch.dump(), list(batch.ended), list(batch.seeds)

    first = played("plain", 1)
    assert sum(first[1]) > 0  # matches ended and began again on the way
    for backend in BY_EVERYONE:
        for threads in 1, 2, 3, 8:
            assert played(backend, threads) == first, (backend, threads)


def test_another_seed_gives_another_batch():
    assert dive(seed=1).dump() != dive(seed=2).dump()
    assert dive(seed=1 << 63).dump() == dive(seed=1 << 63, backend="plain").dump()


def test_a_match_does_not_depend_on_how_many_there_are_beside_it():
    small, large = dive(5), dive(40)
    small.play(60)
    large.play(60)
    assert small.dump() == large.dump()[: len(small.dump())]
    assert list(small.ended) == list(large.ended[:5])


@BACKENDS
def test_choose_and_step_equal_play(backend):
    played, stepped = dive(backend=backend), dive(backend=backend)
    played.play(70)
    for _ in range(70):
        assert not stepped.step(stepped.choose()).any()
    played.restart()  # stepping begins again at once, playing with the next action
    assert played.dump() == stepped.dump()
    assert list(played.ended) == list(stepped.ended) and sum(played.ended) > 0
    assert list(played.seeds) == list(stepped.seeds)


def test_a_match_of_a_batch_is_the_match_that_submit_plays():
    batch = dive(3)
    matches = [
        Match(treasure.game, seed=int(batch.seeds[i]), start=batch.state(i)) for i in range(batch.games)
    ]
    for _ in range(12):
        rows = batch.choose()
        actions = batch.rows_of_actions(rows)
        batch.step(rows, restart=False)
        for match, row, action in zip(matches, rows, actions, strict=True):
            if action is not None:
                match.submit(int(row[0]), action)
    assert b"".join(match.dump() for match in matches) == batch.dump()


def test_matches_differ_from_each_other():
    batch = dive(30)
    batch.play(5)
    assert len({record.dump(state) for state in states_of(batch)}) > 20
    assert len(set(map(int, batch.seeds))) == 30


# --- beginning, and beginning again -------------------------------------------------------------------------


@BACKENDS
def test_every_match_begins_from_the_pool_of_starts(backend):
    starts = {record.dump(treasure.setup(treasure.Settings(), dice.another(4, 2 + k))) for k in range(5)}
    begun = {record.dump(state) for state in states_of(dive(40, backend))}
    assert begun == starts


@BACKENDS
def test_reset_begins_as_a_new_batch_does(backend):
    batch = dive(backend=backend)
    before = batch.dump(), list(batch.seeds)
    batch.play(50)
    batch.reset()
    assert (batch.dump(), list(batch.seeds)) == before
    assert batch.actions == 0 and sum(batch.ended) == 0


@BACKENDS
def test_beginning_again_counts_each_match_that_was_over(backend):
    batch = dive(backend=backend, settings=treasure.Settings(max_turns=1))
    count = [0] * batch.games
    for _ in range(25):
        batch.step(batch.choose(), restart=False)
        over = [int(waiting) == 0 for waiting in batch.to_act()]
        before = states_of(batch)
        batch.restart()
        for i, ended in enumerate(over):
            count[i] += ended
            same = record.dump(batch.state(i)) == record.dump(before[i])
            assert same != ended
        assert all(batch.to_act()) and list(batch.ended) == count
    assert sum(count) > batch.games


@BACKENDS
def test_matches_that_are_over_stay_so_without_a_restart(backend):
    batch = dive(backend=backend)
    batch.step(batch.rows([(0, Leave())] * batch.games), restart=False)
    assert not batch.to_act().any()
    before = batch.dump()
    rows = batch.choose()
    assert (rows[:, 1] == -1).all() and batch.rows_of_actions(rows) == [None] * batch.games
    assert not batch.step(rows, restart=False).any()
    assert (batch.step(batch.rows([(0, EndTurn())] * batch.games), restart=False) == MATCH_OVER).all()
    assert batch.dump() == before


def test_a_new_match_in_the_same_place_has_dice_of_its_own():
    batch = dive(settings=treasure.Settings(max_turns=1))
    seen: list[set[int]] = [set() for _ in range(batch.games)]
    for _ in range(10):
        for i, seed in enumerate(batch.seeds):
            seen[i].add(int(seed))
        batch.step(batch.rows([(0, Leave())] * batch.games))
    assert all(len(seeds) == 10 for seeds in seen)


# --- steps --------------------------------------------------------------------------------------------------


@BACKENDS
def test_a_step_answers_each_row_with_what_the_rules_say(backend):
    batch = dive(backend=backend)
    wanted: list[tuple[int, Action]] = [
        (0, Swim(Direction.RIGHT, 2)),
        (0, Swim(Direction.LEFT, 1)),
        (1, EndTurn()),
        (1, Leave()),
        (0, Dig()),
        (0, Bet(double=True)),
        (0, Mark(99)),
        (0, Mark(100)),
        (0, Mark(-1)),
        (0, Mark((1 << 31) - 1)),
        (0, Swim(Direction.RIGHT, 3)),
        (0, EndTurn()),
    ]
    rows = batch.rows(wanted)
    expected = refusals(batch, rows)
    assert sorted(set(expected)) == [0, NOT_YOUR_TURN, treasure.OFF_THE_SHORE, treasure.MARK_TOO_LARGE]
    assert list(batch.step(rows, restart=False)) == expected
    assert batch.state(0).place[0] == 2 and batch.state(6).mark == 99 and batch.state(11).turn == 1


@BACKENDS
def test_refused_rows_change_no_byte(backend):
    batch = dive(backend=backend)
    batch.play(20)
    batch.restart()
    before, seeds = batch.dump(), list(batch.seeds)
    refused = 0
    for seat in -1, 0, 1, 2, 99:
        for verb, a, b in [(0, 0, 9), (0, 1, 9), (3, -5, 0), (3, 1000, 0), (6, 0, 0), (99, 0, 0)]:
            rows = np.tile(np.array([seat, verb, a, b, 0, 0], np.int32), (batch.games, 1))
            expected = refusals(batch, rows)
            assert 0 not in expected
            assert list(batch.step(rows)) == expected
            refused += 1
            assert (batch.dump(), list(batch.seeds)) == (before, seeds)
    assert refused == 30


@BACKENDS
def test_a_verb_that_there_is_not_is_refused_as_such(backend):
    batch = dive(backend=backend)
    rows = np.tile(np.array([0, 6, 0, 0, 0, 0], np.int32), (batch.games, 1))
    assert (batch.step(rows) == NO_SUCH_ACTION).all()


@BACKENDS
def test_rows_without_a_verb_are_skipped(backend):
    batch = dive(backend=backend)
    rows = batch.rows([(0, EndTurn())] * batch.games)
    rows[::2, 1] = -1
    assert not batch.step(rows).any()
    assert [batch.state(i).turn for i in range(batch.games)] == [0, 1] * (batch.games // 2)


def test_rows_and_actions_stand_for_each_other():
    batch = dive(3)
    actions = [Swim(Direction.RIGHT, 2), Bet(double=True), EndTurn()]
    rows = batch.rows((0, action) for action in actions)
    assert rows.tolist() == [[0, 0, 1, 2, 0, 0], [0, 2, 1, 0, 0, 0], [0, 4, 0, 0, 0, 0]]
    assert batch.rows_of_actions(rows) == actions


@BACKENDS
@pytest.mark.parametrize("shape", [(11, 6), (13, 6), (12, 5), (12,), (0, 6)])
def test_rows_of_the_wrong_shape_are_an_error(backend, shape):
    batch = dive(backend=backend)
    with pytest.raises(ValueError, match="12"):
        batch.step(np.full(shape, -1, np.int32))


@BACKENDS
@pytest.mark.parametrize("length", [0, 11, 13])
def test_seats_for_another_number_of_matches_are_an_error(backend, length):
    batch = dive(backend=backend)
    seats, right = np.zeros(length, np.int64), np.zeros(12, np.int64)
    for ask in (
        lambda: batch.piece_masks(seats),
        lambda: batch.option_masks(seats, right),
        lambda: batch.option_masks(right, seats),
        lambda: batch.observations(seats),
    ):
        with pytest.raises(ValueError, match="12"):
            ask()


# --- masks and observations ---------------------------------------------------------------------------------


@BACKENDS
def test_masks_are_what_the_rules_say_to_every_option(backend):
    batch, game = dive(6, backend), treasure.game
    refuse = kernels(game, "plain").refuse
    seen = set()
    for _ in range(15):
        for seat in 0, 1:
            seats = np.full(batch.games, seat, np.int64)
            masks = [batch.option_masks(seats, np.full(batch.games, piece, np.int64)) for piece in (0, 1)]
            pieces = batch.piece_masks(seats)
            assert masks[0].shape == (6, 9) and pieces.shape == (6, 2)
            for i, state in enumerate(states_of(batch)):
                for piece in 0, 1:
                    rows = [game.choices.row(state, piece, option) for option in range(9)]
                    wanted = [row[0] >= 0 and refuse(state, seat, row) == 0 for row in rows]
                    assert masks[piece][i].tolist() == wanted
                    assert pieces[i, piece] == any(wanted)
                    seen.update(wanted)
        batch.step(batch.choose(), restart=False)
    assert seen == {True, False}


@BACKENDS
def test_masks_of_a_match_that_is_over_are_empty(backend):
    batch = dive(backend=backend)
    batch.step(batch.rows([(0, Leave())] * batch.games), restart=False)
    for seat in 0, 1:
        assert not batch.piece_masks(np.full(batch.games, seat, np.int64)).any()


@BACKENDS
def test_a_chosen_option_of_the_mask_is_accepted(backend):
    batch = dive(backend=backend)
    for step in range(30):
        seats = seats_to_act(batch)
        pieces = batch.piece_masks(seats)
        chosen = np.array([np.flatnonzero(row)[step % row.sum()] for row in pieces])
        masks = batch.option_masks(seats, chosen)
        options = [int(np.flatnonzero(row)[step % row.sum()]) for row in masks]
        picked = zip(states_of(batch), chosen, options, strict=True)
        rows = [treasure.game.choices.row(state, int(piece), option) for state, piece, option in picked]
        assert not batch.step(np.column_stack([seats, np.array(rows)]).astype(np.int32)).any()


@BACKENDS
def test_observations_are_what_the_seat_of_each_match_observes(backend):
    batch = dive(backend=backend)
    batch.play(9)
    seats = np.arange(batch.games) % 2
    seen = batch.observations(seats)
    assert seen.shape == (batch.games, 14) and seen.dtype == np.int16
    for i, state in enumerate(states_of(batch)):
        out = [0] * 14
        treasure.observe(state, int(seats[i]), out)
        assert seen[i].tolist() == out
    assert (seen[:, 6:] == -1).any() and (seen[:, 6:] > 0).any()


def test_game_without_observations_is_an_error():
    with pytest.raises(TypeError, match=r"Pig.*observe"):
        Batch(toy_game.game, 2, backend="plain", pool=1).observations(np.zeros(2, np.int64))


@BACKENDS
def test_a_state_taken_out_is_a_copy(backend):
    batch = dive(backend=backend)
    before = batch.dump()
    batch.state(2).mark = 55
    assert batch.dump() == before


# --- starts of different sizes ------------------------------------------------------------------------------


@record.record
class Row:
    turn: i16
    length: i16
    cells: Annotated[list[i8], "cells"]


class Step(Action, frozen=True):
    """The next cell is counted up."""


@rule
def step_on(row: Row, seat: int) -> None:
    row.cells[row.turn % row.length] += 1
    row.turn += 1


@rule
def still_going(row: Row) -> int:
    return 1 if row.turn < 9 else 0


@rule
def turn_of_row(row: Row) -> int:
    return row.turn


def row_of_some_length(settings: Any, seed: int) -> Row:
    length = 2 + 2 * (seed % 3)
    row = record.new(record.sized(Row, cells=length))
    row.length = length
    return row


ROWS = Game(
    name="rows_of_some_length",
    title="Rows",
    summary="Rows of cells that are counted up.",
    version=1,
    seats=("only",),
    actions=Actions({Step: Rule(None, step_on)}),
    rules=Rules(
        state=Row,
        setup=row_of_some_length,
        to_act=still_going,
        turn=turn_of_row,
        outcome=lambda row: None if still_going(row) else Outcome("done", (1,), ("done",)),
        default_action=Step(),
    ),
    text=Text(
        refusals={},
    ),
)


@BACKENDS
def test_starts_of_different_sizes_use_the_largest_layout(backend):
    batch = Batch(ROWS, 20, seed=2, backend=backend, pool=12)
    assert {state.length for state in states_of(batch)} == {2, 4, 6}
    assert {len(state.cells) for state in states_of(batch)} == {6}
    batch.play(8)
    for state in states_of(batch):
        cells = [sum(turn % state.length == cell for turn in range(8)) for cell in range(6)]
        assert list(state.cells) == cells


# --- threads ------------------------------------------------------------------------------------------------


def test_compiled_loops_let_other_threads_run_meanwhile():
    # Another thread that sees the first match played and the last not yet has run while the loop was running:
    # impossible for a loop that keeps Python's lock until it is done.
    batch = dive(40)
    batch.play(1)
    for steps in 20_000, 200_000, 1_000_000:
        batch.reset()
        before = batch.ended[0], batch.ended[-1]
        loop = threading.Thread(target=batch.play, args=(steps,))
        loop.start()
        halfway = False
        while loop.is_alive() and not halfway:
            halfway = batch.ended[0] != before[0] and batch.ended[-1] == before[1]
        loop.join()
        assert batch.ended[-1] > before[1]
        if halfway:
            return
    pytest.fail("no other thread got to run while the loop did")


def test_threads_divide_the_matches_exactly():
    batch = dive(10, backend="plain", threads=4)
    parts: list[tuple[int, int]] = []
    batch._share(lambda start, stop: parts.append((start, stop)))
    covered = [i for start, stop in sorted(parts) for i in range(start, stop)]
    assert len(parts) == 4 and covered == list(range(10))


def test_an_error_in_a_thread_is_raised():
    def broken(start: int, stop: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        dive(10, backend="plain", threads=3)._share(broken)


# --- on a GPU -----------------------------------------------------------------------------------------------


@pytest.mark.skipif(missing("gpu") is not None, reason=str(missing("gpu")))
@pytest.mark.parametrize("game", [treasure.game, toy_game.game], ids=lambda game: game.name)
def test_a_gpu_gives_the_same_bytes(game):
    batch, again = (Batch(game, 100, seed=9, pool=3) for _ in range(2))
    device = DeviceBatch(batch)
    for _ in range(3):
        device.play(50)
        again.play(50)
    fetched = device.fetch()
    assert fetched.dump() == again.dump()
    assert list(fetched.seeds) == list(again.seeds) and list(fetched.ended) == list(again.ended)


@pytest.mark.skipif(missing("gpu") is not None, reason=str(missing("gpu")))
def test_a_gpu_rounds_after_every_step():
    """Fused, (1 + e) * (1 - e) - 1 would be -e * e; rounded after the product it is 0."""
    kernels(toy_game.game, "gpu")  # teaches numba-cuda about rules and rounding
    from numba import cuda  # noqa: PLC0415

    def product_and_sum(factors, out):
        out[0] = factors[0] * factors[1] + factors[2]

    out = np.ones(1)
    cuda.jit(product_and_sum, lto=False)[1, 1](np.array([1 + 2.0**-30, 1 - 2.0**-30, -1.0]), out)
    assert out[0] == 0


@pytest.mark.parametrize("block", [0, 16, 48, 100])
def test_a_block_of_a_gpu_has_whole_groups_of_threads(block):
    batch = Batch(toy_game.game, 4, seed=1, backend="plain")
    with pytest.raises(ValueError, match="multiple of 32"):
        DeviceBatch(batch, block)


def test_settings_can_be_a_dictionary():
    batch = Batch(find("anarchy"), 1, {"max_turns": 7}, seed=1, backend="plain", pool=1)
    assert batch.state(0).settings.max_turns == 7
