"""Whose turn it is: two seats in turn, or a queue in which each is ready at a time of its own. Who leads at the end.

In the queue time is counted in whole ticks. `ready` says when each is to act next (NEVER: not at all), `rank`
who goes first of those that are ready together; no two ranks are alike.
"""

from collections.abc import Sequence

from endturn.engine.rule import rule

ALIKE = 0  # no condition tells the seats apart
NOBODY = -1
NEVER = (1 << 31) - 1  # a time that does not come


@rule
def waiting_for(seat: int, over: bool) -> int:
    """Who is to act, a bit a seat: the one at turn, or nobody when the match is over."""
    return 0 if over else 1 << seat


@rule
def leader(lead: int) -> int:
    """The seat that leads: seat 0 when the difference is on its side."""
    return 0 if lead > 0 else 1


@rule
def first_difference(first: int, second: int, third: int) -> tuple[int, int]:
    """By how much seat 0 leads in three conditions, the weightiest first: which decides (1 to 3), and for whom."""
    if first != 0:
        return 1, leader(first)
    if second != 0:
        return 2, leader(second)
    if third != 0:
        return 3, leader(third)
    return ALIKE, 0


@rule
def first_in_line(ready: Sequence[int], rank: Sequence[int], many: int) -> int:
    """Who of the first so many acts next: who is ready soonest, of several the one of least rank; NOBODY if none is."""
    first, soonest, least = NOBODY, NEVER, 0
    for each in range(many):
        if ready[each] < soonest or (ready[each] == soonest and soonest < NEVER and rank[each] < least):
            first, soonest, least = each, ready[each], rank[each]
    return first


def upcoming(
    ready: Sequence[int], rank: Sequence[int], recovery: Sequence[int], turns: int
) -> list[tuple[int, int]]:
    """The turns to come, as (who, tick), if everybody takes its usual time to recover."""
    times = list(ready)
    coming: list[tuple[int, int]] = []
    while len(coming) < turns and (who := first_in_line(times, rank, len(times))) != NOBODY:
        coming.append((who, times[who]))
        times[who] += recovery[who]
    return coming
