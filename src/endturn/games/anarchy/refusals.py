"""Why Anarchy refuses an action: numbers for the rules, sentences for people."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

NO_SUCH_BUILDING, WRONG_KIND, NOT_YOURS, NO_BRIBES, BURNED_DOWN, ALREADY_BRIBED = range(4, 10)
IGNITES_HEADQUARTERS, AT_THE_EDGE, EXTINGUISHES_HEADQUARTERS, NOT_A_WAREHOUSE = range(10, 14)
NO_NEXT_FORECAST, STRONGEST_ALREADY, CALM_ALREADY, NOTHING_TO_KEEP, UNDER_A_STORM = range(14, 19)


REFUSALS = {
    MATCH_OVER: Refusal("T4", "The match is over: {verb} comes too late."),
    NOT_YOUR_TURN: Refusal(
        "T1", "It is {other}'s turn, not {me}'s: {verb} has to wait until {other} ends it."
    ),
    NO_SUCH_BUILDING: Refusal(
        "M1", "There is no building #{missing}; the buildings of this map are #0 to #{last}."
    ),
    WRONG_KIND: Refusal("B1", "{actor} is a {kind} and cannot {verb}; that takes a {wanted}."),
    NOT_YOURS: Refusal("B2", "{actor} belongs to {other}; {me} can only bribe buildings of its own."),
    NO_BRIBES: Refusal("B3", "{me} has no bribe left this turn; there are {base} more on its next one."),
    BURNED_DOWN: Refusal(
        "B4", "{actor} has burned down and cannot be bribed any more; choose one with health left."
    ),
    ALREADY_BRIBED: Refusal(
        "B5", "{actor} has been bribed this turn; it can be bribed again on {me}'s next one."
    ),
    IGNITES_HEADQUARTERS: Refusal(
        "I1", "{target} is a headquarters and cannot be ignited; let the wind carry fire to it."
    ),
    AT_THE_EDGE: Refusal(
        "I5", "{actor} or {target} lies in the first row or column, where nothing is ignited here."
    ),
    EXTINGUISHES_HEADQUARTERS: Refusal(
        "X1", "{target} is a headquarters; fire departments work on all other buildings."
    ),
    NOT_A_WAREHOUSE: Refusal(
        "R1", "{target} is no warehouse; only warehouses, headquarters among them, are raided."
    ),
    NO_NEXT_FORECAST: Refusal("W1", "There is no forecast after this turn's that {actor} could change."),
    STRONGEST_ALREADY: Refusal(
        "W3", "The next forecast is as strong as it can be, {strongest}; it can only be weakened."
    ),
    CALM_ALREADY: Refusal("W3", "The next forecast is calm already; it can only be made stronger."),
    NOTHING_TO_KEEP: Refusal("T3", "Keeping the turn does nothing in this match; act, or end the turn."),
    UNDER_A_STORM: Refusal(
        "Y6", "A thunderstorm is over {actor}, and nobody is bribed there; choose another building."
    ),
}
