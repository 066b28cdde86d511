"""Tests views, pictures, observations, words and notation of Catastrophe."""

import numpy as np
import pytest
from rich.text import Text

from endturn.engine.match import Match
from endturn.games.catastrophe import game
from endturn.games.catastrophe.actions import Attack, Construct, Harvest, Move
from endturn.games.catastrophe.state import Structure
from endturn.games.catastrophe.view import PER_TILE, PER_UNIT, SHARED
from games.catastrophe.position import act, at, begin, draw, end_turns, start


def picture(world) -> list[str]:
    return Text.from_markup(game.text.show(world)).plain.splitlines()


def test_picture_is_a_map_that_fits_a_terminal():
    lines = picture(Match(game, seed=1).state)
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) == 1 + 1 + 18 + 2 + 2
    assert all(len(line) == 80 for line in lines[2:20])


@pytest.mark.parametrize(
    "cell, shown",
    [
        ("s0*57", " s5"), ("g1", " g*"), ("S0+c0*99", "Sc9".replace("c", "C")), ("h-", " h*"), ("==+m1*8", "=m0"),
        ("W0:30", " W3"), ("M1", " M+"), ("N-", " N+"), ("S1", " S5"), ("==", " =="), ("f47", " f4"), (",12", " ,1"),
        ("%30", " %3"), (".", " · "),
    ],
)  # fmt: skip
def test_tile_shows_unit_energy_structure_and_items(cell, shown):
    line = picture(draw(f". {cell} ."))[2]
    assert line[2 + 3 : 2 + 6] == shown


def test_colours_distinguish_the_sides():
    shown = game.text.show(draw("s0 s1 h- S0 S1"))
    assert "[bold red]s*" in shown and "[bold blue]s*" in shown and "[bold white]h*" in shown
    assert "[red]S5" in shown and "[blue]S5" in shown


def test_picture_shows_turn_stores_and_winner():
    world = draw("g0 s1", turn=3, max_turns=4)
    assert picture(world)[0] == "Turn 3 of 4   Blue to act"
    match = start(world)
    end_turns(match)
    lines = picture(match.state)
    assert "has won" in lines[0]
    assert lines[-4].startswith("Red  overlord 100  units 3 (h1 s0 g1 b0 m0)  food 1000 - 2  structures 0")


def test_view_shows_everything_except_units_that_are_gone():
    match = begin("s0 h-*25 s0 S1")
    act(match, Attack(0, at(1, 0)))
    seen = match.view(1)
    assert seen["units"][1] is None
    assert seen["units"][0] | {} == {
        "job": "soldier", "owner": 0, "tile": 0, "energy": 75.0, "moves": 0, "acted": True, "starving": False,
        "food": 0, "materials": 0, "turns_to_die": -1, "bound_for": -1, "squad": [0],
    }  # fmt: skip
    assert seen["tiles"][3] == {"structure": "shelter", "structure_materials": 50, "structure_owner": 1}
    assert seen["tiles"][5] == {}
    assert match.view(0) == match.view(None) == seen


def test_observation_is_the_seats_view_as_numbers():
    world = draw("g0*57.5 s1 W1 f40+,7+%9")
    out = np.zeros(game.knowledge.observation_size(world), np.int16)
    game.knowledge.observe(world, 1, out)
    assert list(out[:8]) == [2, 718, 1000, 1000, 0, 0, 6, 0]
    assert list(out[SHARED : SHARED + PER_UNIT]) == [1, -1, 0, 0, 3, 57, 4, 0, 0, -1, 0, 0]
    assert out[SHARED + PER_UNIT + 1] == 1
    tiles = out[SHARED + PER_UNIT * len(world.energy) :]
    assert list(tiles[2 * PER_TILE : 3 * PER_TILE]) == [Structure.WALL, 1, 75, 0, 0, 0, 0]
    assert list(tiles[3 * PER_TILE : 4 * PER_TILE]) == [0, 0, 0, 40, 0, 7, 9]


def test_refusals_name_the_problem_and_the_fix():
    match = begin("g0*20 f40 . W1\n. . .")
    said = match.submit(0, Harvest(0, at(1, 0))).reason
    assert said == "Gatherer #0 has 20 energy but needs 75. Let it rest near a shelter."
    said = match.submit(0, Move(0, at(3, 1))).reason
    assert said == "Gatherer #0 at (0, 0) is 4 steps from tile (3, 1). Choose one of the adjacent tiles."
    match = begin("b0 .")
    said = match.submit(0, Construct(0, at(1, 0), Structure.ROAD)).reason
    assert said == "A road cannot be constructed. Choose wall or shelter or monument."


def test_both_seats_get_a_reason():
    world = draw("g0 g0 g1", turn=3, max_turns=4)
    match = start(world)
    end_turns(match)
    assert match.outcome.how == "turn_limit: units"
    assert match.outcome.reasons == (
        "The turn limit was reached: Red has more units.",
        "The turn limit was reached: Blue has fewer units.",
    )
    assert match.outcome.winner == 0


# --- the line of text ---------------------------------------------------------------------------------------


def test_position_round_trips_in_every_profile():
    for profile in game.profiles:
        match = Match(game, game.configure(profile, {"max_turns": 90}), seed=5)
        for when in range(500):
            waiting = match.to_act()
            if not waiting:
                break
            match.submit(waiting[0], match.random_action(waiting[0], 9, when))
            if when % 25 == 0:
                assert game.storage.dump(game.parse_position(game.text.write(match.state))) == match.dump()


@pytest.mark.parametrize(
    "change",
    [
        ("catastrophe", "anarchy"), ("seat 0", "seat 7"), ("end 0,0,-1", "end 0,0,5"), ("store 97,100", "store 97"),
        ("overlord 0,2", "overlord 0,1"), ("overlord 0,2", "overlord 0,9"), ("set ", "set speed=3 "),
        ("C0,0,", "X0,0,"), ("C0,0,", "C0,99,"), ("C0,0,", "C0,1,"), ("C0,0,", "C0,-2,"),
        ("35S1,50", "99S1,50"), ("35S1,50", "35Q1,50"),
    ],
)  # fmt: skip
def test_invalid_position_is_a_clear_error(change):
    good = (
        "catastrophe 0 seat 0 store 97,100 upkeep 1,1 overlord 0,2 end 0,0,-1 set map_width=6 map_height=6 "
        "| C0,0,100,2 h0,1,100,4 C1,35,100,2 h1,34,100,4 | 0S0,50 35S1,50"
    )
    assert game.text.write(game.parse_position(good)) == good
    with pytest.raises(ValueError, match="not a position of Catastrophe"):
        game.parse_position(good.replace(*change))


def test_previewed_walks_match_legal_moves():
    match = Match(game, seed=3)
    ways = game.knowledge.foresee(match.state, 0, None)["walks"]
    unit = next(way["unit"] for way in ways if way["steps"] > 2)
    beside = {way["tile"] for way in ways if way["unit"] == unit and way["steps"] == 1}
    legal = {action.tile for action in match.legal(0) if isinstance(action, Move) and action.unit == unit}
    assert beside == legal
    assert max(way["steps"] for way in ways if way["unit"] == unit) == match.state.moves[unit]
    assert game.knowledge.foresee(match.state, 0, Move(unit, min(beside))) == {}
