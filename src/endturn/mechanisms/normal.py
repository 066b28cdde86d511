"""The normal distribution in integers: the share below a deviation, equal on every computer.

A deviation is counted in parts of the standard deviation (`SIGMA` of them), a share in parts of `CERTAIN`. Between
64 points for each standard deviation, computed with whole numbers alone, the share is a straight line: it is at
most 0.00001 off. What lies more than five standard deviations away (one part in 1.7 million) counts as that far.
"""

from math import isqrt

from endturn.engine.rule import Table, rule

CERTAIN = 1 << 30
SIGMA = 1 << 16
POINTS = 64  # per standard deviation
FARTHEST = 5  # standard deviations
BETWEEN = SIGMA // POINTS  # deviation from one point to the next
BITS = 64  # of the fractions used to compute the table
ONE = 1 << BITS


def arctangent_of_inverse(n: int) -> int:
    """Return the angle in radians whose tangent is 1 / n, by its series."""
    power, total, sign = ONE // n, 0, 1
    for odd in range(1, 2 * BITS, 2):
        total += sign * (power // odd)
        power, sign = power // (n * n), -sign
    return total


PI = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))  # Machin's formula


def _density(k: int) -> int:
    """Return the density of the distribution k points from the middle."""
    # exp(-x) as 1 over the series of exp(x), whose terms are all positive
    exponent, term, total, n = k * k * ONE // (2 * POINTS * POINTS), ONE, ONE, 1
    while term:
        term = term * exponent // (n * ONE)
        total, n = total + term, n + 1
    return ONE * ONE * ONE // (total * isqrt(2 * PI * ONE))


def _share_above_middle(k: int) -> int:
    """Return the share between the middle and k points above it."""
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
    """Return the share below a deviation in parts of CERTAIN: 0 or all of it beyond FARTHEST."""
    distance = abs(deviation)
    if distance >= FARTHEST * SIGMA:
        return 0 if deviation < 0 else CERTAIN
    point, rest = distance // BETWEEN, distance % BETWEEN
    low = SHARES[point]
    share = low + (SHARES[point + 1] - low) * rest // BETWEEN
    return CERTAIN - share if deviation < 0 else share


@rule
def deviation_of(share: int) -> int:
    """Return the greatest deviation with `share_below(deviation) <= share`, for a share below CERTAIN.

    The condition holds for all smaller deviations and for no greater one.
    """
    if share < CERTAIN // 2:
        return -1 - deviation_above_middle(CERTAIN - 1 - share)
    return deviation_above_middle(share)


@rule
def deviation_above_middle(share: int) -> int:
    """Return the same for a share of at least one half."""
    point = 0
    for bit in range(8, -1, -1):
        further = point + (1 << bit)
        if further < FARTHEST * POINTS and SHARES[further] <= share:
            point = further
    low = SHARES[point]
    between = SHARES[point + 1] - low
    rest = ((share - low + 1) * BETWEEN - 1) // max(1, between)  # the last whose rounded share is not greater
    return point * BETWEEN + min(BETWEEN - 1, rest)
