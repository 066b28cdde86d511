"""A calendar of turns, months, seasons and years.

It knows neither the names of months nor what happens in them; these are the game's tables.
"""

from endturn.engine.rule import rule


@rule
def month_of(turn: int, turns_a_month: int, months_a_year: int) -> int:
    """Return the month of the year of a turn, from 0."""
    return turn // turns_a_month % months_a_year


@rule
def begins_month(turn: int, turns_a_month: int) -> bool:
    """Return whether a turn is the first of its month."""
    return turn % turns_a_month == 0


@rule
def begins_season(month: int, months_a_season: int) -> bool:
    """Return whether a month is the first of its season."""
    return month % months_a_season == 0
