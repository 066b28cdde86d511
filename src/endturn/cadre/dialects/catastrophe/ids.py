"""The ids of units, tiles, jobs and structures of Catastrophe on the wire."""

from collections.abc import Mapping
from functools import cache

from endturn.cadre.state import reference
from endturn.cadre.table import Era, Wire
from endturn.games.catastrophe.state import NOBODY, NONE, Job, World

PLAYERS = 2
JOBS: Mapping[Era, tuple[Job, ...]] = {
    "2017": tuple(Job),
    "2022": (Job.BUILDER, Job.CAT_OVERLORD, Job.FRESH_HUMAN, Job.GATHERER, Job.MISSIONARY, Job.SOLDIER),
}


def job_title(job: int) -> str:
    """The servers' name for a job."""
    return Job(job).name.lower().replace("_", " ")


def job_id(world: World, era: Era, job: int) -> int:
    """The id of a job."""
    return PLAYERS + JOBS[era].index(Job(job)) + (world.tile_count if era == "2022" else 0)


@cache
def tile_references(era: Era, width: int, height: int) -> tuple[Wire, ...]:
    """References to all tiles. They are shared: do not change them."""
    first = PLAYERS + (len(Job) if era == "2017" else 0)
    return tuple(reference(first + tile % width * height + tile // width) for tile in range(width * height))


def tile_reference(world: World, era: Era, tile: int) -> Wire:
    """A reference to a tile."""
    return tile_references(era, world.settings.map_width, world.settings.map_height)[tile]


def number(world: World, objects: Mapping[str, Wire], said: str) -> int:
    """Our number of a unit or a tile on the wire."""
    found, width = objects[said], world.settings.map_width
    if found["gameObjectName"] == "Tile":
        return int(found["x"] + found["y"] * width)
    if found["tile"] is None:
        return unit_ids(objects).index(int(said))
    here = objects[found["tile"]["id"]]
    return int(world.unit_on[here["x"] + here["y"] * width])


def unit_ids(objects: Mapping[str, Wire]) -> list[int]:
    """The ids of all units so far, dead ones included, in the order of our numbers."""
    return sorted(int(said) for said, each in objects.items() if each["gameObjectName"] == "Unit")


class ObjectIds:
    """References to the objects that we number, kept up to date from one call of `news` to the next."""

    def __init__(self, world: World, era: Era, objects: Mapping[str, Wire]) -> None:
        self.width = world.settings.map_width
        self.tiles = tile_references(era, self.width, world.settings.map_height)
        self.jobs = [reference(job_id(world, era, job)) for job in Job]
        self.units = [reference(said) for said in unit_ids(objects)]
        self.structure_on: list[Wire | None] = [objects[tile["id"]]["structure"] for tile in self.tiles]
        standing = sorted(int(each["id"]) for each in self.structure_on if each is not None)
        self.standing = {str(said): reference(said) for said in standing}  # oldest first
        structures = [each for each in objects.values() if each["gameObjectName"] == "Structure"]
        self.owner_of = {each["id"]: each["owner"] for each in structures}
        self._count = len(objects)

    def another(self) -> Wire:
        """A reference to a new object."""
        self._count += 1
        return reference(self._count - 1)

    def built(self, tile: int) -> Wire:
        """A reference to the structure that was just built on a tile."""
        made = self.structure_on[tile] = self.another()
        self.standing[made["id"]] = made
        return made

    def fell(self, tile: int) -> None:
        """Note that the structure on a tile is gone."""
        gone, self.structure_on[tile] = self.structure_on[tile], None
        assert gone is not None
        del self.standing[gone["id"]]

    def tile(self, tile: int) -> Wire | None:
        """A reference to a tile, or None."""
        return None if tile == NONE else self.tiles[tile]

    def unit(self, unit: int) -> Wire | None:
        """A reference to a unit, or None."""
        return None if unit == NONE else self.units[unit]

    def job(self, job: int) -> Wire:
        """A reference to a job."""
        return self.jobs[job]

    def owner(self, seat: int) -> Wire | None:
        """A reference to a player, or None."""
        return None if seat == NOBODY else reference(seat)
