"""Turn alerts: one for each turn, for a player who has done nothing since the turn began.

On clocks of days there are two more, for a player who has done nothing in the hour before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from functools import partial
from unittest import mock

import pytest

from adapters.shared.rendering.message import Message
from bot.model.ids import PUBLIC, GameId
from bot.model.panels import PanelRecord
from bot.model.people import Account
from bot.model.places import Place
from bot.model.tables import Player
from bot.outbox.turn_alerts import AWAY_AFTER
from bot.ports import Caller, Page
from bot.storage import StoreError
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from bot.tables.turn_clock import ALERT_AFTER, DAY
from engines import games
from engines.game import Awaited
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import ALONE, PLACE, BotHarness, bot_harness, key, text
from tests.support.platform import ROOMY, FakePlatform
from tests.support.stress import long_pauses

HOUR = 3600.0


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def begin(bot: BotHarness, clock: int | None = None, vanish: str = "computer") -> tuple[Caller, Caller]:
    """Deals a game of two; returns the player whose turn it is, and the other."""
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    await bot.press(beto, f"{table.id}:0:join")
    if clock is not None or vanish != "computer":
        options = partial(Table.add, kind="option", clock=clock, vanish=vanish)
        await bot.dispatcher.service.change(table.id, options)
    await bot.press(ana, f"{table.id}:0:start")
    mover = await bot.to_play([ana, beto])
    return mover, beto if mover is ana else ana


async def begin_alone(bot: BotHarness) -> tuple[Caller, GameId]:
    """Deals a game of one person in a private chat, on a clock of days; ends once an alert has its time."""
    ana = bot.caller("Ana", private=True)
    bot.platform.place(ana.place.chat)
    await bot.say(ana, "new", game="casino", clock="2d")
    [listing] = await bot.store.tables(ana.place)
    await bot.press(ana, f"{listing.game}:0:start")
    while not (await bot.dispatcher.service.table(listing.game)).alert_times:
        await bot.clock.advance(1)
    return ana, listing.game


async def move(bot: BotHarness, mover: Caller) -> None:
    """A player presses their first legal move."""
    table = await bot.table()
    seat = table.seat_of(await bot.person(mover))
    assert seat is not None
    first = str(next(iter(table.game.moves(table.state, seat))))
    await bot.press(mover, f"{table.id}:{table.stamp}:move:{first}")


def alerts(bot: BotHarness, caller: Caller) -> list[Message]:
    """The alerts in a player's private chat that are not deleted."""
    return [page for page in bot.platform.pages(ALONE + caller.user) if is_alert(page)]


def is_alert(page: Message) -> bool:
    return not page.rows and any(
        words in text(page) for words in ("Your turn:", "it's your turn", "Te toca:")
    )


def alert_count(bot: BotHarness) -> int:
    """How many alerts were sent in all."""
    return sum(is_alert(message.page) for message in bot.platform.messages)


async def record(bot: BotHarness, caller: Caller) -> PanelRecord:
    """A player's panel as it is stored."""
    panel = await bot.store.panel((await bot.table()).id, await bot.person(caller))
    assert panel
    return panel


async def test_a_player_who_does_nothing_is_alerted_once_by_a_new_message(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    await bot.clock.advance(ALERT_AFTER - 1)
    assert alert_count(bot) == 0
    bot.platform.requests.clear()
    await bot.clock.advance(2)
    assert bot.platform.requests == [f"whisper {ALONE}{mover.user}"], "an edit would notify nobody"
    await bot.clock.advance(30)
    assert (len(alerts(bot, mover)), alerts(bot, other), alert_count(bot)) == (1, [], 1)


async def test_an_alert_names_the_table_and_the_deadline_and_points_to_the_panel(bot: BotHarness) -> None:
    mover, _ = await begin(bot)
    await bot.clock.advance(ALERT_AFTER + 1)
    (alert,) = alerts(bot, mover)
    table = await bot.table()
    assert alert.deadline
    assert (alert.above, alert.deadline.at) == (("Your turn: Casino, table 1.",), table.dealt + 120)
    assert alert.deadline.sentence == "Turn ends in 100 s."
    assert alert.about == (await record(bot, mover)).message


async def test_a_player_who_has_moved_is_not_alerted(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    for _ in range(3):
        await bot.clock.advance(ALERT_AFTER - 1)
        await move(bot, mover)
        mover, other = other, mover
    assert alert_count(bot) == 0


@pytest.mark.parametrize("action", ["hand", "top", "help"])
async def test_a_player_who_has_looked_is_not_alerted(bot: BotHarness, action: str) -> None:
    mover, _ = await begin(bot)
    await bot.clock.advance(5)
    await bot.press(mover, f"{(await bot.table()).id}:0:{action}")
    await bot.clock.advance(40)
    assert alert_count(bot) == 0


async def test_presses_of_another_player_neither_prevent_nor_delete_an_alert(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    await bot.clock.advance(5)
    await bot.press(other, f"{(await bot.table()).id}:0:hand")
    await bot.clock.advance(20)
    assert len(alerts(bot, mover)) == 1
    await bot.press(other, f"{(await bot.table()).id}:0:hand")
    assert len(alerts(bot, mover)) == 1


async def test_a_player_who_moved_at_once_is_alerted_in_the_next_turn_all_the_same(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    await move(bot, mover)
    await bot.clock.advance(5)
    await move(bot, other)
    await bot.clock.advance(ALERT_AFTER + 1)
    assert len(alerts(bot, mover)) == 1


@pytest.mark.parametrize("action", ["move", "hand", "top"])
async def test_an_alert_is_deleted_when_its_player_acts(bot: BotHarness, action: str) -> None:
    mover, _ = await begin(bot)
    await bot.clock.advance(ALERT_AFTER + 1)
    assert len(alerts(bot, mover)) == 1
    if action == "move":
        await move(bot, mover)
    else:
        await bot.press(mover, f"{(await bot.table()).id}:0:{action}")
    await settle()
    assert (alerts(bot, mover), (await record(bot, mover)).alert) == ([], "")
    await bot.clock.advance(10)
    assert alert_count(bot) == 1


async def test_an_alert_is_deleted_when_the_table_is_closed(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    await bot.clock.advance(ALERT_AFTER + 1)
    await bot.end(replace(other, moderator=True))
    await bot.clock.advance(5)
    assert alerts(bot, mover) == []


async def test_every_turn_has_an_alert_of_its_own(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    for turn in range(4):
        await bot.clock.advance(ALERT_AFTER + 1)
        assert (alert_count(bot), len(alerts(bot, mover)), alerts(bot, other)) == (turn + 1, 1, [])
        await move(bot, mover)
        mover, other = other, mover


async def test_an_alert_that_is_put_off_after_it_was_sent_is_not_sent_again(bot: BotHarness) -> None:
    await begin(bot, clock=15)
    table = await bot.table()
    (seat,) = table.required()
    ((first, *_),) = table.alert_times.values()
    await bot.clock.advance(first - bot.clock.now() + 1)
    assert alert_count(bot) == 1
    # A real game does this too: while it is secret who must move, all seats have equal turns. When another
    # player's move ends the secret, a seat in its first turn gets a longer one, and its alert comes later.
    # The credit moves no alert: it only makes a new table, which computes its alert times again.
    longer = 4 * table.seconds_of(seat)
    with mock.patch.object(Table, "seconds_of", return_value=longer):
        put_off = await bot.dispatcher.service.change(
            table.id, lambda table: table.add("credit", seat, seconds=99.0)
        )
        ((later, *_),) = put_off.alert_times.values()
        assert later > first
        await bot.clock.advance(later - bot.clock.now() + 1)
        assert (await bot.table()).stamp == table.stamp
        assert alert_count(bot) == 1


async def test_on_a_short_clock_the_alert_comes_after_a_third_of_it(bot: BotHarness) -> None:
    mover, other = await begin(bot, clock=15)
    await move(bot, mover)
    await move(bot, other)
    await bot.clock.advance(4)
    assert alert_count(bot) == 0
    await bot.clock.advance(2)
    assert len(alerts(bot, mover)) == 1


@pytest.fixture
def days() -> Iterator[None]:
    """Lets days pass in few steps."""
    with long_pauses():
        yield


@pytest.mark.usefixtures("days")
async def test_correspondence_alerts_also_come_at_half_time_and_near_the_end(
    bot: BotHarness,
) -> None:
    mover, _ = await begin(bot, clock=2 * DAY)
    seen = []
    for hours in (0.1, 23.8, 0.2, 17.8, 0.2, 4):
        await bot.clock.advance(hours * HOUR)
        seen.append(alert_count(bot))
    assert seen == [1, 1, 2, 2, 3, 3], "a turn has two days"
    assert len(alerts(bot, mover)) == 1, "each alert replaces the one before"


@pytest.mark.usefixtures("days")
async def test_a_look_at_the_hand_long_before_does_not_prevent_the_later_alerts(bot: BotHarness) -> None:
    mover, _ = await begin(bot, clock=2 * DAY)
    await bot.clock.advance(HOUR)
    await bot.press(mover, f"{(await bot.table()).id}:0:hand")
    assert (alert_count(bot), alerts(bot, mover)) == (1, [])
    await bot.clock.advance(22.5 * HOUR)
    await bot.press(mover, f"{(await bot.table()).id}:0:hand")
    await bot.clock.advance(HOUR)
    assert alert_count(bot) == 1, "but whoever has just looked is left alone"
    await bot.clock.advance(18 * HOUR)
    assert (alert_count(bot), len(alerts(bot, mover))) == (2, 1)


async def test_a_player_who_wants_no_alerts_gets_none(bot: BotHarness) -> None:
    mover, _ = await begin(bot)
    await bot.say(mover, "settings", setting="calls", value="never")
    await bot.clock.advance(50)
    assert alert_count(bot) == 0


async def test_players_who_wish_it_are_alerted_only_when_they_seem_to_be_away(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    for caller in (mover, other):
        await bot.say(caller, "settings", setting="calls", value="away")
    await move(bot, mover)
    await bot.clock.advance(30)
    await move(bot, other)
    await bot.clock.advance(AWAY_AFTER - 32)
    assert alert_count(bot) == 0
    await bot.clock.advance(3)
    assert len(alerts(bot, mover)) == 1


async def test_in_quiet_hours_no_alert_is_sent_before_they_end(bot: BotHarness) -> None:
    mover, _ = await begin(bot, clock=DAY)
    hour = int(bot.clock.now() % DAY / HOUR)
    await bot.say(mover, "settings", setting="zone", value="utc")
    await bot.say(mover, "settings", setting="quiet", value=f"{hour}-{(hour + 8) % 24}")
    until = HOUR * (hour + 8) - bot.clock.now() % DAY
    await bot.clock.advance(until - 1)
    assert alert_count(bot) == 0
    await bot.clock.advance(12)
    assert len(alerts(bot, mover)) == 1


async def test_where_it_is_a_secret_who_is_awaited_nobody_is_alerted(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    mover, _ = await begin(bot)
    game = type(games()["casino"])
    awaited, secret = game.awaited, Awaited((0, 1), secret=True)
    monkeypatch.setattr(
        game, "awaited", lambda self, view: secret if view.seat is None else awaited(self, view)
    )
    await move(bot, mover)
    await bot.clock.advance(50)
    assert alert_count(bot) == 0
    assert "Waiting …" in text(bot.public_panel())


async def test_at_the_deal_every_private_panel_is_posted_anew_which_notifies(
    bot: BotHarness,
) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    await bot.press(beto, f"{table.id}:0:join")
    bot.platform.requests.clear()
    await bot.press(ana, f"{table.id}:0:start")
    assert bot.platform.requests.count("delete") == 2
    for caller in (ana, beto):
        assert bot.platform.requests.count(f"whisper {ALONE}{caller.user}") == 1
        assert len(bot.platform.pages(ALONE + caller.user)) == 1
    bot.platform.requests.clear()
    mover = await bot.to_play([ana, beto])
    await move(bot, mover)
    assert sorted(set(bot.platform.requests)) == [f"edit {ALONE}ana", f"edit {ALONE}beto", "edit square"]


async def test_a_panel_that_was_not_posted_anew_before_a_crash_is_posted_after_it(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    await bot.press(beto, f"{table.id}:0:join")
    bot.platform.errors = [OSError()] * 100
    await bot.press(ana, f"{table.id}:0:start")
    bot.platform.errors.clear()
    for expected in ([f"whisper {ALONE}ana", f"whisper {ALONE}beto"], []):
        bot.platform.requests.clear()
        async with bot_harness(bot.store, bot.platform, bot.clock):
            await settle()
        assert sorted(request for request in bot.platform.requests if "whisper" in request) == expected


async def test_alone_with_the_bot_no_panel_is_posted_anew(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    await bot.say(ana, "new", game="casino")
    bot.platform.requests.clear()
    await bot.press(ana, key(bot.panel(ana), "Start").data)
    assert set(bot.platform.requests) == {f"edit {ALONE}ana"}


async def test_an_alert_outlives_the_process_and_is_deleted_by_the_next(bot: BotHarness) -> None:
    mover, _ = await begin(bot)
    await bot.clock.advance(ALERT_AFTER + 1)
    assert len(alerts(bot, mover)) == 1
    async with bot_harness(bot.store, bot.platform, bot.clock) as after:
        await bot.clock.advance(20)
        assert alert_count(bot) == 1, "no second alert is sent"
        await move(after, mover)
        await bot.clock.advance(2)
        assert alerts(bot, mover) == []


async def test_an_alert_that_was_due_while_no_process_ran_is_sent_by_the_next() -> None:
    store, platform = MemoryStore(), FakePlatform()
    async with bot_harness(store, platform) as bot:
        mover, _ = await begin(bot)
    await bot.clock.advance(ALERT_AFTER + 10)
    async with bot_harness(store, platform, bot.clock) as after:
        await bot.clock.advance(2)
        assert len(alerts(after, mover)) == 1


class Killed(MemoryStore):
    """A store that never finishes saving an alert once `is_killed` is set."""

    is_killed = False

    async def save_alert(self, panel: PanelRecord, *, replaces: str) -> PanelRecord:
        if self.is_killed:
            await asyncio.Event().wait()
        return await super().save_alert(panel, replaces=replaces)


@pytest.mark.parametrize(
    ("remembers", "count"), [(-1.0, 2), (120.0, 1)], ids=["platform ignores names", "platform knows names"]
)
async def test_after_a_kill_before_it_was_noted_an_alert_comes_twice_at_most(
    remembers: float, count: int
) -> None:
    store, platform = Killed(), FakePlatform()
    platform.remembers = remembers
    async with bot_harness(store, platform) as bot:
        await begin(bot)
        store.is_killed = True
        await bot.clock.advance(ALERT_AFTER + 1)
        assert alert_count(bot) == 1
    store.is_killed = False
    for _ in range(2):
        async with bot_harness(store, platform, bot.clock) as after:
            await bot.clock.advance(12)
            assert alert_count(after) == count


class Forgetful(MemoryStore):
    """A store that fails the first three times that it shall note an alert."""

    failures = 3

    async def save_alert(self, panel: PanelRecord, *, replaces: str) -> PanelRecord:
        if self.failures:
            self.failures -= 1
            raise StoreError("no space left")
        return await super().save_alert(panel, replaces=replaces)


async def test_an_alert_that_could_not_be_noted_is_noted_later_and_not_sent_again() -> None:
    store = Forgetful()
    async with bot_harness(store) as bot:
        mover, _ = await begin(bot)
        await bot.clock.advance(ALERT_AFTER + 1)
        assert (alert_count(bot), (await record(bot, mover)).alert) == (1, "")
        await bot.clock.advance(20)
        assert alert_count(bot) == 1
        assert (await record(bot, mover)).alert


async def test_a_player_without_a_private_chat_is_alerted_by_name_in_the_group() -> None:
    async with bot_harness(platform=FakePlatform(closed={"ana", "beto"})) as bot:
        mover, _ = await begin(bot)
        bot.platform.mentioned.clear()
        await bot.clock.advance(ALERT_AFTER + 1)
        assert bot.platform.mentioned == [mover.user]
        alert = bot.platform.pages(PLACE.chat)[-1]
        assert alert.above == (f"{mover.name}, it's your turn: Casino, table 1.",)
        public_panel = await bot.store.panel((await bot.table()).id, PUBLIC)
        assert public_panel
        assert alert.about == public_panel.message
        await move(bot, mover)
        await bot.clock.advance(1)
        assert [is_alert(page) for page in bot.platform.pages(PLACE.chat)] == [False]


async def test_an_alert_that_stays_behind_in_a_group_that_moved_is_not_deleted() -> None:
    async with bot_harness(platform=FakePlatform(closed={"ana", "beto"})) as bot:
        await begin(bot)
        table = await bot.table()
        await bot.clock.advance(ALERT_AFTER + 1)
        assert bot.platform.mentioned != []
        bot.platform.place("plaza", "ana", "beto")
        await bot.dispatcher.chat_moved("wall", PLACE.chat, "plaza")
        bot.platform.requests.clear()
        now = await bot.dispatcher.service.table(table.id)
        await bot.dispatcher.service.change(table.id, lambda table: table.time_out(now.active()[0]))
        await bot.clock.advance(2)
        assert "delete" not in bot.platform.requests


async def test_where_the_private_chat_was_just_closed_the_alert_goes_to_the_group(bot: BotHarness) -> None:
    mover, _ = await begin(bot)
    bot.platform.closed.add(mover.user)
    await bot.clock.advance(ALERT_AFTER + 1)
    assert bot.platform.mentioned == [mover.user]
    bot.platform.closed.clear()
    # Once the private chat is open again, the alert is not sent a second time.
    await bot.dispatcher.panels.requests.reach(await bot.table(), await bot.person(mover))
    await bot.clock.advance(30)
    assert alert_count(bot) == 1


async def test_alerts_in_a_group_and_their_deletion_keep_to_its_pace() -> None:
    limits = replace(ROOMY, gap=3.0)
    async with bot_harness(platform=FakePlatform(closed={"ana", "beto"}, limits=limits)) as bot:
        mover, _ = await begin(bot)
        await bot.clock.advance(ALERT_AFTER - 0.5)
        bot.platform.requests.clear()
        await bot.clock.advance(2)
        assert bot.platform.requests == ["post square"]
        await move(bot, mover)
        assert bot.platform.requests == ["post square"]
        await bot.clock.advance(2)
        assert bot.platform.requests[1:] in (["edit square"], ["delete"])
        await bot.clock.advance(3)
        assert sorted(bot.platform.requests[1:]) == ["delete", "edit square"]


async def test_where_the_bot_may_not_write_an_alert_is_tried_once_a_turn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with bot_harness(platform=FakePlatform(closed={"ana", "beto"})) as bot:
        await begin(bot)
        bot.platform.forbidden.add(PLACE.chat)
        bot.platform.sent.clear()
        await bot.clock.advance(50)
        assert (alert_count(bot), bot.platform.sent) == (0, [])
        assert caplog.text.count("a turn alert was not sent") == 1


async def test_who_is_alone_with_the_bot_is_not_alerted_by_name(bot: BotHarness) -> None:
    ana, game = await begin_alone(bot)
    bot.platform.closed.add(ana.user)
    await bot.clock.advance(300)
    panel = await bot.store.panel(game, await bot.person(ana))
    assert panel
    assert panel.notified_at > 0
    assert bot.platform.mentioned == []


async def test_without_a_clock_who_plays_against_computers_alone_is_not_alerted(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    await bot.press(ana, f"{(await bot.table()).id}:0:start")
    await bot.clock.advance(300)
    assert alert_count(bot) == 0


async def test_a_computer_plays_for_a_player_who_turns_out_to_be_gone(bot: BotHarness) -> None:
    mover, _ = await begin(bot)
    bot.platform.departed.add(mover.user)
    await bot.clock.advance(AWAY_AFTER - 5)
    assert not any(player.is_held for player in (await bot.table()).players)
    await bot.clock.advance(20)
    table = await bot.table()
    assert [player.is_held for player in table.players] == [
        await bot.person(mover) == player.person for player in table.players
    ]
    assert bot.platform.mentioned == []


@pytest.mark.parametrize("vanish", ["computer", "forfeit"])
async def test_the_process_log_says_the_same_of_a_player_who_is_gone_whatever_becomes_of_the_seat(
    bot: BotHarness, caplog: pytest.LogCaptureFixture, vanish: str
) -> None:
    caplog.set_level(logging.INFO, "bot.outbox")
    mover, _ = await begin(bot, vanish=vanish)
    bot.platform.departed.add(mover.user)
    await bot.clock.advance(AWAY_AFTER + 15)
    table = await bot.table()
    assert [table.status, any(player.is_held for player in table.players)] == (
        ["over", False] if vanish == "forfeit" else ["playing", True]
    )
    logged = [record.getMessage() for record in caplog.records if record.name == "bot.outbox.turn_alerts"]
    assert logged == [f"table {table.id}: a player has left the platform, and gives up the seat"]


async def test_the_only_player_of_a_private_chat_is_alerted_in_vain_once(bot: BotHarness) -> None:
    ana, game = await begin_alone(bot)
    bot.platform.departed.add(ana.user)
    tried: list[str] = []
    whisper = bot.platform.whisper

    async def counted(account: Account, page: Page, *, once: str = "") -> str:
        tried.append(once)
        return await whisper(account, page, once=once)

    with mock.patch.object(bot.platform, "whisper", counted):
        await bot.clock.advance(300)
    table = await bot.dispatcher.service.table(game)
    assert not table.players[0].is_held
    assert len(tried) == 1


async def test_a_player_who_has_just_acted_is_not_taken_for_gone(bot: BotHarness) -> None:
    mover, other = await begin(bot)
    bot.platform.departed.update((mover.user, other.user))
    for caller in (mover, other):
        bot.platform.lose_all(ALONE + caller.user)
    await move(bot, mover)
    await bot.clock.advance(5)
    assert not any(player.is_held for player in (await bot.table()).players)


async def test_a_table_on_a_platform_that_is_not_served_has_no_alerts(bot: BotHarness) -> None:
    elsewhere, service = Place("nowhere", "x"), bot.dispatcher.service
    made = await service.open(elsewhere, lambda n: Table.open("casino", place=elsewhere, number=n))
    for name in ("Ana", "Beto"):
        made = await service.change(made.id, partial(Table.sit, player=Player(name, person=name.lower())))
    dealt = await service.change(made.id, Table.start)
    assert dealt.alert_times
    await bot.clock.advance(ALERT_AFTER + 1)
    assert await bot.dispatcher.panels.take_up(dealt) is None


async def test_alerts_are_written_in_spanish_too_and_are_short(bot: BotHarness) -> None:
    mover, _ = await begin(bot, clock=DAY)
    await bot.say(mover, "language", language="es")
    await bot.say(mover, "settings", setting="zone", value="+2")
    await bot.clock.advance(ALERT_AFTER + 1)
    (alert,) = alerts(bot, mover)
    lines = text(alert).splitlines()
    assert lines[0] == "Te toca: Casino, mesa 1."
    assert lines[-1].startswith("El turno acaba el ")
    assert all(len(line) <= 48 for line in lines), lines
