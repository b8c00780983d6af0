"""Adds the column `panel.announced`, and to each draft whether its move awaits confirmation.

In the older schema, the draft of the public panel holds the count of announcements as its page.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
stops_older_processes = True

PANEL = sa.table(
    "panel",
    sa.column("game", sa.String()),
    sa.column("reader", sa.String()),
    sa.column("draft", sa.String()),
    sa.column("announced", sa.Integer()),
)
UNCONFIRMED = "?"
"""The first word of a draft's path in the older schema if its move awaits confirmation."""


def upgrade() -> None:
    op.add_column("panel", sa.Column("announced", sa.Integer(), nullable=False, server_default="0"))
    for panel in _panels():
        stamp, path, page = json.loads(panel.draft)
        if not panel.reader:
            _write(panel, [stamp, path, 0, False], page)
        elif path[:1] == [UNCONFIRMED]:
            _write(panel, [stamp, path[1:], page, True], 0)
        else:
            _write(panel, [stamp, path, page, False], 0)


def downgrade() -> None:
    for panel in _panels():
        stamp, path, page, asked = json.loads(panel.draft)
        path = [UNCONFIRMED, *path] if asked else path
        _write(panel, [stamp, path, page if panel.reader else panel.announced], panel.announced)
    op.drop_column("panel", "announced")


def _panels() -> list[sa.Row[tuple[str, str, str, int]]]:
    return list(op.get_bind().execute(sa.select(PANEL)))


def _write(panel: sa.Row[tuple[str, str, str, int]], draft: list[object], announced: int) -> None:
    changed = sa.update(PANEL).where(PANEL.c.game == panel.game, PANEL.c.reader == panel.reader)
    text = json.dumps(draft, ensure_ascii=False, separators=(",", ":"))
    op.get_bind().execute(changed.values(draft=text, announced=announced))
