"""Checks that every game must pass, ours or yours.

    import pytest
    from endturn.testing.contract import CHECKS

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_my_game_keeps_the_contract(check):
        check(my_game)

Each check fails with a sentence that says where. All are deterministic.
"""

import random
from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from endturn.engine import delta, gamelog, views
from endturn.engine.actions import Action
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game
from endturn.engine.match import Match
from endturn.engine.rule import kernels, missing

LONGEST_MATCH = 200_000  # actions; a longer random match counts as endless
SEEDS = 1, 2, (1 << 64) - 1


def random_matches_end(game: Game, settings: Any = None) -> None:
    """Matches of random players end, with a place and a reason for every seat."""
    for seed in SEEDS:
        match = Match(game, settings, seed=seed)
        for step, _ in enumerate(random_play(match, LONGEST_MATCH)):
            if step % 16 == 0:
                assert match.outcome is None, (
                    f"seed {seed}: an outcome although seats are to act: {match.outcome}"
                )
        outcome = match.outcome
        assert not match.to_act(), f"seed {seed}: the match did not end within {LONGEST_MATCH} actions"
        assert outcome is not None, f"seed {seed}: no seat is to act, but there is no outcome"
        assert len(outcome.places) == len(outcome.reasons) == match.game.seat_count, f"seed {seed}: {outcome}"
        assert all(outcome.reasons) and min(outcome.places) == 1, f"seed {seed}: {outcome}"


def same_seed_same_bytes(game: Game, settings: Any = None) -> None:
    """A seed and settings always give the same match, and different seeds give different matches."""
    ends = []
    for seed in (*SEEDS, *SEEDS):
        match = Match(game, settings, seed=seed)
        for _ in random_play(match, LONGEST_MATCH):
            pass
        ends.append((match.first, match.dump(), len(match.log)))
    assert ends[: len(SEEDS)] == ends[len(SEEDS) :], "the same seed gave different matches"
    assert len(set(ends)) > 1, "different seeds gave the same match"


def plain_equals_compiled(game: Game, settings: Any = None, games: int = 6, steps: int = 500) -> None:
    """Both backends give the same bytes and the same answers, also for refused actions."""
    if missing("compiled", game):
        return
    from endturn.engine.batch import Batch  # noqa: PLC0415  (needs NumPy, which plain rules do not)

    plain, compiled = (
        Batch(game, games, settings, seed=7, backend=b, pool=games) for b in ("plain", "compiled")
    )
    luck = random.Random(7)
    for step in range(steps):
        rows = plain.choose()
        assert (rows == compiled.choose()).all(), f"step {step}: the random players differ"
        for i in range(games):
            if luck.random() < 0.4:
                rows[i] = (luck.randrange(game.seat_count), *any_row(game, plain.states[i], luck))
        ours, theirs = plain.step(rows), compiled.step(rows)
        assert (ours == theirs).all(), f"step {step}: plain says {ours}, compiled {theirs} to {rows.tolist()}"
        if step % 25 == 0 or step == steps - 1:
            _same_bytes(plain, compiled, f"step {step}")
    _same_sights(plain, compiled)


def _same_bytes(plain: Any, compiled: Any, where: str) -> None:
    for i in range(plain.games):
        ours, theirs = plain.state(i), compiled.state(i)
        assert plain.game.storage.dump(ours) == plain.game.storage.dump(theirs), (
            f"{where}, match {i}: {_difference(ours, theirs)}"
        )


def _difference(ours: Any, theirs: Any) -> str:
    from endturn.engine.record import to_json  # noqa: PLC0415

    one, other = to_json(ours), to_json(theirs)
    name = next(name for name in one if one[name] != other[name])
    return f"{name} is {str(one[name])[:200]} plain and {str(other[name])[:200]} compiled"


def _same_sights(plain: Any, compiled: Any) -> None:
    import numpy as np  # noqa: PLC0415

    seats = np.arange(plain.games, dtype=np.int64) % plain.game.seat_count
    assert (plain.piece_masks(seats) == compiled.piece_masks(seats)).all(), "the masks of pieces differ"
    chosen = np.array([plain.game.choices.pieces(plain.state(i)) - 1 for i in range(plain.games)], np.int64)
    assert (plain.option_masks(seats, chosen) == compiled.option_masks(seats, chosen)).all(), (
        "masks of options differ"
    )
    if plain.game.knowledge.observe is not None:
        assert (plain.observations(seats) == compiled.observations(seats)).all(), "the observations differ"


def refused_actions_change_nothing(game: Game, settings: Any = None) -> None:
    """A refused action changes no byte and logs nothing; the refusal has a rule and a complete sentence."""
    refused = 0
    luck = random.Random(3)
    match = Match(game, settings, seed=3)
    for _ in random_play(match, 400):
        for _ in range(10):
            seat, row = luck.randrange(match.game.seat_count), any_row(game, match.state, luck)
            before, logged = match.dump(), len(match.log)
            answer = match.refuse(seat, game.actions.unpack(row))
            assert (match.dump(), len(match.log)) == (before, logged), (
                f"asking about {game.actions.unpack(row)} changed the state"
            )
            if answer is not None:
                refused += 1
                _check_refusal(match, seat, game.actions.unpack(row), before)
    assert refused, "no action was refused in 4000 tries: is anything ever refused?"


def _check_refusal(match: Match, seat: int, action: Action, before: bytes) -> None:
    answer, logged = match.submit(seat, action), len(match.log)
    assert isinstance(answer, Refusal), f"{action} was refused when asked about, but played when submitted"
    assert match.dump() == before and len(match.log) == logged, f"{action} was refused and changed something"
    assert answer.rule and answer.reason.endswith(".") and "{" not in answer.reason, (
        f"{answer} is not a complete sentence"
    )


def legal_is_what_is_not_refused(game: Game, settings: Any = None) -> None:
    """Legal actions are the choices that no rule refuses, and random players choose only these."""
    refuse = kernels(game.seated(game.chosen(settings)), "plain").refuse
    for seed in SEEDS:
        match = Match(game, settings, seed=seed)
        for step, _ in enumerate(random_play(match, 60)):
            if step % 20 == 0:
                _check_legal(match, refuse)


def _check_legal(match: Match, refuse: Any) -> None:
    game, state = match.game, match.state
    for seat in range(game.seat_count):
        rows = [
            game.choices.row(state, p, o)
            for p in range(game.choices.pieces(state))
            for o in range(game.choices.option_count(state))
        ]
        allowed = [row for row in rows if row[0] >= 0 and refuse(state, seat, row) == 0]
        assert len(set(allowed)) == len(allowed), "an action has two numbers"
        assert list(match.legal(seat)) == [game.actions.unpack(row) for row in allowed], (
            "is_idle omits legal actions"
        )
        if seat in match.to_act():
            drawn = {game.actions.pack(match.random_action(seat, 5, when)) for when in range(40)}
            assert drawn <= set(allowed), f"random actions that are not legal: {drawn - set(allowed)}"
        luck = random.Random(seat)
        for _ in range(200):
            row = any_row(game, state, luck)
            kind, act = list(game.actions.items())[row[0]]
            if not act.anytime and kind not in game.choices.sampled and refuse(state, seat, row) == 0:
                assert row in allowed, (
                    f"{game.actions.unpack(row)} is not refused, but is not a numbered choice"
                )


def copies_are_independent(game: Game, settings: Any = None) -> None:
    """Playing in a copy does not change the original, and the reverse."""
    whole = Match(game, settings, seed=4)
    length = sum(1 for _ in random_play(whole, 40))
    match = Match(game, settings, seed=4)
    for _ in random_play(match, length // 2):
        pass
    copy, before = match.imagine(seed=99), match.dump()
    assert copy.dump() == before, "a copy differs from the start"
    for _ in random_play(copy, 50):
        pass
    assert match.dump() == before, "playing in a copy changed the original"
    assert copy.dump() != before, "playing in a copy changed nothing"


def notation_goes_both_ways(game: Game, settings: Any = None) -> None:
    """A position is one line and reads back to the same bytes; other text raises ValueError."""
    match = Match(game, settings, seed=5)
    for step, _ in enumerate(random_play(match, 300)):
        if step % 30 == 0:
            text = game.text.write(match.state)
            assert "\n" not in text, "the notation has more than one line"
            assert game.storage.dump(game.parse_position(text)) == match.dump(), f"read differently: {text}"
    for text in ("", "nonsense", game.text.write(match.state)[:20], "{}", "[1,2]"):
        try:
            game.parse_position(text)
        except ValueError:
            continue
        raise AssertionError(f"{text!r} was read as a position")


def gamelogs_verify(game: Game, settings: Any = None) -> None:
    """Gamelogs of finished and of interrupted matches replay to the same bytes."""
    for seed, actions in ((6, LONGEST_MATCH), (7, 25)):
        seats = game.seated(game.chosen(settings)).seat_count
        match = Match(game, settings, seed=seed, players=[f"player {i}" for i in range(seats)])
        for _ in random_play(match, actions):
            pass
        lines = list(gamelog.write(match))
        again = gamelog.verify(lines, lambda name: game)
        assert again.match.dump() == match.dump(), "the replay ended in a different state"
        middle = max(match.turn // 2, Match(game, settings, seed=seed).turn)
        halfway = gamelog.replay(lines, lambda name: game, turn=middle)
        assert halfway.turn == middle, "a replay to a turn stopped at a different turn"


def views_leak_nothing(game: Game, settings: Any = None) -> None:
    """Facts hidden from a seat do not change its view or its legal actions."""
    match = Match(game, settings, seed=8)
    for step, _ in enumerate(random_play(match, 200)):
        if step % 10:
            continue
        for seat in (None, *range(match.game.seat_count)):
            _check_view(match, seat)


def _check_view(match: Match, seat: int | None) -> None:
    game, view = match.game, match.view(seat)
    if (kind := views.type_of(game.knowledge.view)) is not None:
        msgspec.convert(view, views.struct(kind))
    assert not game.knowledge.one_view or view == match.view(0), f"the view of seat {seat} is not that of all"
    assert str(match.seed) not in msgspec.json.encode(view).decode() or match.seed < 1000, (
        "the seed is in a view"
    )
    if game.knowledge.conceal is None:
        return
    for seed in range(3):
        other = game.knowledge.conceal(game.storage.copy(match.state), seat, seed)
        assert game.knowledge.view(other, seat) == view, (
            f"seat {seat} can distinguish two states that it must not"
        )
        if seat is not None:
            refuse = kernels(game, "plain").refuse
            assert list(game.legal(other, seat, refuse)) == list(match.legal(seat)), (
                f"seat {seat} learns hidden facts from its legal actions"
            )


def views_become_deltas(game: Game, settings: Any = None) -> None:
    """Views are plain JSON, and a delta turns one view into the next."""
    match = Match(game, settings, seed=9)
    before = match.view(0)
    for _ in random_play(match, 60):
        after = match.view(0)
        assert msgspec.json.decode(msgspec.json.encode(after)) == after, "a view does not survive JSON"
        assert delta.patch(before, delta.diff(before, after)) == after, "a delta does not give the next view"
        before = after


def undo_is_safe(game: Game, settings: Any = None) -> None:
    """Actions that can be undone roll no dice, and undoing restores every byte."""
    match = Match(game, settings, seed=10)
    luck = random.Random(10)
    for _ in random_play(match, 150):
        for seat in match.to_act():
            action = match.random_action(seat, luck.getrandbits(60), 0)
            before, other = match.dump(), match.imagine(seed=luck.getrandbits(64))
            other.submit(seat, action)
            turn = match.turn
            assert isinstance(match.submit(seat, action), Accepted)
            if game.actions.can_be_undone(type(action)):
                assert other.dump() == match.dump(), f"{action} rolled dice, though its rule takes none"
            if isinstance(match.undo(seat), Accepted):
                assert match.dump() == before and match.turn == turn, f"{action} was not undone completely"
            break


NOT_ACTIONS: tuple[Any, ...] = (
    None, 0, -1, 1.5, True, "", "nonsense", "{", "[]", "null", b"\xff\xfe", [], {}, {"do": None}, {"do": 7},
    {"do": "no such thing"}, {"do": ["end_turn"]}, object(), {1: 2}, "[" * 100_000,
)  # fmt: skip
BAD_VALUES: tuple[Any, ...] = (None, "one", "", 1.5, -1, 10**9, 10**30, [], {}, True, float("nan"))


def bad_input_is_answered(game: Game, settings: Any = None) -> None:
    """Wrong types, missing or unknown fields, unknown ids and huge numbers get an answer, never an exception."""
    match = Match(game, settings, seed=11)
    before = match.dump()
    for said in NOT_ACTIONS:
        assert isinstance(match.submit(0, said), Malformed), f"{said!r:.60} was accepted as an action"
    seats: tuple[Any, ...] = (-1, match.game.seat_count, 10**30, None, "0", 0.0, True)
    for seat in seats:
        assert isinstance(match.submit(seat, game.rules.default_action), Malformed), (
            f"{seat!r} was accepted as a seat"
        )
    for kind in game.actions:
        _check_bad_fields(match, kind)
    assert match.dump() == before, "bad input changed the state"


def _check_bad_fields(match: Match, kind: type[Action]) -> None:
    tag = kind.__struct_config__.tag
    good = match.game.actions.to_json(
        match.game.actions.unpack((list(match.game.actions).index(kind), 0, 0, 0, 0))
    )
    assert isinstance(match.submit(0, {**good, "no such field": 1}), Malformed), f"{tag} takes unknown fields"
    for name in kind.__struct_fields__:
        for value in BAD_VALUES:
            answer = match.refuse(0, {**good, name: value})
            assert isinstance(answer, Malformed | Refusal | None), f"{tag}.{name} = {value!r}"
            if type(value) is not int and type(value) is not bool:
                assert isinstance(answer, Malformed), f"{tag}.{name} takes {value!r}"


CHECKS = (
    random_matches_end,
    same_seed_same_bytes,
    plain_equals_compiled,
    refused_actions_change_nothing,
    legal_is_what_is_not_refused,
    copies_are_independent,
    notation_goes_both_ways,
    gamelogs_verify,
    views_leak_nothing,
    views_become_deltas,
    undo_is_safe,
    bad_input_is_answered,
)


def check_contract(game: Game, settings: Any = None) -> None:
    """Run all checks."""
    for check in CHECKS:
        check(game, settings)


# --- random play --------------------------------------------------------------------------------------------


def random_play(match: Match, actions: int) -> Iterator[Match]:
    """Random players take at most `actions` actions; yields the match before each."""
    for when in range(actions):
        waiting = match.to_act()
        if not waiting:
            return
        yield match
        waiting = match.to_act()
        if not waiting:
            return
        answer = match.submit(waiting[0], match.random_action(waiting[0], match.seed, when))
        assert isinstance(answer, Accepted), f"a random action was refused: {answer}"


def any_row(game: Game, state: Any, luck: random.Random) -> tuple[int, int, int, int, int]:
    """A random well-formed action as numbers, legal or not."""
    verb = luck.randrange(len(game.actions))
    kind = list(game.actions)[verb]
    hints = get_type_hints(kind, include_extras=True)
    values = [_any_value(hints[name], game.choices.pieces(state), luck) for name in kind.__struct_fields__]
    a, b, c, d = values + [0] * (4 - len(values))
    return verb, a, b, c, d


def _any_value(hint: Any, pieces: int, luck: random.Random) -> int:
    base = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if base is bool:
        return luck.randrange(2)
    if issubclass(base, IntEnum):
        return luck.choice([int(value) for value in base])
    meta = next((part for part in get_args(hint) if isinstance(part, msgspec.Meta)), msgspec.Meta())
    low, high = int(meta.ge or 0), int(meta.le if meta.le is not None else 1 << 20)
    wanted = luck.choice(
        (luck.randrange(pieces + 2), luck.randrange(pieces + 2), luck.randrange(6), low, high)
    )
    return min(max(wanted, low), high)
