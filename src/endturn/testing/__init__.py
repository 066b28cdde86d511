"""Checks for any game, ours or yours."""
