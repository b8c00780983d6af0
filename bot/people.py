"""Who sent something, from where, and in which language they are answered."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.i18n import LANGUAGES, Speech, language, safe_name
from bot.model import Account, Language, Person, PersonId, Place, Room
from bot.ports import Caller, Store
from bot.tables.table import Table

_KEPT = 5000
"""People, accounts and rooms that are kept in memory."""


class People:
    """The people and places that the store knows; others are made known when they first send something."""

    def __init__(self, store: Store, fallback: Language = "en") -> None:
        self._store = store
        self._fallback = fallback
        self._greeting = asyncio.Lock()
        self.liking = asyncio.Lock()
        """Held by whoever changes how somebody likes it: two changes in the same instant both count."""
        self._people: OrderedDict[PersonId, Person] = OrderedDict()
        self._accounts: OrderedDict[tuple[str, str], Account] = OrderedDict()
        self._homes: OrderedDict[tuple[str, PersonId], Account] = OrderedDict()
        self._rooms: OrderedDict[Place, Room] = OrderedDict()

    async def sender(self, caller: Caller) -> tuple[Person, Speech]:
        """The person who sent something, and how they are answered; a place that is new is made known."""
        person = await self.caller(caller)
        room = await self.entered(caller)
        if caller.private and (account := await self.account(caller.place.platform, caller.user)):
            await self.reached(account, True)
        return person, self._speech(person, room, None)

    async def caller(self, caller: Caller) -> Person:
        """The person who sent something."""
        account = await self.account(caller.place.platform, caller.user)
        name = safe_name(caller.name)
        if account is None:
            return await self._greet(caller, name)
        person = await self.person(account.person)
        if name and person.name != name:
            person = replace(person, name=name)
            await self.save(person)
        return person

    async def _greet(self, caller: Caller, name: str) -> Person:
        """Makes a stranger known, once, though they may send two things in the same instant."""
        async with self._greeting:
            if account := await self.account(caller.place.platform, caller.user):
                return await self.person(account.person)
            person = Person(secrets.token_hex(8), name, language(caller.locale) if caller.locale else None)
            await self.save(person)
            await self._keep_account(Account(caller.place.platform, caller.user, person.id))
            return person

    async def person(self, person: PersonId) -> Person:
        """A person who is known."""
        if (known := self._people.get(person)) is None:
            known = await self._store.person(person) or Person(person, "")
            _keep(self._people, person, known)
        return known

    async def save(self, person: Person) -> None:
        """Keeps how somebody likes it."""
        await self._store.save_person(person)
        _keep(self._people, person.id, person)

    async def account(self, platform: str, user: str) -> Account | None:
        """Somebody as a platform knows them; None for a stranger."""
        account = self._accounts.get((platform, user)) or await self._store.account(platform, user)
        if account:
            _keep(self._accounts, (platform, user), account)
            _keep(self._homes, (platform, account.person), account)
        return account

    async def account_of(self, person: PersonId, platform: str) -> Account | None:
        """The account of a person on a platform."""
        if known := self._homes.get((platform, person)):
            return known
        accounts = [one for one in await self._store.accounts(person) if one.platform == platform]
        return await self.account(platform, accounts[0].user) if accounts else None

    async def reached(self, account: Account, reachable: bool) -> None:
        """Keeps whether somebody could be written to alone."""
        if account.reachable != reachable:
            await self._keep_account(replace(account, reachable=reachable))

    async def room(self, place: Place) -> Room:
        """A place and what is settled for it."""
        if (room := self._rooms.get(place)) is None:
            room = await self._store.room(place) or Room(place)
            _keep(self._rooms, place, room)
        return room

    async def entered(self, caller: Caller) -> Room:
        """The place that something was sent from."""
        room = await self.room(caller.place)
        spoken = room.language or (language(caller.room_locale) if caller.room_locale else None)
        if (caller.community, caller.private, spoken) != (room.community, room.private, room.language):
            room = replace(room, community=caller.community, private=caller.private, language=spoken)
            await self.save_room(room)
        return room

    async def save_room(self, room: Room) -> None:
        """Keeps what is settled for a place."""
        await self._store.save_room(room)
        _keep(self._rooms, room.place, room)

    def forget_rooms(self) -> None:
        """Looks places up anew, after one has changed its name."""
        self._rooms.clear()

    async def say_in(self, place: Place, table: Table | None = None) -> Speech:
        """How everybody at a place is spoken to."""
        room = await self.room(place)
        return Speech(room.language or self._fallback, names(table))

    async def say_to(self, person: PersonId, place: Place, table: Table | None = None) -> Speech:
        """How a person is spoken to, alone."""
        return self._speech(await self.person(person), await self.room(place), table)

    def _speech(self, person: Person, room: Room, table: Table | None) -> Speech:
        spoken = person.language or room.language or self._fallback
        return Speech(spoken, names(table), person.letters, person.order)

    async def _keep_account(self, account: Account) -> None:
        await self._store.save_account(account)
        _keep(self._accounts, (account.platform, account.user), account)
        _keep(self._homes, (account.platform, account.person), account)


def names(table: Table | None) -> Sequence[str]:
    """What the players at a table are called, one a seat."""
    return tuple(player.name for player in table.players) if table else ()


def known_language(words: str) -> Language | None:
    """The language that somebody names, by its tag or its own name."""
    meant = words.strip().casefold()
    return next((tag for tag, name in LANGUAGES.items() if meant in (tag, name.casefold())), None)


def _keep(kept: OrderedDict[Any, Any], key: object, value: object) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _KEPT:
        kept.popitem(last=False)
