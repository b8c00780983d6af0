"""Adds turn alerts to panels, and quiet hours and time zones to people; `person.calls` becomes a word.

The reader of a panel counts as notified (`panel.called`) at the last change of the table, so that no panel is
posted anew to notify its reader of the deal.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
stops_older_processes = True


def upgrade() -> None:
    op.add_column("panel", sa.Column("called", sa.Float(), nullable=False, server_default="0"))
    op.add_column("panel", sa.Column("alert", sa.String(), nullable=False, server_default=""))
    op.add_column("panel", sa.Column("aloud", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE panel SET called = coalesce((SELECT changed FROM game WHERE game.id = panel.game), 0)")
    op.execute("ALTER TABLE person RENAME COLUMN calls TO wants_calls")
    op.add_column("person", sa.Column("calls", sa.String(), nullable=False, server_default="soon"))
    op.execute("UPDATE person SET calls = 'never' WHERE NOT wants_calls")
    op.drop_column("person", "wants_calls")
    op.add_column("person", sa.Column("quiet", sa.String(), nullable=False, server_default=""))
    op.add_column("person", sa.Column("zone", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("person", "zone")
    op.drop_column("person", "quiet")
    op.execute("ALTER TABLE person RENAME COLUMN calls TO word")
    op.add_column("person", sa.Column("calls", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.execute("UPDATE person SET calls = (word <> 'never')")
    op.drop_column("person", "word")
    for name in ("aloud", "alert", "called"):
        op.drop_column("panel", name)
