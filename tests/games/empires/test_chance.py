"""The generator continues exactly where its state stopped."""

from endturn.games.empires.rules.chance import FULL, SIZE, RandomGenerator, seeded


def test_numbers_are_the_sum_of_those_56_and_25_draws_before():
    generator = seeded(42)
    drawn = [generator.raw() for _ in range(200)]
    assert all(drawn[n] == (drawn[n - 56] + drawn[n - 25]) & FULL for n in range(56, 200))


def test_same_state_draws_same_numbers():
    one = seeded(7)
    other = RandomGenerator(list(one.table), one.j, one.k, one.x)
    assert [one.below(10, "a") for _ in range(100)] == [other.below(10, "b") for _ in range(100)]
    assert one.state() == other.state()


def test_draw_from_one_number_advances_the_generator():
    generator = seeded(1)
    before = generator.state()
    assert generator.below(1, "nothing") == 0
    assert generator.state() != before


def test_draws_cover_every_number_below_the_size():
    generator = seeded(3)
    assert {generator.below(6, "die") for _ in range(300)} == set(range(6))


def test_biased_numbers_are_drawn_again():
    size = FULL // 2 + 2  # nearly half of all numbers are beyond the last whole share
    generator = RandomGenerator([FULL, *[0] * 30, 0, 5, *[0] * 23], 0, 31, 55)
    assert len(generator.table) == SIZE
    assert generator.below(size, "drawn twice") < size
    assert generator.j == 2
