"""Prepared reads: for presses, for the keeper and for `/metrics`.

Each reads in a transaction of its own, `RATINGS_OF` also in that of a profile.
"""

from __future__ import annotations

from sqlalchemy import Select, Table, and_, bindparam, func, select, union

from bot.store.connections.prepared import Prepared
from bot.store.rows import ENTRY_COLUMNS, LISTING_COLUMNS, SEAT_COLUMNS
from bot.store.schema import (
    ACCOUNTS,
    ANALYSES,
    ENTRIES,
    GAMES,
    LEASES,
    OUTAGE_ROWS,
    OVER,
    PANELS,
    PEOPLE,
    RATINGS,
    RESULTS,
    ROOMS,
    SEATS,
)


def _where(rows: Table, *names: str) -> Prepared:
    """Selects the rows whose columns ``names`` have the values of the parameters ``new_<column>``."""
    return Prepared(select(rows).where(*(rows.c[name] == bindparam(f"new_{name}") for name in names)))


ACCOUNT = _where(ACCOUNTS, "platform", "user")
ACCOUNTS_OF = _where(ACCOUNTS, "person")
PERSON = _where(PEOPLE, "id")
ROOM = _where(ROOMS, "platform", "chat", "thread")
PANEL = _where(PANELS, "game", "reader")
PANELS_OF = _where(PANELS, "game")
ANALYSIS = _where(ANALYSES, "game")
RESULTS_OF = _where(RESULTS, "game")
RATINGS_OF = Prepared(
    select(*(RATINGS.c[name] for name in ("key", "mu", "sigma", "games", "changed"))).where(
        RATINGS.c.person == bindparam("new_person")
    )
)
DELIVERY = Prepared(select(ENTRIES.c.n).where(ENTRIES.c.delivery == bindparam("new_delivery")))

_SEEDS = ("server_seed", "seed_words")
_OF_TABLE = tuple(GAMES.c[name] for name in (*LISTING_COLUMNS, *_SEEDS))
LISTED = len(LISTING_COLUMNS)
"""The number of columns of `TABLE` that make the listing; those of the two seeds and of a seat follow."""
TABLE = Prepared(
    select(*_OF_TABLE, *(SEATS.c[name] for name in SEAT_COLUMNS))
    .outerjoin_from(GAMES, SEATS, SEATS.c.game == GAMES.c.id)
    .where(GAMES.c.id == bindparam("new_game"))
    .order_by(SEATS.c.seat)
)
"""A row for each seat of a table, by seat; for a table without seats one row with empty seat columns."""
_ENTRIES = tuple(ENTRIES.c[name] for name in ENTRY_COLUMNS)
TAIL = Prepared(
    select(*_ENTRIES)
    .where(ENTRIES.c.game == bindparam("new_game"))
    .where(ENTRIES.c.n.between(bindparam("first"), bindparam("last")))
    .order_by(ENTRIES.c.n)
)
"""A table's entries with numbers from ``first`` to ``last``."""
LOOK = Prepared(
    select(GAMES.c.platform, GAMES.c.chat, GAMES.c.thread, GAMES.c.number, LEASES.c.process, *_ENTRIES)
    .select_from(GAMES)
    .outerjoin(LEASES, and_(LEASES.c.platform == GAMES.c.platform, LEASES.c.chat == GAMES.c.chat))
    .outerjoin(ENTRIES, and_(ENTRIES.c.game == GAMES.c.id, ENTRIES.c.n >= bindparam("first")))
    .where(GAMES.c.id == bindparam("new_game"))
    .order_by(ENTRIES.c.n)
)
"""For `Store.look`: the table's place, number and keeper, repeated in a row for each entry from ``first`` on.

If there is no such entry, one row with empty entry columns.
"""


def _in_chat(*selects: Select[str]) -> tuple[Select[str], ...]:
    """Statements that select tables, each limited to the tables of one chat."""
    in_chat = (GAMES.c.platform == bindparam("new_platform"), GAMES.c.chat == bindparam("new_chat"))
    return tuple(each.where(*in_chat) for each in selects)


PENDING_TABLES = Prepared(
    union(
        *_in_chat(
            select(GAMES.c.id)
            .join(PANELS, PANELS.c.game == GAMES.c.id)
            .where(PANELS.c.wanted != PANELS.c.sent),
            select(GAMES.c.id).where(GAMES.c.status != OVER, GAMES.c.due <= bindparam("until")),
        )
    )
)
"""The tables of a chat that have a dirty panel, or are due by the time ``until``."""
OUTAGES = Prepared(select(OUTAGE_ROWS.c.began, OUTAGE_ROWS.c.ended).order_by(OUTAGE_ROWS.c.began))
EARLIEST_DUE = Prepared(select(func.min(GAMES.c.due)).where(GAMES.c.due.is_not(None)))
