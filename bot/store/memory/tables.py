"""The tables of the store in memory, and how they are found by their listings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.model.ids import GameId, PersonId
from bot.model.leases import ChatKey
from bot.model.places import Place, Room
from bot.model.tables import SEATLESS_KINDS, Entry, Listing


@dataclass(slots=True)
class MemoryTable:
    """A stored table."""

    listing: Listing
    server_seed: bytes | None = field(repr=False)
    seed_words: str | None = field(repr=False)
    entries: list[Entry] = field(default_factory=list)


class MemoryTables:
    """All tables by id, and their listings by place, number and time."""

    def __init__(self) -> None:
        self.by_id: dict[GameId, MemoryTable] = {}
        self.numbers: defaultdict[Place, dict[int, GameId]] = defaultdict(dict)
        """The tables of each place that are not over, by number."""
        self.due: dict[GameId, float] = {}
        """The time from which each table is due; without the tables that are not due at any time."""
        self._live: dict[GameId, None] = {}
        """The tables that are not over."""

    def put(self, table: MemoryTable, listing: Listing) -> None:
        """Replaces the listing of a table, and brings all by which tables are found up to date."""
        old, table.listing = table.listing, listing
        if self.numbers[old.place].get(old.number) == listing.game:
            del self.numbers[old.place][old.number]
        self._live.pop(listing.game, None)
        self.due.pop(listing.game, None)
        if listing.status != "over":
            self._live[listing.game] = None
            self.numbers[listing.place][listing.number] = listing.game
        if listing.due is not None:
            self.due[listing.game] = listing.due

    def live(self) -> Iterable[Listing]:
        """The listings of the tables that are not over."""
        return (self.by_id[game].listing for game in self._live)

    def has_any(self, platform: str, chat: str) -> bool:
        """Whether a chat has a table, open or over."""
        return any(self.chat(game) == (platform, chat) for game in self.by_id)

    def at(self, place: Place) -> Sequence[Listing]:
        """The tables of a place that are not over, by number."""
        return [self.by_id[game].listing for _, game in sorted(self.numbers.get(place, {}).items())]

    def of(self, person: PersonId) -> Sequence[Listing]:
        """The tables that are not over and that a person owns or has a seat at, the last changed first."""
        return latest_first(
            one
            for one in self.live()
            if person in (one.owner, *(seated.player.person for seated in one.seats))
        )

    def over(self, place: Place) -> Sequence[Listing]:
        """The tables of a place that are over, the last changed first."""
        listings = (table.listing for table in self.by_id.values())
        return latest_first(one for one in listings if one.status == "over" and one.place == place)

    def finished(
        self, rooms: Mapping[Place, Room], place: Place | None, person: PersonId | None, key: str | None
    ) -> Sequence[Listing]:
        """The tables that are over and were dealt cards, the last changed first.

        Those of a person, if one is given, else of a place and the places inside it. With a ``key``, only
        tables of that game.
        """

        def is_meant(one: Listing) -> bool:
            room = rooms.get(one.place)
            is_here = one.place == place or (room is not None and place in room.around)
            has_sat = any(seated.player.person == person for seated in one.seats)
            return (has_sat if person is not None else is_here) and key in (None, one.key)

        dealt = (one for one in self.by_id.values() if any(entry.kind == "start" for entry in one.entries))
        listings = (table.listing for table in dealt)
        return latest_first(one for one in listings if one.status == "over" and is_meant(one))

    def ended_threads(self, rooms: Mapping[Place, Room], since: float) -> Sequence[tuple[Place, float]]:
        """The bot's threads where a table has ended since a time, with the last such end; earliest first."""
        ended: dict[Place, float] = {}
        for table in self.by_id.values():
            one, room = table.listing, rooms.get(table.listing.place)
            if room and room.is_own_thread and one.status == "over" and one.changed >= since:
                ended[one.place] = max(one.changed, ended.get(one.place, since))
        return sorted(ended.items(), key=lambda item: item[1])

    def outdated(self, revisions: Mapping[str, int]) -> Sequence[MemoryTable]:
        """The tables that are not over and were opened under older rules."""
        tables = [self.by_id[game] for game in self._live]
        return [one for one in tables if one.listing.revision < revisions.get(one.listing.key, 0)]

    def chat(self, game: GameId) -> ChatKey:
        """The platform and the chat of a table."""
        place = self.by_id[game].listing.place
        return place.platform, place.chat


def takes_part(listing: Listing, entries: Iterable[Entry], person: PersonId) -> bool:
    """Whether a person has a seat at a table, or an entry of the `SEATLESS_KINDS` is theirs."""
    return any(seated.player.person == person for seated in listing.seats) or any(
        entry.person == person and entry.kind in SEATLESS_KINDS for entry in entries
    )


def latest_first(listings: Iterable[Listing]) -> list[Listing]:
    """Listings by the time of their last change, the latest first."""
    return sorted(listings, key=lambda listing: (listing.changed, listing.game), reverse=True)
