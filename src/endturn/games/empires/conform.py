"""Compares our turn change with the real server's: two consecutive saves, field by field and draw by draw.

The first save is loaded, our turn change runs with the generator from the save, and the result is compared with the
second save. One thing the server keeps in memory and never writes, so it is taken from the second save: what its
building advisor picks when a worklist ends, and how many draws it makes at the very end of the change, at most one for
each player.
"""

import lzma
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from endturn.engine.parts import BadRecording, Compared, Summary
from endturn.games.empires.freeciv import savegame
from endturn.games.empires.rules import sequence
from endturn.games.empires.rules.chance import Draw, RandomGenerator
from endturn.games.empires.rules.effects import unanswered
from endturn.games.empires.ruleset import Building
from endturn.games.empires.state import City, Player, Production, Unit, World

LEVELS = {
    1: "city refresh and mood",
    2: "city turn",
    3: "units",
    4: "completion",
    5: "growth and placement",
    6: "research",
    7: "treasury",
    8: "turn end",
}
SHOWN = 8  # mismatches of a change that JSON lists


class Mismatch(NamedTuple):
    """A field that differs, and our last event about its subject."""

    level: int
    name: str
    subject: str
    ours: str
    theirs: str
    event: str

    def __str__(self) -> str:
        """The mismatch as a sentence."""
        told = f" (our event: {self.event})" if self.event else ""
        return f"{self.name} of {self.subject} is {self.ours}, theirs {self.theirs}{told}"


@dataclass(slots=True)
class ChangeReport:
    """The comparison of one pair of saves."""

    name: str
    matched: Counter[tuple[int, str]] = field(default_factory=Counter)
    total: Counter[tuple[int, str]] = field(default_factory=Counter)
    mismatches: list[Mismatch] = field(default_factory=list)
    draws: int = 0
    their_draws: int | None = None
    advisor_draws: int = 0
    same_generator: bool = False
    first_draw: str = ""  # the first draw that differs, if there is a trace
    unanswered: list[str] = field(default_factory=list)  # of the ruleset, see `effects.unanswered`

    def note(self, level: int, name: str, subject: str, pair: tuple[Any, Any], event: str = "") -> None:
        """Count one comparison."""
        ours, theirs = pair
        self.total[level, name] += 1
        if ours == theirs:
            self.matched[level, name] += 1
        else:
            self.mismatches.append(Mismatch(level, name, subject, str(ours), str(theirs), event))


def pairs(folder: Path) -> list[tuple[Path, Path]]:
    """The consecutive saves of a folder, by name."""
    saves = sorted(path for path in folder.iterdir() if ".sav" in path.name)
    return list(zip(saves, saves[1:], strict=False))


def compare(
    before: Path, after: Path, trace: Sequence[str] | None = None, data: Path | None = None
) -> ChangeReport:
    """Run our turn change on one save and compare the result with the next."""
    world, wanted = savegame.load(before, data), savegame.load(after, data)
    report = ChangeReport(f"{before.parent.name} {before.name.split('.')[0]}")
    report.unanswered = unanswered(world.rules)
    world.advisor = lambda _, city: _advised(wanted, city)
    sequence.prepare(world)
    sequence.turn_change(world)
    sequence.prepare(wanted)
    compare_draws(report, world, wanted, trace)
    compare_worlds(report, world, wanted)
    return report


def _advised(wanted: World, city: City) -> Production | None:
    other = wanted.cities.get(city.id)
    return other.production if other is not None else None


def compare_draws(report: ChangeReport, world: World, wanted: World, trace: Sequence[str] | None) -> None:
    """Whether both generators are in the same state, apart from the advisor's draws at the end.

    The state shows only how many draws were made. That they were made for the same purpose shows in the order of
    players, which is drawn last of all, and in the trace if there is one.
    """
    ours, players = world.chance, len(world.players)
    same_order = [player.number for player in world.order] == [player.number for player in wanted.order]
    report.draws = len(ours.draws)
    report.first_draw = first_difference(ours.draws, trace, players) if trace else ""
    report.their_draws = len(trace) if trace else None
    ahead = RandomGenerator(list(ours.table), ours.j, ours.k, ours.x)
    for extra in range(players + 1):
        if ahead.state() == wanted.chance.state():
            report.same_generator, report.advisor_draws = not report.first_draw and same_order, extra
            return
        ahead.below(len(wanted.geometry.directions), "advisor")


def first_difference(draws: Sequence[Draw], trace: Sequence[str], players: int) -> str:
    """The first draw that differs from the server's, and where the server made it."""
    for number, (ours, line) in enumerate(zip(draws, trace, strict=False)):
        size, value, place = line.split()
        if (ours.size, ours.value) != (int(size), int(value)):
            return f"draw {number}: {ours.value} of {ours.size} for {ours.purpose}, theirs {value} of {size} at {place}"
    if not len(draws) <= len(trace) <= len(draws) + players:
        return f"{len(draws)} draws, theirs {len(trace)}"
    return ""


def read_trace(folder: Path) -> dict[str, list[str]]:
    """The server's draws for each change of a folder, if they were traced."""
    path = folder / "rand.trace.xz"
    if not path.exists():
        return {}
    parts = lzma.decompress(path.read_bytes()).decode().split("== ")[1:]
    return {part.split(maxsplit=1)[0]: part.strip().splitlines()[1:] for part in parts}


def compare_worlds(report: ChangeReport, ours: World, theirs: World) -> None:
    """Compare all fields of all levels."""
    told = {event.subject: f"{event.kind} {event.facts}" for event in ours.events if event.subject}
    for number in sorted(set(ours.cities) | set(theirs.cities)):
        one, other = ours.cities.get(number), theirs.cities.get(number)
        report.note(
            4, "city exists", f"city {number}", (one is not None, other is not None), told.get(number, "")
        )
        if one is not None and other is not None:
            subject = f"city {number} ({one.name})"
            for level, name, pair in _city_fields(one, other):
                report.note(level, name, subject, pair, told.get(number, ""))
    for number in sorted(set(ours.units) | set(theirs.units)):
        mine, their = ours.units.get(number), theirs.units.get(number)
        report.note(
            4, "unit exists", f"unit {number}", (mine is not None, their is not None), told.get(number, "")
        )
        if mine is not None and their is not None:
            subject = f"unit {number} ({mine.type.name})"
            for level, name, pair in _unit_fields(mine, their):
                report.note(level, name, subject, pair, told.get(number, ""))
    for number, player in ours.players.items():
        if number in theirs.players:
            for level, name, pair in _player_fields(player, theirs.players[number]):
                report.note(level, name, f"player {number} ({player.name})", pair)
    for level, name, subject, pair in _world_fields(ours, theirs):
        report.note(level, name, subject, pair)


Fields = Iterator[tuple[int, str, tuple[Any, Any]]]
CITY = {
    1: ("last_turns_shield_surplus", "was_happy"),
    2: (
        "shield_stock", "before_change_shields", "food_stock", "anarchy", "rapture", "history", "did_buy", "did_sell",
        "airlift", "caravan_shields", "disbanded_shields",
    ),
    4: ("buildings", "turn_last_built"),
    5: ("size", "specialists", "worked", "radius_sq"),
    8: ("turn_plague",),
}  # fmt: skip
UNIT = {
    3: (
        "hp", "moves", "done_moving", "fuel", "activity", "activity_count", "activity_target", "changed_from",
        "changed_from_count", "changed_from_target", "moved", "veteran", "tile",
    ),
    4: ("born", "nationality", "facing", "carrying"),
}  # fmt: skip
RESEARCH = (
    "known",
    "bulbs",
    "researching",
    "goal",
    "saved",
    "bulbs_before",
    "got_tech",
    "future_techs",
    "techs",
)
FEELINGS = "happy", "content", "unhappy", "angry", "techout", "mfg", "bnp", "pollution"
COUNTERS = "units_built", "units_killed", "units_lost"  # written with their current value
RELATION = "state", "turns_left", "reason_to_cancel", "contact_turns_left", "embassy"


def _named(item: Production) -> str:
    return f"{'Building' if isinstance(item, Building) else 'Unit'} {item.name}"


def _city_fields(one: City, other: City) -> Fields:
    for level, names in CITY.items():
        for name in names:
            yield level, name, (getattr(one, name), getattr(other, name))
    yield 4, "production", (_named(one.production), _named(other.production))
    yield 4, "changed_from", (_named(one.changed_from), _named(other.changed_from))
    yield 4, "worklist", ([i.name for i in one.worklist], [i.name for i in other.worklist])
    ours = {nation: count for nation, count in one.citizens.items() if count}
    yield 8, "citizens", (ours, other.citizens)


def _unit_fields(one: Unit, other: Unit) -> Fields:
    for level, names in UNIT.items():
        for name in names:
            yield level, name, (getattr(one, name), getattr(other, name))
    yield 4, "type", (one.type.name, other.type.name)
    yield 4, "home", (one.home and one.home.id, other.home and other.home.id)


def _player_fields(one: Player, other: Player) -> Fields:
    for name in FEELINGS:
        yield 1, f"score {name}", (one.score.get(name), other.score.get(name))
    yield 2, "bulbs_last_turn", (one.bulbs_last_turn, other.bulbs_last_turn)
    for name in RESEARCH:
        yield 6, name, (getattr(one.research, name), getattr(other.research, name))
    for name in ("gold", "government", "revolution_finishes", "target_government"):
        yield 7, name, (getattr(one, name), getattr(other, name))
    yield 8, "is_alive", (one.is_alive, other.is_alive)
    yield 8, "national history", (one.history, other.history)
    for name, value in other.score.items():
        if name not in FEELINGS:
            counted = getattr(one, name) if name in COUNTERS else one.score.get(name)
            yield 8, f"score {name}", (counted, value)
    for number, relation in other.relations.items():
        for name in RELATION:
            yield 8, f"diplomacy {name}", (getattr(one.relations[number], name), getattr(relation, name))


def _world_fields(ours: World, theirs: World) -> Iterator[tuple[int, str, str, tuple[Any, Any]]]:
    for tile in range(ours.geometry.tiles):
        subject = f"tile {tile % ours.geometry.width},{tile // ours.geometry.width}"
        yield 3, "terrain", subject, (ours.terrain[tile].name, theirs.terrain[tile].name)
        yield 3, "extras", subject, (ours.extras[tile], theirs.extras[tile])
        yield 8, "owner", subject, (ours.owner[tile], theirs.owner[tile])
        yield 8, "source", subject, (ours.source[tile], theirs.source[tile])
    for name in ("turn", "year", "score_turn", "warming", "winter", "government_changes", "last_identity"):
        yield 8, name, "the world", (getattr(ours, name), getattr(theirs, name))
    yield 6, "global_techs", "the world", (ours.global_techs, theirs.global_techs)
    yield 8, "order", "the players", ([p.number for p in ours.order], [p.number for p in theirs.order])


# --- reports ------------------------------------------------------------------------------------------------


def compare_folder(folder: Path) -> Compared:
    """Compare all consecutive saves of a folder."""
    if not folder.is_dir():
        raise BadRecording(f"{folder} is not a folder. Name a folder of consecutive savegames.")
    if not (consecutive := pairs(folder)):
        raise BadRecording(f"{folder} needs at least two .sav files to compare.")
    trace = read_trace(folder)
    reports = [compare(one, two, trace.get(one.name.split(".")[0])) for one, two in consecutive]
    agrees = all(report.same_generator and not report.mismatches for report in reports)
    return Compared(_lines(folder, reports), agrees, reports)


def _lines(folder: Path, reports: Sequence[ChangeReport]) -> list[str]:
    same = sum(report.same_generator for report in reports)
    wrong = sum(len(report.mismatches) for report in reports)
    total = sum(report.total.total() for report in reports)
    lines = [
        f"{folder.name}: {len(reports)} changes, {same} with equal draws, {wrong} of {total} fields differ"
    ]
    for report in reports:
        lines += [f"  {report.name}: {report.first_draw}"] if report.first_draw else []
        lines += [f"  {report.name}: {report.mismatches[0]}"] if report.mismatches else []
    return lines


def summary(reports: Sequence[ChangeReport]) -> Summary:
    """How many fields of each level agree in all changes."""
    matched, total = _summed(reports)
    rows = []
    for level, title in LEVELS.items():
        names = sorted(name for each, name in total if each == level)
        rows.append((str(level), title, *_share(matched, total, level, names)))
        differing = [name for name in names if matched[level, name] < total[level, name]]
        rows += [("", name, *_share(matched, total, level, [name])) for name in differing]
    same = sum(report.same_generator for report in reports)
    rows.append(("", "generator equal", str(same), str(len(reports)), _percent(same, len(reports))))
    facts = {"changes": [_facts(report) for report in reports], "fields": _fields(reports)}
    return Summary(("level", "field", "matched", "total", "share"), rows, _notes(reports), facts)


def _notes(reports: Sequence[ChangeReport]) -> list[str]:
    unanswered = sorted({name for report in reports for name in report.unanswered})
    draws, advisor = (
        sum(counts) for counts in zip(*((r.draws, r.advisor_draws) for r in reports), strict=True)
    )
    return [
        *([f"Not implemented, and without influence here: {', '.join(unanswered)}."] if unanswered else []),
        f"{draws} draws, and {advisor} more by the server's advisor at the end",
    ]


def _summed(
    reports: Sequence[ChangeReport],
) -> tuple[Counter[tuple[int, str]], Counter[tuple[int, str]]]:
    matched: Counter[tuple[int, str]] = Counter()
    total: Counter[tuple[int, str]] = Counter()
    for report in reports:
        matched.update(report.matched)
        total.update(report.total)
    return matched, total


def _share(
    matched: Counter[tuple[int, str]], total: Counter[tuple[int, str]], level: int, names: Sequence[str]
) -> tuple[str, str, str]:
    good, every = (sum(count[level, name] for name in names) for count in (matched, total))
    return str(good), str(every), _percent(good, every)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.3f} %" if whole else "-"


def _fields(reports: Sequence[ChangeReport]) -> list[dict[str, Any]]:
    matched, total = _summed(reports)
    return [
        {"level": level, "field": name, "matched": matched[level, name], "total": count}
        for (level, name), count in sorted(total.items())
    ]


def _facts(report: ChangeReport) -> dict[str, Any]:
    return {
        "change": report.name,
        "fields": report.total.total(),
        "differing": len(report.mismatches),
        "draws": report.draws,
        "their_draws": report.their_draws,
        "advisor_draws": report.advisor_draws,
        "same_generator": report.same_generator,
        "first_draw": report.first_draw,
        "mismatches": [mismatch._asdict() for mismatch in report.mismatches[:SHOWN]],
    }
