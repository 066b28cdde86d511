"""A PostgreSQL of one's own: a cluster in a temporary folder, reached over a Unix socket, gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg
import pytest

BINARIES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
# No fsync: what is killed here is our server, and what PostgreSQL has written stays with the system.
SETTINGS = (
    "-c listen_addresses= -c fsync=off -c synchronous_commit=on -c max_connections=30 -c shared_buffers=16MB"
)


def cluster_or_skip():
    """A running cluster; where PostgreSQL is not installed the test is skipped, unless it has to run."""
    if BINARIES is None:
        reason = "PostgreSQL is not on this machine: there is no /usr/lib/postgresql/*/bin."
        pytest.fail(reason) if os.environ.get("ENDTURN_NEEDS_POSTGRES") else pytest.skip(reason)
    return Cluster()


class Cluster:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="endturn-pg-"))
        self.user = _user()
        os.chown(self.folder, *self.user)
        try:
            self._run(
                "initdb",
                "-U",
                "endturn",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "-N",
                "--no-instructions",
            )
            self.start()
        except BaseException:
            shutil.rmtree(self.folder)
            raise
        self.made = 0

    def start(self):
        options = f"{SETTINGS} -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, how="immediate"):
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def close(self):
        self.stop()
        shutil.rmtree(self.folder)

    def database(self):
        """The address of a new, empty database."""
        self.made += 1
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database d{self.made}")
        return self.url(f"d{self.made}")

    def url(self, name):
        return f"postgresql://endturn@/{name}?host={self.folder}"

    def _run(self, program, *arguments):
        uid, gid = self.user
        command = [BINARIES / program, "-D", self.folder / "data", *arguments]
        # The postmaster would keep a pipe open: what it says goes to a file.
        with tempfile.TemporaryFile() as said:
            other = {"user": uid, "group": gid, "extra_groups": []} if os.geteuid() == 0 else {}
            done = subprocess.run(command, stdout=said, stderr=said, cwd=self.folder, **other)
            said.seek(0)
            assert done.returncode == 0, said.read().decode()


def _user():
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return os.geteuid(), os.getegid()
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return entry.pw_uid, entry.pw_gid
