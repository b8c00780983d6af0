"""Adds the column `game.uncounted`: why no list of wins counts a finished game; empty if it counts."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("game", sa.Column("uncounted", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("game", "uncounted")
