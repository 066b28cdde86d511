"""What tiles and cities yield (TURN_CHANGE 5.1 and 5.2): tiles, specialists, waste and taxes."""

from endturn.games.empires.rules.effects import (
    answers,
    of_city,
    of_city_without_tile,
    of_specialist,
    of_tile,
)
from endturn.games.empires.rules.numbers import clip, over, percent
from endturn.games.empires.rules.trade import route_income
from endturn.games.empires.ruleset import (
    FOOD,
    GOLD,
    LUXURY,
    OUTPUTS,
    SCIENCE,
    SHIELD,
    TRADE,
    Output,
    Terrain,
    Yields,
)
from endturn.games.empires.state import City, Player, World
from endturn.games.empires.vocabulary import EffectType


def celebrates_by_size(world: World, city: City) -> bool:
    """Whether a city's tiles yield as in a celebrating city."""
    return city.was_happy and city.size >= world.rules.parameters.celebrate_size_limit


def tile_yields(world: World, city: City, tile: int) -> Yields:
    """What a tile yields for a city, worked or not."""
    terrain, extras = world.terrain[tile], world.extras[tile]
    celebrating = celebrates_by_size(world, city)
    remembered = answers(world, city)
    key = terrain.index, extras, tile == city.tile, celebrating
    found = remembered.get(key)
    if found is None:
        base = natural_yields(world, terrain, extras)
        found = tuple(_tile_yield(world, city, tile, output, base[output], celebrating) for output in OUTPUTS)
        remembered[key] = found
    return found


def natural_yields(world: World, terrain: Terrain, extras: int) -> list[int]:
    """What the terrain and its resource yield."""
    yields = list(terrain.yields)
    for extra in world.rules.extras:
        if extra.bit & extras & terrain.resources:
            yields = [a + b for a, b in zip(yields, extra.resource, strict=True)]
    return yields


def _tile_yield(world: World, city: City, tile: int, output: Output, prod: int, celebrating: bool) -> int:
    terrain = world.terrain[tile]
    if output == SHIELD and terrain.mining_shield:
        prod += percent(terrain.mining_shield, of_tile(world, city, tile, EffectType.MINING_PCT, None))
    elif output == FOOD and terrain.irrigation_food:
        prod += percent(terrain.irrigation_food, of_tile(world, city, tile, EffectType.IRRIGATION_PCT, None))
    prod = with_roads(world, terrain, world.extras[tile], output, prod)
    prod += of_tile(world, city, tile, EffectType.OUTPUT_ADD_TILE, output)
    if prod > 0:
        prod = _favoured(world, city, tile, output, prod, celebrating)
    prod -= percent(prod, of_tile(world, city, tile, EffectType.OUTPUT_TILE_PUNISH_PCT, output))
    return max(prod, world.rules.parameters.min_city_center[output]) if tile == city.tile else prod


def with_roads(world: World, terrain: Terrain, extras: int, output: Output, prod: int) -> int:
    """A tile's yield with its roads."""
    roads = [extra for extra in world.rules.extras if extra.bit & extras and "Road" in extra.causes]
    if not roads:
        return prod
    prod += sum(road.road_const[output] for road in roads)
    prod += percent(sum(road.road_increase[output] for road in roads), terrain.road_percent[output])
    return prod + percent(prod, sum(road.road_bonus[output] for road in roads))


def _favoured(world: World, city: City, tile: int, output: Output, prod: int, celebrating: bool) -> int:
    if celebrating:
        prod += of_tile(world, city, tile, EffectType.OUTPUT_INC_TILE_CELEBRATE, output)
    prod += of_tile(world, city, tile, EffectType.OUTPUT_INC_TILE, output)
    prod += percent(prod, of_tile(world, city, tile, EffectType.OUTPUT_PER_TILE, output))
    if not celebrating:
        limit = of_tile(world, city, tile, EffectType.OUTPUT_PENALTY_TILE, output)
        if 0 < limit < prod:
            prod -= 1
    return prod


def worked_yields(world: World, city: City) -> list[int]:
    """The sum over the worked tiles, the center included, and the specialists."""
    total = [0] * len(OUTPUTS)
    for tile in city.worked:
        for output, amount in enumerate(tile_yields(world, city, tile)):
            total[output] += amount
    for place, count in enumerate(city.specialists):
        if count:
            for output, amount in enumerate(specialist_yields(world, city, place)):
                total[output] += count * amount
    return total


def specialist_yields(world: World, city: City, place: int) -> Yields:
    """What one specialist of a kind yields."""
    remembered = answers(world, city)
    key = "specialist", place
    if key not in remembered:
        name = world.rules.specialists[place]
        remembered[key] = tuple(of_specialist(world, city, name, output) for output in OUTPUTS)
    return remembered[key]  # type: ignore[no-any-return]


def bonuses(world: World, city: City) -> list[int]:
    """The bonus of each output, in percent."""
    remembered = answers(world, city)
    if "bonuses" not in remembered:
        remembered["bonuses"] = [_bonus(world, city, output) for output in OUTPUTS]
    return remembered["bonuses"]  # type: ignore[no-any-return]


def _bonus(world: World, city: City, output: Output) -> int:
    first = 100 + of_city_without_tile(world, city, EffectType.OUTPUT_BONUS, output)
    second = 100 + of_city_without_tile(world, city, EffectType.OUTPUT_BONUS_2, output)
    return max(percent(first, second), 0)


def tithes(world: World, city: City) -> int:
    """Gold from content citizens, if the government takes it."""
    if of_city(world, city, EffectType.HAPPINESS_TO_GOLD) <= 0:
        return 0
    return of_city(world, city, EffectType.MAKE_CONTENT) + of_city(world, city, EffectType.FORCE_CONTENT)


def produce(world: World, city: City, base: list[int]) -> None:
    """Compute the city's output from the yields of tiles and specialists; usage must be known."""
    city.bonus = bonuses(world, city)
    city.made, city.waste = made_and_wasted(world, city, base, route_income(world, city), tithes(world, city))


def made_and_wasted(
    world: World, city: City, base: list[int], routes: int, tithe: int
) -> tuple[list[int], list[int]]:
    """The output a city makes from its yields, and the waste."""
    made, bonus = list(base), bonuses(world, city)
    made[TRADE] += routes
    made[GOLD] += tithe
    gross = [percent(made[o], bonus[o]) for o in OUTPUTS]
    waste = [wasted(world, city, o, gross[o]) for o in OUTPUTS]
    taxed = gross[TRADE] - waste[TRADE] - city.usage[TRADE]
    for output, share in zip((SCIENCE, GOLD, LUXURY), split(taxed, rates(world, city.owner)), strict=True):
        made[output] += share
    return [percent(made[o], bonus[o]) - waste[o] for o in OUTPUTS], waste


def rates(world: World, player: Player) -> tuple[int, int, int]:
    """The percentages of trade for science, tax and luxury; during a revolution all of it is luxury."""
    if player.government == world.rules.parameters.during_revolution:
        return 0, 0, 100
    return player.science, player.tax, player.luxury


def split(trade: int, shares: tuple[int, int, int]) -> list[int]:
    """Split trade by percentages; the rest goes to the largest fractions, then to the smaller and earlier amounts."""
    if trade <= 0:
        return [0, 0, 0]
    whole = [trade * share // 100 for share in shares]
    cut = [trade * share % 100 for share in shares]
    for _ in range(trade - sum(whole)):
        most = min(range(3), key=lambda i: (-cut[i], whole[i], i))
        whole[most] += 1
        cut[most] = 0
    return whole


def wasted(world: World, city: City, output: Output, total: int) -> int:
    """The waste of an output, by government and distance."""
    penalty = _small_town_penalty(world, city, total) if output == TRADE else 0
    rest = total - penalty
    if rest <= 0:
        return penalty
    level, spared = waste_levels(world, city)[output]
    if level is None:
        return total
    waste = percent(rest, level)
    waste -= percent(waste, spared)
    return penalty + clip(0, waste, rest)


def waste_levels(world: World, city: City) -> list[tuple[int | None, int]]:
    """For each output the percentage wasted (None: all of it), and the percentage of that saved."""
    remembered = answers(world, city)
    if "waste" not in remembered:
        remembered["waste"] = [
            (_waste_level(world, city, output), of_city(world, city, EffectType.OUTPUT_WASTE_PCT, output))
            for output in OUTPUTS
        ]
    return remembered["waste"]  # type: ignore[no-any-return]


def _waste_level(world: World, city: City, output: Output) -> int | None:
    level = of_city(world, city, EffectType.OUTPUT_WASTE, output)
    by_distance = of_city(world, city, EffectType.OUTPUT_WASTE_BY_DISTANCE, output)
    by_share = of_city(world, city, EffectType.OUTPUT_WASTE_BY_REL_DISTANCE, output)
    if by_distance > 0 or by_share > 0:
        distance = to_government(world, city)
        if distance is None:
            return None
        across = max(world.geometry.width, world.geometry.height)
        level += percent(by_distance, distance) + over(percent(by_share * 50, distance), across)
    return level


def _small_town_penalty(world: World, city: City, trade: int) -> int:
    none, full = world.settings["notradesize"], world.settings["fulltradesize"]
    if city.size <= none:
        return trade
    return 0 if city.size >= full else over(trade * (full - city.size), full - none)


def to_government(world: World, city: City) -> int | None:
    """Steps to the owner's nearest government center; None if there is none."""
    remembered = answers(world, city)
    if "to government" not in remembered:
        centres = [c for c in city.owner.cities if of_city(world, c, EffectType.GOV_CENTER) > 0]
        away = (world.geometry.distance(city.tile, centre.tile) for centre in centres)
        remembered["to government"] = min(away, default=None)
    return remembered["to government"]  # type: ignore[no-any-return]
