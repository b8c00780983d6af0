"""When panels are edited and posted again, and what happens after failures."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import pytest

from bot.model.ids import PUBLIC
from bot.model.people import Account
from bot.model.places import Place
from bot.outbox.panels import _has_grown
from bot.outbox.posting import public_panels
from bot.outbox.posting.public_panels import BURIED_IN_PUBLIC
from bot.ports import Caller, Gone, Later, Page
from bot.tables.table import Table
from engines import games
from engines.game import Event, Text
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import PLACE, BotHarness, bot_harness, key, offers, text
from tests.support.platform import ROOMY, FakePlatform
from tests.support.stores import live_tables, unsent_panels


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def move(bot: BotHarness, people: list[Caller]) -> None:
    """The awaited player presses the first legal move."""
    table = await bot.table()
    seat = table.active()[0]
    first = str(next(iter(table.game.moves(table.state, seat))))
    await bot.press(await bot.to_play(people), f"{table.id}:{table.stamp}:move:{first}")


async def unnoticed(bot: BotHarness) -> None:
    """Times out the awaited seat, without a press; does nothing when the table is over."""
    table = await bot.table()
    if table.status == "over":
        return
    await bot.dispatcher.service.change(table.id, lambda t: t.time_out(t.active()[0]))


async def test_a_table_has_one_message_which_is_edited(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await move(bot, people)
    await move(bot, people)
    assert len(bot.platform.pages(PLACE.chat)) == 1
    assert bot.platform.requests.count("post square") == 1


async def test_each_player_has_one_message_alone(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await move(bot, people)
    assert [len(bot.platform.pages(f"alone:{caller.user}")) for caller in people] == [1, 1]


async def test_nothing_is_sent_where_nothing_has_changed(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.requests.clear()
    table = await bot.table()

    async def nothing() -> None:
        pass

    await bot.dispatcher.panels.resending.of_person(await bot.person(people[0]), nothing)
    await bot.dispatcher.panels.resending.at_place(table.place, nothing)
    await settle()
    assert bot.platform.requests == []


async def test_many_changes_are_one_message() -> None:
    async with bot_harness(platform=FakePlatform(limits=replace(ROOMY, gap=3.0))) as bot:
        people = await bot.begin("cardlebones", "Ana", "Beto")
        await bot.clock.advance(10)
        bot.platform.requests.clear()
        for _ in range(6):
            await move(bot, people)
        assert bot.platform.requests.count("edit square") == 1
        await bot.clock.advance(3)
        assert bot.platform.requests.count("edit square") == 2
        table = await bot.table()
        drawn = table.game.draw(
            table.game.view(table.state, None), await bot.dispatcher.people.say_in(PLACE, table), 28
        )
        assert bot.public_panel().drawing == drawn, "the newest wins"


async def test_a_public_panel_is_edited_about_once_in_each_gap() -> None:
    async with bot_harness(platform=FakePlatform(limits=replace(ROOMY, gap=3.0))) as bot:
        await bot.begin("boathouse", "Ana", "Beto")
        bot.platform.requests.clear()
        for _ in range(20):
            await unnoticed(bot)
            await bot.clock.advance(1)
        assert 5 <= bot.platform.requests.count("edit square") <= 7


async def test_a_message_that_is_gone_is_sent_anew(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.lose_all(PLACE.chat)
    await move(bot, people)
    assert len(bot.platform.pages(PLACE.chat)) == 1


async def test_patience_that_a_platform_asks_for_is_kept(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    for caller in people:
        await bot.say(caller, "settings", setting="calls", value="never")
    await unnoticed(bot)
    await settle()
    bot.platform.requests.clear()
    bot.platform.errors = [Later(20.0)] * 3
    await move(bot, people)
    assert bot.platform.requests == []
    await bot.clock.advance(19)
    assert bot.platform.requests == []
    await bot.clock.advance(2)
    assert sorted(set(bot.platform.requests)) == ["edit alone:ana", "edit alone:beto", "edit square"]


async def test_a_failing_platform_is_tried_again_and_its_words_are_not_logged(
    bot: BotHarness, caplog: pytest.LogCaptureFixture
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    for caller in people:
        await bot.say(caller, "settings", setting="calls", value="never")
    bot.platform.requests.clear()
    bot.platform.errors = [OSError("10♠ for your eyes")] * 9
    with caplog.at_level(logging.WARNING):
        await move(bot, people)
        await bot.clock.advance(60)
    assert sorted(set(bot.platform.requests)) == ["edit alone:ana", "edit alone:beto", "edit square"]
    assert "OSError" in caplog.text
    assert "10♠" not in caplog.text


async def test_a_panel_that_cannot_be_sent_at_all_waits_for_the_next_change(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.errors = [OSError()] * 1000
    await move(bot, people)
    await bot.clock.advance(2000)
    assert bot.platform.errors
    bot.platform.errors.clear()
    bot.platform.requests.clear()
    await bot.clock.advance(600)
    assert "edit square" not in bot.platform.requests
    await move(bot, people)
    await bot.clock.advance(100)
    assert "edit square" in bot.platform.requests


async def test_a_hand_is_never_posted_in_a_place() -> None:
    async with bot_harness(platform=FakePlatform(closed={"ana", "beto"})) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await move(bot, people)
        assert set(bot.platform.chats()) == {PLACE.chat}
        assert "your hand" not in text(bot.public_panel())


async def test_a_chat_that_closes_in_mid_game_is_noticed(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.closed.add("ana")
    bot.platform.lose_all("alone:ana")
    await move(bot, people)
    account = await bot.store.account("wall", "ana")
    assert account is not None
    assert not account.reachable


async def test_a_place_where_the_bot_may_not_write_stops_nothing(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.forbidden.add(PLACE.chat)
    bot.platform.requests.clear()
    await move(bot, people)
    assert sorted(bot.platform.requests) == ["edit alone:ana", "edit alone:beto"]
    bot.platform.forbidden.clear()
    await move(bot, people)
    assert "edit square" in bot.platform.requests, "its lane does not pause, as it would after an error"
    assert (await bot.table()).stamp == 2


async def test_news_worth_keeping_have_a_message_of_their_own_above_the_table(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    kept = Event(Text("The game is over."), None, keep=True)
    with monkeypatch.context() as patched:
        game = type(games()["casino"])
        act = game.act
        patched.setattr(game, "act", lambda *given: (*act(*given)[:-1], (kept,)))
        await move(bot, people)
    await move(bot, people)
    pages = bot.platform.pages(PLACE.chat)
    assert [text(page) for page in pages[:-1]] == ["The game is over.\n"]
    assert len(pages) == 2, "the old public panel is taken away, the new one stands below"


async def test_news_worth_keeping_are_told_once_though_the_platform_asks_for_patience_in_between(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    kept = tuple(Event(text, None, keep=True) for text in (Text("The game is over."), Text("Leave")))
    game, post = type(games()["casino"]), bot.platform.post
    act = game.act
    tries: list[Page] = []

    async def hasty(place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        tries.append(page)
        if len(tries) == 2:
            raise Later(5.0)
        return await post(place, page, mention, once=once)

    monkeypatch.setattr(bot.platform, "post", hasty)
    with monkeypatch.context() as patched:
        patched.setattr(game, "act", lambda *given: (*act(*given)[:-1], kept))
        await move(bot, people)
    await bot.clock.advance(60)
    assert [text(page) for page in bot.platform.pages(PLACE.chat)[:-1]] == ["The game is over.\n", "Leave\n"]


async def test_a_table_that_others_have_buried_comes_up_again(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    for _ in range(BURIED_IN_PUBLIC):
        bot.dispatcher.panels.public.count_message(PLACE)
    bot.platform.requests.clear()
    await move(bot, people)
    assert (bot.platform.requests.count("delete"), bot.platform.requests.count("post square")) == (1, 1)


async def test_each_of_two_tables_that_others_have_buried_comes_up_again(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    await bot.say(bot.caller("Ana"), "new", game="casino", clock="off")
    for _ in range(BURIED_IN_PUBLIC):
        bot.dispatcher.panels.public.count_message(PLACE)
    bot.platform.requests.clear()
    await move(bot, [bot.caller("Ana"), bot.caller("Beto")])
    assert bot.platform.requests.count("post square") == 1
    second = await bot.table(2)
    await bot.press(bot.caller("Carla"), f"{second.id}:0:join")
    assert bot.platform.requests.count("post square") == 2


async def test_a_table_that_others_have_buried_since_a_restart_comes_up_with_its_first_change(
    bot: BotHarness,
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    async with bot_harness(bot.store, bot.platform, bot.clock) as restarted:
        for _ in range(BURIED_IN_PUBLIC):
            restarted.dispatcher.panels.public.count_message(PLACE)
        bot.platform.requests.clear()
        await move(restarted, people)
        assert (bot.platform.requests.count("delete"), bot.platform.requests.count("post square")) == (1, 1)


async def test_messages_written_before_a_table_was_opened_do_not_bury_it(bot: BotHarness) -> None:
    for _ in range(BURIED_IN_PUBLIC):
        bot.dispatcher.panels.public.count_message(PLACE)
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.requests.clear()
    await move(bot, people)
    assert (bot.platform.requests.count("delete"), bot.platform.requests.count("edit square")) == (0, 1)


async def test_messages_in_places_without_a_table_do_not_keep_a_table_from_coming_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(public_panels, "PLACES_KEPT", 2)
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        for n in range(BURIED_IN_PUBLIC):
            bot.dispatcher.panels.public.count_message(PLACE)
            for other in range(3):
                bot.dispatcher.panels.public.count_message(Place("wall", f"place {n} {other}"))
        bot.platform.requests.clear()
        await move(bot, people)
        assert (bot.platform.requests.count("delete"), bot.platform.requests.count("post square")) == (1, 1)


async def test_panels_that_one_process_has_not_sent_the_next_one_sends(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.errors = [Later(1000.0)] * 100
    await move(bot, people)
    bot.platform.errors.clear()
    bot.platform.requests.clear()
    async with bot_harness(bot.store, bot.platform, bot.clock):
        await settle()
        assert sorted(bot.platform.requests) == ["edit alone:ana", "edit alone:beto", "edit square"]
        bot.platform.requests.clear()
    async with bot_harness(bot.store, bot.platform, bot.clock):
        await settle()
        assert bot.platform.requests == [], "what was sent is not sent again"


async def test_a_table_in_a_private_chat_is_one_message(bot: BotHarness) -> None:
    ana = bot.caller("Ana", private=True)
    await bot.say(ana, "new", game="casino")
    assert bot.platform.chats() == ["alone:ana"]
    await bot.press(ana, key(bot.panel(ana), "Start").data)
    await bot.clock.advance(60)
    assert bot.platform.chats() == ["alone:ana"]
    assert "your hand" in text(bot.panel(ana))
    assert offers(bot.panel(ana), "move")


async def test_a_panel_opens_with_what_happened_since_its_reader_acted(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    for _ in range(2):
        await move(bot, people)
    table = await bot.table()
    say = await bot.dispatcher.people.say_to(await bot.person(mover), PLACE, table)
    news = [say(piece.event.text) for piece in table.news if piece.n >= table.entries[-2].n]
    assert list(bot.panel(mover).above) == ["Casino, table 1", *news]


async def test_a_table_of_a_platform_that_is_not_served_is_not_shown(
    bot: BotHarness, caplog: pytest.LogCaptureFixture
) -> None:
    made = await bot.dispatcher.service.open(
        Place("nowhere", "x"), lambda n: Table.open("casino", place=Place("nowhere", "x"), number=n)
    )
    await settle()
    assert (made.status, bot.platform.requests) == ("lobby", [])
    assert caplog.text == "", "nobody has tried to show it"


async def test_the_public_panel_speaks_a_new_language_at_once(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.say(replace(people[0], moderator=True), "language", language="es", **{"for": "channel"})
    assert bot.public_panel().above[0] == "Casino, mesa 1"


async def test_taking_a_panel_away_that_is_gone_is_no_error(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    bot.platform.requests.clear()

    async def gone(message: str) -> None:
        raise Gone

    bot.platform.delete = gone  # type: ignore[method-assign]
    await bot.dispatcher.panels.requests.repost(await bot.table(), PUBLIC)
    await settle()
    assert bot.platform.requests == ["post square"]
    assert bot.public_panel().above[0] == "Casino, table 1"


async def test_a_clock_set_back_holds_nothing_up() -> None:
    async with bot_harness(platform=FakePlatform(limits=replace(ROOMY, gap=3.0))) as bot:
        people = await bot.begin("cardlebones", "Ana", "Beto")
        await bot.clock.advance(10)
        await move(bot, people)
        bot.clock.time -= 86_400
        bot.platform.requests.clear()
        await move(bot, people)
        await bot.clock.advance(6)
        assert bot.platform.requests.count("edit square") == 1


@pytest.mark.parametrize("closed", [set(), {"ana", "beto"}], ids=["open", "closed"])
async def test_no_panel_stays_unsent_for_ever(closed: set[str]) -> None:
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        bot.platform.closed = closed
        for _ in range(4):
            await bot.clock.advance(30)
            await move(bot, people)
        await bot.end(people[0])
        await bot.clock.advance(30)
        assert await unsent_panels(bot.store) == []


async def test_who_has_left_before_the_start_is_owed_nothing(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    bot.platform.closed = {"beto"}
    await bot.press(beto, f"{table.id}:0:join")
    await bot.press(beto, f"{table.id}:0:leave")
    bot.platform.closed = set()
    assert await bot.dispatcher.panels.requests.reach(await bot.table(), await bot.person(beto))
    await bot.press(ana, f"{table.id}:0:add_computer")
    await bot.clock.advance(10)
    assert bot.platform.pages("alone:beto") == []
    assert await unsent_panels(bot.store) == []


async def test_who_has_left_is_not_asked_to_join_a_game_that_has_begun(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    await bot.press(beto, f"{table.id}:0:join")
    await bot.press(beto, f"{table.id}:0:leave")
    assert offers(bot.panel(beto), "join")
    await bot.press(ana, f"{table.id}:0:add_computer")
    await bot.press(ana, f"{table.id}:0:start")
    await bot.clock.advance(3)
    panel = await bot.store.panel(table.id, await bot.person(beto))
    assert panel
    assert (offers(bot.panel(beto), "join"), panel.wanted) == ([], panel.sent)


async def test_a_message_sent_anew_is_kept_though_an_edit_was_still_to_be_stored(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await move(bot, people)
    await bot.say(people[0], "table")
    await bot.clock.advance(10)
    panel = await bot.store.panel((await bot.table()).id, PUBLIC)
    assert panel
    shown = bot.platform.messages[panel.message]
    assert (shown.alive, shown.place, shown.page) == (True, PLACE, bot.public_panel())


async def test_after_a_chat_has_moved_no_panel_counts_as_changed_that_was_sent(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    await bot.dispatcher.chat_moved("wall", PLACE.chat, "plaza")
    await bot.clock.advance(10)
    assert await unsent_panels(bot.store) == []


async def test_after_a_player_was_forgotten_no_panel_counts_as_changed_that_was_sent(
    bot: BotHarness,
) -> None:
    await bot.begin("casino", "Ana", "Beto", "Carla")
    beto = bot.caller("Beto", private=True)
    asked = await bot.say(beto, "forget")
    await bot.press(beto, offers(asked.page, "forget")[0].data, replaceable=True)
    await bot.clock.advance(10)
    assert await unsent_panels(bot.store) == []


async def test_a_panel_that_has_moved_has_no_message_though_an_edit_was_still_to_be_stored(
    bot: BotHarness,
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await move(bot, people)
    await bot.dispatcher.chat_moved("wall", PLACE.chat, "plaza")
    bot.platform.forbidden.add("plaza")
    await bot.clock.advance(10)
    panel = await bot.store.panel((await live_tables(bot.store))[0], PUBLIC)
    assert panel
    assert panel.message == ""


async def test_a_damaged_table_counts_as_changed_whole(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    unread = Table.unread(table.listing, table.seed_source)
    longer = Table.unread(replace(table.listing, entries=table.listing.entries + 1), table.seed_source)
    assert not _has_grown(longer, unread)
