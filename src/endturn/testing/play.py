"""Play actions in a test, and assert that each is accepted, or refused without changing the match."""

from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Refusal
from endturn.engine.match import Match


def act(match: Match, *actions: Action) -> None:
    """Play actions for the seat to act. Asserts that each is accepted."""
    for action in actions:
        answer = match.submit(match.to_act()[0], action)
        assert isinstance(answer, Accepted), f"{action}: {answer}"


def refused(match: Match, action: Action, seat: int | None = None) -> Refusal:
    """The refusal of an action, by default for the seat to act. Asserts that no byte of the match changes."""
    before = match.dump()
    answer = match.submit(match.to_act()[0] if seat is None else seat, action)
    assert isinstance(answer, Refusal), f"{action}: {answer}"
    assert match.dump() == before
    return answer
