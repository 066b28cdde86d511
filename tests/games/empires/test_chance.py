"""The generator goes on exactly where its state says."""

from endturn.games.empires.rules.chance import FULL, SIZE, Generator, seeded


def test_each_number_is_the_sum_of_those_56_and_25_before():
    generator = seeded(42)
    drawn = [generator.raw() for _ in range(200)]
    assert all(drawn[n] == (drawn[n - 56] + drawn[n - 25]) & FULL for n in range(56, 200))


def test_the_same_state_draws_the_same():
    one = seeded(7)
    other = Generator(list(one.table), one.j, one.k, one.x)
    assert [one.below(10, "a") for _ in range(100)] == [other.below(10, "b") for _ in range(100)]
    assert one.state() == other.state()


def test_a_draw_without_a_choice_still_moves_on():
    generator = seeded(1)
    before = generator.state()
    assert generator.below(1, "nothing") == 0
    assert generator.state() != before


def test_numbers_are_below_their_size_and_reach_it():
    generator = seeded(3)
    assert {generator.below(6, "die") for _ in range(300)} == set(range(6))


def test_what_would_favour_small_numbers_is_drawn_again():
    size = FULL // 2 + 2  # nearly half of all numbers lie beyond the last whole share
    generator = Generator([FULL, *[0] * 30, 0, 5, *[0] * 23], 0, 31, 55)
    assert len(generator.table) == SIZE
    assert generator.below(size, "drawn twice") < size
    assert generator.j == 2
