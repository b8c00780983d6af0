"""People are added at their first delivery, each once."""

from __future__ import annotations

import asyncio

from bot.model.people import Account, Person
from bot.model.places import Place
from bot.people import People
from bot.ports import Caller
from bot.store.memory import MemoryStore
from tests.support.clock import VirtualClock, settle

HERE = Place("wall", "hall")


class SlowForAna(MemoryStore):
    """A store that does not store Ana until it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()
        self.saved: list[str] = []

    async def save_person(self, person: Person) -> None:
        if person.name == "Ana":
            await self.may.wait()
        self.saved.append(person.name)
        await super().save_person(person)


async def test_a_newcomer_waits_for_no_other() -> None:
    people = People(store := SlowForAna(), VirtualClock())
    ana = asyncio.create_task(people.caller(Caller("1", "Ana", HERE)))
    await settle()
    assert (await people.caller(Caller("2", "Bob", HERE))).name == "Bob"
    assert not ana.done()
    store.may.set()
    assert (await ana).name == "Ana"


async def test_two_first_deliveries_of_a_newcomer_add_one_person() -> None:
    people = People(store := SlowForAna(), VirtualClock())
    both = [asyncio.create_task(people.caller(Caller("1", "Ana", HERE))) for _ in range(2)]
    await settle()
    store.may.set()
    one, other = await asyncio.gather(*both)
    assert one == other
    assert store.saved == ["Ana"]


async def test_a_newcomer_whom_another_process_has_reached_meanwhile_stays_reachable() -> None:
    people = People(store := SlowForAna(), VirtualClock())
    ana = asyncio.create_task(people.caller(Caller("1", "Ana", HERE)))
    await settle()
    reached = Account("wall", "1", "p-ana", reachable=True)
    await store.save_account(reached)
    store.may.set()
    await ana
    assert await people.account("wall", "1") == await store.account("wall", "1") == reached
