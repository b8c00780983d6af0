"""Two processes over one store: both answer from the newest table, and settings reach the other soon."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, cast

import pytest

from bot.model.places import Place
from bot.model.tables import Entry
from bot.people import FRESH_FOR
from bot.ports import Caller
from bot.storage import Store, StoreError
from bot.store.memory.store import MemoryStore
from bot.table_service.service import TableService
from bot.tables import lobby
from bot.tables.table import Table
from engines.values import replace
from tests.support.clock import VirtualClock, settle
from tests.support.harness import BotHarness, bot_harness, offers, rendered, text
from tests.support.platform import FakePlatform
from tests.support.stores import unsent_panels

SUITS = frozenset("♠♥♦♣")


@asynccontextmanager
async def processes() -> AsyncIterator[tuple[BotHarness, BotHarness]]:
    """Two processes that serve the same places from one store."""
    store, platform, clock = MemoryStore(shared=True), FakePlatform(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as a, bot_harness(store, platform, clock) as b:
        yield a, b


async def moved(bot: BotHarness, players: list[Caller]) -> str:
    """Makes the first legal move at a process; returns it."""
    table = await bot.table()
    words = str(next(iter(table.game.moves(table.state, table.active()[0]))))
    reply = await bot.say(await bot.to_play(players), "play", move=words)
    assert reply.notice.startswith("You played: ")
    return words


async def test_a_watcher_at_one_process_sees_the_move_made_at_the_other() -> None:
    async with processes() as (a, b):
        players = await a.begin("casino", "Ana", "Beto")
        await b.table()
        for one, other in ((b, a), (a, b), (b, a)):
            await moved(one, players)
            carla, look = other.caller("Carla"), f"{(await one.table()).id}:0:watch"
            shown = (await other.press(carla, look)).page
            assert text(shown) == text((await one.press(carla, look)).page)


async def test_a_move_is_judged_by_the_newest_table() -> None:
    async with processes() as (a, b):
        players = await a.begin("casino", "Ana", "Beto")
        await b.table()
        mover = await a.to_play(players)
        words = await moved(b, players)
        reply = await a.say(mover, "play", move=words)
        assert "turn" in reply.notice
        assert [entry.kind for entry in (await a.table()).entries].count("move") == 1


async def test_suggestions_and_buttons_are_those_of_the_newest_table() -> None:
    async with processes() as (a, b):
        players = await a.begin("casino", "Ana", "Beto")
        await b.table()
        await moved(b, players)
        mover = await b.to_play(players)
        found = [
            [one.value for one in await bot.dispatcher.complete(mover, "play", "move", "", {})]
            for bot in (a, b)
        ]
        assert found[0] == found[1] != []
        hands = [(await bot.say(mover, "hand")).page for bot in (a, b)]
        assert rendered(hands[0]) == rendered(hands[1])
        assert offers(hands[0], "pick") or offers(hands[0], "move")


async def test_presses_in_alternation_lose_nothing_and_double_nothing() -> None:
    async with processes() as (a, b):
        players = await a.begin("casino", "Ana", "Beto")
        for _ in range(6):
            for bot in (b, a):
                await moved(bot, players)
        tables = [await bot.table() for bot in (a, b)]
        kinds = [entry.kind for entry in tables[0].entries]
        assert kinds.count("move") == 12
        assert tables[0].listing == tables[1].listing
        assert [entry.n for entry in tables[0].entries] == list(range(len(kinds)))


async def test_a_setting_changed_at_one_process_holds_at_the_other_soon() -> None:
    async with processes() as (a, b):
        ana = a.caller("Ana", private=True)
        for bot in (a, b):
            await bot.say(ana, "settings")
        await a.say(ana, "settings", setting="letters", value="on")
        await b.clock.advance(FRESH_FOR)
        assert (await b.dispatcher.people.person_of(ana)).letters


async def test_a_setting_changed_at_one_process_holds_at_once_at_the_next_keeper_of_a_chat() -> None:
    async with processes() as (a, b):
        ana, beto = await a.begin("casino", "Ana", "Beto")
        await b.say(ana, "hand")
        assert SUITS & set(text(b.panel(ana)))
        await a.say(
            replace(ana, place=Place("wall", "alone:ana"), private=True),
            "settings",
            setting="letters",
            value="on",
        )
        table = await b.table()
        mover = await b.to_play([ana, beto])
        move = next(iter(table.game.moves(table.state, table.active()[0])))
        await b.say(mover, "play", move=str(move))
        await b.clock.advance(1)
        assert not SUITS & set(text(b.panel(ana)))


async def test_a_setting_changed_at_one_process_holds_in_the_first_panel_by_the_other() -> None:
    async with processes() as (a, b):
        ana, beto = b.caller("Ana"), b.caller("Beto")
        await b.say(ana, "new", game="casino")
        await b.say(beto, "settings")
        await a.say(beto, "settings", setting="letters", value="on")
        game = (await b.table()).id
        await b.press(beto, f"{game}:0:join")
        await b.press(ana, f"{game}:0:start")
        await b.clock.advance(1)
        assert "your hand" in text(b.panel(beto))
        assert not SUITS & set(text(b.panel(beto)))


async def test_two_settings_changed_at_once_at_two_processes_are_both_kept() -> None:
    async with processes() as (a, b):
        ana = a.caller("Ana", private=True)
        for bot in (a, b):
            await bot.say(ana, "settings")
        await a.say(ana, "settings", setting="letters", value="on")
        await b.say(ana, "settings", setting="careful", value="on")
        person = await b.store.person(await b.person(ana))
        assert person
        assert (person.letters, person.careful) == (True, True)


async def test_a_player_who_was_reached_by_one_process_gets_their_panel_from_the_other_at_once() -> None:
    async with processes() as (a, b):
        ana, beto = a.caller("Ana"), a.caller("Beto")
        a.platform.closed.add("beto")
        await a.say(ana, "new", game="casino", players="2")
        await a.press(beto, f"{(await a.table()).id}:0:join")
        # B caches the account, by which Beto cannot be reached; then A reaches him.
        assert await b.dispatcher.people.account_of(await b.person(beto), "wall")
        a.platform.closed.discard("beto")
        await a.say(a.caller("Beto", private=True), "hand")
        await b.press(ana, f"{(await b.table()).id}:0:start")
        shown = text(b.panel(beto))
        assert "Everybody gets" in shown or "goes first" in shown, shown


@pytest.mark.parametrize("what", ["entry", "game"])
async def test_a_table_of_a_newer_version_is_refused_without_an_apology(
    what: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with processes() as (a, b):
        await a.begin("casino", "Ana", "Beto")
        ana = b.caller("Ana")
        assert isinstance(b.store, MemoryStore)
        (kept,) = b.store._tables.by_id.values()
        if what == "game":
            kept.listing = replace(kept.listing, key="whist")
        else:
            castle = Entry(len(kept.entries), "castle")  # type: ignore[arg-type]
            kept.entries.append(castle)
        for command in ("watch", "hand", "leave", "table", "play"):
            reply = await b.say(ana, command, move="x")
            assert reply.notice.startswith("A newer version of the bot")
        es = b.caller("Ana", locale="es")
        await b.say(es, "language", language="es")
        assert (await b.say(es, "watch")).notice.startswith("De esta mesa se ocupa")
        assert await b.dispatcher.complete(ana, "watch", "table", "", {})
        assert "could not answer" not in caplog.text
        assert "autocomplete failed" not in caplog.text


async def test_of_two_processes_that_start_on_unsent_panels_each_is_posted_once() -> None:
    store, platform, clock = MemoryStore(shared=True), FakePlatform(), VirtualClock(stopped=True)
    for n in range(30):
        place = Place("wall", f"chat-{n}")
        platform.place(place.chat)
        await TableService(store, clock).open(place, partial(opening, place=place))
    async with bot_harness(store, platform, clock) as a, bot_harness(store, platform, clock) as b:
        await settle()
        await clock.advance(30)
        assert [len(platform.pages(f"chat-{n}")) for n in range(30)] == [1] * 30
        assert await unsent_panels(store) == []
        assert a.dispatcher.service.leases.process != b.dispatcher.service.leases.process


def opening(number: int, place: Place) -> Table:
    """A new table of one person in a place."""
    table = Table.open("casino", place=place, number=number, owner=f"p-{place.chat}")
    return lobby.join(table, f"p-{place.chat}", "Ana")


async def test_what_a_killed_process_left_is_done_within_fifteen_seconds() -> None:
    store, platform, clock = MemoryStore(shared=True), FakePlatform(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as a:
        await settle()
        dead = Cut(store)
        async with bot_harness(cast(Store, dead), platform, clock) as b:
            ana = b.caller("Ana")
            await b.say(ana, "new", game="casino", players="2")
            table = await b.table()
            await b.press(ana, f"{table.id}:0:add_computer")
            await b.press(ana, f"{table.id}:0:start")
            while not (table := await b.table()).awaited_computers():
                words = str(next(iter(table.game.moves(table.state, table.active()[0]))))
                await b.say(ana, "play", move=words)
            dead.is_cut = True
            before = platform.pages("square")[-1]
            await clock.advance(15)
            after = await a.table()
            assert after.stamp > table.stamp
            assert not after.awaited_computers()
            assert await unsent_panels(store) == []
            assert platform.pages("square")[-1] != before
            dead.is_cut = False


class Cut:
    """A store that a killed process does not reach any more."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.is_cut = False

    def __getattr__(self, name: str) -> Any:
        if self.is_cut and name != "shared":
            raise StoreError("the process is killed")
        return getattr(self._store, name)
