"""Takes the time of the last change out of the indexes of live tables, which every move had to rewrite.

Only an index of finished tables keeps it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

LIVE, OVER = sa.text("status <> 'over'"), sa.text("status = 'over'")


def upgrade() -> None:
    op.drop_index("game_live_idx", "game")
    op.drop_index("game_place_idx", "game")
    op.create_index("game_place_idx", "game", ["platform", "chat", "thread"])
    op.create_index("game_live_idx", "game", ["id"], sqlite_where=LIVE, postgresql_where=LIVE)
    op.create_index(
        "game_over_idx",
        "game",
        ["platform", "chat", "thread", "changed"],
        sqlite_where=OVER,
        postgresql_where=OVER,
    )


def downgrade() -> None:
    op.drop_index("game_over_idx", "game")
    op.drop_index("game_live_idx", "game")
    op.drop_index("game_place_idx", "game")
    op.create_index("game_place_idx", "game", ["platform", "chat", "thread", "changed"])
    op.create_index("game_live_idx", "game", ["changed"], sqlite_where=LIVE, postgresql_where=LIVE)
