"""A chat that is taken while its former keeper sends: an edit that comes late does not stay."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.model.ids import PUBLIC
from bot.model.panels import PanelRecord
from bot.outbox.handovers import SETTLED, Handovers
from bot.ports import Caller
from bot.tables.table import Table
from tests.bot.outbox.test_two_processes import Line, Pair, alerted, pair
from tests.support.clock import VirtualClock
from tests.support.harness import ALONE, PLACE, BotHarness, bot_harness
from tests.support.platform import FakePlatform

LATE = 2.5
"""Seconds that a slow request takes; less than `SETTLED`."""
VERY_LATE = 8.0
"""Seconds that a request takes which outlasts a handover."""


async def opened(two: Pair) -> tuple[str, list[Caller]]:
    """Deals for two players who want no alerts, and waits until all is sent; returns table and players."""
    game, people = await two.begin()
    for caller in people:
        await two.a.say(caller, "settings", setting="calls", value="never")
    await two.clock.advance(20)
    return game, people


def shown(two: Pair, people: Sequence[Caller]) -> list[tuple[str, tuple[str, ...], list[str]]]:
    """The drawing, the lines below it and the buttons of all messages at the square and in private chats."""
    pages = [
        page
        for chat in (PLACE.chat, *(ALONE + caller.user for caller in people))
        for page in two.platform.pages(chat)
    ]
    return [(page.drawing, page.below, [key.data for row in page.rows for key in row]) for page in pages]


async def taken_while_sending(two: Pair, game: str, people: list[Caller], late: float = LATE) -> list[object]:
    """Moves at one process, whose edits are slow, then at the other; returns what the other one shows."""
    two.lines[0].late = late
    await two.move(two.a, game, people)
    await two.move(two.b, game, people)
    await two.clock.advance(0.5)
    two.lines[0].late = 0.0
    return list(shown(two, people))


async def take(two: Pair, bot: BotHarness, game: str) -> None:
    """A process takes the chat of a table by sending the table's public panel again."""
    await bot.dispatcher.panels.requests.resend(await bot.dispatcher.service.table(game), PUBLIC)
    await two.clock.advance(0.1)


async def test_neither_a_panel_nor_a_hand_stays_old() -> None:
    async with pair(FakePlatform()) as two:
        game, people = await opened(two)
        right = await taken_while_sending(two, game, people)
        await two.clock.advance(LATE - 0.3)
        old = shown(two, people)
        assert all(one != its for one, its in zip(old, right, strict=True))
        await two.clock.advance(SETTLED - LATE + 0.3)
        assert shown(two, people) == right


@pytest.mark.parametrize("fails", [False, True])
async def test_what_a_request_shows_after_the_handover_is_replaced_at_once(fails: bool) -> None:
    async with pair(FakePlatform()) as two:
        game, people = await opened(two)
        two.lines[0].fails = fails
        right = await taken_while_sending(two, game, people, VERY_LATE)
        await two.clock.advance(SETTLED)
        assert shown(two, people) == right
        await two.clock.advance(VERY_LATE - SETTLED - 0.7)
        assert shown(two, people) == right
        two.platform.sent.clear()
        await two.clock.advance(1.5)
        public_panels = {sent.raw for sent in two.platform.sent if sent.place == PLACE}
        assert len(public_panels) == 2, "the old public panel came, and went"
        assert bool(two.lines[0].errors) == fails
        assert shown(two, people) == right


async def test_slow_requests_do_not_cause_further_ones_for_ever() -> None:
    async with pair(FakePlatform()) as two:
        game, people = await opened(two)
        for line in two.lines:
            line.late = VERY_LATE
        for bot in (two.a, two.b, two.a):
            await two.move(bot, game, people)
            await two.clock.advance(1)
        # Less than a minute in all, after which somebody's turn could end.
        await two.clock.advance(4 * VERY_LATE)
        now, sent = shown(two, people), len(two.platform.sent)
        await two.clock.advance(2 * VERY_LATE)
        assert len(two.platform.sent) == sent
        two.lines[0].late = 0.0
        for reader in (PUBLIC, *[await two.a.person(caller) for caller in people]):
            await two.a.dispatcher.panels.requests.resend(await two.table(game), reader)
        await two.clock.advance(1)
        assert len(two.platform.sent) == sent + 3
        assert shown(two, people) == now


async def test_of_alerts_that_both_keepers_send_one_stays() -> None:
    async with pair() as two:
        game, people = await two.begin(key="casino")
        seat = (await two.table(game)).active()[0]
        await two.clock.advance(19.5)
        two.lines[0].late_alone = LATE
        await two.clock.advance(0.5)
        await two.b.dispatcher.panels.requests.repost(
            await two.table(game), await two.b.person(people[1 - seat])
        )
        await two.clock.advance(20)
        assert alerted(two) == [people[seat].user] * 2
        assert len(two.platform.pages(ALONE + people[seat].user)) == 2
        await two.move(two.b, game, people)
        await two.clock.advance(5)
        assert len(two.platform.pages(ALONE + people[seat].user)) == 1


async def test_an_alert_that_comes_after_its_answer_does_not_stay() -> None:
    async with pair() as two:
        game, people = await two.begin(key="casino")
        seat = (await two.table(game)).active()[0]
        await two.clock.advance(19.5)
        two.lines[0].late_alone = LATE
        await two.clock.advance(0.6)
        await two.move(two.b, game, people)
        await two.clock.advance(LATE + 1)
        assert alerted(two) == [people[seat].user]
        assert len(two.platform.pages(ALONE + people[seat].user)) == 1


async def test_a_third_process_that_takes_the_chat_for_another_table_leaves_no_panel_old() -> None:
    async with pair(FakePlatform()) as two:
        line = Line(two.platform)
        async with bot_harness(two.store, two.platform, two.clock, line=line) as third:
            game, people = await opened(two)
            other, _ = await opened(two)
            right = await taken_while_sending(two, game, people)
            await take(two, third, other)
            await two.clock.advance(LATE - 0.5)
            assert shown(two, people) != right
            await two.clock.advance(SETTLED)
            assert shown(two, people) == right


async def test_processes_do_not_take_a_chat_from_each_other_for_ever_to_show_panels_again() -> None:
    async with pair(FakePlatform()) as two:
        game, people = await opened(two)
        other, _ = await opened(two)
        await two.move(two.a, game, people)
        await take(two, two.b, other)
        await two.clock.advance(0.9)
        await take(two, two.a, game)
        sent = list[int]()
        for _ in range(60):
            await two.clock.advance(0.5)
            # Reading the table, each process learns whether it has lost the chat.
            for bot in two.both:
                await bot.dispatcher.service.table(game)
            sent.append(len(two.platform.sent))
        assert sent[-1] == sent[20]


async def test_panels_are_shown_again_in_a_chat_that_changes_hands_all_the_time() -> None:
    async with pair(FakePlatform()) as two:
        game, people = await opened(two)
        other, _ = await opened(two)
        right = await taken_while_sending(two, game, people)
        for bot in (two.a, two.b, two.a, two.b):
            await take(two, bot, other)
            await two.clock.advance(1.4)
        assert shown(two, people) == right


async def test_a_panel_that_the_next_keeper_has_changed_is_left_to_it() -> None:
    async with pair(FakePlatform()) as two:
        game, people = await opened(two)
        await two.move(two.a, game, people)
        await two.clock.advance(1)
        await two.move(two.b, game, people)
        await two.clock.advance(1)
        await two.move(two.a, game, people)
        # Reading the table, the second process learns that it has lost the chat.
        await two.b.dispatcher.service.table(game)
        await two.clock.advance(20)
        assert two.store._leases.holder(PLACE) == two.a.dispatcher.service.leases.process


async def test_a_panel_that_cannot_be_shown_again_keeps_no_other_from_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, again = VirtualClock(stopped=True), list[str]()
    table = Table.open("casino", place=PLACE)

    async def show_again(table: Table, panel: PanelRecord) -> int:
        again.append(panel.reader)
        if panel.reader == PUBLIC:
            raise RuntimeError("the queen of spades")
        return 0

    handovers = Handovers(clock, show_again)
    handovers.begin((PLACE.platform, PLACE.chat))
    for reader in (PUBLIC, "ana"):
        handovers.note(table, PanelRecord(table.id, reader))
    await clock.advance(SETTLED + 1)
    assert again == [PUBLIC, "ana"]
    assert f"table {table.id}: a panel was not shown again" in caplog.text
    assert "queen" not in caplog.text
    handovers.begin((PLACE.platform, PLACE.chat))
    handovers.note(table, PanelRecord(table.id, "beto"))
    await clock.advance(SETTLED + 1)
    assert again == [PUBLIC, "ana", "beto"]
