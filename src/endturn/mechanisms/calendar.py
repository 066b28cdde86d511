"""A calendar: turns make months, months make seasons, seasons make a year that comes round again.

It knows neither the names of months nor what happens in them: those are the game's tables.
"""

from endturn.engine.rule import rule


@rule
def month_of(turn: int, turns_a_month: int, months_a_year: int) -> int:
    """Which month of the year a turn lies in, from 0 on."""
    return turn // turns_a_month % months_a_year


@rule
def begins_month(turn: int, turns_a_month: int) -> bool:
    """Whether a turn is the first of its month."""
    return turn % turns_a_month == 0


@rule
def begins_season(month: int, months_a_season: int) -> bool:
    """Whether a month is the first of its season."""
    return month % months_a_season == 0
