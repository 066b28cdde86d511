"""How people and programs reach the server: `web` (HTTP and WebSocket) and `cadre` (TCP, the original protocol)."""
