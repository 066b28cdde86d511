"""What a nation decides (chapter A): end the phase, rates, research, government, treaties, votes, leaving."""

from endturn.engine.rule import rule
from endturn.games.empires.actions import Subject
from endturn.games.empires.refusals import (
    AT_WAR,
    BAD_RATES,
    HAS_VOTED,
    IS_OUT,
    NO_GOVERNMENT,
    NO_MOTION,
    NO_PEOPLE,
    NO_TECH,
    NOT_READY,
    SAME_GOVERNMENT,
    SAME_TECH,
    TEAM_STAYS,
    TOO_HIGH,
    VOTE_STANDS,
)
from endturn.games.empires.rules import calendar, sequence, victory, votes
from endturn.games.empires.rules.chance import rolled, spent
from endturn.games.empires.rules.cities import destroy
from endturn.games.empires.rules.effects import Target, holds, of_player
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.research import can_research, knows, step_towards
from endturn.games.empires.rules.sight import all_look
from endturn.games.empires.rules.spaceship import launch as launch_ship
from endturn.games.empires.rules.spaceship import may_launch
from endturn.games.empires.rules.unrest import change_government
from endturn.games.empires.state import UNSET, Motion, Player, World
from endturn.games.empires.vocabulary import DiplomaticState, EffectType

PHASE_CHANGE = 1  # what dice are rolled for
VOTE_TURNS = 3  # how long a vote stays open
ARMISTICE_TURNS = 16
AFTER_CANCELLING = {  # A7
    DiplomaticState.ARMISTICE: DiplomaticState.WAR, DiplomaticState.PEACE: DiplomaticState.WAR,
    DiplomaticState.CEASE_FIRE: DiplomaticState.WAR, DiplomaticState.ALLIANCE: DiplomaticState.ARMISTICE,
}  # fmt: skip


@rule
def to_act(world: World) -> int:
    """A1: the living players of the phase who have not ended it, as bits."""
    if world.is_over:
        return 0
    return sum(1 << player.number for player in world.players.values() if _is_waited_for(world, player))


def _is_waited_for(world: World, player: Player) -> bool:
    acts = player.number < world.seats and player.is_alive and not player.phase_done
    return acts and calendar.takes_part(world, player)


@rule
def turn(world: World) -> int:
    """The number of the turn."""
    return world.turn


@rule
def phase_done(world: World, seat: int, dice: int) -> None:
    """A2: end the phase when every player has, and go to the next one in which a player can act."""
    world.players[seat].phase_done = True
    go_on(world, dice)


def go_on(world: World, dice: int) -> None:
    """Change phases until a player can act; each change has its own dice."""
    if world.is_over or to_act(world):
        return
    world.events.clear()
    while not world.is_over and not to_act(world):
        world.chance = rolled(dice, PHASE_CHANGE, world.phase, world.turn)
        sequence.finish_phase(world)
    world.chance = spent()
    all_look(world)


# --- rates, research, government


@rule
def refuse_set_rates(world: World, seat: int, tax: int, luxury: int, science: int) -> int:
    """A3: rates are tens that add up to 100, none above the government's maximum."""
    if tax + luxury + science != 100 or tax % 10 or luxury % 10 or science % 10:
        return BAD_RATES
    return TOO_HIGH if max(tax, luxury, science) > highest_rate(world, world.players[seat]) else 0


def highest_rate(world: World, player: Player) -> int:
    """The government's maximum for taxes, luxury and science."""
    return of_player(world, player, EffectType.MAX_RATES) or 100


@rule
def set_rates(world: World, seat: int, tax: int, luxury: int, science: int) -> None:
    """A3: refresh all cities of the nation."""
    player = world.players[seat]
    player.tax, player.luxury, player.science = tax, luxury, science
    for city in player.cities:
        refresh(world, city)


@rule
def refuse_study(world: World, seat: int, tech: int) -> int:
    """A4: the tech must be researchable, and not be studied already."""
    research = world.players[seat].research
    if tech >= len(world.rules.techs) or not can_research(world, research, world.rules.techs[tech]):
        return NO_TECH
    return SAME_TECH if research.researching == tech else 0


@rule
def study(world: World, seat: int, tech: int) -> None:
    """A4: bulbs are lost unless a tech was learnt this turn; changing back restores them."""
    research = world.players[seat].research
    if research.saved == UNSET and not research.got_tech and research.researching != UNSET:
        research.saved, research.bulbs_before = research.researching, research.bulbs
    if tech == research.saved:
        research.bulbs, research.saved = research.bulbs_before, UNSET
    elif not research.got_tech and research.researching != UNSET and research.bulbs > 0:
        research.bulbs -= research.bulbs * int(world.settings["techpenalty"]) // 100
    research.researching = tech


@rule
def refuse_aim(world: World, seat: int, tech: int) -> int:
    """A5: the tech must be unknown and within reach some day."""
    research = world.players[seat].research
    if not 0 < tech < len(world.rules.techs) or knows(research, tech):
        return NO_TECH
    if step_towards(world, research, tech) == UNSET:
        return NO_TECH
    return SAME_TECH if research.goal == tech else 0


@rule
def aim(world: World, seat: int, tech: int) -> None:
    """A5: a nation that studies nothing starts with the first step."""
    research = world.players[seat].research
    research.goal = tech
    if research.researching == UNSET:
        research.researching = step_towards(world, research, tech)


@rule
def refuse_revolt(world: World, seat: int, government: int) -> int:
    """A6: the government must be possible, and neither the current nor the coming one."""
    player, names = world.players[seat], list(world.rules.governments)
    if government >= len(names) or names[government] == world.rules.parameters.during_revolution:
        return NO_GOVERNMENT
    if not holds(world, world.rules.governments[names[government]], Target(player=player)):
        return NO_GOVERNMENT
    return SAME_GOVERNMENT if names[government] in (player.government, player.target_government) else 0


@rule
def revolt(world: World, seat: int, government: int, dice: int) -> None:
    """A6: turns of revolution come first; their number may be drawn."""
    world.chance = rolled(dice, PHASE_CHANGE + 1 + seat, government, world.turn)
    change_government(world, world.players[seat], list(world.rules.governments)[government])
    world.chance = spent()


# --- treaties, spaceship, votes


@rule
def refuse_cancel_pact(world: World, seat: int, people: int) -> int:
    """A7: only a treaty can be cancelled, and not within a team."""
    if people == seat or people not in world.players or world.players[people].barbarian:
        return NO_PEOPLE
    state = world.players[seat].relations[people].state
    if state == DiplomaticState.TEAM:
        return TEAM_STAYS
    return 0 if state in AFTER_CANCELLING else AT_WAR


@rule
def cancel_pact(world: World, seat: int, people: int) -> None:
    """A7: an alliance becomes an armistice, any other treaty war; shared vision ends."""
    one, other = world.players[seat], world.players[people]
    state = AFTER_CANCELLING[one.relations[people].state]
    for mine in one.relations[people], other.relations[seat]:
        mine.state, mine.gives_vision = state, False
        mine.turns_left = ARMISTICE_TURNS if state == DiplomaticState.ARMISTICE else 0
    world.tell("pact_cancelled", people, 0, seat, state)


@rule
def refuse_launch(world: World, seat: int) -> int:
    """A8: the ship needs a hull, an engine with fuel, and one module of each kind."""
    return 0 if may_launch(world.players[seat]) else NOT_READY


@rule
def launch(world: World, seat: int) -> None:
    """A8: the ship cannot be called back."""
    launch_ship(world, world.players[seat])


@rule
def refuse_call(world: World, seat: int, subject: int) -> int:
    """A9: only one vote can be open."""
    return VOTE_STANDS if world.motion is not None else 0


@rule
def call(world: World, seat: int, subject: int) -> None:
    """A9: the caller votes for it."""
    world.motion = Motion(subject, seat, VOTE_TURNS)
    world.tell("vote_called", None, 0, seat, Subject(subject).name.lower())
    ballot(world, seat, True)


@rule
def refuse_ballot(world: World, seat: int, yes: int) -> int:
    """A10: each player votes once."""
    if world.motion is None:
        return NO_MOTION
    return HAS_VOTED if (world.motion.yes | world.motion.no) >> seat & 1 else 0


@rule
def ballot(world: World, seat: int, yes: int) -> None:
    """A10: more than half of the living players carry a vote, half of them defeat it."""
    motion = world.motion
    assert motion is not None
    if yes:
        motion.yes |= 1 << seat
    else:
        motion.no |= 1 << seat
    voters = sum(1 << player.number for player in victory.contenders(world) if player.number < world.seats)
    if 2 * (motion.yes & voters).bit_count() > voters.bit_count():
        votes.carry(world, motion)
    elif 2 * (motion.no & voters).bit_count() >= voters.bit_count():
        votes.fail(world)


# --- leaving


@rule
def refuse_leave(world: World, seat: int, why: int) -> int:
    """A11: the player must still be in the match."""
    return 0 if world.players[seat].is_alive else IS_OUT


@rule
def leave(world: World, seat: int, why: int, dice: int) -> None:
    """A11: the player's cities are destroyed and units lost; with one side left the match is over."""
    player = world.players[seat]
    for city in list(player.cities):
        if city.id in world.cities:
            destroy(world, city, "given up")
    victory.kill(world, player)
    world.tell("left", None, 0, seat)
    victory.check_sides(world)
    if world.is_over:
        sequence.run(world, sequence.GAME_OVER)
        all_look(world)
    else:
        go_on(world, dice)
        all_look(world)
