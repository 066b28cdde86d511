"""What a seat sees of Snowball Fight, as values, numbers, text and picture."""

import msgspec
import pytest
from rich.text import Text

from endturn.engine.match import Match
from endturn.games.snowball import game
from endturn.games.snowball.actions import Attack, Delay, Move, Ready
from endturn.games.snowball.state import Kind, Posture
from endturn.games.snowball.view import PER_UNIT, SHARED
from endturn.mechanisms.normal import CERTAIN, deviation_of
from endturn.testing.contract import random_play
from games.snowball.position import Unit, act, at, begin, draw, foe, rookie, start

GROUND = {"T": [(11, 9)], "m": [(12, 9)], "~": [(13, 9)], "o": [(14, 9)]}


def shown(battle):
    return Text.from_markup(game.text.show(battle)).plain.splitlines()


def test_a_unit_is_shown_with_all_that_a_client_draws():
    match = begin([Unit(Kind.DODGY_DOT, 5, 6, health=7, snowballs=1), foe(rookie(9, 6, defending=True))])
    dot, enemy = match.view(1)["units"][:2]
    assert (dot["name"], dot["x"], dot["y"], dot["health"], dot["most_health"]) == ("Dodgy Dot", 5, 6, 7, 12)
    assert (dot["snowballs"], dot["posture"], dot["speed"], dot["range"]) == (1, "standing", 6, 12)
    assert enemy["defending"] and enemy["dodge"] == 37
    assert match.view(1)["units"][2] is None


def test_the_last_throw_is_shown():
    match = begin([rookie(10, 10), foe(rookie(14, 10))])
    assert match.view(0)["throw"] is None
    act(match, Attack(1))
    throw = match.view(None)["throw"]
    assert (throw["thrower"], throw["target"], throw["x"], throw["y"]) == (0, 1, 10, 10)
    assert throw["flight"] in ("hit", "dodged", "wide") and 0 <= throw["flown"] < CERTAIN
    assert abs(deviation_of(throw["flown"])) < 5 << 16


def test_an_observation_has_a_place_for_every_unit_and_tile():
    battle = draw([rookie(10, 10), foe(rookie(14, 12, posture=Posture.PRONE))], GROUND)
    numbers = [0] * game.knowledge.observation_size(battle)
    game.knowledge.observe(battle, 1, numbers)
    assert numbers[SHARED : SHARED + 7] == [0, Kind.ROOKIE, 10, 10, 4, 3, Posture.STANDING]
    assert numbers[SHARED + PER_UNIT : SHARED + PER_UNIT + 7] == [1, Kind.ROOKIE, 14, 12, 4, 3, Posture.PRONE]
    ground = numbers[SHARED + 24 * PER_UNIT :]
    assert ground[9 * 40 + 11 : 9 * 40 + 15] == [2, 3, 1, 4] and len(ground) == 40 * 24


def test_the_picture_has_cover_ice_units_and_the_turns_to_come():
    battle = draw(
        [rookie(10, 9), foe(Unit(Kind.SLUGGER, 15, 9, health=2)), foe(rookie(16, 9, posture=Posture.DOWNED))],
        GROUND,
    )
    lines = shown(battle)
    assert lines[0] == "Turn 10, tick 1000: Blue's Rookie #0"
    assert lines[1 + 9][20:34] == "R T m ~ o G·Rx"
    assert any(line.startswith("Next: R0@1000 R0@1096") for line in lines)
    assert any("Slugger" in line and " 2/9  ooo S3 M4 R11 A89 D7" in line for line in lines)


def test_the_picture_has_the_dodge_of_the_moment():
    units = [
        rookie(10, 9, defending=True),
        rookie(12, 9, posture=Posture.PRONE),
        rookie(3, 3),
        foe(rookie(15, 9)),
    ]
    lines = shown(draw(units, active=1))
    dodges = [
        next(line for line in lines if f"#{u} " in line)[:53].split(" D")[1].split()[0] for u in (0, 2, 4)
    ]
    assert dodges == ["37", "0", "7"]


def test_the_picture_has_the_ice_that_a_unit_stands_on():
    battle = draw([rookie(13, 9), rookie(10, 9), foe(rookie(20, 9))], GROUND)
    assert "[reverse underline cyan]R [/]" in game.text.show(battle) and "[bold cyan]R [/]" in game.text.show(
        battle
    )
    rows = {u: next(line for line in shown(battle) if f"R #{u} " in line)[:54] for u in (0, 2)}
    assert rows[0].endswith("D7  ~") and not rows[2].strip().endswith("~")


@pytest.mark.rule("P2")
def test_the_picture_has_the_zones_while_units_are_placed():
    match = Match(game, {"map": "frozen_ring"}, seed=1)
    act(match, Ready(), Ready())
    row = shown(match.state)[1 + 4]  # eight tiles north of Blue's start at (6, 12)
    assert row[2 * 6 + 1] == "'" and row[2 * 7 + 1] == row[2 * 5 + 1] == " "
    assert row[2 * 33 + 1] == "·"
    act(match, Ready(), Ready())
    assert "'" not in "".join(shown(match.state)[1:25])


def test_every_phase_can_be_shown():
    match = Match(game, game.configure("automated", {"max_ticks": 300}), seed=4)
    titles = set()
    for _ in random_play(match, 5000):
        titles.add(shown(match.state)[0].split()[0])
    assert titles == {"Draft:", "Muster:", "Turn"}
    assert shown(match.state)[0].endswith(("has won", "a draw"))


def test_refusals_speak_of_units_and_places():
    match = begin([rookie(10, 10), foe(rookie(30, 10))], {"T": [(11, 10)]})
    said = [match.refuse(0, action).reason for action in (Attack(1), Move(at(11, 10)), Move(at(30, 2)))]
    assert said == [
        "Rookie #1 is 20.0 tiles away, but Rookie #0 throws only 8 tiles.",
        "Units cannot walk on (11, 10). Choose snow or ice.",
        "Rookie #0 cannot reach (30, 2). It has 8 movement points left.",
    ]


def test_a_position_is_written_with_its_units_and_map():
    battle = draw([rookie(10, 9), foe(rookie(15, 9))], GROUND, max_ticks=7000)
    text = game.text.write(battle)
    assert "set max_ticks=7000 |" in text and f"R0,{at(10, 9)},4,3,1,0,1000," in text
    assert game.storage.dump(game.text.read(text)) == game.storage.dump(battle)


@pytest.mark.parametrize(
    "before, after",
    [
        ("snowball ", "snowbull "),
        ("R0,", "Z0,"),
        (f",{at(10, 9)},", f",{at(11, 9)},"),  # on a tree
        (f",{at(10, 9)},", f",{at(15, 9)},"),  # where another stands
        ("active 0", "active 4"),
        ("now 1000", "now later"),
        ("...T", "..T"),
        ("max_ticks=7000", "max_ticks=-1"),
    ],
)
def test_impossible_position_is_refused(before, after):
    text = game.text.write(draw([rookie(10, 9), foe(rookie(15, 9))], GROUND, max_ticks=7000))
    assert before in text
    with pytest.raises(ValueError, match="not a position of Snowball Fight"):
        game.text.read(text.replace(before, after, 1))


def test_move_can_be_undone_but_not_a_throw():
    match = begin([rookie(10, 10), foe(rookie(14, 10))])
    before = match.dump()
    act(match, Move(at(10, 12)))
    match.undo(0)
    assert match.dump() == before
    act(match, Attack(1))
    assert match.undo(0).rule == "undo"


def test_match_continues_from_a_position():
    match = start(game.text.read(game.text.write(draw([rookie(10, 9), foe(rookie(15, 9))]))))
    act(match, Delay(), Delay())
    assert match.turn == 12


def test_what_a_bot_imagines_of_a_hidden_army_is_a_possible_one():
    match = Match(game, seed=2)
    while match.turn == 0 and len(match.to_act()) == 1:
        act(match, Ready())
    for seed in range(5):
        other = game.knowledge.conceal(game.storage.copy(match.state), 0, seed)
        tiles = [other.tile[u] for u in range(24) if other.posture[u] != Posture.ABSENT]
        assert len(set(tiles)) == len(tiles) and other.points[1] == 0
        assert [other.tile[u] for u in range(0, 24, 2)] == [match.state.tile[u] for u in range(0, 24, 2)]


# --- previews for clients -----------------------------------------------------------------------------------


def test_client_sees_what_the_unit_could_do():
    battle = draw([rookie(10, 10), rookie(13, 10), foe(rookie(16, 10)), foe(rookie(30, 10))])
    told = game.knowledge.foresee(battle, 0, None)
    near, far = told["throws"]
    assert (told["unit"], near["target"], near["reason"], near["point"]) == (0, 1, None, [10, 10])
    assert near["friends"][0]["unit"] == 2
    assert far["reason"] == "Rookie #3 is 20.0 tiles away, but Rookie #0 throws only 8 tiles."
    assert {"x": 10, "y": 11, "cost": 1, "double": False, "ice": False} in told["walks"]
    assert msgspec.json.decode(msgspec.json.encode(told)) == told


def test_client_sees_the_preview_of_an_action():
    battle = draw([rookie(10, 10), foe(rookie(16, 10))], {"~": [(12, 10)]})
    assert game.knowledge.foresee(battle, 0, Delay())["order"][:2] == [[0, 1048], [0, 1144]]
    assert [each["target"] for each in game.knowledge.foresee(battle, 0, Attack(1))["throws"]] == [1]
    walk = game.knowledge.foresee(battle, 0, Move(at(12, 10)))
    assert (
        walk["ice"]
        and walk["throws"][0]["open"] > game.knowledge.foresee(battle, 0, None)["throws"][0]["open"]
    )


def test_no_preview_before_the_battle_or_for_the_other_seat():
    assert game.knowledge.foresee(Match(game, seed=1).state, 0, None) == {}
    assert game.knowledge.foresee(draw([rookie(10, 10), foe(rookie(16, 10))]), 1, None) == {}
