"""Adds the column `person.suggestions`: how many moves menus suggest to a person."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("person", sa.Column("suggestions", sa.String(), nullable=False, server_default="full"))


def downgrade() -> None:
    op.drop_column("person", "suggestions")
