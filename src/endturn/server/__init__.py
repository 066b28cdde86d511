"""The server: matches, clocks and transports, for people and programs. Everything it acknowledges is saved."""
