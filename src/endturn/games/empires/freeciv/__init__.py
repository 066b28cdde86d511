"""Files of Freeciv 3.0: section files, installed rulesets and savegames."""
