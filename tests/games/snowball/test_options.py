"""Every option away from its default keeps the contract too."""

import pytest

from endturn.games.snowball import game
from endturn.testing import contract

OTHERWISE = {
    "act_then_move": True,
    "defend_after_move": False,
    "lean_out": False,
    "friendly_fire": False,
    "hero_perks": False,
    "hidden_placement": False,
    "hero_scope": "army",
    "move_metric": "eight_way",
    "map": "frozen_ring",
    "army_points": 7,
    "max_ticks": 900,
    "max_revives": 1,
    "revive_percent": 60,
    "scripted_first": 4,
    "seasons": True,
}
CHECKS = (
    contract.random_matches_end,
    contract.legal_is_what_is_not_refused,
    contract.notation_goes_both_ways,
    contract.views_leak_nothing,
    contract.undo_is_safe,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_all_options_at_once_keep_the_contract(check):
    check(game, game.configure(values=OTHERWISE))


def test_plain_equals_compiled_with_all_options_at_once():
    contract.plain_equals_compiled(game, game.configure(values=OTHERWISE), games=4, steps=200)


def test_every_option_is_among_them():
    apart = {"map_width", "map_height", "map_text"}  # have tests of their own, in test_maps.py
    assert set(OTHERWISE) | apart == set(game.settings.__struct_fields__)
