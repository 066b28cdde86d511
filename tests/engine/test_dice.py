"""Dice: known answers, ranges, fairness, and the same rolls compiled as plain. All seeds are fixed."""

from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from math import sqrt
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.engine import dice, rule
from endturn.engine.dice import Stream, another, below, chance, philox, shuffle

SEEDS = st.integers(0, (1 << 64) - 1)
WORDS = st.integers(0, (1 << 32) - 1)
LIMITS = st.integers(1, (1 << 31) - 1)
ALL_ONES = (1 << 32) - 1

# Published with Random123 for philox4x32-10: counter words, key words, answer.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ALL_ONES,) * 4, (ALL_ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def address(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    """Seed, purpose, where, when, count: the counter's last word is the purpose, its first the count."""
    count, when, where, purpose = counter
    return key[1] << 32 | key[0], purpose, where, when, count


def signed(seed: int) -> int:
    return seed - (1 << 64) if seed >> 63 else seed


def chi_square(counts: Iterable[int], expected: Iterable[float]) -> float:
    return sum((seen - due) ** 2 / due for seen, due in zip(counts, expected, strict=True))


def looks_fair(rolls: Iterable[Any], faces: Iterable[Any]) -> bool:
    """Whether every face came about equally often: chi-square, five deviations above its mean at most."""
    seen, faces = Counter(rolls), list(faces)
    assert set(seen) <= set(faces)
    freedom = len(faces) - 1
    due = sum(seen.values()) / len(faces)
    return chi_square((seen[face] for face in faces), [due] * len(faces)) < freedom + 5 * sqrt(2 * freedom)


# --- philox -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_philox_gives_the_published_answers(counter, key, answer):
    assert philox(*address(counter, key)) == answer


@pytest.mark.parametrize("which", ["seed", "purpose", "where", "when", "count"])
def test_one_bit_of_an_address_changes_half_of_the_bits_of_a_roll(which):
    at = ["seed", "purpose", "where", "when", "count"].index(which)
    bits = 64 if which == "seed" else 32
    samples = 60
    for bit in range(bits):
        changed = sum(bits_changed(sample, at, bit) for sample in range(samples)) / samples
        assert abs(changed - 64) < 6 * sqrt(32 / samples), f"bit {bit} of {which}"


def bits_changed(sample: int, at: int, bit: int) -> int:
    one = [1000 + sample, 1, sample, 7, 0]
    other = list(one)
    other[at] ^= 1 << bit
    pairs = zip(philox(*one), philox(*other), strict=True)
    return sum((word ^ neighbour).bit_count() for word, neighbour in pairs)


@pytest.mark.parametrize("at", range(5))
def test_neighbouring_addresses_agree_in_each_bit_half_the_time(at):
    steps = 3000
    rolls = []
    for step in range(steps + 1):
        place = [77, 3, 5, 11, 2]
        place[at] += step
        a, b, c, d = philox(*place)
        rolls.append(a << 96 | b << 64 | c << 32 | d)
    for bit in range(128):
        same = sum((one ^ two) >> bit & 1 == 0 for one, two in zip(rolls, rolls[1:], strict=False))
        assert abs(same - steps / 2) < 5 * sqrt(steps) / 2, f"bit {bit}"


# --- numbers in a range -------------------------------------------------------------------------------------


@given(SEEDS, LIMITS, WORDS, WORDS, WORDS, WORDS)
def test_a_roll_lies_between_zero_and_its_limit(seed, limit, purpose, where, when, count):
    assert 0 <= below(seed, limit, purpose, where, when, count) < limit


@given(SEEDS, LIMITS, WORDS, WORDS, WORDS, WORDS)
def test_a_roll_is_the_rounded_down_share_of_its_limit(seed, limit, purpose, where, when, count):
    first, second, _, _ = philox(seed, purpose, where, when, count)
    assert below(seed, limit, purpose, where, when, count) == (first << 32 | second) * limit >> 64


@pytest.mark.parametrize("limit", [2, 3, 6, 7, 10, 52, 100])
@pytest.mark.parametrize("along", ["seed", "purpose", "where", "when", "count"])
def test_every_number_is_as_likely_along_every_part_of_the_address(limit, along):
    at = ["seed", "purpose", "where", "when", "count"].index(along)
    rolls = []
    for step in range(40 * limit + 400):
        place = [99, 1, 2, 3, 4]
        place[at] += step
        rolls.append(below(place[0], limit, *place[1:]))
    assert looks_fair(rolls, range(limit))


def test_a_limit_near_the_largest_shows_no_bias():
    # With 32 bits only, the third of these would come a quarter of the time instead of a third.
    limit = 3 << 29
    rolls = [below(5, limit, 1, 2, when) % 3 for when in range(6000)]
    assert looks_fair(rolls, range(3))


# --- chances ------------------------------------------------------------------------------------------------


@given(SEEDS, LIMITS, WORDS, WORDS, WORDS)
def test_zero_chance_never_and_full_chance_always_happens(seed, whole, purpose, where, when):
    assert not chance(seed, 0, whole, purpose, where, when)
    assert chance(seed, whole, whole, purpose, where, when)


@pytest.mark.parametrize(("part", "whole"), [(1, 2), (1, 3), (125, 1000), (2500, 1_000_000), (999, 1000)])
def test_a_chance_comes_true_as_often_as_its_fraction_says(part, whole):
    rolls, share = 20_000, part / whole
    came = sum(chance(31, part, whole, 1, 0, when) for when in range(rolls))
    assert abs(came - rolls * share) < 5 * sqrt(rolls * share * (1 - share))


def test_a_better_chance_comes_true_whenever_a_worse_one_does():
    worse = {when for when in range(2000) if chance(8, 300, 1000, 1, 2, when)}
    better = {when for when in range(2000) if chance(8, 301, 1000, 1, 2, when)}
    assert worse <= better


# --- shuffles -----------------------------------------------------------------------------------------------


def test_a_shuffle_gives_every_order_as_often():
    def order(when: int) -> tuple[int, ...]:
        items = [0, 1, 2, 3]
        shuffle(17, items, 4, 2, 0, when)
        return tuple(items)

    assert looks_fair((order(when) for when in range(4800)), permutations(range(4)))


@given(SEEDS, st.lists(st.integers(-100, 100), max_size=12), st.data())
def test_a_shuffle_keeps_the_items_and_leaves_the_rest_in_place(seed, items, data):
    length = data.draw(st.integers(0, len(items)))
    shuffled = array("b", items)
    shuffle(seed, shuffled, length, 1, 2, 3)
    assert sorted(shuffled[:length]) == sorted(items[:length])
    assert list(shuffled[length:]) == items[length:]


# --- rolls in a row -----------------------------------------------------------------------------------------


def test_a_stream_gives_the_same_rolls_again_and_others_for_another_purpose_or_seed():
    def rolls(seed: int, purpose: int) -> list[int]:
        stream = Stream(seed, purpose)
        return [stream.below(1000) for _ in range(20)]

    assert rolls(1, 2) == rolls(1, 2)
    assert len({tuple(rolls(seed, purpose)) for seed in (1, 2) for purpose in (2, 3)}) == 4


def test_between_reaches_both_ends_and_all_in_between_alike():
    stream = Stream(3, 1)
    assert looks_fair((stream.between(-2, 3) for _ in range(1200)), range(-2, 4))


def test_choice_takes_each_item_as_often():
    stream = Stream(4, 1)
    assert looks_fair((stream.choice("abcde") for _ in range(1500)), "abcde")


def test_weights_decide_how_often_an_index_comes():
    stream, weights = Stream(5, 1), [4, 0, 3, 2, 1]
    seen = Counter(stream.weighted(weights) for _ in range(5000))
    assert seen[1] == 0
    kept = [0, 2, 3, 4]
    assert chi_square([seen[i] for i in kept], [500 * weights[i] for i in kept]) < 3 + 5 * sqrt(6)


def test_weights_that_leave_nothing_to_choose_are_an_error():
    with pytest.raises(ValueError, match="weights"):
        Stream(1, 1).weighted([0, 0])


def test_a_streams_shuffle_gives_every_order_as_often_and_leaves_the_items_alone():
    stream, items = Stream(6, 1), ["a", "b", "c"]
    assert looks_fair((tuple(stream.shuffled(items)) for _ in range(1800)), permutations("abc"))
    assert items == ["a", "b", "c"]


# --- seeds from seeds ---------------------------------------------------------------------------------------


def test_derived_seeds_are_64_bits_wide_and_all_different():
    made = {another(seed, number) for seed in range(50) for number in range(50)}
    assert len(made) == 2500
    assert all(0 <= seed < 1 << 64 for seed in made)
    assert max(made) >> 63 == 1


# --- compiled -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiled() -> Any:
    """Loops over addresses, compiled as rules are."""
    numba = pytest.importorskip("numba")
    rule._teach_numba()

    @numba.njit(error_model="numpy")
    def roll_all(seeds, limits, places, rolls, words):
        for i in range(len(seeds)):
            purpose, where, when, count = places[i, 0], places[i, 1], places[i, 2], places[i, 3]
            rolls[i, 0] = below(seeds[i], limits[i], purpose, where, when, count)
            rolls[i, 1] = chance(seeds[i], limits[i] // 3, limits[i], purpose, where, when, count)
            words[i] = philox(seeds[i], purpose, where, when, count)

    @numba.njit(error_model="numpy")
    def shuffle_all(seeds, rows):
        for i in range(len(seeds)):
            shuffle(seeds[i], rows[i], len(rows[i]), 5, 6, 7)

    return roll_all, shuffle_all


def rolled(roll_all: Any, seeds: list[int], limits: list[int], places: list[list[int]]) -> tuple[Any, Any]:
    rolls, words = numpy.zeros((len(seeds), 2), numpy.int64), numpy.zeros((len(seeds), 4), numpy.int64)
    keys = numpy.array([signed(seed) for seed in seeds], numpy.int64)
    roll_all(keys, numpy.array(limits, numpy.int64), numpy.array(places, numpy.int64), rolls, words)
    return rolls.tolist(), words.tolist()


def addresses(count: int) -> tuple[list[int], list[int], list[list[int]]]:
    """Seeds up to 2**64, limits up to 2**31, addresses that may be negative, all by numpy's dice."""
    chosen = numpy.random.default_rng(20261116)
    seeds = [int(n) for n in chosen.integers(0, 1 << 64, count, numpy.uint64)]
    seeds[:4] = [0, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
    limits = [1 + int(n) for n in chosen.integers(0, 1 << chosen.integers(1, 32, count), count)]
    limits[:4] = [(1 << 31) - 1] * 4
    places = chosen.integers(-(1 << 31), 1 << 32, (count, 4)).tolist()
    return seeds, [min(limit, (1 << 31) - 1) for limit in limits], places


def test_compiled_rolls_are_the_plain_ones_for_any_address_and_seed(compiled):
    seeds, limits, places = addresses(3000)
    assert sum(seed >> 63 for seed in seeds) > 1000
    rolls, words = rolled(compiled[0], seeds, limits, places)
    assert words == [list(philox(seed, *place)) for seed, place in zip(seeds, places, strict=True)]
    expected = zip(seeds, limits, places, strict=True)
    assert rolls == [[below(s, n, *p), int(chance(s, n // 3, n, *p))] for s, n, p in expected]


def test_compiled_philox_gives_the_published_answers(compiled):
    places = [address(counter, key) for counter, key, _ in KNOWN]
    _, words = rolled(compiled[0], [p[0] for p in places], [6] * 3, [list(p[1:]) for p in places])
    assert words == [list(answer) for _, _, answer in KNOWN]


def test_compiled_shuffles_are_the_plain_ones(compiled):
    seeds, _, _ = addresses(300)
    rows = numpy.tile(numpy.arange(9), (len(seeds), 1))
    compiled[1](numpy.array([signed(seed) for seed in seeds], numpy.int64), rows)
    for seed, row in zip(seeds, rows.tolist(), strict=True):
        plain = list(range(9))
        shuffle(seed, plain, 9, 5, 6, 7)
        assert row == plain


def test_plain_rolls_are_the_same_for_a_seed_and_its_signed_form():
    seeds, limits, places = addresses(200)
    for seed, limit, place in zip(seeds, limits, places, strict=True):
        assert below(seed, limit, *place) == below(signed(seed), limit, *place)
    assert dice.another(1 << 63, 5) == dice.another(signed(1 << 63), 5)
