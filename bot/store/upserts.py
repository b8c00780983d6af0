"""Saves people, accounts, rooms and panels, and moves chats, within the writer's transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, Table, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert

from bot.model import PUBLIC, Account, GameId, PanelRecord, Person, Place, Room
from bot.store.append import missed_by, taken_numbers
from bot.store.common import free
from bot.store.rows import Row, account_row, panel_of, panel_row, person_row, room_of, room_row
from bot.store.schema import ACCOUNTS, GAMES, PANELS, PEOPLE, ROOMS, PanelRow, RoomRow

_INSERTS: Mapping[str, Callable[[Table], postgresql.Insert | sqlite.Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}
"""The INSERT of each dialect that supports ON CONFLICT."""


@dataclass(frozen=True, slots=True)
class Saving:
    """A change to save, and the key by which all processes sort the changes of a transaction."""

    order: tuple[str, ...]
    run: Callable[[Connection], Any]
    game: GameId | None = None
    """The table to lock, so that no batch of it is stored at the same time."""
    moves: bool = False
    """Whether it changes the places of tables; it then runs before the batches are appended."""


def save_account(account: Account) -> Saving:
    order = ("account", account.platform, account.user)
    return Saving(order, lambda connection: _upsert(connection, ACCOUNTS, account_row(account)))


def save_person(person: Person) -> Saving:
    return Saving(("person", person.id), lambda connection: _upsert(connection, PEOPLE, person_row(person)))


def save_room(room: Room) -> Saving:
    place = room.place
    order = ("room", place.platform, place.chat, place.thread)
    return Saving(order, lambda connection: _upsert(connection, ROOMS, room_row(room)))


def mark_dirty(panel: PanelRecord) -> Saving:
    """Stores a panel's draft and count of announcements, marks it dirty, and returns the stored panel."""
    new = panel_row(replace(panel, message="", wanted=1, sent=0))

    def run(connection: Connection) -> PanelRecord:
        row = connection.execute(_wanting(connection.dialect.name), new).mappings().one()
        return panel_of(PanelRow(**row))

    return Saving(("panel", panel.game, panel.reader), run, panel.game)


def sent(panel: PanelRecord) -> Saving:
    def run(connection: Connection) -> None:
        _upsert(connection, PANELS, panel_row(panel), ("message", "sent", "told"))

    return Saving(("panel", panel.game, panel.reader), run, panel.game)


def missed(game: GameId, n: int, delivery: str) -> Saving:
    """Reads why a batch would not be taken; uses the writer's connection, so that it needs no session."""
    return Saving(("missed", game), lambda connection: missed_by(connection, game, n, delivery))


def move_chat(platform: str, chat: str, new: str) -> Saving:
    def run(connection: Connection) -> None:
        if chat != new:
            _move_rooms(connection, platform, chat, new)
            _move_games(connection, platform, chat, new)

    return Saving(("move", platform, chat), run, moves=True)


def _move_rooms(connection: Connection, platform: str, chat: str, new: str) -> None:
    here = (ROOMS.c.platform == platform, ROOMS.c.chat == chat)
    for row in connection.execute(select(ROOMS).where(*here)).mappings().all():
        room = room_of(RoomRow(**row))
        community = new if room.community == chat else room.community
        moved = replace(room, place=replace(room.place, chat=new), community=community)
        _upsert(connection, ROOMS, room_row(moved))
    connection.execute(delete(ROOMS).where(*here))


def _move_games(connection: Connection, platform: str, chat: str, new: str) -> None:
    here = (GAMES.c.platform == platform, GAMES.c.chat == chat)
    games = select(GAMES.c.id, GAMES.c.number, GAMES.c.thread, GAMES.c.status).where(*here)
    rows = connection.execute(games.order_by(GAMES.c.id).with_for_update()).all()
    live = [row for row in rows if row.status != "over"]
    for game, number, thread, _ in sorted(live, key=lambda row: (row.number, row.id)):
        taken = taken_numbers(connection, Place(platform, new, thread))
        moved = update(GAMES).where(GAMES.c.id == game).values(chat=new, number=free(number, taken))
        connection.execute(moved)
        anew = update(PANELS).where(PANELS.c.game == game, PANELS.c.reader == PUBLIC)
        connection.execute(anew.values(message="", wanted=PANELS.c.wanted + 1))
    old = select(GAMES.c.id).where(*here)
    gone = update(PANELS).where(PANELS.c.game.in_(old), PANELS.c.reader == PUBLIC).values(message="")
    connection.execute(gone)
    connection.execute(update(GAMES).where(*here).values(chat=new))


def _upsert(connection: Connection, table: Table, row: Row, changes: Sequence[str] = ()) -> None:
    """Inserts a row; if its key exists, updates the columns ``changes``, or all if none are named."""
    keys = table.primary_key.columns.keys()
    changed = changes or tuple(name for name in row if name not in keys)
    connection.execute(_upserting(connection.dialect.name, table, tuple(changed)), row)


@cache
def _upserting(dialect: str, table: Table, changed: tuple[str, ...]) -> Insert:
    insert = _INSERTS[dialect](table)
    changes = {name: insert.excluded[name] for name in changed}
    return insert.on_conflict_do_update(index_elements=table.primary_key.columns.keys(), set_=changes)


@cache
def _wanting(dialect: str) -> ReturningInsert[Any]:
    insert = _INSERTS[dialect](PANELS)
    changes = {
        "draft": insert.excluded.draft,
        "announced": insert.excluded.announced,
        "wanted": PANELS.c.wanted + 1,
    }
    return insert.on_conflict_do_update(index_elements=["game", "reader"], set_=changes).returning(PANELS)
