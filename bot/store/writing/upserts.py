"""The changes that the writer makes besides batches.

Each function is named after the method of `bot.storage.Store` for which it makes a `Saving`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, literal_column, select, update

from bot.model.ids import PUBLIC, GameId, ProcessId
from bot.model.leases import Claim
from bot.model.panels import Marked, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.results import Ending
from bot.store.common import free, may_store_sent
from bot.store.connections.prepared import INSERTS, Prepared
from bot.store.rows import Row, account_row, panel_of, panel_row, person_row, room_of, room_row
from bot.store.schema import ACCOUNTS, ANALYSES, GAMES, PANELS, PEOPLE, ROOMS
from bot.store.writing import endings, gates, leases
from bot.store.writing.append import missed_by, taken_numbers
from engines.values import Value, replace

_ONE: ColumnElement[int] = literal_column("1")
"""The number 1 as SQL text; as a parameter, every row passed to `Prepared.run` would have to hold it."""
_LOCK_PANEL = Prepared(
    select(PANELS)
    .where(PANELS.c.game == bindparam("game"), PANELS.c.reader == bindparam("reader"))
    .with_for_update()
)
"""Locks a panel, and selects it."""


class Saving(Value):
    """A change to save; all processes sort the savings of a transaction by their ``order``."""

    order: tuple[str, ...]
    run: Callable[[Connection], Any]
    game: GameId | None = None
    """The table to lock, so that no batch of it is stored at the same time."""
    keeper: ProcessId = ""
    """The process that takes the lease of the table's chat, if the outcome is `Marked` and ``taken``."""
    moves: bool = False
    """Whether it changes the places of tables; it then runs before the batches are appended."""
    writes: bool = False
    """Whether its success shows that the database stores changes, since it always writes a row."""
    again: Callable[[Connection], Any] | None = None
    """Runs instead of ``run`` if an earlier commit may have saved the change; if None, ``run`` runs again."""

    def perform(self, connection: Connection, *, again: bool) -> Any:
        """Saves the change; ``again`` if an earlier commit may have saved it."""
        run = self.again if again and self.again else self.run
        return run(connection)


def save_account(account: Account) -> Saving:
    order = ("account", account.platform, account.user)
    return Saving(order, lambda connection: _upsert(connection, ACCOUNTS, account_row(account)), writes=True)


def add_account(account: Account) -> Saving:
    order = ("account", account.platform, account.user)
    return Saving(order, lambda connection: _add(connection, ACCOUNTS, account_row(account)))


def save_person(person: Person) -> Saving:
    return Saving(
        ("person", person.id), lambda connection: _upsert(connection, PEOPLE, person_row(person)), writes=True
    )


def save_room(room: Room) -> Saving:
    place = room.place
    order = ("room", place.platform, place.chat, place.thread)
    return Saving(order, lambda connection: _upsert(connection, ROOMS, room_row(room)), writes=True)


def save_analysis(game: GameId, body: str) -> Saving:
    row: Row = {"game": game, "body": body}
    return Saving(("analysis", game), lambda connection: _upsert(connection, ANALYSES, row))


def settle(ended: Sequence[tuple[int, Ending | None]]) -> Saving:
    return Saving(("settle",), lambda connection: endings.settle(connection, ended))


def adopt() -> Saving:
    return Saving(("settle",), endings.adopt)


def unsettle() -> Saving:
    return Saving(("settle",), endings.unsettle)


def purge_tallies(month: str, week: str, most: int) -> Saving:
    return Saving(("settle",), lambda connection: endings.purge(connection, month, week, most))


def mark_dirty(panel: PanelRecord, expected: int | None, keeper: ProcessId) -> Saving:
    """Stores a panel's draft, ``announced`` and watch, and marks it dirty, if its version is as expected."""
    row = panel_row(PanelRecord(panel.game, panel.reader).marked(panel, 1))

    def run(connection: Connection, *, again: bool = False) -> Marked:
        if expected is not None:
            stored = _locked_panel(connection, panel) or PanelRecord(panel.game, panel.reader)
            if stored.wanted != expected:
                # The commit that seemed to fail may have stored this change.
                is_same = stored.marked(panel, stored.wanted) == stored
                return Marked(stored, taken=again and is_same and stored.wanted == expected + 1)
        (marked,) = _marking_dirty(connection.dialect.name).run(connection, row)
        return Marked(panel_of(marked))

    order = ("panel", panel.game, panel.reader)
    return Saving(order, run, panel.game, keeper, again=partial(run, again=True))


def sent(panel: PanelRecord, keeper: ProcessId, replaces: str | None, free_at: float | None) -> Saving:
    """Stores a panel's message and what it shows, under the conditions of `Store.sent`."""

    def run(connection: Connection) -> PanelRecord:
        holds = bool(keeper) and leases.holds(connection, keeper, panel.game, free_at)
        stored = _locked_panel(connection, panel)
        if stored is None and replaces is None:
            # The panel was deleted, since its reader was forgotten.
            return panel
        if stored and not may_store_sent(stored, panel, replaces, compares=bool(keeper), holds=holds):
            return stored
        notified_at = max(stored.notified_at, panel.notified_at) if stored else panel.notified_at
        row = panel_row(replace(panel, notified_at=notified_at))
        _upsert(connection, PANELS, row, ("message", "sent", "told", "called"))
        return replace(
            stored or panel, message=panel.message, sent=panel.sent, told=panel.told, notified_at=notified_at
        )

    return Saving(("panel", panel.game, panel.reader), run, panel.game)


def save_alert(panel: PanelRecord, replaces: str) -> Saving:
    """Stores a panel's last alert, if the stored one is still the alert that it ``replaces``."""

    def run(connection: Connection) -> PanelRecord:
        stored = _locked_panel(connection, panel)
        if stored is None or stored.alert != replaces:
            return stored or replace(panel, alert=replaces)
        alerted = replace(
            stored,
            notified_at=max(stored.notified_at, panel.notified_at),
            alert=panel.alert,
            aloud=panel.aloud,
        )
        _upsert(connection, PANELS, panel_row(alerted), ("called", "alert", "aloud"))
        return alerted

    return Saving(("panel", panel.game, panel.reader), run, panel.game)


def _locked_panel(connection: Connection, panel: PanelRecord) -> PanelRecord | None:
    """The stored panel, locked until the end of the transaction; None if it is not stored."""
    rows = _LOCK_PANEL.run(connection, {"game": panel.game, "reader": panel.reader})
    return panel_of(rows[0]) if rows else None


def beat(process: ProcessId, now: float, platforms: Collection[str]) -> Saving:
    return Saving(
        ("process", process), lambda connection: leases.beat(connection, process, now, platforms), writes=True
    )


def retire(process: ProcessId) -> Saving:
    return Saving(("process", process), lambda connection: leases.retire(connection, process))


def pass_gate(name: str, now: float, seconds: float) -> Saving:
    return Saving(("gate", name), lambda connection: gates.pass_gate(connection, name, now, seconds))


def release(process: ProcessId, platform: str, chat: str) -> Saving:
    key = (platform, chat)
    return Saving(("release", *key), lambda connection: leases.release(connection, process, key))


def claim(process: ProcessId, platforms: Sequence[str], now: float, limit: int, walk: leases.Walk) -> Saving:
    """The outcome is None if a failed commit may have saved some claims."""

    def run(connection: Connection) -> Sequence[Claim]:
        return leases.claim(connection, process, platforms, now, limit, walk)

    return Saving(("claim",), run, again=lambda _: None)


def postpone(game: GameId, n: int | None, due: float | None) -> Saving:
    return Saving(("postpone", game), lambda connection: leases.postpone(connection, game, n, due), game)


def outdate(revisions: Mapping[str, int], after: GameId) -> Saving:
    return Saving(("outdate",), lambda connection: leases.outdate(connection, revisions, after))


def missed(game: GameId, n: int, delivery: str) -> Saving:
    """Reads on the writer's connection what `Store.missed` returns, to spare another connection."""
    return Saving(("missed", game), lambda connection: missed_by(connection, game, n, delivery))


def move_chat(platform: str, chat: str, new: str) -> Saving:
    def run(connection: Connection) -> None:
        if chat != new:
            _move_rooms(connection, platform, chat, new)
            _move_games(connection, platform, chat, new)
            endings.move(connection, platform, chat, new)

    return Saving(("move", platform, chat), run, moves=True)


def _move_rooms(connection: Connection, platform: str, chat: str, new: str) -> None:
    """Gives the rooms of a chat the chat's new id, as `Room.moved` does."""
    in_old_chat = (ROOMS.c.platform == platform, ROOMS.c.chat == chat)
    for row in connection.execute(select(ROOMS).where(*in_old_chat)).all():
        room = room_of(row)
        key = (ROOMS.c.platform == platform, ROOMS.c.chat == new, ROOMS.c.thread == room.place.thread)
        known = connection.execute(select(ROOMS).where(*key)).one_or_none()
        moved = room.moved(new, room_of(known) if known else None)
        _upsert(connection, ROOMS, room_row(moved))
    connection.execute(delete(ROOMS).where(*in_old_chat))


def _move_games(connection: Connection, platform: str, chat: str, new: str) -> None:
    """Gives the tables of a chat the chat's new id, and forgets the messages that stay in the old chat."""
    in_old_chat = (GAMES.c.platform == platform, GAMES.c.chat == chat)
    games = select(GAMES.c.id, GAMES.c.number, GAMES.c.thread, GAMES.c.status).where(*in_old_chat)
    rows = connection.execute(games.order_by(GAMES.c.id).with_for_update()).all()
    in_old_games = PANELS.c.game.in_(select(GAMES.c.id).where(*in_old_chat))
    # Public alerts stay in the old chat, as the public panels do.
    connection.execute(update(PANELS).where(in_old_games, PANELS.c.aloud).values(alert="", aloud=False))
    live = [row for row in rows if row.status != "over"]
    for game, number, thread, _ in sorted(live, key=lambda row: (row.number, row.id)):
        taken = taken_numbers(connection, Place(platform, new, thread))
        moving = update(GAMES).where(GAMES.c.id == game)
        connection.execute(moving.values(chat=new, number=free(number, taken)))
        public = update(PANELS).where(PANELS.c.game == game, PANELS.c.reader == PUBLIC)
        connection.execute(public.values(message="", wanted=PANELS.c.wanted + 1))
    # Only the tables that are over are still in the old chat; they keep their numbers.
    connection.execute(update(PANELS).where(in_old_games, PANELS.c.reader == PUBLIC).values(message=""))
    connection.execute(update(GAMES).where(*in_old_chat).values(chat=new))


def _upsert(connection: Connection, table: Table, row: Row, changes: Sequence[str] = ()) -> None:
    """Inserts a row; if its key exists, updates the columns ``changes``, or all others if none are named."""
    keys = table.primary_key.columns.keys()
    changed = changes or tuple(name for name in row if name not in keys)
    _upserting(connection.dialect.name, table, tuple(changed)).run(connection, row)


def _add(connection: Connection, table: Table, row: Row) -> None:
    """Inserts a row, unless its key exists."""
    connection.execute(INSERTS[connection.dialect.name](table).values(row).on_conflict_do_nothing())


@cache
def _upserting(dialect: str, table: Table, changed: tuple[str, ...]) -> Prepared:
    """The statement of `_upsert`."""
    insert = INSERTS[dialect](table)
    changes = {name: insert.excluded[name] for name in changed}
    keys = table.primary_key.columns.keys()
    return Prepared(insert.on_conflict_do_update(index_elements=keys, set_=changes))


@cache
def _marking_dirty(dialect: str) -> Prepared:
    """The statement that stores a panel's draft, ``announced`` and watch, and adds 1 to ``wanted``."""
    insert = INSERTS[dialect](PANELS)
    changes = {
        "draft": insert.excluded.draft,
        "announced": insert.excluded.announced,
        "watch": insert.excluded.watch,
        "wanted": PANELS.c.wanted + _ONE,
    }
    marked = insert.on_conflict_do_update(index_elements=["game", "reader"], set_=changes)
    return Prepared(marked.returning(PANELS))
