"""Two seats that act in turn, and conditions that decide between them one after the other."""

from endturn.engine.rule import rule

ALIKE = 0  # no condition tells the seats apart


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
