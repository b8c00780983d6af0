"""Forgets a person: takes their name, their id and the words of their cuts out of the logs of all tables."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from bot.errors import origin
from bot.model.batches import Rewriting, Stored
from bot.model.ids import GameId, PersonId
from bot.model.people import Person
from bot.model.places import Place
from bot.model.tables import Entry, Json, Listing, Refused
from bot.storage import AFTER_ALL, Store, Unreadable
from bot.table_service.service import TableService
from bot.tables import lobby
from bot.tables.log.commitment import SeedSource, seed_source_of
from bot.tables.table import Table
from engines.values import Value, replace

log = logging.getLogger(__name__)

_NAMED = ("join", "take", "ask")
"""The kinds of entries that hold the name of the person who caused them."""
_MOST_AT_ONCE = 50
"""The most tables that the store is asked for at once."""


def new_alias() -> PersonId:
    """A random id in place of a forgotten person's own; it does not follow from an account."""
    return secrets.token_hex(8)


class ForgottenPerson(Value):
    """A person who is being forgotten."""

    person: PersonId
    alias: PersonId
    """The id that stands for theirs from now on."""
    tokens: frozenset[str]
    """The mentions by which they may have been invited."""


def rewritten(stored: Stored, forgotten: ForgottenPerson, *, private: bool = False) -> Rewriting:
    """The log of a table without a person: an alias stands for their id; their name and cuts are emptied.

    If the deal depended on cuts that are gone, the game seed is kept in the entry of the deal, so that the
    game can still be replayed. For a table in their ``private`` chat, ``~`` and the alias stand for the
    chat's id.
    """
    seed_source = seed_source_of(stored.server_seed, stored.seed_words)
    person, alias = forgotten.person, forgotten.alias
    place = Place(stored.listing.place.platform, f"~{alias}") if private else stored.listing.place
    changed = []
    for entry in stored.entries:
        body = _anonymous(entry, forgotten)
        if entry.kind == "open" and private:
            body = {**body, "place": [place.platform, place.chat, place.thread]}
        if entry.kind == "start" and "seed" not in body and _has_cut(stored.entries[: entry.n], person):
            body = {**body, "seed": _game_seed(stored.entries[: entry.n], seed_source).hex()}
        anonymous = replace(entry, person=alias if entry.person == person else entry.person, body=body)
        if anonymous != entry:
            changed.append(anonymous)
    listing = replace(stored.listing, place=place)
    at = stored.entries[-1].at if stored.entries else listing.changed
    note = Entry(listing.entries, "forget", at=at)
    return Rewriting((*changed, note), _without(listing, person, alias), person, private)


def _without(listing: Listing, person: PersonId, alias: PersonId) -> Listing:
    """A listing with an alias without a name in place of a person, after one more entry of its log."""
    seats = tuple(
        replace(seated, player=replace(seated.player, name="", person=alias))
        if seated.player.person == person
        else seated
        for seated in listing.seats
    )
    owner = alias if listing.owner == person else listing.owner
    return replace(listing, seats=seats, owner=owner, entries=listing.entries + 1)


def _anonymous(entry: Entry, forgotten: ForgottenPerson) -> Mapping[str, Json]:
    """The body of an entry without the id, name, words and invitation of a person."""
    body = {key: _replaced(value, forgotten) for key, value in entry.body.items()}
    if isinstance(guests := body.get("guests"), Sequence) and entry.kind == "open":
        body["guests"] = [token for token in guests if token not in forgotten.tokens]
    if entry.person == forgotten.person and entry.kind in _NAMED:
        body["name"] = ""
    if entry.person == forgotten.person and entry.kind == "cut":
        body["words"] = ""
    return body


def _replaced(value: Json, forgotten: ForgottenPerson) -> Json:
    """A value of a body with an alias in every place of a person's id."""
    if isinstance(value, Mapping):
        return {_substituted(key, forgotten): _replaced(each, forgotten) for key, each in value.items()}
    if isinstance(value, str):
        return _substituted(value, forgotten)
    if isinstance(value, Sequence):
        return [_replaced(each, forgotten) for each in value]
    return value


def _substituted(word: str, forgotten: ForgottenPerson) -> str:
    """The alias in place of the person's id; any other word as it is."""
    return forgotten.alias if word == forgotten.person else word


def _has_cut(entries: Sequence[Entry], person: PersonId) -> bool:
    """Whether a person has cut the deck in these entries."""
    return any(entry.kind == "cut" and entry.person == person for entry in entries)


def _game_seed(lobby_entries: Sequence[Entry], seed_source: SeedSource) -> bytes:
    """The game seed that the deal after these entries was made from."""
    return seed_source.seed(Table.replay(lobby_entries, seed_source).statement())


class ForgetRequest(Value):
    """The request of a person to be forgotten."""

    person: PersonId
    tokens: frozenset[str]
    """The mentions by which they may have been invited."""
    chat: Place | None = None
    """The private chat from which they ask."""


class Forgetter:
    """Takes people out of the logs of all tables, one table after the other."""

    def __init__(self, store: Store, service: TableService) -> None:
        self._store = store
        self._service = service
        self._tasks: dict[PersonId, asyncio.Task[None]] = {}

    async def forget(self, request: ForgetRequest, on_end: Callable[[], None], patience: float) -> bool:
        """Makes a person leave all tables and forgets them; False if that takes over ``patience`` seconds.

        The work then goes on, and another call waits for it too. The person, their accounts and preferences
        are deleted last; ``on_end`` is called after that, or after a failure, which is raised if it comes in
        time.
        """
        if (task := self._tasks.get(request.person)) is None:
            task = asyncio.create_task(self._forget(request))
            self._tasks[request.person] = task
            task.add_done_callback(partial(self._end, request.person))
        task.add_done_callback(lambda _: on_end())
        done, _ = await asyncio.wait((task,), timeout=patience)
        if not done:
            return False
        task.result()
        return True

    def _end(self, person: PersonId, task: asyncio.Task[None]) -> None:
        del self._tasks[person]
        if not task.cancelled():
            # Else asyncio would log an error that came too late, with its message.
            task.exception()

    async def close(self) -> None:
        """Stops; a person who is not forgotten yet can ask again."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _forget(self, request: ForgetRequest) -> None:
        person, last = request.person, ""
        try:
            forgotten = ForgottenPerson(person, await self._alias(person), request.tokens)
            await self._leave_all(person)
            while games := await self._store.games_naming(person, last, _MOST_AT_ONCE):
                for game in games:
                    await self._rewrite_with_rematches(game, forgotten)
                last = games[-1]
            await self._store.forget(person, forgotten.alias, request.chat)
            self._service.forget(person)
        except Exception as error:
            log.error("a person could not be forgotten: %s", origin(error))
            raise

    async def _alias(self, person: PersonId) -> PersonId:
        """The alias of a person: that of an earlier try, which was broken off, or else a new one.

        The store keeps the alias with the person until the person is deleted; an alias is hidden at once.
        """
        known = await self._store.person(person)
        alias = known.alias if known and known.alias else new_alias()
        if known and not known.alias:
            await self._store.save_person(replace(known, alias=alias))
        await self._store.save_person(Person(alias, "", hidden=True))
        return alias

    async def _leave_all(self, person: PersonId) -> None:
        """Takes a person from all tables, as `lobby.leave` does; closes the tables in private chats."""
        for listing in await self._store.tables_of(person):
            # A table that refuses or cannot be read keeps no other from being left.
            with suppress(Refused):
                await self._service.change(listing.game, lambda table: lobby.leave(table, person))
            if await self._is_private(listing):
                with suppress(Refused):
                    await self._service.change(listing.game, _stopped)

    async def _is_private(self, listing: Listing) -> bool:
        room = await self._store.room(listing.place)
        return room is not None and room.private

    async def _rewrite_with_rematches(self, game: GameId, forgotten: ForgottenPerson) -> None:
        """Stores the log of a table without a person, and those of its rematches that name the person.

        A rematch bars those who were kicked, though they may have done nothing there.
        """
        waiting = [game]
        while waiting:
            game = waiting.pop()
            rematches = await self._rewrite(game, forgotten)
            waiting += [rematch for rematch in rematches if await self._names(rematch, forgotten)]

    async def _names(self, game: GameId, forgotten: ForgottenPerson) -> bool:
        """Whether the log of a table names a person in any way; False if it cannot be read."""
        try:
            stored = await self._readable_part(game)
        except Unreadable:
            return False
        entries = stored.entries if stored else ()
        return any(_anonymous(entry, forgotten) != entry.body for entry in entries)

    async def _rewrite(self, game: GameId, forgotten: ForgottenPerson) -> Sequence[GameId]:
        """Stores the log of a table without a person; reads the table again if it is in memory.

        Tries again if the log has grown meanwhile. A table of which not even the listing can be read stays
        as it is. Returns the rematches of the table, as far as its log can be read.
        """
        while True:
            try:
                stored = await self._readable_part(game)
            except Unreadable as error:
                log.error("a person could not be taken out of table %s: %s", game, error)
                return ()
            if stored is None:
                return ()
            private = await self._is_private(stored.listing)
            if await self._store.rewrite(rewritten(stored, forgotten, private=private)):
                break
        await self._service.reload(game)
        return [str(entry.body["game"]) for entry in stored.entries if entry.kind == "rematch"]

    async def _readable_part(self, game: GameId) -> Stored | None:
        """A stored table, without its log if that cannot be read; None if there is no such table.

        Raises `Unreadable` if not even the listing can be read.
        """
        try:
            return await self._store.load(game)
        except Unreadable:
            return await self._store.tail(game, AFTER_ALL)


def _stopped(table: Table) -> Table:
    """The table, closed."""
    table.must_not_be_over()
    return table.add("end", reason="stopped")
