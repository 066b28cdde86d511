"""What a session is played with: one text like `maxTurns=50&randomSeed=abc&profile=2022&opponent=arsonist`.

The names are those of the original servers, which the game's table maps to ours; our own work as well. What is
left out is the default: a text replaces all of an earlier one. Beside the game's settings there are:

    profile             which rules: official (the default), 2022 or 2017; with 2017 the wire is that server's too
    opponent            one of our bots, which takes the second seat
    randomSeed          any text; the same text, settings and actions give the same match
    playerNames         a name for each seat, in order, in place of those that clients send
    playerStartingTime, timeAddedPerTurn    the clock, in ns
    startTime, turnTimeAdded                the same in seconds, as in 2017
"""

import hashlib
import math
import re
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args, get_type_hints
from urllib.parse import parse_qsl

import msgspec

from endturn.bots import bots_of
from endturn.cadre import dialect
from endturn.cadre.wire import Era
from endturn.engine.game import Game
from endturn.engine.settings import SettingsError, describe_settings, settings_to_json
from endturn.server.clock import Timing
from endturn.server.transports.cadre.framing import Fatal

SECOND = 1_000_000_000  # ns
LONGEST = 1_000_000  # seconds on a clock
CLOCKS = {
    "playerStartingTime": 60 * SECOND,
    "timeAddedPerTurn": SECOND,
}  # by their names of 2022: the default
OF_2017 = {"startTime": "playerStartingTime", "turnTimeAdded": "timeAddedPerTurn"}
MOST_SETTINGS = 100
LONGEST_TEXT = 16384
LONGEST_NAME, TOO_LONG = 80, "Name Too Long Player"
ANY_NUMBER = msgspec.Meta(ge=0, le=1_000_000)  # of a setting that does nothing
OURS = re.compile(r"\b[a-z]+(_[a-z]+)+\b")  # a name as our settings have them


class Known(NamedTuple):
    """What a name on the wire means."""

    ours: str  # a setting
    unit: int = 1  # how many of ours one of the wire's is

    def said(self, value: int) -> float:
        """A value of ours as the wire has it: a whole number without a point."""
        return value / self.unit if value % self.unit else value // self.unit


def known_settings(game: Game, profile: str) -> dict[str, Known]:
    """The names of the original servers that are settings of ours by these rules."""
    ours = dialect(game)
    made = {name: Known(ours) for name, ours in ours.settings.items()}
    made |= {name: Known(ours, 100) for name, ours in ours.percents.items()}
    if profile == next(iter(game.profiles)):
        made |= {name: Known(each.official) for name, each in ours.unused.items() if each.official}
    return made


class Chosen(NamedTuple):
    """A session's settings."""

    settings: Any  # the game's
    profile: str
    seed: str
    names: tuple[str, ...]
    clocks: dict[str, int]
    opponent: str | None
    unused: dict[str, int]  # that do nothing, and are shown

    @property
    def era(self) -> Era:
        """Which server's wire this is; that of `official` is the later one's."""
        return "2017" if self.profile == "2017" else "2022"

    @property
    def dice(self) -> int:
        """The seed as a number."""
        return int.from_bytes(hashlib.sha256(self.seed.encode()).digest()[:8], "big")

    @property
    def timing(self) -> Timing:
        """The clock as a room takes it."""
        seconds, added = (self.clocks[name] / SECOND for name in CLOCKS)
        return Timing("bank", seconds, added)

    def listed(self, game: Game) -> dict[str, Any]:
        """Every setting of the original's, as gamelogs have them, and those of ours that differ from the profile's."""
        ours, usual = settings_to_json(self.settings), settings_to_json(game.configure(self.profile))
        known = known_settings(game, self.profile)
        said = {name: each.said(ours[each.ours]) for name, each in known.items()}
        listed = {each.ours for each in known.values()}
        own = {name: v for name, v in ours.items() if v != usual[name] and name not in listed}
        extra = {"playerNames": list(self.names), "randomSeed": self.seed, "profile": self.profile}
        return {**self.clocks, **extra, **self.unused, **said, **own}


def choose(game: Game, text: str = "") -> Chosen:
    """The settings that a text asks for; Fatal says what is wrong, and lists all there are."""
    said: list[tuple[str, str]] = []
    try:
        said = parse_qsl(text[:LONGEST_TEXT], keep_blank_values=True, max_num_fields=MOST_SETTINGS)
        return _chosen(
            game, [(name.removesuffix("[]"), value) for name, value in said if _counts(name, said)]
        )
    except (SettingsError, ValueError) as error:
        raise Fatal(f"{error}\n---\n{listing(game, dict(said).get('profile'))}") from None


def _counts(name: str, said: list[tuple[str, str]]) -> bool:
    """A list is written `playerNames[]`, or said more than once; else it is none, and passed over."""
    return name != "playerNames" or sum(each.removesuffix("[]") == name for each, _ in said) > 1


def _chosen(game: Game, said: list[tuple[str, str]]) -> Chosen:
    profile = dict(said).get("profile") or next(iter(game.profiles))
    hints = get_type_hints(game.settings, include_extras=True)
    known = known_settings(game, profile)
    older = {name: Known(ours) for name, ours in dialect(game).of_2017.items()}
    ours: dict[str, Any] = {}
    clocks, rest, unused = dict(CLOCKS), {}, _unused(game, known)
    spelled = {each.ours: name for name, each in (older | known).items()}
    for name, value in said:
        if name in CLOCKS or name in OF_2017:
            clocks[OF_2017.get(name, name)] = _clock(name, value)
        elif (each := known.get(name) or older.get(name)) is not None:
            ours[each.ours] = _number(name, value, get_args(hints[each.ours])[1], each.unit)
            spelled[each.ours] = name
        elif name in unused:
            unused[name] = _number(name, value, ANY_NUMBER)
        elif name in hints:
            ours[name] = _own(value, hints[name])
            spelled[name] = name
        elif name in ("profile", "opponent", "randomSeed"):
            rest[name] = value
        elif name != "playerNames" and profile != "2017":
            raise ValueError(f"Unknown setting '{name[:100]}'.")
    opponent = rest.get("opponent")
    if opponent is not None and opponent not in bots_of(game):
        raise ValueError(f'opponent setting is invalid ("{opponent[:100]}"). Must be one of {_bots(game)}')
    names = tuple(shortened(value) for name, value in said if name == "playerNames")
    seed = rest.get("randomSeed") or secrets.token_hex(8)
    return Chosen(_configured(game, profile, ours, spelled), profile, seed, names, clocks, opponent, unused)


def _unused(game: Game, known: Mapping[str, Known]) -> dict[str, int]:
    """The settings that do nothing by these rules, as they are if nobody says."""
    return {name: each.default for name, each in dialect(game).unused.items() if name not in known}


def _configured(game: Game, profile: str, ours: dict[str, Any], spelled: dict[str, str]) -> Any:
    """The settings; what is wrong with them is said of the names that the client knows."""
    try:
        return game.configure(profile, ours)
    except SettingsError as error:
        wrong = OURS.sub(lambda name: spelled.get(name[0], name[0]), str(error))
        raise SettingsError(wrong) from None


def _own(value: str, hint: Any) -> str:
    """A setting that only we have. A flag that is named without a value is on, as with the originals."""
    return "true" if value == "" and get_args(hint)[:1] == (bool,) else value


def shortened(name: str) -> str:
    """A player's name as it is shown."""
    return TOO_LONG if len(name) > LONGEST_NAME else name


def _clock(name: str, value: str) -> int:
    unit = SECOND if name in OF_2017 else 1
    number = script_number(value) * unit
    least = 1 if OF_2017.get(name, name) == "playerStartingTime" else 0
    most = (LONGEST if least else 3600) * SECOND
    if not least <= number <= most:
        bound = f">= {least // unit or least}" if number < least else f"<= {most // unit}"
        raise ValueError(f'{name} setting is invalid ("{value[:50]}"). Must be {bound}')
    return int(number)


def _number(name: str, value: str, limits: msgspec.Meta, unit: int = 1) -> int:
    number, least, most = script_number(value) * unit, limits.ge or 0, limits.le or 0
    if not least <= number <= most:
        said = Known(name, unit).said
        bound = f">= {said(int(least))}" if number < least else f"<= {said(int(most))}"
        raise ValueError(f'{name} setting is invalid ("{value[:50]}"). Must be {bound}')
    return int(number) if unit == 1 else round(number)


def script_number(text: str) -> float:
    """A number as scripts read it: what is none is 0."""
    number = number_in(text)
    return 0.0 if math.isnan(number) else number


def number_in(text: str) -> float:
    """A number as scripts read it, if it is one."""
    said = text.strip().replace("_", "x") or "0"
    try:
        return float(int(said, 0)) if said[:2].lower() in ("0x", "0o", "0b") else float(said)
    except (ValueError, OverflowError):
        return math.nan


def _bots(game: Game) -> str:
    return ", ".join(bots_of(game))


def listing(game: Game, wanted: str | None = None) -> str:
    """All settings that a client can send, a line each, with what they are by the profile that it wants."""
    profile = wanted if wanted is not None and wanted in game.profiles else next(iter(game.profiles))
    help_of = {each.name: each for each in describe_settings(game.settings)}
    usual = settings_to_json(game.configure(profile))
    lines = [
        f"- playerStartingTime (number = {CLOCKS['playerStartingTime']}): Each player's time at the start, in ns.",
        f"- timeAddedPerTurn (number = {CLOCKS['timeAddedPerTurn']}): Time added as a player's turn begins, in ns.",
        "- playerNames (string[]): The players' names, in place of those they send.",
        "- randomSeed (string): What chance follows; by chance where it is left out.",
        f"- profile (string = {profile}): The rules: {', '.join(game.profiles)}.",
        f"- opponent (string): A bot to play against: {_bots(game)}.",
    ]
    known = known_settings(game, profile)
    for name, each in known.items():
        lines.append(f"- {name} (number = {each.said(usual[each.ours])}): {help_of[each.ours].help}.")
    lines += [f"- {n} (number = {v}): Does nothing, and is shown." for n, v in _unused(game, known).items()]
    taken = {each.ours for each in known.values()}
    own = [each for name, each in help_of.items() if name not in taken]
    shown = {name: str(value).lower() if type(value) is bool else value for name, value in usual.items()}
    lines += [f"- {each.name} ({each.choices} = {shown[each.name]}): {each.help}." for each in own]
    return "\n".join(["Available game settings:", *lines])
