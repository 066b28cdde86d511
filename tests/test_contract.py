"""Every game keeps the contract; and the contract's checks notice a game that does not."""

import dataclasses

import pytest

import toy_game
from endturn.engine import record
from endturn.engine.actions import Actions, Rule
from endturn.engine.answers import Refusal
from endturn.engine.game import Outcome
from endturn.engine.rule import rule
from endturn.games import GAMES, find
from endturn.testing import contract
from endturn.testing.contract import CHECKS

SMALL = {
    "anarchy": {"map_width": 12, "map_height": 8, "max_turns": 80},
    "catastrophe": {"max_turns": 120},
    "snowball": {"max_ticks": 1500},
    "empires": {"width": 24, "height": 16, "last_turn": 30},
}
ALL_CHECKS = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)

OURS = [name for name, module in GAMES.items() if module.startswith("endturn.")]  # other tests add theirs


@ALL_CHECKS
def test_the_toy_game_keeps_the_contract(check):
    check(toy_game.game)


@ALL_CHECKS
@pytest.mark.parametrize("name", OURS)
def test_every_game_keeps_the_contract(name, check):
    game = find(name)
    check(game, game.configure(values=SMALL.get(name)))


@pytest.mark.parametrize(
    "check", [contract.plain_equals_compiled, contract.random_matches_end], ids=lambda c: c.__name__
)
@pytest.mark.parametrize("name", OURS)
def test_every_game_keeps_the_contract_at_full_size_in_every_profile(name, check):
    game = find(name)
    for profile in game.profiles:
        check(game, game.configure(profile))


# --- games that break it ------------------------------------------------------------------------------------


def broken(part, **changes):
    """The toy game with one of its tables changed."""
    changed = dataclasses.replace(getattr(toy_game.game, part), **changes)
    return dataclasses.replace(toy_game.game, **{part: changed})


def with_rules(rules):
    return dataclasses.replace(toy_game.game, actions=Actions(rules))


def with_rule(kind, **changes):
    rules = dict(toy_game.game.actions)
    rules[kind] = rules[kind]._replace(**changes)
    return with_rules(rules)


@rule
def refuse_and_change(table, seat):
    table.gathered += 1
    return 4 if table.gathered == 1 else 0


LUCK = iter(range(10_000))


@rule
def hold_by_luck(table, seat):
    table.score[seat] += next(LUCK) % 7  # chance that the rule's arguments do not show
    table.gathered = 0


@rule
def always_idle(table, seat, piece):
    return True


@rule
def never_over(table):
    return 1 << table.turn % 2


STARTS = iter(range(1000))


def drifting_setup(settings, seed):
    table = record.new(toy_game.Table)
    table.gathered = next(STARTS)
    return table


def copy_nothing(table):
    return table


def leaky_view(table, seat):
    return {**record.to_json(table), "gathered": table.gathered}


def conceal(table, seat, seed):
    table.gathered = seed + 1
    return table


BREACHES = {
    "a refusal that changes the state": (
        contract.refused_actions_change_nothing,
        with_rule(toy_game.Hold, refuse=refuse_and_change),
    ),
    "a sentence with a word left open": (
        contract.refused_actions_change_nothing,
        broken(
            "text",
            refusals={4: Refusal("P2", "There is nothing to {what}.")},
            words=lambda *_: {"what": "{hold}"},
        ),
    ),
    "matches that never end": (contract.random_matches_end, broken("rules", to_act=never_over)),
    "an outcome without reasons": (
        contract.random_matches_end,
        broken("rules", outcome=lambda table: Outcome("goal", (1, 2), ("", ""))),
    ),
    "a start that no seed decides": (contract.same_seed_same_bytes, broken("rules", setup=drifting_setup)),
    "pieces called idle that are not": (
        contract.legal_is_what_is_not_refused,
        broken("choices", is_idle=always_idle),
    ),
    "copies that share their state": (contract.copies_are_independent, broken("storage", copy=copy_nothing)),
    "a notation that forgets": (
        contract.notation_goes_both_ways,
        broken("text", read=lambda text: record.new(toy_game.Table)),
    ),
    "a view that leaks": (contract.views_leak_nothing, broken("knowledge", view=leaky_view, conceal=conceal)),
    "a view that is said to be the same for all": (
        contract.views_leak_nothing,
        broken("knowledge", view=lambda table, seat: {"seat": seat}, one_view=True),
    ),
    "a view that is no JSON": (
        contract.views_become_deltas,
        broken("knowledge", view=lambda table, seat: {"score": (1, 2)}),
    ),
}


@pytest.mark.parametrize("breach", BREACHES)
def test_the_contract_notices(breach, monkeypatch):
    monkeypatch.setattr(contract, "LONGEST_MATCH", 3000)
    check, game = BREACHES[breach]
    with pytest.raises((AssertionError, OverflowError)):
        check(game)


def test_the_contract_notices_rules_that_differ_between_backends():
    game = with_rule(toy_game.Roll, apply=wraps)
    with pytest.raises((AssertionError, OverflowError)):
        contract.plain_equals_compiled(game)


@rule
def wraps(table, seat, dice):
    table.gathered += 20_000  # two of these do not fit: an error when plain, a negative number when compiled
    table.turn += 1


def test_the_contract_notices_a_rule_that_hides_its_dice():
    game = with_rules({**toy_game.game.actions, toy_game.Hold: Rule(toy_game.refuse_hold, hold_by_luck)})
    with pytest.raises(AssertionError, match="rolled dice"):
        contract.undo_is_safe(game)
