"""Our own ruleset: a few pages of TOML, read into the same records by the same loader as installed rulesets."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from endturn.games.empires.freeciv.names import hint
from endturn.games.empires.freeciv.rules import CHAPTERS, RulesetLoader
from endturn.games.empires.freeciv.secfile import BadSecfile, Entry, Secfile, Section, SectionTable, Value
from endturn.games.empires.rules.effects import ANSWERS, TESTS
from endturn.games.empires.ruleset import Ruleset
from endturn.games.empires.vocabulary import EffectType, RequirementType

FILE = Path(__file__).with_name("own.toml")
NAME = "empires"
# The chapter and prefix, or section, under which the loader looks for each table.
FAMILIES = {
    "terrain": ("terrain", "terrain_"), "extra": ("terrain", "extra_"), "resource": ("terrain", "resource_"),
    "road": ("terrain", "road_"), "base": ("terrain", "base_"), "tech": ("techs", "advance_"),
    "government": ("governments", "government_"), "unit_class": ("units", "unitclass_"), "unit": ("units", "unit_"),
    "building": ("buildings", "building_"), "specialist": ("cities", "specialist_"), "goods": ("game", "goods_"),
    "disaster": ("game", "disaster_"), "action": ("game", "actionenabler_"),
    "achievement": ("game", "achievement_"),
}  # fmt: skip
SINGLE = {
    "illness": ("game", "illness"), "borders": ("game", "borders"), "research": ("game", "research"),
    "culture": ("game", "culture"), "calendar": ("game", "calendar"), "citizen": ("cities", "citizen"),
    "missing_unit_upkeep": ("cities", "missing_unit_upkeep"), "veterans": ("units", "veteran_system"),
    "trade": ("game", "trade"),
}  # fmt: skip
STYLE = (
    ("game", "civstyle"),
    ("terrain", "parameters"),
    ("cities", "parameters"),
    ("governments", "governments"),
)
DEFAULTS: dict[str, dict[str, Entry]] = {
    "unit": {
        "build_cost": 10, "pop_cost": 0, "attack": 0, "hitpoints": 10, "move_rate": 1, "fuel": 0, "transport_cap": 0,
    },
    "building": {"upkeep": 0},
    "terrain": {"class": "Land"},
}  # fmt: skip
LISTS = {"needs": "reqs", "obsolete": "obsolete_by"}
NEED = re.compile(r"(?P<no>no )?(?P<kind>\w+): (?P<name>.+?)(?: @ (?P<range>\w+))?")
RANGES = {"Building": "city", "Tech": "player", "Gov": "player"}
KINDS = f" Use one of {', '.join(TESTS)}."


@cache
def ruleset() -> Ruleset:
    """The ruleset of our matches."""
    return parse(FILE.read_text(), FILE.name)


def parse(text: str, file: str) -> Ruleset:
    """A ruleset from TOML; errors name file, line and section."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSecfile(f"{file}: invalid TOML: {error}.") from None
    return RulesetLoader(Chapters(content, text, file).files()).ruleset(NAME)


class Chapters:
    """The tables of a TOML file, sorted into the chapters that the loader reads."""

    def __init__(self, content: dict[str, Any], text: str, file: str) -> None:
        """Take the content, and the text to find lines in."""
        self.content, self.lines, self.file = content, text.split("\n"), file

    def files(self) -> dict[str, Secfile]:
        """All chapters."""
        found = {chapter: Secfile(self.file) for chapter in CHAPTERS}
        for chapter, key, section in self.sections():
            found[chapter].sections[key] = section
        return found

    def sections(self) -> Iterator[tuple[str, str, Section]]:
        """For each section its chapter, the name that the loader looks for, and the section itself."""
        for title, table in self.content.items():
            if title in FAMILIES:
                for name, entries in table.items():
                    chapter, prefix = FAMILIES[title]
                    yield chapter, prefix + name, self.member(title, name, entries)
            elif title == "style":
                for chapter, name in STYLE:
                    yield chapter, name, self.section(title, table)
            elif title in SINGLE:
                yield *SINGLE[title], self.section(title, table)
            elif title == "settings":
                yield "game", title, self.settings(table)
            elif title == "effects":
                yield from self.effects(table)
            else:
                known = ", ".join((*FAMILIES, "style", *SINGLE, "settings", "effects"))
                raise self.wrong(title, f"unknown section. Sections are {known}.")

    def line_of(self, title: str, key: str | None = None) -> int:
        """The line of a section, or of a key in it."""
        start = next((i for i, line in enumerate(self.lines) if line.strip() == f"[{title}]"), 0)
        if key is not None:
            for i, line in enumerate(self.lines[start + 1 :], start + 1):
                if re.match(rf"{re.escape(key)}\s*=", line):
                    return i + 1
                if line.startswith("["):
                    break
        return start + 1

    def wrong(self, title: str, problem: str, key: str | None = None) -> BadSecfile:
        return BadSecfile(f"{self.file}, line {self.line_of(title, key)}, section [{title}]: {problem}")

    def section(self, title: str, entries: dict[str, Any]) -> Section:
        made = Section(title, self.file, self.line_of(title))
        for key, value in entries.items():
            made.lines[key] = self.line_of(title, key)
            if key in LISTS:
                made.entries[LISTS[key]] = self.requirements(title, key, value)
                made.lines[LISTS[key]] = made.lines[key]
            elif key == "routes":
                rows = [[kind, *route] for kind, route in value.items()]
                made.entries["settings"] = SectionTable(("type", "pct", "cancelling"), rows)
            else:
                made.entries[key] = value
        return made

    def member(self, family: str, name: str, entries: dict[str, Any]) -> Section:
        quoted = f'"{name}"' if " " in name else name
        title = f"{family}.{quoted}"
        made = self.section(title, entries)
        made.entries = {**DEFAULTS.get(family, {}), "name": name, **made.entries}
        if family in ("resource", "road", "base"):
            made.entries["extra"] = name
        if family == "action":
            made.entries["action"] = name
        return made

    def settings(self, table: dict[str, Value]) -> Section:
        made = Section("settings", self.file, self.line_of("settings"))
        made.entries["set"] = SectionTable(
            ("name", "value"), [[name, value] for name, value in table.items()]
        )
        return made

    def effects(self, table: dict[str, Any]) -> Iterator[tuple[str, str, Section]]:
        for kind, effects in table.items():
            if kind not in set(EffectType):
                raise self.wrong(
                    "effects", f"no rule asks for an effect {kind!r}.{hint(kind, list(EffectType))}", kind
                )
            for number, (value, *needs) in enumerate(effects):
                made = Section("effects", self.file, self.line_of("effects", kind))
                reqs = self.requirements("effects", kind, needs)
                made.entries = {"type": kind, "value": value, "reqs": reqs}
                yield "effects", f"effect_{kind}_{number}", made

    def requirements(self, title: str, key: str, needs: list[str]) -> SectionTable:
        return SectionTable(
            ("type", "name", "range", "present"), [self.requirement(title, key, need) for need in needs]
        )

    def requirement(self, title: str, key: str, need: str) -> list[Value]:
        found = NEED.fullmatch(need)
        if found is None:
            raise self.wrong(title, f"a requirement must read 'Type: name @ range', not {need!r}.", key)
        kind = found["kind"]
        if kind not in TESTS:
            raise self.wrong(
                title, f"unknown requirement type {kind!r}.{hint(kind, list(TESTS)) or KINDS}", key
            )
        within = found["range"] or RANGES.get(kind, "local")
        if (kind, within) not in ANSWERS:
            ranges = ", ".join(TESTS[RequirementType(kind)][1])
            raise self.wrong(title, f"{kind} has no range {within!r}. Its ranges are {ranges}.", key)
        return [kind, found["name"], within, found["no"] is None]
