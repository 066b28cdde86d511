"""How Catastrophe looks on the Cadre wire: `wire` holds the dialect, `ids` the objects, `news` what changes."""

from endturn.cadre.dialects.catastrophe.wire import DIALECT

__all__ = ["DIALECT"]
