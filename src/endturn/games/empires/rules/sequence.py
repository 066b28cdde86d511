"""The turn change as data: named steps in ordered lists, one for each stage of a turn.

A step has the number of its sentence in the chapters of TURN_CHANGE; steps that are done for one player
after the other, or for one city after the other, stand together in an `Each`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from endturn.games.empires.rules import (
    activities,
    barbarians,
    calendar,
    cities,
    diplomacy,
    environment,
    growth,
    migration,
    phases,
    production,
    research,
    score,
    treasury,
    units,
    unrest,
    victory,
)
from endturn.games.empires.rules.mood import is_celebrating, is_happy
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.state import City, Player, World

Act = Callable[..., Any]


@dataclass(slots=True, frozen=True)
class Step:
    """One thing that happens: to the world, a player or a city, by what group it stands in."""

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
    """The players in this turn's order."""
    return list(world.order)


def living_in_order(world: World) -> Iterator[Player]:
    """The living players in this turn's order."""
    return (player for player in list(world.order) if player.is_alive)


def by_number(world: World) -> list[Player]:
    """The players by number."""
    return list(world.players.values())


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


def _told(kind: str) -> Act:
    """A step that only tells those concerned."""

    def tell(world: World, subject: Any = None) -> None:
        world.tell(kind, subject.number if isinstance(subject, Player) else None)

    return tell


def _count_city(world: World, city: City) -> None:
    phases.remember_mood(city, is_happy(world, city), is_celebrating(world, city))
    cities.refresh_and_arrange(world, city)


def _celebrate(world: World, city: City) -> None:
    growth.celebrate(world, city, phases.mood_before(city))


CITY_TURN = (
    Step("E10a", "the city is refreshed, its citizens placed anew if its radius changed", _count_city),
    Step("E10b", "unit upkeep is recalculated", lambda world, city: None),
    Step("E10c", "if something changed, the citizens are arranged", lambda world, city: None),
    Step("E10d", "units short of shields go, surplus shields are stored", production.distribute_surplus),
    Step("E10e", "the production is remembered", production.remember_production),
    Step("E10f", "an improvement or a unit is built", production.build),
    Step("E12", "the city stops here if it is gone", lambda world, city: None),
    Step("E12a", "history grows", phases.add_history),
    Step("E13", "a happy city celebrates", _celebrate),
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

ECONOMY = (
    Step("E5c", "a parasite of techs learns what others know", research.parasite),
    Step("E5d", "units are upgraded by themselves", production.upgrade_units),
    Step("E6a", "hit points are regained or lost, at zero units die", units.restore_hitpoints),
    Step("E6c", "aircraft low on fuel seek a refuge", units.seek_refuge),
    Step("E7", "aircraft are refuelled or crash", units.use_fuel),
    Step("E8", "spaceship parts are placed", phases.place_parts),
    Step("E9", "the treasury before the cities is remembered", phases.open_books),
    Each(
        "city, in list order",
        cities_in_list_order,
        (
            Step("E9a", "citizens may assimilate", phases.assimilate),
            Step("E9b", "trade routes that cannot exist are cancelled", phases.cancel_routes),
        ),
    ),
    Each("city, by lot", cities_by_lot, CITY_TURN),
    Step("E26", "national upkeep is balanced", treasury.balance),
    Step("E27", "a warning that funds are low", phases.warn_of_debt),
    Step("E27a", "the nation's history grows", phases.add_national_history),
    Step("E28", "tech upkeep is paid, techs are learnt or lost", research.finish_research),
)

TURN_START = Stage(
    "turn start",
    (
        Step("T1", "turn_started is told", _told("turn_started")),
        Each("player, by number", by_number, (Step("T2", "scores are calculated", score.calculate),)),
        Each("player, by number", by_number, (Step("T2a", "units may retire", units.retire_units),)),
        Step("T3", "a changed fog setting is applied", phases.apply_fog),
        Step("T4", "the order of players is drawn", phases.shuffle_players),
    ),
)
PHASE_START = Stage(
    "phase start",
    (
        Each("player, in order", in_order, (Step("P1", "players learn of each other", phases.greet),)),
        Step("P2", "start_phase is told", _told("start_phase")),
        Each(
            "player, in order",
            in_order,
            (Step("P3", "units work, learn, get moves, finish activities", activities.update_activities),),
        ),
        Each("player, in order", in_order, (Step("P8", "orders are executed", phases.execute_orders),)),
        Each(
            "player, in order",
            in_order,
            (Step("P8a", "what units do is remembered", activities.remember_activity),),
        ),
        Each(
            "player, in order",
            in_order,
            (Step("P9", "the building advisor thinks", phases.advise_on_wonders),),
        ),
        Each("player, in order", in_order, (Step("P10", "city data are told", _told("cities")),)),
        Each(
            "living player, in order",
            living_in_order,
            (Step("P11", "revolutions end", unrest.end_revolution),),
        ),
        Each("player, in order", in_order, (Step("P12", "bots consider treaties", phases.bots_negotiate),)),
        Each("player, in order", in_order, (Step("P13", "bots move", phases.bots_move),)),
        Step("P14", "players without cities and units die", victory.kill_dying),
        Step("P15", "the timer starts", phases.start_timer),
        Step("P16", "game data are told", _told("game")),
        Step("P17", "the game is saved", _told("autosave")),
    ),
)
RUNNING = Stage("running", (Step("R1", "players act until all are done or time is up", lambda world: None),))
PHASE_END = Stage(
    "phase end",
    (
        Step("E1", "end_phase is told", _told("end_phase")),
        Each(
            "player, in order",
            in_order,
            (Step("E2", "a tech is chosen, one may be lost", research.choose_research),),
        ),
        Step("E3", "city news stop", _told("cities_silent")),
        Each(
            "player, by number", by_number, (Step("E4", "bots end their units' turn", phases.bots_end_units),)
        ),
        Each("player, in order", in_order, (Step("E5a", "auto settlers work", phases.auto_settlers),)),
        Each("player, in order", in_order, (Step("E5b", "bots govern", phases.bots_govern),)),
        Each("player, in order", in_order, (Step("E5", "got_tech is reset", phases.reset_got_tech),)),
        Each("living player, in order", living_in_order, ECONOMY),
        Each("player, in order", in_order, (Step("E29", "cities see", phases.refresh_vision),)),
        Step("E30", "dying players leave", victory.kill_dying),
        Each("player, by number", by_number, (Step("E31", "effects reveal the map", phases.reveal),)),
        Each("player, by number", by_number, (Step("E32", "effects give contact", phases.give_contact),)),
        Each("player, in order", in_order, (Step("E33", "bots finish the phase", phases.bots_finish),)),
        Step("E34", "news go on", _told("cities_speak")),
    ),
)
TURN_END = Stage(
    "turn end",
    (
        Step("N1", "end_turn is told", _told("end_turn")),
        Step("N2", "borders are updated", phases.update_borders),
        Step("N3", "barbarians are summoned", barbarians.summon),
        Step("N4", "citizens migrate", migration.check),
        Step("N5", "disasters strike", environment.strike_disasters),
        Step("N6", "global warming", phases.warm),
        Step("N7", "nuclear winter", phases.cool),
        Step("N7a", "extras vanish and appear", environment.change_extras),
        Step("N8", "diplomatic states are updated", diplomacy.count_down),
        Step("N9", "historians may report", calendar.report_history),
        Step("N10", "settings turn", _told("settings_turn")),
        Step("N11", "votes age", _told("votes_turn")),
        Step("N12", "the date advances", calendar.advance),
        Step("N13", "the timeout is updated", phases.update_timeout),
        Step("N14", "game and player data are told", _told("game")),
        Step("N15", "the year is told", _told("year")),
        Step("N16", "the game may be over", victory.check),
    ),
)
GAME_OVER = Stage(
    "game over",
    (
        Step("G1", "connections thaw, the timer is cleared", _told("game_over")),
        Each("player, by number", by_number, (Step("G2", "final scores", score.calculate),)),
        Step("G3", "everybody sees the map", phases.show_map),
        Step("G4", "the metaserver is told", _told("metaserver")),
        Step("G5", "the game is saved", _told("final_save")),
    ),
)
STAGES = (TURN_START, PHASE_START, RUNNING, PHASE_END, TURN_END, GAME_OVER)
AFTER_A_SAVE = (PHASE_END, TURN_END, TURN_START, PHASE_START)


def run(world: World, stage: Stage) -> None:
    """Do all steps of a stage."""
    _run(world, stage.steps)


def _run(world: World, steps: tuple[Step | Each, ...], *subject: Any) -> None:
    for step in steps:
        if isinstance(step, Step):
            step.act(world, *subject)
            if subject and isinstance(subject[0], City) and subject[0].id not in world.cities:
                return
        else:
            for each in step.subjects(world, *subject):
                _run(world, step.steps, each)


def prepare(world: World) -> None:
    """Count all cities of a world that was just loaded."""
    for city in world.cities.values():
        refresh(world, city)


def turn_change(world: World) -> None:
    """From the state a save holds to that of the next save."""
    for stage in AFTER_A_SAVE:
        run(world, stage)


def listed(steps: Iterable[Step | Each], depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """All steps with how deep they stand, for people and for tests."""
    for step in steps:
        if isinstance(step, Step):
            yield depth, step.id, step.sentence
        else:
            yield depth, "", f"for each {step.whom}:"
            yield from listed(step.steps, depth + 1)
