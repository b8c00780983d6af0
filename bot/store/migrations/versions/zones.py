"""Adds the name of a person's time zone, whose distance from UTC may change with the season."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("person", sa.Column("region", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("person", "region")
