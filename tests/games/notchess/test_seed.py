"""Every number in the document on weather equals the game's."""

import re
from pathlib import Path

import pytest

from endturn.games import notchess
from endturn.games.notchess.rules.combat import RAIN_MISSES
from endturn.games.notchess.rules.weather import APPEAR, EIGHTH, INITIAL, VANISH, rain_table
from endturn.games.notchess.state import MONTHS, MONTHS_A_SEASON, TURNS_A_MONTH, Climate, Month
from endturn.games.notchess.view import SEASONS, month_name
from games.notchess.seed import CHAPTERS, RAIN, TEXT, chapter, column, pairs_of, rain_example, rows

rule = pytest.mark.rule
README = Path(notchess.__file__).with_name("README.md").read_text()
TABLES = {  # the rules with the table and with the initial chance
    Climate.MOUNTAIN_SNOW: ("W15", "W11"),
    Climate.ICE: ("W21", "W19"),
    Climate.FOREST_SNOW: ("W24", "W23"),
    Climate.PLAIN_SNOW: ("W27", "W26"),
    Climate.DESERT_SNOW: ("W30", "W29"),
}
MARKED = [
    pytest.param(
        climate, marks=[rule("W15"), rule("W21"), rule("W24"), rule("W27"), rule("W30")], id=climate.name
    )
    for climate in TABLES
]


@pytest.mark.parametrize("climate", MARKED)
def test_chances_of_snow_and_ice_match_the_document(climate):
    assert APPEAR[climate] == column(climate, 1)
    assert VANISH[climate] == column(climate, 2)


@rule("W11")
@rule("W19")
@rule("W23")
@rule("W26")
@rule("W29")
@pytest.mark.parametrize("climate", TABLES, ids=lambda climate: climate.name)
def test_initial_chances_match_the_document(climate):
    text = chapter(CHAPTERS[climate])
    found = re.search(r"(\d+)% probability \(it is called|Initial Probability: (\d+)%", text)
    assert INITIAL[climate] == int(found[1] or found[2])


@rule("W20")
def test_edge_ice_is_eight_times_rarer():
    words = {"two": 2, "four": 4, "eight": 8, "ten": 10}
    said = re.search(r"probability of appearance is (\w+) times less", TEXT)[1]
    assert words[said] == EIGHTH


@rule("W2")
@rule("W3")
def test_calendar_matches_the_document():
    months = [month for month, *_ in rows(chapter("Snow over the Mountain"))]
    assert [month_name(month) for month in Month] == months
    assert re.search(r"There are (\d) months in each of four seasons: (.*?)\.", TEXT).groups() == (
        str(MONTHS_A_SEASON),
        ", ".join(SEASONS),
    )
    assert "starts on the first Month of Winter" in TEXT and months[0] == "W1nter"


@rule("W1")
def test_month_has_two_turns():
    assert "each two turns game-wide, is called Month" in TEXT and TURNS_A_MONTH == 2


@rule("W46")
def test_rain_example_of_10_by_10_squares_matches():
    appear, vanish = rain_table(100, summer_rain=True)
    assert len(rain_example()) == 16 and rain_example() == list(zip(appear, vanish, strict=True))


def value(cell, squares):
    """Evaluate a formula of the document, $max \\left( \\frac {S} {33}-2; 1 \\right) $, with integer division."""
    text = cell.strip("$ ").replace("\\left", "").replace("\\right", "").replace(";", ",")
    text = re.sub(r"\\frac \{S\} \{(\d+)\}", r"(S//\1)", text)
    return max(0, eval(text, {"max": max, "S": squares}))


@rule("W47")
@pytest.mark.parametrize("squares", [25, 36, 64, 81, 100, 256, 384, 493, 540])
def test_rain_formulas_match_the_document(squares):
    table = rows(RAIN.split("where *S* is a board size", 1)[1])[:MONTHS]
    appear, vanish = rain_table(squares, summer_rain=True)
    assert [(value(one, squares), value(other, squares)) for _, one, other in table] == list(
        zip(appear, vanish, strict=True)
    )


@rule("W33")
def test_chance_to_miss_matches_the_document():
    assert float(re.search(r"Archers have (0\.\d) chance to miss", TEXT)[1]) * 100 == RAIN_MISSES


@pytest.mark.parametrize("climate", TABLES, ids=lambda climate: climate.name)
def test_readme_tables_match_the_document(climate):
    table, first = TABLES[climate]
    assert pairs_of(README, table) == list(zip(column(climate, 1), column(climate, 2), strict=True))
    sentence = re.search(rf"^- \*\*{first}\*\* .*?(\d+) percent", README, re.MULTILINE)
    assert int(sentence[1]) == INITIAL[climate]


@rule("W46")
def test_readme_rain_example_matches_the_document():
    assert pairs_of(README, "W46") == rain_example()
