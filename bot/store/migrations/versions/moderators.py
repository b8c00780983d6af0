"""Adds entries of moderators, such as ``kick``, to the index of entries by person.

Otherwise a forgotten moderator's id would stay in the logs of tables at which they had no seat.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

BEFORE = sa.text("kind IN ('open', 'join', 'take', 'ask')")
AFTER = sa.text("kind IN ('open', 'join', 'take', 'ask', 'owner', 'kick', 'end')")


def upgrade() -> None:
    _replace_index(AFTER)


def downgrade() -> None:
    _replace_index(BEFORE)


def _replace_index(naming: sa.TextClause) -> None:
    op.drop_index("entry_person_idx", "entry")
    op.create_index("entry_person_idx", "entry", ["person"], sqlite_where=naming, postgresql_where=naming)
