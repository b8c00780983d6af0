"""The contract of leases: one keeper for each chat, tables that owe something claimed from dead processes."""

from __future__ import annotations

from dataclasses import replace

from bot.model import PUBLIC, Batch, Claim, Lease, PanelRecord, Place, Taken
from bot.ports import ALIVE, Store
from tests.bot.store.tables import CHAT, Tale, told

NOW = 1000.0
ELSEWHERE = Place("discord", "55")


def kept(batch: Batch, keeper: str, due: float | None = None) -> Batch:
    """The batch of a keeper, after which its table is due at a time."""
    return replace(batch, keeper=keeper, listing=replace(batch.listing, due=due))


async def opened(
    store: Store, game: str = "a0", place: Place = CHAT, number: int = 1, *, due: float | None = None
) -> Tale:
    """Stores a table that nobody keeps, with its public panel sent."""
    tale = Tale(game, place, number)
    await told(store, tale, kept(tale.opened(), "", due))
    await store.sent(PanelRecord(game, PUBLIC, "m", wanted=1, sent=1))
    return tale


async def taken(store: Store, tale: Tale, keeper: str) -> Lease:
    """Appends a move as a keeper; the lease that it has then."""
    batch = kept(tale.next("move"), keeper)
    verdict = await store.append(batch)
    tale.follow([batch])
    assert isinstance(verdict, Taken)
    assert verdict.lease is not None
    return verdict.lease


async def claimed(store: Store, process: str, now: float = NOW, limit: int = 99) -> list[str]:
    """The tables that a process claims on both platforms."""
    return [claim.game for claim in await store.claim(process, ("telegram", "discord"), now, limit)]


async def keeper(store: Store, game: str = "a0") -> str | None:
    look = await store.look(game, 0)
    assert look is not None
    return look.keeper


def chat(lease: Lease) -> tuple[str, str]:
    return lease.platform, lease.chat


async def test_who_opens_a_table_keeps_its_chat(store: Store) -> None:
    tale = Tale()
    verdict = await store.append(kept(tale.opened(), "p"))
    assert verdict == Taken(Lease("telegram", "-100", "p", 1, is_new=True))
    assert await keeper(store) == "p"


async def test_a_batch_without_a_keeper_touches_no_lease(store: Store) -> None:
    tale = await opened(store)
    assert await keeper(store) is None
    await taken(store, tale, "p")
    assert await store.append(tale.next("move")) == Taken()
    assert await keeper(store) == "p"


async def test_who_appends_takes_the_lease_and_keeps_it(store: Store) -> None:
    tale = await opened(store)
    new = Lease("telegram", "-100", "p", 1, is_new=True)
    assert await taken(store, tale, "p") == new
    assert [await taken(store, tale, "p") for _ in range(2)] == [replace(new, is_new=False)] * 2


async def test_a_refused_batch_takes_no_lease(store: Store) -> None:
    tale = await opened(store)
    late = kept(tale.next("move", delivery="d"), "q")
    await taken(store, tale, "p")
    await store.append(late)
    assert await keeper(store) == "p"


async def test_the_fence_grows_with_each_change_of_hands(store: Store) -> None:
    tale = await opened(store)
    leases = [await taken(store, tale, process) for process in "ppqqp"]
    assert [(one.process, one.fence, one.is_new) for one in leases] == [
        ("p", 1, True), ("p", 1, False), ("q", 2, True), ("q", 2, False), ("p", 3, True),
    ]  # fmt: skip


async def test_a_lease_tells_from_which_living_process_it_was_taken(store: Store) -> None:
    tale = await opened(store)
    await store.beat("p", NOW)
    await taken(store, tale, "p")
    await store.beat("q", NOW + ALIVE - 1)
    assert (await taken(store, tale, "q")).taken_from == "p"
    assert (await taken(store, tale, "q")).taken_from == ""
    await store.beat("p", NOW + 3 * ALIVE)
    assert (await taken(store, tale, "p")).taken_from == ""


async def test_chats_have_leases_of_their_own_whatever_the_thread(store: Store) -> None:
    places = [CHAT, replace(CHAT, thread="8"), replace(CHAT, platform="discord"), replace(CHAT, chat="-1")]
    tales = [await opened(store, f"a{i}", place) for i, place in enumerate(places)]
    await taken(store, tales[0], "p")
    assert [await keeper(store, tale.game) for tale in tales] == ["p", "p", None, None]


async def test_the_living_are_those_that_have_beaten_lately_the_oldest_first(store: Store) -> None:
    assert await store.beat("z", NOW) == ["z"]
    assert await store.beat("a", NOW + 1) == ["z", "a"]
    assert await store.beat("z", NOW + 2) == ["z", "a"]
    assert await store.beat("z", NOW + ALIVE) == ["z", "a"]
    assert await store.beat("z", NOW + ALIVE + 1) == ["z"]
    assert await store.beat("a", NOW + ALIVE + 2) == ["z", "a"]


async def test_what_is_due_is_claimed_with_the_lease_the_longest_due_first(store: Store) -> None:
    for game, due in (("a", NOW), ("b", NOW - 5), ("c", NOW + 1), ("d", None)):
        await opened(store, game, Place("telegram", game), due=due)
    assert list(await store.claim("p", ("telegram",), NOW, 9)) == [
        Claim("b", Lease("telegram", "b", "p", 1, is_new=True)),
        Claim("a", Lease("telegram", "a", "p", 1, is_new=True)),
    ]


async def test_dirty_panels_of_chats_that_nobody_keeps_are_claimed_once(store: Store) -> None:
    for game in ("a", "b"):
        tale = Tale(game, Place("telegram", game), at=NOW - (game == "b"))
        await told(store, tale, tale.opened())
    assert await claimed(store, "p") == ["b", "a"]
    assert await claimed(store, "p") == []
    await store.beat("p", NOW)
    assert await claimed(store, "q") == []


async def test_what_a_dead_process_owes_is_claimed_after_ten_seconds_and_not_before(store: Store) -> None:
    due, dirty = await opened(store, "a", due=NOW), await opened(store, "b", ELSEWHERE)
    await taken(store, dirty, "p")
    verdict = await store.append(kept(due.next("move"), "p", NOW))
    assert isinstance(verdict, Taken)
    await store.sent(PanelRecord("a", PUBLIC, "m", wanted=2, sent=2), keeper="p")
    await store.beat("p", NOW)
    assert await claimed(store, "q", NOW + ALIVE - 0.01) == []
    assert await claimed(store, "q", NOW + ALIVE) == ["a", "b"]
    assert [await keeper(store, game) for game in "ab"] == ["q", "q"]


async def test_a_retired_process_leaves_its_chats_at_once(store: Store) -> None:
    tale = await opened(store)
    await store.beat("p", NOW)
    await taken(store, tale, "p")
    assert await claimed(store, "q") == []
    await store.retire("p")
    assert await store.beat("q", NOW) == ["q"]
    assert await claimed(store, "q") == ["a0"]
