"""Why Snowball Fight refuses an action: numbers for the rules, sentences for people."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

NOT_NOW, NO_SUCH_UNIT, NOT_YOURS, NO_SUCH_TILE, PRONE, ALREADY_ACTED = range(4, 10)
NO_HERO, HERO_TAKEN, TOO_DEAR, HERO_STAYS, ARMY_FULL, HEROES_ARE_DRAFTED, NO_ARMY = range(10, 17)
OUTSIDE_ZONE, BLOCKED, OCCUPIED, TOO_FAR, NOT_READY = range(17, 22)
NO_SNOWBALL, NOT_AN_ENEMY, OUT_OF_RANGE, NO_LINE_OF_SIGHT = range(22, 26)
NOT_ON_SNOW, FULLY_ARMED, HAS_MOVED, NOT_PRONE, NO_ALLY_TO_HELP, NO_REVIVES = range(26, 32)
BARE_GROUND, DOUBLE_MOVED = 32, 33


REFUSALS = {
    MATCH_OVER: Refusal("V4", "The match is over."),
    NOT_YOUR_TURN: Refusal("T1", "It is not {me}'s turn: wait until one of its units is ready."),
    NOT_NOW: Refusal("C1", "Not in this part of the match: {verb} belongs to another than the {phase}."),
    NO_SUCH_UNIT: Refusal("C4", "There is no unit #{unit} that you know of."),
    NOT_YOURS: Refusal("C4", "Unit #{unit} is not yours; {me} has the units with {parity} numbers."),
    NO_SUCH_TILE: Refusal("M1", "There is no tile {tile}; the last one is {last_tile}."),
    PRONE: Refusal("C3", "{actor} is prone: it can only stand up or delay."),
    ALREADY_ACTED: Refusal("C5", "{actor} has acted in this turn: it can still move, or delay to end it."),
    NO_HERO: Refusal("A4", "Only heroes are drafted; all others are recruited afterwards."),
    HERO_TAKEN: Refusal("A3", "{hero} is taken: there is one of each hero."),
    TOO_DEAR: Refusal("A1", "That costs {cost} points, and {me} has {points} left."),
    HERO_STAYS: Refusal("A5", "Unit #{unit} was drafted: heroes that were picked stay."),
    ARMY_FULL: Refusal("A2", "There is no room for another unit: dismiss one first."),
    HEROES_ARE_DRAFTED: Refusal("A3", "Heroes are drafted here: one of each on the whole map."),
    NO_ARMY: Refusal("P4", "An army has at least one unit: recruit one first."),
    OUTSIDE_ZONE: Refusal("P2", "{place} is not within 8 tiles of {me}'s start at {start}."),
    BLOCKED: Refusal("W2", "Nobody can walk on {place}: choose snow or ice."),
    OCCUPIED: Refusal("W2", "There is somebody at {place}: a unit stops only where nobody is."),
    TOO_FAR: Refusal("W3", "{actor} cannot get to {place} with the {budget} points it can still spend."),
    NOT_READY: Refusal("P4", "{me} has not said that it is ready: there is nothing to reconsider."),
    NO_SNOWBALL: Refusal("H1", "{actor} has no snowball left: rearm on snow."),
    NOT_AN_ENEMY: Refusal("H1", "Unit #{unit} is no enemy that is still up: choose one of those."),
    OUT_OF_RANGE: Refusal("H2", "{target} is {distance} tiles away, and {actor} throws {range} tiles."),
    NO_LINE_OF_SIGHT: Refusal("L3", "{actor} does not see {target}: full cover is in between."),
    NOT_ON_SNOW: Refusal("D6", "{actor} stands on ice: snowballs are made of snow."),
    BARE_GROUND: Refusal(
        "Y5", "There is no snow where {actor} stands: walk to some, or wait for the winter."
    ),
    FULLY_ARMED: Refusal("D6", "{actor} carries three snowballs already."),
    HAS_MOVED: Refusal("D4", "{actor} has moved in this turn: it can defend only before that."),
    NOT_PRONE: Refusal("D7", "{actor} stands already."),
    NO_ALLY_TO_HELP: Refusal("D8", "Unit #{unit} is no prone or downed friend beside {actor}."),
    NO_REVIVES: Refusal("D9", "{me} has revived {revives} times, and no more is allowed."),
    DOUBLE_MOVED: Refusal("W4", "{actor} makes a double move to get there: nothing can follow it."),
}
