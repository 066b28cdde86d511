"""Pig: roll a die and gather points, or hold before a one takes them. First to 50 wins."""

from typing import Annotated

from endturn.engine.actions import Action, Actions, Rule
from endturn.engine.answers import Refusal
from endturn.engine.dice import below
from endturn.engine.game import Game, Outcome, Rules, Text
from endturn.engine.record import i16, new, record
from endturn.engine.rule import rule


@record
class Table:
    score: Annotated[list[i16], 2]
    gathered: i16
    turn: i16  # even: the first seat's


class Roll(Action, frozen=True):
    """P1 A one takes what was gathered and ends the turn; any other face is gathered."""


class Hold(Action, frozen=True):
    """P2 What was gathered is kept, and the turn ends; there must be something to keep."""


@rule
def roll(table: Table, seat: int, dice: int) -> None:
    face = 1 + below(dice, 6, 1, table.gathered, table.turn)
    table.gathered = 0 if face == 1 else table.gathered + face
    table.turn += face == 1


@rule
def refuse_hold(table: Table, seat: int) -> int:
    return 4 if table.gathered == 0 else 0


@rule
def hold(table: Table, seat: int) -> None:
    table.score[seat] += table.gathered
    table.gathered = 0
    table.turn += 1


@rule
def to_act(table: Table) -> int:
    return 0 if max(table.score[0], table.score[1]) >= 50 else 1 << table.turn % 2


@rule
def turn(table: Table) -> int:
    return table.turn


def outcome(table: Table) -> Outcome | None:
    places = (1, 2) if table.score[0] > table.score[1] else (2, 1)
    return None if to_act(table) else Outcome("goal", places, ("Fifty first.",) * 2)


game = Game(
    name="pig",
    title="Pig",
    summary="Roll a die and gather points, or hold before a one takes them.",
    version=1,
    seats=("first", "second"),
    actions=Actions({Roll: Rule(None, roll), Hold: Rule(refuse_hold, hold)}),
    rules=Rules(
        state=Table,
        setup=lambda settings, seed: new(Table),
        to_act=to_act,
        turn=turn,
        outcome=outcome,
        default_action=Roll(),
    ),
    text=Text(
        refusals={4: Refusal("P2", "There is nothing to hold yet: roll first.")},
    ),
)
