"""Generates maps: a ring of ice around full cover, and cover everywhere, symmetric by half a turn (chapter M)."""

from endturn.engine.dice import Stream
from endturn.games.snowball.setup.maps import MapPlan, Place, faults, read_map, write_map
from endturn.games.snowball.state import Ground

MAP = 2  # purpose of rolls; 1 is the throws'
TRIES = 200  # maps drawn until one is good; most are at once
COVER_PERCENT = 6, 7  # of the tiles (M7)
FULL_PERCENT = 30, 38  # of the cover (M7)


def draw_map(width: int, height: int, seed: int) -> MapPlan:
    """A map that meets all the rules for maps."""
    dice = Stream(seed, MAP)
    for _ in range(TRIES):
        sketch = Sketch(width, height, dice)
        sketch.draw()
        if not faults(sketch.plan):
            return read_map(write_map(sketch.plan))
    raise RuntimeError(f"no good map of {width} x {height} tiles in {TRIES} tries from seed {seed}")


class Sketch:
    """A map in the making; tiles are always set in opposite pairs (M5)."""

    def __init__(self, width: int, height: int, dice: Stream) -> None:
        self.width, self.height, self.dice = width, height, dice
        self.ground = [[Ground.SNOW] * width for _ in range(height)]
        self.start = max(5, width * 3 // 20), height // 2 - dice.below(2)

    @property
    def plan(self) -> MapPlan:
        """The map so far."""
        return MapPlan(
            tuple(tuple(row) for row in self.ground),
            (self.start, (self.width - 1 - self.start[0], self.height - 1 - self.start[1])),
        )

    def draw(self) -> None:
        """Draw the ring, then full cover inside it, then cover everywhere."""
        pairs = self.width * self.height * self.dice.between(*COVER_PERCENT) // 200
        full = pairs * self.dice.between(*FULL_PERCENT) // 100
        inner = self._ring()
        kept = self._cover(inner, Ground.FULL_COVER, full * 3 // 5)
        self._cover(inner, Ground.HALF_COVER, pairs // 6)
        anywhere = [(x, y) for x in range(1, self.width - 1) for y in range(1, self.height - 1)]
        outer = [place for place in anywhere if place not in set(inner)]
        self._cover(outer, Ground.FULL_COVER, full - kept)
        self._cover(outer, Ground.HALF_COVER, pairs - full - pairs // 6)
        self._cover(outer, Ground.HOLE, self.dice.below(3))

    def put(self, place: Place, ground: Ground) -> None:
        """Set a tile and its opposite."""
        self.ground[place[1]][place[0]] = ground
        self.ground[self.height - 1 - place[1]][self.width - 1 - place[0]] = ground

    def _ring(self) -> list[Place]:
        """Draw a band of ice around the middle with gaps in the north and south. Returns the tiles inside (M8)."""
        left, top = self.width * 3 // 10 + self.dice.below(2), max(3, self.height // 5 + self.dice.below(2))
        thick = 3 + self.dice.below(2)
        gap = self.width // 2 - 1 + self.dice.below(3)
        inner = []
        for y in range(top, self.height - top):
            for x in range(left, self.width - left):
                deep = min(x - left, y - top, self.width - left - 1 - x, self.height - top - 1 - y)
                if deep >= thick:
                    inner.append((x, y))
                elif x not in (gap, gap + 1) and self.width - 1 - x not in (gap, gap + 1):
                    self.put((x, y), Ground.ICE)
        return inner

    def _cover(self, places: list[Place], ground: Ground, pairs: int) -> int:
        """Put up to `many` pairs of cover on snow among these tiles. Returns how many found room."""
        chosen = [place for place in self.dice.shuffled(places) if self._has_room(place)]
        done = 0
        for place in chosen:
            if done < pairs and self._has_room(place):
                self.put(place, ground)
                done += 1
        return done

    def _has_room(self, place: Place) -> bool:
        """Whether a tile is snow, not next to a start, and not its own opposite."""
        x, y = place
        near_start = max(abs(x - self.start[0]), abs(y - self.start[1])) <= 1
        far = self.width - 1 - x, self.height - 1 - y
        near_other = max(abs(far[0] - self.start[0]), abs(far[1] - self.start[1])) <= 1
        return self.ground[y][x] == Ground.SNOW and far != place and not near_start and not near_other
