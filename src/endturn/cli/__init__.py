"""The command line: what can be typed. What the commands do is in the modules beside, imported when used.

`endturn games` must answer at once, so nothing here imports a game, NumPy or a table before it is needed.
"""

import os
import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

MISTAKEN = 2
LAST_PORT = 65535
INTERRUPTED, PIPE_CLOSED, TERMINATED = 130, 141, 143  # 128 + the signal's number, as shells count


class Commands(TyperGroup):
    """Runs a command; a user's mistake becomes one sentence and exit code 2, an interruption silence."""

    def main(
        self,
        args: Any = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command that the arguments name, and end the program."""
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except typer.Abort:
            code = INTERRUPTED
        except Exception as error:
            code = _explain_usage(error)
        sys.exit(code)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, its arguments understood."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
            return answer
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _discard_output()
            raise typer.Exit(PIPE_CLOSED) from None
        except (ValueError, LookupError, RuntimeError, OSError) as error:
            _explain(error)
            raise typer.Exit(MISTAKEN) from None


def _explain_usage(error: Any) -> int:
    """Print what is wrong with the arguments, in a sentence (typer would draw a box of ten lines)."""
    if not hasattr(error, "format_message"):
        raise error
    from endturn.cli.terminal import complain

    path = error.ctx.command_path if getattr(error, "ctx", None) else "endturn"
    complain(f"{error.format_message().rstrip('.')}: see {path} --help.")
    return MISTAKEN


def _discard_output() -> None:
    """Let what is still buffered vanish: Python would try to write it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain(error: Exception) -> None:
    """Print the sentence of a user's mistake; any other error is ours, and goes on."""
    from endturn.archive import BadFile
    from endturn.bots.files import BadBot
    from endturn.cli.terminal import Mistake, complain
    from endturn.engine.gamelog import BadGamelog
    from endturn.engine.rule import BackendMissing
    from endturn.engine.settings import SettingsError
    from endturn.games import UnknownGame
    from endturn.games.empires.freeciv.secfile import BadSecfile

    if isinstance(error, OSError):
        if error.filename is None:
            _discard_output()  # it was the output that could not be written
        place = f"{error.filename}: " if error.filename else ""
        complain(f"{place}{error.strerror or error}.")
    elif isinstance(
        error,
        Mistake | BadBot | BadFile | BadGamelog | BadSecfile | SettingsError | BackendMissing | UnknownGame,
    ):
        complain(str(error))
    else:
        raise error


app = typer.Typer(
    name="endturn",
    cls=Commands,
    help="A turn-based strategy arena: play, watch, verify and measure matches between bots.",
    add_completion=False,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `endturn games` lists it.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Gamelogs, gzipped or not.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def _version(wanted: bool) -> None:
    if wanted:
        from endturn import __version__

        typer.echo(f"endturn {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="Begin with: endturn games")
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games with their seats, profiles and bots."""
    from endturn.cli import catalogue

    catalogue.games(as_json)


@app.command()
def rules(game: GameName, as_json: AsJson = False) -> None:
    """Print a game's rules and settings."""
    from endturn.cli import catalogue

    catalogue.rules(game, as_json)


@app.command()
def play(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT", help="A bot for each seat, in order: a name, or a file of yours, ./mybot.py."
        ),
    ],
    seed: Annotated[
        str | None, typer.Option(help="From 0 to 2^64-1, also as 0x...; by chance if not given.")
    ] = None,
    profile: Annotated[str | None, typer.Option(help="A named set of settings.")] = None,
    chosen: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="One setting; can be repeated.")
    ] = None,
    own_map: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="A map of your own, see `endturn map`.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the gamelog here, gzipped.")] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page here that replays the match, offline too."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over FILE where it exists.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Show the board turn by turn.")] = False,
    delay: Annotated[float | None, typer.Option(help="Seconds a turn is shown; 0.3 on a terminal.")] = None,
    backend: Annotated[
        str, typer.Option(help="plain starts at once; compiled suits long matches.")
    ] = "plain",
    as_json: AsJson = False,
) -> None:
    """Play a match between bots."""
    from endturn.cli import matches

    order = matches.Order(game, tuple(bots), seed, profile, tuple(chosen or ()), backend, own_map)
    matches.play(order, matches.Keep(out, force, html), matches.Watch(watch, delay), as_json)


@app.command("map")
def check_map(
    game: GameName,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A map; without, one to begin with is printed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a map of your own, and say what is on it."""
    from endturn.cli import maps

    maps.check(game, file, as_json)


@app.command()
def bot(
    game: GameName,
    name: Annotated[str, typer.Argument(metavar="BOT", help="A bot's name, or a file of your own.")],
    connect: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="A server; the port is 3000 if not said.")
    ],
    session: Annotated[
        str, typer.Option(help="A session's name; * is any that is open, new a new one.")
    ] = "*",
    player: Annotated[str, typer.Option("--name", help="What the bot is called there.")] = "",
    seat: Annotated[int | None, typer.Option(help="0 or 1; any if not given.")] = None,
    settings: Annotated[
        str, typer.Option(help="For the session: maxTurns=50&profile=2022&opponent=random")
    ] = "",
    password: Annotated[str | None, typer.Option(help="The server's or the session's.")] = None,
    profile: Annotated[
        str | None, typer.Option(help="The rules of a server that does not say which it plays by.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="Of the bot's own choices; by chance if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let a bot play one match at a server, as a client of the original protocol."""
    from endturn.cadre.client import Wanted
    from endturn.cli import remote

    wanted = Wanted(session, player, settings, seat, password, profile)
    remote.bot(game, name, connect, wanted, seed, as_json)


@app.command()
def verify(files: Files, as_json: AsJson = False) -> None:
    """Play gamelogs again and check that every state and the outcome are as they say."""
    from endturn.cli import gamelogs

    gamelogs.verify(files, as_json)


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A gamelog, gzipped or not.")],
    turn: Annotated[
        int | None, typer.Option(help="The beginning of this turn; the end if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the board of a gamelog at its end, or at the beginning of a turn."""
    from endturn.cli import gamelogs

    gamelogs.show(file, turn, as_json)


@app.command()
def conform(
    game: GameName,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Gamelogs of the original server; for empires folders of consecutive saves.",
        ),
    ],
    refusals: Annotated[
        bool, typer.Option("--refusals", help="Show the original's sentences beside ours.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare a game with gamelogs of the original server, state by state."""
    if game == "empires":
        from endturn.cli import empires

        empires.conform(files, as_json)
        return
    from endturn.cli import conformity

    conformity.conform(game, files, refusals, as_json)


@app.command("turn-change")
def turn_change(
    game: Annotated[str, typer.Argument(metavar="GAME", help="empires, which has a turn change.")],
    as_json: AsJson = False,
) -> None:
    """Print what happens at a turn change, step by step."""
    from endturn.cli import empires

    empires.turn_change(game, as_json)


@app.command()
def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game's name; all games if not given.")
    ] = None,
    backend: Annotated[
        str | None, typer.Option(help="plain, compiled or gpu; plain and compiled if not given.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Matches side by side.")] = None,
    threads: Annotated[
        int | None, typer.Option(help="Threads that share them; one, and one a core, if not given.")
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure the GPU too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how fast the rules run on this machine, by random play."""
    from endturn.cli import benchmark

    benchmark.bench(game, benchmark.Wanted(backend, games, threads, gpu), as_json)


CadreArena = Annotated[
    bool,
    typer.Option(
        "--cadre-arena", help="Such clients choose no settings; sessions are set up by POST /setup."
    ),
]
CadrePassword = Annotated[
    str | None,
    typer.Option(
        envvar="ENDTURN_CADRE_PASSWORD",
        help="What such clients have to know. Others on this machine see options: use the variable or a file.",
    ),
]
CadrePasswordFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The same from the first line of a file.")
]


@app.command()
def serve(
    db: Annotated[
        str, typer.Option(metavar="URL", help="Where matches are kept: sqlite:///FILE or postgresql://…")
    ] = "sqlite:///endturn.db",
    host: Annotated[
        str, typer.Option(help="The address to listen at; only this machine if not given.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="For browsers and programs; 0 is any that is free.", min=0, max=LAST_PORT)
    ] = 8000,
    cadre_port: Annotated[
        int,
        typer.Option(
            help="For clients of the Cadre framework; gamelogs are 80 and WebSockets 88 above it. 0: any free.",
            min=0,
            max=LAST_PORT - 88,
        ),
    ] = 3000,
    no_cadre: Annotated[bool, typer.Option("--no-cadre", help="Do not listen for such clients.")] = False,
    cadre_arena: CadreArena = False,
    cadre_password: CadrePassword = None,
    cadre_password_file: CadrePasswordFile = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A web address whose pages may use the server; can be repeated."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy, or a network of them, that says in X-Forwarded-For who asks; can be repeated.",
        ),
    ] = None,
    static: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The built browser client, where it lies elsewhere.")
    ] = None,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Let an address ask as much as it likes: for measuring.")
    ] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log lines of JSON.")] = False,
    new_admin_key: Annotated[
        bool, typer.Option("--new-admin-key", help="Make a new key for the admin; the old one opens nothing.")
    ] = False,
) -> None:
    """Start the arena: a server for browsers and for programs."""
    from endturn.cli import serving
    from endturn.cli.terminal import Mistake
    from endturn.server.app import Config
    from endturn.server.transports.web import options

    try:
        web = options(origin or (), static, no_limits, trusted_proxy or ())
    except ValueError as error:
        raise Mistake(str(error)) from None
    password = serving.password(cadre_password, cadre_password_file)
    cadre = serving.cadre(None if no_cadre else cadre_port, cadre_arena, password, no_limits)
    more = {"log_json": log_json, "new_admin_key": new_admin_key, **cadre}
    serving.run(Config(db=db, host=host, port=port, web=web, **more))


@app.command()
def loadtest(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game's name.")] = "anarchy",
    matches: Annotated[int, typer.Option(help="Matches side by side.", min=1, max=100_000)] = 100,
    rate: Annotated[float, typer.Option(help="Actions a second, in all matches together.", min=0.1)] = 200,
    seconds: Annotated[float, typer.Option(help="How long.", min=0.1)] = 10,
    connect: Annotated[
        str, typer.Option(metavar="URL", help="A server that runs; one is started if not given.")
    ] = "",
    anywhere: Annotated[
        bool, typer.Option("--anywhere", help="Also where the server is another machine.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how fast a server answers: many matches over the WebSocket, with actions at a steady rate."""
    from endturn.cli import serving
    from endturn.server.loadtest import Plan

    serving.load(Plan(connect, game, matches, rate, seconds, {}), anywhere, as_json)


@app.command(hidden=True)
def types(file: Annotated[Path, typer.Argument(metavar="FILE", help="web/src/protocol.ts")]) -> None:
    """Write the protocol's types for the browser client."""
    from endturn.server.typescript import typescript

    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(typescript(), encoding="utf-8")


def main() -> None:
    """The program `endturn`."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(TERMINATED))  # so that parts of files go
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  (closed by whoever started us)
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no arrows still gets its board
    try:
        app(prog_name="endturn")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
