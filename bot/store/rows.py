"""Converts the values of `bot.model` to rows and back."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import asdict

from bot.model.ids import GameId, PersonId
from bot.model.panels import Draft, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.results import PlayerResult, Tally
from bot.model.tables import Entry, Listing, Player, Seated
from bot.ratings import Rating
from bot.storage import Unreadable
from bot.tables.log.commitment import canonical
from engines.game import Level
from engines.values import fields_of

Row = dict[str, Any]

_EntryRows = list[tuple[int, str, int | None, str, str, float]]
"""The type of rows of `ENTRY_COLUMNS`; `entries_of` checks what the store returns against it."""
_BODY = msgspec.json.Decoder(dict[str, Any])
_DRAFT = msgspec.json.Decoder(tuple[int, tuple[str, ...], int, bool])
_NO_DRAFT = Draft()


def values_of(record: Person | Account | PlayerResult | Rating | Tally) -> Row:
    """The fields of a record by name; callers adapt those that their columns store otherwise."""
    return asdict(record)


def game_row(listing: Listing) -> Row:
    """The row of a table without its place, number and seeds."""
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
        "uncounted": listing.uncounted or "",
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
            "seat": seated.seat,
            "name": seated.player.name,
            "level": seated.player.level,
            "person": seated.player.person or "",
            "kicked": seated.player.kicked,
            "score": seated.score,
            "won": seated.won,
        }
        for seated in listing.seats
    ]


def panel_row(panel: PanelRecord) -> Row:
    draft, row = panel.draft, fields_of(PanelRecord, panel)
    # The column has an older name.
    row["called"] = row.pop("notified_at")
    row["draft"] = canonical([draft.stamp, draft.path, draft.page, draft.asked])
    return row


def result_row(result: PlayerResult) -> Row:
    before, after = result.before, result.after
    row = values_of(result)
    del row["before"], row["after"]
    return {
        **row,
        "unrated": result.unrated or "",
        "mu_before": before.mu if before else None,
        "sigma_before": before.sigma if before else None,
        "mu_after": after.mu if after else None,
        "sigma_after": after.sigma if after else None,
    }


def rating_row(person: PersonId, rating: Rating, key: str) -> Row:
    return {"person": person, "key": key, **values_of(rating), "shown": rating.shown}


def room_row(room: Room) -> Row:
    return {
        **place_row(room.place),
        "community": room.community,
        "private": room.private,
        "language": room.language,
        "openers": room.openers or "",
        "barred": " ".join(room.barred),
        "wishes": " ".join(room.wishes),
        "channel": room.channel,
        "server": room.server,
        "spoken": room.spoken or "",
        "clock": room.clock,
        "threads": room.threads,
        "asked": room.asked,
    }


def person_row(person: Person) -> Row:
    zone, row = person.zone, values_of(person)
    # The column has an older name.
    row["calls"] = row.pop("turn_alerts")
    row["zone"] = zone if isinstance(zone, int) else None
    row["region"] = zone if isinstance(zone, str) else ""
    return row


def account_row(account: Account) -> Row:
    return values_of(account)


LISTING_COLUMNS = (
    "id", "platform", "chat", "thread", "number", "key", "revision", "status", "owner", "entries", "opened",
    "changed", "due", "uncounted",
)  # fmt: skip
"""The columns of `GAMES` that `listing_of` takes, in order."""
SEAT_COLUMNS = ("seat", "name", "level", "person", "kicked", "score", "won")
"""The columns of `SEATS` that `listing_of` takes for each seat, in order."""


def listing_of(row: Sequence[Any], seats: Iterable[Sequence[Any]]) -> Listing:
    """The listing of a table, from its row and the rows of its seats in order."""
    game, platform, chat, thread, number, key, revision, status, owner, entries, *others = row
    opened, changed, due, uncounted = others
    place, seated = Place(word(platform), chat, thread), tuple([_seated(*seat) for seat in seats])
    return Listing(
        game, place, number, word(key), revision, word(status), owner or None, seated, entries, opened,
        changed, due, word(uncounted) or None,
    )  # fmt: skip


def _seated(
    seat: int, name: str, level: Level | None, person: str, kicked: object, score: int | None, won: object
) -> Seated:
    # SQLite has no booleans: its driver returns 0 and 1.
    return Seated(seat, Player(name, level, shared_id(person) or None, bool(kicked)), score, bool(won))


ENTRY_COLUMNS = ("n", "kind", "seat", "person", "body", "at")
"""The columns of `ENTRIES` that `entries_of` takes, in order."""


def entries_of(game: GameId, rows: Iterable[Sequence[Any]]) -> tuple[Entry, ...]:
    """The entries of a table from rows of `ENTRY_COLUMNS`, those of unknown kinds included.

    Raises `Unreadable` for rows that this program cannot have written.
    """
    try:
        # SQLite stores a value of any type in any column.
        sound = msgspec.convert([tuple(row) for row in rows], _EntryRows)
        return tuple(
            [
                Entry(n, word(kind), seat, shared_id(person) or None, _BODY.decode(body), at)
                for n, kind, seat, person, body, at in sound
            ]
        )
    except ValueError as error:
        raise Unreadable(f"the log of table {game} is garbled: {type(error).__name__}") from None


def panel_of(row: Sequence[Any]) -> PanelRecord:
    """A panel from a row of all columns; a garbled draft becomes an empty one."""
    game, reader, message, draft_json, wanted, sent, announced, told, *alerts, watch = row
    notified_at, alert, aloud = alerts
    try:
        draft = Draft(*_DRAFT.decode(draft_json))
        # Most drafts are empty: they share one object.
        draft = _NO_DRAFT if draft == _NO_DRAFT else draft
    except (ValueError, TypeError):
        draft = _NO_DRAFT
    return PanelRecord(
        game,
        shared_id(reader),
        message,
        draft,
        wanted,
        sent,
        announced,
        told,
        notified_at,
        alert,
        bool(aloud),
        word(watch),
    )


def room_of(row: Sequence[Any]) -> Room:
    """A room from a row of all columns."""
    platform, chat, thread, community, private, language, openers, barred, wishes, *others = row
    channel, server, spoken, clock, threads, asked = others
    return Room(
        Place(word(platform), chat, thread),
        shared_id(community),
        bool(private),
        word(language),
        word(openers) or None,
        clock,
        None if threads is None else bool(threads),
        _ids(barred),
        _ids(wishes),
        channel,
        server,
        word(spoken) or None,
        bool(asked),
    )


def person_of(row: Sequence[Any]) -> Person:
    """A person from a row of all columns."""
    person, name, language, order, letters, careful, turn_alerts, quiet, zone, region, *others = row
    pictures, forced, hidden, suggestions, alias = others
    return Person(
        shared_id(person),
        name,
        word(language),
        word(order),
        bool(letters),
        bool(careful),
        word(turn_alerts),
        word(quiet),
        word(region) or zone,
        word(pictures),
        word(forced),
        bool(hidden),
        word(suggestions),
        alias,
    )


def account_of(row: Sequence[Any]) -> Account:
    """An account from a row of all columns."""
    platform, user, person, reachable = row
    return Account(word(platform), shared_id(user), shared_id(person), bool(reachable))


def result_of(row: Sequence[Any]) -> PlayerResult:
    """A result from a row of all columns."""
    start, (won, alone, counts, unrated, mu_before, sigma_before, mu_after, sigma_after) = row[:10], row[10:]
    before = None if mu_before is None else Rating(mu_before, sigma_before)
    after = None if mu_after is None else Rating(mu_after, sigma_after)
    game, person, seat, key, number, ended, channel, server, place, score = start
    return PlayerResult(
        game, person, seat, word(key), number, ended, channel, server, place, score, bool(won), bool(alone),
        bool(counts), word(unrated) or None, before, after,
    )  # fmt: skip


def _ids(words: Any) -> tuple[str, ...]:
    """The ids of people in a column; none of a garbled one."""
    return tuple(words.split()) if type(words) is str else ()


def word(value: Any) -> Any:
    """Interns a word of a small vocabulary, since the driver makes a new string for each row."""
    # A column can be empty, and a garbled one can hold a value of any type.
    return sys.intern(value) if type(value) is str else value


def shared_id(value: Any) -> Any:
    """One string for equal ids of the rows read lately: the driver makes a new one for each row.

    Interned strings would not do: Python 3.12 may never free them.
    """
    return _first_of_equals(value) if type(value) is str else value


def forget_ids() -> None:
    """Forgets the ids that `shared_id` keeps."""
    _first_of_equals.cache_clear()


@lru_cache(4096)
def _first_of_equals(value: str) -> str:
    return value
