"""Players that work for any game, and what a player is given."""

from endturn.bots.player import Bot, RandomBot, Seen, bots_of, play

__all__ = ["Bot", "RandomBot", "Seen", "bots_of", "play"]
