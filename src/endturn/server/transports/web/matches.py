"""Endpoints: create matches, find them, take seats, and get gamelogs and results."""

import asyncio
import secrets
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import Response

from endturn.archive.store import Row
from endturn.engine.game import Game
from endturn.engine.settings import SettingsError
from endturn.games import find
from endturn.protocol import (
    Created,
    MatchInfo,
    MatchList,
    NewMatch,
    ReplayPart,
    Result,
    ResultList,
    SeatToken,
    SeatWish,
    TakeSeat,
    Verification,
)
from endturn.server.clock import Timing
from endturn.server.lobby import LobbyFull, bot_seat
from endturn.server.room import Room
from endturn.server.seat import Seat, hashed
from endturn.server.transports.web.describe import ENDED, match_info, room_info, seats_from
from endturn.server.transports.web.endpoint import HEADERS, ApiRequest, Endpoint, NotDone, require
from endturn.server.transports.web.games import known
from endturn.server.transports.web.names import own_name, tidy
from endturn.server.transports.web.replays import Part, no_gamelog, replayed, verified, what_if
from endturn.server.transports.web.site import Site

STATUS = "(open|running|over|failed)"


class Which(msgspec.Struct, frozen=True):
    """Which matches to list: statuses separated by commas, the most matches, and the time before the last change."""

    status: Annotated[str, Meta(max_length=60, pattern=f"^{STATUS}(,{STATUS})*$")] = "open,running,over"
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    before: Annotated[int, Meta(ge=0, le=1 << 53)] | None = None


class HowMany(msgspec.Struct, frozen=True):
    """The most results to list."""

    limit: Annotated[int, Meta(ge=1, le=200)] = 50


# --- creating -----------------------------------------------------------------------------------------------


async def create(asked: ApiRequest) -> Created:
    """Create a match."""
    wish: NewMatch = asked.body
    game = find(known(wish.game))
    if wish.clock.increment and wish.clock.kind != "bank":
        raise NotDone(409, f"Only a bank clock has an increment, not {wish.clock.kind!r}.", "clock")
    settings, start = await _beginning(asked.site, game, wish)
    game = game.seated(settings)
    seats, tokens = await _seated(asked, game)
    if wish.seed is not None and any(not seat.taken for seat in seats):
        raise NotDone(
            409,
            "A match with open seats cannot have a chosen seed: you would know every roll in advance.",
            "seed",
        )
    try:
        room = await asked.site.lobby.create(
            game,
            settings,
            seats,
            msgspec.convert(msgspec.to_builtins(wish.clock), Timing),
            public=wish.public,
            seed=None if wish.seed is None else int(wish.seed, 16),
            start=start,
        )
    except LobbyFull as error:
        raise NotDone(503, str(error), "full") from None
    return Created(room_info(room), tokens)


async def _beginning(site: Site, game: Game, wish: NewMatch) -> tuple[Any, str | None]:
    """The settings, and the first position if the request has one."""
    if wish.from_match is not None:
        return await _what_if(site, game, wish)
    if wish.from_action is not None:
        raise NotDone(409, "from_action needs from_match: the match whose actions it counts.", "from_action")
    try:
        settings = game.configure(wish.profile, wish.settings)
    except SettingsError as error:
        raise NotDone(409, str(error), "settings") from None
    if wish.position is not None:
        try:
            await asyncio.to_thread(game.parse_position, wish.position)
        except ValueError as error:
            reason = str(error)[:300].rstrip(".")
            raise NotDone(409, f"{reason[:1].upper()}{reason[1:]}.", "position") from None
    return settings, wish.position


async def _what_if(site: Site, game: Game, wish: NewMatch) -> tuple[Any, str]:
    """The settings of a finished match, and its position after so many actions."""
    name, settings, position = await what_if(site, wish.from_match or "", wish.from_action)
    if name != game.name:
        raise NotDone(409, f"from_match is a match of {name}, not of {game.name}.", "from_match")
    if wish.settings or wish.profile is not None or wish.position is not None:
        raise NotDone(
            409,
            "from_match sets the settings and the position. Omit settings, profile and position.",
            "from_match",
        )
    return settings, position


async def _seated(asked: ApiRequest, game: Game) -> tuple[list[Seat], list[SeatToken]]:
    """The seats as requested, the others open to anyone with the link; and the tokens of the requester's seats."""
    wishes = asked.body.seats or [SeatWish("me")]
    if len(wishes) > game.seat_count:
        raise NotDone(409, f"{game.title} has {game.seat_count} seats, not {len(wishes)}.", "seats")
    seats: list[Seat] = []
    tokens = []
    for number, wish in enumerate(wishes + [SeatWish("link")] * (game.seat_count - len(wishes))):
        if wish.kind == "me":
            tokens.append(SeatToken(number, secrets.token_urlsafe(24)))
            name, account = await own_name(asked, wish.name)
            chosen = name or f"player {number + 1}"
            seats.append(Seat("person", chosen, token=hashed(tokens[-1].token), account=account))
        else:
            seats.append(_other_seat(game, wish))
    return seats, tokens


def _other_seat(game: Game, wish: SeatWish) -> Seat:
    if wish.kind == "link":
        return Seat("link", "")
    bot = wish.bot or next(iter(game.bots), "random")
    seat: Seat = require(bot_seat(game, bot))
    seat.name = tidy(wish.name) or bot
    return seat


# --- finding ------------------------------------------------------------------------------------------------


async def listed(asked: ApiRequest) -> MatchList:
    """Public matches."""
    wanted = sorted(set(asked.query.status.split(",")))
    store = asked.site.store
    rows = await asyncio.to_thread(store.listed, wanted, asked.query.limit, asked.query.before)
    seats = await asyncio.to_thread(store.seats_of, [row["id"] for row in rows])
    return MatchList([_info(asked.site, row, seats[row["id"]]) for row in rows])


def _info(site: Site, row: Row, seats: list[Row]) -> MatchInfo:
    room = site.lobby.rooms.get(row["id"])
    return room_info(room, site.present(room.id)) if room else match_info(row, seats_from(row, seats))


async def shown(asked: ApiRequest) -> MatchInfo:
    """One match."""
    row = await row_of(asked)
    return _info(asked.site, row, await asyncio.to_thread(asked.site.store.seats, row["id"]))


async def row_of(asked: ApiRequest) -> Row:
    """The row of the match that a path names."""
    row = await asyncio.to_thread(asked.site.store.match, asked.path["id"])
    if row is None:
        raise unknown_match(asked.path["id"])
    return row


async def room_of(asked: ApiRequest) -> Room:
    """The room of the match that a path names."""
    room = await asked.site.lobby.find(asked.path["id"])
    if room is None:
        raise unknown_match(asked.path["id"])
    return room


def unknown_match(match: str) -> NotDone:
    """The error for a match that does not exist."""
    return NotDone(404, f"There is no match {match[:40]!r}.", "unknown")


async def take_seat(asked: ApiRequest) -> SeatToken:
    """Take an open seat."""
    room = await room_of(asked)
    wanted, last = asked.body.seat, len(room.seats) - 1
    if wanted is not None and not 0 <= wanted <= last:
        raise NotDone(409, f"There is no seat {wanted}. Seat must be 0 to {last}.", "seat")
    name, account = await own_name(asked, asked.body.name)
    seat, token = require(await room.take(asked.body.seat, name, account, asked.body.token or ""))
    return SeatToken(seat, token)


# --- after the match ----------------------------------------------------------------------------------------


async def finished(asked: ApiRequest) -> Row:
    """The row of a match that is over or was stopped."""
    row = await row_of(asked)
    if row["status"] not in ENDED:
        raise NotDone(409, "The match is not over. Its gamelog stays hidden until then.", "over")
    return row


async def gamelog(asked: ApiRequest) -> Response:
    """The gzipped gamelog of a match that is over, or up to the point where the match was stopped."""
    row = await finished(asked)
    kept = await asyncio.to_thread(lambda: asked.site.store.gamelog(match=row["id"]))
    if kept is None:
        raise no_gamelog(row)
    name = f'attachment; filename="{kept["name"]}.jsonl.gz"'
    return Response(kept["packed"], 200, {**HEADERS, "Content-Disposition": name}, "application/gzip")


async def results(asked: ApiRequest) -> ResultList:
    """Results of public matches."""
    rows = await asyncio.to_thread(asked.site.store.results, asked.query.limit)
    made: dict[str, Result] = {}
    for row in rows:
        each = made.setdefault(row["match"], Result(row["match"], row["game"], row["changed_at"], [], [], []))
        each.names.append(row["name"])
        each.places.append(row["place"])
        each.reasons.append(row["reason"])
    return ResultList(list(made.values()))


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/matches",
        "Create a match. The response contains the tokens of your seats; they are sent only once.",
        create,
        Created,
        takes=NewMatch,
        status=201,
        refusals=(401, 404, 409),
        limit="creations",
    ),
    Endpoint(
        "GET", "/api/matches", "Public matches, most recently changed first.", listed, MatchList, query=Which
    ),
    Endpoint("GET", "/api/matches/{id}", "One match.", shown, MatchInfo, refusals=(404,)),
    Endpoint(
        "POST",
        "/api/matches/{id}/seats",
        "Take an open seat. The response contains its token; it is sent only once.",
        take_seat,
        SeatToken,
        takes=TakeSeat,
        status=201,
        refusals=(401, 404, 409),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/gamelog",
        "The gamelog of a match that is over or was stopped.",
        gamelog,
        "application/gzip",
        refusals=(404, 409),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/replay",
        "Part of the replay of a match that is over or was stopped, step by step.",
        replayed,
        ReplayPart,
        query=Part,
        refusals=(404, 409),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/verify",
        "Verify the gamelog of a match that is over or was stopped.",
        verified,
        Verification,
        refusals=(404, 409),
    ),
    Endpoint("GET", "/api/results", "Results of public matches.", results, ResultList, query=HowMany),
)
