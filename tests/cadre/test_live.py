"""Live matches: merged deltas equal the freshly written state, on every backend."""

import json
from copy import deepcopy

import pytest

from endturn.cadre import dialect
from endturn.cadre.deltas import changes, merge
from endturn.cadre.live import Live
from endturn.cadre.runs import log_note, understand
from endturn.cadre.state import SessionFacts, wire
from endturn.cadre.table import Note, Verdict
from endturn.engine.match import Match
from endturn.engine.rule import missing
from endturn.games import find

BACKENDS = ["plain", "compiled"] if missing("compiled") is None else ["plain"]


def session():
    return SessionFacts("x", ("A", "B"), ("Raw", "Raw"), [60, 60], 1, {})


def begun(game="anarchy", profile="2022", backend="plain"):
    match = Match(find(game), find(game).configure(profile), seed=3, backend=backend)
    return match, Live(dialect(match.game), match, "2017" if profile == "2017" else "2022", session())


def written(value):
    """A value as JSON, where `true` is not 1."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("game", ["anarchy", "catastrophe"])
@pytest.mark.parametrize("profile", ["official", "2022", "2017"])
def test_merged_deltas_equal_the_freshly_written_state(game, profile, backend):
    match, live = begun(game, profile, backend)
    client, ours = (
        merge({}, live.first()),
        wire(dialect(match.game), match.state, live.era, live.session, None),
    )
    assert written(client) == written(ours) == written(live.shown)
    for luck in range(60):
        seat = match.to_act()[0]
        action = match.random_action(seat, 5, luck)
        match.submit(seat, action)
        settled = action == dialect(match.game).end_turn
        client = merge(client, live.step(match, settled))
        ours = wire(dialect(match.game), match.state, live.era, live.session, None, ours, settled)
        assert written(client) == written(ours) == written(live.shown)
    assert match.turn > 2


@pytest.mark.parametrize("game", ["anarchy", "catastrophe"])
@pytest.mark.parametrize("profile", ["2022", "2017"])
def test_delta_holds_only_changes(game, profile):
    match, live = begun(game, profile)
    kinds = set()
    for luck in range(120):
        seat = match.to_act()[0]
        action = match.random_action(seat, 11, luck)
        match.submit(seat, action)
        live.session.clocks[seat] -= luck % 2  # sometimes 0: the clocks stand still
        before, settled = deepcopy(live.shown), action == dialect(match.game).end_turn
        assert written(live.step(match, settled)) == written(changes(before, live.shown))
        kinds.add(type(action))
    assert len(kinds) > 2


@pytest.mark.parametrize("game", ["anarchy", "catastrophe"])
@pytest.mark.parametrize("profile", ["official", "2017"])
def test_action_run_by_a_client_is_understood_as_that_action(game, profile):
    match, live = begun(game, profile)
    ours, said = dialect(match.game), set()
    for luck in range(150):
        seat = match.to_act()[0]
        action = match.random_action(seat, 9, luck)
        if action not in (ours.end_turn, ours.again.get(live.era)):
            run = ours.run_of(live.state, live.objects, action)
            assert understand(ours, live.objects, live.state, live.era, run).said == action
            said.add(run.function_name)
        match.submit(seat, action)
        live.step(match, action == ours.end_turn)
    assert len(said) >= 2  # kinds of runs


@pytest.mark.skipif("compiled" not in BACKENDS, reason="compiled rules are not to be had")
@pytest.mark.parametrize("change", ["to compiled rules", "taken back"])
def test_steps_continue_after_the_state_moved_in_memory(change):
    """Compiled rules change a state in place; plain rules and undo move it in memory."""
    match, live = begun(backend="compiled" if change == "taken back" else "plain")
    ignite = next(action for action in match.legal(0) if type(action).__name__ == "Ignite")
    match.submit(0, ignite)
    live.step(match)
    if change == "taken back":
        match.undo(0)
    else:
        match.change_backend("compiled")
        match.submit(0, dialect(match.game).end_turn)
    live.step(match)
    assert live.shown == wire(dialect(match.game), match.state, live.era, live.session, None)


def test_step_without_change_gives_an_empty_delta():
    match, live = begun()
    assert live.step(match) == {} and not live.tick(0)


def test_clocks_and_messages_are_sent_and_kept():
    match, live = begun("catastrophe")
    live.session.clocks[0] = 50
    assert live.tick(0) and not live.tick(0)
    assert live.objects["0"]["timeRemaining"] == 50
    live.session.clocks[1] = 40
    assert live.step(match) == {"gameObjects": {"1": {"timeRemaining": 40}}}
    for text in ("hi", "ho"):
        assert log_note(live.session, Note("9", text), "2022", True) is None
        delta = live.note(Note("9", text))
    assert delta == {"gameObjects": {"9": {"logs": {"1": "ho", "&LEN": 2}}}}
    match.submit(0, dialect(match.game).end_turn)
    live.step(match, True)
    assert live.objects["9"]["logs"] == ["hi", "ho"]


def test_last_step_includes_the_verdict():
    match, live = begun()
    told = live.step(match, verdict=Verdict(1, "Better.", "Worse."))["gameObjects"]
    assert told == {"0": {"lost": True, "reasonLost": "Worse."}, "1": {"reasonWon": "Better.", "won": True}}


def test_dialect_without_news_cannot_be_served():
    match, _ = begun()
    with pytest.raises(TypeError, match="Anarchy has no news function"):
        Live(dialect(match.game)._replace(news=None), match, "2022", session())
