"""People are added once, at their first delivery; those who were forgotten leave the memory."""

from __future__ import annotations

import asyncio

import pytest

from bot.model.leases import Lease
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.people import FRESH_FOR, USERNAMES_FRESH_FOR, People, _interned
from bot.ports import Caller
from bot.recent import Recent
from bot.store.memory.store import MemoryStore
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
    ana = asyncio.create_task(people.person_of(Caller("1", "Ana", HERE)))
    await settle()
    assert (await people.person_of(Caller("2", "Bob", HERE))).name == "Bob"
    assert not ana.done()
    store.may.set()
    assert (await ana).name == "Ana"


async def test_two_first_deliveries_of_a_newcomer_add_one_person() -> None:
    people = People(store := SlowForAna(), VirtualClock())
    both = [asyncio.create_task(people.person_of(Caller("1", "Ana", HERE))) for _ in range(2)]
    await settle()
    store.may.set()
    one, other = await asyncio.gather(*both)
    assert one == other
    assert store.saved == ["Ana"]


async def test_a_newcomer_whom_another_process_has_reached_meanwhile_stays_reachable() -> None:
    people = People(store := SlowForAna(), VirtualClock())
    ana = asyncio.create_task(people.person_of(Caller("1", "Ana", HERE)))
    await settle()
    reached = Account("wall", "1", "p-ana", reachable=True)
    await store.save_account(reached)
    store.may.set()
    await ana
    assert await people.account("wall", "1") == await store.account("wall", "1") == reached


@pytest.mark.parametrize("shared", [False, True])
async def test_only_where_processes_share_a_store_a_new_lease_lets_people_and_places_be_read_again(
    shared: bool,
) -> None:
    """A bot alone would read them again after its first change in each of its chats."""
    people = People(store := MemoryStore(shared=shared), VirtualClock())
    await store.save_person(Person("p-ana", "Ana"))
    before = await people.person("p-ana"), await people.room(HERE)
    await store.save_person(Person("p-ana", "Anna"))
    await store.save_room(Room(HERE, language="es"))
    people.gained(Lease("wall", "hall", "me", 1, is_new=True))
    after = await people.person("p-ana"), await people.room(HERE)
    assert [old != new for old, new in zip(before, after, strict=True)] == [shared] * 2


async def test_nothing_of_a_forgotten_person_stays_in_memory() -> None:
    people = People(store := MemoryStore(), VirtualClock())
    chat = Place("wall", "chat of user-ana")
    for name in ("Old-ana", "Ana"):
        ana = await people.person_of(Caller("user-ana", "Ana", HERE, username=name))
    bo = await people.person_of(Caller("user-bo", "Bo", HERE, username="Bo"))
    await people.sender(Caller("user-ana", "Ana", chat, private=True, username="Ana"))
    await people.save_room(Room(HERE, barred=(ana.id,)))
    await people.settings(HERE)
    await people.account_of(ana.id, "wall")
    before = in_memory(people)
    assert [word in before for word in ("old-ana", "chat of user-ana", ana.id)] == [True] * 3
    await store.forget(ana.id, "alias", chat)
    people.forget(ana.id)
    left = in_memory(people).casefold()
    assert [word for word in ("ana", ana.id) if word in left] == []
    assert _interned.cache_info().currsize == 0
    assert (await people.account_called("wall", "BO")) == Account("wall", "user-bo", bo.id)


async def test_what_another_process_has_forgotten_leaves_the_memory_with_the_next_deliveries() -> None:
    clock = VirtualClock()
    people = People(store := MemoryStore(shared=True), clock)
    known = [await people.person_of(Caller(f"user-{n}", f"Ana {n}", HERE)) for n in range(20)]
    await clock.advance(FRESH_FOR)
    bo = await people.person_of(Caller("user-bo", "Bo", HERE))
    for ana in known:
        await store.forget(ana.id, f"alias of {ana.id}", None)
    for _ in range(3):
        await clock.advance(FRESH_FOR)
        assert await people.person_of(Caller("user-bo", "Bo", HERE)) == bo
    left = in_memory(people)
    assert "Bo" in left
    assert [ana.name for ana in known if ana.name in left or ana.id in left] == []


async def test_a_forgotten_username_that_was_used_lately_leaves_the_memory_too() -> None:
    clock = VirtualClock()
    people = People(store := MemoryStore(shared=True), clock)
    ana = await people.person_of(Caller("user-ana", "Ana", HERE, username="Anita"))
    await clock.advance(USERNAMES_FRESH_FOR - 9)
    await people.person_of(Caller("user-bo", "Bo", HERE, username="Bobby"))
    assert await people.account_called(HERE.platform, "anita")
    await store.forget(ana.id, "alias", None)
    await clock.advance(10)
    await people.person_of(Caller("user-eva", "Eva", HERE, username="Evita"))
    assert "anita" not in in_memory(people)


async def test_a_username_that_another_process_has_forgotten_leaves_the_memory_within_thirty_days() -> None:
    clock = VirtualClock()
    people = People(store := MemoryStore(shared=True), clock)
    ana = await people.person_of(Caller("user-ana", "Ana", HERE, username="Anita"))
    bo = Caller("user-bo", "Bo", HERE, username="Bobby")
    await clock.advance(USERNAMES_FRESH_FOR - 1)
    assert (await people.account_called("wall", "ANITA")) == Account("wall", "user-ana", ana.id)
    await people.person_of(bo)
    await store.forget(ana.id, "alias", None)
    await clock.advance(FRESH_FOR)
    assert (await people.account_called("wall", "bobby")) is not None
    await people.person_of(bo)
    left = in_memory(people)
    assert "bobby" in left
    assert [word for word in ("anita", ana.id) if word in left] == []


def in_memory(people: People) -> str:
    """All that is kept of people, accounts and places besides the store, as text."""
    kept = [value for name, value in vars(people).items() if name != "_store"]
    inside = [vars(each) if hasattr(each, "__dict__") else each for each in kept]
    recent = [(key, each.get(key)) for each in kept if isinstance(each, Recent) for key in list(each)]
    return repr((inside, recent))
