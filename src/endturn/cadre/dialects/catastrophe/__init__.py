"""Catastrophe's Cadre dialect: `wire` (the table and whole states), `news` (what changes) and `ids` (objects)."""

from endturn.cadre.dialects.catastrophe.wire import DIALECT

__all__ = ["DIALECT"]
