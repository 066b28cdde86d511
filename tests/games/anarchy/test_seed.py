"""Rain over Anarchy has the numbers of the document on weather, in its table and in the sentence about it."""

from pathlib import Path

import pytest

from endturn.games import anarchy
from endturn.games.anarchy.state import MONTHS, RAIN_APPEARS, RAIN_VANISHES, TURNS_A_MONTH
from endturn.games.notchess import state as notchess
from games.notchess.seed import pairs_of, rain_example


@pytest.mark.rule("Y2")
def test_rains_come_and_go_as_in_the_documents_example_of_a_hundred_squares():
    assert list(zip(RAIN_APPEARS, RAIN_VANISHES, strict=True)) == rain_example()
    assert pairs_of(Path(anarchy.__file__).with_name("README.md").read_text(), "Y2") == rain_example()


@pytest.mark.rule("Y2")
def test_the_year_is_the_documents():
    assert (TURNS_A_MONTH, MONTHS) == (notchess.TURNS_A_MONTH, notchess.MONTHS)
