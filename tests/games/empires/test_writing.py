"""Worlds written as savegames: read again they are the same, and the real server continues them."""

import os
from pathlib import Path

import pytest

from endturn.games.empires import conform
from endturn.games.empires.freeciv import oracle, rules, savegame, secfile, writing
from endturn.games.empires.rules import sequence
from endturn.games.empires.state import TradeRoute
from games.empires.island import HERE, island

SAVES = Path(os.environ.get("ENDTURN_FREECIV_SAVES", "/nowhere"))
served = pytest.mark.skipif(
    not (oracle.is_installed() and rules.data_folder().is_dir()),
    reason="Debian's freeciv-server and freeciv-data are not installed.",
)
golden = pytest.mark.skipif(
    not SAVES.is_dir(), reason="ENDTURN_FREECIV_SAVES names no folder of golden saves."
)
# Our worlds lack what the server keeps for its bots and for people, and how tiles looked before. Letters of terrain are
# our own, and all settings are written.
NOT_OURS = {
    "savefile": {"terrident", "action_size", "action_vector"},
    "game": {"meta_server", "id", "level", "last_turn_change_time"},
    "settings": {"set", "set_count", "gamestart_valid"},
    "map": {"startpos_count"},
    "event_cache": {"count"},
    "history": {"turn"},
}
NOT_OURS_OF_PLAYERS = {
    "idle_turns", "last_war", "kind", "ai", "trait", "hut_count", "dc", "dc_total", "got_first_city", "username",
    "ranked_username", "unassigned_user", "unassigned_ranked", "orig_username", "border_vision", "color.r", "color.g",
    "color.b",
}  # fmt: skip
NOT_OURS_IN_ROWS = {
    "steal", "ai.urgency", "ai.building_turn", "ai.building_wait", "ai.founder_turn", "ai.founder_want",
    "ai.founder_boat", "battlegroup", "go", "goto_x", "goto_y", "passenger", "ferryboat", "charge", "bodyguard",
    "ord_map", "ord_city", "action_decision", "action_decision_tile_x", "action_decision_tile_y",
}  # fmt: skip


def small_world(*changes, **units):
    world = island(*changes, **units)
    world.government_changes = {"turmoil": 0, "council": 1}
    return world


def again(world, data=HERE):
    file = secfile.parse(secfile.write(writing.to_secfile(world)), "again.sav")
    return savegame.from_secfile(file, data)


def differences(one, other):
    report = conform.ChangeReport("the same world")
    conform.compare_worlds(report, one, other)
    return [str(mismatch) for mismatch in report.mismatches]


def test_written_world_reads_the_same():
    city = {
        "food_stock": 7, "shield_stock": 3, "history": 4, "airlift": 1, "was_happy": True, "turn_plague": 2,
        "anarchy": 1, "rapture": 2, "did_buy": True, "did_sell": True, "caravan_shields": 5, "disbanded_shields": 6,
    }  # fmt: skip
    guard = {
        "facing": "9", "veteran": 1, "hp": 4, "activity": 3, "activity_count": 2, "changed_from": 5,
        "changed_from_count": 3, "changed_from_tgt": 2, "done_moving": True, "moves": 1, "fuel": 3, "moved": True,
    }  # fmt: skip
    world = small_world(city, units=[guard, {"id": 21, "homecity": 0, "activity": 6, "activity_tgt": 2}])
    world.cities[10].worklist = [world.rules.unit_types["guard"], world.rules.building_by_name["tower"]]
    world.cities[10].routes = [TradeRoute(10, "From", "Cloth")]
    world.players[0].target_government, world.players[0].achievements = "turmoil", {"First": True}
    other = again(world)
    assert differences(world, other) == []
    assert other.chance.state() == world.chance.state() and other.known == world.known
    assert [unit.facing for unit in other.players[0].units] == ["9", "1"]
    assert other.cities[10].routes == world.cities[10].routes
    assert other.players[0].achievements == {"First": True}


def test_written_world_continues_like_the_original():
    world = small_world({"shield_stock": 20, "currently_building_name": "Tower"}, units=[{}])
    other = again(world)
    for each in world, other:
        sequence.prepare(each)
        sequence.turn_change(each)
    assert differences(world, other) == []
    assert other.chance.state() == world.chance.state()


def test_orders_of_units_are_kept():
    orders = [
        {"do": "go", "tile": 25, "vigilant": True}, {"do": "go", "tile": 31, "vigilant": True},
        {"do": "wait", "vigilant": True}, {"do": "Road", "target": 2, "vigilant": True},
        {"do": "Fortifying", "vigilant": True},
    ]  # fmt: skip
    world = small_world(units=[{}, {"id": 21}])
    world.units[20].orders = orders
    other = again(world)
    assert other.units[20].orders == orders and other.units[21].orders == []


@pytest.mark.parametrize("kind, told", [("x", []), ("m", [{"do": "go", "tile": 25}])])
def test_unknown_orders_are_dropped(kind, told):
    row = {"orders_length": 1, "orders_list": kind, "dir_list": "6", "activity_list": "?", "action_list": "?"}
    world = island(units=[row])
    assert world.units[20].orders == told


def test_truncated_orders_are_an_error_with_their_unit():
    row = {"orders_length": 3, "orders_list": "m", "dir_list": "6", "activity_list": "?", "action_list": "?"}
    with pytest.raises(secfile.BadSecfile, match="cannot read the orders of unit 20"):
        island(units=[row])


def normal(value):
    return value.lower().rstrip(",") if isinstance(value, str) else value


def changed_entries(original, ours):
    """The entries in which our file differs from the server's."""
    for name, section in ours.sections.items():
        left_out = NOT_OURS_OF_PLAYERS if name.startswith("player") else NOT_OURS.get(name, set())
        for key, value in section.entries.items():
            if (
                key in left_out
                or key.startswith(("map_", "extras_owner"))
                or (name == "map" and key[0] == "t")
            ):
                continue
            theirs = original.sections[name].entries.get(key)
            if isinstance(value, secfile.SectionTable):
                yield from changed_cells(
                    f"{name}.{key}", original.sections[name].records(key), section.records(key)
                )
            elif isinstance(value, list):
                if list(map(normal, value)) != list(map(normal, theirs)):
                    yield f"{name}.{key}"
            elif normal(value) != normal(theirs):
                yield f"{name}.{key}: {value!r}, theirs {theirs!r}"


def changed_cells(where, theirs, ours):
    if len(theirs) != len(ours):
        yield f"{where}: {len(ours)} rows, theirs {len(theirs)}"
    for number, (their, our) in enumerate(zip(theirs, ours, strict=False)):
        for column, value in our.items():
            if column not in NOT_OURS_IN_ROWS and column in their and normal(value) != normal(their[column]):
                yield f"{where}{number}.{column}: {value!r}, theirs {their[column]!r}"


@golden
@pytest.mark.parametrize(
    "save",
    [
        "classic-a-T0200-plain/T0205", "civ2civ3-a-T0200-plain/T0201", "civ2civ3-late-T0065-plain/T0066",
        "multiplayer-a-T0150-worklist/T0151",
    ],
)  # fmt: skip
def test_golden_save_is_written_as_the_server_wrote_it(save):
    path = SAVES / f"{save}.sav.xz"
    if not path.exists():
        pytest.skip(f"There is no golden save {save}.")
    original = secfile.read(path)
    world = savegame.from_secfile(original)
    ours = writing.to_secfile(world)
    assert list(changed_entries(original, ours)) == []
    read = savegame.from_secfile(ours)
    assert differences(world, read) == [] and read.settings == world.settings


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A game that the server has just developed, and its next saves, in which nobody acts."""
    folder = tmp_path_factory.mktemp("oracle")
    developed = oracle.develop(folder, "classic", turns=40)
    start = folder / "start.sav"
    start.write_text(oracle.humanised(developed.read_text()))
    return oracle.step(folder, start, turn=savegame.load(start).turn, turns=4)


@served
def test_server_continues_our_file_like_its_own(played, tmp_path):
    world = savegame.load(played[0])
    results = []
    for name, text in ("ours", secfile.write(writing.to_secfile(world))), ("theirs", played[0].read_text()):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "start.sav").write_text(text)
        results.append(oracle.step(folder, folder / "start.sav", turn=world.turn, turns=2))
    for ours, theirs in zip(*results, strict=True):
        one, other = savegame.load(ours), savegame.load(theirs)
        assert differences(one, other) == []
        assert one.chance.state() == other.chance.state()


@served
def test_server_carries_out_written_orders(played, tmp_path):
    world = savegame.load(played[0])
    unit, steps = next(
        (unit, [tile])
        for unit in world.units.values()
        if unit.type.unit_class.name == "Land" and unit.type.move_rate == 1 and unit.transport < 0
        for tile in world.geometry.adjacent(unit.tile)
        if not world.terrain[tile].is_ocean and tile not in world.city_at and not world.units_at.get(tile)
        and world.owner[tile] == unit.owner.number
    )  # fmt: skip
    unit.orders = [{"do": "go", "tile": tile} for tile in steps]
    writing.save(world, tmp_path / "start.sav")
    later = savegame.load(oracle.step(tmp_path, tmp_path / "start.sav", turn=world.turn, turns=2)[-1])
    assert later.units[unit.id].tile == steps[-1] and later.units[unit.id].orders == []


@served
def test_fresh_turn_changes_equal_the_servers_in_every_field_and_draw(played):
    for before, after in zip(played, played[1:], strict=False):
        report = conform.compare(before, after)
        assert report.mismatches == []
        assert report.same_generator


@served
def test_savegame_that_the_server_cannot_load_is_an_error(tmp_path):
    (tmp_path / "start.sav").write_text("[savefile]\nversion=40\n")
    with pytest.raises(oracle.ServerFailed, match="the server failed"):
        oracle.step(tmp_path, tmp_path / "start.sav", turn=1, turns=1)
