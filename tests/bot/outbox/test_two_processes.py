"""Two processes on one store and one platform: both get a chat's presses, only one at a time sends to it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import pytest

from adapters.shared.rendering.message import as_message
from bot.model.ids import PUBLIC
from bot.model.panels import Draft
from bot.model.people import Account
from bot.model.places import Place
from bot.outbox.handovers import SETTLED
from bot.pages.table_page import public_page
from bot.ports import Caller, Later, Limits, Page
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from engines.values import replace
from tests.support.clock import VirtualClock, settle
from tests.support.harness import ALONE, PLACE, PLACES, BotHarness, bot_harness
from tests.support.platform import ROOMY, FakePlatform
from tests.support.stores import unsent_panels

GAP = 3.0
"""Seconds between two messages in a place."""
KEY = "cardlebones"


class Line:
    """A process's connection to the platform, on which requests may take long."""

    key = FakePlatform.key
    reached = True
    is_connected = True

    def __init__(self, platform: FakePlatform) -> None:
        self._platform = platform
        self.late = 0.0
        """Seconds until a message to a place or an edit arrives at the platform."""
        self.late_deletion = 0.0
        """Seconds until the deletion of a message arrives there."""
        self.late_alone = 0.0
        """Seconds until a private message arrives there."""
        self.fails = False
        """Whether the process gets an error for a late edit, though it has arrived."""
        self.errors = 0
        """How many errors the process got for late edits."""

    @property
    def limits(self) -> Limits:
        return self._platform.limits

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        await self._arrive()
        return await self._platform.post(place, page, mention, once=once)

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        if self.late_alone:
            await self._platform.clock.sleep(self.late_alone)
        return await self._platform.whisper(account, page, once=once)

    async def edit(self, message: str, page: Page) -> None:
        late = self.late
        await self._arrive()
        await self._platform.edit(message, page)
        if late and self.fails:
            self.errors += 1
            raise Later(1.0, "no answer in time")

    async def delete(self, message: str) -> None:
        if self.late_deletion:
            await self._platform.clock.sleep(self.late_deletion)
        await self._platform.delete(message)

    def link(self) -> str:
        return ""

    def message_link(self, message: str, community: str = "") -> str:
        return ""

    async def _arrive(self) -> None:
        if self.late:
            await self._platform.clock.sleep(self.late)


@dataclass
class Pair:
    """Two processes, the connection of each, and what they share."""

    a: BotHarness
    b: BotHarness
    lines: tuple[Line, Line]
    platform: FakePlatform
    store: MemoryStore
    clock: VirtualClock

    @property
    def both(self) -> tuple[BotHarness, BotHarness]:
        return self.a, self.b

    def caller(self, name: str, place: Place = PLACE) -> Caller:
        self.platform.senders.add(name.casefold())
        return Caller(name.casefold(), name, place, "town")

    async def begin(self, place: Place = PLACE, key: str = KEY) -> tuple[str, list[Caller]]:
        """Starts a table of two at both processes in turn; returns its id and its players."""
        people = [self.caller(f"{name}-{place.chat}", place) for name in ("Ana", "Beto")]
        await self.a.dispatcher.command(people[0], "new", {"game": key}, self.a.delivery())
        *_, listing = await self.store.tables(place)
        await self.press(self.b, people[1], f"{listing.game}:0:join")
        await self.press(self.a, people[0], f"{listing.game}:0:start")
        return listing.game, people

    async def press(self, bot: BotHarness, caller: Caller, data: str) -> None:
        await bot.press(caller, data)

    async def move(self, bot: BotHarness, game: str, people: list[Caller]) -> None:
        """The awaited player presses the first legal move at a process."""
        table = await bot.dispatcher.service.table(game)
        if table.status == "over":
            return
        seat = table.active()[0]
        first = str(next(iter(table.game.moves(table.state, seat))))
        await self.press(bot, people[seat], f"{game}:{table.stamp}:move:{first}")

    async def public_panel(self, game: str) -> tuple[str, ...]:
        """The lines below the drawing of a table's public panel, as they should be."""
        table = await self.a.dispatcher.service.table(game)
        say = await self.a.dispatcher.people.say_in(table.place, table)
        return as_message(public_page(table, say, self.platform.limits), self.platform.limits).below

    async def table(self, game: str) -> Table:
        return await self.a.dispatcher.service.table(game)

    def times(self, chat: str) -> list[float]:
        """When a message was posted in a chat or edited there, in order."""
        return [sent.at for sent in self.platform.sent if sent.place and sent.place.chat == chat]


@asynccontextmanager
async def pair(platform: FakePlatform | None = None) -> AsyncIterator[Pair]:
    """Runs two processes on one store and one platform."""
    store, clock = MemoryStore(shared=True), VirtualClock(stopped=True)
    platform = platform or FakePlatform(limits=replace(ROOMY, gap=GAP))
    lines = Line(platform), Line(platform)
    async with (
        bot_harness(store, platform, clock, line=lines[0]) as a,
        bot_harness(store, platform, clock, line=lines[1]) as b,
    ):
        yield Pair(a, b, lines, platform, store, clock)


@pytest.fixture
async def two() -> AsyncIterator[Pair]:
    async with pair() as opened:
        yield opened


async def test_press_by_press_in_alternation_every_panel_is_right(two: Pair) -> None:
    places = [Place("wall", chat) for chat in PLACES]
    tables = [await two.begin(place) for place in places]
    for n in range(8):
        for game, people in tables:
            await two.move(two.both[n % 2], game, people)
        await two.clock.advance(0.7)
    await two.clock.advance(SETTLED + 2 * GAP)
    for place, (game, people) in zip(places, tables, strict=True):
        (page,) = two.platform.pages(place.chat)
        table = await two.table(game)
        assert page.below == await two.public_panel(game)
        assert page.drawing == table.game.draw(
            table.game.view(table.state, None), await two.a.dispatcher.people.say_in(place, table), 28
        )
        assert [len(two.platform.pages(ALONE + caller.user)) for caller in people] == [1, 1]
        assert table.stamp == 8
    assert await unsent_panels(two.store) == []


async def test_the_pace_of_a_place_is_kept_though_its_keeper_changes(two: Pair) -> None:
    game, people = await two.begin()
    for n in range(12):
        await two.move(two.both[n % 2], game, people)
        await two.clock.advance(1.1)
    await two.clock.advance(SETTLED + 2 * GAP)
    times = two.times(PLACE.chat)
    assert len(times) > 4
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) >= GAP


async def test_two_quick_taps_at_two_processes_add_up(two: Pair) -> None:
    game, people = await two.begin()
    table = await two.table(game)
    person = await two.a.person(people[0])

    def add(draft: Draft, word: str) -> Draft:
        return replace(draft, path=(*draft.path, word))

    # Both have read the draft before either of them changes it.
    for bot in two.both:
        await bot.dispatcher.drafts.read(table, person)
    await asyncio.gather(
        *(
            bot.dispatcher.drafts.change(table, person, partial(add, word=word))
            for bot, word in zip(two.both, ("x", "y"), strict=True)
        )
    )
    for bot in two.both:
        table = await bot.dispatcher.service.table(game)
        assert sorted((await bot.dispatcher.drafts.read(table, person)).path) == ["x", "y"]


async def test_a_panel_that_is_posted_twice_is_one_message(two: Pair) -> None:
    two.lines[0].late = 2.0
    ana = two.caller("Ana")
    await two.a.dispatcher.command(ana, "new", {"game": KEY}, two.a.delivery())
    await two.clock.advance(0.5)
    (listing,) = await two.store.tables(PLACE)
    await two.press(two.b, two.caller("Beto"), f"{listing.game}:0:join")
    await two.clock.advance(20)
    panel = await two.store.panel(listing.game, PUBLIC)
    assert panel
    (message,) = two.platform.messages.at(PLACE)
    assert (message.id, message.alive) == (panel.message, True)
    assert "Beto" in "\n".join(message.page.above + message.page.below)


async def test_a_panel_that_the_former_keeper_was_posting_is_waited_for(two: Pair) -> None:
    two.lines[0].late = 0.5
    ana = two.caller("Ana")
    await two.a.dispatcher.command(ana, "new", {"game": KEY}, two.a.delivery())
    await two.clock.advance(0.1)
    (listing,) = await two.store.tables(PLACE)
    await two.press(two.b, two.caller("Beto"), f"{listing.game}:0:join")
    await two.clock.advance(20)
    assert two.platform.requests.count("post square") == 1
    (page,) = two.platform.pages(PLACE.chat)
    assert "Beto" in "\n".join(page.above + page.below)


async def test_an_edit_of_the_former_keeper_that_comes_late_does_not_stay() -> None:
    async with pair(FakePlatform()) as two:
        game, people = await two.begin()
        await two.clock.advance(SETTLED)
        two.lines[0].late = 1.0
        await two.move(two.a, game, people)
        await two.move(two.b, game, people)
        right = two.platform.pages(PLACE.chat)[0].drawing
        await two.clock.advance(1.5)
        assert two.platform.pages(PLACE.chat)[0].drawing != right
        await two.clock.advance(SETTLED)
        assert two.platform.pages(PLACE.chat)[0].drawing == right


async def test_a_process_that_lost_a_chat_sends_nothing_there(two: Pair) -> None:
    game, people = await two.begin()
    await two.clock.advance(20)
    await two.move(two.a, game, people)
    await two.move(two.a, game, people)
    assert two.a.dispatcher.panels.lanes.waiting == 1
    await two.move(two.b, game, people)
    assert (await two.a.dispatcher.service.table(game)).stamp == 3
    assert two.a.dispatcher.panels.lanes.waiting == 0


async def test_a_process_that_lost_a_chat_forgets_what_was_asked_for_there(two: Pair) -> None:
    game, people = await two.begin()
    await two.clock.advance(20)
    await two.move(two.a, game, people)
    panels = two.a.dispatcher.panels
    await panels.requests.resend(await two.a.dispatcher.service.table(game), PUBLIC)
    assert (panels.lanes.waiting, panels.messages.asked) == (1, {(game, PUBLIC)})
    await two.move(two.b, game, people)
    await two.a.dispatcher.service.table(game)
    assert (panels.lanes.waiting, panels.messages.asked) == (0, set())


async def test_a_panel_that_is_asked_for_at_another_process_is_sent_by_it(two: Pair) -> None:
    game, people = await two.begin()
    await two.clock.advance(20)
    two.platform.lose_all(PLACE.chat)
    await two.b.say(people[0], "table")
    await two.clock.advance(20)
    (page,) = two.platform.pages(PLACE.chat)
    assert page.below == await two.public_panel(game)
    assert await unsent_panels(two.store) == []


async def test_panels_that_a_dead_process_has_left_unsent_are_sent_once(two: Pair) -> None:
    game, people = await two.begin()
    for caller in people:
        await two.a.say(caller, "settings", setting="calls", value="never")
    await two.clock.advance(20)
    two.lines[0].late = 1_000_000.0
    await two.move(two.a, game, people)
    # A process that is killed neither beats nor sends.
    await two.a.dispatcher.panels.lanes.close()
    two.store._leases.retire(two.a.dispatcher.service.leases.process)
    two.platform.requests.clear()
    await two.clock.advance(1.5)
    await settle()
    assert sorted(two.platform.requests) == [
        "edit alone:ana-square",
        "edit alone:beto-square",
        "edit square",
    ]


async def test_a_panel_that_another_process_posted_anew_is_edited_by_the_next_keeper(two: Pair) -> None:
    game, people = await two.begin()
    await two.clock.advance(20)
    for _ in range(2):
        await two.move(two.a, game, people)
        await two.clock.advance(0.1)
    # What the first process has edited is not stored yet.
    await two.b.dispatcher.panels.requests.repost(await two.table(game), await two.b.person(people[0]))
    await two.clock.advance(1.3)
    two.platform.requests.clear()
    await two.move(two.a, game, people)
    await two.clock.advance(10)
    ours = [request for request in two.platform.requests if people[0].user in request]
    assert set(ours) == {f"edit {ALONE}{people[0].user}"}
    assert len(two.platform.pages(ALONE + people[0].user)) == 1


def alerted(two: Pair) -> list[str]:
    """The users who got a turn alert, in order."""
    return [sent.user for sent in two.platform.sent if "Your turn:" in sent.raw]


async def test_one_of_two_processes_alerts_a_player_and_either_deletes_the_alert(two: Pair) -> None:
    game, people = await two.begin(key="casino")
    seat = (await two.table(game)).active()[0]
    await two.clock.advance(30)
    assert alerted(two) == [people[seat].user]
    await two.move(two.b, game, people)
    await two.clock.advance(5)
    pages = two.platform.pages(ALONE + people[seat].user)
    assert [len(pages), bool(pages[0].rows)] == [1, True]


async def test_a_chat_that_changes_hands_while_an_alert_is_sent_gets_one(two: Pair) -> None:
    game, people = await two.begin(key="casino")
    seat = (await two.table(game)).active()[0]
    await two.clock.advance(19.5)
    two.lines[0].late_alone = two.lines[1].late_alone = 1.3
    # The other process finds the alert due before it has arrived.
    await two.clock.advance(1.0)
    # A request that changes nothing at the table, but takes the chat's lease.
    other = people[1 - seat]
    await two.b.dispatcher.panels.requests.repost(await two.table(game), await two.b.person(other))
    await two.clock.advance(20)
    assert alerted(two) == [people[seat].user]


async def test_an_alert_that_a_dead_process_has_not_sent_another_sends(two: Pair) -> None:
    game, people = await two.begin(key="casino")
    seat = (await two.table(game)).active()[0]
    await two.clock.advance(5)
    await two.a.dispatcher.panels.lanes.close()
    two.store._leases.retire(two.a.dispatcher.service.leases.process)
    await two.clock.advance(40)
    assert alerted(two) == [people[seat].user]


async def test_a_panel_posted_anew_stays_though_its_chat_is_taken_meanwhile(two: Pair) -> None:
    game, people = await two.begin()
    other, _ = await two.begin()
    for caller in people:
        await two.a.say(caller, "settings", setting="calls", value="never")
    await two.clock.advance(20)
    two.lines[0].late_alone = 1.0
    await two.a.dispatcher.panels.requests.repost(await two.table(game), await two.a.person(people[0]))
    await two.clock.advance(0.5)
    await two.move(two.b, other, people)
    await two.clock.advance(20)
    titles = [page.above[0] for page in two.platform.pages(ALONE + people[0].user)]
    assert sorted(titles) == ["Cardlebones, table 1", "Cardlebones, table 2"]
    await two.move(two.b, game, people)
    await two.clock.advance(20)
    assert len(two.platform.pages(ALONE + people[0].user)) == 2


async def test_a_message_that_is_edited_while_another_process_replaces_it_leaves_one_panel(two: Pair) -> None:
    people = [two.caller(name) for name in ("Ana", "Beto")]
    await two.a.dispatcher.command(people[0], "new", {"game": KEY}, two.a.delivery())
    (listing,) = await two.store.tables(PLACE)
    await two.press(two.a, people[1], f"{listing.game}:0:join")
    await two.clock.advance(20)
    two.lines[0].late_alone = two.lines[0].late_deletion = 0.2
    await two.press(two.a, people[0], f"{listing.game}:0:start")
    await two.clock.advance(0.1)
    await two.b.dispatcher.panels.requests.resend(
        await two.table(listing.game), await two.b.person(people[1])
    )
    await two.clock.advance(10)
    for caller in people:
        (message,) = two.platform.messages.of(caller.user)
        panel = await two.store.panel(listing.game, await two.a.person(caller))
        assert panel
        assert panel.message == message.id
