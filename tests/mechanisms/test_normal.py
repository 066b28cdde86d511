"""The normal distribution in whole numbers is the real one, to the precision that is stated."""

from statistics import NormalDist

from hypothesis import given
from hypothesis import strategies as st

from endturn.engine.record import digest
from endturn.mechanisms.normal import BITS, CERTAIN, FARTHEST, PI, SHARES, SIGMA, deviation_of, share_below

deviations = st.integers(-FARTHEST * SIGMA, FARTHEST * SIGMA)


def test_pi():
    assert PI * 10**16 >> BITS == 31415926535897932


def test_the_points_of_the_table_are_exact():
    exact = [NormalDist().cdf(k / 64) * CERTAIN for k in range(len(SHARES))]
    assert max(abs(share - true) for share, true in zip(SHARES, exact, strict=True)) <= 0.5001


def test_the_table_is_the_same_on_every_machine():
    assert digest(b"".join(share.to_bytes(4, "little") for share in SHARES)) == "0e770d0fce2872a4"


@given(deviations)
def test_between_the_points_it_is_a_hundred_thousandth_off_at_most(deviation):
    assert abs(share_below(deviation) / CERTAIN - NormalDist().cdf(deviation / SIGMA)) < 1e-5


@given(deviations, deviations)
def test_more_lies_below_more(one, other):
    assert (share_below(one) - share_below(other)) * (one - other) >= 0


@given(deviations)
def test_it_is_symmetric(deviation):
    assert share_below(deviation) + share_below(-deviation) == CERTAIN


def test_everything_lies_below_the_farthest_deviation():
    assert share_below(FARTHEST * SIGMA) == share_below(1 << 40) == CERTAIN
    assert share_below(-FARTHEST * SIGMA) == share_below(-(1 << 40)) == 0


@given(st.integers(0, CERTAIN - 1))
def test_a_deviation_is_the_last_that_no_more_than_its_share_lies_below(share):
    deviation = deviation_of(share)
    assert share_below(deviation) <= share < share_below(deviation + 1)


def test_the_first_and_the_last_deviation_and_those_around_the_middle():
    for share in (0, 1, CERTAIN // 2 - 1, CERTAIN // 2, SHARES[-1] - 1, SHARES[-1], CERTAIN - 1):
        deviation = deviation_of(share)
        assert share_below(deviation) <= share < share_below(deviation + 1)
