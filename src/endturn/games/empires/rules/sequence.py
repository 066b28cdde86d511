"""The turn change as data: named steps in ordered lists, one list for each stage of a turn.

The id and the sentence of a step are those of the README. Steps that run for one player, unit or city after the
other stand together in an `Each`. A step that returns True skips the remaining steps of its group for that subject.
A step without a body has a note that says why there is nothing to do.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from endturn.engine.parts import TurnLine
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
    production,
    research,
    score,
    sight,
    spaceship,
    trade,
    treasury,
    units,
    unrest,
    victory,
    votes,
)
from endturn.games.empires.rules.mood import is_celebrating, is_happy
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.support import share_upkeep
from endturn.games.empires.ruleset import Building, UnitType
from endturn.games.empires.state import City, Player, Unit, World

Act = Callable[..., Any]

BOTS = "Nothing to do: bots act through their seats."
ADVISOR = "Nothing to do: our advisor runs when a worklist ends."
VIEWS = "Only recorded as an event: views are computed on request."
CLOCKS = "Only recorded as an event: the server runs the clocks."
SAVED = "Only recorded as an event: every action is saved as it is played."
NEWS = "Only recorded as an event: players get their news once the phase has changed."
CONNECTIONS = "Only recorded as an event: the server handles connections and clocks."
EMPTY = "Only recorded as an event: the step is empty in Freeciv as well."
METASERVER = "Only recorded as an event: there is no metaserver."
PLAYING = "Only recorded as an event: players act between turn changes."


@dataclass(slots=True, frozen=True)
class TurnStep:
    """One thing that happens to the world, or to the player, unit or city of its group."""

    id: str
    sentence: str
    act: Act | None
    note: str = ""


@dataclass(slots=True, frozen=True)
class Each:
    """Steps that all run for one subject before the next subject has its turn."""

    title: str
    subjects: Callable[..., Iterable[Any]]
    steps: tuple["TurnStep | Each", ...]


@dataclass(slots=True, frozen=True)
class Stage:
    """A named part of the turn."""

    name: str
    steps: tuple[TurnStep | Each, ...]


def in_order(world: World) -> list[Player]:
    """The players of the current phase, in the order of this turn."""
    return [player for player in world.order if calendar.takes_part(world, player)]


def living_in_order(world: World) -> Iterator[Player]:
    """The living players of the current phase, in the order of this turn."""
    return (player for player in in_order(world) if player.is_alive)


def by_number(world: World) -> list[Player]:
    """All players, by number."""
    return list(world.players.values())


def units_of(world: World, player: Player) -> Iterator[Unit]:
    """A player's units in list order, without those lost in the meantime."""
    return (unit for unit in list(player.units) if unit.id in world.units)


def cities_in_list_order(world: World, player: Player) -> list[City]:
    """A player's cities in the order in which they were founded or conquered."""
    return list(player.cities)


def cities_in_random_order(world: World, player: Player) -> Iterator[City]:
    """A player's cities; each is drawn when its turn comes."""
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
    """The city, if it builds a unit and did not choose it only just now."""
    return [city] if isinstance(city.production, UnitType) and not city.has_built else []


def event(kind: str) -> Act:
    """A step that only records an event, for everybody or for its player."""

    def tell(world: World, subject: Any = None) -> None:
        world.tell(kind, subject.number if isinstance(subject, Player) else None)

    return tell


def in_turn(*steps: TurnStep | Each) -> Each:
    """For each player of the phase, in the order of this turn."""
    return Each("For each player, in order:", in_order, steps)


def numbered(*steps: TurnStep | Each) -> Each:
    """For each player, by number."""
    return Each("For each player, by number:", by_number, steps)


def refresh_city(world: World, city: City) -> None:
    """E10a: remember the city's mood, then refresh it."""
    city.mood_before = is_happy(world, city), is_celebrating(world, city)
    refresh(world, city)
    city.has_built = False


IMPROVEMENT = (
    TurnStep("E10f.1", "Coinage turns shields into gold, and the next target is chosen.", production.mint),
    TurnStep("E10f.2", "The target becomes the newest building that replaces it.", production.modernise_building),
    TurnStep("E10f.3", "A building that can no longer be built is reported, and the shields stay.",
         production.require_building),
    TurnStep("E10f.4", "The building waits until the stock covers its cost.", production.require_shields),
    TurnStep("E10f.5", "A small wonder leaves its old city.", production.move_small_wonder),
    TurnStep("E10f.6", "The building or space part is added, its cost paid, and its completion reported.",
         production.complete_building),
    TurnStep("E10f.7", "The building may give free techs.", production.give_techs),
    TurnStep("E10f.8", "The city is refreshed.", cities.refresh_and_arrange),
    TurnStep("E10f.9", "The next target is chosen: from the worklist, the same again, or by the advisor.",
         production.choose_next),
)  # fmt: skip
UNIT = (
    TurnStep("E11.1", "An obsolete unit type is upgraded, unless the city bought something.",
         production.modernise_unit),
    TurnStep("E11.2", "A unit that cannot be built is reported.", production.require_unit),
    TurnStep("E11.3", "The unit waits until the stock covers its cost.", production.require_shields),
    TurnStep("E11.4", "A settler that takes the last citizens disbands the city, or is refused.",
         production.require_citizens),
    TurnStep("E11.5", "The city remembers that it built something this turn.", production.note_built),
    TurnStep("E11.6", "Units appear, as many as build slots and shields allow.", production.complete_units),
    TurnStep("E11.8", "The next target is chosen.", production.choose_next),
)  # fmt: skip
CITY_TURN = (
    TurnStep("E10a", "The city is refreshed.", refresh_city),
    TurnStep("E10b", "Unit upkeep is recalculated.", share_upkeep),
    TurnStep("E10c", "Citizens are rearranged if the land they can work changed.", cities.arrange_if_needed),
    TurnStep("E10d", "Units that lack shields are disbanded, and surplus shields are stored.",
         production.distribute_surplus),
    TurnStep("E10e", "The target is remembered, in case it changes.", production.remember_production),
    Each("If it builds an improvement:", if_building, IMPROVEMENT),
    Each("If it builds a unit:", if_unit, UNIT),
    TurnStep("E12", "If the game is over, the city's turn ends here.", victory.stop_if_over),
    TurnStep("E12a", "The city's history grows.", score.add_history),
    TurnStep("E13", "A happy city celebrates.", growth.celebrate),
    TurnStep("E14", "Plague may strike.", growth.plague),
    TurnStep("E15", "The food surplus goes to the granary.", growth.store_food),
    TurnStep("E16", "A city with a full granary, or in rapture, grows.", growth.grow_if_fed),
    TurnStep("E17", "The city's border follows its growth.", cities.update_border),
    TurnStep("E18", "Famine takes a unit or a citizen.", growth.starve),
    TurnStep("E19", "The city may buy, sell and airlift again.", cities.clear_counters),
    TurnStep("E20", "Bulbs go to the owner's research.", research.harvest_bulbs),
    TurnStep("E21", "Gold comes in, upkeep is paid, and a debt is settled.", treasury.collect),
    TurnStep("E22", "Turns of disorder are counted.", unrest.count_disorder),
    TurnStep("E23", "Pollution may appear.", unrest.pollute),
    TurnStep("E24", "Disorder may overthrow the government.", unrest.overthrow),
    TurnStep("E25", "The city is refreshed a last time.", cities.refresh_and_arrange),
)  # fmt: skip
UNIT_END = (
    TurnStep("E6a", "Units regain or lose hit points.", units.restore_hitpoints),
    TurnStep("E6b", "A unit without hit points dies.", units.die_without_hitpoints),
    TurnStep("E6c", "Aircraft low on fuel fly to a city of their owner within reach.", units.seek_refuge),
)
CITY_START = (
    TurnStep("E9a", "A foreign citizen may take the owner's nationality.", cities.assimilate),
    TurnStep("E9b", "Trade routes that are no longer allowed are cancelled.", trade.cancel_routes),
)
ECONOMY = (
    TurnStep("E5c", "An effect may give a tech that enough other players know.", research.parasite),
    TurnStep("E5d", "An effect may upgrade obsolete units.", production.upgrade_units),
    Each("For each unit:", units_of, UNIT_END),
    TurnStep("E7", "Aircraft refuel, use up fuel, or crash.", units.use_fuel),
    TurnStep("E8", "Spaceship parts are placed.", spaceship.place_parts),
    TurnStep("E9", "The treasury before the cities' turn is remembered.", treasury.open_books),
    Each("For each city, in list order:", cities_in_list_order, CITY_START),
    Each("For each city, in random order:", cities_in_random_order, CITY_TURN),
    TurnStep("E26", "The nation's debt is settled.", treasury.balance),
    TurnStep(
        "E26a", "Cities whose units stand on land that changed hands are refreshed.", cities.count_waiting
    ),
    TurnStep("E27", "A player who lost more than a third of the treasury is warned.", treasury.warn),
    TurnStep("E27a", "The nation's history grows.", score.add_national_history),
    TurnStep("E28", "Tech upkeep is paid, and techs are learnt or lost.", research.finish_research),
    TurnStep("E28a", "Targets that a lost tech made impossible are replaced.", production.replan),
)
UNIT_START = (
    TurnStep("P3", "Activities make progress.", activities.count_work),
    TurnStep("P4", "A working unit may become veteran.", units.become_veteran),
    TurnStep("P5", "Move points are restored.", activities.restore_moves),
    TurnStep("P6", "Auto-explorers explore.", errands.explore),
    TurnStep("P7", "Finished activities change the tile.", activities.finish_work),
    TurnStep("P7a", "Units that did the same work become idle.", activities.rest_companions),
    TurnStep("P7b", "Units on the tile or next to it whose work is no longer possible become idle.",
         activities.rest_hindered),
    TurnStep("P7c", "Fortifying units are fortified, and converting units are converted.",
         activities.settle_down),
)  # fmt: skip

TURN_START = Stage(
    "turn start",
    (
        TurnStep("T1", "The event turn_started is recorded.", event("turn_started")),
        numbered(TurnStep("T2", "Scores are calculated.", score.calculate)),
        numbered(TurnStep("T2a", "Units with no enemy near may retire.", units.retire_units)),
        TurnStep("T3", "A changed fog setting takes effect.", sight.apply_fog),
        TurnStep("T4", "The order of players is drawn.", calendar.shuffle_players),
    ),
)
PHASE_START = Stage(
    "phase start",
    (
        in_turn(TurnStep("P1", "Players learn about each other, and may act.", calendar.begin_phase)),
        TurnStep("P2", "The event start_phase is recorded.", event("start_phase")),
        in_turn(Each("For each unit:", units_of, UNIT_START)),
        in_turn(TurnStep("P8", "Orders are carried out.", errands.execute_orders)),
        in_turn(
            Each(
                "For each unit:",
                units_of,
                (TurnStep("P8a", "The unit's activity is remembered.", activities.remember_activity),),
            )
        ),
        in_turn(TurnStep("P9", "The building advisor prepares advice.", None, ADVISOR)),
        in_turn(
            TurnStep("P10", "City data are sent.", event("cities"), VIEWS),
            Each(
                "For each city, in list order:",
                cities_in_list_order,
                (TurnStep("P10a", "The city is refreshed.", cities.refresh_and_arrange),),
            ),
        ),
        Each(
            "For each living player, in order:",
            living_in_order,
            (TurnStep("P11", "A revolution whose time has come ends.", unrest.end_revolution),),
        ),
        in_turn(TurnStep("P12", "Bots consider treaties.", None, BOTS)),
        in_turn(TurnStep("P13", "Bots move.", None, BOTS)),
        TurnStep("P14", "Players without cities and units die.", victory.kill_dying),
        TurnStep("P15", "The timer starts.", event("timer_started"), CLOCKS),
        TurnStep("P16", "Game data are sent.", event("game"), VIEWS),
        TurnStep("P17", "The game is saved.", event("autosave"), SAVED),
    ),
)
RUNNING = Stage(
    "running",
    (
        TurnStep(
            "R1",
            "Players act until every player has ended the phase or is out of time.",
            event("running"),
            PLAYING,
        ),
    ),
)
PHASE_END = Stage(
    "phase end",
    (
        TurnStep("E1", "The event end_phase is recorded.", event("end_phase")),
        in_turn(
            TurnStep("E2a", "A player who studies nothing gets a tech to study.", research.choose_research),
            TurnStep(
                "E2b",
                "A player who just got a tech to study may lose a tech for lack of bulbs.",
                research.lose_if_in_debt,
            ),
        ),
        TurnStep("E3", "City news stops.", event("cities_silent"), NEWS),
        numbered(TurnStep("E4", "Bots end their units' turn.", None, BOTS)),
        in_turn(
            TurnStep("E5a", "Auto workers work.", errands.auto_workers),
            TurnStep("E5b", "Bots govern.", None, BOTS),
        ),
        in_turn(TurnStep("E5", "Techs of the last turn no longer count as new.", research.reset_got_tech)),
        Each("For each living player, in order:", living_in_order, ECONOMY),
        in_turn(TurnStep("E29", "Cities see the land around them.", sight.refresh_vision)),
        TurnStep("E30", "Dying players leave the game.", victory.kill_dying),
        in_turn(
            Each(
                "For each city, in list order:",
                cities_in_list_order,
                (TurnStep("E30a", "The city is refreshed.", cities.refresh_and_arrange),),
            )
        ),
        numbered(
            TurnStep("E31", "Effects may reveal cities or the map.", sight.reveal),
            TurnStep("E32", "Effects may give contact with all players.", diplomacy.give_contact),
        ),
        in_turn(TurnStep("E33", "Bots finish the phase.", None, BOTS)),
        TurnStep("E34", "City news resume.", event("cities_speak"), NEWS),
    ),
)
TURN_END = Stage(
    "turn end",
    (
        TurnStep("N1", "The event end_turn is recorded.", event("end_turn")),
        TurnStep("N2", "Borders are updated.", cities.update_borders),
        TurnStep("N3", "Barbarians may land.", barbarians.summon),
        TurnStep("N4", "Citizens may migrate.", migration.check),
        TurnStep("N5", "Disasters may strike.", environment.strike_disasters),
        TurnStep("N6", "Global warming may change terrain.", environment.warm),
        TurnStep("N7", "Nuclear winter may change terrain.", environment.cool),
        TurnStep("N7a", "Extras may disappear and appear.", environment.change_extras),
        TurnStep("N8", "Diplomatic states are updated.", diplomacy.count_down),
        TurnStep("N9", "Historians may report.", calendar.report_history),
        TurnStep("N10", "Settings have their turn.", event("settings_turn"), EMPTY),
        TurnStep("N11", "A vote that nobody decided in time fails.", votes.age),
        TurnStep("N11a", "Achievements are noted.", achievements.note),
        TurnStep("N12", "The turn and the year advance.", calendar.advance),
        TurnStep("N13", "The timeout is updated.", calendar.tell_timeout, CLOCKS),
        TurnStep("N14", "Game and player data are sent.", event("game"), VIEWS),
        TurnStep("N15", "The year is sent.", event("year"), VIEWS),
        TurnStep("N16", "The game may be over.", victory.check),
    ),
)
GAME_OVER = Stage(
    "game over",
    (
        TurnStep("G1", "Connections thaw, and the timer stops.", event("game_over"), CONNECTIONS),
        numbered(TurnStep("G2", "Final scores are calculated.", score.calculate)),
        TurnStep("G3", "Every player sees the whole map.", sight.show_map),
        TurnStep("G4", "The metaserver is informed.", event("metaserver"), METASERVER),
        TurnStep("G5", "The game is saved.", event("final_save"), SAVED),
    ),
)
STAGES = (TURN_START, PHASE_START, RUNNING, PHASE_END, TURN_END, GAME_OVER)


def run(world: World, stage: Stage) -> None:
    """Run all steps of a stage."""
    _run(world, stage.steps)


def _run(world: World, steps: tuple[TurnStep | Each, ...], *subject: Any) -> None:
    for step in steps:
        if isinstance(step, TurnStep):
            if step.act is not None and (step.act(world, *subject) or _is_gone(world, *subject)):
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
    """Refresh all cities of a world that was just loaded."""
    for city in world.cities.values():
        refresh(world, city)


def begin_phase(world: World) -> None:
    """Run the steps before the players of the phase may act."""
    run(world, PHASE_START)


def finish_phase(world: World) -> None:
    """End the phase, then begin the next phase or turn, or end the game."""
    run(world, PHASE_END)
    if world.phase + 1 < calendar.phases(world):
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
    """Go from the state of one save to that of the next turn's save."""
    turn = world.turn
    while world.turn == turn:
        finish_phase(world)


def listed(steps: Iterable[TurnStep | Each], depth: int = 0) -> Iterator[TurnLine]:
    """All steps and the titles of their groups, in order."""
    for step in steps:
        if isinstance(step, TurnStep):
            yield TurnLine(depth, step.id, step.sentence, step.note)
        else:
            yield TurnLine(depth, "", step.title, "")
            yield from listed(step.steps, depth + 1)


def turn_steps() -> dict[str, list[TurnLine]]:
    """The steps of a turn change in order, by stage."""
    return {stage.name: list(listed(stage.steps)) for stage in STAGES}
