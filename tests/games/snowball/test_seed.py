"""Seasonal Snowball has the chances of the document on weather: ponds those of ice, meadows those of snow on plains."""

import pytest

from endturn.games.notchess.state import MONTHS as MONTHS_OF_A_YEAR
from endturn.games.notchess.state import Climate
from endturn.games.snowball.state import APPEARS, MEADOW, MONTHS, POND, VANISHES
from games.notchess.seed import column


@pytest.mark.rule("Y2")
@pytest.mark.parametrize("ground, climate", [(POND, Climate.ICE), (MEADOW, Climate.PLAIN_SNOW)])
def test_ponds_freeze_and_meadows_are_covered_by_the_documents_chances(ground, climate):
    assert APPEARS[ground] == column(climate, 1) and VANISHES[ground] == column(climate, 2)
    assert MONTHS == MONTHS_OF_A_YEAR
