"""Gates in a database: rows that all processes pass one at a time."""

from __future__ import annotations

from sqlalchemy import Connection, or_, select

from bot.store.common import CLOCKS_DIFFER, SHORTEST_WAIT
from bot.store.connections.prepared import INSERTS
from bot.store.schema import GATES


def pass_gate(connection: Connection, name: str, now: float, seconds: float) -> float:
    """Passes a gate, closes it for some seconds, and returns 0; if it is closed, returns how long to wait."""
    passing = INSERTS[connection.dialect.name](GATES).values(name=name, free_at=now + seconds)
    passing = passing.on_conflict_do_update(
        index_elements=["name"],
        set_={"free_at": passing.excluded.free_at},
        where=or_(GATES.c.free_at <= now, GATES.c.free_at > now + seconds + CLOCKS_DIFFER),
    )
    if connection.execute(passing.returning(GATES.c.name)).first():
        return 0.0
    closed = connection.execute(select(GATES.c.free_at).where(GATES.c.name == name)).scalar_one()
    return max(float(closed) - now, SHORTEST_WAIT)
