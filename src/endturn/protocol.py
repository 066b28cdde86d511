"""Every message of our own protocol, as a typed struct. The TypeScript types are generated from this file.

Over HTTP, requests and answers are structs. On a match's WebSocket, the client first sends `Join` and receives
`Welcome`. Each later request has a number `ask`, which the client chooses and the answer repeats. In between, the
server sends events. Every message is a JSON object whose `type` names its kind.

A view is what a seat may know of a match. `Happened` contains the change of the view since the last message, in the
format of `engine.delta`.
"""

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import inspect as types

NAME_LENGTH, CHAT_LENGTH, ACCOUNT_LENGTH = 80, 500, 24
LARGEST_MESSAGE = 16384  # bytes in one message from a client

Name = Annotated[str, msgspec.Meta(max_length=NAME_LENGTH)]
Status = Literal["open", "running", "over", "failed"]


class BadMessage(ValueError):
    """Not a message of this protocol. The error names the bad field."""


# --- over HTTP ----------------------------------------------------------------------------------------------


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who gets a seat: the requesting client, the person with the link, or a bot."""

    kind: Literal["me", "link", "bot"] = "link"
    name: Name = ""
    bot: Name | None = None


class ClockWish(msgspec.Struct, forbid_unknown_fields=True):
    """The clock of a new match; see `server.clock.Timing`."""

    kind: Literal["none", "bank", "move", "turn", "deadline"] = "none"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=31622400)] = 600.0
    increment: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    over: Literal["forfeit", "default"] = "forfeit"


class NewMatch(msgspec.Struct, forbid_unknown_fields=True):
    """A request for a new match."""

    game: Name
    seats: list[SeatWish] = []
    settings: dict[str, Any] = {}
    profile: Name | None = None
    clock: ClockWish = msgspec.field(default_factory=ClockWish)
    public: bool = True
    seed: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{1,16}$")] | None = (
        None  # hexadecimal; random if missing
    )
    position: Annotated[str, msgspec.Meta(max_length=60000)] | None = (
        None  # the first position, in the game's notation
    )
    # or start from a finished match, after this many of its actions
    from_match: Name | None = None
    from_action: Annotated[int, msgspec.Meta(ge=0)] | None = None


class SeatInfo(msgspec.Struct):
    """A seat and its player."""

    seat: int
    kind: Literal["person", "link", "bot"]
    name: str
    taken: bool
    bot: str | None = None
    present: bool = False
    side: str = ""  # such as White


class MatchInfo(msgspec.Struct):
    """Public facts about a match."""

    id: str
    game: str
    title: str
    status: Status
    seats: list[SeatInfo]
    settings: dict[str, Any]
    clock: ClockWish
    created_at: int  # milliseconds since 1970
    changed_at: int
    outcome: dict[str, Any] | None = None
    seed: str | None = None  # only when the match is over or was stopped


class SeatToken(msgspec.Struct):
    """A token that opens a seat. The server sends it once."""

    seat: int
    token: str


class Created(msgspec.Struct):
    """A new match, with tokens for your own seats and for links."""

    match: MatchInfo
    tokens: list[SeatToken]


class TakeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A request for an open seat. A client that chooses its own token can safely repeat the request."""

    name: Name = ""
    seat: int | None = None
    token: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{32,64}$")] | None = None  # random if missing


class SettingInfo(msgspec.Struct):
    """A setting, its meaning and its limits."""

    name: str
    kind: Literal["number", "flag", "choice", "text"]
    default: Any
    help: str
    low: int | None = None
    high: int | None = None  # of a number, or the number of characters of a text
    choices: list[str] = []


class GameInfo(msgspec.Struct):
    """A game."""

    name: str
    title: str
    summary: str
    version: int
    seats: list[str]
    settings: list[SettingInfo]
    profiles: dict[str, dict[str, Any]]
    bots: list[str]


class Result(msgspec.Struct):
    """The outcome of a match for each seat."""

    match: str
    game: str
    at: int
    names: list[str]
    places: list[int]
    reasons: list[str]


class GameList(msgspec.Struct):
    """All games."""

    games: list[GameInfo]


class MatchList(msgspec.Struct):
    """Public matches, most recently changed first."""

    matches: list[MatchInfo]


class ResultList(msgspec.Struct):
    """Results of public matches, newest first."""

    results: list[Result]


class Verification(msgspec.Struct):
    """Whether the gamelog of a finished match is valid. The counts leave out actions that were undone."""

    verified: bool
    reason: str | None = None
    actions: int | None = None
    turns: int | None = None


class TurnMark(msgspec.Struct):
    """A turn, and the number of replay steps before it."""

    turn: int
    step: int


class Health(msgspec.Struct):
    """The state of the server."""

    status: Literal["ok", "archive down"]
    version: str
    matches: int  # live matches
    watching: int  # sockets
    reason: str | None = None  # why the archive is down


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """A name and a password."""

    name: Annotated[str, msgspec.Meta(min_length=2, max_length=ACCOUNT_LENGTH)]
    password: Annotated[str, msgspec.Meta(min_length=8, max_length=200)]


class LoggedIn(msgspec.Struct):
    """A key for an account, to send as `Authorization: Bearer`. The server sends it once."""

    name: str
    key: str
    expires_at: int


class AccountInfo(msgspec.Struct):
    """An account."""

    name: str


class Stop(msgspec.Struct, forbid_unknown_fields=True):
    """An admin's request to stop a match, with the reason."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=CHAT_LENGTH)] = "An admin stopped the match."


class Problem(msgspec.Struct):
    """Why a request failed: a sentence, and the id of the rule."""

    reason: str
    rule: str


# --- on the WebSocket: messages from clients ---------------------------------------------------------------------


class Join(msgspec.Struct, tag="join", forbid_unknown_fields=True):
    """The first message. Send a seat's token to play, or none to watch; `since` is the last event you know."""

    token: Name | None = None
    since: Annotated[int, msgspec.Meta(ge=0)] = 0


class Act(msgspec.Struct, tag="act", forbid_unknown_fields=True):
    """Play an action."""

    ask: int
    action: Any


class Undo(msgspec.Struct, tag="undo", forbid_unknown_fields=True):
    """Take your last action back."""

    ask: int


class Legal(msgspec.Struct, tag="legal", forbid_unknown_fields=True):
    """Ask for your legal actions, of one piece or of all."""

    ask: int
    piece: int | None = None


class Ready(msgspec.Struct, tag="ready", forbid_unknown_fields=True):
    """Ask which of your pieces have a legal action; listing all their actions can be slow."""

    ask: int


class Preview(msgspec.Struct, tag="preview", forbid_unknown_fields=True):
    """Ask what an action would do, as far as your seat may know."""

    ask: int
    action: Any


class Chat(msgspec.Struct, tag="chat", forbid_unknown_fields=True):
    """Send a message to everyone in the match."""

    ask: int
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=CHAT_LENGTH)]


class Resign(msgspec.Struct, tag="resign", forbid_unknown_fields=True):
    """Resign."""

    ask: int


class Pause(msgspec.Struct, tag="pause", forbid_unknown_fields=True):
    """Pause or resume the clocks."""

    ask: int
    on: bool


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Ask the server to answer."""

    ask: int


Said = Join | Act | Undo | Legal | Ready | Preview | Chat | Resign | Pause | Ping


# --- on the WebSocket: messages from the server -------------------------------------------------------------------


class Event(msgspec.Struct):
    """Something that happened in the match and that this client may know of."""

    number: int  # from 1
    kind: Literal["act", "undo", "chat", "pause", "resume"]
    at: int
    seat: int | None = None
    action: dict[str, Any] | None = None
    text: str | None = None
    turn: int | None = None


class ReplayStep(msgspec.Struct):
    """One step of a replay: an event, its change of the view, and the number of actions and undos so far."""

    event: Event
    change: Any
    played: int


class ReplayPart(msgspec.Struct):
    """A part of a finished match: the view after `first` steps, later steps, and the start of each turn."""

    match: MatchInfo
    first: int
    view: dict[str, Any]
    steps: list[ReplayStep]
    total: int  # steps in the whole match
    turns: list[TurnMark]


class Clocks(msgspec.Struct):
    """The clocks: milliseconds left for each seat (null without a limit), and the seats whose clock runs."""

    left: list[float | None]
    running: list[int]
    paused: bool = False


class Now(msgspec.Struct):
    """The current turn, clocks and status of a match."""

    turn: int
    to_act: list[int]
    clocks: Clocks
    status: Status
    outcome: dict[str, Any] | None = None


class Welcome(msgspec.Struct, tag="welcome"):
    """The answer to `Join`: the client's view, and the events after `since`.

    It contains at most the last few hundred events. If the first one is not number `since + 1`, events are missing.
    """

    match: MatchInfo
    seat: int | None
    view: dict[str, Any]
    events: list[Event]
    known: int  # number of events so far
    now: Now


class Happened(msgspec.Struct, tag="happened"):
    """An event, its change of the view, and the current state of the match.

    `event` is null if the client may see the change but not the action that caused it, and when a match starts
    because its last seat was taken; then `now.status` is "running".
    """

    event: Event | None
    change: Any
    now: Now


class Presence(msgspec.Struct, tag="presence"):
    """Who is connected: the seats with their players' names, and the number of spectators."""

    seats: list[SeatInfo]
    watching: int


class Done(msgspec.Struct, tag="done"):
    """The request succeeded; `answer` is its result."""

    ask: int
    answer: Any = None


class Refused(msgspec.Struct, tag="refused"):
    """The request broke a rule, or is not possible now."""

    ask: int
    rule: str
    reason: str


class MalformedMessage(msgspec.Struct, tag="malformed"):
    """The message has the wrong shape. The reason names the bad field."""

    reason: str
    ask: int | None = None
    rule: str = "malformed"


class Failed(msgspec.Struct, tag="failed"):
    """The match was stopped, with the reason."""

    reason: str


Told = Welcome | Happened | Presence | Done | Refused | MalformedMessage | Failed

_said = msgspec.json.Decoder(Said)
encode = msgspec.json.Encoder().encode


def decode(text: bytes | str) -> Said:
    """Decode a client's message. Raises BadMessage."""
    return _decoded(_said, text)  # type: ignore[no-any-return]


class _Numbered(msgspec.Struct):
    ask: int | None = None


_numbered = msgspec.json.Decoder(_Numbered)


def ask_in(text: bytes | str) -> int | None:
    """The number `ask` in a malformed message, if it has one."""
    try:
        return _numbered.decode(text).ask
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _decoded(decoder: Any, text: bytes | str) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(complaint(error, decoder.type)) from None


# --- errors in messages ---------------------------------------------------------------------

_PLACE = re.compile(r"Invalid (?:enum )?value .* - at `\$(.*)`$", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[")  # a field, or an element of a list


def complaint(error: Exception, kind: Any) -> str:
    """What is wrong with a message that should be of a kind. Lists the allowed words if the bad field has some."""
    said = str(error)
    if said == "Input data was truncated":
        return "The message is empty or cut off. Send a JSON object."
    place = _PLACE.search(said)
    known = _words_at(types.type_info(kind), _STEP.findall(place.group(1))) if place else []
    told = said[:300].rstrip(".")
    return f"{told}. It must be one of {', '.join(known)}." if known else f"{told}."


def _words_at(kind: types.Type, path: list[str]) -> list[str]:
    """The words allowed at a place in a message."""
    if isinstance(kind, types.Metadata):
        return _words_at(kind.type, path)
    if isinstance(kind, types.UnionType):
        return [word for each in kind.types for word in _words_at(each, path)]
    if isinstance(kind, types.LiteralType) and not path:
        return [str(value) for value in kind.values]
    if isinstance(kind, types.ListType) and path and not path[0]:
        return _words_at(kind.item_type, path[1:])
    if isinstance(kind, types.StructType) and path:
        return _words_in(kind, path[0], path[1:])
    return []


def _words_in(kind: types.StructType, name: str, path: list[str]) -> list[str]:
    if name == kind.tag_field:
        return [str(kind.tag)]
    return [word for each in kind.fields if each.encode_name == name for word in _words_at(each.type, path)]
