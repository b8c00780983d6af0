"""Converts the values of `bot.model` to rows and back."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, cast

import msgspec

from bot.model import (
    Account,
    Draft,
    Entry,
    EntryKind,
    GameId,
    Language,
    Level,
    Listing,
    Openers,
    Order,
    PanelRecord,
    Person,
    Place,
    Player,
    Room,
    Seated,
    Status,
)
from bot.ports import Unreadable
from bot.store.schema import AccountRow, GameRow, PanelRow, PersonRow, RoomRow, SeatRow
from bot.tables.commitment import canonical

Row = dict[str, Any]

_EntryRows = list[tuple[int, str, int | None, str, str, float]]
_BODY = msgspec.json.Decoder(dict[str, Any])
_DRAFT = msgspec.json.Decoder(tuple[int, tuple[str, ...], int, bool])
_NO_DRAFT = Draft()


def game_row(listing: Listing) -> Row:
    """The row of a table without its place, number and seed."""
    return {
        "id": listing.game,
        "key": listing.key,
        "revision": listing.revision,
        "status": listing.status,
        "owner": listing.owner or "",
        "entries": listing.entries,
        "opened": listing.opened,
        "changed": listing.changed,
        "due": listing.due,
    }


def place_row(place: Place) -> Row:
    return {"platform": place.platform, "chat": place.chat, "thread": place.thread}


def entry_rows(game: GameId, entries: Sequence[Entry], delivery: str) -> list[Row]:
    """The rows of a batch's entries; only the first row holds the delivery."""
    return [
        {
            "game": game,
            "n": entry.n,
            "kind": entry.kind,
            "seat": entry.seat,
            "person": entry.person or "",
            "body": canonical(entry.body),
            "at": entry.at,
            "delivery": None if i else delivery or None,
        }
        for i, entry in enumerate(entries)
    ]


def seat_rows(listing: Listing) -> list[Row]:
    return [
        {
            "game": listing.game,
            "seat": one.seat,
            "name": one.player.name,
            "level": one.player.level,
            "person": one.player.person or "",
            "kicked": one.player.kicked,
            "score": one.score,
            "won": one.won,
        }
        for one in listing.seats
    ]


def panel_row(panel: PanelRecord) -> Row:
    draft = panel.draft
    return {
        "game": panel.game,
        "reader": panel.reader,
        "message": panel.message,
        "draft": canonical([draft.stamp, draft.path, draft.page, draft.asked]),
        "wanted": panel.wanted,
        "sent": panel.sent,
        "announced": panel.announced,
        "told": panel.told,
    }


def room_row(room: Room) -> Row:
    return {
        **place_row(room.place),
        "community": room.community,
        "private": room.private,
        "language": room.language,
        "openers": room.openers,
    }


def person_row(person: Person) -> Row:
    return {
        "id": person.id,
        "name": person.name,
        "language": person.language,
        "order": person.order,
        "letters": person.letters,
        "careful": person.careful,
        "calls": person.calls,
    }


def account_row(account: Account) -> Row:
    return {
        "platform": account.platform,
        "user": account.user,
        "person": account.person,
        "reachable": account.reachable,
    }


def listing_of(row: GameRow, seats: Iterable[SeatRow]) -> Listing:
    """The listing of a table, from its row and the rows of its seats in order."""
    return Listing(
        row.id,
        Place(_word(row.platform), row.chat, row.thread),
        row.number,
        _word(row.key),
        row.revision,
        cast("Status", _word(row.status)),
        row.owner or None,
        tuple(map(_seated, seats)),
        row.entries,
        row.opened,
        row.changed,
        row.due,
    )


def _seated(row: SeatRow) -> Seated:
    player = Player(row.name, cast("Level | None", row.level), row.person or None, row.kicked)
    return Seated(row.seat, player, row.score, row.won)


ENTRY_COLUMNS = ("n", "kind", "seat", "person", "body", "at")
"""The columns of which `entries_of` makes entries, in order."""


def entries_of(game: GameId, rows: Iterable[Sequence[Any]]) -> tuple[Entry, ...]:
    """The entries of a table from rows of `ENTRY_COLUMNS`; of a kind that this version does not know, too.

    Raises `Unreadable` for rows that this program cannot have written.
    """
    try:
        # SQLite stores a value of any type in any column.
        sound = msgspec.convert([tuple(row) for row in rows], _EntryRows)
        return tuple(
            [
                Entry(n, cast("EntryKind", kind), seat, person or None, _BODY.decode(body), at)
                for n, kind, seat, person, body, at in sound
            ]
        )
    except ValueError as error:
        raise Unreadable(f"the log of table {game} is garbled: {type(error).__name__}") from None


def panel_of(row: PanelRow) -> PanelRecord:
    """The panel of a row; a draft that is garbled is begun anew."""
    try:
        draft = Draft(*_DRAFT.decode(row.draft))
    except (ValueError, TypeError):
        draft = _NO_DRAFT
    # Almost all panels have none, and share this one.
    draft = _NO_DRAFT if draft == _NO_DRAFT else draft
    return PanelRecord(
        row.game, row.reader, row.message, draft, row.wanted, row.sent, row.announced, row.told
    )


def room_of(row: RoomRow) -> Room:
    place = Place(_word(row.platform), row.chat, row.thread)
    openers = cast("Openers", _word(row.openers))
    return Room(place, row.community, row.private, _language(row.language), openers)


def person_of(row: PersonRow) -> Person:
    order = cast("Order", _word(row.order))
    return Person(row.id, row.name, _language(row.language), order, row.letters, row.careful, row.calls)


def account_of(row: AccountRow) -> Account:
    return Account(_word(row.platform), row.user, row.person, row.reachable)


def _language(tag: str | None) -> Language | None:
    return cast("Language | None", tag and _word(tag))


def _word(word: str) -> str:
    """A word of a small vocabulary, which all rows in memory share: the driver makes a new one for each."""
    # A garbled row can hold a value of any type.
    return sys.intern(word) if type(word) is str else word
