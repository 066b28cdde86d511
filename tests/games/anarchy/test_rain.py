"""Tests Rain over Anarchy; without the setting no byte is different."""

import pytest

from endturn.bots import play
from endturn.engine import record
from endturn.engine.match import Match, Refusal
from endturn.games.anarchy import game
from endturn.games.anarchy.actions import EndTurn, Ignite
from endturn.games.anarchy.notation import settings_of
from endturn.games.anarchy.rules import weather
from endturn.games.anarchy.state import RAIN_APPEARS, RAIN_VANISHES
from endturn.mechanisms.weather import count_units, put_in
from endturn.testing.contract import CHECKS
from endturn.testing.play import act, refused
from games.anarchy.drawing import begin, fires

rule = pytest.mark.rule
SMALL = {"map_width": 12, "map_height": 8, "max_turns": 80, "rain": True}
DRAWN = {"map_width": 10, "map_height": 10, "rain": False}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_rain_variant_keeps_the_contract(check):
    check(game, game.configure(values=SMALL))


def under(drawing, sky="", wind="", **situation):
    """Return a match from a drawing with weather over its cells, such as r3 s4:1."""
    text = game.text.write(begin(drawing, wind, **{**DRAWN, **situation}).state)
    text = text.replace("set ", "set rain=true ", 1) + f" | calm {sky}"
    state = game.parse_position(text)
    return Match(game, settings_of(state), start=state)


@rule("Y1")
def test_city_without_the_setting_has_no_rain_columns():
    dry, wet = (game.rules.setup(game.configure(values={"rain": rain}), 3) for rain in (False, True))
    assert len(dry.rain) == len(dry.storm_months) == 0 and len(wet.storm_months) == 800
    assert "sky" not in game.knowledge.view(dry, 0) and game.knowledge.view(wet, 0)["sky"]["rain"] == []
    assert record.dump(dry)[80:] == record.dump(wet)[80 : len(record.dump(dry))]


@rule("Y1")
def test_sky_is_in_view_notation_and_picture():
    match = under("w f", "r1 r25 s40:1")
    assert match.view(0)["sky"]["rain"] == [1, 25] and match.view(0)["sky"]["storms"] == [40]
    assert game.text.write(match.state).endswith("| calm r1 r25 s40:1")
    drawn = game.text.show(match.state)
    assert drawn.count("[bright_blue]'[/]") == 2 and drawn.count("⚡") == 1


@pytest.mark.parametrize("sky", ["hail r1", "calm x1", "calm r100", "calm s1:9", "calm r1 | calm"])
def test_invalid_sky_is_refused(sky):
    text = game.text.write(under("w f").state).rpartition("|")[0]
    with pytest.raises(ValueError, match="not a position of Anarchy"):
        game.parse_position(f"{text}| {sky}")
    with pytest.raises(ValueError, match="the sky"):
        game.parse_position(text.replace("rain=True", "", 1) + "| calm")


@rule("Y2")
def test_rains_appear_and_disappear_by_the_month():
    counts = []
    match = under("w f", wind="N1 N1")
    for _ in range(34):
        counts.append(count_units(match.state.rain, 25))
        act(match, EndTurn())
    assert counts[:9] == [0] * 9 and max(counts[16:]) >= 10
    assert sum(RAIN_APPEARS) - sum(RAIN_VANISHES) == 1 and len(RAIN_APPEARS) == len(RAIN_VANISHES) == 16


@rule("Y2")
def test_new_month_adds_and_removes_rain_by_the_table():
    match = under("w f", " ".join(f"r{cell}" for cell in range(50, 60)))
    city = match.state
    city.turn = 2 * 9  # 1 appears, 5 disappear
    city.intensity[city.current_forecast], city.direction[city.current_forecast] = 1, 2
    weather(city, 1)
    assert count_units(city.rain, 25) == 10 - 5 + 1


@rule("Y3")
@pytest.mark.parametrize("wind, cell", [("N3", 34), ("E3", 45), ("S3", 54), ("W3", 43)])
def test_rain_moves_with_the_wind(wind, cell):
    match = under("w f", "r44", wind)
    act(match, EndTurn())
    assert match.view(0)["sky"]["rain"] == [cell]


@rule("Y3")
def test_rain_leaves_the_map_and_strays_when_calm():
    match = under("w f", "r4", "N3")
    act(match, EndTurn())
    assert match.view(0)["sky"]["rain"] == []
    match = under("w f", "r44", "N0")
    act(match, EndTurn())
    (cell,) = match.view(0)["sky"]["rain"]
    assert cell in (33, 34, 35, 43, 45, 53, 54, 55)


@rule("Y4")
def test_rain_removes_two_fire_below():
    match = under("w*9 f*9 p*2", "r11 r12", "N5", wind_crosses_buildings=False)
    act(match, EndTurn())
    assert fires(match, 3) == [8, 6, 0]


@rule("Y5")
def test_meeting_rains_form_a_storm_for_a_month():
    match = under("w f*19", "r11 r11")
    city = match.state
    for cell in (0, 1):
        put_in(city.arriving_rain, cell, True)  # with the two rains that the wind brings, two over each cell
        put_in(city.rain, 10 + cell, True)
    city.intensity[0], city.direction[0] = 3, 0
    weather(city, 1)
    assert city.storm[0] == 0b11 and fires(match, 2) == [3, 20]
    city.turn = 2
    weather(city, 1)
    assert not any(city.storm) and not any(city.storm_months) and count_units(city.rain, 25) <= 2


@rule("Y6")
def test_building_under_a_storm_cannot_be_bribed():
    match = under("w f", "s0:1")
    refusal = refused(match, Ignite(0, 1))
    assert refusal.rule == "Y6" and "thunderstorm" in refusal.reason
    assert match.refuse(0, {"do": "extinguish", "fire_department": 1, "building": 0}) is None


def test_bots_play_with_rain_and_break_no_rule(monkeypatch):
    broken = []
    submit = Match.submit

    def watched(match, seat, said):
        answer = submit(match, seat, said)
        broken.extend([(said, answer)] if isinstance(answer, Refusal) else [])
        return answer

    monkeypatch.setattr(Match, "submit", watched)
    for seed in range(3):
        match = Match(game, {"rain": True, "max_turns": 100}, seed=seed)
        play(match, [game.bots["arsonist"](1), game.bots["warden"](2)])
    assert broken == []
