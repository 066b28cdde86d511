"""The bots of Anarchy: `arsonist` attacks with fire, `warden` defends."""

from collections.abc import Iterable, Iterator

from endturn.bots.player import Seen
from endturn.engine.actions import Action
from endturn.games.anarchy.actions import (
    EndTurn,
    Extinguish,
    Ignite,
    Raid,
    Rotate,
)
from endturn.games.anarchy.choices import reaches
from endturn.games.anarchy.rules import distance, is_headquarters, refuse_bribe
from endturn.games.anarchy.state import NONE, City, Kind

# --- bots that plan a turn ----------------------------------------------------------------------------------


class Planner:
    """A bot that plans a turn when it begins, then plays the plan."""

    def __init__(self, seed: int) -> None:
        self.plan: Iterator[Action] = iter(())

    def act(self, seen: Seen) -> Action:
        """Return the next action of the plan, or the end of the turn."""
        city: City = seen.state
        if not any(city.bribed[b] for b in own(city, seen.seat)):
            self.plan = iter(list(self.think(city, seen.seat))[: city.bribes[seen.seat]])
        return next(self.plan, EndTurn())

    def think(self, city: City, seat: int) -> Iterable[Action]:
        """Return the actions of this turn, the most important first."""
        raise NotImplementedError


class Arsonist(Planner):
    """Sets fires upwind of the enemy headquarters and raids exposed warehouses."""

    def think(self, city: City, seat: int) -> Iterable[Action]:
        """Attack the enemy headquarters, raid, protect its own headquarters, then burn other buildings."""
        crew = Crew(city, seat)
        yield from smoke_out(city, seat, crew)
        yield from bend_the_wind(city, seat, crew)
        yield from raids(city, seat, crew)
        yield from protect(city, seat, crew)
        yield from scorch(city, seat, crew)


class Warden(Planner):
    """Keeps fire and wind away from its own headquarters and strikes back with raids."""

    def think(self, city: City, seat: int) -> Iterable[Action]:
        """Protect its own headquarters, raid, then attack the enemy headquarters and put out fires."""
        crew = Crew(city, seat)
        yield from protect(city, seat, crew)
        yield from bend_the_wind(city, seat, crew)
        yield from raids(city, seat, crew)
        yield from smoke_out(city, seat, crew)
        yield from douse(city, seat, crew)


class Crew:
    """The buildings of a seat that can still be bribed this turn, by kind."""

    def __init__(self, city: City, seat: int) -> None:
        free = [b for b in own(city, seat) if refuse_bribe(city, seat, b, city.kind[b]) == 0]
        self.city = city
        self.of = {kind: [b for b in free if city.kind[b] == kind] for kind in Kind}

    def nearest(self, kind: Kind, target: int) -> int | None:
        """Take the building nearest to a target; take its own headquarters last."""
        city = self.city
        ready = [b for b in self.of[kind] if reaches(city, b, target)]
        if not ready:
            return None
        chosen = min(
            ready, key=lambda b: (is_headquarters(city, b), distance(city, b, target) + city.exposure[b])
        )
        self.of[kind].remove(chosen)
        return chosen


def own(city: City, seat: int) -> list[int]:
    """Return the buildings of a seat."""
    return [b for b in range(city.building_count) if city.owner[b] == seat]


def upwind(city: City, target: int, direction: int, intensity: int) -> list[int]:
    """Return the buildings from which this wind carries fire to the target, nearest first."""
    against = city.neighbour[(direction + 2) % 4]
    reach = intensity if city.settings.wind_crosses_buildings else min(1, intensity)
    found: list[int] = []
    here = against[target]
    while here != NONE and len(found) < reach:
        found.append(here)
        here = against[here]
    return found


def smoke_out(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Set fires upwind of the enemy headquarters, for this turn's wind and the next."""
    enemy = city.headquarters[1 - seat]
    for forecast in (city.current_forecast, city.next_forecast):
        if forecast == NONE or city.intensity[forecast] <= city.fire[enemy] - 1:
            continue
        sources = upwind(city, enemy, city.direction[forecast], city.intensity[forecast])
        if any(city.fire[b] > 1 for b in sources):
            continue
        for building in [b for b in sources if not is_headquarters(city, b)][:1]:
            warehouse = crew.nearest(Kind.WAREHOUSE, building)
            if warehouse is not None:
                city.fire[building] += city.settings.warehouse_fire
                yield Ignite(warehouse, building)


def danger(city: City, seat: int, direction: int, intensity: int) -> int:
    """Return the fire a wind would bring to its own headquarters, minus the enemy's."""
    brought = 0
    for side, headquarters in ((1, city.headquarters[seat]), (-1, city.headquarters[1 - seat])):
        burning = any(city.fire[b] > 1 for b in upwind(city, headquarters, direction, intensity))
        brought += side * intensity if burning and intensity > city.fire[headquarters] else 0
    return brought


def bend_the_wind(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Turn the next forecast to the direction with the least danger."""
    forecast = city.next_forecast
    if forecast == NONE:
        return
    direction, intensity = city.direction[forecast], city.intensity[forecast]
    best = min(
        range(4), key=lambda turns: (danger(city, seat, (direction + turns) % 4, intensity), turns % 3, turns)
    )
    stations = crew.of[Kind.WEATHER_STATION]
    if danger(city, seat, (direction + best) % 4, intensity) == danger(city, seat, direction, intensity):
        return
    for _ in range(1 if best == 3 else best):
        if stations:
            yield Rotate(stations.pop(), counterclockwise=best == 3)


def raids(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Raid the most exposed enemy warehouses, the headquarters first."""
    worth = [b for b in own(city, 1 - seat) if city.exposure[b] >= 15 and city.health[b] > 0]
    worth.sort(key=lambda b: (not is_headquarters(city, b), -min(city.exposure[b], city.health[b])))
    for warehouse, police in zip(worth, list(crew.of[Kind.POLICE_DEPARTMENT]), strict=False):
        yield Raid(police, warehouse)


def protect(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Put out fires that the next two winds would carry to its own headquarters."""
    home = city.headquarters[seat]
    for forecast in (city.current_forecast, city.next_forecast):
        if forecast == NONE:
            continue
        threats = upwind(city, home, city.direction[forecast], city.intensity[forecast])
        for building in [b for b in threats if city.fire[b] > 0 and not is_headquarters(city, b)]:
            yield from put_out(city, building, crew)


def put_out(city: City, building: int, crew: Crew) -> Iterable[Action]:
    """Send fire departments until the fire is out."""
    removes = city.settings.extinguish_removes
    while city.fire[building] > 0 and removes > 0:
        department = crew.nearest(Kind.FIRE_DEPARTMENT, building)
        if department is None:
            return
        city.fire[building] = max(0, city.fire[building] - removes)
        yield Extinguish(department, building)


def douse(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Put out the strongest fires on its own standing buildings."""
    burning = [b for b in own(city, seat) if city.fire[b] > 0 and city.health[b] > 0]
    for building in sorted(burning, key=lambda b: -city.fire[b]):
        if not is_headquarters(city, building):
            yield from put_out(city, building, crew)


def scorch(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Light fires where this turn's wind reaches more enemy buildings than its own."""
    forecast = city.current_forecast
    targets = [
        b for b in own(city, 1 - seat) if city.health[b] > 0 and city.fire[b] < city.settings.max_fire // 2
    ]
    ranked = sorted(targets, key=lambda b: (-harvest(city, seat, b, forecast), city.health[b]))
    for building in [b for b in ranked if not is_headquarters(city, b)]:
        warehouse = crew.nearest(Kind.WAREHOUSE, building)
        if warehouse is None:
            return
        yield Ignite(warehouse, building)


def harvest(city: City, seat: int, building: int, forecast: int) -> int:
    """Return the number of enemy buildings, minus its own, that a fire here would reach."""
    downwind = city.neighbour[city.direction[forecast]]
    reach = (
        city.intensity[forecast] if city.settings.wind_crosses_buildings else min(1, city.intensity[forecast])
    )
    gain, here = 1, downwind[building]
    while here != NONE and reach > 0:
        if city.health[here] > 0:
            gain += 1 if city.owner[here] != seat else -1
        if here == city.headquarters[seat]:
            gain -= 20
        here, reach = downwind[here], reach - 1
    return gain
