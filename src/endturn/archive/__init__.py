"""What is kept: gamelog files (`files`), and the matches of a server in a database (`store`)."""

from endturn.archive.files import BadFile, content, lines, replay, verify, writing

__all__ = ["BadFile", "content", "lines", "replay", "verify", "writing"]
