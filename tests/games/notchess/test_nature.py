"""The rules of ground and nomads in Not-Chess, one by one."""

from collections import Counter

import pytest

from endturn.engine.dice import Stream
from endturn.engine.match import Match
from endturn.games.notchess import game
from endturn.games.notchess.actions import EndTurn
from endturn.games.notchess.rules.board import drag, is_closed, is_dark, skip
from endturn.games.notchess.rules.nomads import next_step, open_ground, spawn
from endturn.games.notchess.rules.turns import army
from endturn.games.notchess.rules.weather import drown
from endturn.games.notchess.setup import SPANS, WEIGHTS, natural_terrain, pool, route, with_ford
from endturn.games.notchess.state import Kind, Settings, Terrain
from endturn.mechanisms.terrain import Shape
from endturn.mechanisms.weather import is_in
from endturn.testing.play import act, refused
from games.notchess.position import at, attack, move, mp, pass_turns, piece, place, raise_

rule = pytest.mark.rule
SMALL = Shape(8, 8)


def maps(count=40, shape=SMALL, **values):
    settings = Settings(width=shape.width, height=shape.height, **values)
    return [natural_terrain(settings, shape, Stream(seed, 1)) for seed in range(count)]


# --- Ground -------------------------------------------------------------------------------------------------


@rule("G1")
def test_terrain_never_changes_and_a_classic_board_is_all_plain():
    match = Match(game, seed=3)
    before = list(match.state.terrain)
    pass_turns(match, 40)
    assert list(match.state.terrain) == before and set(before) <= set(Terrain)
    classic = Match(game, {"mode": "classic"}, seed=3)
    pass_turns(classic, 40)
    assert set(classic.state.terrain) == {Terrain.PLAIN}
    assert not any(map(any, (classic.state.cover, classic.state.rain, classic.state.windy)))


def effects(kind, letter):
    """Whether ground is closed to a kind of piece, its skip and its drag."""
    match = place(ground=f"4.5 {letter}")
    square = at(match, "4.5")
    board = match.state
    return is_closed(board, kind, square), skip(board, kind, square), drag(board, kind, square)


@rule("G2")
def test_closed_terrain_by_kind():
    closed = {(kind.name, letter) for kind in Kind for letter in "pfwdmhPFWDMH" if effects(kind, letter)[0]}
    walkers = {
        ("ROOK", "w"),
        ("BISHOP", "w"),
        ("KNIGHT", "w"),
        ("NOMAD", "w"),
        ("KNIGHT", "f"),
        ("KNIGHT", "F"),
    }
    assert closed == walkers | {("SHIP", letter) for letter in "pfdmhPFWDMH"}


@rule("G3")
@pytest.mark.parametrize(
    "letter, rook, bishop, knight, nomad",
    [
        ("p", (0, 0), (0, 0), (0, 0), (0, 0)),
        ("d", (1, 0), (1, 0), (0, 0), (0, 0)),
        ("m", (0, 0), (0, 0), (0, 1), (0, 0)),
        ("h", (1, 0), (1, 0), (2, 0), (1, 0)),
        ("P", (0, 1), (0, 0), (0, 1), (0, 0)),
        ("W", (0, 1), (0, 0), (0, 1), (0, 0)),
    ],
)
def test_skip_and_drag_of_each_ground(letter, rook, bishop, knight, nomad):
    kinds = (Kind.ROOK, Kind.BISHOP, Kind.KNIGHT, Kind.NOMAD)
    assert [effects(kind, letter)[1:] for kind in kinds] == [rook, bishop, knight, nomad]


@rule("G4")
def test_terrain_and_weather_add_up():
    assert effects(Kind.ROOK, "H")[1:] == (1, 1)
    assert effects(Kind.KNIGHT, "M")[1:] == (0, 2)
    match = place("N4.5", ground="5.4 P", weather="flood 5.4:2", flood=True)
    assert drag(match.state, Kind.KNIGHT, at(match, "5.4")) == 2


@rule("G5")
def test_ships_move_on_open_water_and_freeze_in():
    water = "2.7 w, 3.6 w, 4.5 w, 5.4 W"
    match = place("P1.7", ground=water, ships=True, turn=20)  # summer
    act(match, raise_(match, "ship", "2.7"), EndTurn(), EndTurn())
    assert refused(match, raise_(match, "ship", "1.6")).rule in ("G2", "P4")
    act(match, move(match, "2.7", "4.5"))
    frozen = place("P1.7 S3.6", "P3.5", ground="3.6 W, 4.5 w, 2.7 w", ships=True)
    assert refused(frozen, move(frozen, "3.6", "4.5")).rule == "G5"
    act(frozen, attack(frozen, "3.6", "3.5"))
    assert refused(place("P1.7", ground=water), raise_(match, "ship", "2.7")).rule == "G5"


@rule("G5")
@rule("P4")
@rule("V3")
def test_ships_count_for_the_allowance_and_the_outcome():
    match = place("P1.7 S3.6 R5.6", ground="3.6 w", ships=True)
    assert match.view(0)["allowance"] == [0, 1]
    assert refused(match, raise_(match, "rook", "2.7")).rule == "P4"
    assert army(match.state, 0) == 2
    match = place("S3.6 R5.6", "R5.4", ground="3.6 w", ships=True, turn=20, max_months=11)
    pass_turns(match, 2)
    assert match.outcome.how == "months_over: war_figures" and match.outcome.winner == 0


@rule("G5")
@rule("P2")
def test_pool_has_as_many_ships_as_riders():
    settings = game.configure(values={"ships": True, "army_limit": "large", "width": 16, "height": 16})
    assert pool(settings)[4:] == [6, 6]


@rule("G6")
def test_amounts_of_terrain_are_drawn_by_weight():
    found = Counter(kind for made in maps(120, land_route=False) for kind in made)
    for kind, weight in enumerate(WEIGHTS):
        assert found[kind] / found.total() == pytest.approx(weight / sum(WEIGHTS), abs=0.03)


@rule("G7")
def test_block_sizes_by_terrain():
    assert [(span.log_less, span.share) for span in SPANS] == [
        (2, 16),
        (3, 10),
        (3, 10),
        (4, 32),
        (4, 32),
        (4, 32),
    ]


@rule("G7")
def test_unsplittable_blocks_leave_random_terrain():
    painted, split = (maps(60, terrain_fallback=way, land_route=False) for way in (1, 0))
    differ = sum(one != other for one, other in zip(painted, split, strict=True))
    assert 3 <= differ <= 24  # about one map in five has a block that fits nowhere


@rule("G8")
def test_capitals_stand_on_plain_and_maps_are_mirrored_at_random():
    for made in maps():
        assert made[7] == made[56] == Terrain.PLAIN
    first = [made.index(Terrain.WATER) for made in maps(60) if Terrain.WATER in made]
    assert len({square % 8 < 4 for square in first}) == 2
    assert len({square // 8 < 4 for square in first}) == 2


@rule("G9")
def test_dark_land_connects_the_capitals():
    assert all(route(SMALL, made, Terrain.WATER) for made in maps())
    assert not all(route(SMALL, made, Terrain.WATER) for made in maps(land_route=False))


@rule("G9")
def test_water_becomes_marsh_after_too_many_tries():
    sea = [int(Terrain.WATER)] * 64
    sea[7] = sea[56] = Terrain.PLAIN
    forded = with_ford(SMALL, sea)
    assert route(SMALL, forded, Terrain.WATER) and forded.count(Terrain.MARSH) == 6


@rule("G10")
@pytest.mark.parametrize("shape", [SMALL, Shape(7, 5)])
def test_fair_map_equals_itself_turned_by_180_degrees(shape):
    for made in maps(5, shape, fair_mirror=True):
        assert made == made[::-1]


# --- Nomads -------------------------------------------------------------------------------------------------


@rule("N1")
@pytest.mark.parametrize("width, height, count", [(8, 8, 2), (10, 10, 4), (5, 5, 1), (30, 18, 21)])
def test_one_nomad_per_25_squares(width, height, count):
    board = Match(game, {"width": width, "height": height}, seed=1).state
    nomads = [p for p in range(len(board.kind)) if board.kind[p] == Kind.NOMAD]
    assert len(nomads) == board.nomads == count
    assert Match(game, {"nomads": False}, seed=1).state.nomads == 0


def spawned(seed, **values):
    board = Match(game, values, seed=seed).state
    pairs = zip(board.at[2 * board.per_seat :], board.goal, range(board.nomads), strict=False)
    return board, [(square, goal) for square, goal, _ in pairs if square >= 0]


@rule("N2")
def test_nomads_appear_in_the_quarters_without_capitals():
    for seed in range(40):
        board, nomads = spawned(seed)
        for square, _ in nomads:
            x, y = board.x[square], board.y[square]
            assert (x < 4 and y < 4) or (x >= 4 and y >= 4)
            assert is_dark(board, square)
            assert board.terrain[square] != Terrain.WATER or is_in(board.cover, square)


@rule("N2")
def test_nomad_appears_later_if_no_square_is_free():
    corners = [(x, y) for x in range(1, 5) for y in range(1, 5)] + [
        (x, y) for x in range(5, 9) for y in range(5, 9)
    ]
    sea = ", ".join(f"{x}.{y} w" for x, y in corners)
    match = place("", "", ground=sea, nomads="->8.3:1 ->8.5:1".replace(":1", ""), turn=20)
    pass_turns(match, 1)
    assert [int(square) for square in match.state.at[30:32]] == [-1, -1]


@rule("N3")
def test_nomads_head_for_the_opposite_edges():
    edges = Counter()
    for seed in range(60):
        board, nomads = spawned(seed)
        for square, goal in nomads:
            x, y = board.x[goal], board.y[goal]
            if board.x[square] < 4:
                assert (x == 7 and y >= 1) or (y == 7 and x >= 1)
            else:
                assert (x == 0 and y <= 6) or (y == 0 and x <= 6)
            assert is_dark(board, goal) and board.terrain[goal] != Terrain.WATER
            assert goal not in board.capital
            edges[board.x[square] < 4, x in (0, 7)] += 1
    assert min(edges.values()) > 10


def step_to(board, start, goal):
    """The next step of a nomad on the current board."""
    open_ground(board)
    return next_step(board, start, goal)


@rule("N4")
def test_nomad_takes_one_step_per_turn_and_rests_on_mountains():
    match = place(nomads="2.3>8.3:1 1.2>2.1:0", ground="3.2 h, 3.4 w")
    where = []
    for _ in range(4):
        act(match, EndTurn())
        where.append(int(match.state.at[30]))
    assert where[:2] == [at(match, "3.2")] * 2 and where[2] != where[1] and where[3] != where[2]


@rule("N4")
def test_nomad_takes_the_cheapest_path_and_stays_without_one():
    match = place(nomads="2.3>6.3:1 1.2>2.1:0", ground="3.2 h, 4.3 h")
    assert step_to(match.state, at(match, "2.3"), at(match, "6.3")) == at(match, "3.4")
    shut = place("R3.2 R3.4", "R1.4", nomads="2.3>6.3:1 1.2>2.1:0")
    assert step_to(shut.state, at(shut, "2.3"), at(shut, "6.3")) == -1
    act(shut, EndTurn())
    assert int(shut.state.at[30]) == at(shut, "2.3")


def cost_from(board, start, goal):
    """The cost of a nomad's cheapest path, by trying all paths; the first square's toll is not paid."""
    best = {start: 0}
    line = [start]
    for square in line:
        toll = 0 if square == start else skip(board, Kind.NOMAD, square)
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            x, y = board.x[square] + dx, board.y[square] + dy
            to = x + y * board.width
            if 0 <= x < board.width and 0 <= y < board.height and board.on[to] == -1:
                cost = best[square] + 1 + toll
                if not is_closed(board, Kind.NOMAD, to) and cost < best.get(to, 999):
                    best[to] = cost
                    line.append(to)
    return best.get(goal)


@rule("N4")
def test_nomads_walk_on_cheapest_paths():
    tried = 0
    for seed in range(60):
        match = Match(game, seed=seed)
        pass_turns(match, seed % 32)
        board = match.state
        for piece_, goal in zip(board.at[30:32], board.goal, strict=False):
            start = int(piece_)
            cost = cost_from(board, start, goal) if start >= 0 and start != goal else None
            to = step_to(board, start, goal) if cost is not None else -1
            if to >= 0:
                tried += 1
                rest = 0 if to == goal else cost_from(board, to, goal) + skip(board, Kind.NOMAD, to)
                assert 1 + rest == cost
            assert (step_to(board, start, goal) >= 0) == (cost is not None) or start < 0
    assert tried > 30


@rule("N4")
@rule("W50")
def test_nomad_walks_around_a_storm():
    nomads = "2.3>6.3:1 1.2>2.1:0"
    match = place(nomads=nomads, ground="3.4 h", weather="storm 3.2:1")
    assert step_to(match.state, at(match, "2.3"), at(match, "6.3")) == at(match, "3.4")
    wall = place(nomads=nomads, weather="storm 4.1:1,4.3:1,4.5:1,4.7:1")
    assert step_to(wall.state, at(wall, "2.3"), at(wall, "6.3")) == -1
    goal = place(nomads=nomads, weather="storm 6.3:1")
    assert step_to(goal.state, at(goal, "2.3"), at(goal, "6.3")) == -1


@rule("N2")
@rule("W50")
def test_nomads_do_not_appear_on_storms():
    corners = [(x, y) for y in range(1, 9) for x in range(1, 9) if (x < 5) == (y < 5) and (x + y) % 2]
    stormy = ",".join(f"{x}.{y}:1" for x, y in corners[1:])
    for seed in range(30):
        match = place(nomads="->8.3 ->8.5", weather=f"storm {stormy}")
        spawn(match.state, 0, seed, 0)
        assert match.state.at[30] in (-1, at(match, "{}.{}".format(*corners[0])))


@rule("N5")
def test_drowned_nomad_is_replaced_before_the_turn():
    match = place(nomads="5.6>1.2:1 1.2>2.1:0", ground="5.6 w, 4.5 w, 6.5 w, 4.7 w, 6.7 w", turn=19)
    drown(match.state, 1)
    board = match.state
    assert piece(match, "5.6") == -1 and board.at[30] >= 0
    assert board.on[board.at[30]] == 30 and is_in(board.taken, board.at[30])


@rule("N5")
def test_nomad_that_arrives_or_drowns_is_replaced():
    match = place(nomads="7.4>8.3:1 5.6>1.2:1", ground="5.6 W, 4.5 w, 6.5 w, 4.7 w, 6.7 w", turn=19)
    act(match, EndTurn())
    first, second = (int(square) for square in match.state.at[30:32])
    assert first != at(match, "8.3") and first >= 0
    assert piece(match, "8.3") == -1
    pass_turns(match, 6)
    assert piece(match, "5.6") == -1 and match.state.at[31] >= 0


@rule("N4")
def test_path_search_leaves_the_state_clean():
    match = Match(game, seed=5)
    for _ in range(64):
        act(match, EndTurn())
        assert (
            not any(match.state.arriving)
            and not any(match.state.crowded)
            and not any(map(any, match.state.search))
        )


def test_nomad_on_a_mountain_has_no_points():
    match = place(nomads="2.3>8.3:1 1.2>2.1:0", ground="3.2 h, 3.4 h")
    act(match, EndTurn())
    assert mp(match, "3.2") == 0 or mp(match, "3.4") == 0
