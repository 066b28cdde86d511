"""A position of Catastrophe as a line of text (`text`), and as the servers showed it (`wire`, `ids`, `news`)."""

from endturn.games.catastrophe.notation.text import read, write
from endturn.games.catastrophe.notation.wire import CADRE

__all__ = ["CADRE", "read", "write"]
