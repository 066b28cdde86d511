"""Every message of our own protocol, typed; the TypeScript types are generated from it.

Over HTTP a request is a struct and its answer another. On the WebSocket of a match a client first says `Join`,
is answered with `Welcome`, and then asks; what it asks carries a number of its own choice, `ask`, which the
answer repeats. Meanwhile the server tells what happens. Everything is JSON, an object with its kind under `type`.

What a seat may know of a match is its view. `Happened` carries what has changed in it since the message before,
as `engine.delta` writes changes.
"""

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import inspect as types

NAME_LENGTH, CHAT_LENGTH, ACCOUNT_LENGTH = 80, 500, 24
LARGEST_MESSAGE = 16384  # bytes that a client can send at once

Name = Annotated[str, msgspec.Meta(max_length=NAME_LENGTH)]
Status = Literal["open", "running", "over", "failed"]


class BadMessage(ValueError):
    """What was received is no message of this protocol; the sentence names the place."""


# --- over HTTP ----------------------------------------------------------------------------------------------


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to sit somewhere: the one who asks, whoever gets the link, or a bot."""

    kind: Literal["me", "link", "bot"] = "link"
    name: Name = ""
    bot: Name | None = None


class ClockWish(msgspec.Struct, forbid_unknown_fields=True):
    """How a match is to be timed: see `server.clock.Timing`."""

    kind: Literal["none", "bank", "move", "turn", "deadline"] = "none"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=31622400)] = 600.0
    increment: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    over: Literal["forfeit", "default"] = "forfeit"


class NewMatch(msgspec.Struct, forbid_unknown_fields=True):
    """A match that someone wants to begin."""

    game: Name
    seats: list[SeatWish] = []
    settings: dict[str, Any] = {}
    profile: Name | None = None
    clock: ClockWish = msgspec.field(default_factory=ClockWish)
    public: bool = True
    seed: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{1,16}$")] | None = (
        None  # hexadecimal; else by chance
    )
    position: Annotated[str, msgspec.Meta(max_length=60000)] | None = (
        None  # to begin with, in the game's notation
    )
    # instead of that: a moment of a finished match, after so many of its actions
    from_match: Name | None = None
    from_action: Annotated[int, msgspec.Meta(ge=0)] | None = None


class SeatInfo(msgspec.Struct):
    """Who sits where."""

    seat: int
    kind: Literal["person", "link", "bot"]
    name: str
    taken: bool
    bot: str | None = None
    present: bool = False
    side: str = ""  # what the seat is called in the game


class MatchInfo(msgspec.Struct):
    """A match, as anyone may know it."""

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
    seed: str | None = None  # once the match is over or was stopped


class SeatToken(msgspec.Struct):
    """The right to a seat. Whoever has the token plays; it is told once."""

    seat: int
    token: str


class Created(msgspec.Struct):
    """A match has been made; tokens for the seats that are the asker's, or for a link."""

    match: MatchInfo
    tokens: list[SeatToken]


class TakeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Someone wants an open seat. Who chooses the token can ask again where the answer was lost, and has one seat."""

    name: Name = ""
    seat: int | None = None
    token: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{32,64}$")] | None = None  # else by chance


class SettingInfo(msgspec.Struct):
    """A setting: what it is for and what it can be."""

    name: str
    kind: Literal["number", "flag", "choice", "text"]
    default: Any
    help: str
    low: int | None = None
    high: int | None = None  # of a number; of a text how many characters
    choices: list[str] = []


class GameInfo(msgspec.Struct):
    """A game that can be played."""

    name: str
    title: str
    summary: str
    version: int
    seats: list[str]
    settings: list[SettingInfo]
    profiles: dict[str, dict[str, Any]]
    bots: list[str]


class Result(msgspec.Struct):
    """How a match ended for each seat."""

    match: str
    game: str
    at: int
    names: list[str]
    places: list[int]
    reasons: list[str]


class GameList(msgspec.Struct):
    """The games that can be played."""

    games: list[GameInfo]


class MatchList(msgspec.Struct):
    """Public matches, the last changed first."""

    matches: list[MatchInfo]


class ResultList(msgspec.Struct):
    """How public matches ended, the newest first."""

    results: list[Result]


class Verified(msgspec.Struct):
    """Whether a finished match, played again from its gamelog, came out the same; without what was taken back."""

    verified: bool
    reason: str | None = None
    actions: int | None = None
    turns: int | None = None


class TurnMark(msgspec.Struct):
    """A turn, and after how many steps of the replay it began."""

    turn: int
    step: int


class Health(msgspec.Struct):
    """How the server is."""

    status: Literal["ok", "archive down"]
    version: str
    matches: int  # in memory
    watching: int  # sockets
    reason: str | None = None  # why nothing can be kept, while that is so


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """A name and a password."""

    name: Annotated[str, msgspec.Meta(min_length=2, max_length=ACCOUNT_LENGTH)]
    password: Annotated[str, msgspec.Meta(min_length=8, max_length=200)]


class LoggedIn(msgspec.Struct):
    """A key to act in an account's name: sent as `Authorization: Bearer`; it is told once."""

    name: str
    key: str
    expires_at: int


class AccountInfo(msgspec.Struct):
    """Who someone is."""

    name: str


class Stop(msgspec.Struct, forbid_unknown_fields=True):
    """An admin stops a match, and why."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=CHAT_LENGTH)] = (
        "It was stopped by the server's owner."
    )


class Problem(msgspec.Struct):
    """Why a request was not carried out: a sentence, and a short name of the rule by which."""

    reason: str
    rule: str


# --- on the WebSocket: what a client says ---------------------------------------------------------------------


class Join(msgspec.Struct, tag="join", forbid_unknown_fields=True):
    """The first message: with a seat's token to play, without one to watch; how many events are known already."""

    token: Name | None = None
    since: Annotated[int, msgspec.Meta(ge=0)] = 0


class Act(msgspec.Struct, tag="act", forbid_unknown_fields=True):
    """Play an action."""

    ask: int
    action: Any


class Undo(msgspec.Struct, tag="undo", forbid_unknown_fields=True):
    """Take one's last action back."""

    ask: int


class Legal(msgspec.Struct, tag="legal", forbid_unknown_fields=True):
    """What can I do now, with one piece or with all?"""

    ask: int
    piece: int | None = None


class Ready(msgspec.Struct, tag="ready", forbid_unknown_fields=True):
    """Which of my pieces can do anything now? All of their actions may be very many."""

    ask: int


class Preview(msgspec.Struct, tag="preview", forbid_unknown_fields=True):
    """What would come of this action, as far as I may know?"""

    ask: int
    action: Any


class Chat(msgspec.Struct, tag="chat", forbid_unknown_fields=True):
    """Say something to everyone here."""

    ask: int
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=CHAT_LENGTH)]


class Resign(msgspec.Struct, tag="resign", forbid_unknown_fields=True):
    """Give the match up."""

    ask: int


class Pause(msgspec.Struct, tag="pause", forbid_unknown_fields=True):
    """Stop the clocks, or let them go on."""

    ask: int
    on: bool


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Are you there?"""

    ask: int


Said = Join | Act | Undo | Legal | Ready | Preview | Chat | Resign | Pause | Ping


# --- on the WebSocket: what the server says -------------------------------------------------------------------


class Event(msgspec.Struct):
    """Something that happened, in the order in which this client may know of it."""

    number: int  # from 1 on
    kind: Literal["act", "undo", "chat", "pause", "resume"]
    at: int
    seat: int | None = None
    action: dict[str, Any] | None = None
    text: str | None = None
    turn: int | None = None


class Step(msgspec.Struct):
    """Of a replay: an event, what it changed in the view, and how many actions and undos there were by then."""

    event: Event
    change: Any
    played: int


class Replay(msgspec.Struct):
    """A part of a finished match: the view after `first` steps, the steps from there, and where turns begin."""

    match: MatchInfo
    first: int
    view: dict[str, Any]
    steps: list[Step]
    total: int  # steps in the whole match
    turns: list[TurnMark]


class Clocks(msgspec.Struct):
    """What the clocks say: milliseconds left by seat (none: no limit), and whose run."""

    left: list[float | None]
    running: list[int]
    paused: bool = False


class Now(msgspec.Struct):
    """Where a match stands."""

    turn: int
    to_act: list[int]
    clocks: Clocks
    status: Status
    outcome: dict[str, Any] | None = None


class Welcome(msgspec.Struct, tag="welcome"):
    """The answer to `Join`: all that this client may know, and the events it does not know yet.

    Of these, it has the last few hundred: where the first has not the number after `since`, some are left out.
    """

    match: MatchInfo
    seat: int | None
    view: dict[str, Any]
    events: list[Event]
    known: int  # how many events there are by now
    now: Now


class Happened(msgspec.Struct, tag="happened"):
    """Something happened: what, what it changed in the view, and where the match stands now.

    Without an event where this client may see what changed, and not what was done; and when the last seat of a
    match is taken, which begins with that: `now` says "running".
    """

    event: Event | None
    change: Any
    now: Now


class Presence(msgspec.Struct, tag="presence"):
    """Who is here: by seat, and how many watch. Seats that were taken in the meantime have their names."""

    seats: list[SeatInfo]
    watching: int


class Done(msgspec.Struct, tag="done"):
    """What was asked has happened, or here is what was asked for."""

    ask: int
    answer: Any = None


class Refused(msgspec.Struct, tag="refused"):
    """What was asked is against a rule, or cannot be now."""

    ask: int
    rule: str
    reason: str


class Malformed(msgspec.Struct, tag="malformed"):
    """What was received is no message; the sentence names the place."""

    reason: str
    ask: int | None = None
    rule: str = "malformed"


class Failed(msgspec.Struct, tag="failed"):
    """The match was stopped, and why."""

    reason: str


Told = Welcome | Happened | Presence | Done | Refused | Malformed | Failed

_said = msgspec.json.Decoder(Said)
_told = msgspec.json.Decoder(Told)
encode = msgspec.json.Encoder().encode


def decode(text: bytes | str) -> Said:
    """What a client said; BadMessage names the place of what is wrong."""
    return _decoded(_said, text)  # type: ignore[no-any-return]


def decode_told(text: bytes | str) -> Told:
    """What a server said, for clients in Python."""
    return _decoded(_told, text)  # type: ignore[no-any-return]


class _Numbered(msgspec.Struct):
    ask: int | None = None


_numbered = msgspec.json.Decoder(_Numbered)


def ask_in(text: bytes | str) -> int | None:
    """The number of what was asked by a message that is none, where it has one all the same."""
    try:
        return _numbered.decode(text).ask
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _decoded(decoder: Any, text: bytes | str) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(complaint(error, decoder.type)) from None


# --- what is wrong with what was received ---------------------------------------------------------------------

_PLACE = re.compile(r"Invalid (?:enum )?value .* - at `\$(.*)`$", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[")  # into a field, or into a list


def complaint(error: Exception, kind: Any) -> str:
    """What is wrong with what was to be of a kind, in a sentence: where, and what can stand there if that is a word."""
    said = str(error)
    if said == "Input data was truncated":
        return "It is empty, or ends too soon: a JSON object is expected."
    place = _PLACE.search(said)
    known = _words_at(types.type_info(kind), _STEP.findall(place.group(1))) if place else []
    told = said[:300].rstrip(".")
    return f"{told}: it is one of {', '.join(known)}." if known else f"{told}."


def _words_at(kind: types.Type, path: list[str]) -> list[str]:
    """The words that can stand at a place."""
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
