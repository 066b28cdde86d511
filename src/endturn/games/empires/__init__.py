"""Empires, our 4X: its world and the whole turn change, checked against the real freeciv server."""
