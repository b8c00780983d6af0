"""Adds the table of outages, and renames entries ``away`` to ``hold``.

Live tables that were not due at any time become due at once.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
stops_older_processes = True


def upgrade() -> None:
    op.create_table(
        "outage",
        sa.Column("began", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("began", name="outage_pkey"),
    )
    op.execute("UPDATE entry SET kind = 'hold' WHERE kind = 'away'")
    op.execute("UPDATE game SET due = changed WHERE status <> 'over' AND due IS NULL")


def downgrade() -> None:
    op.execute("UPDATE entry SET kind = 'away' WHERE kind = 'hold'")
    op.drop_table("outage")
