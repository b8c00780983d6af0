"""The contract of every store: gapless logs, each delivery applied once, and listings that match the log."""

from __future__ import annotations

import pytest

from bot.model.batches import Batch, Behind, Clash, Full, Known, Rewriting, Stored, Taken
from bot.model.ids import PUBLIC
from bot.model.panels import Draft, Marked, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.tables import Entry, EntryKind, Json
from bot.storage import AFTER_ALL, Store, StoreError
from bot.store.memory.store import MemoryStore
from engines.values import replace
from tests.bot.store.tables import CHAT, Tale, told
from tests.support.stores import live_tables, unsent_panels

ELSEWHERE = Place("discord", "55")


async def opened(store: Store, tale: Tale | None = None) -> Tale:
    """Stores the opening entry of a table."""
    tale = tale or Tale()
    await told(store, tale, tale.opened())
    return tale


async def seated(store: Store, tale: Tale | None = None, *people: str) -> Tale:
    """Stores a table and seats these people."""
    tale = await opened(store, tale)
    for person in people:
        await told(store, tale, tale.next("join", person=person, name=person.title()))
    return tale


async def played(store: Store, tale: Tale, people: str, scores: list[int] | None, at: float = 2000.0) -> Tale:
    """Stores a finished table with these scores; None for a game without a result."""
    tale = await seated(store, tale, *people.split())
    await told(store, tale, tale.next("start"))
    await told(store, tale, tale.next("end", at=at, scores=scores))
    return tale


async def log(store: Store, game: str = "a0") -> tuple[Entry, ...]:
    stored = await store.load(game)
    return stored.entries if stored else ()


async def test_a_table_is_closed_by_its_listing_alone(store: Store) -> None:
    tale = await seated(store, Tale(), "ana", "bo")
    before = await store.tail("a0", AFTER_ALL)
    assert before is not None
    assert (before.listing, before.entries) == (tale.listing, ())
    end = Entry(before.listing.entries, "end", person="ana", body={"reason": "stopped"}, at=2000.0)
    over = replace(before.listing, status="over", entries=end.n + 1, changed=2000.0)
    assert await store.append(Batch((end,), over)) == Taken()
    assert await log(store) == (*tale.entries, end)
    assert await store.tables(CHAT) == []
    assert await store.last_over(CHAT) == over
    assert await store.append(Tale("b0").opened()) == Taken()


async def test_a_table_comes_back_as_it_was_told(store: Store) -> None:
    tale = Tale()
    seed = bytes(range(32))
    await told(store, tale, tale.opened("d1", seed))
    await told(store, tale, tale.next("join", person="bo", name="Bo ♥", delivery="d2"))
    assert await store.load("a0") == Stored(tale.listing, tale.entries, seed, None)


async def test_chosen_seed_words_come_back(store: Store) -> None:
    tale = Tale()
    await told(store, tale, tale.opened(words="S ñ"))
    stored = await store.load("a0")
    assert stored is not None
    assert (stored.server_seed, stored.seed_words) == (None, "S ñ")


async def test_a_body_comes_back_with_every_kind_of_value(store: Store) -> None:
    tale = await opened(store)
    body: dict[str, Json] = {
        "ñ": "♠\n\x00",
        "list": [1, 2.5, None, True],
        "map": {"b": {}, "a": []},
        "big": 2**60,
    }
    await told(store, tale, tale.batch(Entry(1, "option", body=body)))
    assert (await log(store))[1].body == body


async def test_an_instant_comes_back_to_the_last_bit(store: Store) -> None:
    at = 1795237492.1234567
    await opened(store, Tale(at=at))
    stored = await store.load("a0")
    assert stored is not None
    assert (stored.entries[0].at, stored.listing.opened, stored.listing.changed) == (at, at, at)


async def test_an_unknown_table_is_none(store: Store) -> None:
    assert (await store.load("b0"), await store.tail("b0", 0)) == (None, None)


async def test_the_tail_is_the_entries_from_n_on(store: Store) -> None:
    tale = await seated(store, None, "bo", "cy")
    assert await store.tail("a0", 1) == Stored(tale.listing, tale.entries[1:], None, None)
    assert await store.tail("a0", 3) == Stored(tale.listing, (), None, None)


async def test_entries_that_come_together_are_stored_together(store: Store) -> None:
    tale = await opened(store)
    await told(store, tale, tale.next("timeout", "timeout", "timeout", delivery="d"))
    assert [entry.n for entry in await log(store)] == [0, 1, 2, 3]


async def test_who_is_behind_gets_what_they_lack(store: Store) -> None:
    tale = await opened(store)
    late = tale.next("option", "cut")
    await told(store, tale, tale.next("join", "start"))
    assert await store.append(late) == Behind(tale.entries[1:])


async def test_of_a_batch_refused_nothing_is_stored(store: Store) -> None:
    tale = await opened(store)
    late = tale.next("option", "cut", "end", delivery="d")
    await told(store, tale, tale.next("join"))
    await store.append(late)
    assert await store.load("a0") == Stored(tale.listing, tale.entries, None, None)


async def test_a_delivery_of_a_batch_refused_was_not_heard(store: Store) -> None:
    tale = await opened(store)
    late = tale.next("option", delivery="d")
    await told(store, tale, tale.next("join"))
    await store.append(late)
    assert await store.append(tale.next("option", delivery="d")) == Taken()


async def test_a_delivery_is_heard_once_it_is_stored(store: Store) -> None:
    tale = await opened(store)
    late = tale.next("option", delivery="refused")
    await told(store, tale, tale.next("join", delivery="taken"))
    await store.append(late)
    heard = [await store.has_delivery(delivery) for delivery in ("taken", "refused", "")]
    assert heard == [True, False, False]


async def test_what_a_process_has_missed(store: Store) -> None:
    tale = await opened(store)
    await told(store, tale, tale.next("join", delivery="taken"))
    length = len(tale.entries)
    asked = [(length, "other"), (length, ""), (1, "other"), (1, "taken"), (length, "taken")]
    assert [await store.missed("a0", n, delivery) for n, delivery in asked] == [
        None,
        None,
        Behind(tale.entries[1:]),
        Known(),
        Known(),
    ]
    assert [await store.missed("b0", 0, delivery) for delivery in ("other", "taken")] == [None, None]


async def test_a_table_is_opened_once(store: Store) -> None:
    tale = await opened(store)
    other = Tale(number=2, at=5.0)
    assert await store.append(other.opened()) == Behind(tale.entries)


async def test_a_delivery_is_done_once(store: Store) -> None:
    tale = await opened(store)
    await told(store, tale, tale.next("option", delivery="d"))
    assert await store.append(tale.next("option", delivery="d")) == Known()
    assert len(await log(store)) == 2


async def test_a_delivery_is_known_before_anybody_is_behind(store: Store) -> None:
    tale = await opened(store)
    late = tale.next("option", delivery="d")
    await told(store, tale, late)
    assert await store.append(late) == Known()


async def test_a_delivery_is_known_at_every_table(store: Store) -> None:
    tale = await opened(store)
    await told(store, tale, tale.next("option", delivery="d"))
    assert await store.append(Tale("b0", number=2).opened("d")) == Known()
    assert await store.load("b0") is None


async def test_what_nobody_sent_is_no_delivery(store: Store) -> None:
    tale = await opened(store)
    await told(
        store,
        tale,
        tale.next("option"),
    )
    assert await store.append(tale.next("option")) == Taken()


@pytest.mark.parametrize("game", ["a0", "b0"])
async def test_entries_beyond_the_end_are_an_error(store: Store, game: str) -> None:
    await opened(store)
    ahead = Tale(game)
    ahead.follow([ahead.opened()])
    ahead.follow([ahead.next("join")])
    with pytest.raises(StoreError):
        await store.append(replace(ahead.next("move"), delivery="d"))
    assert len(await log(store, game)) == (1 if game == "a0" else 0)


async def test_a_number_in_a_place_is_taken_while_its_table_lives(store: Store) -> None:
    tale = await opened(store)
    assert await store.append(Tale("b0").opened("d")) == Clash()
    assert await store.load("b0") is None
    await told(store, tale, tale.next("end"))
    assert await store.append(Tale("b0").opened("d")) == Taken()


async def test_numbers_of_other_places_are_free(store: Store) -> None:
    places = (Place("telegram", "-100"), Place("discord", "-100", "7"), ELSEWHERE)
    await opened(store)
    for game, place in zip("bcd", places, strict=True):
        assert await store.append(Tale(game, place).opened()) == Taken()


async def test_where_a_table_is_and_its_number_are_those_of_its_first_entries(store: Store) -> None:
    tale = await opened(store)
    batch = tale.next("join", person="bo", name="Bo")
    assert (
        await store.append(replace(batch, listing=replace(batch.listing, place=ELSEWHERE, number=9)))
        == Taken()
    )
    stored = await store.load("a0")
    assert stored is not None
    assert (stored.listing.place, stored.listing.number) == (CHAT, 1)


async def test_seats_follow_the_listing(store: Store) -> None:
    tale = await seated(store, None, "bo", "cy", "di")
    await told(store, tale, tale.batch(Entry(4, "leave", 1, "cy"), Entry(5, "computer", 2)))
    await told(store, tale, tale.batch(Entry(6, "kick", 1)))
    stored = await store.load("a0")
    assert stored is not None
    assert stored.listing == tale.listing
    assert [(one.player.person, one.player.kicked) for one in stored.listing.seats] == [
        ("bo", False), ("di", True), (None, False),
    ]  # fmt: skip


def sitting(tale: Tale, person: str, most: int) -> Batch:
    """The batch with which a person sits down, who may sit at so many tables."""
    return replace(tale.next("join", person=person), seated=(person,), most_seats=most)


async def test_a_person_sits_at_so_many_tables_at_most(store: Store) -> None:
    await seated(store, Tale("a0", number=1), "ana", "beto")
    second, third = await opened(store, Tale("a1", number=2)), await opened(store, Tale("a2", number=3))
    await told(store, second, sitting(second, "ana", 2))
    before = await log(store, "a2")
    assert await store.append(sitting(third, "ana", 2)) == Full("ana")
    assert await log(store, "a2") == before
    await told(store, third, sitting(third, "beto", 2))


async def test_of_several_who_sit_down_the_one_at_too_many_tables_is_named(store: Store) -> None:
    await seated(store, Tale("a0", number=1), "beto")
    tale = Tale("a1", number=2)
    both = replace(tale.opened(), seated=("ana", "beto"), most_seats=1)
    assert await store.append(both) == Full("beto")
    assert await store.load("a1") is None


async def test_a_seat_at_the_same_table_is_not_counted_twice(store: Store) -> None:
    tale = await seated(store, Tale("a0"), "ana")
    await told(store, tale, replace(tale.next("back", person="ana"), seated=("ana",), most_seats=1))


async def test_seats_that_computers_hold_and_those_of_finished_tables_are_not_counted(store: Store) -> None:
    held = await seated(store, Tale("a0", number=1), "ana")
    await told(store, held, held.next("hold"))
    await played(store, Tale("a1", number=2), "ana", [1])
    tale = await opened(store, Tale("a2", number=3))
    await told(store, tale, sitting(tale, "ana", 1))


async def test_live_tables_come_in_the_order_of_their_last_change(store: Store) -> None:
    for game, at in (("a", 5.0), ("b", 3.0), ("c", 4.0), ("d", 3.0)):
        await opened(store, Tale(game, Place("telegram", game), at=at))
    await played(store, Tale("e", ELSEWHERE), "bo", [1])
    assert list(await live_tables(store)) == ["b", "d", "c", "a"]


async def test_tables_of_a_place_come_by_number(store: Store) -> None:
    second = await seated(store, Tale("a", number=2), "bo")
    first = await opened(store, Tale("b", number=1))
    await played(store, Tale("c", number=3), "bo", [1])
    await opened(store, Tale("d", ELSEWHERE))
    assert list(await store.tables(CHAT)) == [first.listing, second.listing]


async def test_tables_of_a_person_are_those_they_sit_at_or_own(store: Store) -> None:
    owned = await opened(store, Tale("a", number=1, owner="bo", at=1.0))
    sat = await seated(store, Tale("b", ELSEWHERE, at=2.0), "ana", "bo")
    both = await seated(store, Tale("c", number=2, owner="bo", at=3.0), "bo")
    await played(store, Tale("d", number=3), "bo", [1])
    await opened(store, Tale("e", number=4))
    assert list(await store.tables_of("bo")) == [both.listing, sat.listing, owned.listing]


async def test_nobody_has_no_tables(store: Store) -> None:
    tale = await opened(store, Tale(owner=None))
    await told(store, tale, tale.next("computer"))
    assert list(await store.tables_of("")) == []


async def test_the_table_that_was_over_last_is_the_one_of_the_place(store: Store) -> None:
    assert await store.last_over(CHAT) is None
    last = await played(store, Tale("a", number=1), "bo", [1], at=9000.0)
    await played(store, Tale("b", number=2), "bo", None, at=8000.0)
    await played(store, Tale("c", ELSEWHERE), "bo", [1], at=9500.0)
    await opened(store, Tale("d", number=3, at=9900.0))
    assert await store.last_over(CHAT) == last.listing


async def test_finished_games_of_a_place_come_with_those_inside_it_the_last_first(store: Store) -> None:
    thread = Place(CHAT.platform, "-200", "9")
    await store.save_room(Room(thread, channel=CHAT.chat))
    channel = Place(CHAT.platform, CHAT.chat)
    old = await played(store, Tale("a", channel, number=1), "ana bo", [1, 2], at=5000.0)
    closed = await played(store, Tale("b", thread, number=2), "bo", None, at=8000.0)
    late = await played(store, Tale("c", channel, number=3, key="svoi"), "ana bo", [1, 2], at=9000.0)
    await played(store, Tale("d", ELSEWHERE), "bo", [1], at=9500.0)
    never = await seated(store, Tale("e", channel, number=4), "bo")
    await told(store, never, never.next("end", at=9900.0))
    running = await seated(store, Tale("f", channel, number=5), "bo")
    await told(store, running, running.next("start"))
    all_of_them = [one.listing for one in (late, closed, old)]
    assert list(await store.finished(place=channel, count=9)) == all_of_them
    assert list(await store.finished(place=channel, start=1, count=1)) == all_of_them[1:2]
    assert list(await store.finished(place=channel, start=3, count=9)) == []
    assert list(await store.finished(place=channel, key="casino", count=9)) == all_of_them[1:]
    assert list(await store.finished(place=thread, count=9)) == [closed.listing]


async def test_a_finished_game_says_why_it_does_not_count(store: Store) -> None:
    tale = await seated(store, Tale(), "ana", "bo")
    await told(store, tale, tale.next("start"))
    await told(store, tale, tale.next("undo"))
    stored = await store.load(tale.game)
    assert stored
    assert stored.listing == tale.listing
    await told(store, tale, tale.next("end", scores=[1, 2]))
    [found] = await store.finished(place=CHAT, count=9)
    assert (found, found.uncounted) == (tale.listing, "taken_back")


async def test_finished_games_of_a_person_come_from_every_place(store: Store) -> None:
    mine = await played(store, Tale("a", number=1), "ana bo", [1, 2], at=5000.0)
    await played(store, Tale("b", number=2), "bo", [1], at=6000.0)
    also = await played(store, Tale("c", ELSEWHERE, key="svoi"), "ana", [1], at=7000.0)
    assert list(await store.finished(person="ana", count=9)) == [also.listing, mine.listing]
    assert list(await store.finished(person="ana", key="casino", count=9)) == [mine.listing]
    assert list(await store.finished(person="eve", count=9)) == []


async def test_a_new_panel_is_wanted_and_not_sent(store: Store) -> None:
    draft = Draft(3, ("lay", "7S"), 2, asked=True)
    panel = PanelRecord("a0", "bo", draft=draft, wanted=1, announced=4)
    assert await store.mark_dirty(PanelRecord("a0", "bo", draft=draft, announced=4)) == Marked(panel)
    assert await store.panel("a0", "bo") == panel


async def test_a_new_panel_has_nothing_but_draft_announcements_and_watch(store: Store) -> None:
    other = Place("wall", "c")
    for reader, table in (("bo", None), ("cy", await opened(store, Tale("b0", other)))):
        game, draft = table.game if table else "a0", Draft(1, ("x",))
        given = PanelRecord(game, reader, "m", draft, 9, 8, 3, 7, 6.0, "a1", aloud=True, watch="on")
        new = PanelRecord(game, reader, draft=draft, wanted=1, announced=3, watch="on")
        assert await store.mark_dirty(given) == Marked(new)
        assert await store.panel(game, reader) == new


async def test_marking_a_panel_stores_its_draft_and_leaves_what_was_sent(store: Store) -> None:
    await store.mark_dirty(PanelRecord("a0", "bo"))
    await store.sent(PanelRecord("a0", "bo", "m1", wanted=7, sent=1, told=5))
    panel = PanelRecord("a0", "bo", "m1", Draft(1, ("x",)), wanted=2, sent=1, told=5)
    marked = await store.mark_dirty(PanelRecord("a0", "bo", "other", Draft(1, ("x",)), 9, 9, told=8))
    assert marked == Marked(panel)
    assert await store.panel("a0", "bo") == panel


async def test_a_panel_is_a_watchers_until_it_is_marked_otherwise(store: Store) -> None:
    await store.mark_dirty(PanelRecord("a0", "bo", watch="on"))
    await store.sent(PanelRecord("a0", "bo", "m1", wanted=1, sent=1))
    assert await store.panel("a0", "bo") == PanelRecord("a0", "bo", "m1", wanted=1, sent=1, watch="on")
    await store.mark_dirty(PanelRecord("a0", "bo", watch="ended"))
    assert await store.panel("a0", "bo") == PanelRecord("a0", "bo", "m1", wanted=2, sent=1, watch="ended")


async def test_sending_leaves_the_draft_and_what_is_wanted(store: Store) -> None:
    marked = await store.mark_dirty(PanelRecord("a0", "bo", draft=Draft(1, ("x",))))
    await store.mark_dirty(marked.panel)
    await store.sent(PanelRecord("a0", "bo", "m1", Draft(), wanted=1, sent=1))
    assert await store.panel("a0", "bo") == PanelRecord("a0", "bo", "m1", Draft(1, ("x",)), wanted=2, sent=1)


async def test_a_panel_unheard_of_is_kept_as_it_is_sent(store: Store) -> None:
    panel = PanelRecord("a0", "bo", "m1", Draft(1, ("x",)), wanted=4, sent=3, told=2)
    await store.sent(panel, replaces="")
    assert await store.panel("a0", "bo") == panel


async def test_an_alert_is_noted_beside_the_panels_message(store: Store) -> None:
    await store.mark_dirty(PanelRecord("a0", "bo", draft=Draft(1, ("x",))))
    await store.sent(PanelRecord("a0", "bo", "m1", sent=1))
    alerted = PanelRecord("a0", "bo", "other", wanted=9, notified_at=7.5, alert="a1", aloud=True)
    panel = PanelRecord("a0", "bo", "m1", Draft(1, ("x",)), 1, 1, notified_at=7.5, alert="a1", aloud=True)
    assert await store.save_alert(alerted, replaces="") == panel
    assert await store.panel("a0", "bo") == panel
    taken = replace(panel, notified_at=7.0, alert="", aloud=False)
    assert await store.save_alert(taken, replaces="a1") == replace(taken, notified_at=7.5)


async def test_of_two_alerts_for_one_player_the_first_is_noted(store: Store) -> None:
    await store.mark_dirty(PanelRecord("a0", "bo"))
    first = await store.save_alert(PanelRecord("a0", "bo", notified_at=7.0, alert="a1"), replaces="")
    assert await store.save_alert(PanelRecord("a0", "bo", notified_at=7.0, alert="a2"), replaces="") == first
    assert await store.panel("a0", "bo") == first
    unknown = await store.save_alert(PanelRecord("a0", "cy", notified_at=7.0, alert="a3"), replaces="")
    assert (unknown.alert, await store.panel("a0", "cy")) == ("", None)


async def test_a_panel_that_is_sent_never_forgets_a_call(store: Store) -> None:
    await store.sent(PanelRecord("a0", "bo", "m1", notified_at=5.0), replaces="")
    await store.save_alert(PanelRecord("a0", "bo", notified_at=7.0, alert="a1"), replaces="")
    await store.sent(PanelRecord("a0", "bo", "m2", notified_at=5.0))
    panel = await store.panel("a0", "bo")
    assert panel
    assert (panel.message, panel.notified_at, panel.alert) == ("m2", 7.0, "a1")


async def test_entries_make_every_panel_of_their_table_wanted(store: Store) -> None:
    tale = await opened(store)
    for panel in (PanelRecord("b0", PUBLIC), PanelRecord("a0", "bo")):
        await store.mark_dirty(panel)
    await told(store, tale, tale.next("join", "start"))
    await told(store, tale, tale.next("move"))
    assert [(one.reader, one.wanted) for one in await store.panels("a0")] == [(PUBLIC, 3), ("bo", 3)]
    assert [(one.reader, one.wanted) for one in await store.panels("b0")] == [(PUBLIC, 1)]


@pytest.mark.parametrize("kind", ["join", "take"])
async def test_a_panel_begins_with_its_table_or_its_player(store: Store, kind: EntryKind) -> None:
    tale = await opened(store)
    assert await store.panels("a0") == [PanelRecord("a0", PUBLIC, wanted=1)]
    await told(store, tale, seated := tale.next(kind, person="bo"))
    assert seated.entries[0].person == "bo"
    assert await store.panel("a0", "bo") == PanelRecord("a0", "bo", wanted=1)
    await told(store, tale, tale.next("leave", person="bo"))
    await told(store, tale, tale.next(kind, person="bo"))
    assert await store.panel("a0", "bo") == PanelRecord("a0", "bo", wanted=3)


async def test_a_refused_batch_makes_nothing_wanted(store: Store) -> None:
    tale = await opened(store)
    await told(store, tale, tale.next("option", delivery="d"))
    panel = (await store.mark_dirty(PanelRecord("a0", PUBLIC))).panel
    for refused in (tale.next("option", delivery="d"), Tale().opened()):
        await store.append(refused)
    assert await store.panel("a0", PUBLIC) == panel


async def test_unsent_are_panels_of_which_more_is_wanted(store: Store) -> None:
    for reader in ("ana", "bo", "cy"):
        await store.mark_dirty(PanelRecord("a0", reader))
    await store.sent(PanelRecord("a0", "bo", "m", sent=1))
    assert [panel.reader for panel in await unsent_panels(store)] == ["ana", "cy"]
    await store.mark_dirty(PanelRecord("a0", "bo"))
    assert [panel.reader for panel in await unsent_panels(store)] == ["ana", "bo", "cy"]


async def test_no_panel_is_none(store: Store) -> None:
    assert (await store.panel("a0", ""), list(await store.panels("a0"))) == (None, [])


async def test_a_room_is_kept_and_changed(store: Store) -> None:
    assert await store.room(CHAT) is None
    full = Room(
        CHAT, "guild", True, "es", "moderators", 60, True, ("eve", "sam"), ("ana",), "up", "all", "en", True
    )
    for room in (Room(CHAT), full, Room(CHAT, openers="nobody", clock=0, threads=False)):
        await store.save_room(room)
        assert await store.room(CHAT) == room
    assert await store.room(Place("telegram", "-100")) is None


async def test_a_person_is_kept_and_changed(store: Store) -> None:
    assert await store.person("bo") is None
    for person in (
        Person("bo", "Bo"),
        Person("bo", "Bó", "es", "suit", True, True, "never", "23-8", -14),
        Person("bo", "Bo", zone="Europe/Madrid"),
        Person("bo", "Bo", zone=0),
    ):
        await store.save_person(person)
        assert await store.person("bo") == person


async def test_an_account_is_kept_and_changed(store: Store) -> None:
    assert await store.account("telegram", "1") is None
    for account in (Account("telegram", "1", "bo"), Account("telegram", "1", "cy", True)):
        await store.save_account(account)
        assert await store.account("telegram", "1") == account


async def test_an_account_that_is_stored_is_not_added_again(store: Store) -> None:
    met = Account("telegram", "7", "p7")
    assert await store.add_account(met) == met
    reached = replace(met, reachable=True)
    await store.save_account(reached)
    assert await store.add_account(met) == await store.account("telegram", "7") == reached


async def test_accounts_are_those_of_a_person(store: Store) -> None:
    accounts = [Account("discord", "9", "bo"), Account("telegram", "1", "bo", True)]
    for account in (*reversed(accounts), Account("telegram", "2", "cy")):
        await store.save_account(account)
    assert list(await store.accounts("bo")) == accounts


async def test_a_chat_moves_with_its_rooms_and_tables(store: Store) -> None:
    tale = await opened(store)
    over = await played(store, Tale("b0", number=2), "bo", [1])
    await store.save_room(Room(CHAT, "-100", language="es", openers="moderators", barred=("eve",)))
    await store.move_chat("telegram", "-100", "-200")
    there = Place("telegram", "-200", "7")
    assert await store.room(CHAT) is None
    assert await store.room(there) == Room(
        there, "-200", language="es", openers="moderators", barred=("eve",)
    )
    assert list(await store.tables(CHAT)) == []
    assert list(await store.tables(there)) == [replace(tale.listing, place=there)]
    assert await store.last_over(there) == replace(over.listing, place=there)


async def test_a_table_that_has_moved_goes_on_there(store: Store) -> None:
    tale = await opened(store)
    await store.move_chat("telegram", "-100", "-200")
    await told(store, tale, tale.next("join", person="bo", name="Bo"))
    there = Place("telegram", "-200", "7")
    assert list(await store.tables(there)) == [replace(tale.listing, place=there)]


async def test_an_alert_by_name_stays_behind_in_the_old_chat(store: Store) -> None:
    tale = await opened(store)
    for reader, aloud in (("ana", True), ("bo", False)):
        panel = (await store.mark_dirty(PanelRecord(tale.game, reader))).panel
        called = replace(panel, notified_at=7.0, alert=f"-100/{reader}", aloud=aloud)
        await store.save_alert(called, replaces="")
    await store.move_chat("telegram", "-100", "-200")
    alerts = {one.reader: (one.notified_at, one.alert, one.aloud) for one in await store.panels(tale.game)}
    assert alerts == {"ana": (7.0, "", False), "bo": (7.0, "-100/bo", False)} | {"": alerts[""]}


async def test_only_the_chat_named_moves(store: Store) -> None:
    places = [Place("discord", "-100"), Place("telegram", "-1000")]
    for game, place in enumerate(places):
        await opened(store, Tale(str(game), place))
        await store.save_room(Room(place, "elsewhere"))
    await store.move_chat("telegram", "-100", "-200")
    assert [await store.room(place) for place in places] == [Room(place, "elsewhere") for place in places]
    assert [len(await store.tables(place)) for place in places] == [1, 1]


async def test_the_settings_of_a_moved_chat_come_with_it(store: Store) -> None:
    there = replace(CHAT, chat="-200")
    await store.save_room(Room(CHAT, "guild", language="es"))
    await store.save_room(Room(there, "guild"))
    await store.move_chat("telegram", "-100", "-200")
    assert await store.room(there) == Room(there, "guild", language="es")


async def test_a_late_press_in_a_moved_chat_costs_it_no_settings(store: Store) -> None:
    there = replace(CHAT, chat="-200")
    await store.save_room(Room(CHAT, "-100", openers="moderators", clock=0, barred=("eve",)))
    await store.move_chat("telegram", "-100", "-200")
    await store.save_room(Room(CHAT, "-100", barred=("rita",)))
    await store.move_chat("telegram", "-100", "-200")
    kept = await store.room(there)
    assert kept == Room(there, "-200", openers="moderators", clock=0, barred=("rita", "eve"))


async def test_a_moved_table_whose_number_is_taken_gets_another(store: Store) -> None:
    there = replace(CHAT, chat="-200")
    await opened(store, Tale("a", there, 2))
    for number in (1, 2):
        await opened(store, Tale(f"b{number}", number=number))
    await store.move_chat("telegram", "-100", "-200")
    assert [(listing.game, listing.number) for listing in await store.tables(there)] == [
        ("b1", 1),
        ("a", 2),
        ("b2", 3),
    ]


async def test_the_public_messages_of_a_moved_chat_are_gone(store: Store) -> None:
    await opened(store)
    for reader in (PUBLIC, "bo"):
        await store.mark_dirty(PanelRecord("a0", reader))
        await store.sent(PanelRecord("a0", reader, "m", sent=1))
    await store.move_chat("telegram", "-100", "-200")
    assert [(panel.reader, panel.message) for panel in await store.panels("a0")] == [
        (PUBLIC, ""),
        ("bo", "m"),
    ]
    assert [panel.reader for panel in await unsent_panels(store)] == [PUBLIC]


async def test_of_tables_over_in_a_moved_chat_nothing_is_sent_again(store: Store) -> None:
    tale = await opened(store)
    await told(store, tale, tale.next("end"))
    await store.sent(PanelRecord("a0", PUBLIC, "m", sent=2))
    await store.move_chat("telegram", "-100", "-200")
    assert await store.panel("a0", PUBLIC) == PanelRecord("a0", PUBLIC, "", wanted=2, sent=2)


async def test_a_chat_may_keep_its_name(store: Store) -> None:
    tale = await opened(store)
    await store.save_room(Room(CHAT, language="es"))
    await store.move_chat("telegram", "-100", "-100")
    assert await store.room(CHAT) == Room(CHAT, language="es")
    assert list(await store.tables(CHAT)) == [tale.listing]


async def test_the_threads_of_tables_that_have_ended_lately(store: Store) -> None:
    for n, (threads, channel) in enumerate([(True, "c"), (True, "c"), (True, ""), (None, "c"), (True, "c")]):
        place = Place("discord", f"t{n}")
        await store.save_room(Room(place, channel=channel, threads=threads))
        await played(store, Tale(f"t{n}", place), "bo cy", [1, 0], at=2000.0 + n)
    await seated(store, Tale("t9", Place("discord", "t9"), at=3000.0), "bo")
    await store.save_room(Room(Place("discord", "t9"), channel="c", threads=True))
    await played(store, Tale("t5", Place("discord", "t1")), "bo cy", [1, 0], at=2010.0)
    assert [(place.chat, at) for place, at in await store.ended_threads(2001.0)] == [
        ("t4", 2004.0),
        ("t1", 2010.0),
    ]
    assert await store.ended_threads(2011.0) == []


async def test_the_analysis_of_a_game_is_kept_and_replaced(store: Store) -> None:
    await played(store, Tale(), "bo cy", [4, 1])
    assert await store.analysis("a0") is None
    await store.save_analysis("a0", '{"ñ": 1}')
    await store.save_analysis("a0", '{"ñ": 2}')
    assert await store.analysis("a0") == '{"ñ": 2}'
    assert await store.analysis("b0") is None


async def naming(store: Store, person: str, after: str = "", limit: int = 9) -> list[str]:
    return list(await store.games_naming(person, after, limit))


async def test_the_tables_that_name_a_person(store: Store) -> None:
    await seated(store, Tale("a", owner="cy"), "bo")
    await opened(store, Tale("b", number=2, owner="bo"))
    left = await seated(store, Tale("c", number=3, owner="cy"), "bo")
    await told(store, left, left.next("leave", person="bo"))
    asker = await seated(store, Tale("d", number=4, owner="cy"), "cy")
    await told(store, asker, asker.next("ask", person="bo", what="sit", name="Bo", patience=1))
    await seated(store, Tale("e", number=5, owner="cy"), "cy")
    assert await naming(store, "bo") == ["a", "b", "c", "d"]
    for n, kind in enumerate(("kick", "owner", "end"), 6):
        moderated = await seated(store, Tale(kind, number=n, owner="cy"), "cy")
        await told(store, moderated, moderated.next(kind, person="mo"))
    assert await naming(store, "mo") == ["end", "kick", "owner"]
    assert await naming(store, "bo", "a", 2) == ["b", "c"]
    assert await naming(store, "di") == []


def without_bo(tale: Tale, *, was_private: bool = False) -> Rewriting:
    """A rewriting that calls Bo, who has joined first, by an alias."""
    n = len(tale.entries)
    entries = (replace(tale.entries[1], person="x", body={"name": ""}), Entry(n, "forget", at=tale.at))
    [seat] = tale.listing.seats
    seats = (replace(seat, player=replace(seat.player, name="", person="x")),)
    return Rewriting(entries, replace(tale.listing, seats=seats, owner="x", entries=n + 1), "bo", was_private)


async def test_a_log_is_rewritten(store: Store) -> None:
    tale = await seated(store, Tale(owner="bo"), "bo")
    for reader in (PUBLIC, "bo"):
        await store.sent(PanelRecord("a0", reader, "m", sent=2))
    rewriting = without_bo(tale)
    assert await store.rewrite(rewriting)
    stored = await store.load("a0")
    assert stored is not None
    assert stored.entries == (tale.entries[0], *rewriting.entries)
    assert stored.listing == rewriting.listing
    assert [panel.reader for panel in await store.panels("a0")] == [PUBLIC]
    assert await store.tables_of("bo") == []
    assert await store.tables_of("x") == [rewriting.listing]
    tale.entries = stored.entries
    await told(store, tale, tale.next("start"))


async def test_a_log_that_has_grown_is_not_rewritten(store: Store) -> None:
    tale = await seated(store, Tale(owner="bo"), "bo")
    rewriting = without_bo(tale)
    await told(store, tale, tale.next("start"))
    assert not await store.rewrite(rewriting)
    assert await log(store) == tale.entries


async def test_a_table_that_has_moved_is_rewritten_where_it_is(store: Store) -> None:
    await opened(store, Tale("b0", place=Place("telegram", "-200", "7")))
    tale = await seated(store, Tale(owner="bo"), "bo")
    rewriting = without_bo(tale)
    await store.move_chat("telegram", "-100", "-200")
    assert await store.rewrite(rewriting)
    there = replace(rewriting.listing, place=Place("telegram", "-200", "7"), number=2)
    assert await store.tables_of("x") == [there]
    assert await store.tables(CHAT) == []


async def test_a_log_that_is_not_stored_is_not_rewritten(store: Store) -> None:
    rewriting = without_bo(await seated(store, Tale(owner="bo"), "bo"))
    elsewhere = replace(rewriting, listing=replace(rewriting.listing, game="zz"))
    before = await store.load("a0")
    assert not await store.rewrite(elsewhere)
    assert (await store.load("a0"), await store.load("zz")) == (before, None)


async def test_a_rewritten_table_leaves_a_private_chat_that_is_forgotten(store: Store) -> None:
    tale = await seated(store, Tale(owner="bo"), "bo")
    await store.save_room(Room(CHAT, private=True))
    await store.sent(PanelRecord("a0", PUBLIC, "m", sent=2))
    there, rewriting = Place("telegram", "~x"), without_bo(tale, was_private=True)
    moved = replace(rewriting, listing=replace(rewriting.listing, place=there))
    assert await store.rewrite(moved)
    assert await store.tables(CHAT) == []
    assert await store.tables(there) == [moved.listing]
    assert await store.room(CHAT) is None
    assert await store.panels("a0") == []
    assert await unsent_panels(store) == []


async def test_the_wishes_of_one_person_end_in_a_chat_and_its_threads_alone(store: Store) -> None:
    there = [CHAT, replace(CHAT, thread=""), replace(CHAT, thread="8")]
    elsewhere = [replace(CHAT, chat="elsewhere"), replace(CHAT, platform="discord")]
    for place in (*there, *elsewhere):
        await store.save_room(Room(place, wishes=("cy", "bo", "bob")))
    await store.end_wishes("bo", CHAT.platform, CHAT.chat)
    assert [await store.room(place) for place in (*there, *elsewhere)] == [
        *(Room(place, wishes=("cy", "bob")) for place in there),
        *(Room(place, wishes=("cy", "bo", "bob")) for place in elsewhere),
    ]


async def test_a_person_is_forgotten(store: Store) -> None:
    for person in ("bo", "cy"):
        await store.save_person(Person(person, person.title(), hidden=person == "cy"))
        await store.save_account(Account("telegram", person, person))
        await store.mark_dirty(PanelRecord("a0", person))
    await store.save_room(Room(CHAT, wishes=("cy", "bo"), barred=("bo",)))
    private = [Place("telegram", "bo"), Place("discord", "77"), Place("discord", "78")]
    for place in private:
        await store.save_room(Room(place, private=True))
    await store.forget("bo", "x", private[1])
    assert [await store.person(one) for one in ("bo", "x")] == [None, Person("x", "", hidden=True)]
    assert await store.account("telegram", "bo") is None
    assert await store.accounts("cy") == [Account("telegram", "cy", "cy")]
    assert await store.room(CHAT) == Room(CHAT, wishes=("cy",), barred=("bo",))
    assert [await store.room(place) for place in private] == [None, None, Room(private[2], private=True)]
    assert [panel.reader for panel in await store.panels("a0")] == ["cy"]
    assert await store.person("cy") == Person("cy", "Cy", hidden=True)


async def test_an_unknown_game_has_no_analysis(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.save_analysis("zz", "{}")
    assert await store.analysis("zz") is None


async def test_no_seed_is_in_the_repr_of_anything(store: Store) -> None:
    tale = Tale()
    batch: Batch = tale.opened("d", b"hush" * 8, "hush")
    await told(store, tale, batch)
    stored = await store.load("a0")
    assert stored
    assert (stored.server_seed, stored.seed_words) == (b"hush" * 8, "hush")
    # The store in memory keeps the seed in a value of its own.
    shown = repr((batch, stored, store._tables.by_id if isinstance(store, MemoryStore) else vars(store)))
    assert "hush" not in shown
    assert b"hush".hex() not in shown
