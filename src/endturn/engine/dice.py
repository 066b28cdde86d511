"""Dice with addresses: a roll is a pure function of the seed, a purpose, a place and a time.

Rolling consumes nothing, so a refused action shifts no roll, a new roll in combat does not change the weather, and a
state gives no hint of future rolls. The generator is Philox4x32-10 (Salmon and others, 2011): the key is the 64-bit
seed, the counter is the address. With 32-bit masks, the same code gives the same numbers with Python's integers, with
Numba's 64-bit integers (whose products wrap, but keep the low bits) and on a GPU.

A rule's argument `dice` is the seed of the match. Each game numbers its purposes from 1.
"""

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from endturn.engine.rule import apart, rule

MASK = 0xFFFFFFFF
ROUNDS = 10

T = TypeVar("T")


@apart
def philox(dice: int, purpose: int, where: int, when: int, count: int) -> tuple[int, int, int, int]:
    """Four random words of 32 bits for an address."""
    key0, key1 = dice & MASK, (dice >> 32) & MASK
    c0, c1, c2, c3 = count & MASK, when & MASK, where & MASK, purpose & MASK
    for _ in range(ROUNDS):
        low, high = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1 = ((high >> 32) & MASK) ^ c1 ^ key0, high & MASK
        c2, c3 = ((low >> 32) & MASK) ^ c3 ^ key1, low & MASK
        key0, key1 = (key0 + 0x9E3779B9) & MASK, (key1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


@rule
def below(dice: int, limit: int, purpose: int, where: int, when: int, count: int = 0) -> int:
    """An integer from 0 to limit - 1, uniform to one part in 2**64 / limit. `limit` is below 2**31."""
    word, finer, _, _ = philox(dice, purpose, where, when, count)
    return (word * limit + ((finer * limit) >> 32)) >> 32


@rule
def chance(dice: int, part: int, whole: int, purpose: int, where: int, when: int, count: int = 0) -> bool:
    """True with probability part / whole: `chance(dice, 125, 1000, ...)` is 12.5 %."""
    return below(dice, whole, purpose, where, when, count) < part


@rule
def shuffle(dice: int, items: MutableSequence[int], length: int, purpose: int, where: int, when: int) -> None:
    """Shuffle the first `length` items; every order is equally likely."""
    for last in range(length - 1, 0, -1):
        other = below(dice, last + 1, purpose, where, when, last)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


class Stream:
    """Consecutive rolls for one purpose, for setting up a match, which always takes the same order."""

    def __init__(self, seed: int, purpose: int) -> None:
        self.seed, self.purpose, self.count = seed, purpose, 0

    def below(self, limit: int) -> int:
        """An integer from 0 to limit - 1."""
        self.count += 1
        return below(self.seed, limit, self.purpose, 0, 0, self.count)

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, inclusive."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """A random item."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """A random index, with probability proportional to its weight."""
        rest = self.below(sum(weights))
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index
        raise ValueError(f"weights must be positive numbers: {weights!r}")

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        order = list(range(len(items)))
        self.count += 1
        shuffle(self.seed, order, len(order), self.purpose, 1, self.count)
        return [items[i] for i in order]


def another(seed: int, number: int) -> int:
    """A seed derived from a seed: for copies given to bots, for bots' own dice, for matches of a series."""
    word, other, _, _ = philox(seed, 0, 0, 0, number)
    return other << 32 | word
