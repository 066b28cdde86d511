"""The normal distribution in whole numbers: how much of it lies below a deviation, the same on every machine.

A deviation is counted in parts of the standard deviation (`SIGMA` of them), a share in parts of `CERTAIN`. Between
64 points for each standard deviation, computed with whole numbers alone, the share is a straight line: it is at
most 0.00001 off. What lies more than five standard deviations away (one part in 1.7 million) counts as that far.
"""

from math import isqrt

from endturn.engine.rule import Table, rule

CERTAIN = 1 << 30
SIGMA = 1 << 16
POINTS = 64  # for each standard deviation
FARTHEST = 5  # standard deviations
BETWEEN = SIGMA // POINTS  # deviations from a point to the next
BITS = 64  # of the fractions that the table is computed with
ONE = 1 << BITS


def arctangent_of_inverse(n: int) -> int:
    """The angle whose tangent is 1 / n, in radians, by its series."""
    power, total, sign = ONE // n, 0, 1
    for odd in range(1, 2 * BITS, 2):
        total += sign * (power // odd)
        power, sign = power // (n * n), -sign
    return total


PI = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))  # Machin's formula


def _density(k: int) -> int:
    """How dense the distribution is at k points from its middle."""
    # exp(-x) as one over its series, whose terms are all positive
    exponent, term, total, n = k * k * ONE // (2 * POINTS * POINTS), ONE, ONE, 1
    while term:
        term = term * exponent // (n * ONE)
        total, n = total + term, n + 1
    return ONE * ONE * ONE // (total * isqrt(2 * PI * ONE))


def _share_above_middle(k: int) -> int:
    """The share between the middle and k points above it."""
    term = total = k * ONE // POINTS
    odd = 3
    while term:
        term = term * k * k // (POINTS * POINTS * odd)
        total, odd = total + term, odd + 2
    return _density(k) * total // ONE


def _rounded(share: int) -> int:
    return (share * CERTAIN + ONE // 2) // ONE


SHARES = Table(CERTAIN // 2 + _rounded(_share_above_middle(k)) for k in range(FARTHEST * POINTS + 1))


@rule
def share_below(deviation: int) -> int:
    """How much of the distribution lies below a deviation, in parts of CERTAIN; none or all beyond the farthest."""
    distance = abs(deviation)
    if distance >= FARTHEST * SIGMA:
        return 0 if deviation < 0 else CERTAIN
    point, rest = distance // BETWEEN, distance % BETWEEN
    low = SHARES[point]
    share = low + (SHARES[point + 1] - low) * rest // BETWEEN
    return CERTAIN - share if deviation < 0 else share


@rule
def deviation_of(share: int) -> int:
    """The greatest deviation that no more than a share of the distribution lies below; the share is not all of it.

    So `share_below(deviation) <= share` for it and all that are less, and for none that is greater.
    """
    if share < CERTAIN // 2:
        return -1 - deviation_above_middle(CERTAIN - 1 - share)
    return deviation_above_middle(share)


@rule
def deviation_above_middle(share: int) -> int:
    """The same, of a share that is at least one half."""
    point = 0
    for bit in range(8, -1, -1):
        further = point + (1 << bit)
        if further < FARTHEST * POINTS and SHARES[further] <= share:
            point = further
    low = SHARES[point]
    between = SHARES[point + 1] - low
    rest = ((share - low + 1) * BETWEEN - 1) // max(
        1, between
    )  # the last whose share, rounded down, is no more
    return point * BETWEEN + min(BETWEEN - 1, rest)
