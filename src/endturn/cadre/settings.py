"""A session's settings: one text such as `maxTurns=50&randomSeed=abc&profile=2022&opponent=arsonist`.

Settings have the names of the original servers, which the dialect maps to ours; our own names work too. A setting
that the text omits has its default. In addition to the game's settings there are:

    profile             the rules: official (the default), 2022 or 2017; 2017 also selects that server's protocol
    opponent            one of our bots, which takes the second seat
    randomSeed          any text; the same text, settings and actions give the same match
    playerNames         a name for each seat, instead of the names that clients send
    playerStartingTime, timeAddedPerTurn    the clock, in ns
    startTime, turnTimeAdded                the clock in seconds, as in 2017
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
from endturn.cadre.messages import Fatal
from endturn.cadre.table import Era
from endturn.engine.game import Game
from endturn.engine.settings import SettingsError, describe_settings, settings_to_json

SECOND = 1_000_000_000  # ns
LONGEST = 1_000_000  # seconds on a clock
CLOCKS = {"playerStartingTime": 60 * SECOND, "timeAddedPerTurn": SECOND}  # names of 2022 -> default
OF_2017 = {"startTime": "playerStartingTime", "turnTimeAdded": "timeAddedPerTurn"}
MOST_SETTINGS = 100
LONGEST_TEXT = 16384
LONGEST_NAME, TOO_LONG = 80, "Name Too Long Player"
ANY_NUMBER = msgspec.Meta(ge=0, le=1_000_000)  # for settings that do nothing
OURS = re.compile(r"\b[a-z]+(_[a-z]+)+\b")  # one of our setting names in a sentence


class WireSetting(NamedTuple):
    """Our setting behind a name on the wire."""

    ours: str
    unit: int = 1  # how many of ours make one of the wire's

    def said(self, value: int) -> float:
        """Our value as the wire has it. A whole number has no decimal point."""
        return value / self.unit if value % self.unit else value // self.unit


def wire_settings(game: Game, profile: str) -> dict[str, WireSetting]:
    """The original servers' names for our settings, in a profile."""
    ours = dialect(game)
    made = {name: WireSetting(setting) for name, setting in ours.settings.items()}
    made |= {name: WireSetting(setting, 100) for name, setting in ours.percents.items()}
    if profile == next(iter(game.profiles)):
        made |= {name: WireSetting(each.official) for name, each in ours.unused.items() if each.official}
    return made


class SessionSettings(NamedTuple):
    """The settings of a session."""

    settings: Any  # the game's
    profile: str
    seed: str
    names: tuple[str, ...]
    clocks: dict[str, int]
    opponent: str | None
    unused: dict[str, int]  # values of settings that do nothing but are shown

    @property
    def era(self) -> Era:
        """The server whose protocol clients get; the official profile has that of 2022."""
        return "2017" if self.profile == "2017" else "2022"

    @property
    def dice(self) -> int:
        """The seed as a number."""
        return int.from_bytes(hashlib.sha256(self.seed.encode()).digest()[:8], "big")

    @property
    def clock_seconds(self) -> tuple[float, float]:
        """Each player's time at the start, and the time added per turn."""
        start, added = (self.clocks[name] / SECOND for name in CLOCKS)
        return start, added

    def listed(self, game: Game) -> dict[str, Any]:
        """The settings as gamelogs list them: all of the original's, and ours that differ from the profile."""
        ours, usual = settings_to_json(self.settings), settings_to_json(game.configure(self.profile))
        known = wire_settings(game, self.profile)
        said = {name: each.said(ours[each.ours]) for name, each in known.items()}
        listed = {each.ours for each in known.values()}
        own = {name: v for name, v in ours.items() if v != usual[name] and name not in listed}
        extra = {"playerNames": list(self.names), "randomSeed": self.seed, "profile": self.profile}
        return {**self.clocks, **extra, **self.unused, **said, **own}


# --- reading a text -----------------------------------------------------------------------------------------


def choose(game: Game, text: str = "") -> SessionSettings:
    """The settings that a text asks for; Fatal says what is wrong with it and lists every setting."""
    said: list[tuple[str, str]] = []
    try:
        said = parse_qsl(text[:LONGEST_TEXT], keep_blank_values=True, max_num_fields=MOST_SETTINGS)
        return _chosen(
            game, [(name.removesuffix("[]"), value) for name, value in said if _counts(name, said)]
        )
    except (SettingsError, ValueError) as error:
        raise Fatal(f"{error}\n---\n{listing(game, dict(said).get('profile'))}") from None


def _counts(name: str, said: list[tuple[str, str]]) -> bool:
    """Whether a name counts: a list needs `[]` or repetition, and is ignored without."""
    return name != "playerNames" or sum(each.removesuffix("[]") == name for each, _ in said) > 1


def _chosen(game: Game, said: list[tuple[str, str]]) -> SessionSettings:
    profile = dict(said).get("profile") or next(iter(game.profiles))
    hints = get_type_hints(game.settings, include_extras=True)
    known = wire_settings(game, profile)
    older = {name: WireSetting(ours) for name, ours in dialect(game).of_2017.items()}
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
    settings = _configured(game, profile, ours, spelled)
    return SessionSettings(settings, profile, seed, names, clocks, opponent, unused)


def _unused(game: Game, known: Mapping[str, WireSetting]) -> dict[str, int]:
    """The settings that do nothing in this profile, with their defaults."""
    return {name: each.default for name, each in dialect(game).unused.items() if name not in known}


def _configured(game: Game, profile: str, ours: dict[str, Any], spelled: dict[str, str]) -> Any:
    """The game's settings. An error uses the names that the client used."""
    try:
        return game.configure(profile, ours)
    except SettingsError as error:
        wrong = OURS.sub(lambda name: spelled.get(name[0], name[0]), str(error))
        raise SettingsError(wrong) from None


def _own(value: str, hint: Any) -> str:
    """The value of one of our own settings. As in the originals, a flag without a value is on."""
    return "true" if value == "" and get_args(hint)[:1] == (bool,) else value


def shortened(name: str) -> str:
    """A player's name as it is shown."""
    return TOO_LONG if len(name) > LONGEST_NAME else name


# --- numbers ------------------------------------------------------------------------------------------------


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
        said = WireSetting(name, unit).said
        bound = f">= {said(int(least))}" if number < least else f"<= {said(int(most))}"
        raise ValueError(f'{name} setting is invalid ("{value[:50]}"). Must be {bound}')
    return int(number) if unit == 1 else round(number)


def script_number(text: str) -> float:
    """A number as JavaScript reads it, or 0."""
    number = number_in(text)
    return 0.0 if math.isnan(number) else number


def number_in(text: str) -> float:
    """A number as JavaScript reads it, or NaN."""
    said = text.strip().replace("_", "x") or "0"
    try:
        return float(int(said, 0)) if said[:2].lower() in ("0x", "0o", "0b") else float(said)
    except (ValueError, OverflowError):
        return math.nan


# --- listing ------------------------------------------------------------------------------------------------


def _bots(game: Game) -> str:
    return ", ".join(bots_of(game))


def listing(game: Game, wanted: str | None = None) -> str:
    """Every setting that a client can send, one per line, with its default in the profile that the client wants."""
    profile = wanted if wanted is not None and wanted in game.profiles else next(iter(game.profiles))
    help_of = {each.name: each for each in describe_settings(game.settings)}
    usual = settings_to_json(game.configure(profile))
    lines = [
        f"- playerStartingTime (number = {CLOCKS['playerStartingTime']}): Each player's time at the start, in ns.",
        f"- timeAddedPerTurn (number = {CLOCKS['timeAddedPerTurn']}): Time added when a player's turn begins, in ns.",
        "- playerNames (string[]): The players' names, instead of the names they send.",
        "- randomSeed (string): The seed of every roll. Random by default.",
        f"- profile (string = {profile}): The rules: {', '.join(game.profiles)}.",
        f"- opponent (string): A bot to play against: {_bots(game)}.",
    ]
    known = wire_settings(game, profile)
    for name, each in known.items():
        lines.append(f"- {name} (number = {each.said(usual[each.ours])}): {help_of[each.ours].help}.")
    lines += [f"- {n} (number = {v}): Shown, but has no effect." for n, v in _unused(game, known).items()]
    taken = {each.ours for each in known.values()}
    own = [each for name, each in help_of.items() if name not in taken]
    shown = {name: str(value).lower() if type(value) is bool else value for name, value in usual.items()}
    lines += [f"- {each.name} ({each.choices} = {shown[each.name]}): {each.help}." for each in own]
    return "\n".join(["Available game settings:", *lines])
