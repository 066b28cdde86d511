"""endturn: a turn-based strategy arena. One engine, faithful games, any bot, every result verifiable."""

__version__ = "0.1.0"
