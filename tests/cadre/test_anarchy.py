"""Anarchy plays as the original servers did. `golden/anarchy` holds their gamelogs, named by server and number."""

import gzip
import json
import random
from functools import cache
from pathlib import Path

import pytest

from endturn.cadre.conformance import PLAYED, conform, total
from endturn.cadre.deltas import changes, merge
from endturn.cadre.dialects.anarchy import DIALECT
from endturn.cadre.gamelogs import BadCadreLog, read_log
from endturn.cadre.state import session_of, wire
from endturn.engine.match import Match
from endturn.games.anarchy import game

FOLDER = Path(__file__).parent / "golden" / "anarchy"
GOLDEN = sorted(FOLDER.glob("*.json.gz"))


@cache
def report_of(file):
    return conform(game, file.read_bytes(), file.name)


def compared(log, name="a log"):
    return conform(game, json.dumps(log).encode(), name)


def golden(name):
    return json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))


def first_run(log, wanted):
    """The index of the first matching run in a log."""
    return next(i for i, d in enumerate(log["deltas"]) if d["type"] == "ran" and wanted(d["data"]))


# --- the originals are reproduced ---


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name[:7])
def test_every_original_state_is_reproduced(file):
    report = report_of(file)
    assert (report.mismatches, report.first) == (0, None)
    assert report.era == file.name[:4]
    assert report.deltas == len(read_log(file.read_bytes()).deltas) - 1


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name[:7])
def test_first_state_is_written_as_it_was_read(file):
    log = read_log(file.read_bytes())
    first = merge({}, log.deltas[0].game)
    settings = game.configure(log.era, {"max_turns": first["maxTurns"]})
    ours = wire(DIALECT, DIALECT.read(first, settings), log.era, session_of(first), None)
    assert ours == first
    assert changes(None, ours) == log.deltas[0].game


def test_golden_files_cover_every_ending():
    told = {report_of(file).outcome.won for file in GOLDEN}
    for words in (
        "coin",
        "to zero.",
        "Both head",
        "Max turns",
        "most health",
        "not burned",
        "sum",
        "timed",
        "disc",
    ):
        assert any(words in reason for reason in told), words


def test_refused_actions_are_shown_in_both_wordings():
    report = compared(golden("2022-25"), "25")
    assert len(report.refused) == 12
    assert all(PLAYED not in each for each in report.refused)
    text = report.text(refusals=True)
    assert "refused 7 times, original: Player" in text
    assert "ours:     Red has no bribes left this turn" in text
    assert "ours:" not in report.text()


def test_total_sums_up_all_files():
    reports = [compared(golden(name)) for name in ("2022-14", "2017-20")]
    assert total(reports) == "total: 2 files, 93 deltas compared, 5 refused actions, 0 mismatches"


# --- what it finds ---


def test_altered_value_is_found_and_shown_in_full():
    log = golden("2022-12")
    at = first_run(log, lambda data: data["run"]["functionName"] == "ignite")
    burning = next(i for i, each in log["deltas"][at]["game"]["gameObjects"].items() if "fire" in each)
    fire = log["deltas"][at]["game"]["gameObjects"][burning]["fire"]
    log["deltas"][at]["game"]["gameObjects"][burning]["fire"] = fire + 1
    report = compared(log)
    first = report.first
    assert (first.delta, first.path) == (at, f"gameObjects.{burning}.fire")
    assert (first.original, first.ours) == (fire + 1, fire)
    assert f"delta {at} (ran), gameObjects.{burning}.fire:\n    original: {fire + 1}\n" in report.text()


def test_value_the_original_did_not_change_is_found():
    log = golden("2017-20")
    at = first_run(log, lambda data: "invalid" not in data)
    del log["deltas"][at]["game"]["gameObjects"][log["deltas"][at]["data"]["player"]["id"]]["bribesRemaining"]
    assert compared(log).first.path.endswith("bribesRemaining")


def test_unknown_attribute_is_found():
    log = golden("2022-14")
    log["deltas"][1]["game"]["moon"] = "full"
    first = compared(log).first
    assert (first.path, first.original, first.ours) == ("moon", "full", "nothing")


def test_clock_changes_are_no_mismatch():
    log = golden("2022-14")
    log["deltas"][2]["game"] = {"gameObjects": {"0": {"timeRemaining": 5}, "1": {"timeRemaining": -7.5}}}
    assert compared(log).mismatches == 0


def test_action_only_the_original_refused_is_found():
    log = golden("2017-05")
    at = first_run(log, lambda data: "invalid" not in data)
    log["deltas"][at]["data"]["invalid"] = {"message": "Not today."}
    report = compared(log)
    assert (report.first.delta, report.first.path) == (at, "refused")
    assert (report.first.original, report.first.ours) == ("Not today.", PLAYED)


def test_action_only_we_refuse_is_found():
    log = golden("2017-05")
    at = first_run(log, lambda data: "invalid" in data)
    del log["deltas"][at]["data"]["invalid"]
    report = compared(log)
    assert (report.first.delta, report.first.path, report.first.original) == (at, "refused", PLAYED)
    assert report.first.ours.endswith(".")


def test_different_returned_value_is_found():
    log = golden("2022-25")
    at = first_run(log, lambda data: data["run"]["functionName"] == "ignite")
    log["deltas"][at]["data"]["returned"] += 1
    report = compared(log)
    assert (report.mismatches, report.first.path) == (1, "returned")


def test_different_winner_is_found():
    log = golden("2022-12")
    for each in log["winners"] + log["losers"]:
        each["index"] = 1 - each["index"]
    report = compared(log)
    assert (report.mismatches, report.first.path, report.first.kind) == (1, "winners", "outcome")


def test_different_winner_in_the_last_state_is_found():
    log = golden("2022-12")
    players = log["deltas"][-1]["game"]["gameObjects"]
    won, lost = ({k: v for k, v in players[p].items() if k in KEPT} for p in ("0", "1"))
    players["0"], players["1"] = (
        {**players["0"], **swapped(won, lost)},
        {**players["1"], **swapped(lost, won)},
    )
    assert compared(log).first.path == "gameObjects.0.lost"


KEPT = "won", "lost", "reasonWon", "reasonLost"


def swapped(before, after):
    blank = {"won": False, "lost": False, "reasonWon": "", "reasonLost": ""}
    return {**{key: blank[key] for key in before}, **after}


@pytest.mark.parametrize("side", ["winners", "losers"])
def test_different_reason_is_found(side):
    log = golden("2017-04")
    log[side][0]["reason"] = "Was lucky."
    report = compared(log)
    assert (report.mismatches, report.first.path) == (1, side)
    assert report.first.original[0]["reason"] == "Was lucky."


def test_different_reason_in_the_last_state_is_found():
    log = golden("2017-20")
    log["deltas"][-2]["game"]["gameObjects"]["1"]["reasonWon"] = "All others slept."
    assert compared(log).first.path == "gameObjects.1.reasonWon"


@pytest.mark.parametrize("name", ["2017-15", "2022-14"])
def test_coin_flip_may_go_either_way(name):
    log = golden(name)
    last = next(d for d in reversed(log["deltas"]) if d["game"])["game"]["gameObjects"]
    last["0"], last["1"] = last["1"], last["0"]
    log["winners"][0]["index"], log["losers"][0]["index"] = (
        log["losers"][0]["index"],
        log["winners"][0]["index"],
    )
    assert compared(log).mismatches == 0


def test_unexpected_coin_flip_is_found():
    log = golden("2022-12")
    said = "Max turns reached (4), Identical AIs played the game - {} via coin flip."
    for each in log["deltas"][-1]["game"]["gameObjects"].values():
        for key, word in (("reasonWon", "Won"), ("reasonLost", "Lost")):
            each.update({key: said.format(word)} if key in each else {})
    assert compared(log).first.path == "gameObjects.0.reasonWon"


def test_truncated_log_has_a_different_outcome():
    log = golden("2022-12")
    log["deltas"] = log["deltas"][:-3]
    assert (compared(log).first.kind, compared(log).first.ours) == ("outcome", [])


def test_settings_of_the_file_are_used():
    log = golden("2022-17")
    assert compared(log).mismatches == 0
    log["settings"]["firePerTurnReduction"] = 2
    assert compared(log).first.path.endswith(".fire")


# --- what the golden files lack ---


def inserted(log, at, data, change=None):
    log["deltas"].insert(at, {"type": "ran", "data": data, "game": change or {}})
    return compared(log)


def log_and_place(era):
    """A log, and the index at which seat 0 is to act and has not acted yet."""
    return (golden("2017-20"), 1) if era == "2017" else (golden("2022-14"), 2)


def own_building(log, seat, kind="Warehouse"):
    objects = log["deltas"][0]["game"]["gameObjects"].values()
    return next(
        {"id": each["id"]}
        for each in objects
        if each["gameObjectName"] == kind and each["owner"]["id"] == str(seat)
    )


@pytest.mark.parametrize("era", ["2017", "2022"])
def test_run_out_of_turn_is_refused(era):
    log, at = log_and_place(era)
    run = {"caller": own_building(log, 1, "WeatherStation"), "functionName": "rotate", "args": {}}
    data = {"player": {"id": "1"}, "run": run, "invalid": "It is not your turn."}
    report = inserted(log, at, {**data, "returned": False} if era == "2022" else data)
    assert report.mismatches == 0
    assert report.refused[0].ours.startswith("It is Red's turn. Blue acts")


@pytest.mark.parametrize("argument", [None, {"id": "0"}, {"id": "99999"}, "2", {}, 7])
@pytest.mark.parametrize("era", ["2017", "2022"])
def test_run_on_a_missing_building_is_refused(era, argument):
    log, at = log_and_place(era)
    run = {"caller": own_building(log, 0), "functionName": "ignite", "args": {"building": argument}}
    data = {"player": {"id": "0"}, "run": run, "invalid": "No building."}
    report = inserted(log, at, {**data, "returned": -1} if era == "2022" else data)
    assert report.mismatches == 0
    assert "must be a Building" in report.refused[0].ours


@pytest.mark.parametrize("era", ["2017", "2022"])
def test_run_of_an_opponents_building_is_refused(era):
    log, at = log_and_place(era)
    target = own_building(log, 1, "FireDepartment")
    run = {"caller": own_building(log, 1), "functionName": "ignite", "args": {"building": target}}
    data = {"player": {"id": "0"}, "run": run, "invalid": "Not yours."}
    report = inserted(log, at, {**data, "returned": -1} if era == "2022" else data)
    assert (report.mismatches, "belongs to Blue" in report.refused[0].ours) == (0, True)


def test_messages_out_of_turn_are_logged_in_2017_and_refused_in_2022():
    note = {
        "player": {"id": "1"},
        "run": {"caller": {"id": "0"}, "functionName": "log", "args": {"message": "hi"}},
    }
    log, at = log_and_place("2017")
    change = {"gameObjects": {"0": {"logs": {"0": "hi", "&LEN": 1}}}}
    assert inserted(log, at, note, change).mismatches == 0
    log, at = log_and_place("2022")
    assert inserted(log, at, {**note, "invalid": "It is not your turn."}).mismatches == 0


def test_timeout_has_other_reasons_in_2017():
    log = golden("2017-20")
    text = json.dumps(log).replace("Disconnected during", "Timed out during")
    log = json.loads(text.replace("players disconnected.", "players timed out."))
    report = compared(log)
    assert (report.mismatches, report.outcome.lost) == (0, "Timed out during gameplay.")


def test_2017_ends_the_turn_if_runturn_returns_an_object():
    log = golden("2017-20")
    at = next(i for i, delta in enumerate(log["deltas"]) if delta["type"] == "finished")
    log["deltas"][at]["data"]["returned"] = {"a": 1}
    assert compared(log).mismatches == 0
    log["deltas"][at]["data"]["returned"] = None
    assert compared(log).first.delta == at


def test_player_may_leave_between_turn_end_and_next_order():
    log = golden("2022-14")
    at = max(i for i, d in enumerate(log["deltas"][:-1]) if d["type"] == "finished")
    said = {
        "0": {"lost": True, "reasonLost": "Disconnected during gameplay."},
        "1": {"won": True, "reasonWon": "All other players disconnected."},
    }
    log["deltas"][at + 1 :] = [{"type": "over", "game": {"gameObjects": said}}]
    log["winners"] = [{"index": 1, "reason": "All other players disconnected."}]
    log["losers"] = [{"index": 0, "reason": "Disconnected during gameplay."}]
    assert compared(log).mismatches == 0


# --- damaged and foreign files ---


def refused_file(data):
    with pytest.raises(BadCadreLog) as caught:
        conform(game, data, "x.json.gz")
    sentence = str(caught.value)
    assert sentence.startswith("x.json.gz: ") and sentence.endswith(".") and "\n" not in sentence
    return sentence


def test_truncated_file_is_one_sentence():
    assert "truncated" in refused_file(GOLDEN[0].read_bytes()[:5000])


def test_log_of_another_game_is_one_sentence():
    log = {**golden("2022-14"), "gameName": "Chess"}
    assert "a gamelog of Chess, not of Anarchy" in refused_file(json.dumps(log).encode())


def test_unsupported_settings_are_one_sentence():
    log = golden("2022-14")
    log["settings"]["mapWidth"] = 5000
    assert "map_width must be a whole number from 2 to 100" in refused_file(json.dumps(log).encode())


@pytest.mark.parametrize(
    "damage",
    [
        lambda game: game.pop("buildings"),
        lambda game: game["buildings"].update({"0": {"id": "77"}}),
        lambda game: game["forecasts"].update({"&LEN": 3}),
        lambda game: game["gameObjects"]["0"].pop("headquarters"),
        lambda game: game["gameObjects"]["0"].update(headquarters={"id": "0"}),
        lambda game: game["gameObjects"]["5"].update(owner={"id": "7"}),
        lambda game: game["gameObjects"]["5"].update(owner=None),
        lambda game: game["gameObjects"]["5"].update(x=1000),
        lambda game: game["gameObjects"]["5"].update(fire="hot"),
        lambda game: game["gameObjects"]["5"].update(gameObjectName="Castle"),
        lambda game: game["players"].update({"2": {"id": "5"}, "&LEN": 3}),
        lambda game: game.update(currentForecast={"id": "5"}),
        lambda game: game.update(currentPlayer={"id": "x"}),
    ],
)
def test_damaged_first_state_is_one_sentence(damage):
    log = golden("2022-14")
    damage(log["deltas"][0]["game"])
    assert "damaged" in refused_file(json.dumps(log).encode())


JUNK = None, -1, 1 << 40, "x", [], {}, {"id": "3"}, {"&LEN": -1}, True, 0.5, "&RM"


def mutilated(log, luck):
    """Replace or remove a random value somewhere in a log's deltas, often in the first."""
    delta = luck.choice([log["deltas"][0], luck.choice(log["deltas"])])
    parts = delta, delta.get("data"), delta.get("game")
    place = luck.choice([part for part in parts if part and isinstance(part, dict)])
    key = luck.choice(list(place))
    while isinstance(place[key], dict) and place[key] and luck.random() < 0.9:
        place = place[key]
        key = luck.choice(list(place))
    if luck.random() < 0.3:
        del place[key]
    else:
        place[key] = luck.choice(JUNK)


@pytest.mark.parametrize("name", ["2022-12", "2022-22", "2017-20"])
def test_mutilated_logs_are_reported_or_are_one_sentence(name):
    text = json.dumps(golden(name))
    for seed in range(15):
        log, luck = json.loads(text), random.Random(seed)
        for _ in range(3):
            mutilated(log, luck)
        try:
            assert compared(log).text()
        except BadCadreLog as error:
            assert str(error).endswith(".")


# --- the table itself ---


def attributes(state):
    """The attribute names of a state, and of each class of objects in it."""
    made = {"Game": set(state)}
    for each in state["gameObjects"].values():
        made.setdefault(each["gameObjectName"], set()).update(each)
    return made


def test_our_match_has_every_original_attribute():
    first = merge({}, read_log(GOLDEN[-1].read_bytes()).deltas[0].game)
    ours = wire(DIALECT, Match(game, seed=3).state, "2022", session_of(first), None)
    assert attributes(ours) == attributes(first)
