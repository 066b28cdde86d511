"""How Alembic reaches the database: over the connection that `store` hands it."""

from alembic import context

from endturn.archive.store import TABLES

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=TABLES,
    render_as_batch=True,  # SQLite alters a table by making it anew
)
with context.begin_transaction():
    context.run_migrations()
