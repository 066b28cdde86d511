"""Players that work for any game, and what a player is given."""

from endturn.bots.player import Bot, Seen, play

__all__ = ["Bot", "Seen", "play"]
