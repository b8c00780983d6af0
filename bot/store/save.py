"""Storing anything but entries, each in one statement or a few, inside the writer's transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Table, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from bot.model import EVERYBODY, Account, GameId, Panel, Person, Place, Room
from bot.store.append import taken_numbers
from bot.store.order import free
from bot.store.rows import Row, account_row, panel_of, panel_row, person_row, room_of, room_row
from bot.store.schema import ACCOUNTS, GAMES, PANELS, PEOPLE, ROOMS, PanelRow, RoomRow


@dataclass(frozen=True, slots=True)
class Saving:
    """Something to store, and its place in the order in which everybody stores."""

    order: tuple[str, ...]
    run: Callable[[Connection], Any]
    game: GameId | None = None
    """The table that it must not meet halfway."""
    moves: bool = False
    """Whether it changes where tables are, and therefore comes first."""


def save_account(account: Account) -> Saving:
    order = ("account", account.platform, account.user)
    return Saving(order, lambda connection: _upsert(connection, ACCOUNTS, account_row(account)))


def save_person(person: Person) -> Saving:
    return Saving(("person", person.id), lambda connection: _upsert(connection, PEOPLE, person_row(person)))


def save_room(room: Room) -> Saving:
    place = room.place
    order = ("room", place.platform, place.chat, place.thread)
    return Saving(order, lambda connection: _upsert(connection, ROOMS, room_row(room)))


def want(panel: Panel) -> Saving:
    """Gives the panel as it is then."""
    new = panel_row(replace(panel, message="", wanted=1, sent=0))

    def run(connection: Connection) -> Panel:
        insert = _insert(connection, PANELS).values(new)
        changes = {"draft": new["draft"], "wanted": PANELS.c.wanted + 1}
        statement = insert.on_conflict_do_update(index_elements=["game", "reader"], set_=changes)
        row = connection.execute(statement.returning(PANELS)).mappings().one()
        return panel_of(PanelRow(**row))

    return Saving(("panel", panel.game, panel.reader), run, panel.game)


def sent(panel: Panel) -> Saving:
    def run(connection: Connection) -> None:
        changes = {"message": panel.message, "sent": panel.sent}
        _upsert(connection, PANELS, panel_row(panel), changes)

    return Saving(("panel", panel.game, panel.reader), run, panel.game)


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
        anew = update(PANELS).where(PANELS.c.game == game, PANELS.c.reader == EVERYBODY)
        connection.execute(anew.values(message="", wanted=PANELS.c.wanted + 1))
    old = select(GAMES.c.id).where(*here)
    gone = update(PANELS).where(PANELS.c.game.in_(old), PANELS.c.reader == EVERYBODY).values(message="")
    connection.execute(gone)
    connection.execute(update(GAMES).where(*here).values(chat=new))


def _insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def _upsert(connection: Connection, table: Table, row: Row, changes: Row | None = None) -> None:
    """Stores a row; of one that is there already only the changes, or all but its key."""
    keys = [column.name for column in table.primary_key]
    changes = changes or {name: value for name, value in row.items() if name not in keys}
    insert = _insert(connection, table).values(row)
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=changes))
