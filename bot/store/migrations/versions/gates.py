"""Adds the table of gates, which all processes pass one at a time."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "gate",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("free_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="gate_pkey"),
    )


def downgrade() -> None:
    op.drop_table("gate")
