"""A calendar of any length: months of some turns, seasons of some months, years that come round."""

import pytest

from endturn.mechanisms.calendar import begins_month, begins_season, month_of


@pytest.mark.parametrize("turns, months", [(2, 16), (1, 12), (30, 4)])
def test_months_follow_each_other_and_the_year_begins_again(turns, months):
    year = [month_of(turn, turns, months) for turn in range(turns * months)]
    assert year == [month for month in range(months) for _ in range(turns)]
    assert month_of(turns * months, turns, months) == 0


def test_a_month_begins_with_its_first_turn_and_a_season_with_its_first_month():
    assert [begins_month(turn, 3) for turn in range(4)] == [True, False, False, True]
    assert [month for month in range(12) if begins_season(month, 4)] == [0, 4, 8]
