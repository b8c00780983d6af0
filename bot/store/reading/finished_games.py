"""Conditions that select tables: the last finished ones of a place or a person, or all in a place itself."""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, Select
from sqlmodel import and_, col, exists, or_, select

from bot.model.ids import PersonId
from bot.model.places import Place
from bot.store.schema import OVER, EntryRow, GameRow, RoomRow, SeatRow


def finished_ids(
    place: Place | None, person: PersonId | None, key: str | None, most: int
) -> ColumnElement[bool]:
    """Whether a table is one of the last ``most`` finished games of a person, if given, else of a place.

    Of a place it admits up to ``most`` in the place itself and as many in the places inside it: the caller
    sorts them and takes the latest. A game counts if cards were dealt, and if it has this ``key``, if any.
    """
    which = [] if key is None else [col(GameRow.key) == key]
    if person is not None:
        sat = select(SeatRow.game).where(col(SeatRow.person) == person)
        return col(GameRow.id).in_(_last(most, col(GameRow.id).in_(sat), *which))
    assert place is not None
    # Each of the two has an index; an OR of both conditions would look at all games.
    here, inside = _last(most, at(place), *which), _last(most, _in_rooms_inside(place), *which)
    return col(GameRow.id).in_(sqlalchemy.union_all(_ids(here), _ids(inside)))


def at(place: Place) -> ColumnElement[bool]:
    """Whether a table is in this place itself."""
    return and_(
        col(GameRow.platform) == place.platform,
        col(GameRow.chat) == place.chat,
        col(GameRow.thread) == place.thread,
    )


def _in_rooms_inside(place: Place) -> ColumnElement[bool]:
    """Whether a table is in a place inside this one; the rooms inside are selected once for all tables."""
    around = or_(col(RoomRow.channel) == place.chat, col(RoomRow.server) == place.chat)
    places = select(RoomRow.platform, RoomRow.chat, RoomRow.thread)
    there = places.where(col(RoomRow.platform) == place.platform, around)
    return sqlalchemy.tuple_(col(GameRow.platform), col(GameRow.chat), col(GameRow.thread)).in_(there)


def _last(most: int, *which: ColumnElement[bool]) -> Select[Any]:
    """The ids of the last games that are over, at which cards were dealt."""
    dealt = exists().where(col(EntryRow.game) == col(GameRow.id), col(EntryRow.kind) == "start")
    over = sqlalchemy.select(col(GameRow.id)).where(col(GameRow.status) == OVER, dealt, *which)
    return over.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc()).limit(most)


def _ids(games: Select[Any]) -> Select[Any]:
    """Wraps a statement with an order, which a part of a union may not have."""
    return sqlalchemy.select(games.subquery("latest").c.id)
