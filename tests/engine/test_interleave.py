"""States side by side, as a GPU has them: the same rules give the same bytes there. Run here by the CPU's compiler."""

from typing import Annotated

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.engine import interleave
from endturn.engine.record import dtype, f64, i8, i16, i64, record
from endturn.engine.rule import _teach_numba, missing, rule

needs_numba = pytest.mark.skipif(missing("compiled") is not None, reason=str(missing("compiled")))


@record
class Purse:
    coins: i16
    kind: i8
    spare: i8


@record
class Town:
    age: i64
    wealth: f64
    purse: Purse
    turn: i16
    seat: i16
    houses: Annotated[list[i16], 5]
    roads: Annotated[list[list[i8]], (2, 3)]
    ruins: Annotated[list[i64], 0]


@record
class Rows:
    purses: Annotated[list[Purse], 3]


@rule
def live(town: Town, years: int) -> None:
    """Reads and writes every kind of field."""
    town.age += years
    town.wealth = town.wealth / 3 + town.purse.coins
    town.purse.coins = town.purse.coins * 7 % 101
    town.houses[-1] += len(town.ruins) + 1
    for house in range(len(town.houses)):
        town.houses[house] = town.houses[house] - town.roads[house % 2][house % 3] + town.purse.kind
    row = town.roads[town.turn % 2]
    row[town.seat % 3] = -row[0] // 2
    town.turn, town.seat = town.seat, town.turn + 1


def towns(matches: int, seed: int = 1) -> np.ndarray:
    filled = np.random.default_rng(seed).integers(0, 90, (matches, dtype(Town).itemsize), np.uint8)
    made = filled.view(dtype(Town))[:, 0]
    made["wealth"] = np.arange(matches) / 7
    return made


@given(st.integers(1, 70), st.integers(0, 9))
def test_interleaving_and_back_gives_the_same_bytes(matches, seed):
    before = towns(matches, seed)
    after = np.zeros_like(before)
    interleave.in_rows(interleave.interleaved(Town, before), after)
    assert after.tobytes() == before.tobytes()


def test_the_same_element_of_the_matches_of_a_group_lies_together():
    before = towns(35)
    groups = interleave.interleaved(Town, before).reshape(2, -1)
    assert groups[0, : 32 * 8].view(np.int64).tolist() == before["age"][:32].tolist()
    assert groups[1, : 3 * 8].view(np.int64).tolist() == before["age"][32:].tolist()


def test_arrays_of_records_are_refused_by_name():
    with pytest.raises(TypeError, match=r"Rows\.purses.*columns"):
        interleave.interleaved(Rows, np.zeros(3, dtype(Rows)))


@pytest.mark.parametrize(
    "call", [lambda: interleave.deck(None, None), lambda: interleave.copy_share(None, 0, None, 0, 1)]
)
def test_a_deck_exists_only_in_compiled_code(call):
    with pytest.raises(NotImplementedError):
        call()


@needs_numba
def test_rules_do_not_notice_and_copies_can_be_shared():
    from numba import njit  # noqa: PLC0415

    _teach_numba()
    interleave.teach("cpu")
    deck, copy_share = interleave.deck, interleave.copy_share

    @njit
    def in_rows(states, years):
        for i in range(len(states)):
            live(states[i], years)

    @njit
    def side_by_side(memory, matches, like, years):
        games = deck(memory, like)
        for i in range(matches):
            live(games[i], years)

    @njit
    def begin(memory, like, i, k, parts):
        for part in range(parts):
            copy_share(deck(memory, like), i, like[k], part, parts)

    rows, pool = towns(37), towns(2, seed=5)
    memory, after = interleave.interleaved(Town, rows), np.zeros_like(rows)
    in_rows(rows, 3)
    side_by_side(memory, 37, pool, 3)
    rows[34] = pool[1]
    begin(memory, pool, 34, 1, 3)
    interleave.in_rows(memory, after)
    assert after.tobytes() == rows.tobytes()


@needs_numba
def test_record_of_partial_words_is_copied_to_its_last_byte():
    from numba import njit  # noqa: PLC0415

    interleave.teach("cpu")
    deck, copy_share = interleave.deck, interleave.copy_share

    @njit
    def begin(memory, like, i, k):
        copy_share(deck(memory, like), i, like[k], 0, 1)

    assert dtype(Purse).itemsize % interleave.WORD != 0
    before, after = np.zeros(40, dtype(Purse)), np.zeros(40, dtype(Purse))
    pool = np.array([(1, 2, 3), (400, 5, 6)], dtype(Purse))
    memory = interleave.interleaved(Purse, before)
    begin(memory, pool, 33, 1)
    interleave.in_rows(memory, after)
    before[33] = pool[1]
    assert after.tobytes() == before.tobytes()
