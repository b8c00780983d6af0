"""Adds the indexes that sort leaderboards by games and by gained rating; three others get other columns.

Games at a terminal, which had no results, become unsettled, so that the program works out their results.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
GAINED = sa.text("gained <> 0 AND period <> ''")
OLD = (
    ("tally_scope_idx", "tally", ["scope", "period", "key", "alone", "wins", "games", "gained", "person"]),
    ("rating_key_idx", "rating", ["key", "shown"]),
    ("result_person_idx", "result", ["person", "ended"]),
)
NEW = (
    ("tally_scope_idx", "tally", ["scope", "period", "key", "alone", "wins", "games", "person"]),
    ("rating_key_idx", "rating", ["key", "shown", "person"]),
    ("result_person_idx", "result", ["person", "ended", "key", "alone", "counts", "won"]),
)


def upgrade() -> None:
    for name, table, columns in NEW:
        op.drop_index(name, table)
        op.create_index(name, table, columns)
    op.create_index("tally_games_idx", "tally", ["scope", "period", "key", "alone", "games", "person"])
    op.create_index(
        "tally_gained_idx", "tally", ["scope", "period", "key", "alone", "gained", "person"],
        sqlite_where=GAINED, postgresql_where=GAINED,
    )  # fmt: skip
    op.execute(
        "UPDATE ending SET settled = false WHERE game IN (SELECT id FROM game WHERE platform = 'terminal')"
    )


def downgrade() -> None:
    op.drop_index("tally_gained_idx", "tally")
    op.drop_index("tally_games_idx", "tally")
    for name, table, columns in OLD:
        op.drop_index(name, table)
        op.create_index(name, table, columns)
