"""Tests that Rain over Anarchy uses the numbers of the document on weather, in its table and its rule."""

from pathlib import Path

import pytest

from endturn.games import anarchy
from endturn.games.anarchy.state import MONTHS, RAIN_APPEARS, RAIN_VANISHES, TURNS_A_MONTH
from endturn.games.notchess import state as notchess
from games.notchess.seed import pairs_of, rain_example


@pytest.mark.rule("Y2")
def test_rain_numbers_match_the_documents_example():
    assert list(zip(RAIN_APPEARS, RAIN_VANISHES, strict=True)) == rain_example()
    assert pairs_of(Path(anarchy.__file__).with_name("README.md").read_text(), "Y2") == rain_example()


@pytest.mark.rule("Y2")
def test_year_matches_the_document():
    assert (TURNS_A_MONTH, MONTHS) == (notchess.TURNS_A_MONTH, notchess.MONTHS)
