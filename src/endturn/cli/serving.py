"""`endturn serve` and `endturn loadtest`: run a server, and measure how much load it takes."""

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
from endturn.games import find
from endturn.server.app import CannotListen, Config, Started, is_loopback, keep_log, serve
from endturn.server.app import run as run_until_stopped
from endturn.server.transports.cadre import NO_LIMITS, CadreConfig, Limits


def run(config: Config) -> None:
    """Run a server until a signal stops it."""
    allow_many_sockets()
    keep_log(config.log_json)
    if not is_loopback(config.host):
        complain(
            f"Warning: other computers can reach {config.host}, and connections are not encrypted. "
            "Put a TLS proxy in front of the server, and pass the proxy's URL with --origin."
        )
    try:
        trouble = run_until_stopped(serve(config, _ready))
    except (ArchiveDown, CannotListen) as error:
        raise Mistake(str(error)) from None
    if trouble:
        raise Mistake(f"Stopped. {trouble} Everything acknowledged earlier is saved.")
    say("Stopped. All matches are saved.")


def password(said: str | None, file: Path | None) -> str | None:
    """The password as typed, or the first line of a file. Raises Mistake if the file has none."""
    if file is None:
        return said or None
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"Cannot read the password from {file}: {_reason(error)}.") from None
    if not lines or not lines[0].strip():
        raise Mistake(f"Cannot read the password from {file}: the first line is empty.")
    return lines[0].strip()


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"


def cadre(port: int | None, arena: bool, password: str | None, no_limits: bool) -> CadreConfig | None:
    """The configuration of the Cadre transport. Without a port it is off."""
    if port is None:
        return None
    return CadreConfig(
        port=port,
        http_port=port and port + 80,
        web_port=port and port + 88,
        password=password,
        arena=arena,
        limits=NO_LIMITS if no_limits else Limits(),
    )


def _ready(where: Started) -> None:
    if where.admin is not None:
        say(f"Admin key (shown once): {where.admin}")
    if where.cadre:
        tcp, http = where.cadre["tcp"], where.cadre["http"]
        say(f"Cadre clients connect to port {tcp}. Their gamelogs are on port {http}.")
    say(f"endturn is running at [bold]{where.url}[/] (press Ctrl+C to stop).")


def allow_many_sockets() -> None:
    """Raise the limit of open files to the maximum: every socket is an open file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# --- endturn loadtest ---------------------------------------------------------------------------------------


def load(plan: Any, anywhere: bool, as_json: bool) -> None:
    """Load-test a running server, or one started for the test. Exits with code 2 if an action failed."""
    from endturn.server import loadtest  # noqa: PLC0415  (slow to import)

    allow_many_sockets()
    find(plan.game)
    plan = plan._replace(url=_address(plan.url))
    if plan.url and not anywhere and not is_loopback(urlsplit(plan.url).hostname or ""):
        raise Mistake(f"{plan.url} is a remote host. Pass --anywhere to load-test it anyway.")
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
        raise Mistake(f"{report.errors} actions failed. First error: {report.first_error}")


def _address(said: str) -> str:
    """A server's URL. The scheme http:// is optional."""
    made = said if not said or "://" in said else f"http://{said}"
    if made and not re.match("https?://[^/]", made):
        raise Mistake(f"Not a server URL: {said!r}. Expected something like http://127.0.0.1:8000.")
    return made


def _tell(report: Any, used: float | None) -> None:
    say(f"{report.actions} actions in {report.seconds} s: {report.rate} per second, {report.errors} errors")
    say(
        f"response time: {report.p50} ms (median), {report.p99} ms (99th percentile), {report.worst} ms (maximum)"
    )
    each, own = ((1000 * (cpu or 0.0) / max(1, report.actions)) for cpu in (used, report.cpu))
    if used is not None:
        say(f"server CPU: {used} s, {each:.3f} ms per action")
    say(f"load test CPU: {report.cpu} s, {own:.3f} ms per action")


@contextmanager
def _server(url: str) -> Iterator[tuple[str, int | None]]:
    """The URL and process of the server. Without a URL, runs a server with a temporary archive."""
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
    """Seconds of CPU that a process has used, from /proc."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
