"""The random generator: additive, with a table of 56 numbers, so that a savegame continues where it stopped."""

from dataclasses import dataclass, field
from typing import NamedTuple

from endturn.engine.dice import philox

SIZE = 56
FULL = 0xFFFFFFFF


class Draw(NamedTuple):
    """A number that was drawn, below `size`, and what for."""

    size: int
    value: int
    purpose: str


@dataclass(slots=True)
class RandomGenerator:
    """The state of the generator, and what was drawn from it."""

    table: list[int]
    j: int
    k: int
    x: int
    draws: list[Draw] = field(default_factory=list)

    def raw(self) -> int:
        """The next 32 bits."""
        value = (self.table[self.j] + self.table[self.k]) & FULL
        self.j, self.k, self.x = (self.j + 1) % SIZE, (self.k + 1) % SIZE, (self.x + 1) % SIZE
        self.table[self.x] = value
        return value

    def below(self, size: int, purpose: str) -> int:
        """A number from 0 to `size` - 1. A number is drawn even if only one is possible."""
        value = self.raw()
        if size > 1:
            share = FULL // size
            while value > size * share - 1:
                value = self.raw()
            value //= share
        else:
            value = 0
        self.draws.append(Draw(size, value, purpose))
        return value

    def state(self) -> tuple[int, int, int, tuple[int, ...]]:
        """The state: two generators with the same state draw the same numbers."""
        return self.j, self.k, self.x, tuple(self.table)


def seeded(seed: int) -> RandomGenerator:
    """A generator started from a seed, as Freeciv does."""
    table = [seed & FULL]
    for _ in range(SIZE - 1):
        table.append((3 * table[-1] + 257) & FULL)
    made = RandomGenerator(table, 0, 31, 55)
    for _ in range(10000):
        made.below(FULL, "seed")
    made.draws.clear()
    return made


def rolled(dice: int, purpose: int, where: int, when: int) -> RandomGenerator:
    """A generator for one phase change, its table rolled by address, so that no state holds dice to come."""
    rolls = (philox(dice, purpose, where, when, count) for count in range(SIZE // 4))
    return RandomGenerator([word for words in rolls for word in words], 0, 31, 55)


def spent() -> RandomGenerator:
    """The generator that a state holds between phase changes: it reveals nothing."""
    return RandomGenerator([0] * SIZE, 0, 31, 55)
