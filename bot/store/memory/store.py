"""The store in memory, lost when the process ends: for tests, and for the terminal, which may keep a copy."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from bot.model.batches import Batch, BatchVerdict, Behind, Clash, Full, Known, Look, Rewriting, Stored, Taken
from bot.model.ids import PUBLIC, GameId, PersonId, ProcessId, ReaderId
from bot.model.leaderboards import Leaderboard, LeaderboardPage, Profile
from bot.model.leases import Claim, Outage
from bot.model.panels import Marked, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.results import Ending, PlayerResult, Unsettled, scopes_in
from bot.model.tables import Listing
from bot.ratings import Rating
from bot.storage import StoreError
from bot.store.common import CLOCKS_DIFFER, SHORTEST_WAIT, checked_start, free
from bot.store.memory import leaderboards as memory_leaderboards
from bot.store.memory.endings import MemoryEndings
from bot.store.memory.leases import MemoryLeases
from bot.store.memory.panels import MemoryPanels
from bot.store.memory.tables import MemoryTable, MemoryTables, takes_part
from bot.tables.log.commitment import canonical
from engines.values import replace


class MemoryStore:
    """`bot.storage.Store` in dictionaries; no method ever suspends, so that each is atomic.

    ``shared`` is the answer of `Store.shared`; tests with several processes set it.
    """

    def __init__(self, *, shared: bool = False) -> None:
        self.shared = shared
        self._tables = MemoryTables()
        self._panels = MemoryPanels()
        self._leases = MemoryLeases()
        self._gates: dict[str, float] = {}
        """The time from which each gate is open again."""
        self._deliveries: set[str] = set()
        self._rooms: dict[Place, Room] = {}
        self._accounts: dict[tuple[str, str], Account] = {}
        self._people: dict[PersonId, Person] = {}
        self._analyses: dict[GameId, str] = {}
        self._endings = MemoryEndings()

    async def append(self, batch: Batch) -> BatchVerdict:
        listing, start = batch.listing, checked_start(batch)
        table = self._tables.by_id.get(listing.game)
        length = len(table.entries) if table else 0
        if batch.delivery in self._deliveries:
            return Known()
        if start > length:
            raise StoreError(f"table {listing.game} has {length} entries, not {start}")
        if table and start < length:
            return Behind(tuple(table.entries[start:]))
        if table:
            listing = replace(listing, place=table.listing.place, number=table.listing.number)
        elif listing.number in self._tables.numbers[listing.place]:
            return Clash()
        for person in batch.seated:
            others = (one for one in self._tables.live() if one.game != listing.game)
            if sum(one.sits(person) for one in others) >= batch.most_seats:
                return Full(person)
        if not table:
            table = self._tables.by_id[listing.game] = MemoryTable(
                listing, batch.server_seed, batch.seed_words
            )
        table.entries += (replace(entry, body=json.loads(canonical(entry.body))) for entry in batch.entries)
        self._tables.put(table, listing)
        if batch.delivery:
            self._deliveries.add(batch.delivery)
        self._panels.mark_all_dirty(batch)
        if batch.ending:
            self._endings.end(batch.ending, self._scopes(listing.game))
        return Taken(self._leases.take(listing.place, batch.keeper))

    async def has_delivery(self, delivery: str) -> bool:
        return delivery in self._deliveries

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        if (table := self._tables.by_id.get(game)) is None:
            return None
        if delivery in self._deliveries:
            return Known()
        return Behind(tuple(table.entries[n:])) if len(table.entries) > n else None

    async def load(self, game: GameId) -> Stored | None:
        return await self.tail(game, 0)

    async def tail(self, game: GameId, n: int) -> Stored | None:
        if (table := self._tables.by_id.get(game)) is None:
            return None
        return Stored(table.listing, tuple(table.entries[n:]), table.server_seed, table.seed_words)

    async def tables(self, place: Place) -> Sequence[Listing]:
        return self._tables.at(place)

    async def tables_inside(self, place: Place) -> Sequence[Listing]:
        return [
            listing
            for listing in self._tables.live()
            if (room := self._rooms.get(listing.place)) and place in room.around
        ]

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        return self._tables.of(person)

    async def last_over(self, place: Place) -> Listing | None:
        return next(iter(self._tables.over(place)), None)

    async def finished(
        self,
        *,
        place: Place | None = None,
        person: PersonId | None = None,
        key: str | None = None,
        start: int = 0,
        count: int = 1,
    ) -> Sequence[Listing]:
        return self._tables.finished(self._rooms, place, person, key)[start : start + count]

    async def ended_threads(self, since: float) -> Sequence[tuple[Place, float]]:
        return self._tables.ended_threads(self._rooms, since)

    async def panels(self, game: GameId) -> Sequence[PanelRecord]:
        return self._panels.of_table(game)

    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        return self._panels.get(game, reader)

    async def mark_dirty(
        self, panel: PanelRecord, *, expected: int | None = None, keeper: ProcessId = ""
    ) -> Marked:
        marked, table = self._panels.mark_dirty(panel, expected), self._tables.by_id.get(panel.game)
        if marked.taken and table:
            return replace(marked, lease=self._leases.take(table.listing.place, keeper))
        return marked

    async def sent(
        self,
        panel: PanelRecord,
        *,
        keeper: ProcessId = "",
        replaces: str | None = None,
        free_at: float | None = None,
    ) -> PanelRecord:
        table = self._tables.by_id.get(panel.game)
        holds = table is not None and self._leases.holds(table.listing.place, keeper)
        if table and holds and free_at is not None:
            self._leases.rest(table.listing.place, free_at)
        return self._panels.sent(panel, replaces, compares=bool(keeper), holds=holds)

    async def save_alert(self, panel: PanelRecord, *, replaces: str) -> PanelRecord:
        return self._panels.save_alert(panel, replaces)

    async def beat(
        self, process: ProcessId, now: float, platforms: Collection[str] = ()
    ) -> Mapping[ProcessId, Collection[str]]:
        return self._leases.beat(process, now, platforms)

    async def outages(self) -> Sequence[Outage]:
        return list(self._leases.outages)

    async def retire(self, process: ProcessId) -> None:
        self._leases.retire(process)

    async def release(self, process: ProcessId, platform: str, chat: str) -> None:
        self._leases.release(process, (platform, chat))

    async def claim(
        self, process: ProcessId, platforms: Sequence[str], now: float, limit: int
    ) -> Sequence[Claim]:
        def may_claim(game: GameId, *, mine: bool) -> bool:
            """Whether the process may claim a table; ``mine``: also in a chat that it keeps already."""
            place = self._tables.by_id[game].listing.place
            held = self._leases.holds(place, process)
            return place.platform in platforms and (mine if held else self._leases.is_free(place, now))

        tables, chat_of = self._tables, self._tables.chat
        due = sorted(
            (at, game) for game, at in tables.due.items() if at <= now and may_claim(game, mine=True)
        )
        due_games = [game for _, game in due[:limit]]
        dirty = {game for game in self._dirty_tables() if may_claim(game, mine=False)}
        oldest = sorted(dirty, key=lambda game: (tables.by_id[game].listing.changed, game))
        chosen = set(list(dict.fromkeys(map(chat_of, oldest)))[:limit]) | set(map(chat_of, due_games))
        leases = {chat: self._leases.take(Place(*chat), process, now) for chat in sorted(chosen)}
        games = dict.fromkeys([*due_games, *(game for game in oldest if chat_of(game) in chosen)])
        return [Claim(game, lease) for game in games if (lease := leases[chat_of(game)])]

    async def pending_tables(self, platform: str, chat: str, until: float) -> Sequence[GameId]:
        pending = self._dirty_tables()
        pending |= {game for game, due in self._tables.due.items() if due <= until}
        return sorted(game for game in pending if self._tables.chat(game) == (platform, chat))

    async def look(self, game: GameId, n: int) -> Look | None:
        if (table := self._tables.by_id.get(game)) is None:
            return None
        place = table.listing.place
        return Look(tuple(table.entries[n:]), place, table.listing.number, self._leases.holder(place))

    async def postpone(self, game: GameId, n: int | None, due: float | None) -> None:
        if (table := self._tables.by_id.get(game)) and n in (None, len(table.entries)):
            self._tables.put(table, replace(table.listing, due=due))

    async def outdate(self, revisions: Mapping[str, int]) -> None:
        for table in self._tables.outdated(revisions):
            self._tables.put(table, replace(table.listing, due=0.0))

    async def earliest_due(self) -> float | None:
        return min(self._tables.due.values(), default=None)

    async def pass_gate(self, gate: str, now: float, seconds: float) -> float:
        free_at = self._gates.get(gate, now)
        if now < free_at <= now + seconds + CLOCKS_DIFFER:
            return max(free_at - now, SHORTEST_WAIT)
        self._gates[gate] = now + seconds
        return 0.0

    async def room(self, place: Place) -> Room | None:
        return self._rooms.get(place)

    async def save_room(self, room: Room) -> None:
        self._rooms[room.place] = room

    async def end_wishes(self, person: PersonId, platform: str, chat: str) -> None:
        for place, room in self._rooms.items():
            if (place.platform, place.chat) == (platform, chat):
                self._rooms[place] = room.without_wish(person)

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        if chat == new:
            return

        def leaves(place: Place) -> bool:
            return (place.platform, place.chat) == (platform, chat)

        for room in [room for place, room in self._rooms.items() if leaves(place)]:
            place = replace(room.place, chat=new)
            del self._rooms[room.place]
            self._rooms[place] = room.moved(new, self._rooms.get(place))
        moving = [game for game, table in self._tables.by_id.items() if leaves(table.listing.place)]
        for game in sorted(moving, key=lambda game: self._tables.by_id[game].listing.number):
            self._move(game, new)
        self._endings.move(platform, chat, new)

    def _move(self, game: GameId, chat: str) -> None:
        """Gives a table its new chat, as `Store.move_chat` says."""
        table = self._tables.by_id[game]
        listing = table.listing
        place, number = replace(listing.place, chat=chat), listing.number
        if listing.status != "over":
            number = free(number, self._tables.numbers[place])
        self._tables.put(table, replace(listing, place=place, number=number))
        if panel := self._panels.get(game, PUBLIC):
            is_live = listing.status != "over"
            self._panels.put(replace(panel, message="", wanted=panel.wanted + is_live))
        for panel in self._panels.of_table(game):
            if panel.aloud:
                self._panels.put(replace(panel, alert="", aloud=False))

    async def account(self, platform: str, user: str) -> Account | None:
        return self._accounts.get((platform, user))

    async def accounts(self, person: PersonId) -> Sequence[Account]:
        return [account for _, account in sorted(self._accounts.items()) if account.person == person]

    async def save_account(self, account: Account) -> None:
        self._accounts[account.platform, account.user] = account

    async def add_account(self, account: Account) -> Account:
        if (stored := await self.account(account.platform, account.user)) is None:
            await self.save_account(account)
        return stored or account

    async def person(self, person: PersonId) -> Person | None:
        return self._people.get(person)

    async def save_person(self, person: Person) -> None:
        self._people[person.id] = person

    async def leaderboard(
        self, leaderboard: Leaderboard, reader: PersonId, first: int, count: int
    ) -> LeaderboardPage:
        return memory_leaderboards.leaderboard_rows(
            self._endings, self._people, leaderboard, reader, first, count
        )

    async def game_with_most_wins(self, scope: str, keys: Sequence[str]) -> str:
        return memory_leaderboards.game_with_most_wins(self._endings, scope, keys)

    async def profile(self, person: PersonId, reader: PersonId, keys: Sequence[str]) -> Profile:
        return memory_leaderboards.profile(self._endings, self._people, person, reader, keys)

    async def games_naming(self, person: PersonId, after: GameId, limit: int) -> Sequence[GameId]:
        tables = self._tables.by_id.items()
        part = (game for game, table in tables if takes_part(table.listing, table.entries, person))
        return sorted(game for game in part if game > after)[:limit]

    async def rewrite(self, rewriting: Rewriting) -> bool:
        listing = rewriting.listing
        table = self._tables.by_id.get(listing.game)
        if table is None or len(table.entries) != listing.entries - 1:
            return False
        if not rewriting.was_private:
            # The chat may have moved since the table was read.
            listing = replace(listing, place=table.listing.place, number=table.listing.number)
        for entry in rewriting.entries:
            table.entries[entry.n : entry.n + 1] = (entry,)
        if rewriting.was_private:
            old = table.listing.place
            # Other games of the chat need its room, which says that they are private too.
            if all(one.listing.place != old for one in self._tables.by_id.values() if one is not table):
                self._rooms.pop(old, None)
            self._endings.move(old.platform, old.chat, listing.place.chat)
        readers = [panel.reader for panel in self._panels.of_table(listing.game)]
        for reader in readers if rewriting.was_private else [rewriting.reader]:
            self._panels.delete(listing.game, reader)
        self._tables.put(table, listing)
        return True

    async def forget(self, person: PersonId, alias: PersonId, chat: Place | None = None) -> None:
        # On some platforms a private chat has the id of its user.
        chats = {(chat.platform, chat.chat)} if chat else set()
        for account in await self.accounts(person):
            del self._accounts[account.platform, account.user]
            chats.add((account.platform, account.user))
        for room in [one for one in self._rooms.values() if one.private]:
            if (room.place.platform, room.place.chat) in chats:
                del self._rooms[room.place]
        for room in list(self._rooms.values()):
            self._rooms[room.place] = room.without_wish(person)
        for platform, private_chat in chats:
            if not self._tables.has_any(platform, private_chat):
                self._leases.delete((platform, private_chat))
        self._panels.delete_all_of(person)
        self._endings.rename(person, alias)
        self._people.pop(person, None)
        self._people[alias] = Person(alias, "", hidden=True)

    async def results(self, game: GameId) -> Sequence[PlayerResult]:
        return self._endings.results(game)

    async def ratings(self, person: PersonId) -> Mapping[str, Rating]:
        return self._endings.ratings_of(person)

    async def unsettled(self, limit: int) -> Unsettled:
        return self._endings.unsettled(limit)

    async def settle(self, endings: Sequence[tuple[int, Ending | None]]) -> int:
        count = 0
        for number, ending in endings:
            scopes = self._scopes(ending.game) if ending else ("", "")
            if not self._endings.settle(number, ending, scopes):
                break
            count += 1
        return count

    async def adopt(self) -> int:
        return 0

    async def unsettle(self) -> int:
        return self._endings.unsettle()

    async def purge_tallies(self, month: str, week: str, most: int) -> int:
        return self._endings.purge(month, week, most)

    async def analysis(self, game: GameId) -> str | None:
        return self._analyses.get(game)

    async def save_analysis(self, game: GameId, body: str) -> None:
        if game not in self._tables.by_id:
            raise StoreError(f"there is no table {game}")
        self._analyses[game] = body

    async def close(self) -> None:
        pass

    def _scopes(self, game: GameId) -> tuple[str, str]:
        """The channel and the server of a table's results."""
        place = self._tables.by_id[game].listing.place
        return scopes_in(place, self._rooms.get(place))

    def _dirty_tables(self) -> set[GameId]:
        return {panel.game for panel in self._panels.dirty() if panel.game in self._tables.by_id}
