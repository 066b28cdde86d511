"""Whole numbers as the original counts them: division cuts off toward zero."""


def over(number: int, divisor: int) -> int:
    """A quotient, cut off toward zero."""
    return number // divisor if number >= 0 else -(-number // divisor)


def percent(number: int, share: int) -> int:
    """So many percent of a number, cut off toward zero."""
    return over(number * share, 100)


def clip(low: int, number: int, high: int) -> int:
    """The number within its limits."""
    return max(low, min(number, high))
