"""Caches people, accounts and rooms (places with settings); chooses the language of each message."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from functools import lru_cache
from itertools import islice, takewhile
from typing import Generic, TypeVar

from bot.i18n import Speech, safe_name
from bot.locks import Locks
from bot.model.ids import PersonId
from bot.model.leases import Lease
from bot.model.people import Account, Person
from bot.model.places import USUAL_CLOCK, Place, Room, RoomSettings
from bot.ports import Caller, Clock
from bot.recent import Recent
from bot.settings.choices import Language, language
from bot.storage import Store
from bot.tables.clocks import is_played_for
from bot.tables.table import Table
from bot.times.local_time import QuietUntil, quiet_until
from engines.values import replace

Write = Callable[[], Awaitable[None]]
"""Writes a change to the store, such as a player's preferences."""

_MOST_KEPT = 50_000
"""The most people kept in memory; also the most accounts, usernames, rooms and settings."""
_MOST_INTERNED = 500
"""The most different `RoomSettings` that are kept so that all places with equal ones share one object."""
FRESH_FOR = 5.0
"""Seconds for which people, accounts and rooms are read from memory if other processes change them too."""
USERNAMES_FRESH_FOR = 30 * 86_400.0
"""Likewise for usernames, which are not in the store: only another delivery of the person tells them anew."""
_MOST_DROPPED = 8
"""The most stale values that one `_Cache.put` drops, since a press may wait for it."""

_K = TypeVar("_K")
_V = TypeVar("_V")


class _Cache(Generic[_K, _V]):
    """The most recently used values by key; in a shared store each is valid for ``fresh_for`` seconds."""

    def __init__(self, clock: Clock, shared: bool, fresh_for: float = FRESH_FOR) -> None:
        self._clock = clock
        self._shared = shared
        self._fresh_for = fresh_for
        self._kept: OrderedDict[_K, _V] = OrderedDict()
        self._read_at: dict[_K, float] = {}
        """When each value was read or written, in this order; empty if no other process changes them."""

    def get(self, key: _K) -> _V | None:
        """The value of a key, unless it must be read again."""
        if (kept := self._kept.get(key)) is None or (self._shared and self._is_stale(key)):
            return None
        self._kept.move_to_end(key)
        return kept

    def put(self, key: _K, value: _V) -> None:
        """Keeps a value that was just read or written."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if self._shared:
            self._read_at.pop(key, None)
            self._read_at[key] = self._clock.now()
        # Stale values are dropped too: another process may have forgotten the person.
        for stale in list(takewhile(self._is_stale, islice(self._read_at, _MOST_DROPPED))):
            self.drop(stale)
        while len(self._kept) > _MOST_KEPT:
            unused, _ = self._kept.popitem(last=False)
            self._read_at.pop(unused, None)

    def _is_stale(self, key: _K) -> bool:
        """Whether a value must be read again."""
        return self._shared and not 0 <= self._clock.now() - self._read_at[key] < self._fresh_for

    def drop(self, key: _K) -> None:
        """Drops a value if another process may have changed it."""
        if self._shared:
            self._kept.pop(key, None)
            self._read_at.pop(key, None)

    def remove(self, unwanted: Callable[[_V], bool]) -> None:
        """Drops the unwanted values."""
        for key in [key for key, value in self._kept.items() if unwanted(value)]:
            del self._kept[key]
            self._read_at.pop(key, None)

    def clear(self) -> None:
        """Drops all values."""
        self._kept.clear()
        self._read_at.clear()


class People:
    """The people, accounts and rooms in the store; adds a person or room at their first delivery."""

    def __init__(self, store: Store, clock: Clock, fallback: Language = "en") -> None:
        self._store = store
        self._fallback = fallback
        self._account_locks: Locks[tuple[str, str]] = Locks()
        """Locks by platform and user, held while a new account is added."""
        self.preference_locks: Locks[PersonId | Place] = Locks()
        """Held while a person's preferences or a place's settings change, so that no change is lost."""
        self._usernames: _Cache[tuple[str, str], tuple[str, PersonId]] = _Cache(
            clock, store.shared, USERNAMES_FRESH_FOR
        )
        """The user and the person by platform and username, as far as this process has seen them."""
        self._people: _Cache[PersonId, Person] = _Cache(clock, store.shared)
        self._accounts: _Cache[tuple[str, str], Account] = _Cache(clock, store.shared)
        self._accounts_of: _Cache[tuple[str, PersonId], Account] = _Cache(clock, store.shared)
        self._rooms: _Cache[Place, Room] = _Cache(clock, store.shared)
        self._settings: Recent[Place, tuple[tuple[Room, ...], RoomSettings]] = Recent(_MOST_KEPT)
        """The settings that apply in each place, with the rooms from which they were computed."""
        self._reachable_listener: Callable[[Account, Write], Awaitable[None]] | None = None

    def gained(self, lease: Lease) -> None:
        """Drops people and rooms from memory if the chat's former keeper may have just changed them."""
        if lease.is_new and self._store.shared:
            self._people.clear()
            self._rooms.clear()

    def lost(self, platform: str, chat: str) -> None:
        """Does nothing: the new keeper of a chat reads what it needs."""

    def when_reachable(self, listener: Callable[[Account, Write], Awaitable[None]]) -> None:
        """Calls a listener with each account that begins to be reachable.

        Its second argument is a function that it must call to store the account.
        """
        self._reachable_listener = listener

    async def sender(self, caller: Caller) -> tuple[Person, Speech]:
        """The sender of a delivery and their speech; stores the person and the place if new or changed.

        A sender in their private chat can be reached there from now on.
        """
        person = await self.person_of(caller)
        await self.room_of(caller)
        if caller.private and (account := await self.account(caller.place.platform, caller.user)):
            await self.set_reachable(account, True)
        return person, self._speech(person, await self.settings(caller.place), None)

    def known_speech(self, caller: Caller) -> Speech:
        """The speech of a sender in their language, as far as memory tells it, without other preferences."""
        account = self._accounts.get((caller.place.platform, caller.user))
        person = self._people.get(account.person) if account else None
        room = self._rooms.get(caller.place)
        spoken = person.language if person else caller.locale and language(caller.locale)
        return Speech(spoken or (room and (room.language or room.spoken)) or self._fallback)

    async def person_of(self, caller: Caller) -> Person:
        """The person who sent a delivery, added if new; unlike `sender`, stores nothing of the place."""
        person = await self._named_person(caller)
        if caller.username:
            key = (caller.place.platform, caller.username.casefold())
            self._usernames.put(key, (caller.user, person.id))
        return person

    async def _named_person(self, caller: Caller) -> Person:
        """The person who sent a delivery, added if new, under the name that the delivery tells."""
        account = await self.account(caller.place.platform, caller.user)
        name = safe_name(caller.name)
        if account is None:
            return await self._add_person(caller, name)
        person = await self.person(account.person)
        if name and person.name != name:
            person = replace(await self.newest_person(person.id), name=name)
            await self.save(person)
        return person

    async def _add_person(self, caller: Caller, name: str) -> Person:
        """Adds a person once, even if two of their first deliveries arrive at once."""
        platform, user = caller.place.platform, caller.user
        async with self._account_locks.of((platform, user)):
            if account := await self.account(platform, user):
                return await self.person(account.person)
            spoken = language(caller.locale) if caller.locale else None
            person = Person(_new_id(platform, user), name, spoken)
            await self.save(person)
            # Another process may have added the account first, and marked it reachable: the stored one stays.
            self._remember(await self._store.add_account(Account(platform, user, person.id)))
            return person

    async def person(self, person: PersonId) -> Person:
        """A person; nameless if the store does not know them."""
        if (known := self._people.get(person)) is None:
            known = await self._store.person(person) or Person(person, "")
            self._people.put(known.id, known)
        return known

    async def quiet_hours(self, people: Iterable[PersonId]) -> QuietUntil:
        """A function that tells when these people's quiet hours end; it does not ask the store."""
        known = {person: await self.person(person) for person in people}
        return lambda person, at: quiet_until(known[person], at) if person in known else None

    async def plays_forced(self, people: Iterable[PersonId]) -> Callable[[PersonId, bool], bool]:
        """A function that tells whether the only possible move of one of these people is played for them.

        Its second argument is whether all players can tell that the move is the only one.
        """
        chosen = {person: (await self.person(person)).forced for person in people}

        def is_played(person: PersonId, public: bool) -> bool:
            return person in chosen and is_played_for(chosen[person], public)

        return is_played

    def read_again(self, person: PersonId) -> None:
        """Has a person read from the store when next needed, if other processes may have changed them."""
        self._people.drop(person)

    async def newest_person(self, person: PersonId) -> Person:
        """A person as stored now, to be changed; an older copy would undo another process's change."""
        self.read_again(person)
        return await self.person(person)

    async def save(self, person: Person) -> None:
        """Stores a person."""
        await self._store.save_person(person)
        self._people.put(person.id, person)

    def forget(self, person: PersonId) -> None:
        """Drops a person, their accounts and usernames, and all rooms from memory.

        Called after the store has forgotten the person, whom rooms may have named.
        """
        self._people.remove(lambda known: known.id == person)
        for cache in (self._accounts, self._accounts_of):
            cache.remove(lambda account: account.person == person)
        self._usernames.remove(lambda known: known[1] == person)
        self.forget_rooms()

    async def account_called(self, platform: str, username: str) -> Account | None:
        """The account last seen with a username; None if this process does not remember the username."""
        known = self._usernames.get((platform, username.casefold()))
        return await self.account(platform, known[0]) if known else None

    async def account(self, platform: str, user: str) -> Account | None:
        """The account of a platform's user; None if the bot has not met them."""
        if known := self._accounts.get((platform, user)):
            return known
        if account := await self._store.account(platform, user):
            self._remember(account)
        return account

    async def account_of(self, person: PersonId, platform: str) -> Account | None:
        """A person's account on a platform; None if they have none.

        In a shared store an account that cannot be reached is read again: its user may have just opened the
        private chat at another process.
        """
        if known := self._accounts_of.get((platform, person)):
            if known.reachable or not self._store.shared:
                return known
            self._accounts.drop((platform, known.user))
        accounts = [account for account in await self._store.accounts(person) if account.platform == platform]
        if not accounts:
            return None
        self._remember(accounts[0])
        return accounts[0]

    async def set_reachable(self, account: Account, reachable: bool) -> None:
        """Stores whether private messages reach an account; calls the listener when they begin to."""
        if account.reachable == reachable:
            return
        now = replace(account, reachable=reachable)
        if reachable and self._reachable_listener:
            await self._reachable_listener(now, lambda: self._keep_account(now))
        else:
            await self._keep_account(now)

    async def room(self, place: Place) -> Room:
        """A place with its settings."""
        if (room := self._rooms.get(place)) is None:
            room = await self._store.room(place) or Room(place)
            self._rooms.put(room.place, room)
        return room

    async def newest_room(self, place: Place) -> Room:
        """A place with its settings as stored now, to be changed, as in `newest_person`."""
        self._rooms.drop(place)
        return await self.room(place)

    async def settings(self, place: Place) -> RoomSettings:
        """The settings that apply in a place: its own or else its server's; in a thread, its channel's."""
        room = await self.room(place)
        rooms: tuple[Room, ...] = (room,)
        for around in room.around:
            rooms += (await self.room(around),)
        known = self._settings.get(place)
        if known is None or known[0] != rooms:
            known = rooms, _interned(settings_of(*rooms))
            self._settings.put(place, known)
        return known[1]

    async def newest_settings(self, place: Place) -> RoomSettings:
        """The settings that apply in a place, as stored now."""
        for around in (await self.newest_room(place)).around:
            self._rooms.drop(around)
        return await self.settings(place)

    async def room_of(self, caller: Caller) -> Room:
        """The room of a delivery; stores the platform's facts about it, if they have changed."""
        room = await self.room(caller.place)
        if not _is_described(room, caller):
            room = _described(await self.newest_room(caller.place), caller)
            await self.save_room(room)
        return room

    async def save_room(self, room: Room) -> None:
        """Stores the settings of a place."""
        await self._store.save_room(room)
        self._rooms.put(room.place, room)

    async def end_wishes(self, person: PersonId, chat: Place) -> None:
        """Removes a person from those who are told of new tables in a chat and in its threads."""
        await self._store.end_wishes(person, chat.platform, chat.chat)
        there = chat.platform, chat.chat
        self._rooms.remove(lambda room: (room.place.platform, room.place.chat) == there)

    def forget_rooms(self) -> None:
        """Drops all rooms from memory, because a chat has got another id or a person is forgotten."""
        self._rooms.clear()
        # Settings name the people who are barred or want to be told of tables.
        self._settings.clear()
        _interned.cache_clear()

    async def say_in(self, place: Place, table: Table | None = None) -> Speech:
        """The speech of public messages in a place."""
        return Speech((await self.settings(place)).language or self._fallback, names(table))

    async def say_to(self, person: PersonId, place: Place, table: Table | None = None) -> Speech:
        """The speech of private messages to a person about a place."""
        return self._speech(await self.person(person), await self.settings(place), table)

    def _speech(self, person: Person, settings: RoomSettings, table: Table | None) -> Speech:
        spoken = person.language or settings.language or self._fallback
        return Speech(
            spoken,
            names(table),
            letters=person.letters,
            order=person.order,
            zone=person.zone,
            pictures=person.pictures,
            suggestions=person.suggestions,
        )

    async def _keep_account(self, account: Account) -> None:
        await self._store.save_account(account)
        self._remember(account)

    def _remember(self, account: Account) -> None:
        self._accounts.put((account.platform, account.user), account)
        self._accounts_of.put((account.platform, account.person), account)


def _described(room: Room, caller: Caller) -> Room:
    """A room with the platform's facts about it, which come with a delivery."""
    return replace(
        room,
        community=caller.community,
        private=caller.private,
        channel=caller.channel,
        server=caller.server,
        spoken=language(caller.room_locale) if caller.room_locale else room.spoken,
    )


def _is_described(room: Room, caller: Caller) -> bool:
    """Whether a room has the facts of a delivery already; quicker than `_described`."""
    return (
        room.community == caller.community
        and room.private == caller.private
        and room.channel == caller.channel
        and room.server == caller.server
        and (not caller.room_locale or room.spoken == language(caller.room_locale))
    )


def settings_of(*rooms: Room) -> RoomSettings:
    """The settings that apply in the first of these places; each of the others contains those before it."""
    if rooms[0].channel:
        # A thread has no settings of its own, but for its bars and wishes.
        rooms = (replace(rooms[0], language=None, openers=None, clock=None, threads=None), *rooms[1:])
    clock = next((room.clock for room in rooms if room.clock is not None), USUAL_CLOCK)
    # What a person has chosen goes before what the platform says.
    chosen = next((room.language for room in rooms if room.language), None)
    return RoomSettings(
        language=chosen or next((room.spoken for room in rooms if room.spoken), None),
        is_chosen=chosen is not None,
        openers=next((room.openers for room in rooms if room.openers), "everyone"),
        clock=None if clock == USUAL_CLOCK else clock,
        threads=next((room.threads for room in rooms if room.threads is not None), False),
        barred=frozenset(person for room in rooms for person in room.barred),
        wishes=tuple(dict.fromkeys(person for room in rooms for person in room.wishes)),
    )


@lru_cache(_MOST_INTERNED)
def _interned(settings: RoomSettings) -> RoomSettings:
    """Equal settings as one object, which saves memory: most places have the usual ones."""
    return settings


def _new_id(platform: str, user: str) -> PersonId:
    """The id of a new person: always the same for an account, since two processes may add it at once."""
    return hashlib.sha256(f"{platform}\0{user}".encode()).hexdigest()[:16]


def names(table: Table | None) -> tuple[str, ...]:
    """The names of a table's players by seat."""
    return tuple([player.name for player in table.players]) if table else ()
