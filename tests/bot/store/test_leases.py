"""The contract of leases: one keeper for each chat, tables that owe something claimed from dead processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot.model.batches import Batch, Look, Rewriting, Taken
from bot.model.ids import PUBLIC
from bot.model.leases import Claim, Lease
from bot.model.panels import Draft, Marked, PanelRecord
from bot.model.people import Account
from bot.model.places import Place
from bot.model.tables import Entry
from bot.storage import ALIVE, Store
from bot.store.memory.store import MemoryStore
from engines.values import replace
from tests.bot.store.tables import CHAT, Tale, told

NOW = 1000.0
ELSEWHERE = Place("discord", "55")


def kept(batch: Batch, keeper: str, due: float | None = None) -> Batch:
    """The batch of a keeper, after which its table is due at a time."""
    return replace(batch, keeper=keeper, listing=replace(batch.listing, due=due))


async def opened(
    store: Store, game: str = "a0", place: Place = CHAT, *, number: int = 1, due: float | None = None
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
    assert [(lease.process, lease.fence, lease.is_new) for lease in leases] == [
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
    assert list(await store.beat("z", NOW)) == ["z"]
    assert list(await store.beat("a", NOW + 1)) == ["z", "a"]
    assert list(await store.beat("z", NOW + 2)) == ["z", "a"]
    assert list(await store.beat("z", NOW + ALIVE)) == ["z", "a"]
    assert list(await store.beat("z", NOW + ALIVE + 1)) == ["z"]
    assert list(await store.beat("a", NOW + ALIVE + 2)) == ["z", "a"]


async def test_a_beat_tells_which_platforms_each_process_serves(store: Store) -> None:
    assert await store.beat("p", NOW, ("telegram", "discord")) == {"p": ["discord", "telegram"]}
    assert await store.beat("q", NOW) == {"p": ["discord", "telegram"], "q": []}
    assert await store.beat("p", NOW + 1, ("discord",)) == {"p": ["discord"], "q": []}


async def test_what_is_due_is_claimed_with_the_lease_the_earliest_due_first(store: Store) -> None:
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
    assert list(await store.beat("q", NOW)) == ["q"]
    assert await claimed(store, "q") == ["a0"]


async def test_a_claim_may_take_over_from_the_dead_and_says_so_by_the_fence(store: Store) -> None:
    tale = await opened(store)
    await store.beat("p", NOW)
    await taken(store, tale, "p")
    (claim,) = await store.claim("q", ("telegram",), NOW + ALIVE, 9)
    assert claim == Claim("a0", Lease("telegram", "-100", "q", 2, is_new=True))


async def test_of_chats_that_a_process_keeps_only_what_is_due_is_claimed(store: Store) -> None:
    dirty, due = await opened(store, "a"), await opened(store, "b", number=2, due=NOW)
    await taken(store, dirty, "p")
    await store.beat("p", NOW)
    for _ in range(2):
        claims = await store.claim("p", ("telegram",), NOW, 9)
        assert list(claims) == [Claim(due.game, Lease("telegram", "-100", "p", 1))]


async def test_with_a_chat_all_its_tables_with_dirty_panels_are_claimed(store: Store) -> None:
    for n, game in enumerate("abc", 1):
        tale = Tale(game, number=n, at=NOW + n)
        await told(store, tale, tale.opened())
    other = Tale("d", ELSEWHERE, at=NOW + 9)
    await told(store, other, other.opened())
    assert await claimed(store, "p", limit=1) == ["a", "b", "c"]
    assert await claimed(store, "p", limit=1) == ["d"]


async def test_with_a_table_that_is_due_come_the_dirty_panels_of_its_chat(store: Store) -> None:
    await opened(store, "b", due=NOW)
    tale = Tale("a", number=2)
    await told(store, tale, tale.opened())
    assert await claimed(store, "p", limit=1) == ["b", "a"]


async def test_so_many_tables_are_claimed_at_a_time_the_earliest_due_first(store: Store) -> None:
    for i in range(5):
        await opened(store, f"g{i}", Place("telegram", str(i)), due=NOW - i)
    assert await claimed(store, "p", limit=2) == ["g4", "g3"]


async def test_tables_of_other_platforms_are_not_claimed(store: Store) -> None:
    await opened(store, "a", due=NOW)
    await opened(store, "b", ELSEWHERE, due=NOW)
    # The panels of these two are dirty.
    for tale in (Tale("c", replace(CHAT, chat="-200")), Tale("d", replace(ELSEWHERE, chat="66"))):
        await told(store, tale, tale.opened())
    assert [claim.game for claim in await store.claim("p", ("discord",), NOW, 9)] == ["b", "d"]
    assert await store.claim("q", (), NOW, 9) in ([], ())
    assert [await keeper(store, game) for game in "abcd"] == [None, "p", None, "p"]


async def test_panels_without_a_table_are_not_claimed(store: Store) -> None:
    await store.mark_dirty(PanelRecord("a0", "bo"), keeper="p")
    assert await claimed(store, "p") == []


async def test_an_entry_or_a_new_time_makes_a_table_not_due(store: Store) -> None:
    tale = await opened(store, due=NOW)
    assert await claimed(store, "p") == ["a0"]
    await told(store, tale, tale.next("move"))
    assert await claimed(store, "p") == []
    await store.postpone("a0", len(tale.entries), NOW + 1)
    assert await claimed(store, "p") == []
    assert await claimed(store, "p", NOW + 1) == ["a0"]
    await store.postpone("a0", len(tale.entries), None)
    assert await claimed(store, "p", NOW + 99) == []


async def test_a_table_that_has_gone_on_is_not_postponed(store: Store) -> None:
    tale = await opened(store, due=NOW)
    length = len(tale.entries)
    await told(store, tale, kept(tale.next("move"), "", NOW))
    # With its panels sent, it is claimed only if it is due.
    await store.sent(PanelRecord("a0", PUBLIC, "m", wanted=2, sent=2))
    await store.postpone("a0", length, None)
    assert await claimed(store, "p") == ["a0"]


async def test_a_listing_tells_when_its_table_is_due(store: Store) -> None:
    await opened(store, due=1795237492.1234567)
    stored = await store.load("a0")
    assert stored is not None
    assert stored.listing.due == 1795237492.1234567


async def test_live_tables_with_older_rules_are_made_due(store: Store) -> None:
    for n, game in enumerate("abc", 1):
        await opened(store, game, number=n)
    other = Tale("d", number=9, key="svoi")
    await told(store, other, other.opened())
    over = await opened(store, "o", number=4)
    await told(store, over, over.next("end"))

    async def due() -> list[str]:
        stored = [await store.load(game) for game in "abcdo"]
        return [one.listing.game for one in stored if one and one.listing.due is not None]

    await store.outdate({"casino": 3, "svoi": 2})
    assert (await due(), await pending(store)) == ([], ["d", "o"])
    await store.outdate({"casino": 4})
    assert (await due(), await pending(store)) == (["a", "b", "c"], ["a", "b", "c", "d", "o"])
    assert (await claimed(store, "p", 0.0))[:3] == ["a", "b", "c"]


async def pending(store: Store) -> Sequence[str]:
    return await store.pending_tables("telegram", "-100", NOW)


async def test_owed_are_the_tables_of_a_chat_that_are_due_or_have_dirty_panels(store: Store) -> None:
    await opened(store, "a", due=NOW)
    await opened(store, "e", number=9, due=NOW + 1)
    await opened(store, "b", number=2)
    await opened(store, "c", ELSEWHERE, due=NOW)
    await opened(store, "d", replace(CHAT, thread="8"))
    await store.mark_dirty(PanelRecord("d", "bo"))
    await store.mark_dirty(PanelRecord("no table", "bo"))
    assert list(await pending(store)) == ["a", "d"]


async def test_a_look_has_the_later_entries_and_where_the_table_is(store: Store) -> None:
    tale = await opened(store, number=4)
    await taken(store, tale, "p")
    looks = [await store.look("a0", n) for n in (0, 1, 2)]
    assert looks == [Look(tale.entries[n:], CHAT, 4, "p") for n in (0, 1, 2)]
    assert await store.look("b0", 0) is None


async def test_a_look_knows_that_the_chat_has_moved(store: Store) -> None:
    await opened(store)
    await store.move_chat("telegram", "-100", "-200")
    look = await store.look("a0", 1)
    assert look == Look((), replace(CHAT, chat="-200"), 1, None)


async def test_the_tables_of_a_moved_chat_are_claimed_in_the_new_one(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    await store.beat("p", NOW)
    await store.move_chat("telegram", "-100", "-200")
    (claim,) = await store.claim("q", ("telegram",), NOW, 9)
    assert (claim.game, claim.lease.chat, claim.lease.process) == ("a0", "-200", "q")


async def test_a_draft_takes_the_lease(store: Store) -> None:
    tale = await opened(store)
    await store.beat("p", NOW)
    await taken(store, tale, "p")
    panel = PanelRecord("a0", "bo", draft=Draft(1, ("x",)))
    marked = await store.mark_dirty(panel, keeper="q")
    lease = Lease("telegram", "-100", "q", 2, is_new=True, taken_from="p")
    assert marked == Marked(replace(panel, wanted=1), lease=lease)
    again = await store.mark_dirty(panel, keeper="q")
    assert again.lease == replace(lease, is_new=False, taken_from="")
    assert await keeper(store) == "q"


async def test_a_draft_of_an_older_panel_is_refused_with_the_newer(store: Store) -> None:
    await opened(store)
    first = PanelRecord("a0", "bo", draft=Draft(1, ("x",)))
    marked = await store.mark_dirty(first, expected=0, keeper="p")
    assert (marked.taken, marked.panel.wanted) == (True, 1)
    for expected in (0, 2):
        late = replace(first, draft=Draft(1, ("y",)), announced=9)
        refused = await store.mark_dirty(late, expected=expected, keeper="q")
        assert refused == Marked(marked.panel, taken=False)
    assert await store.panel("a0", "bo") == marked.panel
    assert await keeper(store) == "p"
    added = await store.mark_dirty(replace(first, draft=Draft(1, ("x", "y"))), expected=1)
    assert (added.taken, added.panel.draft.path) == (True, ("x", "y"))


async def test_a_panel_that_is_not_stored_is_expected_at_version_zero(store: Store) -> None:
    refused = await store.mark_dirty(PanelRecord("a0", "bo"), expected=1)
    assert refused == Marked(PanelRecord("a0", "bo"), taken=False)
    assert await store.panel("a0", "bo") is None


async def test_a_sender_that_lost_the_lease_stores_nothing(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    await taken(store, tale, "q")
    there = await store.panel("a0", PUBLIC)
    assert there == PanelRecord("a0", PUBLIC, "m", wanted=3, sent=1)
    # But for the lease, the edit of the stored message would be taken.
    for loser, message in (("p", "m"), ("nobody", "m"), ("p", "orphan")):
        lost = PanelRecord("a0", PUBLIC, message, wanted=3, sent=3, told=2)
        assert await store.sent(lost, keeper=loser, free_at=NOW) == there
    assert await store.panel("a0", PUBLIC) == there
    sent = await store.sent(PanelRecord("a0", PUBLIC, "m", wanted=3, sent=2, told=2), keeper="q")
    assert sent == replace(there, sent=2, told=2)
    assert await store.panel("a0", PUBLIC) == sent


async def test_a_late_edit_brings_no_message_back_from_a_chat_that_a_table_has_left(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    await store.move_chat("telegram", "-100", "-200")
    late = await store.sent(PanelRecord("a0", PUBLIC, "m", wanted=2, sent=2), keeper="p")
    assert (late.message, late.sent) == ("", 1)
    assert await store.panel("a0", PUBLIC) == late


async def test_an_edit_of_a_message_that_was_replaced_stores_nothing(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    edited = PanelRecord("a0", PUBLIC, "m", wanted=2, sent=2)
    new = await store.sent(replace(edited, message="n"), keeper="q", replaces="m")
    assert await store.sent(edited, keeper="p") == new
    assert await store.panel("a0", PUBLIC) == new
    left = replace(new, message="")
    assert await store.sent(left, keeper="p") == left
    assert await store.sent(edited, keeper="p") == edited


async def test_a_new_message_can_be_stored_twice(store: Store) -> None:
    await taken(store, await opened(store), "p")
    new = PanelRecord("a0", PUBLIC, "n", wanted=2, sent=2)
    assert await store.sent(new, keeper="p", replaces="m") == new
    assert await store.sent(replace(new, told=2), keeper="p", replaces="m") == replace(new, told=2)


async def test_a_first_message_is_stored_whoever_sent_it(store: Store) -> None:
    tale = Tale()
    await store.append(kept(tale.opened(), "q"))
    sent = await store.sent(PanelRecord("a0", PUBLIC, "m", wanted=1, sent=1), keeper="p", replaces="")
    assert sent == PanelRecord("a0", PUBLIC, "m", wanted=1, sent=1)
    assert await store.sent(replace(sent, message="n"), keeper="p") == sent


async def test_a_message_replaces_only_the_one_that_its_sender_knew(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    there = PanelRecord("a0", PUBLIC, "m", wanted=2, sent=1)
    new = replace(there, message="n", sent=2)
    assert await store.sent(new, keeper="p", replaces="") == there
    assert await store.sent(new, keeper="p", replaces="m") == new
    assert await store.sent(replace(new, message="o"), replaces="m") == new


async def test_a_sender_that_lost_the_lease_stores_what_replaces_the_message_it_knew(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    await taken(store, tale, "q")
    sent = await store.sent(PanelRecord("a0", PUBLIC, "n", wanted=3, sent=3), keeper="p", replaces="m")
    assert sent == PanelRecord("a0", PUBLIC, "n", wanted=3, sent=3)
    for sender in ("p", "q"):
        late = PanelRecord("a0", PUBLIC, "o", wanted=3, sent=3)
        assert await store.sent(late, keeper=sender, replaces="m") == sent
    assert await store.panel("a0", PUBLIC) == sent


async def test_an_edit_does_not_bring_back_the_panel_of_a_person_who_was_forgotten(
    store: Store,
) -> None:
    await store.mark_dirty(PanelRecord("a0", "bo"))
    panel = await store.sent(PanelRecord("a0", "bo", "m", wanted=1, sent=1), keeper="p", replaces="")
    await store.forget("bo", "x")
    late = replace(panel, sent=2)
    for keeper in ("p", ""):
        assert await store.sent(late, keeper=keeper) == late
    assert await store.panel("a0", "bo") is None


async def test_the_lease_of_a_private_chat_is_deleted_with_its_person_unless_a_table_stays(
    store: Store,
) -> None:
    chats = [Place("telegram", "bo"), Place("telegram", "cy"), Place("discord", "77")]
    tales = []
    for number, place in enumerate(chats):
        tales.append(await opened(store, f"a{number}", place))
        for keeper in ("p", "q", "p"):
            lease = await taken(store, tales[-1], keeper)
        assert lease.fence == 3
    for person in ("bo", "cy"):
        await store.save_account(Account("telegram", person, person))
    moved = replace(tales[0].listing, place=Place("telegram", "~x"), entries=tales[0].listing.entries + 1)
    note = Entry(tales[0].listing.entries, "forget", at=NOW)
    assert await store.rewrite(Rewriting((note,), moved, "bo", was_private=True))
    for person in ("bo", "cy"):
        await store.forget(person, f"{person}'s alias", chats[0] if person == "bo" else chats[2])
    for number, (place, fence) in enumerate(zip(chats, (1, 3, 3), strict=True)):
        again = Tale(f"b{number}", place, 2)
        verdict = await store.append(kept(again.opened(), "p"))
        assert isinstance(verdict, Taken)
        assert verdict.lease is not None
        assert (verdict.lease.fence, verdict.lease.is_new) == (fence, fence == 1)
        panel = PanelRecord(f"b{number}", PUBLIC, "n", wanted=1, sent=1)
        assert await store.sent(panel, keeper="p", free_at=NOW + 7) == panel


async def test_the_rest_of_a_chat_goes_with_its_lease(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    panel = PanelRecord("a0", PUBLIC, "n", wanted=2, sent=2)
    await store.sent(panel, keeper="p", free_at=NOW + 7)
    await store.sent(panel, keeper="q", free_at=NOW + 99)
    await store.sent(panel, keeper="p")
    assert (await taken(store, tale, "q")).free_at == NOW + 7
    await store.retire("q")
    assert [claim.lease.free_at for claim in await store.claim("p", ("telegram",), NOW, 9)] == [NOW + 7]


@pytest.mark.parametrize(("shared", "kind"), [(False, MemoryStore()), (True, MemoryStore(shared=True))])
def test_a_store_in_memory_is_shared_as_it_is_told(shared: bool, kind: MemoryStore) -> None:
    assert kind.shared is shared


async def test_one_lease_can_be_given_back(store: Store) -> None:
    here, there = await opened(store), await opened(store, "b0", ELSEWHERE)
    await taken(store, here, "p")
    await taken(store, there, "p")
    await store.beat("p", NOW)
    await store.release("q", "telegram", "-100")
    assert await keeper(store) == "p"
    await store.release("p", "telegram", "-100")
    assert (await keeper(store), await keeper(store, "b0")) == ("", "p")
    assert await claimed(store, "q") == ["a0"]


async def test_who_appends_after_giving_a_lease_back_takes_it_anew(store: Store) -> None:
    tale = await opened(store)
    first = await taken(store, tale, "p")
    await store.release("p", "telegram", "-100")
    assert await taken(store, tale, "p") == replace(first, fence=2)
    assert await keeper(store) == "p"


async def test_a_lease_that_is_given_back_while_a_move_is_stored_is_taken_anew(store: Store) -> None:
    tale = await opened(store)
    await taken(store, tale, "p")
    # The store may put both into one transaction.
    await asyncio.gather(taken(store, tale, "p"), store.release("p", "telegram", "-100"))
    lease = await taken(store, tale, "p")
    assert (lease.process, await keeper(store)) == ("p", "p")


async def test_a_table_whose_length_is_not_known_can_be_postponed(store: Store) -> None:
    await opened(store, due=NOW)
    await store.postpone("a0", None, NOW + 5)
    assert await claimed(store, "q", NOW + 4) == []
    assert await claimed(store, "q", NOW + 5) == ["a0"]
