"""Refusals: for each reason its number, the rule and the sentence."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

(
    BAD_RATES, TOO_HIGH, NO_TECH, SAME_TECH, NO_GOVERNMENT, SAME_GOVERNMENT, NO_PEOPLE, TEAM_STAYS, AT_WAR, NOT_READY,
    VOTE_STANDS, NO_MOTION, HAS_VOTED, IS_OUT, NO_CITY, NO_ITEM, CANNOT_BUILD, SAME_ITEM, WAS_BOUGHT, LIST_FULL,
    NO_PLACE, NOTHING_TO_BUY, TOO_DEAR, DISORDER, NEW_CITY, HAS_SOLD, NOT_FOR_SALE, NOT_WORKED, NO_SPECIALIST,
    NOT_WORKABLE, NO_UNIT, NO_MOVES, NO_TILE, NO_ENTRY, NO_WAY, NO_TASK, NO_FOUNDER, NO_SITE, TOO_NEAR, SAME_TASK,
) = range(4, 44)  # fmt: skip


REFUSALS = {
    MATCH_OVER: Refusal("G1", "The match is over."),
    NOT_YOUR_TURN: Refusal("A1", "{people} cannot act now. Wait for the next phase."),
    BAD_RATES: Refusal("A3", "Rates must be multiples of 10 that add up to 100, not {rates}."),
    TOO_HIGH: Refusal("A3", "The government allows no rate above {highest}, so not {rates}."),
    NO_TECH: Refusal("A4", "{tech} cannot be studied now. Choose from {techs}."),
    SAME_TECH: Refusal("A5", "{tech} is already being studied or is the goal. Choose another tech."),
    NO_GOVERNMENT: Refusal("A6", "This government is not possible now. Possible: {governments}."),
    SAME_GOVERNMENT: Refusal("A6", "This is already the current or coming government. Choose another."),
    NO_PEOPLE: Refusal("A7", "There is no other nation #{number}."),
    TEAM_STAYS: Refusal("A7", "{other} is on the same team. Members of a team stay together."),
    AT_WAR: Refusal("A7", "There is no treaty with {other} to cancel."),
    NOT_READY: Refusal("A8", "The spaceship needs a hull, an engine with fuel, and one module of each kind."),
    VOTE_STANDS: Refusal("A9", "A vote is open. Wait until it ends."),
    NO_MOTION: Refusal("A10", "No vote is open. Call a vote first."),
    HAS_VOTED: Refusal("A10", "{people} has already voted. Wait for the others."),
    IS_OUT: Refusal("A11", "{people} is already out of the match."),
    NO_CITY: Refusal("C1", "{people} has no city #{number}. Its cities: {cities}."),
    NO_ITEM: Refusal("C2", "There is nothing with the number {item}. Numbers go from 0 to {last}."),
    CANNOT_BUILD: Refusal("C2", "{city} cannot build {thing} now. Choose something it can build."),
    SAME_ITEM: Refusal("C2", "{city} is already building {thing}. Choose something else."),
    WAS_BOUGHT: Refusal("C6", "{city} has bought something this turn. Wait for the next turn."),
    LIST_FULL: Refusal("C4", "The worklist of {city} is full. Remove an entry first."),
    NO_PLACE: Refusal(
        "C5", "The worklist of {city} has no entry {place}. Its length is {length}, counted from 0."
    ),
    NOTHING_TO_BUY: Refusal("C6", "{making} in {city} is already paid for, or cannot be bought."),
    TOO_DEAR: Refusal("C6", "{making} costs {price} gold, and {people} has {gold}."),
    DISORDER: Refusal("C6", "{city} cannot buy units while it is in disorder."),
    NEW_CITY: Refusal("C6", "{city} was founded this turn. Buy next turn."),
    HAS_SOLD: Refusal("C7", "{city} has already sold something this turn. Sell next turn."),
    NOT_FOR_SALE: Refusal("C7", "{city} cannot sell {thing}. It can sell only its own improvements."),
    NOT_WORKED: Refusal("C9", "No citizen of {city} works tile #{tile}, or it is the city's own tile."),
    NO_SPECIALIST: Refusal("C10", "{city} has no such specialist. It has {specialists}."),
    NOT_WORKABLE: Refusal(
        "C10", "{city} cannot work tile #{tile}: it is taken, foreign, occupied or too far away."
    ),
    NO_UNIT: Refusal("U1", "{people} has no unit #{number}."),
    NO_MOVES: Refusal("U2", "{unit} has no moves left this turn."),
    NO_TILE: Refusal("U2", "The map ends in that direction."),
    NO_ENTRY: Refusal(
        "U2", "{unit} cannot enter that tile: strangers are there, or it is the wrong terrain."
    ),
    NO_WAY: Refusal("U3", "{unit} knows no path to tile #{tile}."),
    NO_TASK: Refusal("U4", "{unit} cannot {task} here."),
    SAME_TASK: Refusal("U5", "{unit} is already doing that."),
    NO_FOUNDER: Refusal("U6", "{unit} cannot found cities. A Pioneer can."),
    NO_SITE: Refusal("U6", "Cities cannot be founded on water or foreign land."),
    TOO_NEAR: Refusal("U6", "Another city is too close. Go at least {apart} steps away from it."),
}
