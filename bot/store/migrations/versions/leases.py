"""Adds the tables of processes and leases, and the column `game.due`.

Tables in play with a computer player become due at once: the older program did not store when they are due.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

DUE = sa.text("due IS NOT NULL")


def upgrade() -> None:
    op.add_column("game", sa.Column("due", sa.Float(), nullable=True))
    op.create_index("game_due_idx", "game", ["due"], sqlite_where=DUE, postgresql_where=DUE)
    op.create_table(
        "process",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="process_pkey"),
    )
    op.create_table(
        "lease",
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("chat", sa.String(), nullable=False),
        sa.Column("process", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("free_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "chat", name="lease_pkey"),
    )
    op.execute(
        "UPDATE game SET due = 0 WHERE status = 'playing'"
        " AND EXISTS (SELECT 1 FROM seat WHERE seat.game = game.id AND seat.level IS NOT NULL)"
    )


def downgrade() -> None:
    op.drop_table("lease")
    op.drop_table("process")
    op.drop_index("game_due_idx", "game")
    op.drop_column("game", "due")
