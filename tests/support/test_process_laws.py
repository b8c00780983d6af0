"""The laws of processes find what breaks them, and a killed process does nothing more."""

from __future__ import annotations

import asyncio

import pytest

from bot.inbox.dispatcher import Dispatcher
from bot.model.leases import Lease
from bot.model.places import Place
from bot.outbox.handovers import POST_STORED
from bot.ports import Key, Page, Reply
from bot.store.memory.store import MemoryStore
from bot.table_service.service import TableService
from bot.tables.table import Table
from engines.values import replace
from tests.support.clock import VirtualClock
from tests.support.mortal import Killed, Process
from tests.support.process_laws import ProcessLaws

SQUARE = Place("wall", "square")


async def opened(store: MemoryStore, laws: ProcessLaws) -> Table:
    """A table that a process has stored and shown."""
    service = TableService(store, VirtualClock())
    service.listen(laws.on_commit)
    return await service.open(SQUARE, lambda number: Table.open("svoi", place=SQUARE, number=number))


async def test_two_logs_of_one_table_are_found() -> None:
    laws, store = ProcessLaws(), MemoryStore()
    table = await opened(store, laws)
    laws.on_commit(table.add("end", reason="stopped"), table)
    assert laws.faults.found == []
    laws.on_commit(table.add("end", reason="empty"), table)
    assert laws.faults.found == ["two processes have other ['body'] in entry 1"]


async def test_an_entry_that_was_shown_and_is_not_stored_is_found() -> None:
    laws, store = ProcessLaws(), MemoryStore()
    table = await opened(store, laws)
    await laws.check(store)
    assert laws.faults.found == []
    laws.on_commit(table.add("end", reason="stopped"), table)
    await laws.check(store)
    assert laws.faults.found == ["an entry is lost"]
    laws.on_commit(replace(table, id="ffffffffff"), None)
    await laws.check(store)
    assert "a table is lost" in laws.faults.found


def test_an_answered_move_that_is_not_stored_is_found() -> None:
    laws = ProcessLaws()
    laws.on_answer("press", (None, "ffffffffff:0:sure:draw", "d-1", Reply(notice="No.")))
    laws.on_answer("command", (None, "table", {}, "d-2", Reply("Here it is.", done=True)))
    assert (laws.faults.found, laws.answered) == ([], 0)
    laws.on_answer("press", (None, "ffffffffff:0:sure:draw", "d-3", Reply()))
    laws.on_answer("command", (None, "play", {}, "d-4", Reply("You played.", done=True)))
    again = Page.note("Leave?", keys=((Key("Yes", "leave_sure", "ana 9", "f" * 10),),))
    laws.on_answer("press", (None, "ffffffffff:0:leave_sure:ana 1", "d-5", Reply(page=again)))
    assert laws.faults.found == [
        "answered as done, but not stored: ffffffffff:0:sure:draw",
        "answered as done, but not stored: play",
    ]


def test_a_second_sender_is_found() -> None:
    laws = ProcessLaws()
    laws.on_lease(Lease("wall", "square", "a", 1), 10.0)
    laws.on_request("a", SQUARE, 11.0)
    laws.on_lease(Lease("wall", "square", "b", 2), 12.0)
    laws.on_request("a", SQUARE, 12.0 + POST_STORED)
    laws.on_request("b", SQUARE, 12.0 + POST_STORED)
    assert (laws.faults.found, laws.handovers) == ([], 1)
    laws.on_request("a", SQUARE, 12.1 + POST_STORED)
    assert len(laws.faults.found) == 1


def test_both_keepers_may_edit_the_messages_of_a_group_that_moved() -> None:
    laws, hall = ProcessLaws(), Place("wall", "hall")
    laws.on_lease(Lease("wall", "square", "a", 1), 10.0)
    laws.on_lease(Lease("wall", "hall", "b", 1), 20.0)
    laws.on_request("a", SQUARE, 30.0, hall)
    laws.on_request("b", SQUARE, 30.0, hall)
    assert laws.faults.found == []
    laws.on_request("c", SQUARE, 30.0, hall)
    laws.on_request("a", hall, 30.0, hall)
    laws.on_request("b", SQUARE, 30.0, SQUARE)
    assert len(laws.faults.found) == 3


class Slow(Dispatcher):
    """A dispatcher that passes a gate of its store a second after it was told that a chat has moved."""

    def __init__(self, clock: VirtualClock, store: MemoryStore) -> None:
        self.clock = clock
        self.store = store

    async def chat_moved(self, platform: str, chat: str, new: str) -> None:
        await self.clock.sleep(1.0)
        await self.store.pass_gate("answered", 0.0, 1.0)


async def test_a_killed_process_does_nothing_more() -> None:
    clock, store, process = VirtualClock(), MemoryStore(), Process("a")
    heard: list[str] = []
    dispatcher = process.serving(
        Slow(process.lent(clock), process.lent(store)), lambda name, given: heard.append(name)
    )
    await dispatcher.chat_moved("wall", "square", "hall")
    assert (heard, store._gates) == (["chat_moved"], {"answered": 1.0})
    store._gates.clear()
    lent = process.lent(store)
    asked = asyncio.create_task(dispatcher.chat_moved("wall", "square", "hall"))
    await clock.sleep(0.5)
    await process.kill()
    with pytest.raises(Killed):
        await asked
    with pytest.raises(asyncio.CancelledError):
        await lent.pass_gate("late", 0.0, 1.0)
    assert (heard, store._gates) == (["chat_moved"], {})
