"""A server for people and programs: rooms, clocks, transports; nothing acknowledged is ever lost."""
