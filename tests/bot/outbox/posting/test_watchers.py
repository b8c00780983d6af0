"""Watchers: their panels follow the table, show no hidden card, are few, and end with it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.model.people import Account
from bot.model.tables import Refused
from bot.outbox.posting.watchers import FORMER_WATCHERS, MEMBERS_EVERY, WATCHED_EVERY, WATCHERS
from bot.ports import Caller, Later
from bot.store.memory.store import MemoryStore
from engines.values import replace
from tests.support.clock import VirtualClock
from tests.support.harness import BotHarness, bot_harness, key, keys, text
from tests.support.platform import ROOMY, FakePlatform
from tests.support.secret_scan import spelled
from tests.support.stores import unsent_panels


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def move(bot: BotHarness, people: list[Caller]) -> str:
    """The awaited player makes the first legal move; returns it."""
    table = await bot.table()
    first = str(next(iter(table.game.moves(table.state, table.active()[0]))))
    await bot.press(await bot.to_play(people), f"{table.id}:{table.stamp}:move:{first}")
    return first


async def watching(bot: BotHarness, name: str = "Zoe") -> Caller:
    """A person who watches table 1."""
    zoe = bot.caller(name)
    await bot.say(zoe, "watch", table="1")
    return zoe


async def test_a_watcher_has_a_panel_that_follows_the_table(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    zoe = bot.caller("Zoe")
    reply = await bot.say(zoe, "watch")
    assert (reply.notice, reply.page) == ("Watch the table in our private chat.", None)
    before = bot.panel(zoe)
    assert before.drawing == bot.public_panel().drawing
    await move(bot, people)
    await bot.clock.advance(WATCHED_EVERY)
    assert bot.panel(zoe).drawing == bot.public_panel().drawing != before.drawing
    assert len(bot.platform.pages("alone:zoe")) == 1


async def test_a_watchers_panel_shows_what_the_public_knows(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    zoe = await watching(bot)
    for _ in range(4):
        await move(bot, people)
    await bot.clock.advance(WATCHED_EVERY)
    assert spelled(text(bot.panel(zoe)))
    assert text(bot.panel(zoe)) == text(bot.public_panel())


async def test_a_watcher_is_not_written_to_at_every_move(bot: BotHarness) -> None:
    people = await bot.begin("cardlebones", "Ana", "Beto")
    await watching(bot)
    await bot.clock.advance(WATCHED_EVERY)
    bot.platform.requests.clear()
    for _ in range(6):
        await move(bot, people)
    assert bot.platform.requests.count("edit alone:zoe") == 1
    await bot.clock.advance(WATCHED_EVERY)
    assert bot.platform.requests.count("edit alone:zoe") == 2


async def test_a_deal_does_not_notify_watchers(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    await bot.say(beto, "join")
    zoe = await watching(bot)
    assert [button.label for button in keys(bot.panel(zoe))] == ["Stop watching", "Join"]
    bot.platform.requests.clear()
    await bot.say(ana, "start")
    await bot.clock.advance(WATCHED_EVERY)
    assert [request for request in bot.platform.requests if "zoe" in request] == ["edit alone:zoe"]


async def test_a_watcher_stops_by_a_button(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    zoe = await watching(bot)
    reply = await bot.press(replace(zoe, private=True), key(bot.panel(zoe), "Stop watching").data)
    assert reply.notice == "You've stopped watching this table."
    assert bot.platform.pages("alone:zoe") == []
    await move(bot, people)
    await bot.clock.advance(10)
    assert bot.platform.pages("alone:zoe") == []


async def test_a_watcher_who_has_stopped_watches_again_after_a_restart() -> None:
    store, platform, clock = MemoryStore(), FakePlatform(), VirtualClock(stopped=True)
    platform.remembers = 300.0
    async with bot_harness(store, platform, clock) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        zoe = await watching(bot)
        await bot.press(zoe, key(bot.panel(zoe), "Stop watching").data)
    async with bot_harness(store, platform, clock) as bot:
        await move(bot, people)
        await clock.advance(WATCHED_EVERY)
        assert platform.pages("alone:zoe") == []
        await watching(bot)
        assert bot.panel(zoe).drawing == bot.public_panel().drawing


async def test_a_watcher_who_has_stopped_gets_cards_after_joining(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino", clock="off")
    zoe = await watching(bot)
    await bot.press(zoe, key(bot.panel(zoe), "Stop watching").data)
    await bot.say(zoe, "join")
    await bot.say(ana, "start")
    assert "your hand" in text(bot.panel(zoe))
    assert len(bot.platform.pages("alone:zoe")) == 1


async def test_a_watcher_who_asks_again_gets_the_panel_at_the_bottom(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    zoe = await watching(bot)
    bot.platform.requests.clear()
    await bot.say(zoe, "watch")
    await bot.clock.advance(WATCHED_EVERY)
    assert bot.platform.requests == ["delete", "whisper alone:zoe"]


async def test_who_takes_no_private_messages_gets_a_page_to_look_at_again(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.closed.add("zoe")
    reply = await bot.say(bot.caller("Zoe", locale="es"), "watch")
    assert [button.label for button in keys(reply.page)] == ["Mirar otra vez"]
    await move(bot, people)
    again = await bot.press(bot.caller("Zoe", locale="es"), keys(reply.page)[0].data)
    assert text(again.page) != text(reply.page)


async def test_a_watcher_who_shuts_the_private_chat_is_none_any_more(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    zoe = await watching(bot)
    bot.platform.closed.add("zoe")
    await move(bot, people)
    await bot.clock.advance(WATCHED_EVERY)
    bot.platform.closed.discard("zoe")
    await bot.dispatcher.arrive(bot.caller("Zoe", private=True), bot.delivery())
    account = await bot.store.account("wall", "zoe")
    assert account
    assert account.reachable
    bot.platform.requests.clear()
    await move(bot, people)
    await bot.clock.advance(WATCHED_EVERY)
    assert [request for request in bot.platform.requests if "zoe" in request] == []
    assert (await bot.say(zoe, "watch")).notice == "Watch the table in our private chat."


async def test_a_player_who_asks_to_watch_gets_a_page(bot: BotHarness) -> None:
    [ana, _] = await bot.begin("casino", "Ana", "Beto")
    reply = await bot.say(ana, "watch")
    assert [button.label for button in keys(reply.page)] == ["Look again"]


async def test_where_no_message_is_edited_there_is_a_page() -> None:
    async with bot_harness(platform=FakePlatform(limits=replace(ROOMY, edits=False))) as bot:
        await bot.begin("casino", "Ana", "Beto")
        reply = await bot.say(bot.caller("Zoe"), "watch")
        assert [button.label for button in keys(reply.page)] == ["Look again"]


async def test_a_table_has_so_many_watchers(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    for n in range(WATCHERS):
        await watching(bot, f"Zoe{n}")
    reply = await bot.say(bot.caller("Rita"), "watch")
    assert reply.notice == "Too many people are watching this table."
    assert [button.label for button in keys(reply.page)] == ["Look again"]
    zoe = bot.caller("Zoe0")
    assert (await bot.say(zoe, "watch")).notice == "Watch the table in our private chat."
    await bot.press(zoe, key(bot.panel(zoe), "Stop watching").data)
    assert (await bot.say(bot.caller("Rita"), "watch")).notice == "Watch the table in our private chat."


async def test_a_table_keeps_the_panels_of_so_many_former_watchers(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    for n in range(FORMER_WATCHERS):
        person = await bot.person(bot.caller(f"Zoe{n}"))
        assert await bot.dispatcher.panels.requests.watch(table, person)
        await bot.dispatcher.panels.requests.unwatch(table, person)
    rita = await bot.person(bot.caller("Rita"))
    with pytest.raises(Refused):
        await bot.dispatcher.panels.requests.watch(table, rita)


async def test_a_watchers_panel_ends_with_the_table(bot: BotHarness) -> None:
    [ana, _] = await bot.begin("casino", "Ana", "Beto")
    zoe = await watching(bot)
    await bot.end(replace(ana, moderator=True))
    await bot.clock.advance(WATCHED_EVERY)
    assert "closed before the game ended" in text(bot.panel(zoe))
    assert [button.label for button in keys(bot.panel(zoe))] == ["Replay", "Log", "Check the deal"]
    reply = await bot.say(bot.caller("Rita"), "watch")
    assert reply.notice.startswith("No table is open here.")


async def test_a_watcher_who_sits_in_gets_cards_in_the_same_chat(bot: BotHarness) -> None:
    [ana] = await bot.begin("casino", "Ana", players="2")
    zoe = await watching(bot)
    await bot.press(zoe, key(bot.panel(zoe), "Sit in").data)
    await bot.clock.advance(WATCHED_EVERY)
    await bot.press(ana, key(bot.panel(ana), "Agree").data)
    assert "your hand" in text(bot.panel(zoe))
    assert len(bot.platform.pages("alone:zoe")) == 1


async def test_a_watcher_of_a_lobby_joins_it(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino", clock="off")
    zoe = await watching(bot)
    await bot.press(zoe, key(bot.panel(zoe), "Join").data)
    await bot.say(ana, "start")
    people = [ana, zoe]
    for _ in range(2):
        await move(bot, people)
    assert "your hand" in text(bot.panel(zoe))


async def test_a_watchers_panel_goes_on_after_a_restart() -> None:
    store, platform, clock = MemoryStore(), FakePlatform(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        zoe = await watching(bot)
        await bot.clock.advance(WATCHED_EVERY)
    async with bot_harness(store, platform, clock) as bot:
        before = bot.panel(zoe)
        await move(bot, people)
        await bot.clock.advance(WATCHED_EVERY)
        assert bot.panel(zoe).drawing == bot.public_panel().drawing != before.drawing
        assert len(platform.pages("alone:zoe")) == 1


async def test_a_watchers_panel_goes_on_at_another_process() -> None:
    store, platform, clock = MemoryStore(shared=True), FakePlatform(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as one, bot_harness(store, platform, clock) as other:
        people = await one.begin("casino", "Ana", "Beto")
        zoe = await watching(one)
        before = one.panel(zoe)
        await move(other, people)
        await clock.advance(10)
        assert one.panel(zoe).drawing == one.public_panel().drawing != before.drawing
        assert len(platform.pages("alone:zoe")) == 1
        await other.press(zoe, key(other.panel(zoe), "Stop watching").data)
        await move(one, people)
        await clock.advance(10)
        assert platform.pages("alone:zoe") == []


async def test_a_watcher_who_is_barred_watches_no_more(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    zoe = await watching(bot)
    mia = bot.caller("Mia", moderator=True)
    await bot.say(mia, "bar", player="<@zoe>")
    await move(bot, people)
    await bot.clock.advance(WATCHED_EVERY)
    assert bot.platform.pages("alone:zoe") == []
    assert (await bot.say(zoe, "watch")).notice == "A moderator has barred you from the tables here."


async def test_a_watcher_who_leaves_the_group_watches_no_more(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    zoe = await watching(bot)
    await bot.dispatcher.depart(zoe)
    await move(bot, people)
    await bot.clock.advance(WATCHED_EVERY)
    assert bot.platform.pages("alone:zoe") == []


class MemberPlatform(FakePlatform):
    """A fake platform that can be asked who is a member of a group."""

    def __init__(self) -> None:
        super().__init__()
        self.left: set[str] = set()
        self.asked: list[str] = []
        self.fails = False
        """Whether it does not answer."""

    async def is_member(self, community: str, account: Account) -> bool:
        assert community == "town"
        self.asked.append(account.user)
        if self.fails:
            raise Later(1.0)
        return account.user not in self.left


async def test_a_watcher_who_is_found_to_have_left_watches_no_more() -> None:
    platform = MemberPlatform()
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await watching(bot)
        await watching(bot, "Eve")
        platform.left.add("zoe")
        platform.asked.clear()
        await bot.clock.advance(MEMBERS_EVERY - 10)
        await move(bot, people)
        await bot.clock.advance(WATCHED_EVERY)
        assert (platform.asked, len(platform.pages("alone:zoe"))) == ([], 1), "asked seldom"
        await bot.clock.advance(10)
        for _ in range(2):
            await move(bot, people)
            await bot.clock.advance(WATCHED_EVERY)
        assert (platform.pages("alone:zoe"), sorted(platform.asked)) == ([], ["eve", "zoe"])
        assert bot.panel(bot.caller("Eve")).drawing == bot.public_panel().drawing


async def test_who_has_left_the_lobby_and_the_server_is_owed_no_panel() -> None:
    platform = MemberPlatform()
    async with bot_harness(platform=platform) as bot:
        ana, beto = bot.caller("Ana"), bot.caller("Beto")
        await bot.say(ana, "new", game="casino")
        await bot.press(beto, f"{(await bot.table()).id}:0:join")
        await bot.say(beto, "leave")
        platform.left.add("beto")
        await bot.press(ana, f"{(await bot.table()).id}:0:add_computer")
        assert [player.is_computer for player in (await bot.table()).players] == [False, True]
        await bot.clock.advance(60)
        assert await unsent_panels(bot.store) == []
        assert platform.asked == []


async def test_a_watcher_stays_one_while_the_platform_does_not_tell() -> None:
    platform = MemberPlatform()
    platform.fails = True
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        zoe = await watching(bot)
        await move(bot, people)
        await bot.clock.advance(WATCHED_EVERY)
        assert set(platform.asked) == {"zoe"}
        assert bot.panel(zoe).drawing == bot.public_panel().drawing


async def test_who_is_barred_looks_no_more(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    bot.platform.closed.add("zoe")
    page = (await bot.say(bot.caller("Zoe"), "watch")).page
    await bot.say(bot.caller("Mia", moderator=True), "bar", player="<@zoe>")
    refused = await bot.press(bot.caller("Zoe", private=True), keys(page)[0].data)
    assert (refused.notice, refused.page) == ("A moderator has barred you from the tables here.", None)
