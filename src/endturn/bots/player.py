"""What a bot is: something that is shown a match from its seat, and answers with an action."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from endturn.engine.actions import Action
from endturn.engine.answers import Malformed, Refusal
from endturn.engine.game import Game, Outcome
from endturn.engine.match import Match, derived_seed

LOG = logging.getLogger("endturn")
PATIENCE = 100  # refused or malformed answers in a row, after which a bot has lost


class Seen:
    """A match as one seat may see it."""

    def __init__(self, match: Match, seat: int, seed: int) -> None:
        self._match, self.seat, self._seed = match, seat, seed
        self.when = match.known_length(seat)

    @property
    def game(self) -> Game:
        """Which game it is."""
        return self._match.game

    @property
    def view(self) -> dict[str, Any]:
        """What this seat may know, as plain values."""
        return self._match.view(self.seat)

    @property
    def state(self) -> Any:
        """A copy of the state with what this seat may not know replaced by chance; one's own to change."""
        state = self.game.storage.copy(self._match.state)
        conceal = self.game.knowledge.conceal
        return state if conceal is None else conceal(state, self.seat, derived_seed(self._seed, self.when))

    def legal(self, piece: int | None = None) -> Iterator[Action]:
        """The actions that may be played now, of one piece or of all."""
        return self._match.legal(self.seat, piece)

    def random_action(self) -> Action:
        """A legal action by chance."""
        return self._match.random_action(self.seat, self._seed, self.when)

    def imagine(self) -> Match:
        """A match of one's own to try things in, from here on, with other dice and other hidden facts."""
        seed = derived_seed(self._seed, self.when)
        return Match(self.game, self._match.settings, seed=seed, start=self.state)


class Bot(Protocol):
    """A program that plays."""

    def act(self, seen: Seen) -> Action:
        """The action to play now."""


class RandomBot:
    """Plays any legal action: the first opponent of every game."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, seen: Seen) -> Action:
        """A legal action by chance."""
        return seen.random_action()


def bots_of(game: Game) -> dict[str, Callable[[int], Bot]]:
    """The bots that can play a game, by name: its own, and one that plays by chance."""
    return {"random": RandomBot, **game.bots}


def play(match: Match, bots: Sequence[Bot], told: Callable[[Match], None] = lambda match: None) -> Outcome:
    """Play a match to its end; `told` is called after every action. A bot that only errs forfeits."""
    seeds = [derived_seed(match.seed, 1000 + seat) for seat in range(match.game.seat_count)]
    while waiting := match.to_act():
        seat = waiting[0]
        _one_action(match, seat, bots[seat], seeds[seat])
        told(match)
    outcome = match.outcome
    assert outcome is not None
    return outcome


def _one_action(match: Match, seat: int, bot: Bot, seed: int) -> None:
    """One action of a bot; one that crashes, or is only ever refused, has lost, and the log says why."""
    trouble = ""
    for _ in range(PATIENCE):
        try:
            said = bot.act(Seen(match, seat, seed))
        except Exception:
            LOG.exception("%s forfeits: it crashed.", match.players[seat])
            break
        answer = match.submit(seat, said)
        if not isinstance(answer, Refusal | Malformed):
            return
        trouble = f"the last ({said!r:.200}) because: {answer.reason}"
    else:
        LOG.warning(
            "%s forfeits: %d answers in a row were refused, %s", match.players[seat], PATIENCE, trouble
        )
    match.submit(seat, match.game.rules.leave_action("disconnected"))
