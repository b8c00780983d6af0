"""Creates the tables of the first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

LIVE, UNSENT = sa.text("status <> 'over'"), sa.text("wanted <> sent")


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("reachable", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "user", name="account_pkey"),
    )
    op.create_index("account_person_idx", "account", ["person"])
    op.create_table(
        "game",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("chat", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("opened", sa.Float(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.Column("server_seed", sa.LargeBinary(), nullable=True),
        sa.Column("seed_words", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="game_pkey"),
    )
    op.create_index("game_live_idx", "game", ["changed"], sqlite_where=LIVE, postgresql_where=LIVE)
    op.create_index(
        "game_number_idx",
        "game",
        ["platform", "chat", "thread", "number"],
        unique=True,
        sqlite_where=LIVE,
        postgresql_where=LIVE,
    )
    op.create_index("game_owner_idx", "game", ["owner"], sqlite_where=LIVE, postgresql_where=LIVE)
    op.create_index("game_place_idx", "game", ["platform", "chat", "thread", "changed"])
    op.create_table(
        "panel",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("draft", sa.String(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "reader", name="panel_pkey"),
    )
    op.create_index("panel_unsent_idx", "panel", ["game"], sqlite_where=UNSENT, postgresql_where=UNSENT)
    op.create_table(
        "person",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=True),
        sa.Column("order", sa.String(), nullable=False),
        sa.Column("letters", sa.Boolean(), nullable=False),
        sa.Column("careful", sa.Boolean(), nullable=False),
        sa.Column("calls", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="person_pkey"),
    )
    op.create_table(
        "room",
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("chat", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("community", sa.String(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(), nullable=True),
        sa.Column("openers", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "chat", "thread", name="room_pkey"),
    )
    op.create_table(
        "entry",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("delivery", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="entry_game_fkey"),
        sa.PrimaryKeyConstraint("game", "n", name="entry_pkey"),
        sa.UniqueConstraint("delivery", name="entry_delivery_key"),
    )
    op.create_table(
        "seat",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=True),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("kicked", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="seat_game_fkey"),
        sa.PrimaryKeyConstraint("game", "seat", name="seat_pkey"),
    )
    op.create_index("seat_person_idx", "seat", ["person"])


def downgrade() -> None:
    op.drop_table("seat")
    op.drop_table("entry")
    op.drop_table("room")
    op.drop_table("person")
    op.drop_table("panel")
    op.drop_table("game")
    op.drop_table("account")
