"""The leases of chats in a database: taken with a change, claimed from dead processes, shown by a sender.

All rows of leases that a transaction locks are locked in the order of their chats, after the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, func, or_, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from bot.model import Claim, GameId, Lease, ProcessId
from bot.ports import ALIVE
from bot.store.common import FORGET_PROCESS
from bot.store.prepared import Prepared
from bot.store.schema import GAMES, LEASES, PANELS, PROCESSES

Chat = tuple[str, str]
"""A platform and a chat."""

_CHAT = tuple_(LEASES.c.platform, LEASES.c.chat)
_SAME_CHAT = and_(LEASES.c.platform == GAMES.c.platform, LEASES.c.chat == GAMES.c.chat)
_KEPT = GAMES.outerjoin(LEASES, _SAME_CHAT).outerjoin(PROCESSES, PROCESSES.c.id == LEASES.c.process)
"""Tables with the leases of their chats and the processes that hold them."""
_LEASE_OF = select(
    GAMES.c.id,
    GAMES.c.platform,
    GAMES.c.chat,
    LEASES.c.process,
    LEASES.c.fence,
    LEASES.c.free_at,
).select_from(GAMES.outerjoin(LEASES, _SAME_CHAT))
_LEASE_OF_ONE = Prepared(_LEASE_OF.where(GAMES.c.id == bindparam("game")))
_LEASE_OF_MANY = _LEASE_OF.where(GAMES.c.id.in_(bindparam("games", expanding=True)))
_BEGIN = {
    "postgresql": postgresql.insert(LEASES).on_conflict_do_nothing(),
    "sqlite": sqlite.insert(LEASES).on_conflict_do_nothing(),
}
_HELD = (
    select(LEASES, PROCESSES.c.seen, select(func.max(PROCESSES.c.seen)).scalar_subquery().label("newest"))
    .outerjoin_from(LEASES, PROCESSES, PROCESSES.c.id == LEASES.c.process)
    .where(_CHAT.in_(bindparam("chats", expanding=True)))
    .order_by(LEASES.c.platform, LEASES.c.chat)
)
_CHANGE_HANDS = (
    update(LEASES)
    .where(LEASES.c.platform == bindparam("on"), LEASES.c.chat == bindparam("at"))
    .values(process=bindparam("keeper"), fence=LEASES.c.fence + 1)
)
_REST = (
    update(LEASES)
    .where(_SAME_CHAT, GAMES.c.id == bindparam("game"), LEASES.c.process == bindparam("keeper"))
    .values(free_at=bindparam("until"))
)
_HERE = (GAMES.c.platform.in_(bindparam("platforms", expanding=True)),)
_IS_DEAD: ColumnElement[bool] = or_(PROCESSES.c.seen.is_(None), PROCESSES.c.seen <= bindparam("dead"))
_IS_MINE = LEASES.c.process == bindparam("me")
_DUE = (
    select(GAMES.c.id, GAMES.c.platform, GAMES.c.chat)
    .select_from(_KEPT)
    .where(GAMES.c.due.is_not(None), GAMES.c.due <= bindparam("now"), *_HERE)
    .where(or_(_IS_MINE, _IS_DEAD))
    .order_by(GAMES.c.due, GAMES.c.id)
    .limit(bindparam("most"))
)
_DIRTY = PANELS.c.wanted != PANELS.c.sent
_DIRTY_CHATS = (
    select(GAMES.c.platform, GAMES.c.chat)
    .select_from(PANELS.join(_KEPT, GAMES.c.id == PANELS.c.game))
    .where(_DIRTY, *_HERE, _IS_DEAD, or_(LEASES.c.process.is_(None), LEASES.c.process != bindparam("me")))
    .group_by(GAMES.c.platform, GAMES.c.chat)
    .order_by(func.min(GAMES.c.changed), GAMES.c.platform, GAMES.c.chat)
    .limit(bindparam("most"))
)
_DIRTY_GAMES = (
    select(GAMES.c.id, GAMES.c.platform, GAMES.c.chat)
    .select_from(PANELS.join(GAMES, GAMES.c.id == PANELS.c.game))
    .where(_DIRTY, tuple_(GAMES.c.platform, GAMES.c.chat).in_(bindparam("chats", expanding=True)))
    .group_by(GAMES.c.id, GAMES.c.platform, GAMES.c.chat, GAMES.c.changed)
    .order_by(GAMES.c.changed, GAMES.c.id)
)


def take(connection: Connection, keepers: Mapping[GameId, ProcessId]) -> Mapping[GameId, Lease]:
    """Gives the leases of tables' chats to their keepers; one that the keeper holds already is only read."""
    if len(keepers) == 1:
        rows = _LEASE_OF_ONE.run(connection, {"game": next(iter(keepers))})
    else:
        rows = [tuple(row) for row in connection.execute(_LEASE_OF_MANY, {"games": list(keepers)})]
    held = {game: Lease(*rest) for game, *rest in rows}
    gained: dict[ProcessId, set[Chat]] = {}
    for game, lease in held.items():
        if lease.process != keepers[game]:
            gained.setdefault(keepers[game], set()).add((lease.platform, lease.chat))
    for keeper, chats in sorted(gained.items()):
        new = _change_hands(connection, keeper, chats)
        for game, lease in held.items():
            if keepers[game] == keeper:
                held[game] = new.get((lease.platform, lease.chat), lease)
    return held


def _change_hands(
    connection: Connection, process: ProcessId, chats: Iterable[Chat], dead: float | None = None
) -> Mapping[Chat, Lease]:
    """Gives the leases of chats to a process, and returns those that it holds then.

    With ``dead``, takes no lease of a process that has beaten since that time, nor one that another
    transaction is taking.
    """
    wanted = sorted(chats)
    new = [
        {"platform": platform, "chat": chat, "process": "", "fence": 0, "free_at": 0.0}
        for platform, chat in wanted
    ]
    connection.execute(_BEGIN[connection.dialect.name], new)
    locking = _HELD.with_for_update(of=LEASES, skip_locked=dead is not None)
    leases: dict[Chat, Lease] = {}
    for row in connection.execute(locking, {"chats": wanted}):
        lease = Lease(row.platform, row.chat, row.process, row.fence, row.free_at)
        if row.process != process:
            if dead is not None and row.seen is not None and row.seen > dead:
                continue
            # The process that takes the lease has just beaten, so that the newest beat tells the time.
            alive = row.seen is not None and row.seen > row.newest - ALIVE
            rival = row.process if alive else ""
            lease = replace(lease, process=process, fence=row.fence + 1, is_new=True, taken_from=rival)
        leases[lease.platform, lease.chat] = lease
    if changed := [{"on": one.platform, "at": one.chat} for one in leases.values() if one.is_new]:
        connection.execute(_CHANGE_HANDS, [{**row, "keeper": process} for row in changed])
    return leases


def holds(connection: Connection, process: ProcessId, game: GameId, free_at: float | None) -> bool:
    """Whether a process holds the lease of a table's chat; notes until when the chat must rest if it does.

    The lease cannot change hands until the end of the transaction.
    """
    mine = select(LEASES.c.fence).join_from(GAMES, LEASES, _SAME_CHAT)
    mine = mine.where(GAMES.c.id == game, LEASES.c.process == process).with_for_update(of=LEASES)
    if connection.execute(mine).first() is None:
        return False
    if free_at is not None:
        connection.execute(_REST, {"game": game, "keeper": process, "until": free_at})
    return True


def beat(connection: Connection, process: ProcessId, now: float) -> Sequence[ProcessId]:
    """Notes a beat of a process; returns the living ones, the one that started first at the front."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    beats = insert(PROCESSES).values(id=process, started=now, seen=now)
    connection.execute(beats.on_conflict_do_update(index_elements=["id"], set_={"seen": beats.excluded.seen}))
    connection.execute(delete(PROCESSES).where(PROCESSES.c.seen <= now - FORGET_PROCESS))
    alive = select(PROCESSES.c.id).where(PROCESSES.c.seen > now - ALIVE)
    return connection.execute(alive.order_by(PROCESSES.c.started, PROCESSES.c.id)).scalars().all()


def retire(connection: Connection, process: ProcessId) -> None:
    """Forgets a process."""
    connection.execute(delete(PROCESSES).where(PROCESSES.c.id == process))


def claim(
    connection: Connection, process: ProcessId, platforms: Sequence[str], now: float, limit: int
) -> tuple[Claim, ...]:
    """Takes the leases of chats that no other living process keeps and whose tables owe something."""
    asked = {"platforms": list(platforms), "me": process, "dead": now - ALIVE, "most": limit}
    due = [tuple(row) for row in connection.execute(_DUE, {**asked, "now": now})]
    dirty = [tuple(row) for row in connection.execute(_DIRTY_CHATS, asked)]
    if not due and not dirty:
        return ()
    chats = {(platform, chat) for _, platform, chat in due} | set(dirty)
    leases = _change_hands(connection, process, chats, now - ALIVE)
    if gained := [chat for chat, lease in leases.items() if lease.is_new]:
        due += [tuple(row) for row in connection.execute(_DIRTY_GAMES, {"chats": gained})]
    found = {game: leases.get((platform, chat)) for game, platform, chat in due}
    return tuple(Claim(game, lease) for game, lease in found.items() if lease)


def postpone(connection: Connection, game: GameId, n: int, due: float | None) -> None:
    """Sets the time from which a table is due, unless its log has another length than n."""
    connection.execute(update(GAMES).where(GAMES.c.id == game, GAMES.c.entries == n).values(due=due))


def outdate(connection: Connection, revisions: Mapping[str, int]) -> None:
    """Makes the live tables due whose games have newer revisions."""
    older = [and_(GAMES.c.key == key, GAMES.c.revision < new) for key, new in sorted(revisions.items())]
    if older:
        live = select(GAMES.c.id).where(GAMES.c.status != "over", or_(*older)).order_by(GAMES.c.id)
        games = connection.execute(live.with_for_update()).scalars().all()
        if games:
            stale = update(GAMES).where(GAMES.c.id == bindparam("game")).values(due=0.0)
            connection.execute(stale, [{"game": game} for game in games])
