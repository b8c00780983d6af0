"""Adds the column `process.platforms`, the platforms that a process serves; older programs leave it empty."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("process", sa.Column("platforms", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("process", "platforms")
