"""Views, pictures, observations and positions of Not-Chess."""

import pytest
from rich.text import Text

from endturn.engine import record
from endturn.engine.match import Match
from endturn.games.notchess import game
from endturn.games.notchess.actions import Attack, EndTurn, Move, Raise
from endturn.games.notchess.rules.moving import move
from endturn.games.notchess.state import War
from endturn.games.notchess.text import ARROWS
from endturn.games.notchess.view import PER_SQUARE, SHARED, observation_size, observe
from endturn.mechanisms.weather import is_in
from endturn.testing.contract import CHECKS, random_play
from endturn.testing.play import act
from games.notchess.position import at, notation, pass_turns, place

VARIANTS = {
    "latest": (game.configure("latest", {"max_months": 40})),
    "classic": game.configure(values={"mode": "classic", "max_months": 40}),
    "odd": game.configure(
        values={"width": 7, "height": 5, "max_months": 40, "rain_tick": "month_move_each_turn"}
    ),
    "everything": game.configure(
        values={
            **{"ships": True, "storm_damage": 1, "storm_months": 2, "rain_tick": "turn", "wind_edge": "stay"},
            **{"winter_clears_rain": True, "attack_after_exhausting_step": True, "fair_mirror": True},
            **{
                "pawn_limit": "small",
                "army_limit": "large",
                "flood": True,
                "drought": True,
                "max_months": 40,
            },
        }
    ),
}
QUICK = [check for check in CHECKS if check.__name__ != "plain_equals_compiled"]


@pytest.mark.parametrize("check", QUICK, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_keeps_the_contract(name, check):
    check(game, VARIANTS[name])


@pytest.mark.parametrize("name", ["latest", "everything"])
def test_plain_equals_compiled_in_variants(name):
    check = next(check for check in CHECKS if check.__name__ == "plain_equals_compiled")
    check(game, VARIANTS[name], games=6, steps=400)


@pytest.mark.parametrize("name", VARIANTS)
def test_positions_round_trip_at_every_step(name):
    match = Match(game, VARIANTS[name], seed=4)
    for _ in random_play(match, 150):
        assert record.dump(game.parse_position(game.text.write(match.state))) == match.dump()
    while match.to_act():
        act(match, EndTurn())
    assert record.dump(game.parse_position(game.text.write(match.state))) == match.dump()


def test_position_is_one_line_with_everything():
    text = game.text.write(
        place(
            "P1.7 R2.7:0:1:1:18",
            "N6.3:-1",
            ground="4.5 W, 5.5 h",
            weather="rain 3.3 storm 2.2:1 flood 4.4:2 dry 5.4 damp 6.6:1",
            nomads="2.3>8.3:0 ->8.5",
            turn=20,
        ).state
    )
    assert "\n" not in text
    for part in (
        "notchess 20 seat 0",
        "wind=False",
        "pppWhppp/",
        "R2.7:0:1:1:18",
        "N6.3:-1",
        "2.3>8.3:0 ->8.5",
    ):
        assert part in text
    assert text.endswith("rain 3.3 storm 2.2:1 flood 4.4:2 dry 5.4 damp 6.6:1")


WRONG = [
    ("notchess", "chess"),
    ("K1.8", "K1.7"),
    ("K1.8", "K1.8 P2.7"),
    ("K1.8", "K1.8 R1.8"),
    ("K1.8", "K1.8 R9.9"),
    ("K1.8", "K1.8 R2.7 R3.6 R4.5"),
    ("K1.8", "K1.8 R2.7:5"),
    ("K1.8", "K1.8 R2.7:1:9"),
    ("K1.8", "K1.8 R2.7:1:2:9"),
    ("K1.8", "K1.8 R2.7:1:2:0:99"),
    ("K1.8", "K1.8 Q2.7"),
    ("pppppppp/", "ppppppp/"),
    ("pppppppp/", "pppxpppp/"),
    ("seat 0", "seat 2"),
    ("notchess 0", "notchess 320"),
    ("notchess 0", "notchess -1"),
    ("| - | -", "| - | hail 2.2"),
    ("| - | -", "| - | storm 2.2:99"),
    ("| - | -", "| 2.3>8.3:1 | -"),
    ("wind 0 -", "wind 9 -"),
    ("wind 0 -", "wind 0 1.1"),
    ("nomads=false", "height=9 nomads=false"),
]


@pytest.mark.parametrize("right, wrong", WRONG, ids=str)
def test_impossible_position_is_refused(right, wrong):
    text = notation()
    assert right in text
    with pytest.raises(ValueError, match=r"not a position of Not-Chess|bad_board_size"):
        game.parse_position(text.replace(right, wrong, 1))


def test_picture_has_date_wind_pieces_and_forecast():
    match = Match(game, seed=1)
    pass_turns(match, 36)
    lines = game.text.show(match.state).splitlines()
    assert "Winter, month 3, year 2" in lines[0] and "White to act" in lines[0]
    assert sum(line.startswith(("[dim]Winter, month 3", "[dim]Winter, month 4")) for line in lines) == 2
    assert any("ice 96/0, edge 12/0" in line for line in lines)
    assert "wind" not in game.text.show(Match(game, {"mode": "classic"}).state)


NARROW = 80  # columns of a terminal
WIDE_WORDS = {  # settings with the longest forecast lines
    "seed": {},
    "latest": {"winter_clears_rain": True, "ships": True},
}


def lines_of(board):
    """The picture's lines without colours."""
    return [Text.from_markup(line) for line in game.text.show(board).splitlines()]


@pytest.mark.parametrize("profile", WIDE_WORDS)
@pytest.mark.parametrize("size", [8, 18])
def test_picture_fits_a_narrow_terminal(profile, size):
    values = {**WIDE_WORDS[profile], "width": size, "height": size, "land_route": False}
    match = Match(game, game.configure(profile, values), seed=3)
    for _ in range(32):
        act(match, EndTurn())
        lines = lines_of(match.state)
        assert max(line.cell_len for line in lines) <= NARROW
        squares = lines[2 : 2 + size]
        assert {line.cell_len for line in squares} == {3 + 4 * size}


def test_picture_has_all_chances_of_two_months():
    match = Match(game, game.configure("latest", {"winter_clears_rain": True}), seed=3)
    pass_turns(match, 16)  # Summe1
    summer = [line.plain for line in lines_of(match.state) if "/" in line.plain]
    assert summer[0] == "Summer, month 1: mountain 5/20  forest, marsh 1/96  plain 1/99  desert 0/99"
    assert summer[1].startswith("       ice 1/99, edge 0.125/99  rain +2 -5  wind ")
    assert summer[1].endswith(" 100%") and summer[3].endswith("drought 4%")
    assert " 50%" in summer[3] and " 25%" in summer[3]
    pass_turns(match, 14)  # Aut4mn
    winter = [line.plain for line in lines_of(match.state) if "rain +" in line.plain]
    assert "rain +0 -all" in winter[1] and "wind ↑↗→↘↓↙←↖ 12.5%" in winter[1]


def test_wind_is_drawn_on_every_square_that_has_it():
    match = Match(game, seed=3)
    for _ in range(32):
        board = match.state
        squares = "".join(line.plain for line in lines_of(board)[2:10])
        windy = sum(is_in(board.windy, square) for square in range(64))
        assert windy > 0 and squares.count(ARROWS[board.wind]) == windy
        act(match, EndTurn())
    assert any("↑↗→↘↓↙←↖ wind" in line.plain for line in lines_of(match.state))


@pytest.mark.rule("X7")
@pytest.mark.rule("X8")
@pytest.mark.rule("X12")
def test_forecast_has_floods_droughts_and_winter_clearing():
    def foretold(profile, kind, **values):
        found = []
        for turn in range(0, 32, 2):
            settings = {**game.profiles[profile], **values}
            found.append(place(turn=turn, **settings).view(0)["forecast"][0][kind])
        return found

    assert foretold("latest", "flood") == [0] * 4 + [1, 2] + [0] * 7 + [1, 0, 0]
    assert foretold("latest", "drought") == [0] * 9 + [4] * 3 + [0] * 4
    assert set(foretold("seed", "flood") + foretold("seed", "drought")) == {0}
    kept, cleared = (foretold("seed", "rain", winter_clears_rain=clears)[:5] for clears in (False, True))
    assert [rain["disappear"] for rain in kept] == [0] * 5
    assert [rain["disappear"] for rain in cleared] == [64] * 4 + [0]


def test_observation_has_every_square_from_the_seats_side():
    board = place("R2.7", "N6.3", ground="4.5 W", weather="rain 3.3 storm 2.2:1").state
    out = [0] * observation_size(board)
    observe(board, 1, out)
    square = SHARED + PER_SQUARE * at(place(), "6.3")
    assert out[square + 5 : square + 9] == [4, 1, 2, 1]
    assert out[SHARED + PER_SQUARE * at(place(), "2.7") + 6] == 0
    assert out[SHARED + PER_SQUARE * at(place(), "3.3") + 2] == 1
    assert out[SHARED + PER_SQUARE * at(place(), "2.2") + 2] == 2
    assert out[SHARED + PER_SQUARE * at(place(), "4.5") : SHARED + PER_SQUARE * at(place(), "4.5") + 2] == [
        2,
        1,
    ]


def test_refusal_names_the_figures_of_a_square():
    match = place()
    refusal = match.refuse(0, Raise(War.KNIGHT, at(match, "1.7")))
    assert refusal.reason == "(1, 7) is light. Peasants live on light squares, war figures on dark ones."


def test_previews_show_path_costs_and_shot_chances():
    match = place("N4.5 B2.7", "P3.7", ground="5.4 m", turn=2, begun=1)
    ways = {each["square"]: each["cost"] for each in game.knowledge.foresee(match.state, 0, None)["walks"]}
    assert ways[at(match, "3.4")] == 1 and ways[at(match, "2.3")] == 2
    legal = {action.to for action in match.legal(0) if isinstance(action, Move)}
    assert set(ways) == legal
    for way in game.knowledge.foresee(match.state, 0, None)["walks"]:
        after = game.storage.copy(match.state)
        move(after, 0, way["figure"], way["square"])
        assert after.mp[after.on[way["square"]]] == way["next"]
    marsh = game.knowledge.foresee(match.state, 0, Move(at(match, "4.5"), at(match, "5.4")))["walk"]
    assert (marsh["cost"], marsh["points"], marsh["next"]) == (1, 2, 2)
    shot = game.knowledge.foresee(match.state, 0, Attack(at(match, "2.7"), at(match, "3.7")))
    assert shot == {"chance": 1.0}
    rain = place("B2.7", "P3.7", turn=2, begun=1, weather="rain 3.7")
    assert game.knowledge.foresee(rain.state, 0, Attack(at(rain, "2.7"), at(rain, "3.7"))) == {"chance": 0.7}
    assert game.knowledge.foresee(match.state, 0, EndTurn()) == {}
