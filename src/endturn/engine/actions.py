"""Actions: the kinds a game has, and every form an action takes: a struct, JSON, or numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache, cached_property
from itertools import product
from math import prod
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from endturn.engine.answers import Malformed
from endturn.engine.rule import is_rule, takes_dice

WIDTH = 4  # most fields in an action
PADDING = (0,) * WIDTH
LARGEST = (1 << 31) - 1  # largest number in an action
MOST_CHOICES = 4096  # most values of one kind of action that the engine numbers by itself
RESERVED = {"do", "seat", "#"}  # keys of a gamelog line that are not fields of its action

Row = tuple[int, int, int, int, int]  # an action as numbers: verb, a, b, c, d


def _snake(name: str) -> str:
    """EndTurn becomes end_turn."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Action(msgspec.Struct, frozen=True, tag_field="do", tag=_snake, forbid_unknown_fields=True):
    """What a player asks to do. It has at most four fields: whole numbers, flags or values of an IntEnum."""


class Why(IntEnum):
    """Why a seat leaves."""

    RESIGNED = 0
    TIMED_OUT = 1
    DISCONNECTED = 2


class Leave(Action, frozen=True):
    """The seat leaves the match: it resigns, runs out of time, or loses its connection."""

    why: Why = Why.RESIGNED


def leaving(why: str) -> Leave:
    """The action of leaving. `why` is "resigned", "timed out" or "disconnected"."""
    return Leave(Why[why.upper().replace(" ", "_")])


class Rule(NamedTuple):
    """The rule for one kind of action: what it does, and which refusal it gets, if any."""

    refuse: Callable[..., int] | None
    apply: Callable[..., None]  # may roll dice only if its last argument is `dice`
    reveals: bool = False  # may show its seat a hidden fact, so it cannot be undone
    anytime: bool = False  # allowed for a seat that is not to act, as leaving is; never a random choice
    ends_turn: bool = False  # does the long work at the end of a turn; batches run that work side by side
    hidden: bool = False  # other seats do not learn of it until the match is over


class Actions(Mapping[type[Action], Rule]):
    """All kinds of actions of a game, each with its rule. An action's verb is its place in this table."""

    def __init__(self, rules: Mapping[type[Action], Rule], order: Sequence[type[Action]] = ()) -> None:
        if order and set(order) != set(rules):
            names = sorted(kind.__name__ for kind in set(order) ^ set(rules))
            raise TypeError(f"The table and the order of actions differ in {', '.join(names)}.")
        self._rules = {kind: rules[kind] for kind in order or rules}
        for kind, rule in self._rules.items():
            _check(kind, rule)

    def __getitem__(self, kind: type[Action]) -> Rule:
        """The rule for a kind of action."""
        return self._rules[kind]

    def __iter__(self) -> Iterator[type[Action]]:
        """The kinds in the order of their verbs."""
        return iter(self._rules)

    def __len__(self) -> int:
        """How many kinds there are."""
        return len(self._rules)

    # --- facts about kinds ---

    @cached_property
    def verbs(self) -> dict[type[Action], int]:
        """The number of each kind."""
        return {kind: verb for verb, kind in enumerate(self)}

    def limits(self, kind: type[Action]) -> list[tuple[int, int]]:
        """The least and the greatest value of each field."""
        return [(values[0], values[-1]) for values in _ranges(kind)]

    def can_be_undone(self, kind: type[Action]) -> bool:
        """Whether undoing it teaches nobody anything: it rolls no dice and shows no hidden fact."""
        rule = self[kind]
        return not (takes_dice(rule.apply) or rule.reveals or rule.anytime or rule.hidden)

    @cached_property
    def any_hidden(self) -> bool:
        """Whether a seat can act without the other seats noticing."""
        return bool(self._hidden)

    def is_hidden(self, tag: str) -> bool:
        """Whether other seats do not learn of actions with this name."""
        return tag in self._hidden

    @cached_property
    def _hidden(self) -> frozenset[str]:
        return frozenset(_tag(kind) for kind, rule in self.items() if rule.hidden)

    @cached_property
    def _kinds(self) -> dict[str, type[Action]]:
        return {_tag(kind): kind for kind in self}

    @cached_property
    def _order(self) -> list[type[Action]]:
        return list(self)

    # --- JSON ---

    def parse(self, said: object) -> Action | Malformed:
        """An action from JSON text, a dictionary or a struct. Malformed names the place of the mistake."""
        if isinstance(said, Action) and self.row_of(said) is not None:
            return said  # programs of our own send valid structs, so this is the fast path
        try:
            if isinstance(said, Action):
                said = msgspec.to_builtins(said)
            elif isinstance(said, bytes | str):
                said = msgspec.json.decode(said)
            made = self._converted(said)
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
            return Malformed(f"Not an action: {str(error)[:300]}. The actions are {', '.join(self._kinds)}.")
        for name in made.__struct_fields__:
            if not -LARGEST <= getattr(made, name) <= LARGEST:
                return Malformed(f"Numbers must be between -{LARGEST} and {LARGEST} - at `$.{name}`")
        return made

    def parse_all(self, said: Sequence[object]) -> list[Action] | None:
        """`parse` for many dictionaries at once, which is much faster. None if any of them is malformed."""
        kinds: Any = list[_union(tuple(self))]  # type: ignore[misc]
        try:
            made: list[Action] = msgspec.convert([self._numbered(each) for each in said], kinds)
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
            return None
        numbers = (number for action in made for number in msgspec.structs.astuple(action))
        return made if all(-LARGEST <= number <= LARGEST for number in numbers) else None

    def to_json(self, action: Action) -> dict[str, Any]:
        """The action as a dictionary. Enumeration values appear by name."""
        said = {"do": _tag(type(action))}
        for name in action.__struct_fields__:
            value = getattr(action, name)
            said[name] = value.name.lower() if isinstance(value, IntEnum) else value
        return said

    def _converted(self, said: Any) -> Action:
        # msgspec caches how to convert to one kind, but works out a union again on every call. The union is
        # only for its error message.
        wanted: Any = self._kind(said) or _union(tuple(self))
        made: Action = msgspec.convert(self._numbered(said), wanted)
        return made

    def _kind(self, said: Any) -> type[Action] | None:
        tag = said.get("do") if isinstance(said, dict) else None
        return self._kinds.get(tag) if isinstance(tag, str) else None

    def _numbered(self, said: Any) -> Any:
        """The dictionary with enumeration names replaced by numbers; anything else unchanged."""
        kind = self._kind(said)
        return said if kind is None else _by_number(said, _enums(kind))

    # --- numbers ---

    def pack(self, action: Action) -> Row:
        """The action as numbers."""
        a, b, c, d, *_ = (*map(int, msgspec.structs.astuple(action)), *PADDING)
        return self.verbs[type(action)], a, b, c, d

    def unpack(self, row: Sequence[int]) -> Action:
        """The action that these numbers stand for."""
        kind = self._order[row[0]]
        hints = _hints(kind)
        return kind(
            *(hints[name](value) for name, value in zip(kind.__struct_fields__, row[1:], strict=False))
        )

    def row_of(self, said: object) -> Sequence[int] | None:
        """A valid struct as numbers. None if it is not an action or a value has the wrong type or size."""
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

    def all_rows(self) -> Iterator[Row]:
        """Every action with every value that its fields can have."""
        for verb, (kind, rule) in enumerate(self.items()):
            if not rule.anytime:
                ranges = _ranges(kind)
                if prod(map(len, ranges)) > MOST_CHOICES:
                    raise TypeError(
                        f"{kind.__name__} has more than {MOST_CHOICES} values. "
                        "Give its fields limits (ge=, le=), or the game an action_of."
                    )
                for values in product(*ranges):
                    a, b, c, d = (*values, *PADDING[len(values) :])
                    yield verb, a, b, c, d

    @cached_property
    def _fields(self) -> dict[type, tuple[int, list[tuple[str, Any, int, int]], tuple[int, ...]]]:
        """For each kind: its verb; name, type, least and greatest value of each field; the padding of its row."""
        return {
            kind: (verb, self._limited(kind), PADDING[len(kind.__struct_fields__) :])
            for verb, kind in enumerate(self)
        }

    def _limited(self, kind: type[Action]) -> list[tuple[str, Any, int, int]]:
        named = zip(kind.__struct_fields__, self.limits(kind), strict=True)
        return [(name, _hints(kind)[name], low, high) for name, (low, high) in named]


def _check(kind: type[Action], rule: Rule) -> None:
    if len(kind.__struct_fields__) > WIDTH:
        raise TypeError(f"{kind.__name__} has more than {WIDTH} fields.")
    if RESERVED & set(kind.__struct_fields__):
        raise TypeError(f"{kind.__name__} has a field with a reserved name: {', '.join(sorted(RESERVED))}.")
    for part in rule.refuse, rule.apply:
        if part is not None and not is_rule(part):
            raise TypeError(f"{part.__qualname__} is not marked with @rule.")


def _ranges(kind: type[Action]) -> list[Sequence[int]]:
    hints = get_type_hints(kind, include_extras=True)
    return [_values(hints[name]) for name in kind.__struct_fields__]


def _values(hint: Any) -> Sequence[int]:
    """The values of a field: the members of an enumeration, or every number within its limits."""
    kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    meta = next((part for part in get_args(hint) if isinstance(part, msgspec.Meta)), msgspec.Meta())
    if kind is bool:
        return range(2)
    if issubclass(kind, IntEnum):
        return sorted(int(member) for member in kind)
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
