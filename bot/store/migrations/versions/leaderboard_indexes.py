"""Adds the index of hidden people, and columns to that of tallies, for leaderboards of a million games."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

OLD_COLUMNS = ["scope", "period", "key", "alone", "wins"]


def upgrade() -> None:
    op.drop_index("tally_scope_idx", "tally")
    op.create_index("tally_scope_idx", "tally", [*OLD_COLUMNS, "games", "gained", "person"])
    hidden = sa.text("hidden")
    op.create_index("person_hidden_idx", "person", ["id"], sqlite_where=hidden, postgresql_where=hidden)


def downgrade() -> None:
    op.drop_index("person_hidden_idx", "person")
    op.drop_index("tally_scope_idx", "tally")
    op.create_index("tally_scope_idx", "tally", OLD_COLUMNS)
