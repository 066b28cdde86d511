"""`endturn serve`: the arena for people and programs; `endturn loadtest`: how much of it one can bear."""

import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from endturn.archive.store import ArchiveDown
from endturn.cli.terminal import Mistake, complain, say, say_json
from endturn.server.app import CannotListen, Config, Ready, is_loopback, keep_log, serve
from endturn.server.app import run as run_until_stopped
from endturn.server.transports.cadre import NO_LIMITS, Limits


def run(config: Config) -> None:
    """Run a server until it is told to stop."""
    allow_many_sockets()
    keep_log(config.log_json)
    if not is_loopback(config.host):
        complain(
            f"Careful: {config.host} can be reached from other machines, and what is sent is not encrypted; "
            "put a proxy with TLS in front of it, and name the address people type with --origin."
        )
    try:
        trouble = run_until_stopped(serve(config, _ready))
    except (ArchiveDown, CannotListen) as error:
        raise Mistake(str(error)) from None
    if trouble:
        raise Mistake(f"Stopped. {trouble} What had been acknowledged before is in it.")
    say("Stopped; all matches are kept.")


def password(said: str | None, file: Path | None) -> str | None:
    """A password that was said, or the first line of a file; Mistake where there is none."""
    if file is None:
        return said or None
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"The password cannot be read from {file}: {error}.") from None
    if not lines or not lines[0].strip():
        raise Mistake(f"{file} has no password in its first line.")
    return lines[0].strip()


def cadre(port: int | None, arena: bool, password: str | None, no_limits: bool) -> dict[str, Any]:
    """What is configured of the Cadre transport; no port is none of it."""
    ports = None if port is None else (port, port and port + 80, port and port + 88)
    limits = NO_LIMITS if no_limits else Limits()
    return {"cadre": ports, "cadre_arena": arena, "cadre_password": password, "cadre_limits": limits}


def _ready(where: Ready) -> None:
    if where.admin is not None:
        say(f"The admin's key, which is shown only now: {where.admin}")
    if where.cadre:
        tcp, http = where.cadre["tcp"], where.cadre["http"]
        say(f"Clients of the Cadre framework connect to port {tcp}, and find gamelogs at port {http}.")
    say(f"The arena is at [bold]{where.url}[/] (stop it with Ctrl+C).")


def allow_many_sockets() -> None:
    """As many open files as the system lets this program have: every socket is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# --- endturn loadtest ---------------------------------------------------------------------------------------


def load(plan: Any, anywhere: bool, as_json: bool) -> None:
    """Test a server that runs, or one that is started for it; exit code 2 where anything went wrong."""
    from endturn.server import loadtest  # noqa: PLC0415  (its parts are slow to import)

    allow_many_sockets()
    plan = plan._replace(url=_address(plan.url))
    if plan.url and not anywhere and not is_loopback(urlsplit(plan.url).hostname or ""):
        raise Mistake(f"{plan.url} is another machine: with --anywhere it is tested all the same.")
    with _server(plan.url) as (url, pid):
        before = [0.0]

        def opened(line: str) -> None:
            before[0] = _cpu(pid)
            if not as_json:
                say(line)

        report = loadtest.run(plan._replace(url=url), opened)
        used = None if pid is None else round(_cpu(pid) - before[0], 2)
    if as_json:
        say_json({**report._asdict(), "server_cpu_seconds": used})
    else:
        _tell(report, used)
    if report.errors:
        raise Mistake(f"{report.errors} actions went wrong, the first so: {report.first_error}")


def _address(said: str) -> str:
    """A server's address; what has no http:// before it is one all the same."""
    made = said if not said or "://" in said else f"http://{said}"
    if made and not re.match("https?://[^/]", made):
        raise Mistake(f"{said} is no server's address, which is as http://127.0.0.1:8000.")
    return made


def _tell(report: Any, used: float | None) -> None:
    say(
        f"{report.actions} actions in {report.seconds} seconds: {report.rate} a second, {report.errors} errors"
    )
    say(
        f"answered within {report.p50} ms (half of them), {report.p99} ms (99 of 100), {report.worst} ms (all)"
    )
    each, own = ((1000 * (cpu or 0.0) / max(1, report.actions)) for cpu in (used, report.cpu))
    if used is not None:
        say(f"the server used {used} seconds of CPU for that, {each:.3f} ms for an action")
    say(f"this program used {report.cpu} seconds of CPU itself, {own:.3f} ms for an action")


@contextmanager
def _server(url: str) -> Iterator[tuple[str, int | None]]:
    """The server's address; where none is given, that of one with an archive of its own, which ends with the test."""
    if url:
        yield url.rstrip("/"), None
        return
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, "-c", "from endturn.cli import main; main()"]
        options = [
            "serve",
            "--port",
            "0",
            "--no-cadre",
            "--no-limits",
            "--db",
            f"sqlite:///{folder}/arena.db",
        ]
        process = subprocess.Popen([*program, *options], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = None
            while found is None and (line := process.stdout.readline()):
                found = re.search(r"http://[^ ]*[0-9]", line)
            if found is None:
                raise Mistake("The server did not start.")
            yield found.group(), process.pid
        finally:
            process.terminate()
            process.communicate()


def _cpu(pid: int | None) -> float:
    """Seconds of CPU that a process has used, as Linux says it."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
