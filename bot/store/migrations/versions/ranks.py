"""Adds the index by which people of a large server are ranked by rating."""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_index("rating_scope_idx", "rating", ["key", "person", "shown"])


def downgrade() -> None:
    op.drop_index("rating_scope_idx", "rating")
