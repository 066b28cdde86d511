"""The start of a match of Snowball Fight: a map, a coin toss, and no units (chapters M and A)."""

from collections.abc import Sequence

from endturn.engine import record
from endturn.engine.dice import Stream
from endturn.games.snowball.rules.muster import begin_muster
from endturn.games.snowball.setup.generator import draw_map
from endturn.games.snowball.setup.maps import MapPlan, frozen_ring, read_map
from endturn.games.snowball.state import (
    APPEARS,
    CHECKS_A_MONTH,
    MEADOW,
    MONTHS,
    NOBODY,
    NONE,
    POND,
    ROW,
    VANISHES,
    Battle,
    Ground,
    HeroScope,
    Map,
    Phase,
    Settings,
)
from endturn.mechanisms.turns import NEVER
from endturn.mechanisms.weather import BLOCK, CERTAIN, Rolls, change_cover

TOSS, SEASONS = 3, 4  # purposes of rolls
USUAL_UNITS, USUAL_ROWS = 24, 24  # room that ordinary matches share


def new_battle(settings: Settings, seed: int) -> Battle:
    """The first state of a match."""
    if settings.map_text:
        return begin_on(read_map(settings.map_text), settings, seed)
    if settings.map == Map.FROZEN_RING:
        return begin_on(frozen_ring(), settings, seed)
    return begin_on(draw_map(settings.map_width, settings.map_height, seed), settings, seed)


def begin_on(plan: MapPlan, settings: Settings, seed: int) -> Battle:
    """Toss the coin (A4). Without a draft, the muster begins at once."""
    battle = empty_battle(plan, settings)
    if settings.seasons:
        write_almanac(battle, seed)
    battle.first = Stream(seed, TOSS).below(2)
    battle.phase = Phase.DRAFT
    if settings.hero_scope == HeroScope.ARMY or settings.army_points < 3:
        begin_muster(battle)
    return battle


def empty_battle(plan: MapPlan, settings: Settings) -> Battle:
    """A map without units (M1, M2, M3)."""
    battle: Battle = record.new(
        record.sized(
            Battle,
            units=max(USUAL_UNITS, 2 * settings.army_points),
            rows=-(-max(USUAL_ROWS, plan.height) // 4) * 4,
            grounds=2 if settings.seasons else 0,
            months=MONTHS if settings.seasons else 0,
        )
    )
    for name in settings.__struct_fields__:
        if hasattr(battle.settings, name):  # texts are left out
            setattr(battle.settings, name, getattr(settings, name))
    battle.width, battle.height = plan.width, plan.height
    for (x, y), ground in plan.places():
        battle.open[y] |= (ground in (Ground.SNOW, Ground.ICE)) << x
        battle.ice[y] |= (ground == Ground.ICE) << x
        battle.full[y] |= (ground == Ground.FULL_COVER) << x
        battle.half[y] |= (ground == Ground.HALF_COVER) << x
    for seat, (x, y) in enumerate(plan.starts):
        battle.start[seat] = x + y * ROW
        battle.points[seat] = settings.army_points
    battle.winner, battle.active, battle.mustered = NOBODY, NONE, len(battle.kind)
    battle.thrower = battle.aimed_at = battle.struck = battle.throw_point = NONE
    for unit in range(len(battle.kind)):
        battle.tile[unit], battle.ready[unit] = NONE, NEVER
    return battle


def write_almanac(battle: Battle, seed: int) -> None:
    """The tiles with ice or snow in each month of the year: all at first, then by weather checks (Y2)."""
    rows = len(battle.open)
    for row in range(rows):
        battle.ground[POND][row] = battle.ice[row]
        battle.ground[MEADOW][row] = battle.open[row] & ~battle.ice[row]
        battle.almanac[0][row] = battle.open[row]
    grounds = [_in_blocks(ground) for ground in battle.ground]
    cover = _in_blocks(battle.almanac[0])
    for month in range(1, MONTHS):
        appear, vanish = ([of[month] * CERTAIN // 100 for of in table] for table in (APPEARS, VANISHES))
        for check in range(CHECKS_A_MONTH):
            when = CHECKS_A_MONTH * month + check
            change_cover(cover, grounds, appear, vanish, len(cover), Rolls(seed, SEASONS, when))
        for row in range(rows):
            battle.almanac[month][row] = cover[2 * row] | cover[2 * row + 1] << BLOCK


def _in_blocks(rows: Sequence[int]) -> list[int]:
    """Rows of tiles as the weather mechanism takes them: two blocks per row, west and east."""
    return [half for row in rows for half in (row & (1 << BLOCK) - 1, row >> BLOCK)]
