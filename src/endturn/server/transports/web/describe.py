"""Describes games, matches and events in the structs of the protocol."""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from endturn.archive.store import Row
from endturn.bots import bots_of
from endturn.engine.game import Game
from endturn.engine.settings import SettingsError, settings_to_json
from endturn.games import find
from endturn.protocol import Clocks, ClockWish, Event, GameInfo, MatchInfo, Now, SeatInfo, SettingInfo
from endturn.server.history import Entry, seated
from endturn.server.room import Room
from endturn.server.seat import Seat

ENDED = "over", "failed"  # statuses of matches that have ended


@cache
def game_info(name: str) -> GameInfo:
    """What a client needs to know about a game to create a match."""
    game = find(name)
    return GameInfo(
        name=game.name,
        title=game.title,
        summary=game.summary,
        version=game.version,
        seats=list(game.seats),
        settings=settings_info(game),
        profiles={profile: dict(values) for profile, values in game.profiles.items()},
        bots=list(bots_of(game)),
    )


def settings_info(game: Game) -> list[SettingInfo]:
    """Every setting of a game, with its meaning and its allowed values."""
    defaults = settings_to_json(game.settings())
    hints = get_type_hints(game.settings, include_extras=True)
    return [_setting(name, hint, defaults[name]) for name, hint in hints.items()]


def _setting(name: str, hint: Any, default: Any) -> SettingInfo:
    kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    meta = next((part for part in get_args(hint) if isinstance(part, msgspec.Meta)), msgspec.Meta())
    told = meta.description or ""
    if kind is bool:
        return SettingInfo(name, "flag", default, told)
    if issubclass(kind, IntEnum):
        return SettingInfo(name, "choice", default, told, choices=[each.lower() for each in kind.__members__])
    if kind is str:
        return SettingInfo(name, "text", default, told, high=meta.max_length)
    low, high = (None if limit is None else int(limit) for limit in (meta.ge, meta.le))
    return SettingInfo(name, "number", default, told, low, high)


# --- matches ------------------------------------------------------------------------------------------------


def match_info(row: Row, seats: list[SeatInfo]) -> MatchInfo:
    """A match from its row in the archive. It includes the seed only if the match has ended."""
    over = row["status"] in ENDED
    return MatchInfo(
        id=row["id"],
        game=row["game"],
        title=game_info(row["game"]).title,
        status=row["status"],
        seats=seats,
        settings=msgspec.json.decode(row["settings"]),
        clock=msgspec.json.decode(row["timing"], type=ClockWish),
        created_at=row["created_at"],
        changed_at=row["changed_at"],
        outcome=msgspec.json.decode(row["outcome"]) if row["outcome"] else None,
        seed=row.get("seed") if over else None,
    )


def room_info(room: Room, present: set[int] | frozenset[int] = frozenset()) -> MatchInfo:
    """A live match."""
    outcome = outcome_of(room)
    text = msgspec.json.encode(outcome).decode() if outcome is not None else None
    row = {**room.row, "status": room.status, "outcome": text, "changed_at": _changed_at(room)}
    if room.status == "failed" != room.row["status"]:
        row["seed"] = None  # the archive does not know of the stop: the match is playable after a restart
    return match_info(row, seats_info(room.seats, room.game.seats, present))


def _changed_at(room: Room) -> int:
    """When something last happened that everyone may know. That includes a hidden action that ended the match."""
    last = room.entries[-1].at if room.status == "over" and room.entries else room.changed_at
    begun: int = room.row["changed_at"]
    return max(begun, last)


def seats_info(
    seats: list[Seat], sides: Sequence[str], present: set[int] | frozenset[int] = frozenset()
) -> list[SeatInfo]:
    """The seats and their players. Bots are always present."""
    sitting = enumerate(zip(seats, sides, strict=True))
    return [_seat(number, seat, side, number in present) for number, (seat, side) in sitting]


def _seat(number: int, seat: Seat, side: str, here: bool) -> SeatInfo:
    kind: Any = seat.kind
    return SeatInfo(number, kind, seat.name, seat.taken, seat.bot, here or kind == "bot", side)


def seats_from(row: Row, rows: list[Row]) -> list[SeatInfo]:
    """The seats of an archived match, and their players."""
    seats = [Seat(each["kind"], each["name"], each["bot"], each["token"]) for each in rows]
    return seats_info(seats, _sides(row, len(rows)))


def _sides(row: Row, count: int) -> Sequence[str]:
    """The sides of a match; empty names if the current rules no longer accept its settings."""
    try:
        known = seated(row, find(row["game"])).seats
    except SettingsError:
        known = ()
    return known if len(known) == count else [""] * count


# --- what happens -------------------------------------------------------------------------------------------


def outcome_of(room: Room) -> dict[str, Any] | None:
    """How a match ended, or why it was stopped."""
    if room.status == "failed":
        return {"failed": room.failure or "The match was stopped."}
    outcome = room.outcome() if room.status == "over" else None
    return None if outcome is None else {**outcome._asdict(), "winner": outcome.winner}


def now_of(room: Room) -> Now:
    """The current turn, clocks and status of a match."""
    status: Any = room.status
    playing = room.status == "running"
    to_act = list(room.match.to_act()) if playing else []
    return Now(room.match.turn, to_act, clocks_of(room), status, outcome_of(room))


def clocks_of(room: Room) -> Clocks:
    """The clocks of a match."""
    reading, is_timed = room.reading(), room.timing.kind != "none"
    left = [round(ms, 1) if is_timed else None for ms in reading.left]
    return Clocks(left, reading.on, reading.paused)


@cache
def _has_no_names(game: Game, tag: str) -> bool:
    """Whether such actions contain no enum values, so that a client can receive the entry's body as it is."""
    kind = next(kind for kind in game.actions if kind.__struct_config__.tag == tag)
    hints = get_type_hints(kind).values()
    return not any(isinstance(hint, type) and issubclass(hint, IntEnum) for hint in hints)


def _named(game: Game, body: Any) -> dict[str, Any]:
    action: Any = game.actions.parse(body)
    return game.actions.to_json(action)


def event_of(game: Game, entry: Entry, number: int) -> Event:
    """An entry as a client receives it."""
    kind: Any = entry.kind
    made = Event(number, kind, entry.at, entry.seat, turn=entry.turn)
    if entry.kind == "act":
        made.action = entry.body if _has_no_names(game, entry.body["do"]) else _named(game, entry.body)
    elif entry.kind == "chat":
        made.text = entry.body["text"]
    return made
