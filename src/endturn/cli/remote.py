"""`endturn bot`: connects a bot to a server over the Cadre protocol."""

from typing import NamedTuple

from endturn.bots.seating import maker, shown
from endturn.cadre import NoDialect
from endturn.cadre.client import JoinRequest, RemoteError, play_at
from endturn.cli.matches import read_seed
from endturn.cli.terminal import Mistake, quoted, say, say_json
from endturn.games import find

PORT = 3000


class Where(NamedTuple):
    """A server's address, as typed."""

    host: str
    port: int


def place_of(said: str) -> Where:
    """The host and port in HOST:PORT, where the port is optional."""
    host, mark, port = said.rpartition(":")
    if not mark:
        return Where(said, PORT)
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise Mistake(f"--connect needs HOST:PORT with a port from 1 to 65535, not {said[:80]!r}.")
    return Where(host.strip("[]") or "127.0.0.1", int(port))


def bot(game: str, name: str, connect: str, wanted: JoinRequest, seed: str | None, as_json: bool) -> None:
    """Play one match on a server and print the outcome."""
    table = find(game)
    make = maker(table, name)
    chosen = wanted._replace(name=wanted.name or shown(name))
    silent = (lambda text: None) if as_json else lambda text: say(quoted(text))
    try:
        ended = play_at(table, make, read_seed(seed), place_of(connect), chosen, silent)
    except (NoDialect, RemoteError) as error:
        raise Mistake(str(error)) from None
    if as_json:
        say_json(ended._asdict())
    else:
        say(f"[bold]{'won' if ended.won else 'lost'}[/]: {quoted(ended.reason)}")
        say(f"gamelog: {quoted(str(ended.gamelog).replace('__HOSTNAME__', place_of(connect).host))}")
