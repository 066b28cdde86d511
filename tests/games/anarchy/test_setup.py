"""Tests the setup of Anarchy: the mirrored map, the buildings and the forecasts."""

import random
from collections import Counter
from functools import cache
from statistics import mean, stdev

import pytest

from endturn.engine.settings import SettingsError
from endturn.games.anarchy import game
from endturn.games.anarchy.state import NONE, City, Direction, Kind
from games.anarchy.drawing import draw

rule = pytest.mark.rule

MANY = 300
GENERATORS = ["spaced", "stacked"]
both_generators = pytest.mark.parametrize("generator", GENERATORS)

Cell = tuple[int, int]
STEPS = {Direction.NORTH: (0, -1), Direction.EAST: (1, 0), Direction.SOUTH: (0, 1), Direction.WEST: (-1, 0)}


@cache
def cities(generator: str, count: int = MANY, **settings: object) -> list[City]:
    """Return many cities from the seeds 0, 1, 2 and so on."""
    chosen = game.configure(values={"generator": generator, **settings})
    return [game.rules.setup(chosen, seed) for seed in range(count)]


def buildings(city: City) -> list[tuple[int, int, Kind, int]]:
    return [(city.x[b], city.y[b], Kind(city.kind[b]), city.owner[b]) for b in range(city.building_count)]


def west(city: City) -> list[tuple[int, int, Kind, int]]:
    return [building for building in buildings(city) if building[0] < city.settings.map_width // 2]


def connected(cells: set[Cell]) -> bool:
    """Return whether each cell can be reached from all others."""
    missing = set(cells)
    ahead = [missing.pop()]
    while ahead:
        x, y = ahead.pop()
        found = {(x + dx, y + dy) for dx, dy in STEPS.values()} & missing
        missing -= found
        ahead += found
    return not missing


SIZES = {(2, 2): 200, (4, 2): 200, (6, 5): 100, (2, 100): 10, (100, 2): 10, (40, 20): 100}
all_sizes = pytest.mark.parametrize("width, height", SIZES)


def cities_of(width: int, height: int, generator: str) -> list[City]:
    """Return many small cities or some large ones."""
    if (width, height) == (40, 20):
        return cities(generator)[: SIZES[40, 20]]
    return cities(generator, SIZES[width, height], map_width=width, map_height=height)


# --- M1: the grid -------------------------------------------------------------------------------------------


@rule("M1")
@both_generators
@all_sizes
def test_every_building_is_on_the_map(width, height, generator):
    for city in cities_of(width, height, generator):
        assert all(0 <= x < width and 0 <= y < height for x, y, _, _ in buildings(city))
        assert (city.settings.map_width, city.settings.map_height) == (width, height)


@rule("M1")
def test_map_is_40_by_20_and_fully_used():
    used = {(x, y) for city in cities("spaced") for x, y, _, _ in buildings(city)}
    assert {x for x, _ in used} == set(range(40))
    assert {y for _, y in used} == set(range(20))


@rule("M1")
def test_odd_map_width_is_refused():
    with pytest.raises(SettingsError, match="must be even, not 7"):
        game.configure(values={"map_width": 7})


@rule("M1")
def test_map_with_too_large_exposures_is_refused():
    with pytest.raises(SettingsError, match="limit of 32767.*smaller map or fewer turns"):
        game.configure(values={"map_width": 100, "map_height": 100, "max_turns": 400})


@rule("M1")
@both_generators
def test_largest_map_has_room_for_all_its_buildings(generator):
    for city in cities(generator, 4, map_width=100, map_height=100, max_turns=4):
        assert 400 < city.building_count <= len(city.health)
        assert {x for x, *_ in buildings(city)} >= {49, 50}
        assert max(x for x, *_ in buildings(city)) > 80
        assert all(city.health[b] > 0 for b in range(city.building_count))


@rule("M1")
def test_stacked_maps_hold_several_hundred_buildings():
    counts = [city.building_count for city in cities("stacked")]
    assert max(counts) > 550
    assert all(city.building_count <= len(city.health) for city in cities("stacked"))
    assert all(city.health[city.building_count - 1] > 0 for city in cities("stacked"))


# --- M2: where the buildings are ----------------------------------------------------------------------------


@rule("M2")
def test_cell_has_one_building():
    for city in cities("spaced"):
        assert len({(x, y) for x, y, _, _ in buildings(city)}) == city.building_count


@rule("M2")
def test_stacked_buildings_share_cells():
    for city in cities("stacked"):
        assert len({(x, y) for x, y, _, _ in buildings(city)}) < city.building_count


@rule("M2")
@both_generators
def test_walks_connect_all_buildings_and_reach_the_middle(generator):
    for city in cities(generator):
        assert connected({(x, y) for x, y, _, _ in west(city)})
        assert connected({(x, y) for x, y, _, _ in buildings(city)})
        assert max(x for x, *_ in west(city)) == 19


@rule("M2")
def test_stacked_maps_leave_only_the_last_row_free():
    rows = {y for city in cities("stacked") for _, y, _, _ in buildings(city)}
    assert rows == set(range(19))


def steps(here: Cell, there: Cell) -> int:
    return abs(here[0] - there[0]) + abs(here[1] - there[1])


@cache
def points_and_walks() -> list[tuple[list[Cell], list[Cell]]]:
    """Return the points of large maps and the cells that walks added; points come first."""
    found = []
    for city in cities("spaced", 240, map_width=60, map_height=60, max_turns=1):
        cells = [(x, y) for x, y, _, _ in west(city)]
        count = next(
            b for b in range(1, len(cells)) if steps(cells[0], cells[b]) == 1
        )  # rarely another point
        found.append((cells[:count], cells[count:]))
    return found


@rule("M2")
def test_there_are_8_to_15_points_and_1_to_5_in_the_last_column():
    joined = [len(points) for points, _ in points_and_walks()]
    middle = [sum(x == 29 for x, _ in points) for points, _ in points_and_walks()]
    assert max(joined) == 20 and joined.count(9) >= 3  # 15 and 5; 8 and 1
    assert mean(joined) == pytest.approx(11.5 + 3, abs=0.6)
    assert middle.count(0) <= 3  # points on the same or on adjacent cells
    assert mean(middle) == pytest.approx(3 + 11.5 / 30, abs=0.3)


@rule("M2")
def test_points_lie_anywhere_on_the_half_and_in_its_last_column():
    drawn = [cell for points, _ in points_and_walks() for cell in points]
    assert {x for x, _ in drawn} == set(range(30))
    assert {y for x, y in drawn if x < 29} == set(range(60))
    assert {y for x, y in drawn if x == 29} == set(range(60))


@rule("M2")
def test_every_step_of_a_walk_comes_nearer():
    nearer = 0
    for points, cells in points_and_walks():
        here, there = [*points, cells[-1]][:2]
        first_walk = cells[: max(0, steps(here, there) - 1 - len(points))]  # fewer cells if it crosses points
        distances = [steps(cell, there) for cell in [here, *first_walk]]
        nearer += distances == sorted(set(distances), reverse=True)
    assert nearer > 0.94 * len(points_and_walks())  # except if two points were mistaken for the first walk


def some_points(luck: random.Random, stacked: bool) -> list[Cell]:
    """Draw the points of the western half of a 20 x 10 map with the test's own dice, in walking order."""
    many, more, east, south = (14, 4, 8, 8) if stacked else (15, 5, 9, 9)
    drawn = [(luck.randint(0, east), luck.randint(0, south)) for _ in range(luck.randint(8, many))]
    drawn += [(9, luck.randint(0, south)) for _ in range(luck.randint(1, more))]
    return luck.sample(list(dict.fromkeys(drawn)), len(set(drawn)))


def walk(luck: random.Random, here: Cell, there: Cell) -> list[Cell]:
    """Return the cells from here to there; every step comes nearer."""
    made = []
    while here != there:
        (x, y), (a, b) = here, there
        nearer = [(x + (a > x) - (a < x), y)] * (a != x) + [(x, y + (b > y) - (b < y))] * (b != y)
        here = luck.choice(nearer)
        made.append(here)
    return made


def model(luck: random.Random, stacked: bool) -> list[Cell]:
    """Return the cells of a western half; with `stacked`, one entry per building."""
    cells = some_points(luck, stacked)
    for i in range(len(cells)):
        for cell in walk(luck, cells[i], cells[i + 1]):  # the last point walks to where the first walk began
            if stacked or cell not in cells:
                cells.append(cell)
    return cells


def agree(ours: list[int], models: list[int]) -> bool:
    """Return whether two means differ by less than three standard errors."""
    error = (stdev(ours) ** 2 / len(ours) + stdev(models) ** 2 / len(models)) ** 0.5
    return abs(mean(ours) - mean(models)) < 3 * error


@rule("M2")
@both_generators
def test_number_of_buildings_matches_the_model(generator):
    luck = random.Random(16)
    drawn = cities(generator, 1500, map_width=20, map_height=10, max_turns=1)
    halves = [[x for x, *_ in west(city)] for city in drawn]
    models = [[x for x, _ in model(luck, generator == "stacked")] for _ in range(4000)]
    assert agree([len(half) for half in halves], [len(half) for half in models])
    for x in (0, 4, 8, 9):
        assert agree([half.count(x) for half in halves], [half.count(x) for half in models]), f"column {x}"


# --- M3: what they are --------------------------------------------------------------------------------------


@rule("M3")
@both_generators
def test_kinds_are_drawn_4_to_3_to_2_to_1(generator):
    drawn = Counter(kind for city in cities(generator) for _, _, kind, _ in west(city))
    for kind, share in zip(Kind, (0.4, 0.3, 0.2, 0.1), strict=True):
        assert drawn[kind] / drawn.total() == pytest.approx(share, abs=0.012)


@rule("M3")
@both_generators
@all_sizes
def test_half_with_room_has_two_of_each_kind(width, height, generator):
    for city in cities_of(width, height, generator):
        kinds = Counter(kind for _, _, kind, _ in west(city))
        assert kinds.total() < 8 or min(kinds[kind] for kind in Kind) >= 2


@rule("M3")
def test_stacked_maps_start_with_two_of_each_kind():
    for city in cities("stacked"):
        assert Counter(city.kind[:8]) == dict.fromkeys(Kind, 2)
    assert {city.kind[8] for city in cities("stacked")} == set(Kind)


@rule("M3")
@both_generators
def test_owners_of_buildings_are_random(generator):
    owners = Counter(owner for city in cities(generator) for _, _, _, owner in west(city))
    assert set(owners) == {0, 1}
    assert owners[0] / owners.total() == pytest.approx(0.5, abs=0.01)
    reds = [sum(owner == 0 for *_, owner in west(city)) for city in cities(generator)]
    assert len(set(reds)) > 40  # random per building, not split evenly


# --- M4: headquarters ---------------------------------------------------------------------------------------


@rule("M4")
@both_generators
@all_sizes
def test_each_headquarters_is_a_warehouse(width, height, generator):
    for city in cities_of(width, height, generator):
        for seat, b in enumerate(city.headquarters):
            assert 0 <= b < city.building_count
            assert (city.owner[b], city.kind[b]) == (seat, Kind.WAREHOUSE)


@rule("M4")
@pytest.mark.parametrize("health, factor", [(100, 3), (40, 5), (1, 1), (1000, 30)])
@both_generators
def test_headquarters_health_is_a_multiple(health, factor, generator):
    for city in cities(generator, 5, building_health=health, headquarters_factor=factor):
        assert [city.health[b] for b in city.headquarters] == [health * factor] * 2
        others = set(range(city.building_count)) - set(city.headquarters)
        assert {city.health[b] for b in others} == {health}


@rule("M4")
@all_sizes
def test_reds_headquarters_lies_in_the_west(width, height):
    for city in cities_of(width, height, "spaced"):
        red, blue = city.headquarters
        assert city.x[red] < width // 2 <= city.x[blue]


@rule("M4")
def test_any_of_reds_warehouses_in_the_west_can_be_its_headquarters():
    ranks = []
    for city in cities("spaced"):
        reds = [
            b for b, found in enumerate(buildings(city)) if found[0] < 20 and found[2:] == (Kind.WAREHOUSE, 0)
        ]
        ranks.append(reds.index(city.headquarters[0]) / (len(reds) - 1))
    assert min(ranks) == 0 and max(ranks) == 1
    assert mean(ranks) == pytest.approx(0.5, abs=0.08)


@rule("M4")
def test_red_gets_the_first_western_warehouse_if_it_has_none():
    owners = Counter()
    for city in cities("spaced", 600, map_width=2, map_height=2):
        found = [(kind, owner) for _, _, kind, owner in west(city)]
        if len(found) == 2:
            assert {kind for kind, _ in found} == {Kind.WAREHOUSE}
            owners[tuple(owner for _, owner in found)] += 1
    both, first, second, neither = (
        owners[pair] / owners.total() for pair in ((0, 0), (0, 1), (1, 0), (1, 1))
    )
    assert (both, first, second) == pytest.approx((0.25, 0.5, 0.25), abs=0.1)  # (1, 1) has become (0, 1)
    assert neither == 0


@rule("M4")
def test_first_stacked_building_is_its_owners_headquarters():
    owners = Counter()
    for city in cities("stacked"):
        assert city.headquarters[city.owner[0]] == 0
        owners[city.owner[0]] += 1
    assert min(owners[0], owners[1]) > MANY * 0.4


# --- M5: the mirror -----------------------------------------------------------------------------------------


@rule("M5")
@both_generators
@all_sizes
def test_east_mirrors_west_with_owners_exchanged(width, height, generator):
    for city in cities_of(width, height, generator):
        mirrored = Counter((width - 1 - x, y, kind, 1 - owner) for x, y, kind, owner in buildings(city))
        assert mirrored == Counter(buildings(city))


@rule("M5")
@both_generators
def test_headquarters_are_each_others_mirror_image(generator):
    for city in cities(generator):
        red, blue = city.headquarters
        assert (39 - city.x[red], city.y[red]) == (city.x[blue], city.y[blue])


# --- M6: neighbours -----------------------------------------------------------------------------------------


@rule("M6")
@both_generators
@all_sizes
def test_neighbour_is_the_last_built_on_the_next_cell(width, height, generator):
    for city in cities_of(width, height, generator):
        last = {(city.x[b], city.y[b]): b for b in range(city.building_count)}
        for direction, (dx, dy) in STEPS.items():
            for b in range(city.building_count):
                there = (city.x[b] + dx, city.y[b] + dy)
                assert city.neighbour[direction][b] == last.get(there, NONE)


# --- C1: forecasts ------------------------------------------------------------------------------------------

MIRROR = {
    Direction.NORTH: Direction.NORTH,
    Direction.EAST: Direction.WEST,
    Direction.SOUTH: Direction.SOUTH,
    Direction.WEST: Direction.EAST,
}


def forecasts(city: City) -> list[tuple[Direction, int]]:
    return [(Direction(city.direction[f]), city.intensity[f]) for f in range(city.forecast_count)]


@rule("C1")
@pytest.mark.parametrize("max_turns", [1, 2, 3, 299, 300, 1000])
def test_there_is_a_forecast_for_every_turn_drawn_in_pairs(max_turns):
    for city in cities("spaced", 5, map_width=4, map_height=2, max_turns=max_turns):
        assert city.forecast_count == max_turns + max_turns % 2
        pairs = zip(forecasts(city)[::2], forecasts(city)[1::2], strict=True)
        assert all(second == (MIRROR[first[0]], first[1]) for first, second in pairs)


@rule("C1")
@pytest.mark.parametrize(
    "settings, strongest",
    [({}, 10), ({"weak_forecasts": True}, 9), ({"max_intensity": 4}, 4), ({"max_intensity": 1}, 1)]
    + [({"max_intensity": 100}, 100), ({"max_intensity": 1, "weak_forecasts": True}, 0)],
)
def test_every_intensity_is_equally_likely(settings, strongest):
    drawn = Counter(
        i
        for city in cities("spaced", 60, map_width=4, map_height=2, **settings)
        for _, i in forecasts(city)[::2]
    )
    assert set(drawn) == set(range(strongest + 1))
    expected = drawn.total() / (strongest + 1)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in drawn.values())


@rule("C1")
def test_every_direction_is_equally_likely():
    drawn = Counter(direction for city in cities("spaced") for direction, _ in forecasts(city)[::2])
    expected = drawn.total() / 4
    assert set(drawn) == set(Direction)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in drawn.values())


@rule("C1")
def test_each_pair_of_forecasts_is_drawn_independently():
    for city in cities("spaced", 30):
        drawn = forecasts(city)[::2]
        assert len(set(drawn)) > 25
        assert sum(a == b for a, b in zip(drawn, drawn[1:], strict=False)) < 20


@rule("C1")
def test_red_controls_the_first_of_each_pair_and_all_are_public():
    city = cities("spaced")[0]
    for seat in (0, 1, None):
        seen = game.knowledge.view(city, seat)["forecasts"]
        assert [forecast["controlled_by"] for forecast in seen] == [0, 1] * 150
        assert [(Direction[f["direction"].upper()], f["intensity"]) for f in seen] == forecasts(city)


@rule("C2")
@pytest.mark.parametrize("max_turns, after", [(1, NONE), (2, 1), (3, 1), (300, 1)])
def test_match_starts_with_the_first_two_forecasts(max_turns, after):
    city = cities("spaced", 1, max_turns=max_turns)[0]
    assert (city.current_forecast, city.next_forecast) == (0, after)


# --- as a whole ---------------------------------------------------------------------------------------------


@rule("T1")
@both_generators
def test_match_starts_at_turn_0_with_red_and_without_fire(generator):
    for city in cities(generator):
        assert (city.turn, city.seat, city.ended, city.winner) == (0, 0, 0, -1)
        assert list(city.bribes) == [10, 10] and list(city.bonus) == [0, 0]
        assert not any(city.fire) and not any(city.exposure) and not any(city.bribed)


@both_generators
def test_different_seeds_give_different_cities(generator):
    again = [game.storage.dump(city) for city in cities.__wrapped__(generator, 20)]
    assert again == [game.storage.dump(city) for city in cities(generator)[:20]]
    assert len(set(again)) == 20


@pytest.mark.parametrize("seed", [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_every_seed_gives_a_city(seed):
    assert game.rules.setup(game.configure(), seed).building_count > 0


def test_city_from_a_drawing_is_set_up_like_a_random_one():
    city = draw("h w H")
    assert [city.health[b] for b in range(3)] == [300, 100, 300]
    assert list(city.headquarters) == [0, 2]
