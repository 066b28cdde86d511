"""Hypothesis without clocks and with fixed seeds: a busy machine fails no test, and a failure comes back."""

from hypothesis import settings

settings.register_profile("engine", deadline=None, derandomize=True)
settings.load_profile("engine")
