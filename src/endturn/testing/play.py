"""Play actions in a test: each accepted, or refused without a trace."""

from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Refusal
from endturn.engine.match import Match


def act(match: Match, *actions: Action) -> None:
    """Play actions of the seat to act. Each must be accepted."""
    for action in actions:
        answer = match.submit(match.to_act()[0], action)
        assert isinstance(answer, Accepted), f"{action}: {answer}"


def refused(match: Match, action: Action, seat: int | None = None) -> Refusal:
    """The refusal of an action, by default of the seat to act. No byte may change."""
    before = match.dump()
    answer = match.submit(match.to_act()[0] if seat is None else seat, action)
    assert isinstance(answer, Refusal), f"{action}: {answer}"
    assert match.dump() == before
    return answer
