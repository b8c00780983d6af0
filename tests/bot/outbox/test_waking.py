"""A bot that was killed before it had updated all panels updates them after its restart."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot.model.batches import Batch, Taken
from bot.model.ids import PUBLIC, GameId, PersonId, ReaderId
from bot.model.panels import PanelRecord
from bot.model.people import Person
from bot.model.tables import Entry
from bot.storage import StoreError
from bot.store.memory.store import MemoryStore
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import PLACE, bot_harness
from tests.support.platform import FakePlatform
from tests.support.stores import unsent_panels


class Killed(MemoryStore):
    """A store whose panels cannot be read until `alive`: as if the process was killed before that."""

    alive = False

    async def panels(self, game: GameId) -> Sequence[PanelRecord]:
        if not self.alive:
            raise StoreError("the process is killed")
        return await super().panels(game)

    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        if not self.alive:
            raise StoreError("the process is killed")
        return await super().panel(game, reader)


@pytest.mark.parametrize("commands", [(), ("leave",), ("end",)])
async def test_a_table_that_was_never_shown_is_shown_after_a_restart(commands: Sequence[str]) -> None:
    store, platform = Killed(), FakePlatform()
    async with bot_harness(store, platform) as bot:
        ana = bot.caller("Ana")
        await bot.say(ana, "new", game="casino")
        for command in commands:
            await bot.say(ana, command)
        assert (await bot.table()).status == ("over" if commands else "lobby")
        assert platform.pages(PLACE.chat) == []
    store.alive = True
    async with bot_harness(store, platform):
        await settle()
        assert len(platform.pages(PLACE.chat)) == 1
    assert await unsent_panels(store) == []


async def test_a_changed_preference_is_shown_after_a_restart() -> None:
    async with bot_harness() as bot:
        ana, _ = await bot.begin("casino", "Ana", "Beto")
        bot.platform.errors = [RuntimeError("the process is killed")]
        before = bot.panel(ana)
        await bot.say(ana, "settings", setting="letters", value="on")
        assert bot.panel(ana) == before
    bot.platform.errors = []
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        await settle()
        assert set(before.drawing) & set("♠♥♦♣")
        assert not set(again.panel(ana).drawing) & set("♠♥♦♣")


async def test_a_log_that_cannot_be_read_keeps_nobody_from_opening_a_table() -> None:
    async with bot_harness() as bot:
        await bot.begin("casino", "Ana", "Beto")
        table = await bot.table()
        nonsense = Entry(len(table.entries), "move", 0, body={"move": "nonsense"})
        listing = replace(table.listing, entries=len(table.entries) + 1)
        assert await bot.store.append(Batch((nonsense,), listing)) == Taken()
        await bot.store.mark_dirty(PanelRecord(table.id, PUBLIC))
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        await again.say(again.caller("Carla"), "new", game="casino")
        assert (await again.table(2)).status == "lobby"


class Slow(MemoryStore):
    """A store that yields to other tasks before it loads or saves a person."""

    async def save_person(self, person: Person) -> None:
        await asyncio.sleep(0)
        await super().save_person(person)

    async def person(self, person: PersonId) -> Person | None:
        await asyncio.sleep(0)
        return await super().person(person)


async def test_settings_that_are_changed_at_the_same_instant_all_count() -> None:
    async with bot_harness(Slow()) as bot:
        ana = bot.caller("Ana")
        await bot.say(ana, "help")
        await asyncio.gather(
            bot.say(ana, "settings", setting="letters", value="on"),
            bot.say(ana, "settings", setting="careful", value="on"),
            bot.say(ana, "language", language="es"),
        )
        person = await bot.store.person(await bot.person(ana))
        assert person
        assert (person.letters, person.careful, person.language) == (True, True, "es")
