"""Players of Anarchy: one by chance, one that burns downwind, one that defends. They see what a player sees."""

from collections.abc import Iterable, Iterator

from endturn.bots.player import Seen
from endturn.engine.actions import Action, Row
from endturn.engine.dice import MASK, philox
from endturn.engine.rule import rule
from endturn.games.anarchy.actions import (
    END_TURN,
    EXTINGUISH,
    IGNITE,
    INTENSIFY,
    KEEP_TURN,
    RAID,
    ROTATE,
    EndTurn,
    Extinguish,
    Ignite,
    Raid,
    Rotate,
)
from endturn.games.anarchy.rules import distance, is_headquarters, refuse_bribe
from endturn.games.anarchy.state import NONE, City, Kind

RANDOM_PLAY = 101  # purpose of a random player's rolls
TRIES = 12


# --- choices by number --------------------------------------------------------------------------------------


@rule
def pieces(game: City) -> int:
    """Every building, and one piece more that stands for the turn itself."""
    return game.building_count + 1


@rule
def options(game: City) -> int:
    """As many as there are targets; a weather station has four."""
    return max(4, game.building_count)


@rule
def action_of(game: City, piece: int, option: int) -> Row:
    """What option a piece has under a number: a target, a change of the weather, or an end."""
    if piece == game.building_count:
        verb = END_TURN if option == 0 else KEEP_TURN if option == 1 else NONE
        return verb, 0, 0, 0, 0
    if game.kind[piece] == Kind.WEATHER_STATION:
        verb = ROTATE if option < 2 else INTENSIFY if option < 4 else NONE
        return verb, piece, option % 2, 0, 0
    if option >= game.building_count:
        return NONE, 0, 0, 0, 0
    if game.kind[piece] == Kind.WAREHOUSE:
        return IGNITE, piece, option, 0, 0
    if game.kind[piece] == Kind.FIRE_DEPARTMENT:
        return EXTINGUISH, piece, option, 0, 0
    return RAID, piece, option, 0, 0


@rule
def is_idle(game: City, seat: int, piece: int) -> bool:
    """A building that cannot be bribed has nothing to do."""
    return piece < game.building_count and refuse_bribe(game, seat, piece, game.kind[piece]) != 0


@rule
def random_action(game: City, seat: int, luck: int, when: int) -> Row:
    """A building that can be bribed and something for it to do, by chance; the turn's end when there is none."""
    if game.bribes[seat] > 0:
        for tries in range(TRIES):
            for word in philox(luck, RANDOM_PLAY, seat, when, tries):
                # What chooses the actor leaves 23 bits of chance for what it does.
                actor, rest = word * game.building_count >> 32, word * game.building_count & MASK
                if refuse_bribe(game, seat, actor, game.kind[actor]) == 0:
                    verb, a, b = random_bribe(game, actor, rest)
                    if verb != NONE:
                        return verb, a, b, 0, 0
    return END_TURN, 0, 0, 0, 0


@rule
def random_bribe(game: City, actor: int, bits: int) -> tuple[int, int, int]:
    """Something for a bribed building to do, by 32 random bits; NONE where they picked what is not allowed."""
    kind = game.kind[actor]
    if kind == Kind.WEATHER_STATION:
        return random_weather(game, actor, bits * 4 >> 32)
    target = bits * game.building_count >> 32
    if kind == Kind.POLICE_DEPARTMENT:
        return RAID if game.kind[target] == Kind.WAREHOUSE else NONE, actor, target
    if is_headquarters(game, target) or not reaches(game, actor, target):
        return NONE, actor, target
    return IGNITE if kind == Kind.WAREHOUSE else EXTINGUISH, actor, target


@rule
def reaches(game: City, actor: int, target: int) -> bool:
    """Whether the edge of the map is no obstacle (I5)."""
    free = game.settings.fire_at_the_edge or game.kind[actor] != Kind.WAREHOUSE
    return free or min(game.x[actor], game.y[actor], game.x[target], game.y[target]) > 0


@rule
def random_weather(game: City, station: int, change: int) -> tuple[int, int, int]:
    """One of the four changes of the next forecast, if it is allowed."""
    if game.next_forecast == NONE:
        return NONE, station, 0
    intensity = game.intensity[game.next_forecast]
    if change < 2:
        return ROTATE, station, change
    blocked = intensity >= game.settings.max_intensity if change == 2 else intensity <= 0
    return NONE if blocked else INTENSIFY, station, change - 2


# --- bots that plan a turn ----------------------------------------------------------------------------------


class Planner:
    """Plans a turn when it begins, then plays the plan."""

    def __init__(self, seed: int) -> None:
        self.plan: Iterator[Action] = iter(())

    def act(self, seen: Seen) -> Action:
        """The next action of the plan; the end of the turn when there is none."""
        city: City = seen.state
        if not any(city.bribed[b] for b in own(city, seen.seat)):
            self.plan = iter(list(self.think(city, seen.seat))[: city.bribes[seen.seat]])
        return next(self.plan, EndTurn())

    def think(self, city: City, seat: int) -> Iterable[Action]:
        """The actions of this turn, the most important first."""
        raise NotImplementedError


class Arsonist(Planner):
    """Reads the forecasts and burns what lies upwind of the enemy headquarters; raids what is exposed."""

    def think(self, city: City, seat: int) -> Iterable[Action]:
        """First the enemy headquarters, then the own one's safety, then everything else that burns well."""
        crew = Crew(city, seat)
        yield from smoke_out(city, seat, crew)
        yield from bend_the_wind(city, seat, crew)
        yield from raids(city, seat, crew)
        yield from protect(city, seat, crew)
        yield from scorch(city, seat, crew)


class Warden(Planner):
    """Keeps fire away from its own headquarters and the wind off it; strikes back with raids."""

    def think(self, city: City, seat: int) -> Iterable[Action]:
        """First the own headquarters, then raids; what is left goes against the enemy headquarters."""
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
        """Call up the one nearest to a target; the own headquarters only when no other is left."""
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
    """The buildings of a seat."""
    return [b for b in range(city.building_count) if city.owner[b] == seat]


def upwind(city: City, target: int, direction: int, intensity: int) -> list[int]:
    """Where a fire must burn for this wind to carry it to the target, the nearest first."""
    against = city.neighbour[(direction + 2) % 4]
    reach = intensity if city.settings.wind_crosses_buildings else min(1, intensity)
    found: list[int] = []
    here = against[target]
    while here != NONE and len(found) < reach:
        found.append(here)
        here = against[here]
    return found


def smoke_out(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Set fire upwind of the enemy headquarters, for this turn's wind and the next one's."""
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
    """How much fire a wind would bring to the own headquarters, less what it brings to the enemy's."""
    brought = 0
    for side, headquarters in ((1, city.headquarters[seat]), (-1, city.headquarters[1 - seat])):
        burning = any(city.fire[b] > 1 for b in upwind(city, headquarters, direction, intensity))
        brought += side * intensity if burning and intensity > city.fire[headquarters] else 0
    return brought


def bend_the_wind(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Turn the next forecast to where it does the enemy most harm and oneself least."""
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
    """Make the most exposed enemy warehouses pay, the headquarters first."""
    worth = [b for b in own(city, 1 - seat) if city.exposure[b] >= 15 and city.health[b] > 0]
    worth.sort(key=lambda b: (not is_headquarters(city, b), -min(city.exposure[b], city.health[b])))
    for warehouse, police in zip(worth, list(crew.of[Kind.POLICE_DEPARTMENT]), strict=False):
        yield Raid(police, warehouse)


def protect(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Put out what the next two winds would carry to the own headquarters; calm the wind if that is not enough."""
    home = city.headquarters[seat]
    for forecast in (city.current_forecast, city.next_forecast):
        if forecast == NONE:
            continue
        threats = upwind(city, home, city.direction[forecast], city.intensity[forecast])
        for building in [b for b in threats if city.fire[b] > 0 and not is_headquarters(city, b)]:
            yield from put_out(city, building, crew)


def put_out(city: City, building: int, crew: Crew) -> Iterable[Action]:
    """As many fire departments as one fire takes."""
    removes = city.settings.extinguish_removes
    while city.fire[building] > 0 and removes > 0:
        department = crew.nearest(Kind.FIRE_DEPARTMENT, building)
        if department is None:
            return
        city.fire[building] = max(0, city.fire[building] - removes)
        yield Extinguish(department, building)


def douse(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Put out the fiercest fires on own buildings that still stand."""
    burning = [b for b in own(city, seat) if city.fire[b] > 0 and city.health[b] > 0]
    for building in sorted(burning, key=lambda b: -city.fire[b]):
        if not is_headquarters(city, building):
            yield from put_out(city, building, crew)


def scorch(city: City, seat: int, crew: Crew) -> Iterable[Action]:
    """Light rows in which this turn's wind finds more enemy buildings than own ones."""
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
    """Enemy buildings less own ones that a fire here would be carried to."""
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
