"""Caches people, accounts and rooms over the store, and chooses the language of each message."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from bot.i18n import LANGUAGES, Speech, language, safe_name
from bot.model import Account, Language, Person, PersonId, Place, Room
from bot.ports import Caller, Store
from bot.tables.table import Table

Write = Callable[[], Awaitable[None]]
"""Writes a change to the store, such as a player's preferences."""

_KEPT = 5000
"""The most people kept in memory, and likewise accounts and rooms."""


class People:
    """The people, accounts and rooms in the store; adds a person or room at their first delivery."""

    def __init__(self, store: Store, fallback: Language = "en") -> None:
        self._store = store
        self._fallback = fallback
        self._greeting = asyncio.Lock()
        self.preferences_lock = asyncio.Lock()
        """Held while preferences or settings are changed, so that two changes do not overwrite each other."""
        self._people: OrderedDict[PersonId, Person] = OrderedDict()
        self._accounts: OrderedDict[tuple[str, str], Account] = OrderedDict()
        self._homes: OrderedDict[tuple[str, PersonId], Account] = OrderedDict()
        self._rooms: OrderedDict[Place, Room] = OrderedDict()
        self._reachable: Callable[[Account, Write], Awaitable[None]] | None = None

    def when_reachable(self, listener: Callable[[Account, Write], Awaitable[None]]) -> None:
        """Calls a listener for each account that can be reached again; it must call ``write`` to store it."""
        self._reachable = listener

    async def sender(self, caller: Caller) -> tuple[Person, Speech]:
        """The sender of a delivery and their speech; adds a new person or place."""
        person = await self.caller(caller)
        room = await self.room_of(caller)
        if caller.private and (account := await self.account(caller.place.platform, caller.user)):
            await self.set_reachable(account, True)
        return person, self._speech(person, room, None)

    def known_speech(self, caller: Caller) -> Speech:
        """The speech of a sender as far as they are known without the store."""
        account = self._accounts.get((caller.place.platform, caller.user))
        person = self._people.get(account.person) if account else None
        room = self._rooms.get(caller.place)
        spoken = person.language if person else caller.locale and language(caller.locale)
        return Speech(spoken or (room and room.language) or self._fallback)

    async def caller(self, caller: Caller) -> Person:
        """The sender of a delivery; adds a new person, and stores a changed name."""
        account = await self.account(caller.place.platform, caller.user)
        name = safe_name(caller.name)
        if account is None:
            return await self._add_person(caller, name)
        person = await self.person(account.person)
        if name and person.name != name:
            person = replace(person, name=name)
            await self.save(person)
        return person

    async def _add_person(self, caller: Caller, name: str) -> Person:
        """Adds a person once, even if two of their first deliveries arrive at once."""
        async with self._greeting:
            if account := await self.account(caller.place.platform, caller.user):
                return await self.person(account.person)
            person = Person(secrets.token_hex(8), name, language(caller.locale) if caller.locale else None)
            await self.save(person)
            await self._keep_account(Account(caller.place.platform, caller.user, person.id))
            return person

    async def person(self, person: PersonId) -> Person:
        """A person; nameless if the store does not know them."""
        if (known := self._people.get(person)) is None:
            known = await self._store.person(person) or Person(person, "")
            _keep(self._people, person, known)
        return known

    async def save(self, person: Person) -> None:
        """Stores a person."""
        await self._store.save_person(person)
        _keep(self._people, person.id, person)

    async def account(self, platform: str, user: str) -> Account | None:
        """The account of a platform's user; None if the bot has not met them."""
        account = self._accounts.get((platform, user)) or await self._store.account(platform, user)
        if account:
            _keep(self._accounts, (platform, user), account)
            _keep(self._homes, (platform, account.person), account)
        return account

    async def account_of(self, person: PersonId, platform: str) -> Account | None:
        """A person's account on a platform; None if they have none."""
        if known := self._homes.get((platform, person)):
            return known
        accounts = [one for one in await self._store.accounts(person) if one.platform == platform]
        return await self.account(platform, accounts[0].user) if accounts else None

    async def set_reachable(self, account: Account, reachable: bool) -> None:
        """Stores whether the last private message to an account arrived."""
        if account.reachable == reachable:
            return
        now = replace(account, reachable=reachable)
        if reachable and self._reachable:
            await self._reachable(now, lambda: self._keep_account(now))
        else:
            await self._keep_account(now)

    async def room(self, place: Place) -> Room:
        """A place with its settings."""
        if (room := self._rooms.get(place)) is None:
            room = await self._store.room(place) or Room(place)
            _keep(self._rooms, place, room)
        return room

    async def room_of(self, caller: Caller) -> Room:
        """The room of a delivery; stores its community, privacy and first known language."""
        room = await self.room(caller.place)
        spoken = room.language or (language(caller.room_locale) if caller.room_locale else None)
        if (caller.community, caller.private, spoken) != (room.community, room.private, room.language):
            room = replace(room, community=caller.community, private=caller.private, language=spoken)
            await self.save_room(room)
        return room

    async def save_room(self, room: Room) -> None:
        """Stores the settings of a place."""
        await self._store.save_room(room)
        _keep(self._rooms, room.place, room)

    def forget_rooms(self) -> None:
        """Drops all rooms from memory, because a chat has got another id."""
        self._rooms.clear()

    async def say_in(self, place: Place, table: Table | None = None) -> Speech:
        """The speech of public messages in a place."""
        room = await self.room(place)
        return Speech(room.language or self._fallback, names(table))

    async def say_to(self, person: PersonId, place: Place, table: Table | None = None) -> Speech:
        """The speech of private messages to a person about a place."""
        return self._speech(await self.person(person), await self.room(place), table)

    def _speech(self, person: Person, room: Room, table: Table | None) -> Speech:
        spoken = person.language or room.language or self._fallback
        return Speech(spoken, names(table), person.letters, person.order)

    async def _keep_account(self, account: Account) -> None:
        await self._store.save_account(account)
        _keep(self._accounts, (account.platform, account.user), account)
        _keep(self._homes, (account.platform, account.person), account)


def names(table: Table | None) -> Sequence[str]:
    """The names of a table's players by seat."""
    return tuple(player.name for player in table.players) if table else ()


def known_language(words: str) -> Language | None:
    """The language with this tag or own name, such as ``es`` or ``Español``; None if it is not offered."""
    meant = words.strip().casefold()
    return next((tag for tag, name in LANGUAGES.items() if meant in (tag, name.casefold())), None)


def _keep(kept: OrderedDict[Any, Any], key: object, value: object) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _KEPT:
        kept.popitem(last=False)
