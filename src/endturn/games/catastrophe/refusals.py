"""Why Catastrophe refuses an action: numbers for the rules, sentences for people."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

NO_SUCH_UNIT, NOT_YOURS, NO_SUCH_TILE, HAS_ACTED, TOO_TIRED, WRONG_JOB = range(4, 10)
OCCUPIED, NO_MOVES_LEFT, OUT_OF_REACH, TOO_NEAR, IN_THE_WAY, NOTHING_TO_ATTACK = range(10, 16)
OWN_UNIT, OVERLORD_STAYS, SAME_JOB, JOB_NOT_OPEN, NOT_RESTED, OVERLORD_FAR = range(16, 22)
BUILT_UP, CANNOT_BE_BUILT, TOO_FEW_MATERIALS, NOBODY_THERE, HAS_OWNER = range(22, 27)
NO_STRUCTURE, ROAD_STAYS, OWN_STRUCTURE, FULL_HANDS = range(27, 31)
NOT_ENEMY_SHELTER, NO_FOOD_HERE, NOT_READY = range(31, 34)
NO_DROP_IN_ENEMY_SHELTER, ONLY_FOOD_IN_SHELTER, NO_DROP_ON_STRUCTURE = range(34, 37)
EXHAUSTED, NOTHING_THERE, TOO_MUCH, WELL_RESTED, NO_SHELTER = range(37, 42)


REFUSALS = {
    MATCH_OVER: Refusal("T4", "The match is over; {verb} comes too late."),
    NOT_YOUR_TURN: Refusal(
        "T1", "It is {other}'s turn, not {me}'s; {verb} has to wait until {other} ends it."
    ),
    NO_SUCH_UNIT: Refusal("A1", "There is no unit #{number} on the map; choose one of {me}'s: {mine}."),
    NOT_YOURS: Refusal("A1", "{unit} {belongs}; {me} commands only units of its own."),
    NO_SUCH_TILE: Refusal(
        "M1", "There is no tile #{tile_number}; the tiles of this map are #0 to #{last_tile}."
    ),
    HAS_ACTED: Refusal("A2", "{unit} has acted this turn; it can act again on {me}'s next one."),
    TOO_TIRED: Refusal(
        "A3", "{unit} has {energy} energy, and this takes {cost}; let it rest near a shelter."
    ),
    WRONG_JOB: Refusal("A4", "{unit} cannot {verb}; that takes a {wanted}."),
    OCCUPIED: Refusal("P2", "{occupant} stands on {tile}; a unit moves to a tile without one."),
    NO_MOVES_LEFT: Refusal(
        "P4", "{unit} has no moves left this turn; it has {job_moves} on {me}'s next one."
    ),
    OUT_OF_REACH: Refusal("A5", "{unit} at {here} is {distance} steps from {tile}; {verb} reaches {reach}."),
    TOO_NEAR: Refusal(
        "A5", "{unit} at {here} is beside {tile}; in this match {verb} reaches all tiles but those."
    ),
    IN_THE_WAY: Refusal(
        "P3", "There is a {structure} on {tile}; units walk only through shelters and on roads."
    ),
    NOTHING_TO_ATTACK: Refusal("C1", "There is neither a structure nor an enemy on {tile} to attack."),
    OWN_UNIT: Refusal("C1", "{occupant} on {tile} is {me}'s own; attack structures and units of others."),
    OVERLORD_STAYS: Refusal(
        "K1", "The cat overlord is what it is; nobody else can become it, and it nothing else."
    ),
    SAME_JOB: Refusal("K1", "{unit} has that job already; choose another."),
    JOB_NOT_OPEN: Refusal("K1", "Nobody becomes a {job} again in this match; choose another job."),
    NOT_RESTED: Refusal("K2", "{unit} has {energy} energy and changes jobs only with {full}; let it rest."),
    OVERLORD_FAR: Refusal(
        "K3", "{unit} at {here} is not beside {me}'s overlord at {overlord}; bring them together."
    ),
    BUILT_UP: Refusal("B2", "There is a {structure} on {tile} already; construct on a tile without one."),
    CANNOT_BE_BUILT: Refusal("B1", "A {wanted_structure} cannot be constructed; choose {buildable}."),
    TOO_FEW_MATERIALS: Refusal(
        "B3", "There are {ground} materials on {tile}, and a {wanted_structure} takes {needed}."
    ),
    NOBODY_THERE: Refusal("N1", "There is no unit on {tile} to convert."),
    HAS_OWNER: Refusal("N1", "{occupant} on {tile} has an owner; only neutral units are converted."),
    NO_STRUCTURE: Refusal("B6", "There is no structure on {tile} to deconstruct."),
    ROAD_STAYS: Refusal("B6", "Roads cannot be deconstructed; choose a structure with materials in it."),
    OWN_STRUCTURE: Refusal("B6", "The {structure} on {tile} is {me}'s own; only soldiers can take it down."),
    FULL_HANDS: Refusal("A6", "{unit} carries {carried}, as much as it can; drop some of it first."),
    NOT_ENEMY_SHELTER: Refusal(
        "H6", "There is a {structure} on {tile}; of structures only enemy shelters have food."
    ),
    NO_FOOD_HERE: Refusal("H3", "Nothing grows on {tile}; harvest where the rate is above 0."),
    NOT_READY: Refusal("H5", "Food is growing again on {tile}; it is ready in {ready} turns."),
    NO_DROP_IN_ENEMY_SHELTER: Refusal("D2", "The shelter on {tile} is not {me}'s; drop things elsewhere."),
    ONLY_FOOD_IN_SHELTER: Refusal("D2", "A shelter stores food only; drop materials beside it."),
    NO_DROP_ON_STRUCTURE: Refusal(
        "D2", "There is a {structure} on {tile}; drop things on open ground or a road."
    ),
    EXHAUSTED: Refusal("G2", "{unit} has {energy} energy, and each thing it picks up costs 1; let it rest."),
    NOTHING_THERE: Refusal("G3", "There is no {resource} on {tile} to pick up."),
    TOO_MUCH: Refusal("G5", "That is more than {most} in one place; choose a smaller amount."),
    WELL_RESTED: Refusal("R1", "{unit} has all of its energy; it needs no rest."),
    NO_SHELTER: Refusal("R2", "{unit} at {here} is not within a tile of a shelter of {me}'s."),
}
