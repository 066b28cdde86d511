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
    MATCH_OVER: Refusal("T4", "The match is over."),
    NOT_YOUR_TURN: Refusal("T1", "It is {other}'s turn. {me} acts when {other} has ended it."),
    NO_SUCH_UNIT: Refusal("A1", "There is no unit #{number} on the map. {me} has units {mine}."),
    NOT_YOURS: Refusal("A1", "{unit} {belongs}. {me} commands only its own units."),
    NO_SUCH_TILE: Refusal("M1", "There is no tile #{tile_number}. This map has tiles #0 to #{last_tile}."),
    HAS_ACTED: Refusal("A2", "{unit} has already acted this turn. It can act again on {me}'s next turn."),
    TOO_TIRED: Refusal("A3", "{unit} has {energy} energy but needs {cost}. Let it rest near a shelter."),
    WRONG_JOB: Refusal("A4", "{unit} cannot {verb}. Choose a {wanted}."),
    OCCUPIED: Refusal("P2", "{occupant} stands on {tile}. Choose a free tile."),
    NO_MOVES_LEFT: Refusal(
        "P4", "{unit} has no moves left this turn. It has {job_moves} on {me}'s next turn."
    ),
    OUT_OF_REACH: Refusal("A5", "{unit} at {here} is {distance} steps from {tile}. Choose one of {reach}."),
    TOO_NEAR: Refusal(
        "A5", "{unit} at {here} is next to {tile}. In this match, {verb} reaches every tile except those."
    ),
    IN_THE_WAY: Refusal(
        "P3", "There is a {structure} on {tile}. Units walk only through shelters and on roads."
    ),
    NOTHING_TO_ATTACK: Refusal("C1", "There is no structure or enemy to attack on {tile}."),
    OWN_UNIT: Refusal("C1", "{occupant} on {tile} belongs to {me}. Attack structures or other units."),
    OVERLORD_STAYS: Refusal("K1", "The cat overlord's job cannot change, and nobody else can take it."),
    SAME_JOB: Refusal("K1", "{unit} already has that job. Choose another."),
    JOB_NOT_OPEN: Refusal("K1", "No unit can become a {job} again in this match. Choose another job."),
    NOT_RESTED: Refusal("K2", "{unit} has {energy} energy but needs {full} to change its job. Let it rest."),
    OVERLORD_FAR: Refusal(
        "K3", "{unit} at {here} is not next to {me}'s overlord at {overlord}. Bring them together."
    ),
    BUILT_UP: Refusal("B2", "There is already a {structure} on {tile}. Choose a tile without a structure."),
    CANNOT_BE_BUILT: Refusal("B1", "A {wanted_structure} cannot be constructed. Choose {buildable}."),
    TOO_FEW_MATERIALS: Refusal(
        "B3", "A {wanted_structure} needs {needed} materials, but {tile} has {ground}."
    ),
    NOBODY_THERE: Refusal("N1", "There is no unit on {tile} to convert."),
    HAS_OWNER: Refusal("N1", "{occupant} on {tile} has an owner. Only neutral units can be converted."),
    NO_STRUCTURE: Refusal("B6", "There is no structure on {tile} to deconstruct."),
    ROAD_STAYS: Refusal("B6", "Roads cannot be deconstructed. Choose a structure that contains materials."),
    OWN_STRUCTURE: Refusal(
        "B6", "The {structure} on {tile} belongs to {me}. Only soldiers can take it down."
    ),
    FULL_HANDS: Refusal("A6", "{unit} carries {carried} and has no room for more. Drop something first."),
    NOT_ENEMY_SHELTER: Refusal(
        "H6", "There is a {structure} on {tile}. Enemy shelters are the only structures with food to harvest."
    ),
    NO_FOOD_HERE: Refusal("H3", "No food grows on {tile}. Choose a tile with a harvest rate above 0."),
    NOT_READY: Refusal("H5", "The food on {tile} is not ready. It is ready in {ready} turns."),
    NO_DROP_IN_ENEMY_SHELTER: Refusal(
        "D2", "The shelter on {tile} does not belong to {me}. Choose another tile."
    ),
    ONLY_FOOD_IN_SHELTER: Refusal("D2", "A shelter stores only food. Drop materials next to it."),
    NO_DROP_ON_STRUCTURE: Refusal(
        "D2", "There is a {structure} on {tile}. Drop things on open ground or a road."
    ),
    EXHAUSTED: Refusal("G2", "{unit} has {energy} energy, and each thing it picks up costs 1. Let it rest."),
    NOTHING_THERE: Refusal("G3", "There is no {resource} on {tile} to pick up."),
    TOO_MUCH: Refusal("G5", "A place holds at most {most}. Choose a smaller amount."),
    WELL_RESTED: Refusal("R1", "{unit} already has full energy."),
    NO_SHELTER: Refusal("R2", "{unit} at {here} is not on or next to one of {me}'s shelters."),
}
