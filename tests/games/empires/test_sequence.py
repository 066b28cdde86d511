"""Every sentence of the turn change has its step, in the same order."""

from pathlib import Path

import pytest

from endturn.games.empires.rules import sequence
from endturn.games.empires.rules.sequence import STAGES, Each, TurnStep, listed

# The ids of the document's bullets, stage by stage. Steps of the real program that the document leaves out have ids of
# their own, listed below.
BULLETS = {
    "turn start": "T1 T2 T3 T4",
    "phase start": "P1 P2 P3 P4 P5 P6 P7 P7a P7b P7c P8 P9 P10 P11 P12 P13 P14 P15 P16 P17",
    "running": "R1",
    "phase end": "E1 E2a E2b E3 E4 E5a E5b E5c E5d E6a E6b E6c E7 E8 E9a E9b E10a E10b E10c E10d E10e "
    "E10f.1 E10f.2 E10f.3 E10f.4 E10f.5 E10f.6 E10f.7 E10f.8 E10f.9 "
    "E11.1 E11.2 E11.3 E11.4 E11.5 E11.6 E11.8 E12 E13 E14 E15 E16 E17 E18 E19 E20 E21 E22 E23 E24 E25 "
    "E26 E27 E28 E29 E30 E31 E32 E33 E34",
    "turn end": "N1 N2 N3 N4 N5 N6 N7 N8 N9 N10 N11 N12 N13 N14 N15 N16",
    "game over": "G1 G2 G3 G4 G5",
}
ADDED = {"T2a", "P8a", "E5", "E9", "E12a", "E26a", "E27a", "E28a", "E30a", "P10a", "N7a", "N11a"}


def numbers(stage):
    return [line.id for line in listed(stage.steps) if line.id]


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_steps_follow_the_bullets_in_order(stage):
    assert [number for number in numbers(stage) if number not in ADDED] == BULLETS[stage.name].split()


def test_step_ids_are_unique():
    every = [number for stage in STAGES for number in numbers(stage)]
    assert len(every) == len(set(every))
    assert set(every) >= ADDED


def test_readme_has_every_step():
    text = (Path(sequence.__file__).parents[1] / "README.md").read_text()
    steps = [line for stage in STAGES for line in listed(stage.steps) if line.id]
    said = [f"- **{line.id}** {line.text} {line.note}".rstrip() for line in steps]
    assert [line for line in said if line not in text.splitlines()] == []


def test_steps_without_a_body_say_why():
    steps = [step for stage in STAGES for step in walk(stage.steps)]
    for step in steps:
        assert (step.act is None) == step.note.startswith("Nothing to do: "), step.id
        assert step.note == "" or step.note.startswith(("Nothing to do: ", "Only recorded as an event: ")), (
            step.id
        )


def walk(steps):
    for step in steps:
        if isinstance(step, Each):
            yield from walk(step.steps)
        else:
            yield step


def test_cities_finish_their_turns_one_after_the_other():
    economy = next(each for each in STAGES[3].steps if isinstance(each, Each) and "living" in each.title)
    by_lot = next(each for each in economy.steps if isinstance(each, Each) and "random" in each.title)
    assert [step.id for step in by_lot.steps if isinstance(step, TurnStep)][-1] == "E25"
