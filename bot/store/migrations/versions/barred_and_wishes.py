"""Adds to rooms the people barred from the tables there, and those who are told when a table opens."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    for name in ("barred", "wishes"):
        op.add_column("room", sa.Column(name, sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    for name in ("wishes", "barred"):
        op.drop_column("room", name)
