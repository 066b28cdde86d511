"""The contract: `Game` is a table of functions and facts. A game's `__init__.py` fills it in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cache, cached_property
from itertools import product
from math import prod
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from endturn.engine import record
from endturn.engine.rule import is_rule, rule, takes_dice
from endturn.engine.words import Words

MATCH_OVER, NOT_YOUR_TURN, NO_SUCH_ACTION = 1, 2, 3  # refusals that every game has; a game's own start at 4
FIRST_OWN_REFUSAL = 4
WIDTH = 4  # numbers in an action, at most
PADDING = (0,) * WIDTH
LARGEST = (1 << 31) - 1  # number in an action
MOST_CHOICES = 4096  # of a kind of action, where the game does not number them itself
RESERVED = {"do", "seat", "#"}  # names that a line of a gamelog has for other things

Row = tuple[int, int, int, int, int]  # an action as numbers: verb, a, b, c, d


def _snake(name: str) -> str:
    """EndTurn becomes end_turn."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Action(msgspec.Struct, frozen=True, tag_field="do", tag=_snake, forbid_unknown_fields=True):
    """What a player asks to do. Its fields are whole numbers, flags or values of an IntEnum; at most four."""


class Why(IntEnum):
    """Why a seat leaves."""

    RESIGNED = 0
    TIMED_OUT = 1
    DISCONNECTED = 2


class Leave(Action, frozen=True):
    """The seat gives the match up, or its time or connection does. For any game that has a rule for it."""

    why: Why = Why.RESIGNED


def leaving(why: str) -> Leave:
    """The action of leaving, for "resigned", "timed out" or "disconnected"."""
    return Leave(Why[why.upper().replace(" ", "_")])


def number(low: int, high: int, help_text: str) -> msgspec.Meta:
    """In settings: the limits of a whole number, and what it is for."""
    return msgspec.Meta(ge=low, le=high, description=help_text)


def choice(help_text: str) -> msgspec.Meta:
    """In settings: what a choice is for."""
    return msgspec.Meta(description=help_text)


def text(longest: int, help_text: str) -> msgspec.Meta:
    """In settings: how long a text may be, and what it is for. A state keeps what set-up makes of it, not the text."""
    return msgspec.Meta(max_length=longest, description=help_text)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match: whole numbers with limits, flags, values of an IntEnum, texts."""


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """The answer to an action that breaks a rule: the rule's id, and a sentence that says what would be right."""

    rule: str
    reason: str


class Malformed(msgspec.Struct, frozen=True, gc=False):
    """The answer to what is no action at all; the sender's program is wrong. Names the place in the message."""

    reason: str


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The answer to an action that was played: the number of the turn it is now."""

    turn: int


class Outcome(NamedTuple):
    """How a match ended: a word for it, a place for each seat (1 is first), and a sentence for each seat."""

    how: str
    places: tuple[int, ...]
    reasons: tuple[str, ...]

    @property
    def winner(self) -> int | None:
        """The one seat in first place, if there is just one."""
        firsts = [seat for seat, place in enumerate(self.places) if place == 1]
        return firsts[0] if len(firsts) == 1 else None


class Rule(NamedTuple):
    """One kind of action: what it does, and which rule it breaks, if it can break any."""

    refuse: Callable[..., int] | None
    apply: Callable[..., None]  # rolls only if its last argument is `dice`
    reveals: bool = False  # whether it can show its seat a hidden fact; such an action is not taken back
    # whether a seat may do it when it is not to act (leaving, say); never a random choice
    anytime: bool = False
    # whether it does the long work of a turn's end; batches then do that side by side
    ends_turn: bool = False
    hidden: bool = False  # whether other seats may not even know that it was played, until the match is over


class SettingsError(ValueError):
    """A setting that does not exist, or a value that it cannot have; the message says what would be right."""


COMMON_REFUSALS = {
    MATCH_OVER: Refusal("over", "The match is over."),
    NOT_YOUR_TURN: Refusal("turn", "It is another seat's turn."),
    NO_SUCH_ACTION: Refusal("action", "There is no such action."),
}


@rule
def one_piece(state: Any) -> int:
    """For games whose choices need no pieces."""
    return 1


@rule
def never_idle(state: Any, seat: int, piece: int) -> bool:
    """For games with few pieces: no quick no."""
    return False


def whole_state(state: Any, seat: int | None) -> dict[str, Any]:
    """The view of a game in which nothing is hidden."""
    return record.to_json(state)


def show_values(state: Any) -> str:
    """A picture of the last resort: the state's values."""
    return "\n".join(f"{name}: {value}" for name, value in record.to_json(state).items())


def write_values(state: Any) -> str:
    """A position as the state's values in JSON."""
    return msgspec.json.encode(record.to_json(state)).decode()


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """Everything the engine needs to know of a game. What has a default can be left out."""

    name: str
    title: str
    summary: str
    version: int  # changes when a seed and a log would play differently, never for speed or refactoring
    seats: tuple[str, ...]  # what the places at the table are called
    # the same for a match with these settings, where their number is one of them
    seats_for: Callable[[Any], tuple[str, ...]] | None = None

    state: type  # the record
    settings: type[Settings] = Settings
    # named sets of settings; the first is the default
    profiles: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"official": {}})
    setup: Callable[[Any, int], Any]  # settings, seed -> state

    rules: Mapping[type[Action], Rule]
    refusals: Mapping[int, Refusal]  # the number a refuse_x gives -> rule id and sentence with {words}
    # what the {words} are, for this action
    words: Callable[[Any, int, Action], Words | Mapping[str, object]] = Words

    to_act: Callable[[Any], int]  # a bit for each seat that is to act; 0 when the match is over
    turn: Callable[[Any], int]  # which turn it is; the gamelog has the state's hash whenever it changes
    outcome: Callable[[Any], Outcome | None]
    default_action: Action  # what a seat plays whose time is over, or who has left a game without forfeit
    forfeit: Callable[[str], Action] | None = None  # leaving: "resigned", "timed out", "disconnected"

    # Choices are numbered, for masks, learning and random play: a piece, and what it does. Left out, every
    # action with every value within its fields' limits is an option of one piece.
    pieces: Callable[[Any], int] = one_piece
    options: Callable[[Any], int] | None = None
    # piece, option -> numbers; verb -1 where there is none
    action_of: Callable[[Any, int, int], Row] | None = None
    # a quick no: this piece can do nothing for this seat
    is_idle: Callable[[Any, int, int], bool] = never_idle
    sampled: frozenset[type[Action]] = frozenset()  # of these only some values are numbered, as of amounts
    random_action: Callable[[Any, int, int, int], Row] | None = None  # state, seat, seed, when

    # what a seat may know; None is a spectator
    view: Callable[[Any, int | None], dict[str, Any]] = whole_state
    one_view: bool = False  # whether that is the same for every seat and for spectators
    # another state this seat cannot tell from it
    conceal: Callable[[Any, int | None, int], Any] | None = None
    observe: Callable[[Any, int, Any], None] | None = None  # the view as numbers, written into an array
    observation_size: Callable[[Any], int] | None = None
    # what would come of an action, as far as the seat may know; None: what the seat could do at all
    foresee: Callable[[Any, int, Action | None], dict[str, Any]] | None = None
    # what may come of a seat's next action, as numbers written into an array
    preview: Callable[[Any, int, Any], None] | None = None
    preview_size: Callable[[Any], int] | None = None
    show: Callable[[Any], str] = show_values  # a picture for the terminal, with rich's markup

    write: Callable[[Any], str] = write_values  # a position as one line of text
    read: Callable[[str], Any] | None = None  # left out: what write_values wrote

    bots: Mapping[str, Callable[[int], Any]] = field(default_factory=dict)  # name -> a new bot, given a seed
    # A state that is no record, because it grows, brings these three, and says that it does not compile.
    copy: Callable[[Any], Any] = record.copy
    dump: Callable[[Any], bytes] = record.dump  # equal states have equal bytes
    load: Callable[[Any, bytes], Any] = record.load  # the type of the state, its bytes
    compiles: bool = True

    def __post_init__(self) -> None:
        for kind, act in self.rules.items():
            if len(kind.__struct_fields__) > WIDTH:
                raise TypeError(f"{kind.__name__} has more than {WIDTH} fields")
            if RESERVED & set(kind.__struct_fields__):
                raise TypeError(f"{kind.__name__} has a field with one of the names {sorted(RESERVED)}")
            for part in act.refuse, act.apply:
                if part is not None and not is_rule(part):
                    raise TypeError(f"{part.__qualname__} is not marked with @rule")
        object.__setattr__(self, "refusals", {**COMMON_REFUSALS, **self.refusals})
        object.__setattr__(self, "choices", () if self.action_of else tuple(self._all_rows()))

    @property
    def seat_count(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    def seated(self, settings: Any) -> "Game":
        """This game with as many seats as a match with these settings has; the same one each time."""
        names = self.seats_for(settings) if self.seats_for else self.seats
        return self if names == self.seats else _with_seats(self, names)

    def can_be_undone(self, kind: type[Action]) -> bool:
        """Whether taking back such an action gives nobody knowledge: no dice, no hidden fact."""
        act = self.rules[kind]
        return not (takes_dice(act.apply) or act.reveals or act.anytime or act.hidden)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether seats can act without the others' knowing."""
        return any(act.hidden for act in self.rules.values())

    def is_hidden(self, tag: str) -> bool:
        """Whether actions of that name are kept from the other seats."""
        return tag in self._hidden

    def configure(self, profile: str | None = None, values: Mapping[str, Any] | None = None) -> Any:
        """Settings from a profile and single values; SettingsError says what is wrong and what would be right."""
        name = profile or next(iter(self.profiles))
        if name not in self.profiles:
            raise SettingsError(f"{self.title} has no profile {name!r}; it has {', '.join(self.profiles)}.")
        chosen = {**self.profiles[name], **(values or {})}
        return settings_from(self.settings, chosen, self.title)

    def chosen(self, settings: Any) -> Any:
        """Settings as given, or made from a dictionary of those that differ from the defaults, or the defaults."""
        made = settings is None or isinstance(settings, Mapping)
        return self.configure(values=settings) if made else settings

    # --- choices by number ---

    choices: tuple[Row, ...] = field(init=False)  # every action, where the game has no numbering of its own

    def _all_rows(self) -> Iterator[Row]:
        for verb, (kind, act) in enumerate(self.rules.items()):
            if not act.anytime:
                ranges = self._ranges(kind)
                if prod(map(len, ranges)) > MOST_CHOICES:
                    raise TypeError(
                        f"{kind.__name__} needs narrower limits ge= and le=, or the game an action_of"
                    )
                for values in product(*ranges):
                    a, b, c, d = (*values, *[0] * (WIDTH - len(values)))
                    yield verb, a, b, c, d

    def _ranges(self, kind: type[Action]) -> list[Sequence[int]]:
        hints = get_type_hints(kind, include_extras=True)
        return [_values(hints[name]) for name in kind.__struct_fields__]

    def limits(self, kind: type[Action]) -> list[tuple[int, int]]:
        """The least and the greatest number that can be said in each field of an action."""
        return [(values[0], values[-1]) for values in self._ranges(kind)]

    def option_count(self, state: Any) -> int:
        """How many options a piece has at most."""
        return self.options(state) if self.options else len(self.choices)

    def choice(self, state: Any, piece: int, option: int) -> Row:
        """The numbered action; verb -1 where there is none."""
        return self.action_of(state, piece, option) if self.action_of else self.choices[option]

    def parse_position(self, text: str) -> Any:
        """The state that a line of text describes; ValueError where it describes none."""
        if self.read is not None:
            return self.read(text)
        wrong = msgspec.MsgspecError, LookupError, TypeError, ValueError, OverflowError, RecursionError
        try:
            return record.from_json(self.state, msgspec.json.decode(text))
        except wrong as error:
            raise ValueError(f"not a position of {self.title}: {error!r}") from None

    # --- actions as structs, as JSON, as numbers ---

    @cached_property
    def verbs(self) -> dict[type, int]:
        """The number of each kind of action: its place in the table of rules."""
        return {kind: verb for verb, kind in enumerate(self.rules)}

    @cached_property
    def _fields(self) -> dict[type, tuple[int, list[tuple[str, Any, int, int]], tuple[int, ...]]]:
        """Of each kind of action its number; name, type, least and greatest value of its fields; what fills its row."""
        return {
            kind: (verb, self._limited(kind), PADDING[len(kind.__struct_fields__) :])
            for verb, kind in enumerate(self.rules)
        }

    def _limited(self, kind: type[Action]) -> list[tuple[str, Any, int, int]]:
        named = zip(kind.__struct_fields__, self.limits(kind), strict=True)
        return [(name, _hints(kind)[name], low, high) for name, (low, high) in named]

    def parse(self, said: object) -> Action | Malformed:
        """An action from JSON text, a dictionary, or a struct; Malformed names the place of what is wrong."""
        if isinstance(said, Action) and self.row_of(said) is not None:
            return said  # what our own programs send takes no detour
        try:
            if isinstance(said, Action):
                said = msgspec.to_builtins(said)
            elif isinstance(said, bytes | str):
                said = msgspec.json.decode(said)
            made = self._converted(said)
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
            return Malformed(f"{str(error)[:300]}. An action is one of {', '.join(map(_tag, self.rules))}.")
        for name in made.__struct_fields__:
            if not -LARGEST <= getattr(made, name) <= LARGEST:
                return Malformed(f"A number is at most {LARGEST} - at `$.{name}`")
        return made

    def _converted(self, said: Any) -> Action:
        """A dictionary's action. What is of no known kind is left to msgspec to complain of."""
        kind = self._kind(said)
        # Of one kind msgspec knows already how to make it; of all together it would find out anew each time.
        wanted: Any = kind or _union(tuple(self.rules))
        made: Action = msgspec.convert(self._numbered(said), wanted)
        return made

    def _kind(self, said: Any) -> type[Action] | None:
        tag = said.get("do") if isinstance(said, dict) else None
        return self._kinds.get(tag) if isinstance(tag, str) else None

    def _numbered(self, said: Any) -> Any:
        """Names of enumerations in a dictionary become numbers; all else is left for msgspec to judge."""
        kind = self._kind(said)
        return said if kind is None else _by_number(said, _enums(kind))

    @cached_property
    def _hidden(self) -> frozenset[str]:
        """The names of the actions that are kept from the other seats."""
        return frozenset(_tag(kind) for kind, act in self.rules.items() if act.hidden)

    @cached_property
    def _kinds(self) -> dict[str, type[Action]]:
        """The kinds of actions by their names."""
        return {_tag(kind): kind for kind in self.rules}

    def row_of(self, said: object) -> Sequence[int] | None:
        """A struct as numbers; None for all else, and where a value that nobody checked is of no right type or size."""
        known = self._fields.get(type(said))
        if known is None:
            return None
        verb, fields, padding = known
        row = [verb]
        for name, kind, low, high in fields:
            value = getattr(said, name)
            if type(value) is not kind or not low <= value <= high:
                return None
            row.append(value if kind is int else int(value))
        return [*row, *padding]

    def parse_all(self, said: Sequence[object]) -> list[Action] | None:
        """`parse` of many dictionaries, far quicker than one by one; None where any is Malformed."""
        kinds: Any = list[_union(tuple(self.rules))]  # type: ignore[misc]
        try:
            made: list[Action] = msgspec.convert([self._numbered(each) for each in said], kinds)
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
            return None
        numbers = (number for action in made for number in msgspec.structs.astuple(action))
        return made if all(-LARGEST <= number <= LARGEST for number in numbers) else None

    def pack(self, action: Action) -> Row:
        """The action as numbers."""
        a, b, c, d, *_ = (*map(int, msgspec.structs.astuple(action)), 0, 0, 0, 0)
        return self.verbs[type(action)], a, b, c, d

    def unpack(self, row: Sequence[int]) -> Action:
        """The action that these numbers stand for."""
        kind = list(self.rules)[row[0]]
        hints = _hints(kind)
        return kind(
            *(hints[name](value) for name, value in zip(kind.__struct_fields__, row[1:], strict=False))
        )

    def to_json(self, action: Action) -> dict[str, Any]:
        """The action as a dictionary, values of enumerations by name."""
        said = {"do": _tag(type(action))}
        for name in action.__struct_fields__:
            value = getattr(action, name)
            said[name] = value.name.lower() if isinstance(value, IntEnum) else value
        return said

    def legal(
        self, state: Any, seat: int, refuse: Callable[..., int], piece: int | None = None
    ) -> Iterator[Action]:
        """The actions a seat may take, of one piece or of all: the numbered choices that no rule forbids."""
        chosen = range(self.pieces(state)) if piece is None else (piece,)
        for each in chosen:
            if not self.is_idle(state, seat, each):
                rows = (self.choice(state, each, option) for option in range(self.option_count(state)))
                yield from (
                    self.unpack(row) for row in rows if row[0] >= 0 and refuse(state, seat, *row) == 0
                )


@cache
def _with_seats(game: Game, names: tuple[str, ...]) -> Game:
    return replace(game, seats=names)


def _values(hint: Any) -> Sequence[int]:
    """The values that a field of an action can have: members of an enumeration, or all within its limits."""
    base = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    meta = next((part for part in get_args(hint) if isinstance(part, msgspec.Meta)), msgspec.Meta())
    if base is bool:
        return range(2)
    if issubclass(base, IntEnum):
        return sorted(int(member) for member in base)
    low, high = -LARGEST if meta.ge is None else int(meta.ge), LARGEST if meta.le is None else int(meta.le)
    return range(low, high + 1)


def _tag(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)


@cache
def _union(kinds: tuple[Any, ...]) -> Any:
    made = kinds[0]
    for kind in kinds[1:]:
        made = made | kind
    return made


@cache
def _hints(kind: type[Action]) -> Mapping[str, Any]:
    return get_type_hints(kind)


@cache
def _enums(kind: type[Action]) -> Mapping[str, type[IntEnum]]:
    """The fields of an action that are values of an enumeration."""
    return {
        name: hint
        for name, hint in _hints(kind).items()
        if isinstance(hint, type) and issubclass(hint, IntEnum)
    }


def _by_number(values: Mapping[str, Any], enums: Mapping[str, type[IntEnum]]) -> dict[str, Any]:
    made = dict(values)
    for name, enum in enums.items():
        if isinstance(said := made.get(name), str):
            if said.upper() not in enum.__members__:
                raise ValueError(
                    f"{said!r} is not one of {', '.join(n.lower() for n in enum.__members__)} - at `$.{name}`"
                )
            made[name] = enum[said.upper()].value
    return made


# --- settings -----------------------------------------------------------------------------------------------


class Setting(NamedTuple):
    """One setting, for help texts: what it is called, what it can be, what it is if nobody says."""

    name: str
    choices: str
    default: str
    help: str


def settings_from(kind: type[Settings], values: Mapping[str, Any], title: str) -> Settings:
    """Settings from values that may be texts, as a command line has them."""
    hints = get_type_hints(kind, include_extras=True)
    for name in values:
        if name not in hints:
            raise SettingsError(f"{title} has no setting {name!r}; it has {', '.join(hints)}.")
    ready = {name: _setting_value(name, value, hints[name]) for name, value in values.items()}
    try:
        return msgspec.convert(ready, kind)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{str(error).rstrip('.')}.") from None
    except ValueError as error:
        raise SettingsError(str(error)) from None


def _setting_value(name: str, value: Any, hint: Any) -> Any:
    base = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    choices = _choices(hint)
    if issubclass(base, IntEnum):
        text = value.name if isinstance(value, IntEnum) else str(value)
        if text.upper() not in base.__members__:
            raise SettingsError(f"{name} is {choices}, and {value!r} is none of these.")
        return base[text.upper()].value
    if base is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if str(value).lower() not in words:
            raise SettingsError(f"{name} is {choices}, and {value!r} is neither.")
        return words[str(value).lower()]
    if base is str:
        return _text(name, value, hint, choices)
    return _whole_number(name, value, hint, choices)


def _text(name: str, value: Any, hint: Any, choices: str) -> str:
    if not isinstance(value, str):
        raise SettingsError(f"{name} is {choices}, and {value!r} is no text.")
    if len(value) > get_args(hint)[1].max_length:
        raise SettingsError(f"{name} is {choices}, and this has {len(value)}.")
    return value


def _whole_number(name: str, value: Any, hint: Any, choices: str) -> int:
    meta = get_args(hint)[1]
    try:
        number = int(str(value))
    except ValueError:
        raise SettingsError(f"{name} is {choices}, and {value!r} is no whole number.") from None
    if not meta.ge <= number <= meta.le:
        raise SettingsError(f"{name} is {choices}, and {number} is not.")
    return number


def _choices(hint: Any) -> str:
    base = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if base is bool:
        return "true or false"
    if issubclass(base, IntEnum):
        return " or ".join(name.lower() for name in base.__members__)
    meta = get_args(hint)[1]
    if base is str:
        return f"a text of at most {meta.max_length} characters"
    return f"a whole number from {meta.ge} to {meta.le}"


def describe_settings(kind: type[Settings]) -> list[Setting]:
    """Every setting with its choices, default and help."""
    made = []
    defaults = settings_to_json(kind())
    for name, hint in get_type_hints(kind, include_extras=True).items():
        meta = next((part for part in get_args(hint) if isinstance(part, msgspec.Meta)), None)
        made.append(
            Setting(name, _choices(hint), str(defaults[name]), (meta.description if meta else None) or "")
        )
    return made


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """The settings as a dictionary, values of enumerations by name."""
    values = {name: getattr(settings, name) for name in settings.__struct_fields__}
    return {name: v.name.lower() if isinstance(v, IntEnum) else v for name, v in values.items()}
