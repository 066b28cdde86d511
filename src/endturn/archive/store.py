"""The matches of a server in a database: SQLite by default, PostgreSQL by URL.

    store = Store("sqlite:///arena.db")
    store.write([insert(MATCHES, {...}), insert(ENTRIES, {...})])    # all of it or nothing; on disk when it returns
    store.match("k3v…"), store.entries("k3v…"), store.unfinished()

Everything here waits for the disk, so a server calls it from a thread of its own. What goes wrong with the
database is one exception, `ArchiveDown`, with a sentence that can be shown to players.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

HEAD = "0001"  # the newest of migrations/versions
BUSY_SECONDS = 2  # to wait for another program that has locked SQLite's file

TABLES = sa.MetaData()
MATCHES = sa.Table(
    "matches",
    TABLES,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),  # JSON
    sa.Column("seed", sa.String(16), nullable=False),  # a secret until the match is over
    sa.Column("start", sa.Text),  # the position it began with, where that was not set up from the seed
    sa.Column("timing", sa.Text, nullable=False),  # JSON
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("status", sa.String(8), nullable=False),  # open, running, over, failed
    sa.Column("created_at", sa.BigInteger, nullable=False),  # times are milliseconds since 1970
    sa.Column("changed_at", sa.BigInteger, nullable=False),
    sa.Column("outcome", sa.Text),  # JSON
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
    sa.Column("token", sa.String(64)),  # a hash; the token itself is only with its owner
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
    sa.Column("clock", sa.Text, nullable=False),  # JSON: what the clocks said after it
    sa.Column("state", sa.String(32)),  # the state's fingerprint, where a turn began with it
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
    sa.Column("kind", sa.String(16), primary_key=True),  # endturn, cadre
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
)

Row = dict[str, Any]


class ArchiveDown(RuntimeError):
    """The database cannot be used now; nothing of what was asked has happened, as far as anyone can know."""


class Conflict(RuntimeError):
    """Something of that key is there already."""


class Write(NamedTuple):
    """One change: a statement, and the values of a row."""

    statement: Any
    values: Row


INSERTS = {table.name: sa.insert(table) for table in TABLES.sorted_tables}


def insert(table: sa.Table, values: Row) -> Write:
    """A new row."""
    return Write(INSERTS[table.name], values)


def change_match(match: str, **values: Any) -> Write:
    """New values in the row of a match."""
    return Write(sa.update(MATCHES).where(MATCHES.c.id == match).values(**values), {})


def change_seat(match: str, seat: int, **values: Any) -> Write:
    """New values in the row of a seat."""
    chosen = (SEATS.c.match == match) & (SEATS.c.seat == seat)
    return Write(sa.update(SEATS).where(chosen).values(**values), {})


def beat(at: int) -> Write:
    """The server was alive at this time."""
    return Write(sa.update(HEARTBEAT).where(HEARTBEAT.c.id == 1).values(at=at), {})


class Store:
    """A database of matches."""

    def __init__(self, url: str) -> None:
        """Open it, and bring its tables up to date; ArchiveDown says why that cannot be."""
        # Called at every step of a write, by name: where tests kill the process, or let the disk be full.
        self.at: Callable[[str], None] = lambda step: None
        try:
            self.engine = sa.create_engine(_with_driver(url), pool_pre_ping=url.startswith("postgresql"))
            if self.engine.dialect.name == "sqlite":
                sa.event.listen(self.engine, "connect", _prepare_sqlite)
            self._migrate()
        except (SQLAlchemyError, OSError) as error:
            raise ArchiveDown(_sentence(error)) from error

    def _migrate(self) -> None:
        """Alembic takes longer to import than all else, so it is asked only where there is something to do."""
        with self.engine.begin() as connection:
            known = sa.inspect(connection).has_table("alembic_version")
            if known and connection.scalar(sa.text("select version_num from alembic_version")) == HEAD:
                return
        from alembic import command  # noqa: PLC0415
        from alembic.config import Config  # noqa: PLC0415

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.set_main_option("path_separator", "os")
        with self.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            if connection.scalar(sa.select(sa.func.count()).select_from(HEARTBEAT)) == 0:
                connection.execute(sa.insert(HEARTBEAT), {"id": 1, "at": 0})

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    # --- writing ---

    def write(self, writes: Sequence[Write]) -> None:
        """All changes in one transaction, on disk when this returns; Conflict or ArchiveDown: none of them."""
        self.at("before")
        try:
            with self.engine.begin() as connection:
                for statement, rows in _grouped(writes):
                    connection.execute(statement, rows)
                    self.at("written")
                self.at("commit")
        except IntegrityError as error:
            raise Conflict(_sentence(error)) from error
        except (SQLAlchemyError, OSError) as error:
            raise ArchiveDown(_sentence(error)) from error
        self.at("committed")

    # --- reading ---

    def match(self, match: str) -> Row | None:
        """The row of a match."""
        found = self._rows(sa.select(MATCHES).where(MATCHES.c.id == match))
        return found[0] if found else None

    def seats(self, match: str) -> list[Row]:
        """The seats of a match, in order."""
        return self._rows(sa.select(SEATS).where(SEATS.c.match == match).order_by(SEATS.c.seat))

    def entries(self, match: str) -> list[Row]:
        """What happened in a match, in order."""
        return self._rows(sa.select(ENTRIES).where(ENTRIES.c.match == match).order_by(ENTRIES.c.number))

    def unfinished(self) -> list[Row]:
        """The matches that are open or running, each with the clocks after its last entry."""
        last = (
            sa.select(ENTRIES.c.match, sa.func.max(ENTRIES.c.number).label("number"))
            .group_by(ENTRIES.c.match)
            .subquery()
        )
        joined = MATCHES.outerjoin(last, MATCHES.c.id == last.c.match).outerjoin(
            ENTRIES, (ENTRIES.c.match == last.c.match) & (ENTRIES.c.number == last.c.number)
        )
        live = MATCHES.c.status.in_(("open", "running"))
        return self._rows(sa.select(MATCHES, ENTRIES.c.clock, ENTRIES.c.at).select_from(joined).where(live))

    def with_bots(self) -> set[str]:
        """The unfinished matches in which bots play."""
        live = sa.select(MATCHES.c.id).where(MATCHES.c.status.in_(("open", "running")))
        asked = sa.select(SEATS.c.match).where((SEATS.c.kind == "bot") & SEATS.c.match.in_(live)).distinct()
        return {row["match"] for row in self._rows(asked)}

    def listed(self, statuses: Iterable[str], limit: int = 50, before: int | None = None) -> list[Row]:
        """Public matches, the last changed first, without their seeds."""
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
        """A gamelog by its match or by its name; the newest where neither is said."""
        asked = (
            sa.select(GAMELOGS).join(MATCHES, MATCHES.c.id == GAMELOGS.c.match).where(GAMELOGS.c.kind == kind)
        )
        if match is not None:
            asked = asked.where(GAMELOGS.c.match == match)
        if name is not None:
            asked = asked.where(GAMELOGS.c.name == name)
        found = self._rows(asked.order_by(MATCHES.c.changed_at.desc()).limit(1))
        return found[0] if found else None

    def gamelog_names(self, kind: str, limit: int = 1000) -> list[str]:
        """The names of the newest gamelogs."""
        asked = sa.select(GAMELOGS.c.name).join(MATCHES, MATCHES.c.id == GAMELOGS.c.match)
        asked = asked.where(GAMELOGS.c.kind == kind).order_by(MATCHES.c.changed_at.desc()).limit(limit)
        return [row["name"] for row in self._rows(asked)]

    def results(self, limit: int = 50) -> list[Row]:
        """The results of public matches, the newest first: a row a seat."""
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
        """An account by its name."""
        found = self._rows(sa.select(ACCOUNTS).where(ACCOUNTS.c.name == name))
        return found[0] if found else None

    def key(self, token: str) -> Row | None:
        """A key by the hash of its token."""
        found = self._rows(sa.select(KEYS).where(KEYS.c.token == token))
        return found[0] if found else None

    def has_admin(self) -> bool:
        """Whether an admin's key was made already."""
        return bool(self._rows(sa.select(KEYS.c.token).where(KEYS.c.purpose == "admin").limit(1)))

    def last_beat(self) -> int:
        """When the server was alive last."""
        return int(self._rows(sa.select(HEARTBEAT.c.at))[0]["at"])

    def _rows(self, asked: Any) -> list[Row]:
        try:
            with self.engine.connect() as connection:
                return [dict(row) for row in connection.execute(asked).mappings()]
        except (SQLAlchemyError, OSError) as error:
            raise ArchiveDown(_sentence(error)) from error


def _grouped(writes: Sequence[Write]) -> list[tuple[Any, list[Row]]]:
    """Rows for the same statement in a row go to the database together."""
    made: list[tuple[Any, list[Row]]] = []
    for statement, values in writes:
        if made and made[-1][0] is statement:
            made[-1][1].append(values)
        else:
            made.append((statement, [values]))
    return made


def _with_driver(url: str) -> str:
    return "postgresql+psycopg" + url[len("postgresql") :] if url.startswith("postgresql:") else url


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """Readers beside the writer, every commit on the disk, and a short wait where another program has a lock."""
    for setting in (
        "journal_mode=WAL",
        "synchronous=FULL",
        f"busy_timeout={BUSY_SECONDS * 1000}",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {setting}")


def _sentence(error: Exception) -> str:
    cause = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines() or [
        "it does not say why"
    ]
    return f"The archive cannot be used now: {cause[0].rstrip('.')}."
