"""Why an action is refused: numbers for the rules, sentences for people."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

NO_SUCH_SQUARE, ALREADY_BEGUN, NO_PIECE_LEFT, ALLOWANCE_EXHAUSTED = range(4, 8)
WRONG_COLOUR, NOT_ADJACENT = range(8, 10)
OCCUPIED, IMPASSABLE, THUNDERSTORM, NO_SHIPS, NO_FIGURE, NOT_YOUR_FIGURE = range(10, 16)
JUST_RAISED, ALREADY_ACTED, RESTING, FROZEN_IN, NOT_DARK, BLOCKED, TOO_FAR = range(16, 23)
OUT_OF_RANGE, NOT_AN_ENEMY, CAPITAL_STANDS, NEUTRAL, LINE_BLOCKED, ARCHER_IN_FOREST = range(23, 29)
EXHAUSTED, NOT_AGAIN = range(29, 31)
SITE_TAKEN, WAR_WRONG_COLOUR, WAR_NOT_ADJACENT, WAR_SITE_TAKEN = range(31, 35)
COLOURS = "{square} is {colour}: peasants live on light squares, war figures on dark ones."
BESIDE = "{square} is not beside {me}'s capital or one of its peasants."
TAKEN = "{square} is taken by {there}: choose a free square."


REFUSALS = {
    MATCH_OVER: Refusal("V4", "The match is over: {verb} comes too late."),
    NOT_YOUR_TURN: Refusal(
        "T1", "It is {other}'s turn, not {me}'s: {verb} has to wait until {other} is done."
    ),
    NO_SUCH_SQUARE: Refusal(
        "B1", "There is no square #{missing}: a board of {width} x {height} has the squares #0 to #{last}."
    ),
    ALREADY_BEGUN: Refusal(
        "T2",
        "{me} has begun to act: peasants and figures come first on a turn, so {verb} has to wait for the next.",
    ),
    NO_PIECE_LEFT: Refusal("P1", "{me} has no {kind} left in the pool: one comes back when one dies."),
    ALLOWANCE_EXHAUSTED: Refusal(
        "P4",
        "{me} has as many war figures as its peasants can keep ({peasants} and one more): settle a peasant first.",
    ),
    WRONG_COLOUR: Refusal("S1", COLOURS),
    NOT_ADJACENT: Refusal("S1", BESIDE),
    SITE_TAKEN: Refusal("S1", TAKEN),
    WAR_WRONG_COLOUR: Refusal("S2", COLOURS),
    WAR_NOT_ADJACENT: Refusal("S2", BESIDE),
    WAR_SITE_TAKEN: Refusal("S2", TAKEN),
    OCCUPIED: Refusal("M2", TAKEN),
    IMPASSABLE: Refusal("G2", "{square} is {ground}, which is closed to a {kind}: choose another square."),
    THUNDERSTORM: Refusal(
        "W50", "A thunderstorm is on {square}: nobody steps or is placed there while it lasts."
    ),
    NO_SHIPS: Refusal("G5", "There are no ships in this match; rooks, bishops and knights can be raised."),
    NO_FIGURE: Refusal(
        "M1", "There is no war figure on {from_square}: choose a square where one of {me}'s stands."
    ),
    NOT_YOUR_FIGURE: Refusal("T1", "The {kind} on {from_square} is {other}'s: {me} commands its own only."),
    JUST_RAISED: Refusal(
        "S4", "The {kind} on {from_square} was raised this turn: it acts from the next one on."
    ),
    ALREADY_ACTED: Refusal(
        "T3", "The {kind} on {from_square} has acted: a figure moves, then strikes, once a turn."
    ),
    RESTING: Refusal(
        "M5", "The {kind} on {from_square} rests: it has {mp} movement points and needs 1 to act."
    ),
    FROZEN_IN: Refusal("G5", "The ship on {from_square} is frozen in: it moves again when the ice is gone."),
    NOT_DARK: Refusal("M1", "{square} is light: war figures go diagonally, over dark squares."),
    BLOCKED: Refusal(
        "M2", "Every way from {from_square} to {square} is barred: by pieces, closed ground or storms."
    ),
    TOO_FAR: Refusal(
        "M3", "{square} is too far for the {kind} on {from_square}, which has {mp} movement points."
    ),
    OUT_OF_RANGE: Refusal("A1", "{square} is {far} squares away, and a {kind} reaches {reach}."),
    NOT_AN_ENEMY: Refusal("A1", "No piece of {other}'s stands on {square}: only enemies are struck."),
    CAPITAL_STANDS: Refusal(
        "A1", "The capital on {square} cannot be struck: move a war figure into it to win."
    ),
    NEUTRAL: Refusal("A1", "The nomads on {square} belong to nobody and cannot be struck."),
    LINE_BLOCKED: Refusal("A2", "Nomads stand between {from_square} and {square}: nobody shoots over them."),
    ARCHER_IN_FOREST: Refusal(
        "A7", "The bishop on {from_square} stands in a forest and cannot shoot from there."
    ),
    EXHAUSTED: Refusal(
        "A5", "The step to {from_square} has used the {kind} up: it cannot strike from there this turn."
    ),
    NOT_AGAIN: Refusal(
        "A6", "A rook strikes on only at another enemy, on a dark square: {square} is not one of these."
    ),
}
