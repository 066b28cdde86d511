"""The geometry of throws a second time, with fractions and in the plainest way, to compare the rules with.

A throw is sampled at many equally likely angles; for each the line is intersected with discs and squares. Places
may be anywhere, not only in the middle of tiles.
"""

from math import asin, atan2, cos, hypot, radians, sin
from statistics import NormalDist

RADIUS = 0.4
ANGLES = 2000  # of equal probability


def sigma(accuracy: float, distance: float) -> float:
    """The standard deviation of the angle, in radians."""
    growth = (100 - accuracy) / 100
    far = radians(2.5) * (1 + growth * max(distance, 4.0))
    return far if distance >= 4 else far * asin(RADIUS / distance) / asin(RADIUS / 4)


def angles(accuracy: float, distance: float) -> list[float]:
    """Deviations, all as likely."""
    spread = NormalDist(0, sigma(accuracy, distance))
    return [spread.inv_cdf((i + 0.5) / ANGLES) for i in range(ANGLES)]


def meets_disc(origin, angle, centre):
    """How far the line flies until it meets a body, or None."""
    dx, dy = centre[0] - origin[0], centre[1] - origin[1]
    ahead, aside = dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle)
    return ahead - (RADIUS**2 - aside**2) ** 0.5 if ahead > 0 and abs(aside) < RADIUS else None


def meets_square(origin, angle, centre):
    """How far the line flies until it meets a whole tile, or None."""
    near, far = 0.0, 1e9
    for o, d, c in ((origin[0], cos(angle), centre[0]), (origin[1], sin(angle), centre[1])):
        if abs(d) < 1e-12:
            if abs(o - c) > 0.5:
                return None
            continue
        one, other = sorted(((c - 0.5 - o) / d, (c + 0.5 - o) / d))
        near, far = max(near, one), min(far, other)
    return near if near < far else None


def chances(thrower, target, accuracy, full=(), half=(), bodies=()):
    """The chance to strike the target and each other body, with everything counted as in the way."""
    distance = hypot(target[0] - thrower[0], target[1] - thrower[1])
    aim = atan2(target[1] - thrower[1], target[0] - thrower[0])
    struck, others = 0.0, [0.0] * len(bodies)
    for theta in angles(accuracy, distance):
        met = [(meets_disc(thrower, aim + theta, target), "target")]
        met += [(meets_square(thrower, aim + theta, tree), "full") for tree in full]
        met += [(meets_square(thrower, aim + theta, mound), "half") for mound in half]
        met += [(meets_disc(thrower, aim + theta, body), i) for i, body in enumerate(bodies)]
        ordered = sorted((far, str(what), what) for far, what in met if far is not None)
        for low in (True, False):
            first = next((what for _, _, what in ordered if low or what in ("target", "full")), None)
            struck += (first == "target") * 0.5 / ANGLES
            if isinstance(first, int):
                others[first] += 0.5 / ANGLES
    return struck, others


def sees(origin, target, trees):
    """Whether one of three lines to a target touches no tree; None where a line just about touches one."""
    distance = hypot(target[0] - origin[0], target[1] - origin[1])
    aim = atan2(target[1] - origin[1], target[0] - origin[0])
    free = []
    for aside in (-0.3, 0.0, 0.3):
        angle, length = aim + atan2(aside, distance), hypot(distance, aside)
        met = [meets_square(origin, angle, tree) for tree in trees]
        free.append(not any(far is not None and far < length for far in met))
        for tree in trees:
            for step in (-1e-6, 1e-6):
                if (meets_square(origin, angle + step, tree) is None) != (
                    meets_square(origin, angle, tree) is None
                ):
                    return None
    return any(free)
