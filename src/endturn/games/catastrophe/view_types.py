"""The types of views and previews of Catastrophe: what a client or bot receives."""

from typing import Annotated, Any, NotRequired, TypedDict

from endturn.games.catastrophe.state import Ending, Job, Settings, Structure


class UnitView(TypedDict):
    """A unit. Its number in actions is its index in the list of units."""

    job: Annotated[str, Job, "Its job."]
    owner: Annotated[int, "The seat that owns it; -1 for neutral units."]
    tile: Annotated[int, "The tile it stands on."]
    energy: Annotated[float, "Its energy, at most 100."]
    moves: Annotated[int, "The moves it has left this turn."]
    acted: Annotated[bool, "Whether it has acted this turn."]
    starving: Annotated[bool, "Whether it starves."]
    food: Annotated[int, "The food it carries."]
    materials: Annotated[int, "The materials it carries."]
    turns_to_die: Annotated[int, "The ends of turns until a neutral unit disappears; -1 for units of a seat."]
    bound_for: Annotated[int, "The end of the road that a neutral unit walks to; -1 for all others."]
    squad: Annotated[list[int], "The units of its squad, in the order in which they attack."]


class TileView(TypedDict):
    """A tile. Its number in actions is its index in the list of tiles. Fields that are 0 are omitted."""

    structure: NotRequired[Annotated[str, Structure, "The structure on it."]]
    structure_materials: NotRequired[Annotated[int, "The materials in the structure."]]
    harvest_rate: NotRequired[Annotated[int, "The food that a harvest gives."]]
    turns_to_harvest: NotRequired[Annotated[int, "The ends of turns until it can be harvested again."]]
    food: NotRequired[Annotated[int, "The food on the ground."]]
    materials: NotRequired[Annotated[int, "The materials on the ground."]]
    structure_owner: NotRequired[Annotated[int, "The seat that owns the structure; -1 if nobody does."]]


class WorldView(TypedDict):
    """A match of Catastrophe. Nothing is hidden, so every seat and every spectator gets the same view."""

    turn: Annotated[int, "The turn, from 0."]
    seat: Annotated[int, "The seat to act."]
    store: Annotated[list[int], "For each seat, the food in its store."]
    upkeep: Annotated[list[int], "For each seat, the food that its units ate when upkeep was last counted."]
    overlord: Annotated[list[int], "For each seat, the number of its cat overlord."]
    ended: Annotated[str, Ending, "How the match ended; `going_on` until then."]
    winner: Annotated[int, "The seat that won; -1 until the match ends."]
    settings: Annotated[dict[str, Any], Settings, "The settings of the match."]
    units: Annotated[list[UnitView | None], "All units, by number; null for a unit that has disappeared."]
    tiles: Annotated[list[TileView], "All tiles, row by row: tile x + y * map_width."]


class WalkPreview(TypedDict):
    """A tile that a unit can walk to this turn."""

    unit: Annotated[int, "The unit."]
    tile: Annotated[int, "The tile."]
    steps: Annotated[int, "The fewest moves it takes."]


class WorldPreview(TypedDict):
    """What the server adds to a preview."""

    walks: NotRequired[
        Annotated[list[WalkPreview], "Without an action: the tiles in reach of each unit of the seat."]
    ]
