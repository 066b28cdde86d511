"""Installed rulesets, savegames that are broken, and the golden saves of the real server where they are at hand."""

import os
from pathlib import Path

import pytest

from endturn.games.empires import conform
from endturn.games.empires.freeciv import rules, secfile
from endturn.games.empires.freeciv.savegame import from_secfile
from endturn.games.empires.freeciv.secfile import BadSecfile
from endturn.games.empires.rules.effects import TESTS
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
def test_installed_rulesets_are_read_whole(name, effects):
    found = rules.load(name, rules.data_folder())
    assert sum(map(len, found.effects.values())) == effects
    asked = {req.kind for each in found.effects.values() for effect in each for req in effect.requirements}
    assert asked - {"Action", "DiplRel"} <= set(TESTS)


def test_a_ruleset_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadSecfile, match="no ruleset 'classic' is installed here"):
        rules.load("classic", tmp_path)


def broken(old, new):
    return text().replace(old, new, 1)


@pytest.mark.parametrize(
    "file, complaint",
    [
        (broken("version=40", "version=41"), "section [savefile]: its version must be 40"),
        (
            broken('"Hall","Store"', '"Barn","Store"'),
            "'improvement_vector' has 'Barn', which ruleset 'tiny' lacks.",
        ),
        (
            broken('t0000="~~~~~~~"', 't0000="~~~~~~"'),
            "section [map]: 't0000' must be 7 letters of known terrain.",
        ),
        (
            broken("gold=20", 'gold="much"'),
            "section [player0]: 'gold' must be a whole number, and 'much' is none.",
        ),
        (broken("nplayers=1", "nplayers=2"), "section [players]: there are sections for 1 players."),
        (broken('"Council"\nis', '"Senate"\nis'), "section [player0]: there is no government 'senate'."),
        (broken('"Kiln",FALSE', '"Fire",FALSE'), "section [research]: there is no tech 'fire'."),
        (
            broken("[research]", "[reserch]"),
            "there is no section [research]; the file is cut off, or another kind.",
        ),
        (broken('"Reed"', "7"), None),
        (
            broken("3,3,10,0,2", "3,3,10,0,0"),
            "section [player0]: city 'Reed' has no citizens, or is not on the map.",
        ),
    ],
)
def test_a_wrong_savegame_is_told_in_one_sentence(file, complaint):
    if complaint is None:
        assert from_secfile(secfile.parse(file, "x.sav"), HERE).cities[10].name == "7"
        return
    with pytest.raises(BadSecfile) as told:
        from_secfile(secfile.parse(file, "x.sav"), HERE)
    assert complaint in str(told.value) and str(told.value).startswith("x.sav")


def test_what_is_compared_counts_and_names_what_differs(tmp_path):
    for turn, file in ((5, text()), (6, text(gold=99).replace("turn=5", "turn=6"))):
        (tmp_path / f"T{turn:04d}.sav").write_text(file)
    ((before, after),) = conform.pairs(tmp_path)
    report = conform.compare(before, after, data=HERE)
    gold = next(mismatch for mismatch in report.mismatches if mismatch.name == "gold")
    assert gold.theirs == "99" and gold.level == 7
    assert not report.same_generator
    assert report.matched[8, "turn"] == report.total[8, "turn"] == 1


def test_a_world_compared_with_itself_agrees():
    report = conform.Report("the island")
    conform.compare_worlds(report, island(), island())
    assert report.mismatches == [] and report.total.total() > 200


@golden
@installed
@pytest.mark.parametrize(
    "name", ["classic-a-T0100-worklist", "civ2civ3-a-T0150-worklist", "multiplayer-a-T0150-worklist"]
)
def test_a_turn_change_is_the_servers_field_by_field_and_draw_by_draw(name):
    if not (SAVES / name).is_dir():
        pytest.skip(f"There are no golden saves {name}.")
    before, after = conform.pairs(SAVES / name)[0]
    report = conform.compare(before, after, conform.read_trace(SAVES / name).get(before.name.split(".")[0]))
    assert report.mismatches == []
    assert report.same_generator
