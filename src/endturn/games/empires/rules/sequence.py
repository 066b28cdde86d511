"""The turn change as data: named steps in ordered lists, one for each stage of a turn.

A step has the number of its sentence in the README; steps that are done for one player, unit or city after
the other stand together in an `Each`. A step that answers True ends the steps of its group for that subject.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from endturn.games.empires.rules import (
    achievements,
    activities,
    barbarians,
    calendar,
    cities,
    diplomacy,
    environment,
    errands,
    growth,
    migration,
    phases,
    production,
    research,
    score,
    spaceship,
    treasury,
    units,
    unrest,
    victory,
)
from endturn.games.empires.rules.mood import is_celebrating, is_happy
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.support import share_upkeep
from endturn.games.empires.ruleset import Building, UnitType
from endturn.games.empires.state import City, Player, Unit, World

Act = Callable[..., Any]


@dataclass(slots=True, frozen=True)
class Step:
    """One thing that happens: to the world, a player, a unit or a city, by the group it stands in."""

    id: str
    sentence: str
    act: Act


@dataclass(slots=True, frozen=True)
class Each:
    """Steps that are all done for one subject before the next has its turn."""

    whom: str
    subjects: Callable[..., Iterable[Any]]
    steps: tuple["Step | Each", ...]


@dataclass(slots=True, frozen=True)
class Stage:
    """A named part of the turn."""

    name: str
    steps: tuple[Step | Each, ...]


def in_order(world: World) -> list[Player]:
    """The players of this phase in this turn's order."""
    return [player for player in world.order if phases.takes_part(world, player)]


def living_in_order(world: World) -> Iterator[Player]:
    """The living players of this phase in this turn's order."""
    return (player for player in in_order(world) if player.is_alive)


def by_number(world: World) -> list[Player]:
    """The players by number."""
    return list(world.players.values())


def units_of(world: World, player: Player) -> Iterator[Unit]:
    """A player's units as they stand in the list; those lost on the way are left out."""
    return (unit for unit in list(player.units) if unit.id in world.units)


def cities_in_list_order(world: World, player: Player) -> list[City]:
    """A player's cities as they were founded or taken."""
    return list(player.cities)


def cities_by_lot(world: World, player: Player) -> Iterator[City]:
    """A player's cities, each drawn when it is its turn."""
    waiting = list(player.cities)
    while waiting:
        place = world.chance.below(len(waiting), "which city next")
        city = waiting[place]
        waiting[place] = waiting[-1]
        waiting.pop()
        if city.id in world.cities:
            yield city


def if_building(world: World, city: City) -> list[City]:
    """The city, if it builds an improvement."""
    return [city] if isinstance(city.production, Building) else []


def if_unit(world: World, city: City) -> list[City]:
    """The city, if it builds a unit and has not planned it only now."""
    return [city] if isinstance(city.production, UnitType) and not city.has_built else []


def told(kind: str) -> Act:
    """A step that only tells those concerned."""

    def tell(world: World, subject: Any = None) -> None:
        world.tell(kind, subject.number if isinstance(subject, Player) else None)

    return tell


def fep(*steps: Step | Each) -> Each:
    """For each player, in this turn's order."""
    return Each("player, in order", in_order, steps)


def numbered(*steps: Step | Each) -> Each:
    """For each player, by number."""
    return Each("player, by number", by_number, steps)


def count_city(world: World, city: City) -> None:
    """E10a: how it felt is remembered, then it is counted anew."""
    city.mood_before = is_happy(world, city), is_celebrating(world, city)
    refresh(world, city)
    city.has_built = False


IMPROVEMENT = (
    Step("E10f.1", "coinage: shields become gold, and the next thing is planned", production.mint),
    Step("E10f.2", "an obsolete target is upgraded to what replaces it", production.modernise_building),
    Step("E10f.3", "what cannot be built any more is told", production.require_building),
    Step("E10f.4", "it is built if the stock reaches its cost", production.require_shields),
    Step("E10f.5", "a small wonder leaves its old city", production.move_small_wonder),
    Step(
        "E10f.6",
        "the building or space part is there, its cost paid, its news told",
        production.complete_building,
    ),
    Step("E10f.7", "free techs of the building", production.give_techs),
    Step("E10f.8", "the city is refreshed", cities.refresh_and_arrange),
    Step("E10f.9", "the next target: worklist, the same again, or the advisor", production.choose_next),
)
UNIT = (
    Step("E11.1", "an obsolete kind is upgraded, unless something was bought", production.modernise_unit),
    Step("E11.2", "what is not available is told", production.require_unit),
    Step("E11.3", "it is built if the stock reaches its cost", production.require_shields),
    Step(
        "E11.4",
        "a settler of the last citizens disbands the city, or is refused",
        production.require_citizens,
    ),
    Step("E11.5", "the city remembers that it built this turn", production.note_built),
    Step("E11.6", "units appear, as many as slots and shields allow", production.complete_units),
    Step("E11.8", "the next target", production.choose_next),
)
CITY_TURN = (
    Step("E10a", "the city is refreshed", count_city),
    Step("E10b", "unit upkeep is recalculated", share_upkeep),
    Step("E10c", "if the land it can work changed, the citizens are arranged", cities.arrange_if_needed),
    Step("E10d", "units short of shields go, surplus shields are stored", production.distribute_surplus),
    Step("E10e", "the production is remembered", production.remember_production),
    Each("improvement it builds", if_building, IMPROVEMENT),
    Each("unit it builds", if_unit, UNIT),
    Step("E12", "where the game is over, nothing more happens", phases.stop_if_over),
    Step("E12a", "history grows", phases.add_history),
    Step("E13", "a happy city celebrates", growth.celebrate),
    Step("E14", "plague is checked", growth.plague),
    Step("E15", "the food surplus goes to the granary", growth.store_food),
    Step("E16", "a fed or enraptured city grows", growth.grow_if_fed),
    Step("E17", "claimed borders follow", cities.update_border),
    Step("E18", "famine takes a unit or a citizen", growth.starve),
    Step("E19", "sell, buy and airlift counters are cleared", phases.clear_counters),
    Step("E20", "bulbs are harvested", phases.harvest_bulbs),
    Step("E21", "gold is harvested, upkeep paid, a debt settled", treasury.collect),
    Step("E22", "disorder is counted", unrest.count_disorder),
    Step("E23", "pollution is checked", unrest.pollute),
    Step("E24", "a government may be overthrown", unrest.overthrow),
    Step("E25", "the city is refreshed a last time", cities.refresh_and_arrange),
)
UNIT_END = (
    Step("E6a", "hit points are regained or lost", units.restore_hitpoints),
    Step("E6b", "at zero a unit dies", units.die_without_hitpoints),
    Step("E6c", "aircraft low on fuel seek a refuge", units.seek_refuge),
)
CITY_START = (
    Step("E9a", "citizens may assimilate", phases.assimilate),
    Step("E9b", "trade routes that cannot exist are cancelled", phases.cancel_routes),
)
ECONOMY = (
    Step("E5c", "a parasite of techs learns what others know", research.parasite),
    Step("E5d", "units are upgraded by themselves", production.upgrade_units),
    Each("unit", units_of, UNIT_END),
    Step("E7", "aircraft are refuelled or crash", units.use_fuel),
    Step("E8", "spaceship parts are placed", spaceship.place_parts),
    Step("E9", "the treasury before the cities is remembered", phases.open_books),
    Each("city, in list order", cities_in_list_order, CITY_START),
    Each("city, by lot", cities_by_lot, CITY_TURN),
    Step("E26", "national upkeep is balanced", treasury.balance),
    Step("E26a", "cities whose units stand on land that changed hands are refreshed", phases.count_waiting),
    Step("E27", "a warning that funds are low", phases.warn_of_debt),
    Step("E27a", "the nation's history grows", phases.add_national_history),
    Step("E28", "tech upkeep is paid, techs are learnt or lost", research.finish_research),
    Step("E28a", "what a lost tech made impossible is planned anew", production.replan),
)
UNIT_START = (
    Step("P3", "activities make progress", activities.count_work),
    Step("P4", "who works may become veteran", units.become_veteran),
    Step("P5", "move points are restored", activities.restore_moves),
    Step("P6", "auto-explorers explore", errands.explore),
    Step("P7", "what is done changes the tile", activities.finish_work),
    Step("P7a", "units that did the same are idle", activities.rest_companions),
    Step("P7b", "who can go on no more, there or beside, is idle", activities.rest_hindered),
    Step("P7c", "who fortifies or converts does it", activities.settle_down),
)

TURN_START = Stage(
    "turn start",
    (
        Step("T1", "turn_started is told", told("turn_started")),
        numbered(Step("T2", "scores are calculated", score.calculate)),
        numbered(Step("T2a", "units may retire", units.retire_units)),
        Step("T3", "a changed fog setting is applied", phases.apply_fog),
        Step("T4", "the order of players is drawn", phases.shuffle_players),
    ),
)
PHASE_START = Stage(
    "phase start",
    (
        fep(Step("P1", "players learn of each other", phases.greet)),
        Step("P2", "start_phase is told", told("start_phase")),
        fep(Each("unit", units_of, UNIT_START)),
        fep(Step("P8", "orders are executed", errands.execute_orders)),
        fep(
            Each(
                "unit", units_of, (Step("P8a", "what units do is remembered", activities.remember_activity),)
            )
        ),
        fep(Step("P9", "the building advisor thinks", phases.advise_on_wonders)),
        fep(
            Step("P10", "city data are told", told("cities")),
            Each(
                "city, in list order",
                cities_in_list_order,
                (Step("P10a", "as they are counted now", cities.refresh_and_arrange),),
            ),
        ),
        Each(
            "living player, in order",
            living_in_order,
            (Step("P11", "revolutions end", unrest.end_revolution),),
        ),
        fep(Step("P12", "bots consider treaties", phases.bots_negotiate)),
        fep(Step("P13", "bots move", phases.bots_move)),
        Step("P14", "players without cities and units die", victory.kill_dying),
        Step("P15", "the timer starts", phases.start_timer),
        Step("P16", "game data are told", told("game")),
        Step("P17", "the game is saved", told("autosave")),
    ),
)
RUNNING = Stage("running", (Step("R1", "players act until all are done or time is up", told("running")),))
PHASE_END = Stage(
    "phase end",
    (
        Step("E1", "end_phase is told", told("end_phase")),
        fep(
            Step("E2a", "who studies nothing gets a tech to study", research.choose_research),
            Step("E2b", "a tech that cannot be kept is lost", research.lose_if_in_debt),
        ),
        Step("E3", "city news stop", told("cities_silent")),
        numbered(Step("E4", "bots end their units' turn", phases.bots_end_units)),
        fep(
            Step("E5a", "auto settlers work", errands.auto_workers),
            Step("E5b", "bots govern", phases.bots_govern),
        ),
        fep(Step("E5", "techs of the last turn are news no more", phases.reset_got_tech)),
        Each("living player, in order", living_in_order, ECONOMY),
        fep(Step("E29", "cities see", phases.refresh_vision)),
        Step("E30", "dying players leave", victory.kill_dying),
        fep(
            Each(
                "city, in list order",
                cities_in_list_order,
                (Step("E30a", "all cities are refreshed before they are told", cities.refresh_and_arrange),),
            )
        ),
        numbered(
            Step("E31", "effects reveal the map", phases.reveal),
            Step("E32", "effects give contact", phases.give_contact),
        ),
        fep(Step("E33", "bots finish the phase", phases.bots_finish)),
        Step("E34", "news go on", told("cities_speak")),
    ),
)
TURN_END = Stage(
    "turn end",
    (
        Step("N1", "end_turn is told", told("end_turn")),
        Step("N2", "borders are updated", phases.update_borders),
        Step("N3", "barbarians are summoned", barbarians.summon),
        Step("N4", "citizens migrate", migration.check),
        Step("N5", "disasters strike", environment.strike_disasters),
        Step("N6", "global warming", phases.warm),
        Step("N7", "nuclear winter", phases.cool),
        Step("N7a", "extras vanish and appear", environment.change_extras),
        Step("N8", "diplomatic states are updated", diplomacy.count_down),
        Step("N9", "historians may report", calendar.report_history),
        Step("N10", "settings turn", told("settings_turn")),
        Step("N11", "votes age", phases.age_motion),
        Step("N11a", "deeds are noted", achievements.note),
        Step("N12", "the date advances", calendar.advance),
        Step("N13", "the timeout is updated", phases.update_timeout),
        Step("N14", "game and player data are told", told("game")),
        Step("N15", "the year is told", told("year")),
        Step("N16", "the game may be over", victory.check),
    ),
)
GAME_OVER = Stage(
    "game over",
    (
        Step("G1", "connections thaw, the timer is cleared", told("game_over")),
        numbered(Step("G2", "final scores", score.calculate)),
        Step("G3", "everybody sees the map", phases.show_map),
        Step("G4", "the metaserver is told", told("metaserver")),
        Step("G5", "the game is saved", told("final_save")),
    ),
)
STAGES = (TURN_START, PHASE_START, RUNNING, PHASE_END, TURN_END, GAME_OVER)


def run(world: World, stage: Stage) -> None:
    """Do all steps of a stage."""
    _run(world, stage.steps)


def _run(world: World, steps: tuple[Step | Each, ...], *subject: Any) -> None:
    for step in steps:
        if isinstance(step, Step):
            if step.act(world, *subject) or _is_gone(world, *subject):
                return
        else:
            for each in step.subjects(world, *subject):
                _run(world, step.steps, each)
            if _is_gone(world, *subject):
                return


def _is_gone(world: World, subject: Any = None) -> bool:
    if isinstance(subject, City):
        return subject.id not in world.cities
    return isinstance(subject, Unit) and subject.id not in world.units


def prepare(world: World) -> None:
    """Count all cities of a world that was just loaded."""
    for city in world.cities.values():
        refresh(world, city)


def begin_phase(world: World) -> None:
    """Whoever acts in this phase may."""
    run(world, PHASE_START)


def finish_phase(world: World) -> None:
    """Everybody of the phase is done: the next phase begins, or the next turn, or the game is over."""
    run(world, PHASE_END)
    if world.phase + 1 < phases.count(world):
        world.phase += 1
    else:
        world.phase = 0
        run(world, TURN_END)
        if world.is_over:
            run(world, GAME_OVER)
            return
        run(world, TURN_START)
    begin_phase(world)


def turn_change(world: World) -> None:
    """From the state a save holds to that of the next save."""
    turn = world.turn
    while world.turn == turn:
        finish_phase(world)


def listed(steps: Iterable[Step | Each], depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """All steps with how deep they stand, for people and for tests."""
    for step in steps:
        if isinstance(step, Step):
            yield depth, step.id, step.sentence
        else:
            yield depth, "", f"for each {step.whom}:"
            yield from listed(step.steps, depth + 1)
