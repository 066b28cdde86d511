"""Parts that games share. Each works without the others."""
