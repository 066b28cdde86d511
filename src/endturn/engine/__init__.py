"""What runs a game. Pure: no sockets, files, clocks or threads of its own making."""
