"""Compiling ahead of need: calls every compiled function that a match uses."""

from typing import Any

from endturn.engine.game import Game
from endturn.engine.match import Match
from endturn.engine.record import Watched


def warm(game: Game, settings: Any) -> Match:
    """Compile the rules of a match with these settings, or load them from the cache. Returns a scratch match."""
    match = Match(game, settings, backend="compiled")
    seat = match.to_act()[0]
    match.refuse(seat, match.game.rules.default_action)
    match.random_action(seat, 1, 1)
    if match.game.knowledge.preview_size is not None:
        match.preview(seat)
    match.submit(seat, match.game.rules.default_action)
    match.changed(Watched(match.layout, match.first))
    return match
