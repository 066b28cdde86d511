"""The matches of a server in a database: SQLite by default, PostgreSQL by URL.

    store = Store("sqlite:///arena.db")
    store.write([insert(MATCHES, {...}), insert(ENTRIES, {...})])    # all or nothing; on disk when it returns
    store.match("k3v…"), store.entries("k3v…"), store.unfinished()

Every call waits for the disk, so the server calls this module from a separate thread. Database errors become one
exception, `ArchiveDown`, whose message can be shown to players.
"""

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

HEAD = "0001"  # the newest of migrations/versions
BUSY_SECONDS = 2  # to wait for another program's lock
PATIENCE_SECONDS = 5  # to wait for PostgreSQL to answer
HANGING_SECONDS = PATIENCE_SECONDS + 1  # to wait before we close a connection that hangs
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}  # by the scheme of the URL
ADDRESS = (
    "Use sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
    "and write @, : and / in a password as %40, %3A and %2F."
)

TABLES = sa.MetaData()
MATCHES = sa.Table(
    "matches",
    TABLES,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),  # JSON
    sa.Column("seed", sa.String(16), nullable=False),  # secret until the match is over
    sa.Column("start", sa.Text),  # the first position, if it was not set up from the seed
    sa.Column("timing", sa.Text, nullable=False),  # JSON
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("status", sa.String(8), nullable=False),  # open, running, over, failed
    sa.Column("created_at", sa.BigInteger, nullable=False),  # times are milliseconds since 1970
    sa.Column("changed_at", sa.BigInteger, nullable=False),
    sa.Column("outcome", sa.Text),  # JSON
    sa.Column("clock", sa.Text),  # JSON: the clocks at the start
    sa.Index("matches_by_status", "status", "changed_at"),
)
SEATS = sa.Table(
    "seats",
    TABLES,
    sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),  # person, link, bot
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("bot", sa.String(80)),
    sa.Column("token", sa.String(64)),  # a hash; only the owner has the token
    sa.Column("account", sa.String(32)),
)
ENTRIES = sa.Table(
    "entries",
    TABLES,
    sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),  # act, undo, chat, pause, resume
    sa.Column("seat", sa.Integer),
    sa.Column("body", sa.Text, nullable=False),  # JSON: the action, the text
    sa.Column("clock", sa.Text),  # JSON: the clocks after it; null if it changed none of them
    sa.Column("state", sa.String(32)),  # checksum of the state, if a turn began
)
RESULTS = sa.Table(
    "results",
    TABLES,
    sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
GAMELOGS = sa.Table(
    "gamelogs",
    TABLES,
    sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("kind", sa.String(16), primary_key=True),  # endturn, cadre, begun
    sa.Column("name", sa.String(200), nullable=False, index=True),
    sa.Column("packed", sa.LargeBinary, nullable=False),  # gzip
)
ACCOUNTS = sa.Table(
    "accounts",
    TABLES,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column("password", sa.String(200), nullable=False),  # argon2id
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
KEYS = sa.Table(
    "keys",
    TABLES,
    sa.Column("token", sa.String(64), primary_key=True),  # a hash
    sa.Column("account", sa.String(32)),
    sa.Column("purpose", sa.String(8), nullable=False),  # login, admin
    sa.Column("expires_at", sa.BigInteger),
)
HEARTBEAT = sa.Table(
    "heartbeat",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("uptime", sa.BigInteger, nullable=False),  # milliseconds of service so far, over all runs
)

Row = dict[str, Any]


class ArchiveDown(RuntimeError):
    """The database cannot be used now. It changed nothing, unless `unknown` is true."""

    def __init__(self, sentence: str, unknown: bool = False) -> None:
        super().__init__(sentence)
        self.unknown = unknown  # the commit itself failed, so the database may have changed


class Conflict(RuntimeError):
    """The database rejects these changes, for example because a row with that key exists."""


class Write(msgspec.Struct, frozen=True, gc=False):
    """One change: a statement and its values."""

    statement: Any
    values: Row


INSERTS = {table.name: sa.insert(table) for table in TABLES.sorted_tables}
_NEW_ENTRY = INSERTS[ENTRIES.name]
NEW_ROWS = {statement: name for name, statement in INSERTS.items()}
TOGETHER = (
    128,
    32,
    8,
    4,
    2,
    1,
)  # rows per SQLite statement; only a few sizes, so that statements stay prepared
EMPTY = {table.name: dict.fromkeys(table.c.keys()) for table in TABLES.sorted_tables}


def insert(table: sa.Table, values: Row) -> Write:
    """A new row. Columns without a value are null."""
    return Write(INSERTS[table.name], {**EMPTY[table.name], **values})


def new_entry(**values: Any) -> Write:
    """A new row of `entries`, the most frequent write, with all its columns in order."""
    return Write(_NEW_ENTRY, values)


def change_match(match: str, **values: Any) -> Write:
    """New values in the row of a match."""
    return Write(_update(MATCHES, ("id",), tuple(values)), {**values, "key_id": match})


def change_seat(match: str, seat: int, **values: Any) -> Write:
    """New values in the row of a seat."""
    keys = {"key_match": match, "key_seat": seat}
    return Write(_update(SEATS, ("match", "seat"), tuple(values)), {**values, **keys})


def drop_key(token: str) -> Write:
    """Delete a key, given the hash of its token."""
    return Write(_DROP_KEY, {"key_token": token})


def drop_admins() -> Write:
    """Delete all admin keys."""
    return Write(_DROP_ADMINS, {"key_purpose": "admin"})


def drop_gamelog(match: str, kind: str) -> Write:
    """Delete a match's gamelog of this kind."""
    return Write(_DROP_GAMELOG, {"key_match": match, "key_kind": kind})


def beat(at: int, uptime: int) -> Write:
    """Record that the server is alive, and its milliseconds of service so far."""
    return Write(_update(HEARTBEAT, ("id",), ("at", "uptime")), {"key_id": 1, "at": at, "uptime": uptime})


@cache
def _many_rows(table: str, many: int) -> str:
    """A statement that inserts this many rows; `insert` puts the values in the order of the columns."""
    columns = EMPTY[table]
    row = f"({', '.join('?' * len(columns))})"
    names = ", ".join(f'"{name}"' for name in columns)
    return f"INSERT INTO {table} ({names}) VALUES {', '.join([row] * many)}"


_DROP_KEY = sa.delete(KEYS).where(KEYS.c.token == sa.bindparam("key_token"))
_DROP_ADMINS = sa.delete(KEYS).where(KEYS.c.purpose == sa.bindparam("key_purpose"))
_DROP_GAMELOG = sa.delete(GAMELOGS).where(
    GAMELOGS.c.match == sa.bindparam("key_match"), GAMELOGS.c.kind == sa.bindparam("key_kind")
)


@cache
def _update(table: sa.Table, keys: tuple[str, ...], columns: tuple[str, ...]) -> Any:
    """An update of these columns. Equal columns give the same object, so that equal changes are sent together."""
    chosen = sa.and_(*(table.c[key] == sa.bindparam(f"key_{key}") for key in keys))
    return sa.update(table).where(chosen).values({name: sa.bindparam(name) for name in columns})


class Store:
    """A database of matches."""

    def __init__(self, url: str) -> None:
        """Open the database and migrate its tables. Raises ArchiveDown."""
        # Called at every step of a write. Tests use it to kill the process or fill the disk.
        self.at: Callable[[str], None] = lambda step: None
        self._writing = threading.Lock()
        self._line: Any = None  # the connection that writes
        self._texts: dict[Any, str] = {}  # statements compiled for the driver
        self._file = _File(None)
        try:
            self.engine = _engine(url)
        except SQLAlchemyError as error:
            raise ArchiveDown(_sentence(error)) from error
        try:
            self._migrate()
            self._file = _File(self.engine.url.database if self.engine.dialect.name == "sqlite" else None)
        except (self._driver.Error, SQLAlchemyError, OSError) as error:
            self.engine.dispose()
            raise ArchiveDown(_sentence(error)) from error
        except BaseException:
            self.engine.dispose()
            raise

    def _migrate(self) -> None:
        """Migrate the tables if necessary. Only then import Alembic, which is very slow to import."""
        with self.engine.begin() as connection:
            known = sa.inspect(connection).has_table("alembic_version")
            if known and connection.scalar(sa.text("select version_num from alembic_version")) == HEAD:
                return
        from alembic import command  # noqa: PLC0415
        from alembic.config import Config  # noqa: PLC0415
        from alembic.util import CommandError  # noqa: PLC0415

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.set_main_option("path_separator", "os")
        with self.engine.begin() as connection:
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as error:
                raise ArchiveDown(
                    f"The archive was written by another version of endturn: {error}."
                ) from error
            if connection.scalar(sa.select(sa.func.count()).select_from(HEARTBEAT)) == 0:
                connection.execute(sa.insert(HEARTBEAT), {"id": 1, "at": 0, "uptime": 0})

    def close(self) -> None:
        """Close the database."""
        with self._writing:
            self._hang_up()
        self.engine.dispose()

    # --- writing ---
    # Writes call the driver directly, over one connection that stays open. Through SQLAlchemy, committing one row
    # takes twice as much CPU.

    def write(self, writes: Sequence[Write]) -> None:
        """Make all changes in one transaction; they are on disk when this returns.

        Raises Conflict or ArchiveDown, and then changes nothing. Changes by the same statement are grouped: make two
        calls if their order matters.
        """
        with self._writing:
            grouped = _grouped(writes)
            if not self._wrote(grouped, again=self._line is not None):
                self._wrote(grouped, again=False)
            self.at("committed")

    def _wrote(self, grouped: Sequence[tuple[Any, list[Row]]], again: bool) -> bool:
        """Try to write. Returns False if only the connection was lost and the caller can try `again`."""
        driver, unknown = self._driver, False
        try:
            self.at("before")
            self._file.check()
            line = self._connected()
            cursor = line.cursor()
            for statement, rows in grouped:
                self._execute(cursor, statement, rows)
                self.at("written")
            self.at("commit")
            unknown = self.engine.dialect.name != "sqlite"
            line.commit()
            unknown = True
            self._file.check_log()
            return True
        except (driver.IntegrityError, driver.DataError) as error:
            self._roll_back()
            raise Conflict(_sentence(error, "The archive rejects this change")) from error
        except (driver.Error, SQLAlchemyError, OSError) as error:
            lost = self._line is not None and self._is_lost(error)
            self._hang_up()
            if again and lost and not unknown:
                return False
            raise ArchiveDown(_sentence(error), unknown) from error
        except BaseException:
            self._hang_up()
            raise

    def _execute(self, cursor: Any, statement: Any, rows: list[Row]) -> None:
        """Execute a statement for many rows. SQLite's `executemany` releases the GIL for each row and then waits for
        other threads, so SQLite gets many rows in one statement instead."""
        if self.engine.dialect.name != "sqlite" or statement not in NEW_ROWS:
            cursor.executemany(self._text(statement), rows)
            return
        values, at = [list(row.values()) for row in rows], 0
        for many in TOGETHER:
            while len(rows) - at >= many:
                cursor.execute(_many_rows(NEW_ROWS[statement], many), list(chain(*values[at : at + many])))
                at += many

    @property
    def _driver(self) -> Any:
        return self.engine.dialect.dbapi

    def _is_lost(self, error: BaseException) -> bool:
        """Whether the connection was lost, for example because PostgreSQL restarted."""
        line = self._line.driver_connection
        return bool(self.engine.dialect.is_disconnect(error, line, None))  # type: ignore[arg-type]

    def _connected(self) -> Any:
        if self._line is None:
            self._line = self.engine.raw_connection()
        return self._line

    def _roll_back(self) -> None:
        try:
            self._line.rollback()
        except self._driver.Error:
            self._hang_up()

    def _hang_up(self) -> None:
        """Roll back and close the connection. The next write opens a new one."""
        line, self._line = self._line, None
        if line is None:
            return
        for end in line.rollback, line.driver_connection.close, line.invalidate:
            with suppress(self._driver.Error, SQLAlchemyError):  # the connection may already be closed
                end()

    def _text(self, statement: Any) -> str:
        if statement not in self._texts:
            self._texts[statement] = str(statement.compile(dialect=self.engine.dialect))
        return self._texts[statement]

    # --- reading ---

    def match(self, match: str) -> Row | None:
        """The row of a match."""
        found = self._rows(sa.select(MATCHES).where(MATCHES.c.id == match))
        return found[0] if found else None

    def seats(self, match: str) -> list[Row]:
        """The seats of a match, in order."""
        return self._rows(sa.select(SEATS).where(SEATS.c.match == match).order_by(SEATS.c.seat))

    def entries(self, match: str) -> list[Row]:
        """The entries of a match, in order."""
        return self._rows(sa.select(ENTRIES).where(ENTRIES.c.match == match).order_by(ENTRIES.c.number))

    def unfinished(self) -> list[Row]:
        """The open and running matches, each with its latest clocks."""
        every = ENTRIES.alias()
        told = (every.c.match == MATCHES.c.id) & every.c.clock.is_not(None)
        last = sa.select(sa.func.max(every.c.number)).where(told).scalar_subquery()
        joined = MATCHES.outerjoin(ENTRIES, (ENTRIES.c.match == MATCHES.c.id) & (ENTRIES.c.number == last))
        live = MATCHES.c.status.in_(("open", "running"))
        clock = sa.func.coalesce(ENTRIES.c.clock, MATCHES.c.clock).label("clock")
        asked = sa.select(MATCHES.c.id, MATCHES.c.status, MATCHES.c.timing, clock)
        return self._rows(asked.select_from(joined).where(live))

    def with_bots(self) -> set[str]:
        """The unfinished matches with bots."""
        live = sa.select(MATCHES.c.id).where(MATCHES.c.status.in_(("open", "running")))
        asked = sa.select(SEATS.c.match).where((SEATS.c.kind == "bot") & SEATS.c.match.in_(live)).distinct()
        return {row["match"] for row in self._rows(asked)}

    def listed(self, statuses: Iterable[str], limit: int = 50, before: int | None = None) -> list[Row]:
        """Public matches without their seeds, most recently changed first."""
        columns = [column for column in MATCHES.c if column.name not in ("seed", "start")]
        chosen = MATCHES.c.status.in_(tuple(statuses)) & MATCHES.c.public
        if before is not None:
            chosen &= MATCHES.c.changed_at < before
        asked = sa.select(*columns).where(chosen).order_by(MATCHES.c.changed_at.desc()).limit(limit)
        return self._rows(asked)

    def seats_of(self, matches: Sequence[str]) -> dict[str, list[Row]]:
        """The seats of several matches, by match, in order."""
        made: dict[str, list[Row]] = {match: [] for match in matches}
        asked = sa.select(SEATS).where(SEATS.c.match.in_(made)).order_by(SEATS.c.match, SEATS.c.seat)
        for row in self._rows(asked):
            made[row["match"]].append(row)
        return made

    def gamelog(
        self, *, match: str | None = None, kind: str = "endturn", name: str | None = None
    ) -> Row | None:
        """A gamelog by match or by name; otherwise the newest."""
        asked = (
            sa.select(GAMELOGS).join(MATCHES, MATCHES.c.id == GAMELOGS.c.match).where(GAMELOGS.c.kind == kind)
        )
        if match is not None:
            asked = asked.where(GAMELOGS.c.match == match)
        if name is not None:
            asked = asked.where(GAMELOGS.c.name == name)
        found = self._rows(asked.order_by(MATCHES.c.changed_at.desc()).limit(1))
        return found[0] if found else None

    def gamelogs(self, kind: str) -> list[Row]:
        """All gamelogs of a kind."""
        return self._rows(sa.select(GAMELOGS).where(GAMELOGS.c.kind == kind))

    def gamelog_names(self, kind: str, limit: int = 1000) -> list[str]:
        """The names of the newest gamelogs."""
        asked = sa.select(GAMELOGS.c.name).join(MATCHES, MATCHES.c.id == GAMELOGS.c.match)
        asked = asked.where(GAMELOGS.c.kind == kind).order_by(MATCHES.c.changed_at.desc()).limit(limit)
        return [row["name"] for row in self._rows(asked)]

    def results(self, limit: int = 50) -> list[Row]:
        """The results of public matches, newest first, with one row per seat."""
        newest = sa.select(MATCHES.c.id).where((MATCHES.c.status == "over") & MATCHES.c.public)
        newest = newest.order_by(MATCHES.c.changed_at.desc()).limit(limit)
        asked = (
            sa.select(RESULTS, MATCHES.c.game, MATCHES.c.changed_at)
            .join(MATCHES, MATCHES.c.id == RESULTS.c.match)
            .where(RESULTS.c.match.in_(newest))
            .order_by(MATCHES.c.changed_at.desc(), RESULTS.c.match, RESULTS.c.seat)
        )
        return self._rows(asked)

    def account(self, name: str) -> Row | None:
        """An account by its name, ignoring case."""
        found = self._rows(sa.select(ACCOUNTS).where(ACCOUNTS.c.id == account_id(name)))
        return found[0] if found else None

    def key(self, token: str) -> Row | None:
        """A key by the hash of its token."""
        found = self._rows(sa.select(KEYS).where(KEYS.c.token == token))
        return found[0] if found else None

    def has_admin(self) -> bool:
        """Whether an admin key exists."""
        return bool(self._rows(sa.select(KEYS.c.token).where(KEYS.c.purpose == "admin").limit(1)))

    def uptime(self) -> float:
        """Milliseconds of service up to the last heartbeat, over all runs."""
        return float(self._rows(sa.select(HEARTBEAT.c.uptime))[0]["uptime"])

    def _rows(self, asked: Any) -> list[Row]:
        try:
            self._file.check()
            with self.engine.connect() as connection:
                return [dict(row) for row in connection.execute(asked).mappings()]
        except (self._driver.Error, SQLAlchemyError, OSError) as error:
            raise ArchiveDown(_sentence(error)) from error


class _File:
    """SQLite's file. A process can write to a file that was deleted, but everything is lost when the process ends."""

    def __init__(self, path: str | None) -> None:
        self._path = path if path and path != ":memory:" and not path.startswith("file:") else None
        self._identity = self._look()
        self._lost = False  # its log was deleted, so new writes may be lost

    def _look(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        found = os.stat(self._path)
        return found.st_dev, found.st_ino

    def check(self) -> None:
        """Raise OSError if the file is no longer the one that was opened."""
        if self._lost:
            raise OSError(f"the log file of {self._path} was deleted. Restart the server")
        try:
            same = self._look() == self._identity
        except FileNotFoundError:
            raise OSError(f"{self._path} was deleted or moved. Put it back") from None
        if not same:
            raise OSError(f"{self._path} was replaced by another file. Restart the server")

    def check_log(self) -> None:
        """The same after a commit, which SQLite first writes to a log file."""
        self.check()
        # Reading the file's times instead would make the system update them at every commit.
        if self._path is not None and not os.access(f"{self._path}-wal", os.F_OK):
            self._lost = True
            self.check()


def account_id(name: str) -> str:
    """The id of an account. Names that differ only in case have the same id."""
    return name.casefold()[:32]


def _grouped(writes: Sequence[Write]) -> list[tuple[Any, list[Row]]]:
    """The rows of each statement, with new matches before the rows that refer to them."""
    made: dict[Any, list[Row]] = {INSERTS["matches"]: []}
    for write in writes:
        made.setdefault(write.statement, []).append(write.values)
    return [(statement, rows) for statement, rows in made.items() if rows]


def _understood(url: str) -> sa.URL:
    """The parts of a database URL. Raises ArchiveDown, whose message does not contain the password."""
    try:
        parts = sa.make_url(url)
    except (SQLAlchemyError, ValueError):
        raise ArchiveDown(f"Invalid archive URL. {ADDRESS}") from None
    if parts.drivername not in {*DRIVERS, *DRIVERS.values()}:
        raise ArchiveDown(f"The archive does not support {parts.drivername!r} databases. {ADDRESS}")
    # An unescaped @ in the password puts a part of it into the host name.
    if "@" in (parts.host or "") or (parts.host and parts.drivername == "sqlite"):
        raise ArchiveDown(f"Invalid archive URL. {ADDRESS}")
    return parts.set(drivername=DRIVERS.get(parts.drivername, parts.drivername))


def _engine(url: str) -> sa.Engine:
    """A pool of connections. Parameters are named, which both drivers support."""
    parts = _understood(url)
    if parts.drivername == "sqlite":
        engine = sa.create_engine(parts, paramstyle="named")
        sa.event.listen(engine, "connect", _prepare_sqlite)
        return engine
    limits = f"-c statement_timeout={PATIENCE_SECONDS}s -c lock_timeout={BUSY_SECONDS}s"
    known = {
        "connect_timeout": PATIENCE_SECONDS,
        "tcp_user_timeout": PATIENCE_SECONDS * 1000,
        "options": limits,
    }
    engine = sa.create_engine(parts, pool_pre_ping=True, connect_args=known)
    sa.event.listen(engine, "do_connect", lambda _, __, args, named: _impatient().connect(*args, **named))
    return engine


@cache
def _impatient() -> Any:
    """A class of PostgreSQL connections that closes when no answer comes in time.

    PostgreSQL's own timeouts do not help if PostgreSQL itself hangs.
    """
    import psycopg  # noqa: PLC0415  (only PostgreSQL needs it)

    class Impatient(psycopg.Connection[Any]):
        def wait(self, gen: Any, *args: Any, **named: Any) -> Any:
            return super().wait(self._in_time(gen), *args, **named)

        def _in_time(self, gen: Any) -> Generator[Any, Any, Any]:
            over, ready = time.monotonic() + HANGING_SECONDS, None
            try:
                while True:
                    ready = yield gen.send(ready)
                    if not ready and time.monotonic() > over:
                        self.pgconn.finish()
                        raise psycopg.OperationalError(
                            f"PostgreSQL did not answer within {HANGING_SECONDS} seconds"
                        )
            except StopIteration as done:
                return done.value

    return Impatient


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """Let readers and the writer work at the same time, sync every commit, and wait briefly for locks."""
    for setting in (
        "journal_mode=WAL",
        "synchronous=FULL",
        f"busy_timeout={int(BUSY_SECONDS * 1000)}",
        "foreign_keys=ON",
        "temp_store=MEMORY",  # no temporary file for undoing a statement of many rows
    ):
        connection.execute(f"PRAGMA {setting}")


def _sentence(error: BaseException, what: str = "The archive is not available") -> str:
    cause = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()
    return f"{what}: {cause[0].rstrip('.') if cause else 'no reason given'}."
