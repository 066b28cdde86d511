"""How clients reach the server: `web` (HTTP and WebSocket) and `cadre` (the original clients' protocol over TCP)."""
