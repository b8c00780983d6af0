"""Adds results, ratings and tallies; the program works out those of finished games in the background."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

UNSETTLED = sa.text("NOT settled")
# Only entries for a rematch or for a forgotten person can follow the entry that ended the game.
IN_ORDER = """
INSERT INTO ending (number, game, settled)
SELECT row_number() OVER (ORDER BY (
    SELECT entry.at FROM entry WHERE entry.game = game.id AND entry.kind NOT IN ('rematch', 'forget')
    ORDER BY entry.n DESC LIMIT 1
), game.id), game.id, false
FROM game WHERE game.status = 'over'
"""


def upgrade() -> None:
    op.create_table(
        "ending",
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="ending_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="ending_game_fkey"),
        sa.UniqueConstraint("game", name="ending_game_key"),
    )
    op.create_table(
        "result",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("alone", sa.Boolean(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("unrated", sa.String(), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=True),
        sa.Column("sigma_before", sa.Float(), nullable=True),
        sa.Column("mu_after", sa.Float(), nullable=True),
        sa.Column("sigma_after", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("game", "person", name="result_pkey"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="result_game_fkey"),
    )
    op.create_table(
        "rating",
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "key", name="rating_pkey"),
    )
    op.create_table(
        "tally",
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("alone", sa.Boolean(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("gained", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "period", "key", "person", "alone", name="tally_pkey"),
    )
    op.create_index(
        "ending_unsettled_idx", "ending", ["number"], sqlite_where=UNSETTLED, postgresql_where=UNSETTLED
    )
    op.create_index("result_person_idx", "result", ["person", "ended"])
    op.create_index("result_channel_idx", "result", ["channel", "ended"])
    op.create_index("rating_key_idx", "rating", ["key", "shown"])
    op.create_index("tally_scope_idx", "tally", ["scope", "period", "key", "alone", "wins"])
    op.execute(IN_ORDER)


def downgrade() -> None:
    for table in ("tally", "rating", "result", "ending"):
        op.drop_table(table)
