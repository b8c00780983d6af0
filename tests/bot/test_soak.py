"""A long evening in a small memory: what the bot remembers stays bounded, and comes back when needed."""

from __future__ import annotations

import gc
import types
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import pytest

from bot import people
from bot.app import running
from bot.inbox.allowances import Allowances, Rate
from bot.inbox.dispatcher import Dispatcher
from bot.inbox.moves import menus
from bot.model.ids import PUBLIC, GameId
from bot.model.people import Account
from bot.model.places import Place
from bot.outbox import private_chats, threads, turn_alerts
from bot.outbox.posting import public_panels
from bot.outbox.records import cache, late_writes
from bot.ports import Caller, Limits, Page, Unreachable
from bot.store.memory.store import MemoryStore
from bot.table_service import leases, service
from bot.table_service.cache import TableCache
from engines.values import replace
from tests import luck
from tests.support.clock import VirtualClock, settle
from tests.support.long import LONG
from tests.support.platform import ROOMY
from tests.support.stores import unsent_panels

GAMES = 10_000 if LONG else 200
"""Games that are played one after another, each in a place of its own by people of its own."""
SMALL = 40
"""The bound of most of what is kept in memory because it was used lately; see `evening`."""


class Nowhere:
    """A platform whose messages are dropped; every fifth user accepts no private messages."""

    key = "wall"
    limits: Limits = replace(ROOMY, gap=1.0)
    reached = True

    def __init__(self) -> None:
        self._numbers = count(1)
        self.edited: list[str] = []

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        return f"{place.chat}/{next(self._numbers)}"

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        if int(account.user) % 5 == 0:
            raise Unreachable
        return f"{account.user}/{next(self._numbers)}"

    async def edit(self, message: str, page: Page) -> None:
        self.edited.append(message)
        del self.edited[:-10]

    async def delete(self, message: str) -> None:
        """Drops a deletion."""

    def link(self) -> str:
        return ""

    def message_link(self, message: str, community: str = "") -> str:
        return ""


@dataclass
class Evening:
    """A bot whose messages nobody reads, and what it runs on."""

    dispatcher: Dispatcher
    platform: Nowhere
    store: MemoryStore
    clock: VirtualClock

    def caller(self, game: int, user: int) -> Caller:
        """One of the people of a game, in its place."""
        return Caller(str(10 * game + user), f"P{user}", Place("wall", f"place{game}"), "town")

    async def press(self, caller: Caller, data: str) -> None:
        await self.dispatcher.press(caller, data, "")
        await settle()

    async def begin(self, game: int) -> GameId:
        """Opens a table where a third person joins and leaves; deals; makes two moves, one of them late."""
        ana, beto, carla = (self.caller(game, user) for user in (1, 5, 3))
        await self.dispatcher.command(ana, "new", {"game": "casino"}, "")
        (listing,) = await self.store.tables(ana.place)
        for data in ("join", "leave"):
            await self.press(carla, f"{listing.game}:0:{data}")
        await self.press(beto, f"{listing.game}:0:join")
        await self.press(ana, f"{listing.game}:0:start")
        await self.move(listing.game)
        await self.clock.advance(30)
        await self.move(listing.game)
        return listing.game

    async def move(self, game: GameId) -> None:
        """The awaited player presses the first legal move of a table."""
        table = await self.dispatcher.service.table(game)
        seat = table.active()[0]
        person = table.players[seat].person
        assert person
        account = await self.dispatcher.people.account_of(person, "wall")
        assert account
        first = str(next(iter(table.game.moves(table.state, seat))))
        caller = Caller(account.user, table.players[seat].name, table.place, "town")
        await self.press(caller, f"{game}:{table.stamp}:move:{first}")

    async def end(self, game: int) -> None:
        for _ in range(2):
            await self.dispatcher.command(self.caller(game, 1), "end", {}, "")
        await self.clock.advance(late_writes.FLUSH_AFTER)


@asynccontextmanager
async def evening(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Evening]:
    """Runs the bot with small bounds."""
    for module, name in (
        (cache, "TABLES_KEPT"),
        (public_panels, "PLACES_KEPT"),
        (turn_alerts, "_MOST_ACTED"),
        (private_chats, "_MOST_COUNTED"),
        (threads, "_STAGES_KEPT"),
        (menus, "_READERS_KEPT"),
        (menus, "_MOST_UNCOMPRESSED"),
        (people, "_MOST_KEPT"),
        (leases, "LEASES_KEPT"),
    ):
        monkeypatch.setattr(module, name, SMALL)
    small_cache = partial(TableCache, in_use=30_000 * SMALL, at_rest=10_000 * SMALL)
    monkeypatch.setattr(service, "TableCache", small_cache)
    store, clock, platform = MemoryStore(), VirtualClock(stopped=True), Nowhere()
    often = Rate(10**9, 1.0)
    allowances = Allowances(presses=often, tables=often, settings=often, senders=SMALL)
    one = running(store, clock, {platform.key: platform}, rng=luck.rng("soak"), allowances=allowances)
    async with one as dispatcher:
        yield Evening(dispatcher, platform, store, clock)


def items(dispatcher: Dispatcher) -> dict[str, int]:
    """The items of all mutable collections that the bot reaches, by the class of the bot that holds them.

    Those of the tables in memory count too, since their number and their size are bounded. Those of the
    store, the platform and the clock don't, nor those that only a function holds.
    """
    seen, sizes = set[int](), dict[str, int]()
    todo: list[tuple[str, Any]] = [("", dispatcher)]
    while todo:
        owner, one = todo.pop()
        if id(one) in seen or isinstance(one, _LEFT_OUT):
            continue
        seen.add(id(one))
        if isinstance(one, dict | set | list | deque | OrderedDict):
            sizes[owner] = sizes.get(owner, 0) + len(one)
        name = type(one).__qualname__ if type(one).__module__.startswith("bot.") else owner
        todo += [(name, inner) for inner in gc.get_referents(one)]
    return sizes


_LEFT_OUT = (MemoryStore, Nowhere, VirtualClock, type, types.ModuleType, types.FunctionType, str, bytes)


def growth(before: dict[str, int], after: dict[str, int]) -> Iterator[str]:
    """The classes that hold more items than before, by more than a few."""
    for name, size in after.items():
        if size > before.get(name, 0) * 1.1 + 10:
            yield f"{name}: {before.get(name, 0)} -> {size}"


@pytest.mark.timeout(1800 if LONG else 400)
async def test_what_is_remembered_does_not_grow_with_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    async with evening(monkeypatch) as one:
        for game in range(GAMES // 2):
            await one.begin(game)
            await one.end(game)
        await one.clock.advance(30)
        before = items(one.dispatcher)
        for game in range(GAMES // 2, GAMES):
            await one.begin(game)
            await one.end(game)
        await one.clock.advance(30)
        assert list(growth(before, items(one.dispatcher))) == []
        assert await unsent_panels(one.store) == []


async def test_a_table_that_was_forgotten_is_shown_to_all_its_readers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with evening(monkeypatch) as one:
        first = await one.begin(0)
        for game in range(1, 2 * SMALL):
            await one.begin(game)
        await one.clock.advance(5)
        assert len(one.dispatcher.panels._records.cache) == SMALL
        one.platform.edited.clear()
        await one.move(first)
        await one.clock.advance(late_writes.FLUSH_AFTER)
        kept = await one.store.panels(first)
        assert [panel.wanted - panel.sent for panel in kept] == [0] * 4
        assert {panel.message.split("/")[0] for panel in kept} == {"place0", "1", "3", ""}
        assert {message.split("/")[0] for message in one.platform.edited} == {"place0", "1", "3"}
        assert kept[0].reader == PUBLIC
