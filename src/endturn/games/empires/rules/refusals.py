"""What is said to what the rules forbid: a number for each reason, its rule and its sentence."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

(
    BAD_RATES, TOO_HIGH, NO_TECH, SAME_TECH, NO_GOVERNMENT, SAME_GOVERNMENT, NO_PEOPLE, TEAM_STAYS, AT_WAR, NOT_READY,
    VOTE_STANDS, NO_MOTION, HAS_VOTED, IS_OUT, NO_CITY, NO_ITEM, CANNOT_BUILD, SAME_ITEM, WAS_BOUGHT, LIST_FULL,
    NO_PLACE, NOTHING_TO_BUY, TOO_DEAR, DISORDER, NEW_CITY, HAS_SOLD, NOT_FOR_SALE, NOT_WORKED, NO_SPECIALIST,
    NOT_WORKABLE, NO_UNIT, NO_MOVES, NO_TILE, NO_ENTRY, NO_WAY, NO_TASK, NO_FOUNDER, NO_SITE, TOO_NEAR, SAME_TASK,
) = range(4, 44)  # fmt: skip

REFUSALS = {
    MATCH_OVER: Refusal("G1", "The match is over; {verb} comes too late."),
    NOT_YOUR_TURN: Refusal("A1", "{people} cannot act now: wait for the next phase."),
    BAD_RATES: Refusal("A3", "Rates are tens that add up to 100, and {rates} are not."),
    TOO_HIGH: Refusal("A3", "Under this government no rate is above {highest}, and {rates} has one that is."),
    NO_TECH: Refusal("A4", "{tech} cannot be studied; {techs} can."),
    SAME_TECH: Refusal("A5", "{tech} is what is studied for already; choose another."),
    NO_GOVERNMENT: Refusal("A6", "There can be no such government now; there can be {governments}."),
    SAME_GOVERNMENT: Refusal("A6", "That is the government already, or will be; choose another."),
    NO_PEOPLE: Refusal("A7", "There is no other people #{number} to have a treaty with."),
    TEAM_STAYS: Refusal("A7", "{other} is of the same team, and a team stays one."),
    AT_WAR: Refusal("A7", "There is no treaty with {other} that could end."),
    NOT_READY: Refusal(
        "A8", "The ship needs a hull, an engine with fuel, and one module of each kind first."
    ),
    VOTE_STANDS: Refusal("A9", "There is a vote already; wait for its end."),
    NO_MOTION: Refusal("A10", "There is nothing to vote on; call a vote first."),
    HAS_VOTED: Refusal("A10", "{people} has voted already; wait for the others."),
    IS_OUT: Refusal("A11", "{people} is out of the match already."),
    NO_CITY: Refusal("C1", "{people} has no city #{number}; it has {cities}."),
    NO_ITEM: Refusal("C2", "There is nothing with the number {item}; the last is {last}."),
    CANNOT_BUILD: Refusal("C2", "{city} cannot build {thing} now; choose what it can."),
    SAME_ITEM: Refusal("C2", "{city} builds {thing} already; choose something else."),
    WAS_BOUGHT: Refusal("C6", "{city} has bought something this turn; change it on the next one."),
    LIST_FULL: Refusal("C4", "The worklist of {city} is full; strike something off first."),
    NO_PLACE: Refusal(
        "C5", "The worklist of {city} has no place {place}; it has {length} entries, from 0 on."
    ),
    NOTHING_TO_BUY: Refusal("C6", "{making} in {city} is paid for, or cannot be bought."),
    TOO_DEAR: Refusal("C6", "{making} costs {price} gold, and {people} has {gold}."),
    DISORDER: Refusal("C6", "No unit is bought in {city} while it is in disorder."),
    NEW_CITY: Refusal("C6", "{city} was founded only this turn; buy on the next one."),
    HAS_SOLD: Refusal("C7", "{city} has sold something this turn; sell on the next one."),
    NOT_FOR_SALE: Refusal("C7", "{thing} cannot be sold in {city}: only improvements that stand there can."),
    NOT_WORKED: Refusal("C9", "Nobody of {city} works tile #{tile}, or it is the city's own."),
    NO_SPECIALIST: Refusal("C10", "{city} has no such specialist; it has {specialists}."),
    NOT_WORKABLE: Refusal("C10", "{city} cannot work tile #{tile}: it is taken, foreign or too far."),
    NO_UNIT: Refusal("U1", "{people} has no unit #{number}."),
    NO_MOVES: Refusal("U2", "{unit} has no moves left this turn."),
    NO_TILE: Refusal("U2", "There is nothing in that direction: the map ends."),
    NO_ENTRY: Refusal("U2", "{unit} cannot go there: strangers are there, or it is not made for such land."),
    NO_WAY: Refusal("U3", "{unit} knows no way to tile #{tile}."),
    NO_TASK: Refusal("U4", "{unit} cannot {task} here."),
    SAME_TASK: Refusal("U5", "{unit} does that already."),
    NO_FOUNDER: Refusal("U6", "{unit} founds no cities; a Pioneer does."),
    NO_SITE: Refusal("U6", "No city can be founded here: on water or foreign land there is none."),
    TOO_NEAR: Refusal("U6", "Another city is too near; go {apart} steps away from it."),
}
