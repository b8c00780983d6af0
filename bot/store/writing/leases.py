"""The leases of chats in a database: how processes take, claim, check and release them.

A transaction locks the rows of `game` first, in the order of their ids, and later the leases, in the order of
their chats: else two processes that take each other's chats would deadlock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    update,
)

from bot.model.ids import GameId, ProcessId
from bot.model.leases import ChatKey, Claim, Lease
from bot.storage import ALIVE, OUTAGES_KEPT
from bot.store.common import FORGET_PROCESS
from bot.store.connections.prepared import INSERTS, Prepared
from bot.store.schema import GAMES, GATES, LEASES, OUTAGE_ROWS, OVER, PANELS, PROCESSES
from engines.values import Value, replace

_ALIVE_GATE = "alive"
"""The row of `gate` that holds the time of the last beat of any process."""
_SLICE = 1000
"""Maximum number of dirty panels that are looked at together."""
_MOST_SLICES = 3
"""Maximum number of slices that one claim looks at; the next claim goes on after them."""
_MOST_OUTDATED = 1000
"""Maximum number of tables that one transaction makes due because their rules are older."""

_SAME_CHAT = and_(LEASES.c.platform == GAMES.c.platform, LEASES.c.chat == GAMES.c.chat)
_GAMES_AND_KEEPERS = GAMES.outerjoin(LEASES, _SAME_CHAT).outerjoin(
    PROCESSES, PROCESSES.c.id == LEASES.c.process
)
"""Tables with the leases of their chats and the processes that hold them."""
_LEASE_OF = select(
    GAMES.c.id,
    GAMES.c.platform,
    GAMES.c.chat,
    LEASES.c.process,
    LEASES.c.fence,
    LEASES.c.free_at,
).select_from(GAMES.outerjoin(LEASES, _SAME_CHAT))
"""Selects tables with the leases of their chats, whose columns are empty if there is none."""
_LEASE_OF_ONE = Prepared(_LEASE_OF.where(GAMES.c.id == bindparam("game")))
_LEASE_OF_MANY = _LEASE_OF.where(GAMES.c.id.in_(bindparam("games", expanding=True)))
_LOCK_MANY = (
    select(LEASES.c.fence)
    .join_from(GAMES, LEASES, _SAME_CHAT)
    .where(GAMES.c.id.in_(bindparam("games", expanding=True)))
    .order_by(LEASES.c.platform, LEASES.c.chat)
    .with_for_update(of=LEASES)
)
"""Locks the leases of tables' chats, in the order of the chats."""
_INSERT_NEW = {
    dialect: Prepared(insert(LEASES).on_conflict_do_nothing()) for dialect, insert in INSERTS.items()
}
"""By dialect, inserts the first lease of a chat, unless the chat has one."""
_HELD = select(
    LEASES.c.platform,
    LEASES.c.chat,
    LEASES.c.process,
    LEASES.c.fence,
    LEASES.c.free_at,
    PROCESSES.c.seen,
    select(func.max(PROCESSES.c.seen)).scalar_subquery(),
).outerjoin_from(LEASES, PROCESSES, PROCESSES.c.id == LEASES.c.process)
"""Selects leases, each with the last beat of its process, if that is known, and the last of any process."""
_HELD_ONE = Prepared(
    _HELD.where(LEASES.c.platform == bindparam("on"), LEASES.c.chat == bindparam("at")).with_for_update(
        of=LEASES
    )
)
"""Locks the lease of a chat, and selects it as `_HELD` does."""
_HELD_MANY = _HELD.where(
    tuple_(LEASES.c.platform, LEASES.c.chat).in_(bindparam("chats", expanding=True))
).order_by(LEASES.c.platform, LEASES.c.chat)
_CHANGE_HANDS = Prepared(
    update(LEASES)
    .where(LEASES.c.platform == bindparam("on"), LEASES.c.chat == bindparam("at"))
    .values(process=bindparam("keeper"), fence=LEASES.c.fence + literal_column("1"))
)
"""Gives the lease of a chat to a keeper, with a new fence."""
_MAKE_DUE = Prepared(update(GAMES).where(GAMES.c.id == bindparam("game")).values(due=bindparam("at")))
_LOCK_OWN = Prepared(
    select(LEASES.c.fence)
    .join_from(GAMES, LEASES, _SAME_CHAT)
    .where(GAMES.c.id == bindparam("game"), LEASES.c.process == bindparam("keeper"))
    .with_for_update(of=LEASES)
)
"""Locks the lease of a table's chat; selects nothing if the keeper does not hold it."""
_NOTE_FREE_AT = Prepared(
    update(LEASES)
    .where(_SAME_CHAT, GAMES.c.id == bindparam("game"), LEASES.c.process == bindparam("keeper"))
    .values(free_at=bindparam("until"))
)
# `concat` hides the column from the planner: else it may read a platform's rows instead of the few due.
_ON_PLATFORMS = GAMES.c.platform.concat("").in_(bindparam("platforms", expanding=True))
_IS_DEAD: ColumnElement[bool] = or_(PROCESSES.c.seen.is_(None), PROCESSES.c.seen <= bindparam("dead"))
"""Whether the chat's keeper is dead, or the chat has none."""
_IS_MINE = LEASES.c.process == bindparam("me")
_DUE = (
    select(GAMES.c.id, GAMES.c.platform, GAMES.c.chat)
    .select_from(_GAMES_AND_KEEPERS)
    .where(GAMES.c.due.is_not(None), GAMES.c.due <= bindparam("now"), _ON_PLATFORMS)
    .where(or_(_IS_MINE, _IS_DEAD))
    .order_by(GAMES.c.due, GAMES.c.id)
    .limit(bindparam("most"))
)
"""Selects due tables in chats that no other living process keeps, the longest due first."""
_DIRTY = PANELS.c.wanted != PANELS.c.sent
# PostgreSQL believes that most panels are dirty, so that a join would read all tables. Instead, dirty panels
# are read by their index, a slice at a time, and their tables by id.
_DIRTY_GAMES = (
    select(PANELS.c.game)
    .where(_DIRTY, PANELS.c.game > bindparam("after"))
    .order_by(PANELS.c.game)
    .limit(bindparam("most"))
)
_FREE_GAMES = (
    select(GAMES.c.changed, GAMES.c.id, GAMES.c.platform, GAMES.c.chat)
    .select_from(_GAMES_AND_KEEPERS)
    .where(GAMES.c.id.in_(bindparam("games", expanding=True)), _ON_PLATFORMS, _IS_DEAD)
    .where(or_(LEASES.c.process.is_(None), LEASES.c.process != bindparam("me")))
)
"""Selects those of given tables whose chats no living process keeps, nor this one."""
_DIRTY_IN_CHAT = Prepared(
    select(GAMES.c.id, GAMES.c.platform, GAMES.c.chat)
    .join_from(GAMES, PANELS, PANELS.c.game == GAMES.c.id)
    .where(_DIRTY, GAMES.c.platform == bindparam("on"), GAMES.c.chat == bindparam("at"))
    .order_by(GAMES.c.changed, GAMES.c.id)
)
"""Selects the tables of a chat with dirty panels; a table once for each such panel."""


class Released(Value):
    """The outcome of a change that may have given back or deleted leases: a cached one must be read again."""

    chats: tuple[ChatKey, ...]
    """The chats of these leases."""


@dataclass(slots=True)
class Walk:
    """How far the claims of this process have read through the dirty panels of all tables."""

    after: GameId = ""
    """The table after which the next claim begins; empty to begin with the first table."""


def lock(connection: Connection, games: Iterable[GameId]) -> None:
    """Locks the leases of tables' chats in order, before the savings of a group lock their panels."""
    if connection.dialect.name != "sqlite":
        connection.execute(_LOCK_MANY, {"games": sorted(games)})


def take(connection: Connection, keepers: Mapping[GameId, ProcessId]) -> Mapping[GameId, Lease]:
    """Gives the leases of tables' chats to these keepers, and returns them by table.

    A lease that its keeper holds already is only read.
    """
    if len(keepers) == 1:
        rows = _LEASE_OF_ONE.run(connection, {"game": next(iter(keepers))})
    else:
        rows = [tuple(row) for row in connection.execute(_LEASE_OF_MANY, {"games": list(keepers)})]
    held = {game: Lease(*rest) for game, *rest in rows}
    gained: dict[ProcessId, set[ChatKey]] = {}
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
    connection: Connection, process: ProcessId, chats: Iterable[ChatKey], dead: float | None = None
) -> Mapping[ChatKey, Lease]:
    """Gives the leases of chats to a process; returns those that it holds now.

    ``dead`` is a time: the process takes no lease of a process that has beaten since, nor a lease that
    another transaction has locked. With None it takes all.
    """
    wanted = sorted(chats)
    insert = _INSERT_NEW[connection.dialect.name]
    if len(wanted) == 1:
        # If the chat has had no lease, this one statement is enough.
        if insert.touched(connection, _row(*wanted[0], process, 1)):
            return {wanted[0]: Lease(*wanted[0], process, 1, is_new=True)}
    else:
        insert.run(connection, *(_row(*chat, "", 0) for chat in wanted))
    leases: dict[ChatKey, Lease] = {}
    for *row, seen, newest in _locked(connection, wanted, skip=dead is not None):
        lease = Lease(*row)
        if lease.process != process:
            if dead is not None and seen is not None and seen > dead:
                continue
            # The process that takes the lease has just beaten, so that the newest beat tells the time.
            alive = dead is None and seen is not None and seen > newest - ALIVE
            rival = lease.process if alive else ""
            lease = replace(lease, process=process, fence=lease.fence + 1, is_new=True, taken_from=rival)
        leases[lease.platform, lease.chat] = lease
    if changed := [{"on": one.platform, "at": one.chat} for one in leases.values() if one.is_new]:
        _CHANGE_HANDS.run(connection, *({**row, "keeper": process} for row in changed))
    return leases


def _row(platform: str, chat: str, process: ProcessId, fence: int) -> Mapping[str, Any]:
    """The row of a chat's first lease."""
    return {"platform": platform, "chat": chat, "process": process, "fence": fence, "free_at": 0.0}


def _locked(connection: Connection, chats: Sequence[ChatKey], *, skip: bool) -> Sequence[Sequence[Any]]:
    """Locks the leases of chats; with ``skip``, only those that no other transaction has locked."""
    if connection.dialect.name == "sqlite" or (len(chats) == 1 and not skip):
        # SQLite uses no index for a list of pairs.
        each = [_HELD_ONE.run(connection, {"on": platform, "at": chat}) for platform, chat in chats]
        return [row for rows in each for row in rows]
    locking = _HELD_MANY.with_for_update(of=LEASES, skip_locked=skip)
    return connection.execute(locking, {"chats": chats}).all()


def holds(connection: Connection, process: ProcessId, game: GameId, free_at: float | None) -> bool:
    """Whether a process holds the lease of a table's chat; if so, stores `Lease.free_at` if given.

    The lease cannot change hands until the end of the transaction.
    """
    if not _LOCK_OWN.run(connection, {"game": game, "keeper": process}):
        return False
    if free_at is not None:
        _NOTE_FREE_AT.run(connection, {"game": game, "keeper": process, "until": free_at})
    return True


def beat(
    connection: Connection, process: ProcessId, now: float, platforms: Collection[str]
) -> Mapping[ProcessId, Collection[str]]:
    """Notes a beat of a process; returns the living processes, the oldest first, and their platforms."""
    _note_alive(connection, now)
    row = {"id": process, "started": now, "seen": now, "platforms": " ".join(sorted(platforms))}
    beats = INSERTS[connection.dialect.name](PROCESSES).values(row)
    news = {name: beats.excluded[name] for name in ("seen", "platforms")}
    connection.execute(beats.on_conflict_do_update(index_elements=["id"], set_=news))
    connection.execute(delete(PROCESSES).where(PROCESSES.c.seen <= now - FORGET_PROCESS))
    alive = select(PROCESSES.c.id, PROCESSES.c.platforms).where(PROCESSES.c.seen > now - ALIVE)
    rows = connection.execute(alive.order_by(PROCESSES.c.started, PROCESSES.c.id))
    return {one: served.split() for one, served in rows}


def _note_alive(connection: Connection, now: float) -> None:
    """Notes the time of the last beat of any process, and the outage before it if there was one."""
    insert = INSERTS[connection.dialect.name]
    is_alive_gate = GATES.c.name == _ALIVE_GATE
    last = connection.execute(select(GATES.c.free_at).where(is_alive_gate).with_for_update()).scalar()
    if last is None:
        connection.execute(insert(GATES).values(name=_ALIVE_GATE, free_at=now).on_conflict_do_nothing())
        return
    if now - last > ALIVE:
        connection.execute(delete(OUTAGE_ROWS).where(OUTAGE_ROWS.c.ended <= now - OUTAGES_KEPT))
        connection.execute(insert(OUTAGE_ROWS).values(began=last, ended=now).on_conflict_do_nothing())
    if now > last:
        connection.execute(update(GATES).where(is_alive_gate).values(free_at=now))


def retire(connection: Connection, process: ProcessId) -> None:
    """Forgets a process that has ended, so that its leases are free."""
    connection.execute(delete(PROCESSES).where(PROCESSES.c.id == process))


def release(connection: Connection, process: ProcessId, chat: ChatKey) -> Released:
    """Gives back the lease of a chat, if the process holds it."""
    held = and_(LEASES.c.platform == chat[0], LEASES.c.chat == chat[1], LEASES.c.process == process)
    connection.execute(update(LEASES).where(held).values(process=""))
    return Released((chat,))


def delete_unused(connection: Connection, chats: Iterable[ChatKey]) -> Released:
    """Deletes the leases of those of these chats that have no table, whoever holds them."""
    released = tuple(sorted(chats))
    for platform, chat in released:
        here = (LEASES.c.platform == platform, LEASES.c.chat == chat)
        connection.execute(delete(LEASES).where(*here, ~exists().where(_SAME_CHAT)))
    return Released(released)


def claim(
    connection: Connection,
    process: ProcessId,
    platforms: Sequence[str],
    now: float,
    limit: int,
    walk: Walk,
) -> tuple[Claim, ...]:
    """Takes the leases of chats that no other living process keeps and whose tables have pending work.

    Several claims may be needed to find all dirty panels: each goes on where the last one has stopped.
    """
    parameters = {"platforms": list(platforms), "me": process, "dead": now - ALIVE}
    due = [tuple(row) for row in connection.execute(_DUE, {**parameters, "now": now, "most": limit})]
    due_chats = ((platform, chat) for _, platform, chat in due)
    chats = list(dict.fromkeys((*due_chats, *_dirty_chats(connection, parameters, limit, walk))))
    if not chats:
        return ()
    leases = _change_hands(connection, process, chats, now - ALIVE)
    for chat in [chat for chat in chats if chat in leases and leases[chat].is_new]:
        due += _DIRTY_IN_CHAT.run(connection, {"on": chat[0], "at": chat[1]})
    lease_of = {game: leases.get((platform, chat)) for game, platform, chat in due}
    return tuple(Claim(game, lease) for game, lease in lease_of.items() if lease)


def _dirty_chats(
    connection: Connection, parameters: Mapping[str, Any], limit: int, walk: Walk
) -> Sequence[ChatKey]:
    """Chats with dirty panels that a claim may take; within a slice, the tables changed least recently first.

    Looks at `_MOST_SLICES` slices at most, since living processes may keep most chats with dirty panels.
    After the last table it begins again with the first, once.
    """
    chats: dict[ChatKey, None] = {}
    wraps = bool(walk.after)
    for _ in range(_MOST_SLICES):
        rows = connection.execute(_DIRTY_GAMES, {"after": walk.after, "most": _SLICE}).scalars().all()
        if games := list(dict.fromkeys(rows)):
            free = sorted(
                tuple(row) for row in connection.execute(_FREE_GAMES, {**parameters, "games": games})
            )
            chats |= {(platform, chat): None for _, _, platform, chat in free}
        if len(chats) > limit:
            # The next claim finds the others in the same slice.
            break
        if len(rows) == _SLICE:
            walk.after = games[-1]
            continue
        walk.after = ""
        if not wraps:
            break
        wraps = False
    return list(chats)[:limit]


def postpone(connection: Connection, game: GameId, n: int | None, due: float | None) -> None:
    """Sets the time from which a table is due; with ``n``, only if its log has that many entries."""
    same = () if n is None else (GAMES.c.entries == n,)
    connection.execute(update(GAMES).where(GAMES.c.id == game, *same).values(due=due))


def outdate(connection: Connection, revisions: Mapping[str, int], after: GameId) -> GameId | None:
    """Makes live tables due whose games have newer revisions, in the order of their ids.

    Begins after an id, and stops after `_MOST_OUTDATED` tables: then it returns the id of the last one, else
    None.
    """
    older = [and_(GAMES.c.key == key, GAMES.c.revision < new) for key, new in sorted(revisions.items())]
    if not older:
        return None
    live = select(GAMES.c.id).where(GAMES.c.status != OVER, or_(*older), GAMES.c.id > after)
    live = live.order_by(GAMES.c.id).limit(_MOST_OUTDATED).with_for_update()
    games = connection.execute(live).scalars().all()
    if games:
        _MAKE_DUE.run(connection, *({"game": game, "at": 0.0} for game in games))
    return games[-1] if len(games) == _MOST_OUTDATED else None
