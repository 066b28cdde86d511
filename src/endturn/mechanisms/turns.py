"""Turn order: two alternating seats, or a queue where each member is ready at its own time; and who leads at the end.

In the queue, time is counted in whole ticks. `ready` holds the time of each member's next turn (NEVER: none). `rank`
breaks ties, and all ranks differ.
"""

from collections.abc import Sequence

from endturn.engine.rule import rule

ALIKE = 0  # the seats are equal in all conditions
NOBODY = -1
NEVER = (1 << 31) - 1  # a time that never comes


@rule
def waiting_for(seat: int, over: bool) -> int:
    """Return the seats to act as bits: the seat whose turn it is, or none after the match."""
    return 0 if over else 1 << seat


@rule
def leader(lead: int) -> int:
    """Return the leading seat: 0 if the difference is positive."""
    return 0 if lead > 0 else 1


@rule
def first_difference(first: int, second: int, third: int) -> tuple[int, int]:
    """Compare seat 0's leads in three conditions; return the first that decides (1 to 3) and the winner."""
    if first != 0:
        return 1, leader(first)
    if second != 0:
        return 2, leader(second)
    if third != 0:
        return 3, leader(third)
    return ALIKE, 0


@rule
def first_in_line(ready: Sequence[int], rank: Sequence[int], many: int) -> int:
    """Return the member that acts next: the soonest ready, then the lowest rank; NOBODY if there is none."""
    first, soonest, least = NOBODY, NEVER, 0
    for each in range(many):
        if ready[each] < soonest or (ready[each] == soonest and soonest < NEVER and rank[each] < least):
            first, soonest, least = each, ready[each], rank[each]
    return first


def upcoming(
    ready: Sequence[int], rank: Sequence[int], recovery: Sequence[int], turns: int
) -> list[tuple[int, int]]:
    """Return the coming turns as (member, tick), if all members take their usual recovery."""
    times = list(ready)
    coming: list[tuple[int, int]] = []
    while len(coming) < turns and (who := first_in_line(times, rank, len(times))) != NOBODY:
        coming.append((who, times[who]))
        times[who] += recovery[who]
    return coming
