"""Seasonal Snowball: a variant by a setting and a table; without it not a byte is different."""

import pytest

from endturn.bots import play
from endturn.engine import record
from endturn.engine.answers import Accepted
from endturn.engine.match import Match, Refusal
from endturn.games.snowball import game
from endturn.games.snowball.actions import Delay, Rearm
from endturn.games.snowball.notation import settings_of
from endturn.games.snowball.rules.acting import is_ice, is_open
from endturn.games.snowball.rules.turns import has_snow, turn_page
from endturn.games.snowball.setup import write_almanac
from endturn.games.snowball.state import APPEARS, MEADOW, MONTHS, POND, TICKS_A_MONTH, VANISHES, Posture
from endturn.testing.contract import CHECKS
from games.snowball.position import at, draw, foe, rookie

rule = pytest.mark.rule
SMALL = {"army_points": 4, "max_ticks": 9000, "seasons": True}
LAKE = {"~": [(x, y) for x in range(10, 16) for y in range(10, 14)]}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_variant_keeps_the_contract(check):
    check(game, game.configure(values=SMALL))


def battle(*units, seed=1, **settings):
    state = draw(list(units), LAKE, seasons=True, **settings)
    write_almanac(state, seed)
    return state


def match_of(state):
    return Match(game, settings_of(state), start=state)


@rule("Y1")
def test_ponds_are_the_ice_of_the_start_and_meadows_all_else_that_is_open():
    state = battle(rookie(2, 3), foe(rookie(30, 3)))
    assert sum(row.bit_count() for row in state.ground[POND]) == len(LAKE["~"])
    for row in range(state.height):
        assert state.ground[POND][row] == state.ice[row]
        assert state.ground[MEADOW][row] == state.open[row] & ~state.ice[row]


@rule("Y1")
def test_without_the_setting_there_is_no_room_for_seasons():
    dry, wet = (game.rules.setup(game.configure(values={"seasons": seasons}), 3) for seasons in (False, True))
    assert len(dry.almanac) == len(dry.ground) == 0 and len(wet.almanac) == MONTHS
    assert "season" not in game.knowledge.view(dry, 0) and game.knowledge.view(wet, 0)["season"]["month"] == 0
    assert len(record.dump(wet)) - len(record.dump(dry)) == 8 * (MONTHS + 2) * len(dry.open)


def share(state, month, ground):
    there = [row for row in state.ground[ground]]
    covered = sum((row & page).bit_count() for row, page in zip(there, state.almanac[month], strict=True))
    return covered / sum(row.bit_count() for row in there)


@rule("Y2")
def test_the_almanac_follows_the_year():
    state = battle(rookie(2, 3), foe(rookie(30, 3)))
    assert share(state, 0, POND) == share(state, 0, MEADOW) == 1
    assert share(state, 3, MEADOW) > 0.98
    assert 0.15 < share(state, 6, MEADOW) < 0.45
    assert share(state, 9, MEADOW) < 0.03 and share(state, 9, POND) == 0
    assert 0.85 < share(state, 15, MEADOW) <= 1
    assert all(len(row) == MONTHS for row in (*APPEARS, *VANISHES))


@rule("Y2")
def test_another_seed_has_another_almanac_and_everybody_reads_it():
    pages = [battle(rookie(2, 3), foe(rookie(30, 3)), seed=seed) for seed in (1, 2)]
    assert game.knowledge.view(pages[0], 0)["season"] != game.knowledge.view(pages[1], 0)["season"]
    assert game.knowledge.view(pages[0], 0)["season"] == game.knowledge.view(pages[0], 1)["season"]


@rule("Y3")
def test_a_month_begins_with_the_first_turn_in_it_and_water_is_closed():
    state = battle(rookie(2, 3), foe(rookie(30, 3)))
    state.now, state.ready[0], state.ready[1] = (
        9 * TICKS_A_MONTH - 1,
        9 * TICKS_A_MONTH - 1,
        9 * TICKS_A_MONTH + 5,
    )
    match = match_of(state)
    assert is_ice(match.state, at(12, 12)) and is_open(match.state, at(12, 12))
    assert isinstance(match.submit(0, Delay()), Accepted)
    assert match.state.now >= 9 * TICKS_A_MONTH
    assert not is_ice(match.state, at(12, 12)) and not is_open(match.state, at(12, 12))
    turn_page(match.state, 3)
    assert is_ice(match.state, at(12, 12)) and is_open(match.state, at(12, 12))


@rule("Y4")
def test_unit_on_breaking_ice_moves_ashore_prone():
    state = battle(rookie(10, 12, defending=True), rookie(9, 12), foe(rookie(13, 11)))
    turn_page(state, 9)
    tiles = [int(state.tile[unit]) for unit in (0, 1, 2)]
    assert len(set(tiles)) == 3 and all(is_open(state, tile) for tile in tiles)
    assert tiles[2] == at(9, 12) and state.posture[2] == Posture.STANDING
    assert tiles[0] in (at(9, 11), at(9, 13)) and state.posture[0] == Posture.PRONE and not state.defending[0]
    assert state.posture[1] == Posture.PRONE


@rule("Y4")
def test_downed_unit_stays_downed():
    state = battle(rookie(10, 12, posture=Posture.DOWNED), rookie(2, 2), foe(rookie(30, 3)), active=2)
    turn_page(state, 9)
    assert state.posture[0] == Posture.DOWNED and is_open(state, int(state.tile[0]))


@rule("Y5")
def test_without_snow_there_is_no_rearming():
    state = battle(rookie(2, 3, snowballs=0), foe(rookie(30, 3)))
    assert has_snow(state, at(2, 3)) and match_of(state).refuse(0, Rearm()) is None
    state.now = 9 * TICKS_A_MONTH
    refusal = match_of(state).refuse(0, Rearm())
    assert refusal.rule == "Y5" and "no snow" in refusal.reason


def test_position_with_seasons_round_trips_and_nonsense_is_refused():
    text = game.text.write(battle(rookie(2, 3), foe(rookie(30, 3))))
    assert game.text.write(game.parse_position(text)) == text
    for wrong in (text.rpartition(" | ")[0], text + " ff", text.replace("seasons=True", "")):
        with pytest.raises(ValueError, match="not a position of Snowball Fight"):
            game.parse_position(wrong)


def test_the_bots_play_it_and_break_no_rule(monkeypatch):
    broken = []
    submit = Match.submit

    def watched(match, seat, said):
        answer = submit(match, seat, said)
        broken.extend([(said, answer)] if isinstance(answer, Refusal) else [])
        return answer

    monkeypatch.setattr(Match, "submit", watched)
    play(Match(game, SMALL, seed=2), [game.bots["tactician"](1), game.bots["tactician"](2)])
    assert broken == []
