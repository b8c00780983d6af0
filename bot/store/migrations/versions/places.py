"""Adds to rooms their channel and server, and more settings.

Where the openers were ``everyone``, none are stored any more: the server's apply from now on.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    for name in ("channel", "server", "spoken"):
        op.add_column("room", sa.Column(name, sa.String(), nullable=False, server_default=""))
    op.add_column("room", sa.Column("clock", sa.Integer(), nullable=True))
    op.add_column("room", sa.Column("threads", sa.Boolean(), nullable=True))
    op.add_column("room", sa.Column("asked", sa.Boolean(), nullable=False, server_default=sa.false()))
    # "everyone" was the default, and seldom chosen: it counts as not chosen.
    op.execute("UPDATE room SET openers = '' WHERE openers = 'everyone'")


def downgrade() -> None:
    op.execute("UPDATE room SET openers = 'everyone' WHERE openers = ''")
    op.execute("UPDATE room SET openers = 'moderators' WHERE openers = 'nobody'")
    for name in ("asked", "threads", "clock", "spoken", "server", "channel"):
        op.drop_column("room", name)
