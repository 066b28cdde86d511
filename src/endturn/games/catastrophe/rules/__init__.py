"""The rules of Catastrophe by chapter: actions and their refusals, turns, and the outcome."""
