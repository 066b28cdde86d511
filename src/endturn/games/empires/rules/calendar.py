"""Turn, year and reports of historians (TURN_CHANGE N9 to N13)."""

from endturn.games.empires.rules.effects import Target, holds
from endturn.games.empires.state import World
from endturn.games.empires.vocabulary import EffectType, RequirementType

REPORTS = 8
REPORT_AFTER, REPORT_WITHIN = 20, 20
SLOWED = {0: None, 1: 5, 2: 2, 3: 1}


def report_history(world: World) -> None:
    """N9: now and then historians report."""
    if world.score_turn > world.turn:
        return
    world.score_turn = world.turn + REPORT_AFTER + world.chance.below(REPORT_WITHIN, "next history report")
    report = world.chance.below(REPORTS, "history report")
    world.tell("history_report", None, 0, report)


def world_effect(world: World, kind: EffectType) -> int:
    """What the world as a whole gets."""
    return sum(e.value for e in world.rules.effects.get(kind, ()) if holds(world, e.requirements, Target()))


def _year_matters(world: World) -> bool:
    """Whether an effect other than the calendar's own asks for the year."""
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
    """N12: the turn and the year move on."""
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
