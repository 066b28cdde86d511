"""A game whose state is no record, because it grows: pile up numbers; who makes the pile reach thirty has won."""

import json
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Actions, Rule
from endturn.engine.answers import Refusal
from endturn.engine.dice import below
from endturn.engine.game import Game, Knowledge, Outcome, Rules, Storage, Text
from endturn.engine.rule import rule


@dataclass(slots=True)
class Pile:
    put: list[int] = field(default_factory=list)


class Put(Action, frozen=True):
    number: Annotated[int, Meta(ge=0, le=3)]


@rule
def refuse_put(pile, seat, number):
    return 4 if number == 0 else 0


@rule
def put(pile, seat, number, dice):
    pile.put.append(number + below(dice, 2, 1, 0, len(pile.put)))


@rule
def to_act(pile):
    return 0 if sum(pile.put) >= 30 else 1 << len(pile.put) % 2


@rule
def turn(pile):
    return len(pile.put)


def outcome(pile):
    first_won = len(pile.put) % 2 == 1
    return (
        None if to_act(pile) else Outcome("thirty", (1, 2) if first_won else (2, 1), ("Thirty first.",) * 2)
    )


def write(pile):
    return json.dumps(pile.put)


def read(text):
    put = json.loads(text)
    if not isinstance(put, list) or not put or not all(type(each) is int and each > 2 for each in put[:1]):
        raise ValueError(f"no pile: {text!r}")
    return Pile(put)


def load(kind, data):
    return Pile(json.loads(data))


game = Game(
    name="pile",
    title="Pile",
    summary="Pile up numbers; who makes the pile reach thirty has won.",
    version=1,
    seats=("first", "second"),
    actions=Actions({Put: Rule(refuse_put, put)}),
    rules=Rules(
        state=Pile,
        setup=lambda settings, seed: Pile([3 + seed % 5]),
        to_act=to_act,
        turn=turn,
        outcome=outcome,
        default_action=Put(1),
    ),
    knowledge=Knowledge(
        view=lambda pile, seat: {"put": list(pile.put)},
    ),
    text=Text(
        refusals={4: Refusal("P1", "Nothing was put on the pile: put one, two or three.")},
        show=write,
        write=write,
        read=read,
    ),
    storage=Storage(
        copy=lambda pile: Pile(list(pile.put)),
        dump=lambda pile: write(pile).encode(),
        load=load,
        compiles=False,
    ),
)
