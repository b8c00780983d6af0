"""Runs migrations over the connection of `bot.store.connections.database`, within its transaction."""

from alembic import context

from bot.store.schema import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
