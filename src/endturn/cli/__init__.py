"""The command line: commands, arguments and options. The other modules of this package hold what the commands do.

`endturn games` must be quick, so this module imports no game and nothing slow; each command imports what it needs.
"""

import os
import re
import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

MISTAKEN = 2
LAST_PORT = 65535
INTERRUPTED, PIPE_CLOSED, TERMINATED = 130, 141, 143  # 128 + the signal's number, as in shells
EXTRAS = {
    "server": "alembic argon2 prometheus_client psycopg sqlalchemy starlette structlog uvicorn uvloop websockets",
    "fast": "numba llvmlite",
}


class Commands(TyperGroup):
    """Runs a command. A user's mistake prints one sentence and exits with code 2; Ctrl+C prints nothing."""

    def main(
        self,
        args: Any = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command that the arguments name, then exit."""
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except typer.Abort:
            code = INTERRUPTED
        except Exception as error:
            code = _explain_usage(error)
        sys.exit(code)

    def invoke(self, ctx: Any) -> Any:
        """Run the command with its parsed arguments."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
            return answer
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _discard_output()
            raise typer.Exit(PIPE_CLOSED) from None
        except ModuleNotFoundError as error:
            _explain_missing(error, ctx.invoked_subcommand)
            raise typer.Exit(MISTAKEN) from None
        except (ValueError, LookupError, RuntimeError, OSError) as error:
            _explain(error)
            raise typer.Exit(MISTAKEN) from None


def _explain_usage(error: Any) -> int:
    """Print what is wrong with the arguments in one sentence; typer would draw a box of ten lines."""
    if not hasattr(error, "format_message"):
        raise error
    from endturn.cli.terminal import complain

    path = error.ctx.command_path if getattr(error, "ctx", None) else "endturn"
    sentence = re.sub(r"a valid (int|integer|float)( range)?\b", "a number", error.format_message())
    end = "" if sentence.endswith((".", "?")) else "."
    complain(f"{sentence}{end} See {path} --help.")
    return MISTAKEN


def _explain_missing(error: ModuleNotFoundError, command: str) -> None:
    """Print which extra a command needs; a missing module of no extra is our own fault and propagates."""
    from endturn.cli.terminal import complain

    missing = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if missing in modules.split():
            complain(f"endturn {command} needs the {extra} extra: pip install 'endturn[{extra}]'")
            return
    raise error


def _discard_output() -> None:
    """Drop buffered output, which Python would otherwise try to write again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain(error: Exception) -> None:
    """Print a user's mistake; any other error is our own fault and propagates."""
    from endturn.archive import BadFile
    from endturn.bots.files import BadBot
    from endturn.bots.seating import UnknownBot
    from endturn.cli.terminal import Mistake, complain
    from endturn.engine.gamelog import BadGamelog
    from endturn.engine.parts import BadRecording
    from endturn.engine.rule import BackendMissing
    from endturn.engine.settings import SettingsError
    from endturn.games import UnknownGame

    if isinstance(error, OSError):
        if error.filename is None:
            _discard_output()  # the error came from writing to standard output
        place = f"{error.filename}: " if error.filename else ""
        complain(f"{place}{error.strerror or error}.")
    elif isinstance(
        error,
        Mistake
        | BadBot
        | UnknownBot
        | BadFile
        | BadGamelog
        | BadRecording
        | SettingsError
        | BackendMissing
        | UnknownGame,
    ):
        complain(str(error))
    else:
        raise error


app = typer.Typer(
    name="endturn",
    cls=Commands,
    help="A turn-based strategy arena: play, watch, serve and verify matches.",
    add_completion=False,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game; `endturn games` lists them.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Gamelogs, plain or gzipped.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def _version(wanted: bool) -> None:
    if wanted:
        from endturn import __version__

        typer.echo(f"endturn {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="To start: endturn games")
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
def schema(game: GameName) -> None:
    """Print the JSON schema of a game's views: what a bot receives."""
    from endturn.cli import catalogue

    catalogue.schema(game)


@app.command()
def play(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...", help="One bot per seat, in order: a name, or a Python file such as ./mybot.py."
        ),
    ],
    seed: Annotated[
        str | None, typer.Option(help="From 0 to 2^64-1, decimal or 0x... The default is random.")
    ] = None,
    profile: Annotated[str | None, typer.Option(help="A named set of settings.")] = None,
    chosen: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change one setting. Repeatable.")
    ] = None,
    own_map: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="Play on your own map (see `endturn map`).")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the gamelog, gzipped.")] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save a replay as a web page that works offline."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Show the board after every turn.")] = False,
    delay: Annotated[
        float | None, typer.Option(help="Seconds to show each turn. The default on a terminal is 0.3.")
    ] = None,
    backend: Annotated[
        str, typer.Option(help="plain or compiled. Compiled rules compile while plain ones play.")
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
        Path | None, typer.Argument(metavar="[FILE]", help="A map. Without FILE, print an example map.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check your own map and describe it."""
    from endturn.cli import maps

    maps.check(game, file, as_json)


@app.command()
def bot(
    game: GameName,
    name: Annotated[str, typer.Argument(metavar="BOT", help="A bot's name, or a Python file.")],
    connect: Annotated[str, typer.Option(metavar="HOST:PORT", help="The server. The default port is 3000.")],
    session: Annotated[
        str, typer.Option(help="A session's name. * joins any open session; new creates one.")
    ] = "*",
    player: Annotated[str, typer.Option("--name", help="The bot's name in the match.")] = "",
    seat: Annotated[int | None, typer.Option(help="0 or 1. By default the server chooses.")] = None,
    settings: Annotated[
        str, typer.Option(help="Settings of a new session, such as maxTurns=50&profile=2022&opponent=random.")
    ] = "",
    password: Annotated[str | None, typer.Option(help="Password of the server or of the session.")] = None,
    profile: Annotated[
        str | None, typer.Option(help="The profile to assume if the server does not name one.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="Seed of the bot's own choices. The default is random.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Connect a bot to a Cadre server and play one match."""
    from endturn.cadre.client import JoinRequest
    from endturn.cli import remote

    wanted = JoinRequest(session, player, settings, seat, password, profile)
    remote.bot(game, name, connect, wanted, seed, as_json)


@app.command()
def verify(files: Files, as_json: AsJson = False) -> None:
    """Replay gamelogs and check every turn and the outcome."""
    from endturn.cli import gamelogs

    gamelogs.verify(files, as_json)


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A gamelog, plain or gzipped.")],
    turn: Annotated[int | None, typer.Option(help="Show the start of this turn instead of the end.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the board at the end of a gamelog, or at the start of a turn."""
    from endturn.cli import gamelogs

    gamelogs.show(file, turn, as_json)


@app.command()
def conform(
    game: GameName,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Recordings of the original server: gamelogs, or folders of consecutive savegames.",
        ),
    ],
    refusals: Annotated[
        bool, typer.Option("--refusals", help="Show refused actions: the original's sentences next to ours.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replay recordings of an original server and compare every state."""
    from endturn.cli import conformity

    conformity.conform(game, files, refusals, as_json)


@app.command("turn-change")
def turn_change(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game with a turn change.")],
    as_json: AsJson = False,
) -> None:
    """List the steps of a game's turn change."""
    from endturn.cli import catalogue

    catalogue.turn_change(game, as_json)


@app.command()
def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game. The default is every game that compiles.")
    ] = None,
    backend: Annotated[
        str | None, typer.Option(help="plain, compiled or gpu. The default is plain and compiled.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Number of matches to play at once.")] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="Number of threads. The default measures one thread, then one per core."),
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Also measure the GPU.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how fast random players play on this computer."""
    from endturn.cli import benchmark

    benchmark.bench(game, benchmark.Wanted(backend, games, threads, gpu), as_json)


CadreArena = Annotated[
    bool,
    typer.Option(
        "--cadre-arena", help="Cadre clients cannot choose settings. POST /setup creates the sessions."
    ),
]
CadrePassword = Annotated[
    str | None,
    typer.Option(
        envvar="ENDTURN_CADRE_PASSWORD",
        help="Password for Cadre clients. Other users of this computer can see options; prefer the variable.",
    ),
]
CadrePasswordFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Read the Cadre password from the first line of FILE.")
]
StaticFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Serve the browser client from FOLDER.", exists=True, file_okay=False
    ),
]


@app.command()
def serve(
    db: Annotated[
        str, typer.Option(metavar="URL", help="The archive: sqlite:///FILE or postgresql://...")
    ] = "sqlite:///endturn.db",
    host: Annotated[
        str, typer.Option(help="Address to listen on. By default only this computer can connect.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="HTTP and WebSocket port. 0 chooses a free port.", min=0, max=LAST_PORT)
    ] = 8000,
    cadre_port: Annotated[
        int,
        typer.Option(
            help="TCP port for Cadre clients. Gamelogs use this port + 80, WebSockets + 88. 0 chooses free ports.",
            min=0,
            max=LAST_PORT - 88,
        ),
    ] = 3000,
    no_cadre: Annotated[bool, typer.Option("--no-cadre", help="Do not listen for Cadre clients.")] = False,
    cadre_arena: CadreArena = False,
    cadre_password: CadrePassword = None,
    cadre_password_file: CadrePasswordFile = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Allow web pages from this origin. Repeatable."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Trust X-Forwarded-For from this proxy address or network. Repeatable.",
        ),
    ] = None,
    static: StaticFolder = None,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="Turn off rate limits, for load tests.")
    ] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Write the log as JSON lines.")] = False,
    new_admin_key: Annotated[
        bool, typer.Option("--new-admin-key", help="Create a new admin key and revoke the old one.")
    ] = False,
) -> None:
    """Start the server for browsers and bots."""
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
    config = Config(
        db=db, host=host, port=port, cadre=cadre, web=web, log_json=log_json, new_admin_key=new_admin_key
    )
    serving.run(config)


@app.command()
def loadtest(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="The game to play.")] = "anarchy",
    matches: Annotated[
        int, typer.Option(help="Number of matches to play at once.", min=1, max=100_000)
    ] = 100,
    rate: Annotated[float, typer.Option(help="Actions per second, over all matches.", min=0.1)] = 200,
    seconds: Annotated[float, typer.Option(help="Duration in seconds.", min=0.1)] = 10,
    connect: Annotated[
        str, typer.Option(metavar="URL", help="A running server. By default the test starts its own.")
    ] = "",
    anywhere: Annotated[bool, typer.Option("--anywhere", help="Allow a remote host.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how fast a server answers, with many matches and a steady rate of actions."""
    from endturn.cli import serving
    from endturn.server.loadtest import LoadPlan

    serving.load(LoadPlan(connect, game, matches, rate, seconds, {}), anywhere, as_json)


@app.command(hidden=True)
def types(root: Annotated[Path, typer.Argument(metavar="ROOT", help="The repository.")] = Path()) -> None:
    """Write the files that are generated from the code: TypeScript types and docs/views."""
    from endturn.cli.terminal import Mistake

    if not (root / "src" / "endturn" / "protocol.py").is_file():
        raise Mistake(f"{root} is not a checkout of endturn.")
    from endturn.cli.generated import generated

    for path, text in generated():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def main() -> None:
    """Run `endturn` with the arguments of the process."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(TERMINATED))  # unwinds, so partial files go
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  (the parent process closed it)
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without arrows still shows the board
    try:
        app(prog_name="endturn")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
