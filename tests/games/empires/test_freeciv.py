"""Installed rulesets, broken savegames, and the real server's golden saves if they are available."""

import os
import random
import re
import shutil
from pathlib import Path

import pytest

from endturn.games.empires import conform
from endturn.games.empires.freeciv import rules, secfile
from endturn.games.empires.freeciv.savegame import from_secfile
from endturn.games.empires.freeciv.secfile import BadSecfile
from endturn.games.empires.rules.effects import TESTS, Target, holds, unanswered
from endturn.games.empires.vocabulary import EffectType, RequirementType
from games.empires.island import HERE, island, text

SAVES = Path(os.environ.get("ENDTURN_FREECIV_SAVES", "/nowhere"))
installed = pytest.mark.skipif(
    not rules.data_folder().is_dir(), reason="Debian's freeciv-data is not installed."
)
golden = pytest.mark.skipif(
    not SAVES.is_dir(), reason="ENDTURN_FREECIV_SAVES names no folder of golden saves."
)


@installed
@pytest.mark.parametrize("name, effects", [("classic", 291), ("civ2civ3", 446), ("multiplayer", 296)])
def test_installed_rulesets_are_read_completely(name, effects):
    found = rules.load(name, rules.data_folder())
    every = [*found.effects.values(), *found.unused_effects.values()]
    assert sum(map(len, every)) == effects
    asked = {req.kind for each in every for effect in each for req in effect.requirements}
    assert asked - {RequirementType.ACTION, RequirementType.DIPL_REL} <= set(TESTS)
    assert unanswered(found) == sorted(found.unused_effects) and "Defend_Bonus" in unanswered(found)


def test_missing_ruleset_is_named(tmp_path):
    with pytest.raises(BadSecfile, match="ruleset 'classic' is not installed here"):
        rules.load("classic", tmp_path)


def broken(old, new):
    return text().replace(old, new, 1)


@pytest.mark.parametrize(
    "file, complaint",
    [
        (broken("version=40", "version=41"), "section [savefile]: the version must be 40"),
        (
            broken('"Hall","Store"', '"Barn","Store"'),
            "'improvement_vector' contains 'Barn', which ruleset 'tiny' lacks.",
        ),
        (
            broken('t0000="~~~~~~~"', 't0000="~~~~~~"'),
            "section [map]: 't0000' must be 7 letters of known terrains.",
        ),
        (
            broken("gold=20", 'gold="much"'),
            "section [player0]: 'gold' must be a whole number, not 'much'.",
        ),
        (broken("nplayers=1", "nplayers=2"), "section [players]: the file has sections for 1 players."),
        (broken('"Council"\nis', '"Senate"\nis'), "section [player0]: unknown government 'senate'."),
        (broken('"Kiln",FALSE', '"Fire",FALSE'), "section [research]: unknown tech 'fire'."),
        (
            broken("[research]", "[reserch]"),
            "missing section [research]. The file is cut off or of another kind.",
        ),
        (broken('"Reed"', "7"), None),
        (
            broken("3,3,10,0,2", "3,3,10,0,0"),
            "section [player0]: city 'Reed' has no citizens, or is not on the map.",
        ),
    ],
)
def test_invalid_savegame_is_one_clear_error(file, complaint):
    if complaint is None:
        assert from_secfile(secfile.parse(file, "x.sav"), HERE).cities[10].name == "7"
        return
    with pytest.raises(BadSecfile) as told:
        from_secfile(secfile.parse(file, "x.sav"), HERE)
    assert complaint in str(told.value) and str(told.value).startswith("x.sav")


def test_comparison_counts_and_names_differences(tmp_path):
    for turn, file in ((5, text()), (6, text(gold=99).replace("turn=5", "turn=6"))):
        (tmp_path / f"T{turn:04d}.sav").write_text(file)
    ((before, after),) = conform.pairs(tmp_path)
    report = conform.compare(before, after, data=HERE)
    gold = next(mismatch for mismatch in report.mismatches if mismatch.name == "gold")
    assert gold.theirs == "99" and gold.level == 7
    assert not report.same_generator
    assert report.matched[8, "turn"] == report.total[8, "turn"] == 1


def test_world_equals_itself():
    report = conform.ChangeReport("the island")
    conform.compare_worlds(report, island(), island())
    assert report.mismatches == [] and report.total.total() > 200


@golden
@installed
@pytest.mark.parametrize(
    "name", ["classic-a-T0100-worklist", "civ2civ3-a-T0150-worklist", "multiplayer-a-T0150-worklist"]
)
def test_turn_change_equals_the_servers_in_every_field_and_draw(name):
    if not (SAVES / name).is_dir():
        pytest.skip(f"There are no golden saves {name}.")
    before, after = conform.pairs(SAVES / name)[0]
    report = conform.compare(before, after, conform.read_trace(SAVES / name).get(before.name.split(".")[0]))
    assert report.mismatches == []
    assert report.same_generator


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ('"xsize",7,7', '"xsize",0,0', "section [settings]: 'xsize' must be a whole number from 1 to 2000"),
        ('worked0002="-,-,-,10', 'worked0002="-,-,-,11', "'worked0002' names an unknown city 11."),
        ('owner0003="-,-,0', 'owner0003="-,-,7', "'owner0003' names an unknown player 7."),
        ("shuffled_player_0=0", "shuffled_player_0=3", "the order of players is incomplete."),
        ('"Council",1', '"Council"', "section [ruledata]: a row of 'government' lacks the column 'changes'."),
        ("2,0,0,0,0,0,0", "2,9,0,0,0,0,0", "city 'Reed' has more specialists than citizens."),
        (
            'k00_0003="1111111"',
            'k00_0003="1111?11"',
            "section [map]: a value is missing, unknown or out of range",
        ),
        (
            '0,"A_UNSET",1,0',
            '0,"A_UNSET","x",0',
            "section [research]: a value is missing, unknown or out of range",
        ),
    ],
)
def test_impossible_value_is_an_error_with_its_section(old, new, complaint):
    assert old in text()
    with pytest.raises(BadSecfile) as told:
        from_secfile(secfile.parse(broken(old, new), "x.sav"), HERE)
    assert complaint in str(told.value) and str(told.value).startswith("x.sav, line ")


def unit_off_the_map():
    return text(units=[{"x": 9}])


def unit_of_no_rank():
    return text(units=[{"veteran": 7}])


@pytest.mark.parametrize(
    "file, complaint",
    [
        (unit_off_the_map, "unit 20 is not on the map."),
        (unit_of_no_rank, "has an impossible rank"),
    ],
)
def test_impossible_unit_is_an_error(file, complaint):
    with pytest.raises(BadSecfile, match=complaint):
        from_secfile(secfile.parse(file(), "x.sav"), HERE)


def mutations(original, number):
    """A file cut short, or with lines lost, numbers and names replaced, cells missing, or stray characters."""
    chance = random.Random(number)
    lines = original.split("\n")
    place = chance.randrange(len(lines))
    line = lines[place]
    cut = chance.randrange(len(line) + 1)
    changed = [
        lines[:place], [*lines[:place], *lines[place + 1 :]], [*lines[:place], line[:cut], *lines[place + 1 :]],
        [*lines[:place], re.sub(r"\d+", "99999", line, count=1), *lines[place + 1 :]],
        [*lines[:place], re.sub(r"\d+", "-7", line, count=1), *lines[place + 1 :]],
        [*lines[:place], re.sub(r'"[^"]*"', '"Nonsense"', line, count=1), *lines[place + 1 :]],
        [*lines[:place], ",".join(line.split(",")[1:]), *lines[place + 1 :]],
        [*lines[:place], line[:cut] + chance.choice('"{}[]=,$;') + line[cut:], *lines[place + 1 :]],
    ]  # fmt: skip
    return ["\n".join(each) for each in changed]


@pytest.mark.parametrize("number", range(20))
def test_mutated_savegame_loads_or_is_one_clear_error(number):
    for mutation in mutations(text(units=[{}]), number):
        try:
            from_secfile(secfile.parse(mutation, "x.sav"), HERE)
        except BadSecfile as told:
            assert str(told).startswith("x.sav") and str(told).endswith((".", "?")) and "\n" not in str(told)


@pytest.mark.parametrize("path", sorted((HERE / "tiny").glob("*.ruleset")), ids=lambda path: path.stem)
def test_mutated_ruleset_loads_or_is_one_clear_error(path, tmp_path):
    shutil.copytree(HERE / "tiny", tmp_path / "tiny")
    for number in range(6):
        for mutation in mutations(path.read_text(), number):
            (tmp_path / "tiny" / path.name).write_text(mutation)
            try:
                rules.load.__wrapped__("tiny", tmp_path)
            except BadSecfile as told:
                assert str(tmp_path) in str(told) and "\n" not in str(told)


def tiny_with(folder, chapter, old, new):
    shutil.copytree(HERE / "tiny", folder / "tiny")
    path = folder / "tiny" / f"{chapter}.ruleset"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    return rules.load.__wrapped__("tiny", folder)


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ('"Size_Adj"', '"Size_Adjj"', "[effect_size]: unknown effect type 'Size_Adjj'. Did you mean 'Size_Adj'?"),
        ('"Tile_Workable"', '"Xyzzy"', "section [effect_workable]: unknown effect type 'Xyzzy'."),
        ('"OutputType"', '"OutputTypo"', "unknown requirement type 'OutputTypo'. Did you mean 'OutputType'?"),
        ('"Hall", "City"', '"Hall", "Town"', "section [effect_seat]: unknown range 'Town'."),
    ],
)  # fmt: skip
def test_misspelt_word_in_a_ruleset_is_an_error(old, new, complaint, tmp_path):
    with pytest.raises(BadSecfile) as error:
        tiny_with(tmp_path, "effects", old, new)
    assert str(error.value).endswith(complaint)


def test_effects_that_no_rule_asks_for_are_kept_and_listed(tmp_path):
    found = tiny_with(tmp_path, "effects", '"Size_Adj"', '"defend_bonus"')
    assert [effect.value for effect in found.unused_effects["Defend_Bonus"]] == [8]
    assert unanswered(found) == ["Defend_Bonus"]


def test_requirements_that_no_rule_answers_never_hold_and_are_listed(tmp_path):
    found = tiny_with(tmp_path, "effects", '"Building", "Hall", "City"', '"MinTechs", "3", "Player"')
    assert unanswered(found) == ["MinTechs (player)"]
    (effect,) = found.effects[EffectType.GOV_CENTER]
    assert not holds(island(), effect.requirements, Target())


def test_case_of_effects_and_requirements_is_ignored(tmp_path):
    found = tiny_with(tmp_path, "effects", '"Output_Waste"', '"OUTPUT_WASTE"')
    assert len(found.effects[EffectType.OUTPUT_WASTE]) == 1


def test_misspelt_diplomatic_state_in_a_savegame_is_an_error():
    table = 'diplstate={"current","closest"\n"Piece","War"\n}\nteam_no=0'
    with pytest.raises(BadSecfile) as error:
        from_secfile(secfile.parse(broken("team_no=0", table), "x.sav"), HERE)
    assert str(error.value).endswith("unknown diplomatic state 'Piece'. Did you mean 'Peace'?")
