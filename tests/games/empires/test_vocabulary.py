"""Every effect, requirement, range and diplomatic state that the code names is a member of an enum."""

import ast
from pathlib import Path

import pytest

from endturn.games import empires
from endturn.games.empires.freeciv.names import OTHER_EFFECTS
from endturn.games.empires.vocabulary import DiplomaticState, EffectType, Range, RequirementType

FOLDER = Path(empires.__file__).parent
FILES = [file for file in sorted(FOLDER.rglob("*.py")) if file.name not in ("vocabulary.py", "names.py")]
ENUMS = {each.__name__: each for each in (EffectType, RequirementType, Range, DiplomaticState)}


def used(tree):
    """The members of our enums that a module names, each with its enum."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ENUMS:
            yield node.value.id, node.attr


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_misspelt_words_cannot_exist_in_code(file):
    tree = ast.parse(file.read_text())
    assert [(enum, name) for enum, name in used(tree) if name not in ENUMS[enum].__members__] == []
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert [text for text in texts if text in set(EffectType) | set(OTHER_EFFECTS)] == []


def test_rules_ask_for_every_effect_type():
    asked = {
        name for file in FILES for enum, name in used(ast.parse(file.read_text())) if enum == "EffectType"
    }
    assert asked == set(EffectType.__members__)


def test_no_effect_is_both_ours_and_unused():
    assert not set(EffectType) & set(OTHER_EFFECTS)
