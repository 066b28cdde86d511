"""The mood of citizens (TURN_CHANGE 5.3): size, luxury, buildings, nationality and martial law, in this order."""

from typing import NamedTuple

from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.numbers import over, percent
from endturn.games.empires.rules.support import is_military, military_unhappiness
from endturn.games.empires.ruleset import LUXURY
from endturn.games.empires.state import City, World
from endturn.games.empires.vocabulary import DiplomaticState, EffectType


class Feelings:
    """The citizens of a city who are not specialists, by mood."""

    __slots__ = ("angry", "content", "happy", "unhappy")

    def __init__(self, content: int, unhappy: int, angry: int) -> None:
        """Start with nobody happy."""
        self.happy, self.content, self.unhappy, self.angry = 0, content, unhappy, angry

    def soothe(self, points: int) -> int:
        """Make angry citizens unhappy, then unhappy ones content. Returns the points left over."""
        calmed = min(self.angry, points)
        self.angry, self.unhappy, points = self.angry - calmed, self.unhappy + calmed, points - calmed
        calmed = min(self.unhappy, points)
        self.unhappy, self.content = self.unhappy - calmed, self.content + calmed
        return points - calmed

    def provoke(self, points: int) -> None:
        """Make content citizens unhappy, then happy ones for two points each; a single point makes one content."""
        moved = min(self.content, points)
        self.content, self.unhappy, points = self.content - moved, self.unhappy + moved, points - moved
        moved = min(self.happy, points // 2)
        self.happy, self.unhappy, points = self.happy - moved, self.unhappy + moved, points - 2 * moved
        moved = min(self.happy, points)
        self.happy, self.content = self.happy - moved, self.content + moved

    def delight(self, points: int, cost: int = 1) -> int:
        """Make content citizens happy, then unhappy ones at twice the price. Returns the points left over."""
        moved = min(self.content, points // cost)
        self.content, self.happy, points = self.content - moved, self.happy + moved, points - moved * cost
        moved = min(self.unhappy, points // (2 * cost))
        self.unhappy, self.happy = self.unhappy - moved, self.happy + moved
        return points - moved * 2 * cost

    def spend_luxury(self, luxury: int, cost: int) -> None:
        """Luxury calms angry citizens first, then delights; a remainder makes one more content."""
        calmed = min(self.angry, luxury // cost)
        self.angry, self.unhappy = self.angry - calmed, self.unhappy + calmed
        luxury = self.delight(luxury - calmed * cost, cost)
        if luxury >= cost and self.unhappy > 0:
            self.unhappy, self.content = self.unhappy - 1, self.content + 1


def content_by_size(world: World, city: City) -> int:
    """How many citizens are content by default; below zero, how many are angry."""
    count = of_city(world, city, EffectType.CITY_UNHAPPY_SIZE)
    start = of_city(world, city, EffectType.EMPIRE_SIZE_BASE)
    step = of_city(world, city, EffectType.EMPIRE_SIZE_STEP)
    cities = len(city.owner.cities)
    if start + step > 0 and cities > start:
        count -= 1 + (over(cities - start - 1, step) if step > 0 else 0)
    return count


class Pressures(NamedTuple):
    """What affects the mood of a city, wherever its citizens work."""

    content_by_size: int
    make_content: int
    hostile: int
    martial_law: int
    military: int
    make_happy: int
    no_unhappy: bool
    force_content: int


def pressures(world: World, city: City) -> Pressures:
    """What works on the feelings of a city's citizens."""
    return Pressures(
        content_by_size(world, city),
        max(of_city(world, city, EffectType.MAKE_CONTENT), 0),
        hostile_citizens(world, city),
        martial_law(world, city),
        military_unhappiness(world, city),
        max(of_city(world, city, EffectType.MAKE_HAPPY), 0),
        of_city(world, city, EffectType.NO_UNHAPPY) > 0,
        max(of_city(world, city, EffectType.FORCE_CONTENT), 0),
    )


def feelings(world: World, size: int, specialists: int, luxury: int, pressed: Pressures) -> Feelings:
    """The final mood of the citizens, stage by stage."""
    count, workers = pressed.content_by_size, size - specialists
    content = max(0, min(size, max(count, 0)) - specialists)
    angry = min(max(-count, 0), workers) if world.rules.parameters.angry_citizens else 0
    mood = Feelings(content, workers - content - angry, angry)
    mood.spend_luxury(luxury, world.rules.parameters.happy_cost)
    mood.soothe(pressed.make_content)
    mood.provoke(pressed.hostile)
    mood.soothe(pressed.martial_law)
    mood.provoke(pressed.military)
    rest = mood.delight(pressed.make_happy)
    if pressed.no_unhappy:
        mood.content += mood.unhappy + mood.angry
        mood.unhappy = mood.angry = 0
    else:
        mood.soothe(rest + pressed.force_content)
    return mood


def feel(world: World, city: City) -> None:
    """Set the mood of the citizens; the city's output must be known."""
    mood = feelings(world, city.size, sum(city.specialists), city.made[LUXURY], pressures(world, city))
    city.happy, city.content, city.unhappy, city.angry = mood.happy, mood.content, mood.unhappy, mood.angry


def hostile_citizens(world: World, city: City) -> int:
    """The citizens who are unhappy because their own nation is an enemy."""
    if not world.rules.parameters.nationality:
        return 0
    share = of_city(world, city, EffectType.ENEMY_CITIZEN_UNHAPPY_PCT)
    relations = city.owner.relations
    foes = sum(
        count
        for nation, count in city.citizens.items()
        if nation in relations and relations[nation].state == DiplomaticState.WAR
    )
    return percent(foes, share) if share > 0 else 0


def martial_law(world: World, city: City) -> int:
    """How many citizens the garrison calms."""
    each = of_city(world, city, EffectType.MARTIAL_LAW_EACH)
    if each <= 0:
        return 0
    garrison = sum(
        unit.owner is city.owner and is_military(unit) for unit in world.units_at.get(city.tile, ())
    )
    most = of_city(world, city, EffectType.MARTIAL_LAW_MAX)
    return each * (min(garrison, most) if most > 0 else garrison)


def is_happy(world: World, city: City) -> bool:
    """Whether the city is large enough to celebrate, nobody is unhappy, and at least half of the citizens are happy."""
    return is_joyful(world, city.size, city.happy, city.unhappy + city.angry)


def is_joyful(world: World, size: int, happy: int, dissatisfied: int) -> bool:
    """The same for any number of citizens."""
    return (
        size >= world.rules.parameters.celebrate_size_limit and not dissatisfied and happy >= (size + 1) // 2
    )


def is_unhappy(city: City) -> bool:
    """Whether the city is in disorder: unhappy citizens, with angry ones counted twice, outnumber happy ones."""
    return city.happy < city.unhappy + 2 * city.angry


def is_celebrating(world: World, city: City) -> bool:
    """Whether the city is happy, and was before."""
    return city.was_happy and is_happy(world, city)
