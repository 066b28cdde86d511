"""The types of views and previews of Snowball Fight: what a client or bot receives."""

from typing import Annotated, Any, NotRequired, TypedDict

from endturn.games.snowball.state import Ending, Flight, Kind, Phase, Posture, Settings


class UnitView(TypedDict):
    """A unit. Its number in actions is its index in the list of units."""

    name: Annotated[str, "Its kind as people read it, such as Big Boots Boris."]
    kind: Annotated[str, Kind, "Its kind."]
    seat: Annotated[int, "The seat that owns it."]
    x: Annotated[int | None, "Its column, from 0; null while hidden."]
    y: Annotated[int | None, "Its row, from 0; null while hidden."]
    health: Annotated[int, "The hits it can still take; 0 means downed."]
    most_health: Annotated[int, "The full health of its kind."]
    snowballs: Annotated[int, "The snowballs it carries, at most three."]
    posture: Annotated[str, Posture, "Whether it stands, is prone or is downed."]
    defending: Annotated[bool, "Whether it defends until its next turn."]
    ready: Annotated[int | None, "The tick of its next turn; null if it has none."]
    speed: Annotated[int, "Its Speed, 1 to 6."]
    movement: Annotated[int, "Its Movement, 3 to 6."]
    range: Annotated[int, "Its Range in tiles."]
    accuracy: Annotated[int, "Its Accuracy in percent."]
    dodge: Annotated[int, "The chance in percent that it dodges now."]
    cost: Annotated[int, "Its price in points."]


class ThrowView(TypedDict):
    """The last throw."""

    thrower: Annotated[int, "The unit that threw."]
    target: Annotated[int, "The unit it aimed at."]
    x: Annotated[int, "The column it threw from."]
    y: Annotated[int, "The row it threw from."]
    flown: Annotated[int, "The roll of the throw: the share of all throws that fly farther to the left."]
    struck: Annotated[int, "The unit that was struck; -1 if none was."]
    flight: Annotated[str, Flight, "What became of the throw."]


class SeasonView(TypedDict):
    """The almanac of a match with seasons."""

    month: Annotated[int, "The month, 0 to 15."]
    months: Annotated[
        list[list[str]],
        "For each month, the map as rows of text: `*` for snow on a meadow or ice on a pond, `.` without.",
    ]


class BattleView(TypedDict):
    """A match of Snowball Fight, as one seat or a spectator may know it."""

    season: NotRequired[Annotated[SeasonView, "Only with the setting `seasons`."]]
    phase: Annotated[str, Phase, "The phase of the match."]
    turn: Annotated[int, "The number of units' turns so far; 0 before the battle."]
    now: Annotated[int, "The current tick."]
    first: Annotated[int, "The seat that won the toss."]
    to_act: Annotated[int, "The seats to act, as bits: 1 for seat 0, 2 for seat 1."]
    active: Annotated[int, "The unit to act in the battle."]
    spent: Annotated[int, "The movement that this unit has spent this turn."]
    acted: Annotated[bool, "Whether this unit has acted and may still move."]
    ended: Annotated[str, Ending, "How the match ended; `going_on` until then."]
    winner: Annotated[int, "The seat that won; -1 until the match ends and after a draw."]
    points: Annotated[list[int | None], "For each seat, the points left to buy units; null while hidden."]
    revives: Annotated[list[int], "For each seat, how many units it has revived."]
    ready: Annotated[list[bool], "For each seat, whether it has finished this phase."]
    map: Annotated[
        list[str], "The map as rows of text: `.` snow, `~` ice, `T` full cover, `m` half cover, `o` hole."
    ]
    starts: Annotated[list[list[int]], "For each seat, the x and y of its start."]
    order: Annotated[
        list[list[int]], "The upcoming turns as pairs of unit and tick, starting with the current turn."
    ]
    throw: Annotated[ThrowView | None, "The last throw; null before the first."]
    units: Annotated[
        list[UnitView | None], "All units, by number; null for a unit that does not exist or is hidden."
    ]
    settings: Annotated[dict[str, Any], Settings, "The settings of the match."]


class StrayPreview(TypedDict):
    """The chance that a throw strikes a unit other than its target."""

    unit: Annotated[int, "The unit."]
    struck: Annotated[float, "The chance that the throw strikes it, 0 to 1."]
    hurt: Annotated[float, "The chance that it is hurt, 0 to 1: struck and not dodged."]


class ThrowPreview(TypedDict):
    """The chances of a throw, 0 to 1."""

    target: Annotated[int, "The target."]
    reason: Annotated[str | None, "Why the throw is refused; null if it is legal."]
    point: Annotated[list[int] | None, "The x and y of the tile it is thrown from; null if it is refused."]
    open: Annotated[float, "The chance to strike with nothing in the way."]
    cover: Annotated[float, "The part that cover and other units take away."]
    dodge: Annotated[float, "The part that the target dodges."]
    hurt: Annotated[float, "The chance to hurt the target: open - cover - dodge."]
    friends: Annotated[list[StrayPreview], "Units of the seat that the throw may strike."]
    enemies: Annotated[list[StrayPreview], "Other enemies that the throw may strike."]


class WalkPreview(TypedDict):
    """A tile that the unit to act can walk to."""

    x: Annotated[int, "Its column."]
    y: Annotated[int, "Its row."]
    cost: Annotated[int, "The movement it costs."]
    double: Annotated[bool, "Whether it takes a double move."]
    ice: Annotated[bool, "Whether it is ice."]


class BattlePreview(TypedDict):
    """What the server adds to a preview. Empty outside the battle and on the other seat's turn."""

    order: NotRequired[
        Annotated[list[list[int]], "With an action: the upcoming turns after it, as in the view's `order`."]
    ]
    unit: NotRequired[Annotated[int, "Without an action: the unit to act."]]
    throws: NotRequired[
        Annotated[
            list[ThrowPreview],
            "A throw at each enemy, from where the unit stands or where the previewed move ends.",
        ]
    ]
    walks: NotRequired[Annotated[list[WalkPreview], "Without an action: the tiles in reach."]]
    throw: NotRequired[Annotated[ThrowPreview | None, "With a throw: its chances."]]
    walk: NotRequired[Annotated[WalkPreview | None, "With a move: its path."]]
    ice: NotRequired[Annotated[bool, "With a move: whether it ends on ice."]]
