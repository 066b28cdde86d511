"""`endturn serve`: the arena for people and programs."""

import asyncio

from endturn.archive.store import ArchiveDown
from endturn.cli.terminal import Mistake, complain, say
from endturn.server.app import CannotListen, Config, is_loopback, keep_log, serve


def run(config: Config) -> None:
    """Run a server until it is told to stop."""
    keep_log(config.log_json)
    if not is_loopback(config.host):
        complain(
            f"Careful: {config.host} can be reached from other machines, and what is sent is not encrypted; "
            "put a proxy with TLS in front of it, and name the address people type with --origin."
        )
    try:
        asyncio.run(serve(config, _ready))
    except (ArchiveDown, CannotListen) as error:
        raise Mistake(str(error)) from None
    say("Stopped; all matches are kept.")


def _ready(url: str, admin: str | None) -> None:
    if admin is not None:
        say(f"The admin's key, which is shown only now: {admin}")
    say(f"The arena is at [bold]{url}[/] (stop it with Ctrl+C).")
