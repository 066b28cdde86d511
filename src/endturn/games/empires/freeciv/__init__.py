"""What freeciv 3.0 writes: section files, its installed rulesets and its savegames."""
