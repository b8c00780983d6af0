"""Panel records in memory, while loads, changes and sends overlap."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot.model.ids import PUBLIC, GameId, ProcessId, ReaderId
from bot.model.panels import Marked, PanelRecord
from bot.model.places import Place
from bot.outbox.records.cache import TABLES_KEPT
from bot.outbox.records.late_writes import FLUSH_AFTER
from bot.outbox.records.records import PanelRecords
from bot.outbox.records.shown import Shown
from bot.ports import Page
from bot.storage import StoreError
from bot.store.memory.store import MemoryStore
from bot.store.writing import append, known_leases
from engines.values import replace
from tests.support.clock import VirtualClock, settle
from tests.support.stores import BeforeSent

SQUARE = Place("wall", "square")


async def test_a_change_while_two_loads_wait_leaves_nothing_behind() -> None:
    store, gate = MemoryStore(), asyncio.Event()
    await store.mark_dirty(PanelRecord("a0", PUBLIC))
    records, read = PanelRecords(store, VirtualClock()), store.panels

    async def slow(game: str) -> Sequence[PanelRecord]:
        found = await read(game)
        await gate.wait()
        # Comes when this load has ended, and before the other one has got the lock.
        asyncio.get_running_loop().call_soon(records.mark_all_dirty, game)
        return found

    store.panels = slow  # type: ignore[method-assign]
    loads = [asyncio.create_task(records.load("a0", SQUARE)) for _ in range(2)]
    await settle()
    gate.set()
    assert await asyncio.gather(*loads) == [[PUBLIC], ()]
    assert records._reads._outdated == set()


class AlertsFail(MemoryStore):
    """A store that cannot save alerts while it is down."""

    error: Exception = StoreError("no space left")
    down = True

    async def save_alert(self, panel: PanelRecord, *, replaces: str) -> PanelRecord:
        if self.down:
            raise self.error
        return await super().save_alert(panel, replaces=replaces)


async def test_an_alert_that_could_not_be_stored_gives_way_to_that_of_another_process() -> None:
    store, clock = AlertsFail(), VirtualClock()
    stored = (await store.mark_dirty(PanelRecord("a0", "ana"))).panel
    records = PanelRecords(store, clock)
    await records.load("a0", SQUARE)
    assert await records.sent.record_alert(stored, "ours", 5.0) == "ours"
    store.down = False
    await store.save_alert(replace(stored, notified_at=6.0, alert="theirs"), replaces="")
    await records.late.flush()
    [panel] = records.cache.panels("a0")
    assert (panel.alert, panel.notified_at) == ("theirs", 6.0)
    assert [stray.alert for stray in records.late.strays("a0")] == ["ours"]
    records.late.drop_stray("a0", "ana", "older")
    assert records.late.stray("a0", "ana") == "ours"
    records.late.drop_stray("a0", "ana", "ours")
    assert records.late.stray("a0", "ana") == ""
    await records.late.close()


async def test_an_alert_is_stored_later_after_any_error() -> None:
    store, clock = AlertsFail(), VirtualClock(stopped=True)
    stored = [(await store.mark_dirty(PanelRecord("a0", name))).panel for name in ("ana", "bo")]
    records = PanelRecords(store, clock)
    for panel in stored:
        await records.sent.record_alert(panel, f"to {panel.reader}", 5.0)
    store.error = RuntimeError("a fault of ours")
    await records.late.flush()
    store.down = False
    await settle()
    await clock.advance(FLUSH_AFTER)
    assert {panel.alert for panel in await store.panels("a0")} == {"to ana", "to bo"}
    await records.late.close()


@pytest.mark.parametrize("was_saved", [False, True])
async def test_an_alert_whose_deletion_could_not_be_stored_gives_way_to_the_next_one(
    was_saved: bool,
) -> None:
    store, clock = AlertsFail(), VirtualClock(stopped=True)
    panel = (await store.mark_dirty(PanelRecord("a0", "ana"))).panel
    records = PanelRecords(store, clock)
    await records.load("a0", SQUARE)
    store.down = False
    await records.sent.record_alert(panel, "first", 5.0)
    [panel] = records.cache.panels("a0")
    store.down = True
    await records.sent.record_alert(panel, "", 5.0)
    store.down = False
    if was_saved:
        await store.save_alert(replace(panel, alert=""), replaces="first")
    [panel] = records.cache.panels("a0")
    assert await records.sent.record_alert(panel, "second", 6.0) == "second"
    assert [(one.alert, one.notified_at) for one in await store.panels("a0")] == [("second", 6.0)]
    await records.late.close()


async def test_an_alert_that_was_never_stored_is_known_as_sent_once_it_is_deleted() -> None:
    store, clock = AlertsFail(), VirtualClock(stopped=True)
    panel = (await store.mark_dirty(PanelRecord("a0", "ana"))).panel
    records = PanelRecords(store, clock)
    await records.load("a0", SQUARE)
    await records.sent.record_alert(panel, "first", 5.0)
    [panel] = records.cache.panels("a0")
    await records.sent.record_alert(panel, "", 5.0)
    store.down = False
    await records.late.flush()
    assert [(one.alert, one.notified_at) for one in await store.panels("a0")] == [("", 5.0)]
    await records.late.close()


class SentFails(BeforeSent):
    """A store that cannot save which panels were sent."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
        self.tries = 0

    async def before_sent(self) -> None:
        self.tries += 1
        raise self.error


@pytest.mark.parametrize("error", [StoreError("no space left"), RuntimeError("hidden: 7S")])
async def test_a_store_that_fails_for_long_is_a_line_of_the_log_a_minute(
    caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    store, clock = SentFails(error), VirtualClock(stopped=True)
    stored = (await store.mark_dirty(PanelRecord("a0", "ana", message="1"))).panel
    records = PanelRecords(store, clock)
    await records.sent.record_message(stored, "1", 0, Shown.of(Page.note("Hello")))
    await settle()
    await clock.advance(30)
    assert store.tries > 10
    (line,) = (record.getMessage() for record in caplog.records)
    assert line.startswith(f"the store could not save which panels were sent: {type(error).__name__}, ")
    await records.late.close()


class EndsLate(BeforeSent):
    """A store whose first write of a sent panel ends once it may, and fails if there is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.may_end, self.writes = asyncio.Event(), 0
        self.error: StoreError | None = StoreError("no space left")

    async def before_sent(self) -> None:
        self.writes += 1
        if self.writes == 1:
            await self.may_end.wait()
            if self.error:
                raise self.error


async def writing_late() -> tuple[EndsLate, VirtualClock, PanelRecords]:
    """A store in the middle of its first late write: an edit of the panel's message ``1``."""
    store, clock = EndsLate(), VirtualClock(stopped=True)
    panel = (await store.mark_dirty(PanelRecord("a0", PUBLIC, message="1"))).panel
    records = PanelRecords(store, clock)
    await records.sent.record_message(panel, "1", 0, Shown.of(Page.note("Hello")))
    await settle()
    await clock.advance(FLUSH_AFTER)
    return store, clock, records


@pytest.mark.parametrize("posted", [True, False])
async def test_a_late_write_that_fails_undoes_no_newer_message(posted: bool) -> None:
    store, clock = EndsLate(), VirtualClock(stopped=True)
    panel = (await store.mark_dirty(PanelRecord("a0", "ana", message="1"))).panel
    records = PanelRecords(store, clock)
    page = Shown.of(Page.note("Hello"))
    await records.sent.record_message(panel, "1", 0, page)
    await settle()
    await clock.advance(FLUSH_AFTER)
    if posted:
        await records.sent.record_message(panel, "2", 0, page, replaces="1")
    store.may_end.set()
    await settle()
    await clock.advance(FLUSH_AFTER)
    stored = await store.panel("a0", "ana")
    assert stored
    assert (stored.message, stored.sent, store.writes) == ("2" if posted else "1", 1, 2)
    await records.late.close()


async def test_a_late_write_that_begins_with_that_of_a_new_message_does_not_undo_it() -> None:
    store, clock = MemoryStore(), VirtualClock(stopped=True)
    panel = (await store.mark_dirty(PanelRecord("a0", "ana", message="1"))).panel
    records = PanelRecords(store, clock)
    await records.sent.record_message(panel, "1", 0, Shown.of(Page.note("Hello")))
    # The new message comes when the flush has begun, and before its tasks have.
    posted = records.sent.record_message(panel, "2", 0, Shown.of(Page.note("Bye")), replaces="1")
    await asyncio.gather(records.late.flush(), posted)
    stored = await store.panel("a0", "ana")
    assert stored
    assert stored.message == "2"
    await clock.advance(FLUSH_AFTER)
    assert await store.panel("a0", "ana") == stored
    await records.late.close()


async def test_a_message_that_stays_in_a_former_chat_during_a_late_write_is_forgotten_by_the_store() -> None:
    store, clock, records = await writing_late()
    store.error = None
    records.sent.leave_chat("a0")
    store.may_end.set()
    await settle()
    await clock.advance(FLUSH_AFTER)
    stored = await store.panel("a0", PUBLIC)
    assert stored
    assert (stored.message, stored.sent, store.writes) == ("", 1, 2)
    await records.late.close()


async def test_closing_waits_for_a_late_write_and_tries_a_failed_one_again() -> None:
    store, _, records = await writing_late()
    closing = asyncio.create_task(records.late.close())
    await settle()
    assert not closing.done()
    store.may_end.set()
    await closing
    stored = await store.panel("a0", PUBLIC)
    assert stored
    assert (stored.sent, store.writes) == (1, 2)


async def test_the_next_message_replaces_the_deleted_one_though_its_table_was_forgotten_meanwhile() -> None:
    store = MemoryStore()
    await store.sent(PanelRecord("a0", "ana", message="first"), replaces="")
    records = PanelRecords(store, VirtualClock())
    panel = await records.read("a0", SQUARE, "ana")
    for forgotten in (panel, replace(panel, message="second")):
        # As when its chat changes hands, before or after the message is deleted.
        records.cache.forget_table("a0")
        bare = records.cache.lose_message(forgotten)
        records.cache.forget_table("a0")
        assert (bare.message, records.cache.replaced(bare)) == ("", forgotten.message)
    await records.sent.record_message(bare, "third", 0, Shown.of(Page.note("A page")), replaces="second")
    assert records.cache.replaced(bare) == ""
    await records.late.close()


async def test_no_lost_message_of_a_person_who_was_forgotten_stays_in_memory() -> None:
    store = MemoryStore()
    await store.sent(PanelRecord("a0", "ana", message="first"), replaces="")
    records = PanelRecords(store, VirtualClock())
    bare = records.cache.lose_message(await records.read("a0", SQUARE, "ana"))
    records.cache.forget_table("a0")
    assert records.cache.replaced(bare) == "first"
    records.forget_person("ana")
    assert records.cache.replaced(bare) == ""


async def test_panels_read_while_the_former_keeper_was_posting_are_read_again() -> None:
    store, wait = MemoryStore(), [1.0]
    early = (await store.mark_dirty(PanelRecord("a0", "ana"))).panel
    records = PanelRecords(store, VirtualClock())
    records.wait_to_post = lambda _: wait[0]
    assert await records.read("a0", SQUARE, "ana") == early
    await store.sent(replace(early, message="posted"))
    await store.save_alert(replace(early, notified_at=6.0, alert="a1"), replaces="")
    assert await records.read("a0", SQUARE, "ana") == early
    wait[0] = 0.0
    late = await records.read("a0", SQUARE, "ana")
    assert (late.message, late.notified_at, late.alert) == ("posted", 6.0, "a1")
    await records.late.close()


class Held(BeforeSent):
    """A store whose reads of panels, and whose writes of messages and alerts, wait until they may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.may_read, self.may_store = asyncio.Event(), asyncio.Event()

    async def panels(self, game: GameId) -> Sequence[PanelRecord]:
        found = await super().panels(game)
        await self.may_read.wait()
        return found

    async def before_sent(self) -> None:
        await self.may_store.wait()

    async def save_alert(self, panel: PanelRecord, *, replaces: str) -> PanelRecord:
        await self.may_store.wait()
        return await super().save_alert(panel, replaces=replaces)


@pytest.mark.parametrize("first_comes", ["read", "stored"])
async def test_panels_read_while_a_message_or_an_alert_is_being_stored_know_it(first_comes: str) -> None:
    store = Held()
    panel = (await store.mark_dirty(PanelRecord("a0", "ana"))).panel
    called = (await store.mark_dirty(PanelRecord("a0", "bo"))).panel
    records = PanelRecords(store, VirtualClock())
    reading = asyncio.create_task(records.load("a0", SQUARE))
    await settle()
    sending = asyncio.gather(
        records.sent.record_message(panel, "new", 0, Shown.of(Page.note("A page")), replaces=""),
        records.sent.record_alert(called, "alert", 5.0),
    )
    gates = [store.may_read, store.may_store]
    for gate in gates if first_comes == "read" else reversed(gates):
        await settle()
        gate.set()
    await asyncio.gather(reading, sending)
    # Without their ids, the message would be posted once more, and the alert would not be deleted.
    known = {one.reader: one for one in records.cache.panels("a0")}
    assert (known["ana"].message, known["ana"].sent, known["bo"].alert) == ("new", 1, "alert")
    await records.late.close()


class SinglePanelHeld(MemoryStore):
    """A store in which the read of a single panel, or its making, ends only when it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.held = ""
        """``read`` or ``made``; empty as long as nothing is held."""
        self.may_go_on = asyncio.Event()

    async def change(self) -> None:
        """Counts a change, as the store does with the change itself."""
        for panel in await self.panels("a0"):
            await self.mark_dirty(panel)

    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        found = await super().panel(game, reader)
        if self.held == "read":
            await self.may_go_on.wait()
        return found

    async def mark_dirty(
        self, panel: PanelRecord, *, expected: int | None = None, keeper: ProcessId = ""
    ) -> Marked:
        marked = await super().mark_dirty(panel, expected=expected, keeper=keeper)
        if self.held == "made" and not panel.wanted:
            await self.may_go_on.wait()
        return marked


@pytest.mark.parametrize("held", ["read", "made"])
@pytest.mark.parametrize("told", ["before", "after"])
async def test_a_panel_that_is_read_alone_counts_a_change_once(held: str, told: str) -> None:
    """``told``: whether the listeners are told of the change before the read has ended, or after."""
    store, changing = SinglePanelHeld(), [False]
    await store.mark_dirty(PanelRecord("a0", PUBLIC))
    records = PanelRecords(store, VirtualClock())
    records.is_changing = lambda _: changing[0]
    assert await records.stored("a0", SQUARE, "ana") is None
    if held == "read":
        # Made by another process, or by a change of which the listeners of this one are not told yet.
        await store.mark_dirty(PanelRecord("a0", "ana"))
    store.held, changing[0] = held, True
    if told == "after":
        # The change is stored before the panel is read.
        await store.change()
    reading = asyncio.create_task(records.read("a0", SQUARE, "ana"))
    await settle()
    if told == "before":
        await store.change()
        records.mark_all_dirty("a0")
        changing[0] = False
    store.may_go_on.set()
    await reading
    if told == "after":
        records.mark_all_dirty("a0")
        changing[0] = False
    stored = await store.panel("a0", "ana")
    assert await records.read("a0", SQUARE, "ana") == stored
    await records.late.close()


async def test_panels_compared_with_the_store_count_a_change_that_came_meanwhile() -> None:
    store = Held()
    store.may_read.set()
    await store.mark_dirty(PanelRecord("a0", PUBLIC))
    records = PanelRecords(store, VirtualClock())
    await records.load("a0", SQUARE)
    # Another process has made a panel of which this one does not know.
    await store.mark_dirty(PanelRecord("a0", "ana"))
    store.may_read.clear()
    comparing = asyncio.create_task(records.load_again("a0", SQUARE))
    await settle()
    for reader in (PUBLIC, "ana"):
        await store.mark_dirty(PanelRecord("a0", reader))
    records.mark_all_dirty("a0")
    store.may_read.set()
    assert sorted(await comparing) == sorted(("ana", PUBLIC))
    assert sorted(records.cache.panels("a0"), key=lambda panel: panel.reader) == await store.panels("a0")
    await records.late.close()


def test_a_store_remembers_as_many_tables_as_have_panels_in_memory() -> None:
    assert (append.REMEMBERED, known_leases.REMEMBERED) == (TABLES_KEPT, TABLES_KEPT)
