"""Phases, turns, years and reports of historians (TURN_CHANGE T4, P1, N9 to N13)."""

from endturn.games.empires.rules.effects import Target, holds
from endturn.games.empires.state import Player, World
from endturn.games.empires.vocabulary import EffectType, RequirementType

REPORTS = 8
REPORT_AFTER, REPORT_WITHIN = 20, 20
SLOWED = {0: None, 1: 5, 2: 2, 3: 1}
CONCURRENT, BY_PLAYER, BY_TEAM = "Concurrent", "Players Alternate", "Teams Alternate"


def queue(world: World) -> list[int]:
    """The numbers of the players, or teams, that act one after the other; empty if all act at once."""
    if world.phase_mode == BY_TEAM:
        return sorted({player.team for player in world.players.values()})
    return sorted(world.players) if world.phase_mode == BY_PLAYER else []


def phases(world: World) -> int:
    """How many phases a turn has: one if all players act at once."""
    return len(queue(world)) or 1


def takes_part(world: World, player: Player) -> bool:
    """Whether a player acts in the current phase."""
    if world.phase_mode == CONCURRENT:
        return True
    number = player.team if world.phase_mode == BY_TEAM else player.number
    return number == queue(world)[world.phase]


def shuffle_players(world: World) -> None:
    """T4: draw a new order over all player slots, as Freeciv does, including the empty ones."""
    if world.phase_mode != CONCURRENT:
        world.order = list(world.players.values())
        return
    slots = list(range(world.player_slots))
    for i in range(len(slots) - 1):
        j = i + world.chance.below(len(slots) - i, "order of players")
        slots[i], slots[j] = slots[j], slots[i]
    world.order = [world.players[slot] for slot in slots if slot in world.players]


def begin_phase(world: World, player: Player) -> None:
    """P1: the player has not ended this phase yet. Views show the other players."""
    player.phase_done = False


def tell_timeout(world: World) -> None:
    """N13: report the setting; the server runs the clocks."""
    world.tell("timeout", None, 0, world.settings["timeout"])


def report_history(world: World) -> None:
    """N9: from time to time historians report."""
    if world.score_turn > world.turn:
        return
    world.score_turn = world.turn + REPORT_AFTER + world.chance.below(REPORT_WITHIN, "next history report")
    report = world.chance.below(REPORTS, "history report")
    world.tell("history_report", None, 0, report)


def world_effect(world: World, kind: EffectType) -> int:
    """The value of an effect for the world as a whole."""
    return sum(e.value for e in world.rules.effects.get(kind, ()) if holds(world, e.requirements, Target()))


def _year_matters(world: World) -> bool:
    """Whether an effect depends on the year, apart from the calendar's own effects."""
    kinds = (
        effects
        for kind, effects in world.rules.effects.items()
        if kind not in (EffectType.TURN_YEARS, EffectType.SLOW_DOWN_TIMELINE)
    )
    return any(
        req.kind == RequirementType.MIN_YEAR
        for effects in kinds
        for effect in effects
        for req in effect.requirements
    )


def advance(world: World) -> None:
    """N12: advance the turn and the year."""
    world.turn += 1
    step = world_effect(world, EffectType.TURN_YEARS)
    slowest = SLOWED[max(0, min(world_effect(world, EffectType.SLOW_DOWN_TIMELINE), 3))]
    if slowest is not None:
        step = min(step, slowest)
    if world.year_zero_hidden:
        world.year, world.year_zero_hidden = 0, False
    world.year += step
    if world.rules.parameters.skip_year_0 and world.year == 0:
        world.year, world.year_zero_hidden = 1, True
    world.stamp += _year_matters(world)
    for player in world.players.values():
        if player.is_alive:
            player.turns_alive += 1
