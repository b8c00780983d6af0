"""Adds the aliases of people who are being forgotten, and the index by which old tallies are found."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
DATED = sa.text("period <> ''")


def upgrade() -> None:
    op.add_column("person", sa.Column("alias", sa.String(), nullable=False, server_default=""))
    op.create_index("tally_period_idx", "tally", ["period"], sqlite_where=DATED, postgresql_where=DATED)


def downgrade() -> None:
    op.drop_index("tally_period_idx", "tally")
    op.drop_column("person", "alias")
