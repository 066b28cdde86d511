"""The bots of a room while they think: each in a task that asks the bot house and plays what it answers."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import structlog

from endturn.engine.answers import Accepted
from endturn.server.bothouse import QUICK, BotFailed, BotHouse, BotTooSlow, Table
from endturn.server.ledger import is_passing

if TYPE_CHECKING:
    from endturn.server.room import Room

LOG = structlog.get_logger("endturn.room")
BOT_SECONDS = 10.0  # for one action, where no clock says less
BOT_PATIENCE = 20  # refused actions in a row after which a bot has lost
RETRY = 1.0  # seconds until what the room could not take is tried again


class Thinking:
    """The bots of one room."""

    def __init__(self, room: "Room", bots: BotHouse) -> None:
        self._room, self._bots = room, bots
        self._seats = [seat for seat, sits in enumerate(room.seats) if sits.kind == "bot"]
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self.lapses = [0] * len(room.seats)  # how often the clock has played for each seat

    def __bool__(self) -> bool:
        """Whether any bot thinks."""
        return bool(self._tasks)

    def go_on(self) -> None:
        """Whoever is to act and does not think yet begins."""
        for seat in self._seats:
            if seat not in self._tasks and self._room.waits_for(seat):
                self._tasks[seat] = asyncio.create_task(self._think(seat))

    def rest(self) -> None:
        """None thinks any more."""
        for task in list(self._tasks.values()):
            task.cancel()

    def forget(self) -> None:
        """The match is over."""
        self.rest()
        self._bots.forget(self._room.id)

    async def _think(self, seat: int) -> None:
        """Ask a bot for an action; one that fails, or is only ever refused, gives up."""
        try:
            if not await self._has_played(seat):
                await self._give_up(seat)
        finally:
            self._tasks.pop(seat, None)
            self._room.go_on()

    async def _has_played(self, seat: int) -> bool:
        """Whether a bot has played, or need not any more."""
        room, refused = self._room, 0
        while refused < BOT_PATIENCE:
            is_still, seconds = self.moment(seat), self._patience(seat)
            try:
                # A copy: what happens while it waits for a worker belongs to another moment.
                said = await self._bots.act(self._table(), room.ledger.played.copy(), seat, seconds)
            except BotFailed as error:
                LOG.warning("a bot gave no action", match=room.id, seat=seat, reason=str(error))
                return isinstance(error, BotTooSlow) and await self._left_to_the_clock(seconds)
            answer = await room.act_if(is_still, seat, said)
            if isinstance(answer, Accepted) or not room.waits_for(seat) or not is_still():
                return True
            if is_passing(answer):
                await asyncio.sleep(RETRY)
            else:
                refused += 1
        LOG.warning("a bot was only ever refused", match=room.id, seat=seat)
        return False

    def moment(self, seat: int) -> Callable[[], bool]:
        """Whether it is still the same moment for a bot: the same turn, and the clock has not played for it."""
        ledger = self._room.ledger
        turn, lapses = ledger.live.turn, self.lapses[seat]
        return lambda: (ledger.live.turn, self.lapses[seat]) == (turn, lapses)

    async def _left_to_the_clock(self, seconds: float) -> bool:
        """Whether a bot had only what its clock left it, which is then the room's to judge, as for a person."""
        if seconds >= BOT_SECONDS:
            return False
        await self._room.mind_clocks()
        return True

    async def _give_up(self, seat: int) -> None:
        while not isinstance(answer := await self._room.leave(seat, "disconnected"), Accepted):
            if self._room.over:
                return
            await asyncio.sleep(RETRY)
            if not is_passing(answer):
                return

    def _patience(self, seat: int) -> float:
        left = self._room.clock.remaining(seat, self._room.now())
        # A worker is not ended for what a quick bot takes: what comes when the clock has played is not played.
        return BOT_SECONDS if left is None else max(QUICK, min(BOT_SECONDS, left / 1000))

    def _table(self) -> Table:
        """What a copy of this match begins with."""
        row = self._room.row
        settings, seed = msgspec.json.decode(row["settings"]), int(row["seed"], 16)
        bots = tuple(seat.bot for seat in self._room.seats)
        return Table(row["id"], row["game"], settings, seed, row["start"], bots)
