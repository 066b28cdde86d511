"""Integer arithmetic as Freeciv does it: division truncates toward zero."""


def over(number: int, divisor: int) -> int:
    """A quotient, truncated toward zero."""
    return number // divisor if number >= 0 else -(-number // divisor)


def percent(number: int, share: int) -> int:
    """A percentage of a number, truncated toward zero."""
    return over(number * share, 100)


def clip(low: int, number: int, high: int) -> int:
    """The number, limited to a range."""
    return max(low, min(number, high))
