"""Endings: what a finished match records, and its outcome for both seats."""

from enum import IntEnum
from types import SimpleNamespace

import pytest

from endturn.engine.game import Outcome
from endturn.mechanisms.endings import decided, end_match


class Ending(IntEnum):
    GOING_ON = 0
    TURN_LIMIT = 1


class Decision(IntEnum):
    OPEN = 0
    COIN = 1


@pytest.mark.parametrize("winner, places", [(0, (1, 2)), (1, (2, 1))])
def test_the_winner_is_first_and_each_seat_has_its_reason(winner, places):
    game = SimpleNamespace(ended=0, decided=0, winner=-1)
    end_match(game, Ending.TURN_LIMIT, Decision.COIN, winner)
    assert (game.ended, game.decided, game.winner) == (1, 1, winner)
    outcome = decided(game, Ending(game.ended), Decision(game.decided), "won", "lost")
    assert outcome == Outcome("turn_limit: coin", places, ("won", "lost") if winner == 0 else ("lost", "won"))
