"""The store in memory, lost when the process ends: for tests, and for terminal games without a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.model import (
    PUBLIC,
    Account,
    Batch,
    Behind,
    Clash,
    GameId,
    Known,
    Listing,
    PanelRecord,
    Person,
    PersonId,
    Place,
    ReaderId,
    Room,
    Standing,
    Stored,
    Taken,
)
from bot.ports import StoreError
from bot.store.common import first, free, new_readers, ranked
from bot.tables.commitment import canonical


class MemoryStore:
    """A store in dictionaries; no method awaits anything, so that each is atomic."""

    def __init__(self) -> None:
        self._games: dict[GameId, Stored] = {}
        self._deliveries: set[str] = set()
        self._panels: dict[tuple[GameId, PersonId], PanelRecord] = {}
        self._rooms: dict[Place, Room] = {}
        self._accounts: dict[tuple[str, str], Account] = {}
        self._people: dict[PersonId, Person] = {}

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash:
        listing, start = batch.listing, first(batch)
        stored = self._games.get(listing.game)
        entries = stored.entries if stored else ()
        if batch.delivery in self._deliveries:
            return Known()
        if start > len(entries):
            raise StoreError(f"table {listing.game} has {len(entries)} entries, not {start}")
        if start < len(entries):
            return Behind(entries[start:])
        if stored:
            place, number = stored.listing.place, stored.listing.number
            listing = replace(listing, place=place, number=number)
            seed, words = stored.server_seed, stored.seed_words
        elif listing.number in self._numbers(listing.place):
            return Clash()
        else:
            seed, words = batch.server_seed, batch.seed_words
        written = tuple(replace(entry, body=json.loads(canonical(entry.body))) for entry in batch.entries)
        self._games[listing.game] = Stored(listing, entries + written, seed, words)
        if batch.delivery:
            self._deliveries.add(batch.delivery)
        for key, panel in self._panels.items():
            if panel.game == listing.game:
                self._panels[key] = replace(panel, wanted=panel.wanted + 1)
        for reader in new_readers(batch):
            self._panels.setdefault((listing.game, reader), PanelRecord(listing.game, reader, wanted=1))
        return Taken()

    async def has_delivery(self, delivery: str) -> bool:
        return delivery in self._deliveries

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        if delivery in self._deliveries:
            return Known()
        stored = self._games.get(game)
        return Behind(stored.entries[n:]) if stored and len(stored.entries) > n else None

    async def load(self, game: GameId) -> Stored | None:
        return await self.tail(game, 0)

    async def tail(self, game: GameId, n: int) -> Stored | None:
        if (stored := self._games.get(game)) is None:
            return None
        return replace(stored, entries=stored.entries[n:])

    async def live(self) -> Sequence[GameId]:
        return [listing.game for listing in self._latest(self._live())][::-1]

    async def tables(self, place: Place) -> Sequence[Listing]:
        here = (listing for listing in self._live() if listing.place == place)
        return sorted(here, key=lambda listing: listing.number)

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        def theirs(listing: Listing) -> bool:
            return person in (listing.owner, *(seated.player.person for seated in listing.seats))

        return self._latest(filter(theirs, self._live()))

    async def last_over(self, place: Place) -> Listing | None:
        listings = (stored.listing for stored in self._games.values())
        over = (one for one in listings if one.status == "over" and one.place == place)
        return next(iter(self._latest(over)), None)

    async def unsent(self) -> Sequence[PanelRecord]:
        return [panel for _, panel in sorted(self._panels.items()) if panel.wanted != panel.sent]

    async def panels(self, game: GameId) -> Sequence[PanelRecord]:
        return [panel for _, panel in sorted(self._panels.items()) if panel.game == game]

    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        return self._panels.get((game, reader))

    async def mark_dirty(self, panel: PanelRecord) -> PanelRecord:
        key = (panel.game, panel.reader)
        kept = self._panels.get(key, PanelRecord(*key))
        self._panels[key] = replace(
            kept, draft=panel.draft, announced=panel.announced, wanted=kept.wanted + 1
        )
        return self._panels[key]

    async def sent(self, panel: PanelRecord) -> None:
        key = (panel.game, panel.reader)
        kept = self._panels.get(key, panel)
        self._panels[key] = replace(kept, message=panel.message, sent=panel.sent, told=panel.told)

    async def room(self, place: Place) -> Room | None:
        return self._rooms.get(place)

    async def save_room(self, room: Room) -> None:
        self._rooms[room.place] = room

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        if chat == new:
            return

        def leaves(place: Place) -> bool:
            return (place.platform, place.chat) == (platform, chat)

        for room in [room for place, room in self._rooms.items() if leaves(place)]:
            community = new if room.community == chat else room.community
            place = replace(room.place, chat=new)
            del self._rooms[room.place]
            self._rooms[place] = replace(room, place=place, community=community)
        moving = [game for game, stored in self._games.items() if leaves(stored.listing.place)]
        for game in sorted(moving, key=lambda game: self._games[game].listing.number):
            self._move(game, new)

    def _move(self, game: GameId, chat: str) -> None:
        stored = self._games[game]
        listing = stored.listing
        place, number = replace(listing.place, chat=chat), listing.number
        if listing.status != "over":
            number = free(number, self._numbers(place))
        self._games[game] = replace(stored, listing=replace(listing, place=place, number=number))
        key = (game, PUBLIC)
        if panel := self._panels.get(key):
            more = listing.status != "over"
            self._panels[key] = replace(panel, message="", wanted=panel.wanted + more)

    async def account(self, platform: str, user: str) -> Account | None:
        return self._accounts.get((platform, user))

    async def accounts(self, person: PersonId) -> Sequence[Account]:
        return [account for _, account in sorted(self._accounts.items()) if account.person == person]

    async def save_account(self, account: Account) -> None:
        self._accounts[account.platform, account.user] = account

    async def person(self, person: PersonId) -> Person | None:
        return self._people.get(person)

    async def save_person(self, person: Person) -> None:
        self._people[person.id] = person

    async def standings(
        self, *, key: str | None = None, place: Place | None = None, platform: str = "", community: str = ""
    ) -> Sequence[Standing]:
        def near(where: Place) -> bool:
            room = self._rooms.get(where)
            known = (where.platform, room.community) if room else ()
            return place in (None, where) and (not community or known == (platform, community))

        def counts(listing: Listing) -> bool:
            return listing.status == "over" and key in (None, listing.key) and near(listing.place)

        tally: dict[tuple[PersonId, str], tuple[str, int, int]] = {}
        for stored in self._games.values():
            listing = stored.listing
            for seated in listing.seats if counts(listing) else ():
                player = seated.player
                if player.person and seated.score is not None:
                    name, games, wins = tally.get((player.person, listing.key), ("", 0, 0))
                    won = seated.won and not player.is_computer
                    tally[player.person, listing.key] = (max(name, player.name), games + 1, wins + won)
        return ranked(
            Standing(person, known.name if (known := self._people.get(person)) else name, key, games, wins)
            for (person, key), (name, games, wins) in tally.items()
        )

    async def close(self) -> None:
        pass

    def _live(self) -> Iterable[Listing]:
        return (stored.listing for stored in self._games.values() if stored.listing.status != "over")

    def _numbers(self, place: Place) -> set[int]:
        return {listing.number for listing in self._live() if listing.place == place}

    def _latest(self, listings: Iterable[Listing]) -> list[Listing]:
        return sorted(listings, key=lambda listing: (listing.changed, listing.game), reverse=True)
