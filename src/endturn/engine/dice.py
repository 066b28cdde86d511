"""Randomness by address: a roll is a pure function of the seed, a purpose, a place and a time.

Nothing is consumed, so a refused action shifts nothing, a new roll in combat does not shift the weather, and
a state holds no hint of rolls to come. The generator is Philox4x32-10 (Salmon and others, 2011): the key is
the 64-bit seed, the counter is the address. It is written with 32-bit masks, so that one text gives the same
numbers with Python's integers, with Numba's 64-bit ones (where products wrap, but keep their bits) and on a GPU.

`dice` in a rule's arguments is the seed of the match. Each game names its purposes, from 1 on.
"""

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from endturn.engine.rule import apart, rule

MASK = 0xFFFFFFFF
ROUNDS = 10

T = TypeVar("T")


@apart
def philox(dice: int, purpose: int, where: int, when: int, count: int) -> tuple[int, int, int, int]:
    """Four words of 32 random bits for an address."""
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
    """A whole number from 0 to limit - 1, each as likely to one part in 2**64 / limit; limit below 2**31."""
    word, finer, _, _ = philox(dice, purpose, where, when, count)
    return (word * limit + ((finer * limit) >> 32)) >> 32


@rule
def chance(dice: int, part: int, whole: int, purpose: int, where: int, when: int, count: int = 0) -> bool:
    """True with a probability of exactly part / whole: `chance(dice, 125, 1000, ...)` is 125 per mille."""
    return below(dice, whole, purpose, where, when, count) < part


@rule
def shuffle(dice: int, items: MutableSequence[int], length: int, purpose: int, where: int, when: int) -> None:
    """Put the first `length` items into a random order, every order as likely."""
    for last in range(length - 1, 0, -1):
        other = below(dice, last + 1, purpose, where, when, last)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


class Stream:
    """Rolls in a row for one purpose; for set-up, which happens once and in a written order."""

    def __init__(self, seed: int, purpose: int) -> None:
        self.seed, self.purpose, self.count = seed, purpose, 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1."""
        self.count += 1
        return below(self.seed, limit, self.purpose, 0, 0, self.count)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each as likely."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """An index, as likely as its weight says."""
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
    """A seed derived from a seed: for copies handed to searching bots, bots' own dice, matches of a series."""
    word, other, _, _ = philox(seed, 0, 0, 0, number)
    return other << 32 | word
