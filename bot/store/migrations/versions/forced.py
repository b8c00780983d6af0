"""Adds the column `person.forced`: when the only possible move of a person is played for them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("person", sa.Column("forced", sa.String(), nullable=False, server_default="open"))


def downgrade() -> None:
    op.drop_column("person", "forced")
