"""The size of granaries, and how much food they keep."""

from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.numbers import clip, percent
from endturn.games.empires.state import City, World
from endturn.games.empires.vocabulary import EffectType


def granary_size(world: World, size: int) -> int:
    """The food that a city of a size needs to grow."""
    if size <= 0:
        return 0
    first, more = world.rules.parameters.granary_first, world.rules.parameters.granary_increase
    wanted = first[size - 1] if size <= len(first) else first[-1] + more * (size - len(first))
    return max(percent(wanted, world.settings["foodbox"]), 1)


def savings(world: World, city: City) -> int:
    """The percentage of the granary that is kept when the city grows or shrinks."""
    return clip(0, of_city(world, city, EffectType.GROWTH_FOOD), 100)
