"""Adds the column `panel.watch`; in the older schema, a watcher's panel has a draft that marks it."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
MARKS = {"on": '[-1,["?watching"],0,false]', "ended": '[-1,["?watched"],0,false]'}
"""The draft in the older schema, by the value of the new column."""
EMPTY = "[0,[],0,false]"
PANEL = sa.table("panel", sa.column("draft", sa.String()), sa.column("watch", sa.String()))


def upgrade() -> None:
    op.add_column("panel", sa.Column("watch", sa.String(), nullable=False, server_default="none"))
    for watch, mark in MARKS.items():
        op.execute(sa.update(PANEL).where(PANEL.c.draft == mark).values(draft=EMPTY, watch=watch))


def downgrade() -> None:
    for watch, mark in MARKS.items():
        op.execute(sa.update(PANEL).where(PANEL.c.watch == watch).values(draft=mark))
    op.drop_column("panel", "watch")
