"""How a match with two seats ends: who won, why, and what decided it."""

from enum import IntEnum
from typing import Any

from endturn.engine.game import Outcome
from endturn.engine.rule import rule


@rule
def end_match(game: Any, ending: int, decision: int, winner: int) -> None:
    """End the match and record the outcome."""
    game.ended = ending
    game.decided = decision
    game.winner = winner


def decided(game: Any, ending: IntEnum, decision: IntEnum, won: str, lost: str) -> Outcome:
    """The outcome for the seat in `game.winner`, from the winner's reason and the loser's."""
    how = f"{ending.name.lower()}: {decision.name.lower()}"
    if game.winner == 0:
        return Outcome(how, (1, 2), (won, lost))
    return Outcome(how, (2, 1), (lost, won))
