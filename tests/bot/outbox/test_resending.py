"""A change of settings reaches tables opened or joined meanwhile; panels read in a change count it once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

import pytest

from bot.model.batches import Batch, BatchVerdict
from bot.model.ids import PUBLIC, GameId, PersonId, ReaderId
from bot.model.people import Person
from bot.model.places import Place, Room
from bot.model.tables import Listing
from bot.store.memory.store import MemoryStore
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import PLACE, bot_harness, text
from tests.support.stores import unsent_panels


class AfterListing(MemoryStore):
    """A store in which something happens after a person's tables, or a place's, have been read."""

    def __init__(self) -> None:
        super().__init__()
        self.happens: Callable[[], Awaitable[object]] | None = None
        self.dirty: Collection[ReaderId] = ()
        """The readers of the dirty panels when a person or the settings of a place were stored last."""

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        found = await super().tables_of(person)
        await self._happen()
        return found

    async def tables_inside(self, place: Place) -> Sequence[Listing]:
        found = await super().tables_inside(place)
        await self._happen()
        return found

    async def save_person(self, person: Person) -> None:
        await super().save_person(person)
        self.dirty = {panel.reader for panel in await unsent_panels(self)}

    async def save_room(self, room: Room) -> None:
        await super().save_room(room)
        self.dirty = {panel.reader for panel in await unsent_panels(self)}

    async def _happen(self) -> None:
        happens, self.happens = self.happens, None
        if happens:
            await happens()
            await settle()


async def test_a_seat_taken_while_a_preference_changes_is_shown_by_the_new_one() -> None:
    store = AfterListing()
    async with bot_harness(store) as bot:
        ana, beto = bot.caller("Ana"), bot.caller("Beto")
        await bot.say(beto, "new", game="casino")
        await bot.say(ana, "settings")
        person, people, table = await bot.person(ana), bot.dispatcher.people, await bot.table()
        store.happens = lambda: bot.press(ana, f"{table.id}:0:join")
        spanish = replace(await people.person(person), language="es")
        await bot.dispatcher.panels.resending.of_person(person, lambda: people.save(spanish))
        await settle()
        assert "mesa 1" in text(bot.panel(ana))
        assert person in store.dirty, "a crash just after the change leaves the panel to the next process"
        await bot.clock.advance(10)
        assert await unsent_panels(store) == []


async def test_a_table_opened_while_a_setting_of_its_place_changes_is_shown_by_the_new_one() -> None:
    store = AfterListing()
    async with bot_harness(store) as bot:
        ana, people = bot.caller("Ana"), bot.dispatcher.people
        await bot.say(ana, "settings")
        spanish = replace(await people.room(PLACE), language="es")
        store.happens = lambda: bot.say(ana, "new", game="casino")
        await bot.dispatcher.panels.resending.at_place(PLACE, lambda: people.save_room(spanish))
        await settle()
        assert "mesa 1" in text(bot.public_panel())
        assert PUBLIC in store.dirty, "after a crash the next process sends the public panel"
        await bot.clock.advance(10)
        assert await unsent_panels(store) == []


class AfterStoring(MemoryStore):
    """A store in which something happens after a change was stored, before its listeners know of it."""

    happens: Callable[[GameId], Awaitable[object]] | None = None

    async def append(self, batch: Batch) -> BatchVerdict:
        verdict = await super().append(batch)
        if self.happens:
            await self.happens(batch.listing.game)
        return verdict


@pytest.mark.parametrize("how", ["load", "load_again"])
async def test_panels_that_are_read_before_a_change_is_told_count_it_once(how: str) -> None:
    store = AfterStoring()
    async with bot_harness(store) as bot:
        ana, beto = bot.caller("Ana"), bot.caller("Beto")
        await bot.say(ana, "new", game="casino")
        await bot.clock.advance(10)
        table, records = await bot.table(), bot.dispatcher.panels._records
        # Read again while nothing changes.
        records.cache.forget_table(table.id)
        await records.load(table.id, PLACE)

        async def read(game: GameId) -> None:
            if how == "load":
                records.cache.forget_table(game)
                await records.load(game, PLACE)
            else:
                await records.load_again(game, PLACE)

        store.happens = read
        await bot.press(beto, f"{table.id}:0:join")
        store.happens = None
        known = {panel.reader: panel.wanted for panel in records.cache.panels(table.id)}
        assert known == {panel.reader: panel.wanted for panel in await store.panels(table.id)}
        await bot.clock.advance(10)
        assert await unsent_panels(store) == []
