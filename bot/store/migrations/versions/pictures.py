"""Adds the column `person.pictures`: how a person prefers cards in drawings."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("person", sa.Column("pictures", sa.String(), nullable=False, server_default="fits"))


def downgrade() -> None:
    op.drop_column("person", "pictures")
