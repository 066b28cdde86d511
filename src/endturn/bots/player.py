"""Bots: a bot sees a match from its seat and returns an action."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from endturn.engine.actions import Action
from endturn.engine.answers import Malformed, Refusal
from endturn.engine.game import Game, Outcome
from endturn.engine.match import Match, derived_seed

LOG = logging.getLogger("endturn")
PATIENCE = 100  # refused or malformed answers in a row before a bot forfeits


class Seen:
    """A match as one seat sees it."""

    def __init__(self, match: Match, seat: int, seed: int) -> None:
        self._match, self.seat, self._seed = match, seat, seed
        self.when = match.known_length(seat)

    @property
    def game(self) -> Game:
        """The game."""
        return self._match.game

    @property
    def view(self) -> dict[str, Any]:
        """What this seat may know, as dictionaries and lists."""
        return self._match.view(self.seat)

    @property
    def state(self) -> Any:
        """A copy of the state, which the bot may change. Random values replace the facts hidden from this seat."""
        state = self.game.storage.copy(self._match.state)
        conceal = self.game.knowledge.conceal
        return state if conceal is None else conceal(state, self.seat, derived_seed(self._seed, self.when))

    def legal(self, piece: int | None = None) -> Iterator[Action]:
        """The legal actions of one piece, or of all."""
        return self._match.legal(self.seat, piece)

    def random_action(self) -> Action:
        """A random legal action."""
        return self._match.random_action(self.seat, self._seed, self.when)

    def imagine(self) -> Match:
        """A match for looking ahead: it continues from here with other dice and other hidden facts."""
        seed = derived_seed(self._seed, self.when)
        return Match(self.game, self._match.settings, seed=seed, start=self.state)


class Bot(Protocol):
    """A program that plays."""

    def act(self, seen: Seen) -> Action:
        """The action to play."""


class RandomBot:
    """Plays random legal actions, in any game."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, seen: Seen) -> Action:
        """A random legal action."""
        return seen.random_action()


def bots_of(game: Game) -> dict[str, Callable[[int], Bot]]:
    """The bots of a game by name: its own, and the random one."""
    return {"random": RandomBot, **game.bots}


def play(
    match: Match, bots: Sequence[Bot], on_action: Callable[[Match], None] = lambda match: None
) -> Outcome:
    """Play a match to its end and call `on_action` after every action. A bot that fails forfeits."""
    seeds = [derived_seed(match.seed, 1000 + seat) for seat in range(match.game.seat_count)]
    while waiting := match.to_act():
        seat = waiting[0]
        _one_action(match, seat, bots[seat], seeds[seat])
        on_action(match)
    outcome = match.outcome
    assert outcome is not None
    return outcome


def _one_action(match: Match, seat: int, bot: Bot, seed: int) -> None:
    """Let a bot act once. It forfeits if it crashes or is refused too often; the log says why."""
    trouble = ""
    for _ in range(PATIENCE):
        try:
            said = bot.act(Seen(match, seat, seed))
        except Exception:
            LOG.exception("%s forfeits: the bot crashed.", match.players[seat])
            break
        answer = match.submit(seat, said)
        if not isinstance(answer, Refusal | Malformed):
            return
        trouble = f"The last one was {said!r:.200}: {answer.reason}"
    else:
        LOG.warning(
            "%s forfeits: %d answers in a row were refused. %s", match.players[seat], PATIENCE, trouble
        )
    match.submit(seat, match.game.rules.leave_action("disconnected"))
