"""One module or package for each game that is played over Cadre: its `DIALECT`."""
