"""What armies do in secret stays so: neither counts nor answers tell of it."""

from endturn.bots import Seen
from endturn.engine.game import Accepted
from endturn.engine.match import Match
from endturn.games.snowball import game
from endturn.games.snowball.actions import Dismiss, Ready
from endturn.games.snowball.state import Phase


def secret_match():
    match = Match(game, seed=1)
    while match.state.phase == Phase.DRAFT:
        match.submit(match.to_act()[0], Ready())
    return match


def test_what_is_done_in_secret_shows_neither_in_the_count_of_events_nor_in_an_undo():
    quiet, busy = secret_match(), secret_match()
    for match in (quiet, busy):
        assert isinstance(match.submit(0, Dismiss(0)), Accepted)
    assert isinstance(busy.submit(1, Dismiss(1)), Accepted)
    assert quiet.undo(0) == busy.undo(0)
    assert Seen(quiet, 0, 5).when == Seen(busy, 0, 5).when
    assert Seen(quiet, 1, 5).when != Seen(busy, 1, 5).when
