"""Treasure once more, but Ann's marks are her secret: nobody else hears of one, or sees more than that it is large."""

from dataclasses import replace
from typing import Any

import treasure_game
from endturn.engine.actions import Actions, Rule
from endturn.engine.game import Game
from treasure_game import Mark, Shore, mark, refuse_mark

LARGE = 50


def view(shore: Shore, seat: int | None) -> dict[str, Any]:
    seen = treasure_game.view(shore, seat)
    return seen if seat == 0 else {**seen, "mark": None, "large": shore.mark >= LARGE}


game: Game = replace(
    treasure_game.game,
    name="secrets",
    title="Secrets",
    actions=Actions({**treasure_game.game.actions, Mark: Rule(refuse_mark, mark, hidden=True)}),
    knowledge=replace(treasure_game.game.knowledge, view=view),
)
