"""Every sentence of a game's rules has code and a test, and every rule that is cited exists."""

from collections import Counter
from pathlib import Path

import pytest

from endturn.engine.answers import NO_SUCH_ACTION
from endturn.engine.settings import describe_settings, settings_to_json
from endturn.games import GAMES, find
from endturn.testing.traceability import cited, marked, sentences

HERE = Path(__file__).parent

OURS = [name for name, module in GAMES.items() if module.startswith("endturn.")]  # other tests add theirs


def folder(name):
    return HERE.parent / "src" / "endturn" / "games" / name


@pytest.mark.parametrize("name", OURS)
def test_no_rule_has_the_number_of_another(name):
    assert [rule for rule, count in Counter(sentences(folder(name))).items() if count > 1] == []


@pytest.mark.parametrize("name", OURS)
def test_code_cites_every_rule_and_no_other(name):
    assert cited(folder(name)) == set(sentences(folder(name)))


@pytest.mark.parametrize("name", OURS)
def test_every_rule_has_a_test_and_every_test_a_rule(name):
    assert marked(HERE / "games" / name) == set(sentences(folder(name)))


@pytest.mark.parametrize("name", OURS)
def test_refusals_cite_rules_that_exist(name):
    told = [refusal.rule for number, refusal in find(name).text.refusals.items() if number != NO_SUCH_ACTION]
    assert set(told) <= set(sentences(folder(name)))


@pytest.mark.parametrize("name", OURS)
def test_each_setting_that_profiles_change_is_a_row_of_deviations(name):
    table = (folder(name) / "README.md").read_text().split("## Deviations", 1)[1].split("\n## ", 1)[0]
    changed = {setting for profile in find(name).profiles.values() for setting in profile}
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert {s for s in changed if not any(f"`{s}`" in row.split("|")[-2] for row in rows)} == set()


@pytest.mark.parametrize("name", OURS)
def test_the_default_profile_is_the_default_settings(name):
    game = find(name)
    assert settings_to_json(game.configure()) == settings_to_json(game.settings())


@pytest.mark.parametrize("name", OURS)
def test_every_setting_has_help(name):
    assert [setting.name for setting in describe_settings(find(name).settings) if not setting.help] == []
