"""Parts that games are built from; each can be used without the others."""
