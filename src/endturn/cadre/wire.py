"""The Cadre wire: how the games of the original servers look to their clients and in their gamelogs.

The state is one dictionary: the game's attributes, among them `gameObjects`, which has all objects by id.
Elsewhere an object is a reference, {"id": "7"}. Here lists are lists; on the wire they are dictionaries with
their length under `&LEN`, and what has gone is marked `&RM`: `merge` reads that, `changes` writes it.

A game says in a table, `Dialect`, what it adds: which objects it has, what clients can run, why it ended.
`wire`, `understand` and the rest do what all these games share. There were two servers, told apart by their
era: "2017" and "2022".
"""

import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec

from endturn.engine.actions import Action
from endturn.engine.answers import Malformed

Era = Literal["2017", "2022"]
Wire = dict[str, Any]

REMOVED, LENGTH = "&RM", "&LEN"
LONGEST_LIST = 1 << 20
LARGEST_FILE = 1 << 28
LONGEST_NOTE = 16384  # characters in a log message, 2022
INT_LIMIT = 1 << 31
ABSENT, NESTED = object(), (dict, list)
PLAIN_KINDS = {"boolean", "int", "string"}  # of arguments; all others are classes of objects


class BadCadreLog(ValueError):
    """A file that is no gamelog of the original servers, or a damaged one; the message is one sentence."""


# --- the table ----------------------------------------------------------------------------------------------


class Argument(NamedTuple):
    """One argument of a function."""

    name: str
    kind: str  # "boolean", "int", "string", or the class that an object must be of
    default: Any = None
    choices: tuple[str, ...] = ()  # of a string, whatever its case; the 2017 server left this to the game


class Function(NamedTuple):
    """What clients can run on objects of a class."""

    arguments: tuple[Argument, ...]
    action: Callable[..., "Action | Note | Malformed"]  # (state, id of the caller, *arguments)
    returns: Callable[[Any, Any, Era], Any]  # (state before, action, era): the answer when it is played
    refused: Any  # the answer when it is not; 2017: nothing


class Verdict(NamedTuple):
    """Who won, in the words of the original server."""

    winner: int
    won: str
    lost: str
    coin: bool = False  # whether chance decided; the original's dice are not ours


class Column(NamedTuple):
    """A column of a state whose entries are an attribute of objects, one each: a number, or true and false."""

    name: str  # of the attribute
    first: int  # the number of the object that shows the first entry
    is_flag: bool = False


class Unused(NamedTuple):
    """A setting that the original servers took, showed and never looked at."""

    default: int
    official: str | None = None  # the setting of ours that it is by the official rules


class Dialect(NamedTuple):
    """A game on the Cadre wire."""

    name: str
    aliases: tuple[str, ...]
    version: str  # what clients compare with theirs
    settings: Mapping[str, str]  # names of settings, and of the game's attributes -> our settings
    parents: Mapping[str, str]  # class -> the class it inherits from, where there is one
    functions: Mapping[tuple[str, str], Function]  # by class and name
    read: Callable[[Wire, Any], Any]  # (first state, settings) -> our state; ValueError says what is wrong
    write: Callable[[Any, Era], Wire]  # our state -> the game's own attributes and objects
    verdict: Callable[[Any, Era], Verdict | None]
    end_turn: Action  # runTurn returned true
    again: Mapping[Era, Action]  # runTurn returned false, where that does something; before turn 0 too
    # Where objects come and go, a state alone does not say all: the ids of those there are, what those gone
    # were like. Such a game writes what follows on what was on the wire before (state, era, before, whether a
    # turn has ended or begun since), and says which of ours an id is (state, objects on the wire, id).
    carry_on: Callable[[Any, Era, Wire, bool], Wire] | None = None
    number: Callable[[Any, Mapping[str, Wire], str], int] | None = None
    # For a match that is served: columns that are shown as they are, what else may have changed on the wire (state,
    # era, what is on it, since when), and an action as a client would run it (state, objects on the wire, action).
    columns: Mapping[str, Column] = {}
    news: "Callable[[Any, Era, Wire, Since], Iterable[News]] | None" = None
    run_of: "Callable[[Any, Mapping[str, Wire], Action], Run] | None" = None
    # What gives the id of a thing that refusals call by our number (state, objects on the wire, as they change); left
    # out: they keep ours.
    called: Callable[[Any, Mapping[str, Wire]], Callable[[int], str]] | None = None
    # More settings: fractions on the wire that are hundredths here, names that only the server of 2017 had, and those
    # that did nothing.
    percents: Mapping[str, str] = {}
    of_2017: Mapping[str, str] = {}
    unused: Mapping[str, Unused] = {}


News = tuple[str | None, str, Any]  # the object's id, or None for the game; an attribute; its value now:
# a number, a text, a list or a reference, which is told whole


class Since(msgspec.Struct):
    """What has happened to a state since it was last written on the wire."""

    dirty: Mapping[str, Sequence[int]] | None  # which entries of which columns differ; None: look at all
    settled: bool  # whether a turn has ended or begun
    kept: dict[str, Any]  # the game's own notes, from one time to the next


class Session(NamedTuple):
    """What the wire shows that no game knows of."""

    id: str
    names: tuple[str, ...]
    client_types: tuple[str, ...]
    clocks: list[float]  # ns, by seat
    time_added: int  # ns a turn
    notes: dict[str, list[str]]  # object id -> messages that clients logged to it
    unused: Mapping[str, Any] = {}  # settings that do nothing, as they were chosen


def carried(text: str) -> str:
    """A text as the wire can carry it: every client would take the mark for what has gone as just that."""
    return "& RM" if text == REMOVED else text


# --- a whole state ------------------------------------------------------------------------------------------


@cache
def id_of(number: int) -> str:
    """The id of the object with this number. The same text in all sessions, so that it is near when it is looked up."""
    return str(number)


@cache
def ids_from(first: int, many: int) -> tuple[str, ...]:
    """The ids of so many objects, one after the other."""
    return tuple(id_of(first + number) for number in range(many))


@cache
def reference(number: int) -> Wire:
    """The object with this number as others mention it. Shared: change nothing in it."""
    return {"id": id_of(number)}


def wire(
    dialect: Dialect,
    state: Any,
    era: Era,
    session: Session,
    verdict: Verdict | None,
    before: Wire | None = None,
    settled: bool = False,
) -> Wire:
    """The complete state as clients see it, after what they saw before, if anything."""
    if before is None or dialect.carry_on is None:
        made = dialect.write(state, era)
    else:
        made = dialect.carry_on(state, era, before, settled)
    made["players"] = [reference(seat) for seat in range(len(session.names))]
    made["session"] = session.id
    made |= {name: value for name, value in session.unused.items() if name in made}
    if era == "2022":
        made["timeAddedPerTurn"] = session.time_added
    objects = made["gameObjects"]
    for seat in range(len(session.names)):
        objects[str(seat)] = {**objects[str(seat)], **player_part(seat, session, verdict)}
    for number, each in objects.items():
        each["logs"] = session.notes.get(number, [])
    return made


def player_part(seat: int, session: Session, verdict: Verdict | None) -> Wire:
    """What every game shows of a player."""
    won = verdict is not None and verdict.winner == seat
    lost = verdict is not None and verdict.winner != seat
    return {
        "clientType": session.client_types[seat],
        "lost": lost,
        "name": session.names[seat],
        "opponent": reference(1 - seat),
        "reasonLost": verdict.lost if verdict and lost else "",
        "reasonWon": verdict.won if verdict and won else "",
        "timeRemaining": session.clocks[seat],
        "won": won,
        "gameObjectName": "Player",
        "id": id_of(seat),
    }


def session_of(state: Wire) -> Session:
    """What a complete state says beside the game."""
    players = players_of(state)
    if state["players"] != [reference(0), reference(1)]:
        raise ValueError("its players are not two, numbered 0 and 1")
    return Session(
        state["session"],
        tuple(player["name"] for player in players),
        tuple(player["clientType"] for player in players),
        [player["timeRemaining"] for player in players],
        state.get("timeAddedPerTurn", 0),
        {number: list(each["logs"]) for number, each in state["gameObjects"].items() if each["logs"]},
    )


def players_of(state: Wire) -> list[Wire]:
    """The player objects of a state, by seat; ValueError where it has lost them."""
    try:
        players = [state["gameObjects"][each["id"]] for each in state["players"]]
    except (KeyError, TypeError):
        players = []
    if not players or not all(isinstance(player, dict) for player in players):
        raise ValueError("its players are missing")
    return players


def left(era: Era, winner: int, timed_out: bool) -> Verdict:
    """The verdict when a player's time or connection has ended."""
    lost = "Timed out during gameplay." if timed_out and era == "2017" else "Disconnected during gameplay."
    return Verdict(winner, f"All other players {'timed out' if timed_out else 'disconnected'}.", lost)


def leaver(state: Wire) -> tuple[int, str] | None:
    """Who has left, and whether "timed out" or "disconnected", if a state says that someone has."""
    players = players_of(state)
    reasons = [str(player.get("reasonLost")) + str(player.get("reasonWon")) for player in players]
    for seat, player in enumerate(players):
        if player.get("lost") and " during gameplay." in reasons[seat]:
            return seat, "timed out" if "imed out" in "".join(reasons) else "disconnected"
    return None


# --- changes ------------------------------------------------------------------------------------------------


def merge(before: Any, delta: Any) -> Any:
    """The value after a change; dictionaries and lists of the one before are altered, not copied."""
    if not isinstance(delta, dict):
        return delta
    if LENGTH in delta:
        return _merge_list(before if isinstance(before, list) else [], delta)
    after: Wire = before if isinstance(before, dict) else {}
    for key, change in delta.items():
        if change == REMOVED:
            after.pop(key, None)  # the 2022 server also names what its state never had
        else:
            after[key] = merge(after.get(key), change)
    return after


def _merge_list(items: list[Any], delta: Wire) -> list[Any]:
    length = delta[LENGTH]
    if type(length) is not int or not 0 <= length <= LONGEST_LIST:
        raise ValueError(f"a list cannot be {length!r} long")
    del items[length:]
    items.extend([None] * (length - len(items)))
    for key, change in delta.items():
        if key != LENGTH and change != REMOVED and int(key) < length:
            items[int(key)] = merge(items[int(key)], change)
    return items


def changes(before: Any, after: Any) -> Any:
    """The delta that `merge` makes `after` of `before` with; of None, the complete first one."""
    if isinstance(after, list):
        old = before if isinstance(before, list) else []
        made = {str(i): changes(_item(old, i), x) for i, x in enumerate(after) if _item(old, i, ABSENT) != x}
        gone = {str(i): REMOVED for i in range(len(after), len(old))}
        return {**made, **gone, LENGTH: len(after)}
    if not isinstance(after, dict):
        return after
    known = before if isinstance(before, dict) else {}
    made = {k: changes(known.get(k), x) for k, x in after.items() if k not in known or known[k] != x}
    return {**made, **{key: REMOVED for key in known if key not in after}}


def tell(shown: Wire, news: Iterable[News], told: Wire | None = None) -> Wire:
    """Put news on the wire; the delta of what was different, with what has been told of objects already.

    An object not known yet is new.
    """
    objects: dict[str, Wire] = shown["gameObjects"]
    delta: Wire = {}
    told = {} if told is None else told
    for where, name, value in news:
        there = shown if where is None else objects.get(where)
        if there is None:
            assert where is not None
            there = objects[where] = {"logs": []}
            told[where] = {"logs": {LENGTH: 0}}
        old = there.get(name, ABSENT)
        if old is value or old == value:
            continue
        there[name] = value
        if type(value) is list:
            value = changes(None if old is ABSENT else old, value)
        if where is None:
            delta[name] = value
        elif (said := told.get(where)) is not None:
            said[name] = value
        else:
            told[where] = {name: value}
    if told:
        delta["gameObjects"] = told
    return delta


def _item(items: Sequence[Any], index: int, missing: Any = None) -> Any:
    return items[index] if index < len(items) else missing


# --- what clients send --------------------------------------------------------------------------------------


class Run(msgspec.Struct, rename="camel", gc=False):
    """A client's wish to run a function of an object."""

    caller: Any = msgspec.UNSET
    function_name: str = ""
    args: Any = msgspec.UNSET


class Note(NamedTuple):
    """A message that a client logs to an object; no action of any game."""

    to: str
    message: str


class Wish(NamedTuple):
    """What a client wants, and what it is answered when that is played, and when it is refused."""

    said: Action | Note | Malformed
    returned: Any = None
    refused: Any = None


def understand(dialect: Dialect, objects: Mapping[str, Wire], state: Any, era: Era, run: Run) -> Wish:
    """The action that a client means; Malformed where its arguments cannot be one."""
    caller = found(run.caller, objects)
    if caller is None:
        return Wish(Malformed(f"There is no object {run.caller!r:.50} to run {run.function_name:.50} of."))
    kind, number = caller["gameObjectName"], caller["id"]
    function = function_of(dialect, kind, run.function_name)
    if function is None:
        return Wish(Malformed(f"{kind} #{number} has no function {run.function_name:.50}."))
    said = meant(dialect, objects, state, era, run, number, function)
    returned = None if isinstance(said, Malformed) else function.returns(state, said, era)
    return Wish(said, returned, function.refused if era == "2022" else None)


def function_of(dialect: Dialect, kind: str, name: str) -> Function | None:
    """What clients can run on an object of a class by this name, if anything."""
    return LOG if name == "log" else dialect.functions.get((kind, name))


def meant(
    dialect: Dialect,
    objects: Mapping[str, Wire],
    state: Any,
    era: Era,
    run: Run,
    caller: str,
    function: Function,
) -> Action | Note | Malformed:
    """The action that a client means whose caller and function are known."""
    sent = run.args if type(run.args) is dict else {}
    number = None if function is LOG else dialect.number
    values: list[Any] = [caller if number is None else number(state, objects, caller)]
    for name, kind, default, choices in function.arguments:
        value = sent.get(name, default)
        if era == "2017" and not value and not isinstance(value, NESTED):
            value = default  # that server took whatever is falsy for missing
        try:
            if kind in PLAIN_KINDS:
                value = _plain(value, kind, choices, era)
            else:
                value = _object(dialect, kind, value, objects)
                value = value if number is None else number(state, objects, value)
        except ValueError as error:
            said = f"{objects[caller]['gameObjectName']}.{run.function_name}()'s '{name}' arg was sent"
            return Malformed(f"{said} {_shown(sent.get(name, default), objects)} - it {error}.")
        values.append(value)
    return function.action(state, *values)


LOG = Function(
    (Argument("message", "string", ""),),
    lambda state, caller, message: Note(caller, message),
    lambda state, action, era: None,
    None,
)


def note(session: Session, said: Note, era: Era, at_turn: bool) -> str | None:
    """Log a message to an object, or say why not. The 2017 server took any message at any time."""
    if era == "2022" and not at_turn:
        return "Messages can be logged only on one's own turn."
    if era == "2022" and len(said.message) > LONGEST_NOTE:
        return f"A message has at most {LONGEST_NOTE} characters, and this one has {len(said.message)}."
    session.notes[said.to] = [*session.notes.get(said.to, []), carried(said.message)]
    return None


def _shown(value: Any, objects: Mapping[str, Wire]) -> str:
    """What was sent, as the original server named it in its sentences."""
    named = found(value, objects)
    if named is None:
        return msgspec.json.encode(value).decode()[:50]
    name = f' "{named["name"]}"' if named["gameObjectName"] == "Player" else ""
    return f"{named['gameObjectName']}{name} #{named['id']}"


def _plain(value: Any, kind: str, choices: tuple[str, ...], era: Era) -> Any:
    if kind == "boolean":
        return truth(value, era)
    if kind == "int":
        return _whole(value, era)
    return _text(value, choices if era == "2022" else (), era)


def truth(value: Any, era: Era) -> bool:
    """A value that should be a boolean, as the servers take it; ValueError where that of 2022 refuses it."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower(), value != "")
    if isinstance(value, bool | int | float):
        return bool(value)
    if era == "2022":
        raise ValueError("must be true or false")
    return value is not None


def _whole(value: Any, era: Era) -> int:
    if type(value) is int and -INT_LIMIT <= value < INT_LIMIT:
        return value  # what nearly all clients send
    text = str(int(value)) if isinstance(value, float) else str(value)
    digits = re.match(r"\s*([+-]?\d+)", text)
    number = int(digits[1]) if digits else 0
    if era == "2022" and not -INT_LIMIT <= number < INT_LIMIT:
        raise ValueError("must fit 32 bits")
    return max(-INT_LIMIT, min(number, INT_LIMIT - 1))


def _text(value: Any, choices: tuple[str, ...], era: Era) -> str:
    if era == "2022" and isinstance(value, NESTED):
        raise ValueError("must be a text")
    said = "" if value is None else value if isinstance(value, str) else msgspec.json.encode(value).decode()
    if not choices or said in choices:
        return said
    chosen = next((choice for choice in choices if choice.lower() == said.lower()), None)
    if chosen is None:
        raise ValueError(f"must be one of {', '.join(choices)}")
    return chosen


def _object(dialect: Dialect, kind: str, value: Any, objects: Mapping[str, Wire]) -> str:
    named = found(value, objects)
    if named is None or not _inherits(dialect, named["gameObjectName"], kind):
        raise ValueError(f"must be a {kind}")
    said: str = named["id"]
    return said


def found(value: Any, objects: Mapping[str, Wire]) -> Wire | None:
    """The object that a reference names."""
    if type(value) is not dict or len(value) != 1 or "id" not in value:
        return None
    said = value["id"]
    return objects.get(said if isinstance(said, str) else f"{said!r:.20}")


def _inherits(dialect: Dialect, kind: str | None, wanted: str) -> bool:
    while kind is not None and kind != wanted:
        kind = dialect.parents.get(kind)
    return kind is not None


# --- gamelogs -----------------------------------------------------------------------------------------------


class Player(msgspec.Struct):
    """A reference to a player."""

    id: str


class Event(msgspec.Struct):
    """What caused a delta; which of these there are depends on its type."""

    player: Player | None = None
    run: Run | None = None
    order: Any = None
    returned: Any = msgspec.UNSET
    invalid: str | dict[str, Any] | None = None

    @property
    def refusal(self) -> str | None:
        """The original's sentence, if it refused."""
        return str(self.invalid.get("message")) if isinstance(self.invalid, dict) else self.invalid


class Delta(msgspec.Struct):
    """One entry of a gamelog: what happened, and what it changed."""

    type: Literal["start", "order", "ran", "finished", "disconnect", "over"]
    data: Event | None = None
    game: dict[str, Any] = {}

    @property
    def event(self) -> Event:
        """What caused it, empty where the entry says nothing."""
        return self.data or Event()


class Standing(msgspec.Struct):
    """A winner or a loser."""

    index: int
    reason: str


class CadreLog(msgspec.Struct, rename="camel"):
    """A gamelog of an original server."""

    game_name: str
    deltas: list[Delta]
    winners: list[Standing]
    losers: list[Standing]
    settings: dict[str, Any] = {}
    gamelog_version: str | None = None

    @property
    def era(self) -> Era:
        """Which of the servers wrote it: only the later one said so."""
        return "2017" if self.gamelog_version is None else "2022"


def read_log(data: bytes) -> CadreLog:
    """A gamelog from the bytes of a file, packed by gzip or not; BadCadreLog says what is wrong with it."""
    try:
        log = msgspec.json.decode(_unpacked(data), type=CadreLog)
    except (msgspec.MsgspecError, zlib.error, UnicodeDecodeError, RecursionError) as error:
        raise BadCadreLog(f"this is no gamelog of the original servers: {str(error)[:200]}.") from None
    if not log.deltas or log.deltas[0].type != "start":
        raise BadCadreLog("this gamelog does not begin with a start.")
    return log


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacker = zlib.decompressobj(wbits=31)  # 31: a gzip header
    text = unpacker.decompress(data, LARGEST_FILE)
    if not unpacker.eof:
        raise BadCadreLog("this file is cut off, or larger than any gamelog.")
    return text
