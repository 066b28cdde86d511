"""Refusals of Snowball Fight: numbers for the rules, sentences for people."""

from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal

NOT_NOW, NO_SUCH_UNIT, NOT_YOURS, NO_SUCH_TILE, PRONE, ALREADY_ACTED = range(4, 10)
NO_HERO, HERO_TAKEN, TOO_DEAR, HERO_STAYS, ARMY_FULL, HEROES_ARE_DRAFTED, NO_ARMY = range(10, 17)
OUTSIDE_ZONE, BLOCKED, OCCUPIED, TOO_FAR, NOT_READY = range(17, 22)
NO_SNOWBALL, NOT_AN_ENEMY, OUT_OF_RANGE, NO_LINE_OF_SIGHT = range(22, 26)
NOT_ON_SNOW, FULLY_ARMED, HAS_MOVED, NOT_PRONE, NO_ALLY_TO_HELP, NO_REVIVES = range(26, 32)
BARE_GROUND, DOUBLE_MOVED = 32, 33


REFUSALS = {
    MATCH_OVER: Refusal("V4", "The match is over."),
    NOT_YOUR_TURN: Refusal("T1", "It is not {me}'s turn. Wait until one of its units is ready."),
    NOT_NOW: Refusal("C1", "{verb} is not possible during the {phase}."),
    NO_SUCH_UNIT: Refusal("C4", "There is no unit #{unit}, or you cannot see it."),
    NOT_YOURS: Refusal("C4", "Unit #{unit} is not yours. {me} has the units with {parity} numbers."),
    NO_SUCH_TILE: Refusal("M1", "There is no tile {tile}. The last tile is {last_tile}."),
    PRONE: Refusal("C3", "{actor} is prone. It can only stand up or delay."),
    ALREADY_ACTED: Refusal(
        "C5", "{actor} has already acted this turn. It can still move, or delay to end the turn."
    ),
    NO_HERO: Refusal("A4", "Only heroes can be drafted. Other units are recruited later."),
    HERO_TAKEN: Refusal("A3", "{hero} is already taken. Choose another hero."),
    TOO_DEAR: Refusal("A1", "{me} has {points} points, but this costs {cost}."),
    HERO_STAYS: Refusal("A5", "Unit #{unit} is a drafted hero and cannot be dismissed."),
    ARMY_FULL: Refusal("A2", "The army is full. Dismiss a unit first."),
    HEROES_ARE_DRAFTED: Refusal("A3", "In this match, heroes are drafted and cannot be recruited."),
    NO_ARMY: Refusal("P4", "{me} has no units. Recruit at least one first."),
    OUTSIDE_ZONE: Refusal(
        "P2", "{place} is outside the zone. Choose a tile within 8 tiles of {me}'s start at {start}."
    ),
    BLOCKED: Refusal("W2", "Units cannot walk on {place}. Choose snow or ice."),
    OCCUPIED: Refusal("W2", "There is a unit at {place}. Choose a free tile."),
    TOO_FAR: Refusal("W3", "{actor} cannot reach {place}. It has {budget} movement points left."),
    NOT_READY: Refusal("P4", "{me} is not marked as ready, so there is nothing to reconsider."),
    NO_SNOWBALL: Refusal("H1", "{actor} has no snowballs left. Rearm on snow."),
    NOT_AN_ENEMY: Refusal("H1", "Unit #{unit} is not an enemy that is still up. Choose another target."),
    OUT_OF_RANGE: Refusal("H2", "{target} is {distance} tiles away, but {actor} throws only {range} tiles."),
    NO_LINE_OF_SIGHT: Refusal("L3", "{actor} cannot see {target}. Full cover is in the way."),
    NOT_ON_SNOW: Refusal("D6", "{actor} stands on ice. Rearm on snow."),
    BARE_GROUND: Refusal("Y5", "There is no snow where {actor} stands. Walk to snow, or wait for winter."),
    FULLY_ARMED: Refusal("D6", "{actor} already carries three snowballs."),
    HAS_MOVED: Refusal("D4", "{actor} has moved this turn. It can defend only before it moves."),
    NOT_PRONE: Refusal("D7", "{actor} is already standing."),
    NO_ALLY_TO_HELP: Refusal("D8", "Unit #{unit} is not a prone or downed friend next to {actor}."),
    NO_REVIVES: Refusal("D9", "{me} has already revived {revives} times, which is the limit."),
    DOUBLE_MOVED: Refusal("W4", "{actor} needs a double move to get there. No other action can follow it."),
}
