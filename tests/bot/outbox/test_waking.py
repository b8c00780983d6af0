"""A house that was killed before it had told everybody tells them when it wakes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.model import PUBLIC, Entry, Panel, Person, PersonId
from bot.ports import StoreError
from bot.store.memory import MemoryStore
from tests.bot.front import PLACE, Wall, front, settle


class Bound(MemoryStore):
    """A store that keeps no panel before it is told to: as if there had been no time."""

    hurried = False

    async def want(self, panel: Panel) -> Panel:
        if self.hurried:
            raise StoreError("the process is killed")
        return await super().want(panel)


async def test_a_table_that_nobody_has_seen_is_shown() -> None:
    store, wall = Bound(), Wall(faults=[RuntimeError("the process is killed")] * 9)
    async with front(store, wall) as house:
        store.hurried = True
        await house.say(house.caller("Ana"), "new", game="casino")
        assert wall.pages(PLACE.chat) == []
    store.hurried, wall.faults = False, []
    async with front(store, wall):
        await settle()
        assert len(wall.pages(PLACE.chat)) == 1


async def test_what_somebody_likes_is_shown_though_there_was_no_time() -> None:
    async with front() as house:
        ana, _ = await house.begin("casino", "Ana", "Beto")
        house.wall.faults = [RuntimeError("the process is killed")]
        before = house.panel(ana)
        await house.say(ana, "settings", setting="letters", value="on")
        assert house.panel(ana) == before
    house.wall.faults = []
    async with front(house.store, house.wall, house.clock) as again:
        await settle()
        assert set(before.drawing) & set("♠♥♦♣")
        assert not set(again.panel(ana).drawing) & set("♠♥♦♣")


async def test_a_log_that_cannot_be_read_keeps_nobody_from_playing() -> None:
    async with front() as house:
        await house.begin("casino", "Ana", "Beto")
        table = await house.table()
        nonsense = Entry(len(table.entries), "move", 0, body={"move": "nonsense"})
        listing = replace(table.listing, entries=len(table.entries) + 1)
        stored = await house.store.load(table.id)
        assert stored
        assert isinstance(house.store, MemoryStore)
        house.store._games[table.id] = replace(stored, listing=listing, entries=(*stored.entries, nonsense))
        await house.store.want(Panel(table.id, PUBLIC))
    async with front(house.store, house.wall, house.clock) as again:
        await again.say(again.caller("Carla"), "new", game="casino")
        assert (await again.table(2)).status == "lobby"


class Slow(MemoryStore):
    """A store that takes its time over people."""

    async def save_person(self, person: Person) -> None:
        await asyncio.sleep(0)
        await super().save_person(person)

    async def person(self, person: PersonId) -> Person | None:
        await asyncio.sleep(0)
        return await super().person(person)


async def test_two_things_set_in_the_same_instant_both_count() -> None:
    async with front(Slow()) as house:
        ana = house.caller("Ana")
        await house.say(ana, "help")
        await asyncio.gather(
            house.say(ana, "settings", setting="letters", value="on"),
            house.say(ana, "settings", setting="careful", value="on"),
            house.say(ana, "language", language="es"),
        )
        person = await house.store.person(await house.person(ana))
        assert person
        assert (person.letters, person.careful, person.language) == (True, True, "es")
