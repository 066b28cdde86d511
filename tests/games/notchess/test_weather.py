"""The weather rules of Not-Chess, one by one: the document's (W) and those it leaves open (X)."""

from collections import Counter

import pytest

from endturn.engine.match import Match
from endturn.games.notchess import game
from endturn.games.notchess.actions import EndTurn
from endturn.games.notchess.rules import weather
from endturn.games.notchess.rules.board import SKIPS, SNOW_DRAGS, drag, skip
from endturn.games.notchess.rules.combat import chance_to_hit
from endturn.games.notchess.rules.weather import drift_rain, new_rain, rain_steps, sky_of
from endturn.games.notchess.setup import empty_board, first_weather
from endturn.games.notchess.state import DROUGHT, Kind, Month, Terrain
from endturn.games.notchess.view import forecast
from endturn.mechanisms.weather import (
    CERTAIN,
    Compass,
    beside,
    count_units,
    is_in,
    merge_units,
    opposite,
    put_in,
)
from endturn.testing.play import act, refused
from games.notchess.position import (
    at,
    attack,
    health,
    may,
    move,
    mp,
    notation,
    pass_turns,
    piece,
    place,
    raise_,
    settle,
)

rule = pytest.mark.rule


def month_shown(match):
    return match.view(0)["forecast"][0]["month"]


def weather_of(match, layer):
    """The squares of a layer, as column.row."""
    board = match.state
    column = getattr(board, layer)
    is_set = layer in ("rain", "storm")
    there = [s for s in range(board.squares) if (is_in(column, s) if is_set else column[s])]
    return {f"{board.x[s] + 1}.{board.y[s] + 1}" for s in there}


def snow(match):
    board = match.state
    return {square for square in range(board.squares) if is_in(board.cover, square)}


# --- the calendar -------------------------------------------------------------------------------------------


@rule("W1")
@rule("W2")
@rule("W3")
def test_year_has_sixteen_months_of_two_turns_and_starts_in_winter():
    match = Match(game, seed=1)
    shown = []
    for _ in range(34):
        shown.append(month_shown(match))
        act(match, EndTurn())
    assert shown[:4] == ["W1nter", "W1nter", "W2nter", "W2nter"]
    seasons = [
        "W1nter",
        "W2nter",
        "W3nter",
        "W4nter",
        "Spr1ng",
        "Spr2ng",
        "Spr3ng",
        "Spr4ng",
        "Summe1",
        "Summe2",
        "Summe3",
        "Summe4",
    ]
    assert shown[:32:2] == [*seasons, "Aut1mn", "Aut2mn", "Aut3mn", "Aut4mn"]
    assert shown[32:] == ["W1nter", "W1nter"]


@rule("W5")
def test_snow_changes_each_turn_and_its_chances_each_month():
    match = Match(game, seed=2)
    changed, chances = 0, []
    for _ in range(32):
        before = snow(match)
        chances.append((tuple(match.state.appear), tuple(match.state.vanish)))
        act(match, EndTurn())
        changed += snow(match) != before
    assert changed > 16
    assert all(chances[turn] == chances[turn + 1] for turn in range(0, 32, 2))
    assert len(set(chances)) == 16 - 1  # Summe2 and Summe4 have the same


@rule("W4")
@rule("W6")
def test_weather_is_on_single_squares_and_terrain_stays():
    match = place(ground="4.5 H, 5.5 f", weather="rain 4.5 storm 5.5:1")
    squares = match.view(0)["squares"]
    assert squares[at(match, "4.5")] == {
        **{"terrain": "mountain", "dark": True, "snow": True, "rain": True},
        **{"storm": 0, "wind": False, "flood": 0, "drought": False},
    }
    assert squares[at(match, "5.5")]["terrain"] == "forest" and squares[at(match, "5.5")]["storm"] == 1
    assert not squares[at(match, "5.4")]["snow"]


@rule("W7")
@rule("W8")
@rule("W9")
def test_forecast_has_two_months_and_map_wide_weather_first():
    now, then = Match(game, seed=1).view(0)["forecast"]
    assert (now["month"], then["month"]) == ("W1nter", "W2nter")
    keys = list(now)
    assert keys.index("snow") < keys.index("rain") < keys.index("wind")
    assert now["snow"]["ice"] == {"appear": 70.0, "disappear": 6.0}
    assert now["snow"]["edge_ice"] == {"appear": 8.75, "disappear": 6.0}
    assert then["snow"]["desert"] == {"appear": 6.0, "disappear": 0.0}
    assert sum(then["wind"].values()) == 100 and len(then["wind"]) == 3
    summer = place(turn=20).view(0)["forecast"]
    assert summer[0]["rain"] == {"appear": 2, "disappear": 0}


@rule("X2")
@pytest.mark.parametrize("wind, left, right", [(1, "north", "east"), (0, "north_west", "north_east")])
def test_wind_forecast_has_the_chances_of_turning(wind, left, right):
    line = notation(wind=f"{wind} 4.4,5.5", turn=2).replace("wind=false", "wind=true")
    kept = Compass(wind).name.lower()
    foretold = forecast(game.parse_position(line))
    assert foretold[0]["wind"] == {kept: 100.0}
    assert foretold[1]["wind"] == {left: 25.0, kept: 50.0, right: 25.0}


@rule("X2")
def test_wind_forecast_is_open_before_a_new_season():
    match = Match(game, seed=1)
    pass_turns(match, 6)
    assert len(match.view(0)["forecast"][1]["wind"]) == 8


# --- snow and ice -------------------------------------------------------------------------------------------


@rule("W10")
@rule("W22")
@rule("W25")
@rule("W28")
@rule("W16")
@pytest.mark.parametrize(
    "bare, covered, rook",
    [("h", "H", (1, 1)), ("f", "F", (0, 1)), ("m", "M", (0, 1)), ("p", "P", (0, 1)), ("d", "D", (1, 1))],
)
def test_snow_adds_to_the_effect_of_terrain(bare, covered, rook):
    plain, snowy = place(ground=f"4.5 {bare}"), place(ground=f"4.5 {covered}")
    square = at(plain, "4.5")
    assert (skip(snowy.state, Kind.ROOK, square), drag(snowy.state, Kind.ROOK, square)) == rook
    assert skip(plain.state, Kind.ROOK, square) == rook[0] and drag(plain.state, Kind.ROOK, square) == 0


@rule("W16")
@rule("W17")
def test_ice_counts_as_snow_and_opens_water():
    match = place("R4.5", ground="5.4 W, 5.6 w")
    act(match, move(match, "4.5", "5.4"))
    assert mp(match, "5.4") == 0
    assert refused(place("R4.5", ground="5.6 w"), move(match, "4.5", "5.6")).rule == "G2"


@rule("W11")
@rule("W19")
@rule("W23")
@rule("W26")
@rule("W29")
def test_first_snow_appears_with_the_initial_chances():
    found, there = Counter(), Counter()
    for seed in range(150):
        board = Match(game, {"check_before_first_turn": False, "nomads": False}, seed=seed).state
        for square in range(64):
            there[board.terrain[square]] += 1
            found[board.terrain[square]] += is_in(board.cover, square)
    chances = {
        Terrain.MOUNTAIN: 85,
        Terrain.WATER: 50,
        Terrain.FOREST: 70,
        Terrain.MARSH: 70,
        Terrain.PLAIN: 70,
    }
    chances[Terrain.DESERT] = 2
    for terrain, percent in chances.items():
        assert 100 * found[terrain] / there[terrain] == pytest.approx(percent, abs=4), terrain.name


@rule("W12")
def test_squares_are_checked_before_the_first_turn():
    early = Match(game, {"nomads": False}, seed=7)
    late = Match(game, {"nomads": False, "check_before_first_turn": False}, seed=7)
    assert snow(early) != snow(late)
    before = snow(late)
    act(late, EndTurn())
    assert snow(late) != before


@rule("W13")
def test_there_is_at_most_one_layer_of_snow():
    match = Match(game, seed=1)
    pass_turns(match, 8)
    assert {square["snow"] for square in match.view(0)["squares"]} <= {True, False}


def share_after_a_check(ground, turn, seeds=400):
    """The percentage of squares with cover after one check before this turn."""
    covered = 0
    for seed in range(seeds):
        match = place(ground=ground, turn=turn - 1, seed=seed)
        act(match, EndTurn())
        covered += is_in(match.state.cover, at(match, "4.4"))
    return 100 * covered / seeds


@rule("W14")
@rule("W18")
@pytest.mark.parametrize(
    "letter, turn, expected",
    [
        ("w", 9, 40),  # Spr1ng: ice appears with 40
        ("W", 9, 100 - 15 * 0.6),  # disappears with 15, reappears at once with 40
        ("p", 10, 32),
        ("P", 10, 100 - 17 * 0.68),
        ("H", 21, 70),  # Summe3: disappears with 30, never reappears
        ("d", 20, 0),
    ],
)
def test_vanished_snow_may_reappear_at_once(letter, turn, expected):
    assert share_after_a_check(f"4.4 {letter}", turn) == pytest.approx(expected, abs=6)


@rule("W20")
def test_edge_ice_appears_eight_times_less_and_corners_are_edge():
    match = place(ground="4.4 w, 1.4 w, 1.1 w", turn=3)
    pass_turns(match, 1)
    board = match.state
    assert board.appear[1] == 96 * CERTAIN // 100 and board.appear[5] == 96 * CERTAIN // 800
    assert board.vanish[1] == board.vanish[5]
    edge = [int(square) for square in range(64) if board.climates[5][0] >> square & 1]
    assert edge == [at(match, "1.1"), at(match, "1.4")]


@rule("W20")
def test_edge_makes_initial_ice_rarer_only_with_the_setting():
    def first_ice(divides):
        settings = {"check_before_first_turn": False, "edge_divides_initial": divides, "nomads": False}
        boards = [Match(game, settings, seed=seed).state for seed in range(60)]
        edge = [(b, s) for b in boards for s in range(64) if b.climates[5][0] >> s & 1]
        return sum(is_in(b.cover, s) for b, s in edge) / len(edge)

    assert first_ice(False) == pytest.approx(0.5, abs=0.1) and first_ice(True) < 0.15


# --- rain ---------------------------------------------------------------------------------------------------


def rains(count, **situation):
    """A match with a number of rains in the middle of the board."""
    squares = [f"{x}.{y}" for y in (3, 5, 7) for x in (2, 4, 6)][:count]
    return place(weather=f"rain {','.join(squares)}", **situation)


@rule("W31")
@rule("W32")
@rule("W38")
@rule("W41")
def test_rain_without_wind_goes_to_any_of_the_eight_neighbours():
    found = Counter()
    for seed in range(200):
        match = place(weather="rain 4.4")
        drift_rain(match.state, seed)
        found.update(weather_of(match, "rain"))
    assert set(found) == {f"{x}.{y}" for x in (3, 4, 5) for y in (3, 4, 5)} - {"4.4"}
    assert min(found.values()) > 10


@rule("W38")
def test_rain_without_wind_stays_on_the_board():
    for seed in range(30):
        match = place(weather="rain 1.1")
        drift_rain(match.state, seed)
        assert weather_of(match, "rain") <= {"1.2", "2.1", "2.2"}


@rule("W39")
def test_rain_does_not_step_exactly_against_the_wind():
    found = set()
    for seed in range(120):
        match = place(weather="rain 4.4")
        blow_on(match, Compass.EAST, ["3.4", "3.3"])
        drift_rain(match.state, seed)
        found |= weather_of(match, "rain")
    assert found == {"3.3", "3.5", "4.3", "4.5", "5.3", "5.4", "5.5"}


@rule("W39")
def test_only_the_wind_on_the_entered_square_counts():
    found = set()
    for seed in range(40):
        match = place(weather="rain 1.1", width=5, height=5)
        blow_on(match, Compass.NORTH_WEST, ["2.2"])
        drift_rain(match.state, seed)
        found |= weather_of(match, "rain")
    assert found == {"1.2", "2.1"}


def blow_on(match, direction, squares):
    """Put wind on these squares; only for tests of the mechanism, not of a match."""
    match.state.wind = direction
    for where in squares:
        put_in(match.state.windy, at(match, where), True)


@rule("W40")
@pytest.mark.parametrize(
    "direction, to", [(Compass.NORTH, "4.3"), (Compass.SOUTH_WEST, "3.5"), (Compass.EAST, "5.4")]
)
def test_rain_goes_with_the_wind_on_its_square(direction, to):
    match = place(weather="rain 4.4")
    blow_on(match, direction, ["4.4"])
    drift_rain(match.state, 1)
    assert weather_of(match, "rain") == {to}


@rule("X4")
@pytest.mark.parametrize("edge, left", [("vanish", set()), ("stay", {"4.1"})])
def test_rain_carried_off_the_board_vanishes_or_stays(edge, left):
    match = place(weather="rain 4.1", wind_edge=edge)
    blow_on(match, Compass.NORTH, ["4.1"])
    drift_rain(match.state, 1)
    assert weather_of(match, "rain") == left


@rule("W36")
@rule("W37")
@pytest.mark.parametrize("month, left", [(13, 9), (9, 6), (14, 0)])  # D is 0, 3 and 12 on 64 squares
def test_number_of_rains_that_disappear(month, left):
    match = rains(9)
    board = match.state
    board.rain_appear[month] = 0
    for square in range(64):
        put_in(board.windy, square, True)  # all go the same way, so no rains merge
    board.wind = Compass.NORTH
    rain_steps(board, month, True, 3)
    assert len(weather_of(match, "rain")) == left


@rule("W37")
def test_disappearing_rains_are_random():
    kept = set()
    for seed in range(20):
        match = rains(4)
        match.state.rain_vanish[5], match.state.rain_appear[5] = 3, 0
        for square in range(64):
            put_in(match.state.windy, square, True)
        rain_steps(match.state, 5, True, seed)
        kept |= weather_of(match, "rain")
    assert len(kept) == 4


@rule("W42")
@rule("W48")
@rule("W49")
@pytest.mark.parametrize("come, rain, storm", [(1, 1, 0), (2, 0, 1), (3, 0, 1)])
def test_two_or_more_rains_on_a_square_form_a_thunderstorm(come, rain, storm):
    board = place().state
    put_in(board.arriving, 20, True)
    put_in(board.crowded, 20, come > 1)
    formed = merge_units(sky_of(board), 1)
    assert (is_in(board.rain, 20), is_in(board.storm, 20), formed) == (rain, storm, storm)
    assert board.storm_months[20] == storm


@rule("W49")
def test_rains_that_swap_squares_do_not_meet():
    for seed in range(60):
        match = place(weather="rain 1.1,2.2")
        drift_rain(match.state, seed)
        assert len(weather_of(match, "rain")) + 2 * len(weather_of(match, "storm")) == 2


@rule("W43")
@rule("W44")
@rule("W45")
def test_new_rain_falls_on_mountains_then_waters_then_plains():
    ground = "2.2 h, 3.3 h, 4.4 w, 5.5 W, 6.6 f, 7.7 m"
    for wanted, expected in ((1, {"h"}), (2, {"h"}), (3, {"h", "w"}), (4, {"h", "w"}), (9, {"h", "w", "p"})):
        match = place(ground=ground)
        board = match.state
        board.rain_appear[5], board.rain_vanish[5] = wanted, 0
        rain_steps(board, 5, True, wanted)
        letters = {Terrain.MOUNTAIN: "h", Terrain.WATER: "w", Terrain.PLAIN: "p"}
        assert {letters[board.terrain[s]] for s in range(64) if is_in(board.rain, s)} == expected
        assert count_units(board.rain, 2) == wanted


@rule("W45")
def test_rains_without_room_are_dropped():
    match = place(ground="2.2 h, 3.3 h", weather="rain 2.2 storm 3.3:1")
    assert new_rain(match.state, Terrain.MOUNTAIN, 3, 1) == 3
    match = place()
    assert new_rain(match.state, Terrain.PLAIN, 70, 1) == 6
    assert count_units(match.state.rain, 2) == 64


@rule("X10")
def test_steps_of_rain_by_rain_tick():
    def changes(tick):
        match = place(weather="rain 4.4", turn=8, rain_tick=tick)
        found = []
        for _ in range(8):
            before = weather_of(match, "rain")
            act(match, EndTurn())
            found.append(weather_of(match, "rain") != before)
        return found

    assert changes("month") == [False, True] * 4
    assert all(changes("month_move_each_turn")) and all(changes("turn"))


@rule("W33")
@rule("X9")
@pytest.mark.parametrize(
    "wet, windy, seed_profile, latest",
    [
        ("-", [], 100, 100),
        ("rain 4.5", [], 70, 70),
        ("rain 5.5", [], 70, 70),
        ("rain 6.5", [], 70, 70),
        ("storm 6.5:1", [], 70, 70),
        ("rain 4.5,6.5", [], 70, 60),
        ("-", ["5.5"], 90, 90),
        ("rain 4.5", ["6.5"], 63, 63),
        ("rain 4.5,5.5", ["4.5"], 63, 54),
        ("rain 7.7", ["1.1"], 100, 100),
    ],
)
def test_chance_of_an_archer_to_hit(wet, windy, seed_profile, latest):
    for settings, percent in (({}, seed_profile), ({"heavy_rain_misses": True}, latest)):
        match = place("B4.5", "R6.5", weather=wet, **settings)
        blow_on(match, Compass.NORTH, windy)
        assert chance_to_hit(match.state, at(match, "4.5"), at(match, "6.5")) == 100 * percent


@rule("W33")
def test_archers_miss_three_of_ten_in_rain_and_others_never():
    hits = 0
    for seed in range(200):
        match = place("B4.5", "R6.5", weather="rain 4.5", seed=seed)
        act(match, attack(match, "4.5", "6.5"))
        hits += health(match, "6.5") == 1
    assert 120 <= hits <= 160
    match = place("R4.5", "R5.4", weather="rain 4.5,5.4")
    assert chance_to_hit(match.state, at(match, "4.5"), at(match, "5.4")) == 10_000


@rule("W34")
def test_every_rain_and_storm_is_drawn():
    drawn = game.text.show(place(weather="rain 2.2,3.3 storm 4.4:1").state)
    assert drawn.count("☂") == 2 + 1 and drawn.count("↯") == 1 + 1  # and once in the legend


@rule("W35")
def test_effects_are_tables():
    assert len(SKIPS) == len(Terrain) * len(Kind) and len(SNOW_DRAGS) == len(Kind)


# --- storms -------------------------------------------------------------------------------------------------


@rule("W50")
def test_storm_closes_its_square():
    match = place("P1.7 N4.5", weather="storm 2.7:1,2.8:1,5.4:1")
    assert refused(match, raise_(match, "rook", "2.7")).rule == "W50"
    assert refused(match, settle(match, "2.8")).rule == "W50"
    assert refused(match, move(match, "4.5", "5.4")).rule == "W50"
    assert refused(match, move(match, "4.5", "6.3")).rule == "M2"


@rule("W51")
@rule("X5")
@pytest.mark.parametrize("months", [1, 2])
def test_storm_lasts_its_months_and_becomes_one_rain(months):
    match = place(weather=f"storm 4.4:{months}", turn=1, storm_months=months)
    pass_turns(match, 2 * months - 2)
    assert weather_of(match, "storm") == {"4.4"}
    pass_turns(match, 1)
    assert weather_of(match, "storm") == set() and len(weather_of(match, "rain")) == 1


@rule("X5")
def test_storm_absorbs_rain_and_lasts_again():
    match = place(weather="rain 4.5 storm 4.4:1", storm_months=3)
    blow_on(match, Compass.NORTH, ["4.5"])
    drift_rain(match.state, 1)
    assert weather_of(match, "rain") == set() and match.state.storm_months[at(match, "4.4")] == 3


def under_a_storm(white, row=5, **settings):
    """Two rains meet and form a storm over 4.5, or over 4 in another row."""
    for seed in range(200):
        match = place(white, weather=f"rain 3.{row},5.{row}", **settings)
        blow_on(match, Compass.EAST, [f"3.{row}"])
        drift_rain(match.state, seed)
        if is_in(match.state.storm, at(match, f"4.{row}")):
            return match
    raise AssertionError("no storm in 200 tries")


@rule("X6")
def test_piece_under_a_new_storm_is_unharmed_and_may_leave():
    match = under_a_storm("R4.5")
    assert health(match, "4.5") == 2
    act(match, move(match, "4.5", "5.6"))


@rule("X6")
@pytest.mark.parametrize("damage", [1, 2])
def test_storm_damage_spares_peasants_and_nomads(damage):
    assert health(under_a_storm("P4.4", 4, storm_damage=damage), "4.4") == 1
    assert piece(under_a_storm("", nomads="4.5>8.3:1 1.2>2.1:0", storm_damage=damage), "4.5") >= 0


@rule("X6")
def test_storm_damage_hurts_war_figures():
    assert health(under_a_storm("R4.5", storm_damage=1), "4.5") == 1
    assert piece(under_a_storm("N4.5", storm_damage=1), "4.5") == -1


@rule("G5")
def test_storm_sinks_a_ship():
    assert piece(under_a_storm("S4.5", ships=True, ground="4.5 w"), "4.5") == -1


# --- wind ---------------------------------------------------------------------------------------------------


@rule("X1")
@pytest.mark.parametrize("width, height, streams, length", [(8, 8, 2, 5), (5, 5, 1, 3), (30, 18, 21, 16)])
def test_streams_are_heads_and_the_squares_upwind(width, height, streams, length):
    board = Match(game, {"width": width, "height": height}, seed=4).state
    assert board.streams == streams
    step = {
        Compass.NORTH: (0, -1),
        Compass.NORTH_EAST: (1, -1),
        Compass.EAST: (1, 0),
        Compass.SOUTH_EAST: (1, 1),
    }
    step |= {Compass((d + 4) % 8): (-x, -y) for d, (x, y) in step.items()}
    dx, dy = step[Compass(board.wind)]
    expected = set()
    for stream in range(streams):
        x, y = board.x[board.head[stream]], board.y[board.head[stream]]
        expected |= {(x - k * dx, y - k * dy) for k in range(length)}
    inside = {(x, y) for x, y in expected if 0 <= x < width and 0 <= y < height}
    assert {(board.x[s], board.y[s]) for s in range(board.squares) if is_in(board.windy, s)} == inside


@rule("X2")
def test_initial_heads_are_anywhere():
    found = Counter()
    for seed in range(300):
        board = empty_board(game.configure())
        first_weather(board, seed)
        found.update(int(head) for head in board.head[: board.streams])
    assert len(found) == 64 and max(found.values()) < 30


@rule("X2")
def test_wind_turns_little_within_a_season_and_freely_between_seasons():
    turns, jumps = Counter(), Counter()
    for seed in range(60):
        match = Match(game, {"nomads": False}, seed=seed)
        before = int(match.state.wind)
        for month in range(1, 9):
            pass_turns(match, 2)
            turned = (int(match.state.wind) - before) % 8
            (jumps if month % 4 == 0 else turns)[turned] += 1
            before = int(match.state.wind)
    assert set(turns) == {0, 1, 7} and 0.4 < turns[0] / turns.total() < 0.6
    assert len(jumps) == 8


@rule("X2")
def test_heads_move_downwind_and_restart_at_the_upwind_edge():
    match = Match(game, {"nomads": False}, seed=9)
    for _ in range(40):
        heads = [int(head) for head in match.state.head[:2]]
        pass_turns(match, 2)
        board = match.state
        for before, now in zip(heads, board.head[:2], strict=True):
            to = beside(before, board.wind, 8, 8)
            if to >= 0:
                assert now == to
            else:
                assert beside(int(now), opposite(board.wind), 8, 8) == -1


@rule("X3")
def test_rider_with_the_wind_has_an_extra_point():
    match = place("N3.6", ground="7.8 p")
    blow_on(match, Compass.NORTH_EAST, ["3.6", "4.5", "5.4"])
    assert may(match, move(match, "3.6", "6.3"))
    act(match, move(match, "3.6", "6.3"))
    assert mp(match, "6.3") == 2


@rule("X3")
@pytest.mark.parametrize(
    "figure, direction, windy, to, allowed",
    [
        ("N3.6", Compass.NORTH_EAST, ["3.6", "4.5"], "6.3", False),  # calm on the last square it leaves
        ("N3.6", Compass.EAST, ["3.6", "4.5", "5.4"], "6.3", False),  # another direction
        ("N3.6:1", Compass.NORTH_EAST, ["3.6", "4.5"], "5.4", True),
        ("N3.6:1", Compass.NORTH_EAST, ["3.6"], "5.4", False),
        ("R3.6", Compass.NORTH_EAST, ["3.6", "4.5"], "5.4", False),  # not a rider
        ("N3.6", Compass.NORTH_EAST, ["3.6", "4.5"], "5.6", True),  # not straight, and possible without help
    ],
)
def test_wind_helps_only_straight_moves_along_it(figure, direction, windy, to, allowed):
    match = place(figure)
    blow_on(match, direction, windy)
    assert may(match, move(match, "3.6", to)) == allowed


@rule("X3")
def test_rider_with_the_wind_passes_a_square_of_snow():
    match = place("N3.6", ground="4.5 P", turn=4)
    blow_on(match, Compass.NORTH_EAST, ["3.6", "4.5"])
    assert may(match, move(match, "3.6", "5.4"))


# --- flood, drought, order, drowning ------------------------------------------------------------------------


@rule("X7")
def test_floods_hit_plains_next_to_water_for_two_months():
    match = place(ground="4.4 w, 1.1 m", flood=True)
    near = {f"{x}.{y}" for x in (3, 4, 5) for y in (3, 4, 5)} | {"1.2", "2.1", "2.2"}
    found = []
    for month in (Month.SPR1NG, Month.SPR2NG, Month.SPR3NG, Month.SPR4NG, Month.AUT2MN):
        weather.change_floods(match.state, month, 1)
        found.append(len(weather_of(match, "plight")))
        assert weather_of(match, "plight") <= near
    assert found == [1, 1 + 2, 2, 0, 1]
    match = place(weather="flood 4.5:2")
    square = at(match, "4.5")
    assert [drag(match.state, kind, square) for kind in (Kind.ROOK, Kind.BISHOP, Kind.KNIGHT)] == [0, 0, 1]


@rule("X8")
def test_droughts_begin_in_summer_and_end_with_rain_or_autumn():
    dried = 0
    for seed in range(12):
        match = place(ground="4.4 w", turn=17, drought=True, seed=seed, summer_rain=False)
        pass_turns(match, 5)  # into Summe4
        found = weather_of(match, "plight")
        dried += len(found)
        assert not found & {f"{x}.{y}" for x in (3, 4, 5) for y in (3, 4, 5)}
        assert not found & weather_of(match, "rain")
        pass_turns(match, 2)
        assert weather_of(match, "plight") == set()  # Aut1mn
    assert 20 < dried < 160
    match = place(weather="dry 4.5")
    assert match.state.plight[at(match, "4.5")] == DROUGHT
    assert [skip(match.state, kind, at(match, "4.5")) for kind in (Kind.ROOK, Kind.KNIGHT)] == [1, 0]


DRY_GROUND = {"drought": True, "summer_rain": False}


def dried_share(months_ago, seeds=150):
    """The percentage of squares that dry out in Summe4 after rain this many months ago; -1 for no rain."""
    dried = squares = 0
    for seed in range(seeds):
        board = place(turn=22, **DRY_GROUND).state
        for month in range(Month.SUMME4 - 3, Month.SUMME4 + 1):
            raining = Month.SUMME4 - month == months_ago
            for block in range(board.blocks):
                board.rain[block] = (1 << 32) - 1 if raining else 0
            for square in range(64):
                board.plight[square] = 0
            weather.change_droughts(board, month, True, seed)
        dried += list(board.plight).count(DROUGHT)
        squares += board.squares
    return 100 * dried / squares


@rule("X8")
@pytest.mark.parametrize("months_ago, percent", [(-1, 4), (3, 4), (2, 0), (1, 0), (0, 0)])
def test_plains_without_recent_rain_dry_out_with_4_percent(months_ago, percent):
    assert dried_share(months_ago) == pytest.approx(percent, abs=0.6 if percent else 0)


@rule("X8")
@pytest.mark.parametrize("month", [Month.SUMME1, Month.AUT1MN, Month.SPR4NG])
def test_plains_dry_out_in_no_other_month(month):
    board = place(**DRY_GROUND).state
    for seed in range(100):
        weather.change_droughts(board, month, True, seed)
    assert DROUGHT not in board.plight


@rule("X8")
@pytest.mark.parametrize("what", ["rain 4.5 dry 4.5,6.6", "storm 4.5:2 dry 4.5,6.6"])
def test_only_rain_and_storms_end_a_drought_in_summer(what):
    board = place(weather=what, turn=22, **DRY_GROUND).state
    weather.change_droughts(board, Month.SUMME4, True, 0)
    assert board.plight[at(place(), "4.5")] == 0 and board.plight[at(place(), "6.6")] == DROUGHT


@rule("X8")
@rule("X10")
@pytest.mark.parametrize("tick, ends", [("month", False), ("month_move_each_turn", True), ("turn", True)])
def test_rain_within_a_month_ends_a_drought(tick, ends):
    around = [f"{x}.{y}" for x in (3, 4, 5) for y in (3, 4, 5) if (x, y) != (4, 4)]
    match = place(weather=f"rain 4.4 dry {','.join(around)}", turn=20, rain_tick=tick, **DRY_GROUND)
    act(match, EndTurn())
    come = weather_of(match, "rain") & set(around)
    assert len(come) == ends
    assert weather_of(match, "plight") == set(around) - come
    assert all(match.state.damp[at(match, where)] == weather.DAMP_MONTHS for where in come)


@rule("X7")
@rule("X8")
def test_snow_keeps_floods_and_droughts_away():
    snowy = ", ".join(f"{x}.{y} P" for x in range(1, 9) for y in range(1, 9) if x != 4 or y > 2)
    for seed in range(60):
        board = place(ground=f"{snowy}, 5.1 m", turn=10, **DRY_GROUND).state
        weather.change_floods(board, Month.SPR2NG, seed)
        assert {s for s in range(64) if board.plight[s]} == {3, 11}
        board = place(ground=snowy, turn=22, **DRY_GROUND).state
        weather.change_droughts(board, Month.SUMME4, True, seed)
        assert {s for s in range(64) if board.plight[s]} <= {3, 11}


@rule("X7")
@pytest.mark.parametrize("what, wet", [("rain 4.4", {"4.4"}), ("storm 5.5:1", {"5.5"}), ("-", set())])
def test_plains_under_rain_flood_without_water_nearby(what, wet):
    match = place(weather=what, flood=True)
    weather.change_floods(match.state, Month.SPR2NG, 1)
    assert weather_of(match, "plight") == wet


@rule("X7")
@rule("X8")
@rule("X9")
@rule("X12")
def test_latest_profile_has_every_later_rule():
    settings = game.configure("latest")
    later = ("flood", "drought", "heavy_rain_misses", "rain_melts_snow")
    assert all(getattr(settings, name) for name in later) and not settings.summer_rain
    assert not any(getattr(game.configure("seed"), name) for name in later)


@rule("X11")
def test_order_of_changes_before_a_turn(monkeypatch):
    happened = []
    steps = [
        "shift_wind",
        "age_storms",
        "rain_steps",
        "change_floods",
        "change_droughts",
        "change_cover",
        "melt",
        "drown",
    ]
    for name in steps:
        monkeypatch.setattr(weather, name, lambda *_, name=name: happened.append(name))
    settings = {"wind": True, "flood": True, "drought": True, "rain_melts_snow": True}
    match = Match(game, settings, seed=1)
    happened.clear()
    match.state.turn = 4
    weather.before_turn(match.state, 1)
    assert happened == steps
    happened.clear()
    match.state.turn = 5
    weather.before_turn(match.state, 1)
    assert happened == ["change_cover", "melt", "drown"]


@rule("X12")
def test_settings_for_melting_clearing_and_summer_rain():
    match = place(ground="4.4 P, 5.5 H, 6.6 P", weather="rain 4.4,5.5", turn=4, rain_melts_snow=True)
    act(match, EndTurn())
    assert not is_in(match.state.cover, at(match, "4.4"))
    assert is_in(match.state.cover, at(match, "5.5")) and is_in(match.state.cover, at(match, "6.6"))
    for clears, left in ((False, 3), (True, 0)):
        match = rains(3, turn=31, winter_clears_rain=clears)
        act(match, EndTurn())
        assert len(weather_of(match, "rain")) + 2 * len(weather_of(match, "storm")) == left
    assert place(summer_rain=True).state.rain_appear[9] == 1
    assert place(summer_rain=False).state.rain_appear[9] == 0


@rule("X13")
def test_war_figures_drown_without_ice_and_peasants_do_not():
    match = place("R4.5 B6.5 N2.5 P5.5", ground="4.5 w, 6.5 w, 2.5 w, 5.5 w, 1.8 w", turn=19)
    act(match, EndTurn())
    assert [piece(match, where) for where in ("4.5", "6.5", "2.5")] == [-1] * 3
    assert piece(match, "5.5") >= 0 and piece(match, "1.8") >= 0
    assert match.state.standing[0][Kind.ROOK] == 0
