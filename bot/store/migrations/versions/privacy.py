"""Adds `person.hidden` (on no leaderboard), and the indexes that find the rows of a person to forget."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("person", sa.Column("hidden", sa.Boolean(), nullable=False, server_default=sa.false()))
    naming, personal = sa.text("kind IN ('open', 'join', 'take', 'ask')"), sa.text("reader <> ''")
    op.create_index("entry_person_idx", "entry", ["person"], sqlite_where=naming, postgresql_where=naming)
    op.create_index("panel_reader_idx", "panel", ["reader"], sqlite_where=personal, postgresql_where=personal)


def downgrade() -> None:
    op.drop_index("panel_reader_idx", "panel")
    op.drop_index("entry_person_idx", "entry")
    op.drop_column("person", "hidden")
