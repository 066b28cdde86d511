"""Bots: what a bot is, what it sees, how bots play a match, and a random bot for any game."""

from endturn.bots.player import Bot, RandomBot, Seen, bots_of, play

__all__ = ["Bot", "RandomBot", "Seen", "bots_of", "play"]
