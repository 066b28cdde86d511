"""Refusals of Not-Chess: numbers for the rules, sentences for people."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

NO_SUCH_SQUARE, ALREADY_BEGUN, NO_PIECE_LEFT, ALLOWANCE_EXHAUSTED = range(4, 8)
WRONG_COLOUR, NOT_ADJACENT = range(8, 10)
OCCUPIED, IMPASSABLE, THUNDERSTORM, NO_SHIPS, NO_FIGURE, NOT_YOUR_FIGURE = range(10, 16)
JUST_RAISED, ALREADY_ACTED, RESTING, FROZEN_IN, NOT_DARK, BLOCKED, TOO_FAR = range(16, 23)
OUT_OF_RANGE, NOT_AN_ENEMY, CAPITAL_STANDS, NEUTRAL, LINE_BLOCKED, ARCHER_IN_FOREST = range(23, 29)
EXHAUSTED, NOT_AGAIN = range(29, 31)
SITE_TAKEN, WAR_WRONG_COLOUR, WAR_NOT_ADJACENT, WAR_SITE_TAKEN = range(31, 35)
COLOURS = "{square} is {colour}. Peasants live on light squares, war figures on dark ones."
BESIDE = "{square} is not next to {me}'s capital or one of {me}'s peasants."
TAKEN = "{there} is on {square}. Choose a free square."


REFUSALS = {
    MATCH_OVER: Refusal("V4", "The match is over."),
    NOT_YOUR_TURN: Refusal("T1", "It is {other}'s turn. {me} acts when {other} has ended it."),
    NO_SUCH_SQUARE: Refusal(
        "B1", "There is no square #{missing}. A board of {width} × {height} has squares #0 to #{last}."
    ),
    ALREADY_BEGUN: Refusal(
        "T2", "{me} has already acted this turn. Settling and raising come first in a turn."
    ),
    NO_PIECE_LEFT: Refusal("P1", "{me}'s pool has no {kind} left. One returns when one dies."),
    ALLOWANCE_EXHAUSTED: Refusal(
        "P4", "{me}'s peasants ({peasants}) allow no more war figures. Settle a peasant first."
    ),
    WRONG_COLOUR: Refusal("S1", COLOURS),
    NOT_ADJACENT: Refusal("S1", BESIDE),
    SITE_TAKEN: Refusal("S1", TAKEN),
    WAR_WRONG_COLOUR: Refusal("S2", COLOURS),
    WAR_NOT_ADJACENT: Refusal("S2", BESIDE),
    WAR_SITE_TAKEN: Refusal("S2", TAKEN),
    OCCUPIED: Refusal("M2", TAKEN),
    IMPASSABLE: Refusal("G2", "{square} is {ground}, which no {kind} can enter. Choose another square."),
    THUNDERSTORM: Refusal(
        "W50", "There is a thunderstorm on {square}. No piece can enter it or be placed there."
    ),
    NO_SHIPS: Refusal("G5", "There are no ships in this match. Raise a warrior, archer or rider."),
    NO_FIGURE: Refusal("M1", "There is no war figure on {from_square}. Choose a square with one of {me}'s."),
    NOT_YOUR_FIGURE: Refusal(
        "T1", "The {kind} on {from_square} belongs to {other}. {me} commands only its own war figures."
    ),
    JUST_RAISED: Refusal(
        "S4", "The {kind} on {from_square} was raised this turn. It can act on the next turn."
    ),
    ALREADY_ACTED: Refusal(
        "T3",
        "The {kind} on {from_square} has already acted. A war figure moves and then strikes, once per turn.",
    ),
    RESTING: Refusal(
        "M5", "The {kind} on {from_square} is resting. It has {mp} movement points and needs 1."
    ),
    FROZEN_IN: Refusal("G5", "The ship on {from_square} is frozen in. It can move when the ice has melted."),
    NOT_DARK: Refusal("M1", "{square} is light. War figures move diagonally, over dark squares."),
    BLOCKED: Refusal(
        "M2", "No path leads from {from_square} to {square}. Pieces, closed terrain or storms are in the way."
    ),
    TOO_FAR: Refusal(
        "M3", "{square} is too far for the {kind} on {from_square}, which has {mp} movement points."
    ),
    OUT_OF_RANGE: Refusal("A1", "{square} is {far} squares away. The {kind}'s reach is {reach}."),
    NOT_AN_ENEMY: Refusal("A1", "{other} has no piece on {square}. Choose an enemy."),
    CAPITAL_STANDS: Refusal(
        "A1", "The capital on {square} cannot be struck. Move a war figure into it to win."
    ),
    NEUTRAL: Refusal("A1", "The nomads on {square} are neutral and cannot be struck."),
    LINE_BLOCKED: Refusal(
        "A2", "Nomads stand between {from_square} and {square}. Archers cannot shoot over them."
    ),
    ARCHER_IN_FOREST: Refusal(
        "A7", "The archer on {from_square} stands in a forest and cannot shoot from there."
    ),
    EXHAUSTED: Refusal("A5", "The step to {from_square} exhausted the {kind}. It cannot strike this turn."),
    NOT_AGAIN: Refusal(
        "A6", "A warrior can strike again only at another enemy on a dark square, not at {square}."
    ),
}
