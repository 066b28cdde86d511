"""Catastrophe plays as the original servers did. `golden/catastrophe` holds their gamelogs."""

import gzip
import json
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

from endturn.cadre.conformance import conform
from endturn.cadre.deltas import changes, merge
from endturn.cadre.dialects.catastrophe import DIALECT
from endturn.cadre.gamelogs import BadCadreLog, read_log
from endturn.cadre.state import session_of, wire
from endturn.engine.match import Match
from endturn.games.catastrophe import game

FOLDER = Path(__file__).parent / "golden" / "catastrophe"
GOLDEN = sorted(FOLDER.glob("*.json.gz"))


@cache
def report_of(file):
    return conform(game, file.read_bytes(), file.name)


@cache
def golden(name):
    return json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))


def compared(log):
    return conform(game, json.dumps(log).encode(), "a log")


def settings_of(log, first):
    return game.configure(log.era, {"max_turns": first["maxTurns"], "map_width": first["mapWidth"]})


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
    state = DIALECT.read(first, settings_of(log, first))
    ours = wire(DIALECT, state, log.era, session_of(first), None, deepcopy(first))
    assert ours == first
    assert changes(None, ours) == log.deltas[0].game


@pytest.mark.parametrize("era", ["2017", "2022"])
def test_our_own_first_state_can_be_read_back(era):
    first = merge({}, read_log(GOLDEN[0].read_bytes()).deltas[0].game)
    match = Match(game, game.configure(era), seed=3)
    ours = wire(DIALECT, match.state, era, session_of(first), None)
    again = DIALECT.read(ours, match.settings)
    assert game.storage.dump(again) == match.dump()
    assert sorted(map(int, ours["gameObjects"])) == list(range(len(ours["gameObjects"])))


def test_golden_files_cover_every_ending():
    told = " ".join(report_of(file).outcome.won for file in GOLDEN)
    for words in (
        "coin",
        "Cat died",
        "Humans died",
        "cat!",
        "enemy humans",
        "most units",
        "most food",
        "most structures",
    ):
        assert words in told, words
    for words in (
        "Both players met",
        "Both players' cats",
        "timed out",
        "disconnected",
        "Max turns reached (",
    ):
        assert words in told, words


def test_golden_files_use_every_unit_function():
    used = set()
    for file in GOLDEN:
        used |= {
            delta.cause.run.function_name
            for delta in read_log(file.read_bytes()).deltas
            if delta.type == "ran" and delta.cause.invalid is None
        }
    assert {name for _, name in DIALECT.functions} <= used


def test_changed_energy_is_found():
    log = deepcopy(golden("2017-16"))
    number = next(i for i, d in enumerate(log["deltas"]) if '"energy"' in json.dumps(d.get("game")) and i > 0)
    objects = log["deltas"][number]["game"]["gameObjects"]
    unit = next(each for each in objects.values() if "energy" in each)
    unit["energy"] += 0.125
    report = compared(log)
    assert report.mismatches > 0
    assert (report.first.delta, report.first.path.split(".")[-1]) == (number, "energy")


def test_missing_run_is_found():
    log = deepcopy(golden("2022-16"))
    runs = [i for i, d in enumerate(log["deltas"]) if d["type"] == "ran" and not d["data"].get("invalid")]
    del log["deltas"][runs[3]]
    assert compared(log).mismatches > 0


@pytest.mark.parametrize(
    "path, value",
    [
        (("0", "cat"), {"id": "1"}),
        (("0", "cat"), {"id": "99999"}),
        (("10", "x"), 99),
        (("10", "structure"), {"id": "7"}),
        (("0", "food"), "much"),
    ],
)
def test_damaged_first_state_is_one_sentence(path, value):
    log = deepcopy(golden("2022-16"))
    log["deltas"][0]["game"]["gameObjects"][path[0]][path[1]] = value
    with pytest.raises(BadCadreLog, match="its first state is damaged|no gamelog"):
        compared(log)


def test_new_objects_get_the_next_id_and_dead_ones_stay_without_tile():
    log = read_log((FOLDER / "2022-21.json.gz").read_bytes())
    state = merge({}, log.deltas[0].game)
    begun = len(state["gameObjects"])
    for delta in log.deltas[1:]:
        state = merge(state, delta.game)
    gone = [
        o
        for o in state["gameObjects"].values()
        if o["gameObjectName"] in ("Unit", "Structure") and not o["tile"]
    ]
    assert len(state["gameObjects"]) > begun and gone
