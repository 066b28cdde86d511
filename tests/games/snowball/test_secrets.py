"""What armies do in secret stays so: neither counts nor answers tell of it."""

import pytest

from endturn.bots import Seen
from endturn.engine.answers import Accepted
from endturn.engine.match import Match
from endturn.games.snowball import game
from endturn.games.snowball.actions import Dismiss, Place, Ready, Recruit
from endturn.games.snowball.state import Kind, Phase
from games.snowball.position import at

rule = pytest.mark.rule


def secret_match():
    match = Match(game, {"map": "frozen_ring"}, seed=1)
    while match.state.phase == Phase.DRAFT:
        match.submit(match.to_act()[0], Ready())
    return match


@rule("P6")
@pytest.mark.parametrize(
    "before, secret",
    [([], Dismiss(1)), ([Dismiss(1)], Recruit(Kind.ROOKIE)), ([], Place(1, at(33, 15)))],
    ids=["dismiss", "recruit", "place"],
)
def test_hidden_actions_show_neither_in_event_counts_nor_in_undo(before, secret):
    quiet, busy = secret_match(), secret_match()
    for match in (quiet, busy):
        for action in before:
            assert isinstance(match.submit(1, action), Accepted)
        assert isinstance(match.submit(0, Dismiss(0)), Accepted)
    assert isinstance(busy.submit(1, secret), Accepted)
    assert quiet.undo(0) == busy.undo(0)
    assert Seen(quiet, 0, 5).when == Seen(busy, 0, 5).when
    assert Seen(quiet, 1, 5).when != Seen(busy, 1, 5).when
