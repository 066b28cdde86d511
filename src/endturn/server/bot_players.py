"""The bots of one room: for each bot that is to act, a task asks a worker for an action and plays it."""

import asyncio
from typing import TYPE_CHECKING

import msgspec
import structlog

from endturn.engine.answers import Accepted
from endturn.server.bot_workers import QUICK, BotFailed, BotTooSlow, BotWorkers, MatchSetup
from endturn.server.live_match import is_passing

if TYPE_CHECKING:
    from endturn.server.room import Room

LOG = structlog.get_logger("endturn.room")
BOT_SECONDS = 10.0  # for one action, unless a clock leaves less
BOT_PATIENCE = 20  # refused actions in a row after which a bot leaves
RETRY = 1.0  # seconds until a bot repeats a request that was refused because of the archive or a busy match


class BotPlayers:
    """The bots of one room."""

    def __init__(self, room: "Room", workers: BotWorkers) -> None:
        self._room, self._workers = room, workers
        self._seats = [number for number, seat in enumerate(room.seats) if seat.kind == "bot"]
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def __bool__(self) -> bool:
        """Whether any bot is thinking."""
        return bool(self._tasks)

    def go_on(self) -> None:
        """Start a task for each bot that is to act and not thinking yet."""
        for seat in self._seats:
            if seat not in self._tasks and self._room.waits_for(seat):
                self._tasks[seat] = asyncio.create_task(self._think(seat))

    def rest(self) -> None:
        """Stop thinking."""
        for task in list(self._tasks.values()):
            task.cancel()

    def forget(self) -> None:
        """Stop thinking and drop the workers' copies of the match, because it is over."""
        self.rest()
        if self._seats:
            self._workers.forget(self._room.id)

    async def _think(self, seat: int) -> None:
        """Play one action. A bot that fails or is refused too often leaves the match."""
        try:
            if not await self._has_played(seat):
                await self._leave(seat)
        finally:
            self._tasks.pop(seat, None)
            self._room.go_on()

    async def _has_played(self, seat: int) -> bool:
        """Whether the bot has played, or its turn has passed."""
        room, live, refused = self._room, self._room.live, 0
        while refused < BOT_PATIENCE:
            moment, seconds = live.moment(seat), self._patience(seat)
            try:
                # A copy: what happens while the bot waits for a worker belongs to another moment.
                said = await self._workers.act(self._setup(), room.played.copy(), seat, seconds)
            except BotFailed as error:
                LOG.warning("bot failed", match=room.id, seat=seat, reason=str(error))
                return isinstance(error, BotTooSlow) and await self._left_to_the_clock(seconds)
            answer = await room.act_at(moment, seat, said)
            if isinstance(answer, Accepted) or not room.waits_for(seat) or moment != live.moment(seat):
                return True
            if is_passing(answer):
                await asyncio.sleep(RETRY)
            else:
                refused += 1
        LOG.warning("bot refused too often", match=room.id, seat=seat)
        return False

    async def _left_to_the_clock(self, seconds: float) -> bool:
        """Whether the clock set the bot's time limit. If so, the clock decides what happens, as for a person."""
        if seconds >= BOT_SECONDS:
            return False
        await self._room.mind_clocks()
        return True

    async def _leave(self, seat: int) -> None:
        while not isinstance(answer := await self._room.leave(seat, "disconnected"), Accepted):
            if self._room.over:
                return
            await asyncio.sleep(RETRY)
            if not is_passing(answer):
                return

    def _patience(self, seat: int) -> float:
        left = self._room.remaining(seat)
        # A worker always gets the time of a quick bot. The room refuses an action that arrives out of time.
        return BOT_SECONDS if left is None else max(QUICK, min(BOT_SECONDS, left / 1000))

    def _setup(self) -> MatchSetup:
        row = self._room.row
        settings, seed = msgspec.json.decode(row["settings"]), int(row["seed"], 16)
        bots = tuple(seat.bot for seat in self._room.seats)
        return MatchSetup(row["id"], row["game"], settings, seed, row["start"], bots)
