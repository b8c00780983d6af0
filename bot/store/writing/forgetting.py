"""Takes a person out of the rows of tables, and deletes the person's own rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Table,
    bindparam,
    delete,
    exists,
    insert,
    literal_column,
    select,
    union,
    update,
)

from bot.model.batches import Rewriting
from bot.model.ids import PersonId
from bot.model.leases import ChatKey
from bot.model.people import Person
from bot.model.places import Place
from bot.store.connections.prepared import Prepared
from bot.store.rows import entry_rows, person_row, place_row, room_of, seat_rows
from bot.store.schema import (
    ACCOUNTS,
    ENTRIES,
    GAMES,
    NAMING,
    PANELS,
    PEOPLE,
    ROOMS,
    SEATS,
)
from bot.store.writing import endings, leases
from bot.store.writing.upserts import Saving

_CHANGE_ENTRY = Prepared(
    update(ENTRIES)
    .where(ENTRIES.c.game == bindparam("of_game"), ENTRIES.c.n == bindparam("of_n"))
    .values(person=bindparam("new_person"), body=bindparam("new_body"))
)
_ADD_ENTRY = Prepared(insert(ENTRIES))
_CHANGE_SEAT = Prepared(
    update(SEATS)
    .where(SEATS.c.game == bindparam("of_game"), SEATS.c.seat == bindparam("of_seat"))
    .values(name=bindparam("new_name"), person=bindparam("new_person"))
)


GAMES_NAMING = Prepared(
    union(
        select(SEATS.c.game).where(
            SEATS.c.person == bindparam("of_person"), SEATS.c.game > bindparam("after")
        ),
        select(ENTRIES.c.game).where(
            NAMING, ENTRIES.c.person == bindparam("of_person"), ENTRIES.c.game > bindparam("after")
        ),
    )
    .order_by(literal_column("1"))
    .limit(bindparam("most", type_=Integer))
    .offset(literal_column("0"))
)
"""Selects the ids of games after the id ``after`` in which a seat or an entry of `NAMING` names a person."""


def rewrite(rewriting: Rewriting) -> Saving:
    """Stores a rewriting; the outcome is False if the log has grown since it was read."""
    game = rewriting.listing.game
    return Saving(("rewrite", game), lambda connection: _rewrite(connection, rewriting), game)


def _rewrite(connection: Connection, rewriting: Rewriting) -> bool:
    listing, *changed = rewriting.listing, *rewriting.entries
    of_game = GAMES.c.id == listing.game
    if connection.execute(select(GAMES.c.entries).where(of_game)).scalar() != listing.entries - 1:
        return False
    *rows, note = entry_rows(listing.game, changed, "")
    for row in rows:
        values = {"of_game": row["game"], "of_n": row["n"], "person": row["person"], "body": row["body"]}
        _CHANGE_ENTRY.run(connection, values)
    _ADD_ENTRY.run(connection, note)
    for row in seat_rows(listing):
        values = {
            "of_game": row["game"], "of_seat": row["seat"], "name": row["name"], "person": row["person"],
        }  # fmt: skip
        _CHANGE_SEAT.run(connection, values)
    # The place is written only if it is new: the chat may have moved since the table was read.
    changes = {"owner": listing.owner or "", "entries": listing.entries}
    if rewriting.was_private:
        changes |= place_row(listing.place)
        old = connection.execute(select(GAMES.c.platform, GAMES.c.chat, GAMES.c.thread).where(of_game)).one()
        here = {"platform": old.platform, "chat": old.chat, "thread": old.thread}
        # The room must stay while the chat has other games: it tells that they are private too.
        others = exists().where(GAMES.c.id != listing.game, *_at(GAMES, here))
        connection.execute(delete(ROOMS).where(*_at(ROOMS, here), ~others))
        connection.execute(delete(PANELS).where(PANELS.c.game == listing.game))
        endings.move(connection, old.platform, old.chat, listing.place.chat)
    connection.execute(update(GAMES).where(of_game).values(changes))
    reader = (PANELS.c.game == listing.game, PANELS.c.reader == rewriting.reader)
    connection.execute(delete(PANELS).where(*reader))
    return True


def _at(rows: Table, values: Mapping[str, str]) -> Sequence[ColumnElement[bool]]:
    """The conditions that columns of a table have these values."""
    return [rows.c[name] == value for name, value in values.items()]


def forget(person: PersonId, alias: PersonId, chat: Place | None) -> Saving:
    """Deletes a person, their accounts, panels and wishes, and the rooms and leases of their private chats.

    A hidden person without a name, the alias, takes their place in results, ratings and tallies.
    """
    return Saving(("person", person), lambda connection: _forget(connection, person, alias, chat))


def end_wishes(person: PersonId, platform: str, chat: str) -> Saving:
    """Removes a person from the wishes of a chat and of its threads."""
    there = (ROOMS.c.platform == platform, ROOMS.c.chat == chat)
    return Saving(("room", platform, chat), lambda connection: _end_wishes(connection, person, *there))


def _end_wishes(connection: Connection, person: PersonId, *where: ColumnElement[bool]) -> None:
    """Removes a person from the wishes of the rooms that fulfil these conditions."""
    wishing = select(ROOMS).where(ROOMS.c.wishes.contains(person, autoescape=True), *where)
    for row in connection.execute(wishing.with_for_update()).all():
        room = room_of(row).without_wish(person)
        of_room = _at(ROOMS, place_row(room.place))
        connection.execute(update(ROOMS).where(*of_room).values(wishes=" ".join(room.wishes)))


def _forget(connection: Connection, person: PersonId, alias: PersonId, chat: Place | None) -> leases.Released:
    own = ACCOUNTS.c.person == person
    accounts = connection.execute(select(ACCOUNTS.c.platform, ACCOUNTS.c.user).where(own)).all()
    # On some platforms a private chat has the id of its user.
    chats: set[ChatKey] = {(platform, user) for platform, user in accounts}
    if chat:
        chats.add((chat.platform, chat.chat))
    for platform, chat_id in sorted(chats):
        private = (ROOMS.c.platform == platform, ROOMS.c.chat == chat_id, ROOMS.c.private)
        connection.execute(delete(ROOMS).where(*private))
    _end_wishes(connection, person)
    endings.rename(connection, person, alias)
    connection.execute(delete(PANELS).where(PANELS.c.reader == person))
    connection.execute(delete(ACCOUNTS).where(own))
    connection.execute(delete(PEOPLE).where(PEOPLE.c.id == person))
    connection.execute(delete(PEOPLE).where(PEOPLE.c.id == alias))
    connection.execute(insert(PEOPLE).values(person_row(Person(alias, "", hidden=True))))
    return leases.delete_unused(connection, chats)
