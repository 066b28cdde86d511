"""Treasure: two divers on one shore look for gold. It has a bit of everything that the engine must handle.

Fields of every type, an action that rolls, one that shows a hidden fact, one that may come at any time,
pieces with several options each, settings of every type, and (`together`) turns in which both seats may act.
"""

from collections.abc import MutableSequence
from enum import IntEnum
from typing import Annotated, Any

from msgspec import Meta

from endturn.engine import record
from endturn.engine.actions import Action, Actions, Row, Rule
from endturn.engine.answers import Refusal
from endturn.engine.choices import Choices
from endturn.engine.dice import Stream, below
from endturn.engine.game import Game, Knowledge, Outcome, Rules, Text
from endturn.engine.record import flag, i8, i16, i32
from endturn.engine.rule import rule
from endturn.engine.settings import Settings as AnySettings

CELLS, AIR = 8, 4
GOLD, BET = 1, 2  # purposes of rolls
SWIM, DIG, BETS, MARK, END_TURN, LEAVE = range(6)
NOBODY = -1


class Direction(IntEnum):
    LEFT = 0
    RIGHT = 1


class Why(IntEnum):
    RESIGNED = 0
    TIMED_OUT = 1
    DISCONNECTED = 2


class Bounty(IntEnum):
    POOR = 1
    RICH = 5


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Treasure."""

    max_turns: Annotated[int, Meta(ge=1, le=1000, description="turns until the gold is counted")] = 6
    bounty: Annotated[Bounty, Meta(description="how much gold there is")] = Bounty.RICH
    together: Annotated[bool, Meta(description="both seats act in every turn")] = False


@record.record
class Shore:
    mark: i32
    turn: i16
    air: i16
    place: Annotated[list[i16], 2]
    score: Annotated[list[i16], 2]
    gone: i8
    spare: Annotated[list[i8], 3]
    settings: Settings
    gold: Annotated[list[i8], CELLS]  # hidden until somebody digs
    dug: Annotated[list[flag], CELLS]


class Swim(Action, frozen=True):
    """S1 A diver swims as far as there are cells (S2) and air (S3)."""

    direction: Direction
    steps: Annotated[int, Meta(ge=1, le=3)]


class Dig(Action, frozen=True):
    """D1 A diver takes the gold of a cell that nobody has dug yet, and all see how much it was."""


class Bet(Action, frozen=True):
    """B1 A die decides whether a diver wins its stake or loses it."""

    double: bool = False


class Mark(Action, frozen=True):
    """M1 A diver leaves a number on the shore; any that fits."""

    number: int


class EndTurn(Action, frozen=True):
    """E1 The turn passes on."""


class Leave(Action, frozen=True):
    """L1 A diver gives up, whoever is to act."""

    why: Why = Why.RESIGNED


NO_AIR, OFF_THE_SHORE, DUG_ALREADY, MARK_TOO_LARGE = range(4, 8)

REFUSALS = {
    NO_AIR: Refusal("S3", "{me} has air for {air} more, and {verb} takes more than that: end the turn."),
    OFF_THE_SHORE: Refusal("S2", "From cell {cell} that leads off the shore, which has cells 0 to {last}."),
    DUG_ALREADY: Refusal("D1", "Cell {cell} has been dug already; swim to another."),
    MARK_TOO_LARGE: Refusal("M1", "A mark is a number from 0 to 99."),
}


def words(shore: Shore, seat: int, action: Action) -> dict[str, object]:
    return {
        "me": ("Ann", "Bob")[seat],
        "air": shore.air,
        "cell": shore.place[seat],
        "last": CELLS - 1,
        "verb": type(action).__name__,
    }


@rule
def refuse_swim(shore: Shore, seat: int, direction: int, steps: int) -> int:
    goal = shore.place[seat] + (steps if direction == Direction.RIGHT else -steps)
    if goal < 0 or goal >= CELLS:
        return OFF_THE_SHORE
    return NO_AIR if steps > shore.air else 0


@rule
def swim(shore: Shore, seat: int, direction: int, steps: int) -> None:
    shore.place[seat] += steps if direction == Direction.RIGHT else -steps
    shore.air -= steps


@rule
def refuse_dig(shore: Shore, seat: int) -> int:
    if shore.air < 1:
        return NO_AIR
    return DUG_ALREADY if shore.dug[shore.place[seat]] else 0


@rule
def dig(shore: Shore, seat: int) -> None:
    shore.air -= 1
    shore.dug[shore.place[seat]] = True
    shore.score[seat] += shore.gold[shore.place[seat]]


@rule
def refuse_bet(shore: Shore, seat: int, double: int) -> int:
    return NO_AIR if shore.air < 1 else 0


@rule
def bet(shore: Shore, seat: int, double: int, dice: int) -> None:
    stake = 2 if double else 1
    won = below(dice, 2, BET, shore.air, shore.turn) == 1
    shore.air -= 1
    shore.score[seat] += stake if won else -stake


@rule
def refuse_mark(shore: Shore, seat: int, number: int) -> int:
    return 0 if 0 <= number < 100 else MARK_TOO_LARGE


@rule
def mark(shore: Shore, seat: int, number: int) -> None:
    shore.mark = number


@rule
def end_turn(shore: Shore, seat: int) -> None:
    shore.turn += 1
    shore.air = AIR


@rule
def leave(shore: Shore, seat: int, why: int) -> None:
    shore.gone = seat


@rule
def to_act(shore: Shore) -> int:
    if shore.gone != NOBODY or shore.turn >= shore.settings.max_turns:
        return 0
    return 3 if shore.settings.together else 1 << shore.turn % 2


@rule
def turn(shore: Shore) -> int:
    return shore.turn


@rule
def pieces(shore: Shore) -> int:
    return 2


@rule
def options(shore: Shore) -> int:
    return 9


@rule
def action_of(shore: Shore, piece: int, option: int) -> Row:
    """The diver's nine options, and the turn's one."""
    if piece == 1:
        return END_TURN if option == 0 else -1, 0, 0, 0, 0
    if option < 6:
        return SWIM, option % 2, 1 + option // 2, 0, 0
    return DIG if option == 6 else BETS, option - 7 if option > 6 else 0, 0, 0, 0


@rule
def is_idle(shore: Shore, seat: int, piece: int) -> bool:
    return piece == 0 and shore.air == 0


@rule
def observe(shore: Shore, seat: int, out: MutableSequence[int]) -> None:
    out[0], out[1] = shore.turn, shore.air
    out[2], out[3] = shore.place[seat], shore.place[1 - seat]
    out[4], out[5] = shore.score[seat], shore.score[1 - seat]
    for cell in range(CELLS):
        out[6 + cell] = shore.gold[cell] if shore.dug[cell] else -1


def observation_size(shore: Shore) -> int:
    return 6 + CELLS


def view(shore: Shore, seat: int | None) -> dict[str, Any]:
    seen = record.to_json(shore)
    return {**seen, "gold": [gold if dug else None for gold, dug in zip(shore.gold, shore.dug, strict=True)]}


def outcome(shore: Shore) -> Outcome | None:
    if to_act(shore):
        return None
    if shore.gone != NOBODY:
        reasons = tuple("gave up" if seat == shore.gone else "stayed" for seat in (0, 1))
        return Outcome("left", (2, 1) if shore.gone == 0 else (1, 2), reasons)
    behind, ahead = shore.score[0] < shore.score[1], shore.score[0] > shore.score[1]
    return Outcome("counted", (1 + behind, 1 + ahead), tuple(f"has {score} gold" for score in shore.score))


def setup(settings: Settings, seed: int) -> Shore:
    shore = record.new(Shore)
    for name in settings.__struct_fields__:
        setattr(shore.settings, name, getattr(settings, name))
    rolls = Stream(seed, GOLD)
    for cell in range(CELLS):
        shore.gold[cell] = rolls.between(1, 2 * settings.bounty)
    shore.place[1], shore.air, shore.gone = CELLS - 1, AIR, NOBODY
    return shore


game = Game(
    name="treasure",
    title="Treasure",
    summary="Two divers on one shore look for gold.",
    version=3,
    seats=("Ann", "Bob"),
    settings=Settings,
    profiles={"official": {}, "long": {"max_turns": 40, "bounty": "poor"}},
    actions=Actions(
        {
            Swim: Rule(refuse_swim, swim),
            Dig: Rule(refuse_dig, dig, reveals=True),
            Bet: Rule(refuse_bet, bet),
            Mark: Rule(refuse_mark, mark),
            EndTurn: Rule(None, end_turn, ends_turn=True),
            Leave: Rule(None, leave, anytime=True),
        }
    ),
    rules=Rules(
        state=Shore,
        setup=setup,
        to_act=to_act,
        turn=turn,
        outcome=outcome,
        default_action=EndTurn(),
        forfeit=lambda why: Leave(Why[why.replace(" ", "_").upper()]),
    ),
    choices=Choices(
        pieces=pieces,
        options=options,
        action_of=action_of,
        is_idle=is_idle,
    ),
    knowledge=Knowledge(
        view=view,
        observe=observe,
        observation_size=observation_size,
    ),
    text=Text(
        refusals=REFUSALS,
        words=words,
    ),
)


def find(name: str) -> Game:
    """The games that these tests know."""
    if name != game.name:
        raise LookupError(f"There is no game {name!r}; there is treasure.")
    return game
