"""The archive's database, on SQLite and PostgreSQL."""

import os
import signal
import sqlite3
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from arena import entry, row, sqlite
from endturn.archive import store as module
from endturn.archive.store import (
    ENTRIES,
    GAMELOGS,
    KEYS,
    MATCHES,
    RESULTS,
    SEATS,
    TABLES,
    ArchiveDown,
    Conflict,
    Store,
    beat,
    change_match,
    change_seat,
    drop_gamelog,
    insert,
)
from endturn.server.history import Entry
from endturn.server.live_match import Pending
from endturn.server.match_rows import rows_of


@pytest.fixture
def store(url):
    made = Store(url)
    yield made
    made.close()


def test_migrations_create_the_declared_tables(store):
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, TABLES) == []
        assert context.get_current_revision() == module.HEAD


def test_newest_migration_is_the_expected_one():
    versions = Path(module.__file__).parent / "migrations" / "versions"
    assert max(file.name.split("_")[0] for file in versions.glob("[0-9]*.py")) == module.HEAD


def test_current_archive_opens_unchanged(url):
    first = Store(url)
    first.write([insert(MATCHES, row("m"))])
    first.close()
    again = Store(url)
    assert again.match("m")["game"] == "g"
    again.close()


def test_writes_are_visible_to_other_connections(store):
    store.write([insert(MATCHES, row("m")), insert(ENTRIES, entry("m", 1)), insert(ENTRIES, entry("m", 2))])
    assert [each["number"] for each in store.entries("m")] == [1, 2]
    assert store.match("m")["public"] is True and store.match("m")["start"] is None


def test_bytes_and_nulls_are_stored_unchanged(store):
    packed = bytes(range(256))
    store.write([insert(MATCHES, row("m"))])
    store.write([insert(GAMELOGS, {"match": "m", "kind": "endturn", "name": "n", "packed": packed})])
    store.write([insert(KEYS, {"token": "t", "purpose": "admin"})])
    assert store.gamelog(match="m")["packed"] == packed
    assert store.key("t")["expires_at"] is None and store.has_admin()


def test_match_is_written_before_its_entries(store):
    store.write([insert(MATCHES, row("m"))])
    said = [{"match": match, "kind": "begun", "name": match, "packed": b"x"} for match in "mn"]
    store.write([insert(GAMELOGS, said[0]), insert(MATCHES, row("n")), insert(GAMELOGS, said[1])])
    assert sorted(each["match"] for each in store.gamelogs("begun")) == ["m", "n"]
    store.write([drop_gamelog("m", "begun"), drop_gamelog("n", "endturn")])
    assert [each["match"] for each in store.gamelogs("begun")] == ["n"]


def test_conflict_rolls_the_transaction_back(store):
    store.write([insert(MATCHES, row("m")), insert(ENTRIES, entry("m", 1))])
    with pytest.raises(Conflict):
        store.write(
            [insert(MATCHES, row("n")), insert(ENTRIES, entry("m", 2)), insert(ENTRIES, entry("m", 1))]
        )
    assert store.match("n") is None and len(store.entries("m")) == 1
    store.write([insert(ENTRIES, entry("m", 2))])
    assert len(store.entries("m")) == 2


def test_entry_without_a_match_is_a_conflict(store):
    with pytest.raises(Conflict):
        store.write([insert(ENTRIES, entry("nobody", 1))])


@pytest.mark.parametrize("step", ["before", "written", "commit"])
def test_failure_before_the_commit_changes_nothing(store, step):
    def at(reached):
        if reached == step:
            raise OSError(28, "No space left on device")

    store.write([insert(MATCHES, row("m"))])
    store.at = at
    with pytest.raises(ArchiveDown, match="No space left"):
        store.write([insert(ENTRIES, entry("m", 1)), change_match("m", status="over")])
    store.at = lambda reached: None
    assert store.entries("m") == [] and store.match("m")["status"] == "open"
    store.write([insert(ENTRIES, entry("m", 1))])


def test_change_affects_only_its_rows(store):
    store.write([insert(MATCHES, row("m")), insert(MATCHES, row("n"))])
    seat = {"seat": 0, "kind": "link", "name": ""}
    store.write([insert(SEATS, {"match": match, **seat}) for match in "mn"])
    store.write([change_match("m", status="over", outcome="{}"), change_seat("n", 0, name="Zoë", token="h")])
    assert (store.match("m")["status"], store.match("n")["status"]) == ("over", "open")
    assert (store.seats("m")[0]["name"], store.seats("n")[0]["name"]) == ("", "Zoë")


def test_similar_changes_share_one_driver_call(store):
    steps = []
    store.write([insert(MATCHES, row("m"))])
    store.at = steps.append
    store.write([write for n in range(1, 9) for write in (insert(ENTRIES, entry("m", n)), beat(n, n))])
    assert steps == ["before", "written", "written", "commit", "committed"]
    assert len(store.entries("m")) == 8 and store.uptime() == 8


def test_unfinished_matches_include_their_last_clocks(store):
    store.write(
        [
            insert(MATCHES, row(name, status=status))
            for name, status in [
                ("open", "open"),
                ("begun", "running"),
                ("played", "running"),
                ("over", "over"),
            ]
        ]
    )
    store.write([change_match("begun", clock="first"), change_match("played", clock="first")])
    store.write([insert(ENTRIES, entry("played", n, clock=f"after {n}")) for n in (1, 2)])
    store.write([insert(ENTRIES, entry("played", 3, clock=None))])  # hidden, so that it touched no clock
    store.write([insert(ENTRIES, entry("begun", 1, clock=None))])  # talk, before it began
    found = {each["id"]: each["clock"] for each in store.unfinished()}
    assert found == {"open": None, "begun": "first", "played": "after 2"}


def test_results_list_only_finished_public_matches(store):
    kinds = {"shown": {"status": "over"}, "secret": {"status": "over", "public": False}, "going": {}}
    place = {"seat": 0, "name": "Ann", "place": 1, "reason": "has 3 gold"}
    store.write([insert(MATCHES, row(name, **values)) for name, values in kinds.items()])
    store.write([insert(RESULTS, {"match": name, **place}) for name in kinds])
    assert [each["match"] for each in store.results()] == ["shown"]


def test_invalid_database_is_named(tmp_path):
    (tmp_path / "arena.db").write_text("this is a shopping list, and no database at all")
    with pytest.raises(ArchiveDown, match="file is not a database"):
        Store(sqlite(tmp_path))


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(ArchiveDown, match="unable to open database file"):
        Store(f"sqlite:///{tmp_path}/nowhere/arena.db")


def test_newer_database_is_left_alone(url):
    first = Store(url)
    with first.engine.begin() as connection:
        connection.execute(sa.text("update alembic_version set version_num = '9999'"))
    first.close()
    with pytest.raises(ArchiveDown, match="another version"):
        Store(url)


def test_sqlite_syncs_commits_and_allows_concurrent_readers(tmp_path):
    store = Store(sqlite(tmp_path))
    store.write([insert(MATCHES, row("m"))])
    line = store._line.cursor()
    settings = {
        name: line.execute(f"pragma {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
    }
    assert settings == {"journal_mode": "wal", "synchronous": 2}
    with sqlite3.connect(tmp_path / "arena.db") as other:
        assert other.execute("select id from matches").fetchall() == [("m",)]
    other.close()
    store.close()


def test_postgresql_restart_between_writes_is_transparent(cluster):
    store = Store(cluster.database())
    store.write([insert(MATCHES, row("m"))])
    cluster.stop("fast")
    cluster.start()
    store.write([insert(ENTRIES, entry("m", 1))])
    assert len(store.entries("m")) == 1
    store.close()


def test_postgresql_restart_between_reads_is_transparent(cluster):
    store = Store(cluster.database())
    store.write([insert(MATCHES, row("m"))])
    assert store.match("m")
    cluster.stop("fast")
    cluster.start()
    assert store.match("m")
    store.close()


def test_commit_with_a_lost_answer_is_not_repeated(cluster, monkeypatch):
    store = Store(cluster.database())
    store.write([insert(MATCHES, row("m"))])  # so that there is a connection to lose
    commit, tries = psycopg.Connection.commit, []

    def lost(line):
        tries.append(line)
        commit(line)
        line.close()
        raise psycopg.OperationalError("the connection was lost")

    with monkeypatch.context() as fault, pytest.raises(ArchiveDown, match="was lost") as told:
        fault.setattr(psycopg.Connection, "commit", lost)
        store.write([insert(ENTRIES, entry("m", 1))])
    assert told.value.unknown and len(tries) == 1
    assert len(store.entries("m")) == 1
    store.write([insert(ENTRIES, entry("m", 2))])
    store.close()


def test_too_long_name_fails_only_its_own_write(cluster):
    store = Store(cluster.database())
    store.write([insert(MATCHES, row("m"))])
    with pytest.raises(Conflict):
        store.write([insert(SEATS, {"match": "m", "seat": 0, "kind": "link", "name": "x" * 81})])
    store.write([insert(SEATS, {"match": "m", "seat": 0, "kind": "link", "name": "x" * 80})])
    store.close()


def test_long_row_lock_counts_as_archive_down(cluster):
    address = cluster.database()
    store = Store(address)
    store.write([insert(MATCHES, row("m"))])
    with psycopg.connect(address) as other:
        other.execute("update matches set status = 'over'")
        with pytest.raises(ArchiveDown, match="lock timeout"):
            store.write([change_match("m", status="failed")])
    store.write([change_match("m", status="failed")])
    assert store.match("m")["status"] == "failed"
    store.close()


def test_new_entry_has_all_columns_in_order():
    """For SQLite values are given by their place: two that were exchanged would be in each other's column."""
    entry = Entry(1, 2, "act", 0, {"do": "bet"}, 3)
    (made,) = rows_of(
        "m", Pending(answer=None, at=2, status="running", entry=entry, reading="{}", checksum="f00d")
    )
    assert list(made.values) == ENTRIES.c.keys()
    assert made == insert(ENTRIES, made.values)


def moved(folder, away):
    """The files of an archive in another folder."""
    away.mkdir(exist_ok=True)
    for file in folder.glob("arena.db*"):
        file.rename(away / file.name)


def test_moved_file_refuses_writes_until_it_is_back(tmp_path):
    store = Store(sqlite(tmp_path))
    store.write([insert(MATCHES, row("m"))])
    moved(tmp_path, tmp_path / "away")
    with pytest.raises(ArchiveDown, match="was deleted or moved. Put it back") as down:
        store.write([insert(ENTRIES, entry("m", 1))])
    assert not down.value.unknown
    with pytest.raises(ArchiveDown, match="was deleted or moved"):
        store.entries("m")
    assert not (tmp_path / "arena.db").exists()
    moved(tmp_path / "away", tmp_path)
    store.write([insert(ENTRIES, entry("m", 1))])
    assert len(store.entries("m")) == 1
    store.close()


def test_file_moved_during_a_write_makes_it_uncertain(tmp_path):
    store = Store(sqlite(tmp_path))
    store.at = lambda step: moved(tmp_path, tmp_path / "away") if step == "commit" else None
    with pytest.raises(ArchiveDown, match="was deleted or moved") as down:
        store.write([insert(MATCHES, row("m"))])
    assert down.value.unknown
    store.close()


def test_replaced_file_is_not_written(tmp_path):
    store = Store(sqlite(tmp_path))
    store.write([insert(MATCHES, row("m"))])
    moved(tmp_path, tmp_path / "away")
    sqlite(tmp_path)
    for asked in (lambda: store.write([insert(MATCHES, row("n"))]), lambda: store.match("m")):
        with pytest.raises(ArchiveDown, match="replaced by another file"):
            asked()
    store.close()


def test_deleted_wal_file_refuses_writes(tmp_path):
    store = Store(sqlite(tmp_path))
    store.write([insert(MATCHES, row("m"))])
    (tmp_path / "arena.db-wal").unlink()
    for name in "no":
        with pytest.raises(ArchiveDown, match="the log file of"):
            store.write([insert(MATCHES, row(name))])
    store.close()


def stopped_backends(address):
    """All connections that the cluster has to a database, frozen."""
    name = sa.make_url(address).database
    with psycopg.connect(address) as other:
        asked = "select pid from pg_stat_activity where datname = %s and pid <> pg_backend_pid()"
        found = other.execute(asked, [name]).fetchall()
    assert found
    for (number,) in found:
        os.kill(number, signal.SIGSTOP)
    return [number for (number,) in found]


@pytest.mark.parametrize("step", ["before", "commit"])
def test_hanging_postgresql_connection_times_out(cluster, monkeypatch, step):
    monkeypatch.setattr(module, "HANGING_SECONDS", 0.3)
    address, stopped = cluster.database(), []
    store = Store(address)
    store.write([insert(MATCHES, row("m"))])
    assert store.match("m")  # a second connection, which will hang too
    store.at = lambda at: stopped.extend(stopped_backends(address)) if at == step and not stopped else None
    try:
        if step == "before":  # nothing has happened yet, so that another connection is tried
            store.write([insert(ENTRIES, entry("m", 1))])
            assert len(store.entries("m")) == 1
        else:
            with pytest.raises(ArchiveDown, match="PostgreSQL did not answer within 0.3 seconds") as down:
                store.write([insert(ENTRIES, entry("m", 1))])
            assert down.value.unknown and store.match("m")
    finally:
        for number in stopped:
            os.kill(number, signal.SIGCONT)
    store.close()
