"""Adds the analyses of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "analysis",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("game", name="analysis_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="analysis_game_fkey"),
    )


def downgrade() -> None:
    op.drop_table("analysis")
