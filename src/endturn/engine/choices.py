"""Choices: actions numbered as options of pieces, for masks, learning and random play."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from endturn.engine.actions import Action, Row
from endturn.engine.rule import rule


@rule
def one_piece(state: Any) -> int:
    """One piece, for games whose choices need no pieces."""
    return 1


@rule
def never_idle(state: Any, seat: int, piece: int) -> bool:
    """No piece is known to be idle, for games with few pieces."""
    return False


@dataclass(frozen=True, kw_only=True, eq=False)
class Choices:
    """How a game numbers its actions. Without `action_of`, every possible action is an option of one piece."""

    pieces: Callable[[Any], int] = one_piece
    options: Callable[[Any], int] | None = None
    action_of: Callable[[Any, int, int], Row] | None = None  # state, piece, option; verb -1 if there is none
    is_idle: Callable[[Any, int, int], bool] = never_idle  # state, seat, piece: a quick test for "no action"
    sampled: frozenset[type[Action]] = (
        frozenset()
    )  # kinds of which only some values are numbered, say amounts
    random_action: Callable[[Any, int, int, int], Row] | None = None  # state, seat, seed, when
    every: tuple[Row, ...] = ()  # every possible action; `Game` fills it in if there is no `action_of`

    def option_count(self, state: Any) -> int:
        """How many options a piece has at most."""
        return self.options(state) if self.options else len(self.every)

    def row(self, state: Any, piece: int, option: int) -> Row:
        """The action of an option, as numbers; verb -1 if there is none."""
        return self.action_of(state, piece, option) if self.action_of else self.every[option]

    def legal_rows(
        self, state: Any, seat: int, refuse: Callable[..., int], piece: int | None = None
    ) -> Iterator[Row]:
        """The legal actions of one piece, or of all pieces."""
        for each in range(self.pieces(state)) if piece is None else (piece,):
            if not self.is_idle(state, seat, each):
                for option in range(self.option_count(state)):
                    row = self.row(state, each, option)
                    if row[0] >= 0 and refuse(state, seat, row) == 0:
                        yield row
