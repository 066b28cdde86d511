"""Storage: gamelog files (`files`), and the database with a server's matches (`store`)."""

from endturn.archive.files import BadFile, content, lines, replay, verify, writing

__all__ = ["BadFile", "content", "lines", "replay", "verify", "writing"]
