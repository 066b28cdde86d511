"""Maps: what a good one has, how they are written, and what a designer is told."""

import pytest

from endturn.engine import gamelog, record
from endturn.engine.match import Match
from endturn.engine.settings import SettingsError
from endturn.games.snowball import game
from endturn.games.snowball.actions import Ready
from endturn.games.snowball.setup.generator import draw_map
from endturn.games.snowball.setup.maps import (
    SNOW_IN_ZONE,
    BadMap,
    faults,
    figures,
    frozen_ring,
    prizes,
    read_map,
    snow_in_zone,
    ways_from,
    write_map,
)
from endturn.games.snowball.state import Ground
from endturn.games.snowball.text import ground_rows
from games.snowball.position import act

rule = pytest.mark.rule
SEEDS = range(8)


def edited(*changes):
    """The rows of the rules' map with some letters replaced, as text."""
    rows = [list(row) for row in write_map(frozen_ring()).splitlines()]
    for x, y, letter in changes:
        rows[y][x] = letter
    return "\n".join("".join(row) for row in rows)


def lacks(*changes):
    return faults(read_map(edited(*changes)))


# --- good maps ----------------------------------------------------------------------------------------------


def test_the_map_of_the_rules_has_no_fault():
    assert faults(frozen_ring()) == []


@rule("M8")
def test_the_prize_of_the_rules_map_costs_what_the_rules_say():
    plan = frozen_ring()
    ways = ways_from(plan, plan.starts[0])
    assert [each[15, 12] for each in ways] == [11, 14, 31]
    assert (15, 12) in prizes(plan)


@pytest.mark.parametrize("size", [(40, 24), (32, 18), (62, 40)])
def test_generated_maps_have_no_fault(size):
    for seed in SEEDS if size == (40, 24) else SEEDS[:3]:
        plan = draw_map(*size, seed)
        assert faults(plan) == [] and (plan.width, plan.height) == size


def test_the_seed_decides_the_map():
    assert draw_map(40, 24, 3) == draw_map(40, 24, 3) != draw_map(40, 24, 4)


@rule("M5")
def test_a_generated_map_looks_the_same_after_half_a_turn():
    for seed in SEEDS:
        plan = draw_map(40, 24, seed)
        assert all(plan.at(plan.opposite(place)) == ground for place, ground in plan.places())
        assert plan.opposite(plan.starts[0]) == plan.starts[1]


@rule("M5")
def test_a_map_that_differs_after_half_a_turn_is_named():
    assert lacks((3, 3, "m"))[0] == "line 4, column 4 differs from line 21, column 37, opposite it."
    assert lacks((6, 12, "."), (6, 11, "A"))[0] == "Start B must be opposite start A, at line 13, column 34."


@rule("M6")
def test_zones_share_no_tile_and_have_room():
    for seed in SEEDS:
        plan = draw_map(40, 24, seed)
        (ax, ay), (bx, by) = plan.starts
        assert (ax - bx) ** 2 + (ay - by) ** 2 >= 17**2
        assert min(snow_in_zone(plan, start) for start in plan.starts) >= SNOW_IN_ZONE


@rule("M7")
def test_cover_is_6_to_7_percent_and_most_of_it_half():
    for seed in SEEDS:
        tiles = [ground for _, ground in draw_map(40, 24, seed).places()]
        full, half = tiles.count(Ground.FULL_COVER), tiles.count(Ground.HALF_COVER)
        assert 0.05 <= (full + half) / len(tiles) <= 0.08 and half / (full + half) >= 0.6
    pairs = [(x, y) for x in range(4) for y in range(6)]
    more = [(x, y, "T") for x, y in pairs] + [(39 - x, 23 - y, "T") for x, y in pairs]
    assert lacks(*more)[:2] == [
        "11.0 % of the tiles are cover; about 6 to 7 % should be.",
        "At least 60 % of the cover should be half cover.",
    ]


@rule("M8")
def test_what_is_in_the_middle_is_behind_ice():
    bare = write_map(frozen_ring()).replace("~", ".")
    assert "add at least 3 to the cost" in faults(read_map(bare))[0]
    bridge = [(x, 12, ".") for x in (12, 13, 14)] + [(x, 11, ".") for x in (25, 26, 27)]
    assert any("add at least 3 to the cost" in each or "6 more" in each for each in lacks(*bridge))


@rule("M8")
def test_a_dry_way_that_is_hardly_longer_is_named():
    gap = [(x, 15, ".") for x in range(12, 15)] + [(x, 8, ".") for x in range(25, 28)]
    plan = read_map(edited(*gap))
    _, over_ice, dry = (each[15, 12] for each in ways_from(plan, plan.starts[0]))
    assert dry - over_ice == 3
    assert (
        "Avoiding ice on the way to the cover at line 13, column 16 should cost at least 6 more."
        in faults(plan)
    )


@rule("M8")
def test_a_map_without_prizes_or_with_ones_that_nobody_reaches_is_named():
    assert any(
        "needs full cover with snow beside it" in each
        for each in faults(read_map(edited().replace("T", "m")))
    )
    wall = [(x, y, "o") for x, y in ((15, 11), (14, 12), (15, 13))] + [
        (24, 12, "o"),
        (25, 11, "o"),
        (24, 10, "o"),
    ]
    assert any(each.startswith("Neither start has a path to the cover at line 13") for each in lacks(*wall))


# --- as text ------------------------------------------------------------------------------------------------


def test_a_map_is_written_as_it_is_read():
    for plan in (frozen_ring(), draw_map(40, 24, 5)):
        assert read_map(write_map(plan)) == plan


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "Line 1, column 1: the map is empty"),
        (edited((7, 4, "x")), "Line 5, column 8: 'x' is not a tile. Tiles are . ~ T m o A B."),
        (edited((8, 9, "A")), "Line 13, column 7: the map already has a start A at line 10, column 9."),
        (edited((6, 12, ".")), "Line 24, column 1: the map has no start A."),
        (edited() + ".", "Line 24, column 41: this row has 41 tiles, but most rows have 40."),
        ("." + edited(), "Line 1, column 41: this row has 41 tiles, but most rows have 40."),
        ("\n" + edited(), "Line 1, column 1: this row has 0 tiles, but most rows have 40."),
        (edited().replace("\n", "\n\n", 1), "Line 2, column 1: this row has 0 tiles, but most rows have 40."),
        (edited().replace("\n", " \n", 1), "Line 1, column 41: ' ' is not a tile. Tiles are"),
        (edited().replace("\n", "\n ", 3), "Line 2, column 1: ' ' is not a tile. Tiles are"),
        ("." * 63, "Line 1, column 63: a row has at most 62 tiles, not 63."),
        ("\n".join(["."] * 61), "Line 61, column 1: a map has at most 60 rows, not 61."),
        (
            edited((33, 11, "."), (20, 12, "B")),
            "Line 13, column 21: the starts must be at least 17 tiles apart",
        ),
        (
            "A" + "." * 20 + "B",
            "Line 1, column 1: start A needs at least 60 tiles of snow within 8 tiles",
        ),
    ],
)
def test_map_error_names_line_and_column(text, told):
    with pytest.raises(BadMap) as error:
        read_map(text)
    assert str(error.value).startswith(told)


@rule("M9")
@pytest.mark.parametrize("joint", ["\n", "/", "\r\n"])
def test_match_is_played_on_a_custom_map(joint):
    match = Match(game, {"map_text": edited((0, 0, "T")).replace("\n", joint), "map": "frozen_ring"}, seed=7)
    assert ground_rows(match.state)[0].startswith("T...")
    act(match, *[Ready()] * 4)
    assert match.turn == 1


@rule("M9")
def test_gamelog_on_a_custom_map_verifies_anywhere():
    match = Match(game, {"map_text": edited((0, 0, "T"))}, seed=7)
    act(match, *[Ready()] * 4)
    again = gamelog.Replay(gamelog.write(match), lambda name: game).run().match
    assert again.dump() == match.dump() and again.settings.map_text == edited((0, 0, "T"))


def test_position_on_a_custom_map_contains_the_map():
    match = Match(game, {"map_text": edited((0, 0, "T")), "army_points": 5}, seed=7)
    read = game.parse_position(game.text.write(match.state))
    assert record.dump(read) == match.dump()


def test_invalid_map_setting_is_refused_with_line_and_column():
    with pytest.raises(SettingsError, match=r"^Line 5, column 8: 'x' is not a tile. Tiles are .* B\.$"):
        game.configure(values={"map_text": edited((7, 4, "x"))})


def test_report_counts_what_a_designer_needs():
    found = figures(read_map(edited((0, 0, "T"), (1, 0, "o"))))
    assert (found.width, found.height, found.starts) == (40, 24, ((6, 12), (33, 11)))
    assert found.tiles == {"snow": 768, "ice": 132, "full_cover": 17, "half_cover": 42, "hole": 1}
    assert found.cover_percent == pytest.approx(100 * 59 / 960) and found.half_percent == pytest.approx(
        4200 / 59
    )
    assert not found.symmetric and figures(frozen_ring()).symmetric
    assert found.snow_in_zones == (158, 158) and found.prizes == len(prizes(frozen_ring()))
