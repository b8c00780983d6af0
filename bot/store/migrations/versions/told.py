"""Adds the column `panel.told`, how many pieces of news its reader is done with.

It begins at 0: the next pages of live tables show older news once more.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("panel", sa.Column("told", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("panel", "told")
