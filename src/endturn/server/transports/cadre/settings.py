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
import secrets
from typing import Any, NamedTuple, get_args, get_type_hints
from urllib.parse import parse_qsl

import msgspec

from endturn.bots import bots_of
from endturn.engine.game import Game, SettingsError, describe_settings, settings_to_json
from endturn.mechanisms.cadre import Era
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


class Chosen(NamedTuple):
    """A session's settings."""

    settings: Any  # the game's
    profile: str
    seed: str
    names: tuple[str, ...]
    clocks: dict[str, int]
    opponent: str | None

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
        """Every setting, as gamelogs have them."""
        ours = settings_to_json(self.settings)
        said = {name: ours[known] for name, known in game.cadre.settings.items()}
        extra = {"playerNames": list(self.names), "randomSeed": self.seed, "profile": self.profile}
        return {**self.clocks, **extra, **said}


def choose(game: Game, text: str = "") -> Chosen:
    """The settings that a text asks for; Fatal says what is wrong, and lists all there are."""
    try:
        said = parse_qsl(text[:LONGEST_TEXT], keep_blank_values=True, max_num_fields=MOST_SETTINGS)
        return _chosen(
            game, [(name.removesuffix("[]"), value) for name, value in said if _counts(name, said)]
        )
    except (SettingsError, ValueError) as error:
        raise Fatal(f"{error}\n---\n{listing(game)}") from None


def _counts(name: str, said: list[tuple[str, str]]) -> bool:
    """A list is written `playerNames[]`, or said more than once; else it is none, and passed over."""
    return name != "playerNames" or sum(each.removesuffix("[]") == name for each, _ in said) > 1


def _chosen(game: Game, said: list[tuple[str, str]]) -> Chosen:
    profile = dict(said).get("profile") or next(iter(game.profiles))
    ours: dict[str, Any] = {}
    clocks, rest = dict(CLOCKS), {}
    hints = get_type_hints(game.settings, include_extras=True)
    for name, value in said:
        if name in CLOCKS or name in OF_2017:
            clocks[OF_2017.get(name, name)] = _clock(name, value)
        elif name in game.cadre.settings:
            known = game.cadre.settings[name]
            ours[known] = _number(name, value, get_args(hints[known])[1])
        elif name in hints:
            ours[name] = value
        elif name in ("profile", "opponent", "randomSeed"):
            rest[name] = value
        elif name != "playerNames" and profile != "2017":
            raise ValueError(f"Unknown setting '{name[:100]}'.")
    opponent = rest.get("opponent")
    if opponent is not None and opponent not in bots_of(game):
        raise ValueError(f"opponent setting is invalid ({opponent[:100]!r}). Must be one of {_bots(game)}")
    names = tuple(value[:80] for name, value in said if name == "playerNames")
    seed = rest.get("randomSeed") or secrets.token_hex(8)
    return Chosen(game.configure(profile, ours), profile, seed, names, clocks, opponent)


def _clock(name: str, value: str) -> int:
    unit = SECOND if name in OF_2017 else 1
    number = script_number(value) * unit
    least = 1 if OF_2017.get(name, name) == "playerStartingTime" else 0
    most = (LONGEST if least else 3600) * SECOND
    if not least <= number <= most:
        bound = f">= {least // unit or least}" if number < least else f"<= {most // unit}"
        raise ValueError(f'{name} setting is invalid ("{value[:50]}"). Must be {bound}')
    return int(number)


def _number(name: str, value: str, limits: msgspec.Meta) -> int:
    number, least, most = script_number(value), limits.ge or 0, limits.le or 0
    if not least <= number <= most:
        bound = f">= {least}" if number < least else f"<= {most}"
        raise ValueError(f'{name} setting is invalid ("{value[:50]}"). Must be {bound}')
    return int(number)


def script_number(text: str) -> float:
    """A number as scripts read it: what is none is 0."""
    said = text.strip().replace("_", "x")
    try:
        number = float(int(said, 0)) if said[:2].lower() in ("0x", "0o", "0b") else float(said)
    except (ValueError, OverflowError):
        return 0.0
    return 0.0 if math.isnan(number) else number


def _bots(game: Game) -> str:
    return ", ".join(bots_of(game))


def listing(game: Game) -> str:
    """All settings that a client can send, a line each."""
    help_of = {each.name: each for each in describe_settings(game.settings)}
    lines = [
        f"- playerStartingTime (number = {CLOCKS['playerStartingTime']}): Each player's time at the start, in ns.",
        f"- timeAddedPerTurn (number = {CLOCKS['timeAddedPerTurn']}): Time added as a player's turn begins, in ns.",
        "- playerNames (string[]): The players' names, in place of those they send.",
        "- randomSeed (string): What chance follows; by chance where it is left out.",
        f"- profile (string = {next(iter(game.profiles))}): The rules: {', '.join(game.profiles)}.",
        f"- opponent (string): A bot to play against: {_bots(game)}.",
    ]
    for name, ours in game.cadre.settings.items():
        lines.append(f"- {name} (number = {help_of[ours].default}): {help_of[ours].help}.")
    taken = set(game.cadre.settings.values())
    lines += [f"- {n} ({e.choices} = {e.default}): {e.help}." for n, e in help_of.items() if n not in taken]
    return "\n".join(["Available game settings:", *lines])
