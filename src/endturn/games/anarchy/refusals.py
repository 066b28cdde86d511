"""Why Anarchy refuses an action: numbers for the rules, sentences for people."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

NO_SUCH_BUILDING, WRONG_KIND, NOT_YOURS, NO_BRIBES, BURNED_DOWN, ALREADY_BRIBED = range(4, 10)
IGNITES_HEADQUARTERS, AT_THE_EDGE, EXTINGUISHES_HEADQUARTERS, NOT_A_WAREHOUSE = range(10, 14)
NO_NEXT_FORECAST, STRONGEST_ALREADY, CALM_ALREADY, NOTHING_TO_KEEP, UNDER_A_STORM = range(14, 19)


REFUSALS = {
    MATCH_OVER: Refusal("T4", "The match is over."),
    NOT_YOUR_TURN: Refusal("T1", "It is {other}'s turn. {me} acts when {other} has ended it."),
    NO_SUCH_BUILDING: Refusal("M1", "There is no building #{missing}. This map has buildings #0 to #{last}."),
    WRONG_KIND: Refusal("B1", "{actor} is a {kind} and cannot {verb}. Choose a {wanted}."),
    NOT_YOURS: Refusal("B2", "{actor} belongs to {other}. {me} can bribe only its own buildings."),
    NO_BRIBES: Refusal("B3", "{me} has no bribes left this turn. It gets {base} on its next turn."),
    BURNED_DOWN: Refusal("B4", "{actor} has burned down. Choose a building with health left."),
    ALREADY_BRIBED: Refusal(
        "B5", "{actor} was already bribed this turn. {me} can bribe it again on its next turn."
    ),
    IGNITES_HEADQUARTERS: Refusal(
        "I1", "{target} is a headquarters and cannot be ignited. Let the wind carry fire to it."
    ),
    AT_THE_EDGE: Refusal(
        "I5",
        "{actor} or {target} is in the first row or column. Buildings there cannot ignite or be ignited.",
    ),
    EXTINGUISHES_HEADQUARTERS: Refusal(
        "X1", "{target} is a headquarters and cannot be extinguished. Choose another building."
    ),
    NOT_A_WAREHOUSE: Refusal(
        "R1", "{target} is not a warehouse. Choose a warehouse or a headquarters to raid."
    ),
    NO_NEXT_FORECAST: Refusal("W1", "There is no next forecast for {actor} to change."),
    STRONGEST_ALREADY: Refusal(
        "W3", "The next forecast already has the greatest intensity, {strongest}. It can only be weakened."
    ),
    CALM_ALREADY: Refusal("W3", "The next forecast is already calm. It can only be strengthened."),
    NOTHING_TO_KEEP: Refusal("T3", "Keeping the turn has no effect in this match. Act or end the turn."),
    UNDER_A_STORM: Refusal(
        "Y6", "{actor} is under a thunderstorm and cannot be bribed. Choose another building."
    ),
}
