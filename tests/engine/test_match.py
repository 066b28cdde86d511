"""Matches: the answers to actions of every sort, legal actions, outcomes, taking back, looking ahead."""

import dataclasses
from collections.abc import MutableSequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treasure_game as treasure
from endturn.engine import gamelog, record
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.dice import below
from endturn.engine.game import Knowledge
from endturn.engine.match import Acted, Match, TurnBegan, Undone, derived_seed
from endturn.engine.rule import kernels, rule
from endturn.games import find
from treasure_game import Bet, Bounty, Dig, Direction, EndTurn, Leave, Mark, Shore, Swim, Why

RIGHT = Swim(Direction.RIGHT, 1)
BACKENDS = pytest.mark.parametrize("backend", ["plain", "compiled"])


def begin(backend: str = "plain", seed: int = 7, **chosen: Any) -> Match:
    return Match(treasure.game, treasure.game.configure(values=chosen), seed=seed, backend=backend)


def played(*actions: Action, backend: str = "plain", **chosen: Any) -> Match:
    match = begin(backend, **chosen)
    for action in actions:
        assert isinstance(match.submit(match.to_act()[0], action), Accepted)
    return match


# --- playing ------------------------------------------------------------------------------------------------


@BACKENDS
def test_an_accepted_action_changes_the_state_and_is_in_the_log(backend):
    match = begin(backend)
    assert match.submit(0, RIGHT) == Accepted(0)
    assert match.state.place[0] == 1
    assert match.log[-1] == Acted(0, RIGHT)


@BACKENDS
def test_an_action_that_ends_the_turn_is_answered_with_the_new_turn(backend):
    match = begin(backend)
    assert match.submit(0, EndTurn()) == Accepted(1)
    assert match.to_act() == (1,)
    assert match.log[-1] == TurnBegan(1, record.digest(match.dump()))


@pytest.mark.parametrize(
    "said",
    [
        RIGHT,
        {"do": "swim", "direction": "right", "steps": 1},
        {"do": "swim", "direction": 1, "steps": 1},
        '{"do": "swim", "direction": "right", "steps": 1}',
        b'{"do": "swim", "direction": 1, "steps": 1}',
    ],
)
def test_action_can_be_a_struct_dictionary_or_json(said):
    match = begin()
    assert match.submit(0, said) == Accepted(0)
    assert match.log[-1] == Acted(0, RIGHT)


@BACKENDS
@pytest.mark.parametrize(
    ("before", "seat", "action", "rule", "sentence"),
    [
        ((), 1, RIGHT, "turn", "It is another seat's turn."),
        (
            (),
            0,
            Swim(Direction.LEFT, 1),
            "S2",
            "From cell 0 that leads off the shore, which has cells 0 to 7.",
        ),
        (
            (Swim(Direction.RIGHT, 3),),
            0,
            Swim(Direction.LEFT, 2),
            "S3",
            "Ann has air for 1 more, and Swim takes more than that: end the turn.",
        ),
        ((Dig(),), 0, Dig(), "D1", "Cell 0 has been dug already; swim to another."),
        ((Leave(),), 1, EndTurn(), "over", "The match is over."),
        ((), 0, Mark(100), "M1", "A mark is a number from 0 to 99."),
    ],
)
def test_refusal_names_the_rule_and_the_fix(backend, before, seat, action, rule, sentence):
    match = played(*before, backend=backend)
    bytes_before, log = match.dump(), list(match.log)
    assert match.refuse(seat, action) == Refusal(rule, sentence)
    assert match.submit(seat, action) == Refusal(rule, sentence)
    assert (match.dump(), match.log) == (bytes_before, log)


def test_refuse_answers_like_submit_and_changes_nothing():
    match = begin()
    before = match.dump()
    assert match.refuse(0, RIGHT) is None
    assert match.dump() == before and len(match.log) == 1


@BACKENDS
def test_anytime_action_is_accepted_from_a_seat_not_to_act(backend):
    match = begin(backend)
    assert match.submit(1, Leave(Why.TIMED_OUT)) == Accepted(0)
    assert match.to_act() == () and match.outcome is not None and match.outcome.winner == 0


@BACKENDS
def test_the_same_seed_and_actions_give_the_same_bytes_on_every_backend(backend):
    actions = Bet(double=True), RIGHT, Dig(), EndTurn(), Swim(Direction.LEFT, 3), Bet(), EndTurn(), Mark(99)
    for seed in 1, (1 << 63) + 5, (1 << 64) - 1:
        one, other = played(*actions, seed=seed), played(*actions, seed=seed, backend=backend)
        assert one.dump() == other.dump()
        assert one.log == other.log


@BACKENDS
def test_dice_use_all_64_bits_of_the_seed(backend):
    for seed in [3 << 62, (1 << 63) + 1, *(derived_seed(1, number) for number in range(30))]:
        won = below(seed, 2, treasure.BET, treasure.AIR, 0)
        assert played(Bet(), seed=seed, backend=backend).state.score[0] == (1 if won else -1)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_seed_beyond_64_bits_is_an_error(seed):
    with pytest.raises(ValueError, match=r"2\*\*64"):
        begin(seed=seed)


def test_a_refused_action_does_not_shift_the_dice():
    straight, bumpy = begin(), begin()
    straight.submit(0, Bet())
    for _ in range(3):
        bumpy.submit(0, Swim(Direction.LEFT, 1))
    bumpy.submit(0, Bet())
    assert straight.dump() == bumpy.dump()


# --- what is no action at all -------------------------------------------------------------------------------

HUGE = [1 << 31, 1 << 63, 1 << 64, -(1 << 63) - 1, 10**30, 10**5000, -(10**5000)]
MALFORMED: list[Any] = [
    None,
    5,
    1.5,
    True,
    [],
    {},
    "",
    "swim",
    b"\xff\xfe",
    "\ud800",
    "[" * 100_000,
    object(),
    Action,
    {"do": "fly"},
    {"do": None},
    {"do": ["swim"]},
    {1: 2},
    {"direction": "right", "steps": 1},
    {"do": "swim"},
    {"do": "swim", "direction": "up", "steps": 1},
    {"do": "swim", "direction": "right"},
    {"do": "swim", "direction": "right", "steps": 4},
    {"do": "swim", "direction": "right", "steps": "1"},
    {"do": "swim", "direction": "right", "steps": 1.5},
    {"do": "swim", "direction": "right", "steps": True},
    {"do": "swim", "direction": "right", "steps": None},
    {"do": "swim", "direction": "right", "steps": [1]},
    {"do": "swim", "direction": 7, "steps": 1},
    {"do": "swim", "direction": {}, "steps": 1},
    {"do": "swim", "direction": "right", "steps": 1, "fins": 2},
    {"do": "bet", "double": 2},
    Swim(Direction.RIGHT, 10**30),
    Swim("right", None),  # type: ignore[arg-type]
    Mark(object()),  # type: ignore[arg-type]
    Mark(1.5),  # type: ignore[arg-type]
    Mark(float("nan")),  # type: ignore[arg-type]
    *({"do": "mark", "number": number} for number in HUGE),
    *(Mark(number) for number in HUGE),
    *(f'{{"do":"mark","number":{number}}}' for number in ("1e400", "NaN", "1" * 400, "-" + "9" * 5000)),
]


@BACKENDS
def test_malformed_action_changes_nothing(backend):
    match = begin(backend)
    before, log = match.dump(), list(match.log)
    for said in MALFORMED:
        answer = match.submit(0, said)
        assert isinstance(answer, Malformed) and answer.reason, repr(said)[:80]
        assert match.refuse(0, said) == answer
    assert (match.dump(), match.log) == (before, log)


@pytest.mark.parametrize(
    "seat",
    [-1, 2, True, None, "0", 0.0, [0], 10**30, 10**5000, -(10**5000)],
    ids=lambda seat: type(seat).__name__,
)
def test_invalid_seat_is_malformed(seat):
    match = begin()
    answer = match.submit(seat, EndTurn())
    assert isinstance(answer, Malformed) and "0 to 1" in answer.reason
    assert len(match.log) == 1


def test_malformed_names_the_place_in_the_message():
    answer = begin().submit(0, {"do": "swim", "direction": "right", "steps": "far"})
    assert isinstance(answer, Malformed) and "$.steps" in answer.reason
    answer = begin().submit(0, {"do": "swim", "direction": "up", "steps": 1})
    assert isinstance(answer, Malformed) and "$.direction" in answer.reason and "left, right" in answer.reason


def test_malformed_lists_the_actions():
    answer = begin().submit(0, {"do": "fly"})
    assert isinstance(answer, Malformed)
    assert all(name in answer.reason for name in ("swim", "dig", "bet", "mark", "end_turn", "leave"))


def test_malformed_stays_short_for_long_messages():
    answer = begin().submit(0, {"do": "x" * 1_000_000})
    assert isinstance(answer, Malformed) and len(answer.reason) < 1000


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)
ALMOST = st.fixed_dictionaries(
    {"do": st.sampled_from(["swim", "dig", "bet", "mark", "end_turn", "leave", "Swim"])},
    optional={
        "direction": st.sampled_from(["left", "right", "RIGHT", 0, 1]) | ODD,
        "steps": st.integers(-2, 5) | ODD,
        "double": st.booleans() | ODD,
        "number": st.integers(-2, 200) | ODD,
        "why": st.sampled_from(["resigned", "timed_out"]) | ODD,
    },
)


@settings(max_examples=300)
@given(st.integers(-1, 2) | ODD, ODD | ALMOST)
def test_any_input_gets_an_answer_and_only_accepted_changes_state(seat, said):
    match = begin()
    before = match.dump()
    answer = match.submit(seat, said)
    assert isinstance(answer, Accepted | Refusal | Malformed)
    assert isinstance(answer, Accepted) == (len(match.log) > 1)
    if not isinstance(answer, Accepted):
        assert match.dump() == before


# --- legal actions ------------------------------------------------------------------------------------------

EVERY_ACTION = [
    *(Swim(direction, steps) for direction in Direction for steps in (1, 2, 3)),
    Dig(),
    Bet(double=False),
    Bet(double=True),
    EndTurn(),
]


@BACKENDS
def test_legal_actions_are_exactly_the_unrefused_ones(backend):
    match = begin(backend, seed=3)
    for when in range(40):
        for seat in 0, 1:
            wanted = [action for action in EVERY_ACTION if match.refuse(seat, action) is None]
            assert sorted(map(str, match.legal(seat))) == sorted(map(str, wanted))
        if not match.to_act():
            break
        match.submit(match.to_act()[0], match.random_action(match.to_act()[0], 5, when))
    assert match.outcome is not None


def test_legal_actions_of_all_pieces_are_the_legal_actions():
    match = begin()
    assert list(match.legal(0, 1)) == [EndTurn()]
    assert list(match.legal(0, 0)) + list(match.legal(0, 1)) == list(match.legal(0))


def test_a_seat_that_is_not_to_act_has_no_legal_action():
    assert list(begin().legal(1)) == []
    assert list(played(Leave()).legal(0)) == []


@BACKENDS
def test_a_random_action_is_legal_and_the_same_for_the_same_seed(backend):
    match = begin(backend)
    legal = list(match.legal(0))
    chosen = [match.random_action(0, 11, when) for when in range(100)]
    assert set(map(str, chosen)) <= set(map(str, legal)) and len(set(map(str, chosen))) > 3
    assert chosen == [begin().random_action(0, 11, when) for when in range(100)]


@BACKENDS
def test_a_random_action_takes_a_seed_of_64_bits(backend):
    assert begin(backend).random_action(0, (1 << 64) - 1, 3) == begin().random_action(0, (1 << 64) - 1, 3)


@BACKENDS
def test_random_action_without_a_legal_action_is_an_error(backend):
    with pytest.raises(ValueError, match="no legal action"):
        begin(backend).random_action(1, 1, 1)


# --- views and outcomes -------------------------------------------------------------------------------------


def test_a_view_hides_what_its_seat_may_not_know():
    match = begin()
    match.submit(0, Dig())
    for seat in 0, 1, None:
        assert match.view(seat)["gold"] == [match.state.gold[0], *[None] * 7]


def test_running_match_has_no_outcome():
    assert begin().outcome is None


@BACKENDS
def test_the_outcome_has_a_place_and_a_reason_for_every_seat(backend):
    match = played(Dig(), EndTurn(), EndTurn(), backend=backend, max_turns=2)
    assert match.to_act() == ()
    outcome = match.outcome
    assert outcome is not None and outcome.how == "counted" and outcome.winner == 0
    assert outcome.places == (1, 2)
    assert outcome.reasons == (f"has {match.state.score[0]} gold", "has 0 gold")


def test_a_draw_has_no_winner():
    outcome = played(EndTurn(), EndTurn(), max_turns=2).outcome
    assert outcome is not None and outcome.places == (1, 1) and outcome.winner is None


# --- taking back --------------------------------------------------------------------------------------------


@BACKENDS
def test_action_without_dice_or_hidden_facts_can_be_undone(backend):
    match = begin(backend)
    before = match.dump()
    match.submit(0, RIGHT)
    assert match.undo(0) == Accepted(0)
    assert match.dump() == before
    assert match.log[-1] == Undone(0) and match.played() == []


@BACKENDS
def test_several_actions_can_be_undone_in_a_row(backend):
    match = begin(backend)
    steps = [match.dump()]
    for action in RIGHT, Mark(3), RIGHT:
        match.submit(0, action)
        steps.append(match.dump())
    for before in reversed(steps[:-1]):
        assert match.undo(0) == Accepted(0)
        assert match.dump() == before
    assert isinstance(match.undo(0), Refusal)


def test_play_continues_as_if_undone_actions_never_happened():
    match, straight = begin(), begin()
    for action in RIGHT, Mark(3):
        match.submit(0, action)
        match.undo(0)
    for action in Bet(), EndTurn():
        match.submit(0, action)
        straight.submit(0, action)
    assert match.dump() == straight.dump()
    assert match.played() == straight.played()


@pytest.mark.parametrize("action", [Bet(), Dig()])
def test_dice_and_hidden_facts_cannot_be_undone(action):
    match = played(RIGHT, action)
    before, log = match.dump(), list(match.log)
    answer = match.undo(0)
    assert isinstance(answer, Refusal) and type(action).__name__ in answer.reason
    assert (match.dump(), match.log) == (before, log)


def test_actions_after_dice_can_be_undone_but_not_the_dice():
    match = played(Bet(), RIGHT)
    match.undo(0)
    assert match.dump() == played(Bet()).dump()
    assert isinstance(match.undo(0), Refusal)


def test_undo_without_an_action_is_refused():
    answer = begin().undo(0)
    assert isinstance(answer, Refusal) and "nothing to undo" in answer.reason


def test_ended_turn_cannot_be_undone():
    match = played(RIGHT, EndTurn())
    before = match.dump()
    for seat in 0, 1:
        assert isinstance(match.undo(seat), Refusal)
    assert match.dump() == before


def test_another_seats_action_and_earlier_ones_cannot_be_undone():
    match = begin(together=True)
    match.submit(0, RIGHT)
    match.submit(1, Swim(Direction.LEFT, 1))
    before = match.dump()
    assert isinstance(match.undo(0), Refusal) and match.dump() == before
    assert match.undo(1) == Accepted(0)
    assert match.state.place[1] == 7 and match.state.place[0] == 1


def test_leaving_cannot_be_undone():
    match = played(Leave())
    assert isinstance(match.undo(0), Refusal) and match.outcome is not None


@pytest.mark.parametrize("seat", [None, "0", 9, -1])
def test_undo_for_an_unknown_seat_is_refused(seat):
    match = played(RIGHT)
    assert isinstance(match.undo(seat), Refusal | Malformed)
    assert match.state.place[0] == 1


# --- starts and copies --------------------------------------------------------------------------------------


def written_down() -> Shore:
    shore = treasure.setup(treasure.Settings(bounty=Bounty.POOR), 1)
    shore.place[0], shore.turn, shore.score[1] = 4, 2, 30
    return shore


@BACKENDS
def test_match_starts_from_a_position_without_changing_it(backend):
    start = written_down()
    before = record.dump(start)
    match = Match(treasure.game, seed=1, start=start, backend=backend)
    assert match.turn == 2 and match.dump() == before
    match.submit(0, RIGHT)
    assert match.state.place[0] == 5
    assert record.dump(start) == before


@BACKENDS
def test_imagined_copy_does_not_change_the_match(backend):
    match = played(RIGHT, backend=backend)
    before, log = match.dump(), list(match.log)
    ahead = match.imagine(99)
    assert ahead.dump() == before
    ahead.submit(0, Bet())
    ahead.submit(0, EndTurn())
    assert (match.dump(), match.log) == (before, log)
    assert ahead.turn == 1


def test_imagined_copy_has_other_dice():
    scores = {look_ahead(played(RIGHT), seed) for seed in range(20)}
    assert len(scores) == 2


def look_ahead(match: Match, seed: int) -> int:
    ahead = match.imagine(seed)
    ahead.submit(0, Bet())
    return int(ahead.state.score[0])


def test_undo_in_a_copy_does_not_reroll_earlier_dice():
    for seed in range(20):
        match = played(Bet(double=True), Bet(double=True))
        ahead = match.imagine(seed)
        ahead.submit(0, RIGHT)
        ahead.undo(0)
        assert ahead.dump() == match.dump()


def test_players_default_to_the_names_of_the_seats():
    assert begin().players == ("Ann", "Bob")
    assert Match(treasure.game, players=["x", "y"]).players == ("x", "y")


@pytest.mark.parametrize("players", [["x"], ["x", "y", "z"]])
def test_wrong_number_of_players_is_an_error(players):
    with pytest.raises(ValueError, match="2"):
        Match(treasure.game, players=players)


def test_derived_seeds_differ_from_each_other_and_from_the_matchs_own():
    assert len({5, *(derived_seed(5, number) for number in range(100))}) == 101


def test_plain_and_compiled_refusals_have_the_same_numbers():
    match = begin()
    table = kernels(treasure.game, "plain")
    fast = begin("compiled")
    for verb in range(-1, 7):
        for a in range(-1, 4):
            for b in range(-1, 5):
                row = (0, verb, a, b, 0, 0)
                assert table.refuse_one([match.state], 0, *row) == fast._kernels.refuse_one(
                    fast._games, 0, *row
                )


# --- previews -----------------------------------------------------------------------------------------------


@rule
def air_left(shore: Shore, seat: int, out: MutableSequence[int]) -> None:
    out[0], out[1] = seat, shore.air


@BACKENDS
def test_a_preview_is_the_games_own_numbers_for_a_seat(backend):
    game = dataclasses.replace(
        treasure.game,
        name="treasure_ahead",
        knowledge=Knowledge(preview=air_left, preview_size=lambda shore: 2),
    )
    match = Match(game, backend=backend)
    before = match.dump()
    assert match.preview(1) == [1, match.state.air]
    assert match.dump() == before


def test_game_without_previews_is_an_error():
    with pytest.raises(TypeError, match="Treasure has no previews"):
        begin().preview(0)


def test_restarted_match_is_the_same_match_at_its_start():
    match = begin(max_turns=9)
    before = list(gamelog.write(match))
    match.submit(0, EndTurn())
    again = match.restarted()
    assert list(gamelog.write(again)) == before and not again.custom_start
    assert match.restarted(("p", "q")).players == ("p", "q")
    assert again.submit(0, EndTurn()) == Accepted(1) and again.dump() == match.dump()


@pytest.mark.parametrize("backend", ["plain", "compiled"])
def test_glance_follows_the_state(backend):
    match = Match(find("anarchy"), seed=1, backend=backend)
    seen = match.glance
    for luck in range(20):
        match.submit(match.to_act()[0], match.random_action(match.to_act()[0], 3, luck))
    assert match.glance is seen
    state = match.state
    assert (seen.turn, list(seen.fire), list(seen.bribes)) == (
        state.turn,
        list(state.fire),
        list(state.bribes),
    )
