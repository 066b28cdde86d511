"""The contract: a `Game` is a few tables of functions and facts, which a game's `__init__.py` fills in."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import msgspec

from endturn.engine import record
from endturn.engine.actions import Action, Actions
from endturn.engine.answers import COMMON_REFUSALS, Refusal
from endturn.engine.choices import Choices
from endturn.engine.parts import Conform, Maps, TurnSteps
from endturn.engine.settings import Settings, SettingsError, settings_from
from endturn.engine.words import Words


class Outcome(NamedTuple):
    """How a match ended: a word, a place for each seat (1 is first), and a reason for each seat."""

    how: str
    places: tuple[int, ...]
    reasons: tuple[str, ...]

    @property
    def winner(self) -> int | None:
        """The seat in first place; None for a draw."""
        firsts = [seat for seat, place in enumerate(self.places) if place == 1]
        return firsts[0] if len(firsts) == 1 else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Rules:
    """How a match starts, whose turn it is, and how it ends."""

    state: type  # the record
    setup: Callable[[Any, int], Any]  # settings, seed -> state
    to_act: Callable[[Any], int]  # one bit for each seat that may act; 0 when the match is over
    turn: Callable[[Any], int]  # gamelogs have a checksum of the state whenever this changes
    outcome: Callable[[Any], Outcome | None]
    default_action: Action  # played for a seat that runs out of time, or leaves a game without forfeit
    forfeit: Callable[[str], Action] | None = None  # "resigned", "timed out" or "disconnected" -> action

    def leave_action(self, why: str) -> Action:
        """The action for a seat that leaves: a forfeit, or the default action in games without one."""
        return self.forfeit(why) if self.forfeit else self.default_action


def whole_state(state: Any, seat: int | None) -> dict[str, Any]:
    """The view of a game in which nothing is hidden."""
    return record.to_json(state)


@dataclass(frozen=True, kw_only=True, eq=False)
class Knowledge:
    """What a seat may know of a state. A seat of None is a spectator."""

    # a plain dictionary; a TypedDict as the return type describes it (engine/views.py)
    view: Callable[[Any, int | None], Any] = whole_state
    one_view: bool = False  # the view is the same for every seat and for spectators
    # state, seat, seed -> another state that the seat cannot tell from this one; changes the state it gets
    conceal: Callable[[Any, int | None, int], Any] | None = None
    observe: Callable[[Any, int, Any], None] | None = None  # writes the view into an array, as numbers
    observation_size: Callable[[Any], int] | None = None
    # what an action would do, as far as the seat may know; for None, what the seat could do at all
    foresee: Callable[[Any, int, Action | None], Any] | None = None
    # writes what a seat's next action may do into an array, as numbers
    preview: Callable[[Any, int, Any], None] | None = None
    preview_size: Callable[[Any], int] | None = None


def show_values(state: Any) -> str:
    """A plain picture: one line for each field of the state."""
    return "\n".join(f"{name}: {value}" for name, value in record.to_json(state).items())


def write_values(state: Any) -> str:
    """A position as JSON."""
    return msgspec.json.encode(record.to_json(state)).decode()


@dataclass(frozen=True, kw_only=True, eq=False)
class Text:
    """How people read a game: refusals as sentences, pictures, positions."""

    refusals: Mapping[int, Refusal]  # the number that a refuse_x returns -> rule id and sentence with {words}
    words: Callable[[Any, int, Action], Words | Mapping[str, object]] = Words  # the {words} for one action
    show: Callable[[Any], str] = show_values  # a picture for the terminal, in rich's markup
    write: Callable[[Any], str] = write_values  # a position: the state as one line of text
    read: Callable[[str], Any] | None = None  # the state of a position; by default what write_values wrote

    def __post_init__(self) -> None:
        object.__setattr__(self, "refusals", {**COMMON_REFUSALS, **self.refusals})


@dataclass(frozen=True, kw_only=True, eq=False)
class Storage:
    """How states become bytes. Only a game whose state is not a record, because it grows, needs its own."""

    copy: Callable[[Any], Any] = record.copy
    dump: Callable[[Any], bytes] = record.dump  # equal states have equal bytes
    load: Callable[[Any, bytes], Any] = record.load  # type of the state, bytes
    compiles: bool = True  # false for a state that is not a record


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """Everything the engine knows about a game. Parts with a default may be left out."""

    name: str
    title: str
    summary: str
    version: int  # increases when a seed and a gamelog would play differently, and for no other reason
    seats: tuple[str, ...]  # the name of each seat's side
    # settings -> seats, in a game whose settings say how many there are
    seats_for: Callable[[Any], tuple[str, ...]] | None = None
    settings: type[Settings] = Settings
    # named sets of settings; the first is the default
    profiles: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"official": {}})

    actions: Actions
    rules: Rules
    text: Text
    choices: Choices = field(default_factory=Choices)
    knowledge: Knowledge = field(default_factory=Knowledge)
    storage: Storage = field(default_factory=Storage)
    bots: Mapping[str, Callable[[int], Any]] = field(default_factory=dict)  # name -> a new bot, given a seed

    maps: Maps | None = None
    conform: Conform | None = None
    turn_steps: TurnSteps | None = None

    def __post_init__(self) -> None:
        every = () if self.choices.action_of else tuple(self.actions.all_rows())
        object.__setattr__(self, "choices", replace(self.choices, every=every))

    @property
    def seat_count(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    def seated(self, settings: Any) -> "Game":
        """This game with as many seats as a match with these settings has; always the same object."""
        names = self.seats_for(settings) if self.seats_for else self.seats
        return self if names == self.seats else _with_seats(self, names)

    def configure(self, profile: str | None = None, values: Mapping[str, Any] | None = None) -> Any:
        """The settings of a profile, changed by single values. SettingsError says what is wrong."""
        name = profile or next(iter(self.profiles))
        if name not in self.profiles:
            raise SettingsError(
                f"{self.title} has no profile {name!r}. Its profiles are {', '.join(self.profiles)}."
            )
        chosen = {**self.profiles[name], **(values or {})}
        return settings_from(self.settings, chosen, self.title)

    def chosen(self, settings: Any) -> Any:
        """Settings as given; or made from a dictionary of values, or the defaults. TypeError for anything else."""
        made = settings is None or isinstance(settings, Mapping)
        if not made and not isinstance(settings, self.settings):
            raise TypeError(f"settings must be a dictionary or {self.title}'s settings, not {settings!r:.80}")
        return self.configure(values=settings) if made else settings

    def legal(
        self, state: Any, seat: int, refuse: Callable[..., int], piece: int | None = None
    ) -> Iterator[Action]:
        """The legal actions of a seat, of one piece or of all."""
        return map(self.actions.unpack, self.choices.legal_rows(state, seat, refuse, piece))

    def parse_position(self, text: str) -> Any:
        """The state that a position describes; ValueError if the text is not a position."""
        if self.text.read is not None:
            return self.text.read(text)
        wrong = msgspec.MsgspecError, LookupError, TypeError, ValueError, OverflowError, RecursionError
        try:
            return record.from_json(self.rules.state, msgspec.json.decode(text))
        except wrong as error:
            raise ValueError(f"not a position of {self.title}: {error!r}") from None


FINDERS: list[
    Callable[[str], Game]
] = []  # `games` adds its own, as the engine does not know which games exist


def game_of(game: str | Game) -> Game:
    """A game, or the game of that name. Raises LookupError if there is none, and TypeError for anything else."""
    if isinstance(game, str):
        for find in FINDERS:
            return find(game)
        raise LookupError(f"There is no game {game!r}: no games are loaded.")
    if not isinstance(game, Game):
        raise TypeError(f"game must be a name or a Game, not {game!r:.80}")
    return game


@cache
def _with_seats(game: Game, names: tuple[str, ...]) -> Game:
    return replace(game, seats=names)
