"""Panels: messages that are brought up to date, once for many changes, and again where they are gone."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.model import PUBLIC, Account, Place
from bot.outbox.panels import BURIED, CALL_AFTER
from bot.ports import Caller, Forbidden, Gone, Later, Page
from bot.tables.table import Table
from engines import games
from engines.game import Event, Text
from tests.bot.front import PLACE, ROOMY, Front, Wall, front, key, offers, settle, text


@pytest.fixture
async def house() -> AsyncIterator[Front]:
    async with front() as opened:
        yield opened


async def move(house: Front, people: list[Caller]) -> None:
    """Whoever is to play makes the first move they are offered."""
    table = await house.table()
    seat = table.awaited()[0]
    first = str(next(iter(table.game.moves(table.state, seat))))
    await house.press(await house.to_play(people), f"{table.id}:{table.stamp}:move:{first}")


async def unnoticed(house: Front) -> None:
    """A move at the table that nobody has pressed, while there is one."""
    table = await house.table()
    if table.status == "over":
        return
    await house.dispatcher.service.change(table.id, lambda t: t.time_out(t.awaited()[0]))


async def test_a_table_has_one_message_which_is_edited(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    await move(house, people)
    await move(house, people)
    assert len(house.wall.pages(PLACE.chat)) == 1
    assert house.wall.sent.count("post square") == 1


async def test_each_player_has_one_message_alone(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    await move(house, people)
    assert [len(house.wall.pages(f"alone:{caller.user}")) for caller in people] == [1, 1]


async def test_nothing_is_sent_where_nothing_has_changed(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.sent.clear()
    table = await house.table()

    async def nothing() -> None:
        pass

    await house.dispatcher.panels.refresh_own(await house.person(people[0]), nothing)
    await house.dispatcher.panels.refresh_place(table.place, nothing)
    await settle()
    assert house.wall.sent == []


async def test_many_changes_are_one_message() -> None:
    async with front(wall=Wall(limits=replace(ROOMY, gap=3.0))) as house:
        people = await house.begin("cardlebones", "Ana", "Beto")
        await house.clock.pass_(10)
        house.wall.sent.clear()
        for _ in range(6):
            await move(house, people)
        assert house.wall.sent.count("edit square") == 1
        await house.clock.pass_(3)
        assert house.wall.sent.count("edit square") == 2
        table = await house.table()
        drawn = table.game.draw(
            table.game.view(table.state, None), await house.dispatcher.people.say_in(PLACE, table), 28
        )
        assert house.board().drawing == drawn, "the newest wins"


async def test_a_shared_place_is_never_written_to_faster_than_it_likes() -> None:
    async with front(wall=Wall(limits=replace(ROOMY, gap=3.0))) as house:
        await house.begin("boathouse", "Ana", "Beto")
        house.wall.sent.clear()
        for _ in range(20):
            await unnoticed(house)
            await house.clock.pass_(1)
        assert 5 <= house.wall.sent.count("edit square") <= 7


async def test_a_message_that_is_gone_is_sent_anew(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.messages = {n: kept for n, kept in house.wall.messages.items() if kept[0] != PLACE.chat}
    await move(house, people)
    assert len(house.wall.pages(PLACE.chat)) == 1


async def test_patience_that_a_platform_asks_for_is_kept(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    await unnoticed(house)
    await settle()
    house.wall.sent.clear()
    house.wall.faults = [Later(20.0)] * 3
    await move(house, people)
    assert house.wall.sent == []
    await house.clock.pass_(19)
    assert house.wall.sent == []
    await house.clock.pass_(2)
    assert sorted(set(house.wall.sent)) == ["edit alone:ana", "edit alone:beto", "edit square"]


async def test_a_failing_platform_is_tried_again_with_growing_pauses(
    house: Front, caplog: pytest.LogCaptureFixture
) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.sent.clear()
    house.wall.faults = [OSError("10♠ for your eyes")] * 9
    with caplog.at_level(logging.WARNING):
        await move(house, people)
        await house.clock.pass_(60)
    assert sorted(set(house.wall.sent)) == ["edit alone:ana", "edit alone:beto", "edit square"]
    assert "OSError" in caplog.text
    assert "10♠" not in caplog.text


async def test_a_panel_that_cannot_be_sent_at_all_waits_for_the_next_change(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.faults = [OSError()] * 1000
    await move(house, people)
    await house.clock.pass_(100_000)
    left = len(house.wall.faults)
    await house.clock.pass_(100_000)
    assert len(house.wall.faults) == left
    house.wall.faults.clear()
    await move(house, people)
    await house.clock.pass_(1000)
    assert "edit square" in house.wall.sent


async def test_a_hand_never_falls_through_to_a_place() -> None:
    async with front(wall=Wall(closed={"ana", "beto"})) as house:
        people = await house.begin("casino", "Ana", "Beto")
        await move(house, people)
        assert {chat for chat, _ in house.wall.messages.values()} == {PLACE.chat}
        assert "your hand" not in text(house.board())


async def test_a_chat_that_closes_in_mid_game_is_noticed(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.closed.add("ana")
    house.wall.messages = {n: kept for n, kept in house.wall.messages.items() if kept[0] != "alone:ana"}
    await move(house, people)
    account = await house.store.account("wall", "ana")
    assert account is not None
    assert not account.reachable


async def test_a_place_we_may_not_write_in_stops_nothing(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.faults = [Forbidden()]
    await move(house, people)
    await move(house, people)
    assert (await house.table()).stamp == 2


async def test_whoever_seems_away_is_called_when_their_turn_comes(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    other = next(caller for caller in people if caller != mover)
    await house.clock.pass_(CALL_AFTER)
    await move(house, people)
    calls = [text(page) for page in house.wall.pages(f"alone:{other.user}") if not page.rows]
    assert calls == ["Your turn: Casino, table 1.\n"]


async def test_whoever_has_just_acted_is_not_called(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    for _ in range(4):
        await move(house, people)
    assert all(page.rows for caller in people for page in house.wall.pages(f"alone:{caller.user}"))


async def test_the_old_call_is_taken_away(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    for _ in range(6):
        await house.clock.pass_(CALL_AFTER)
        await move(house, people)
    for caller in people:
        assert len([page for page in house.wall.pages(f"alone:{caller.user}") if not page.rows]) <= 1


async def test_calls_can_be_switched_off(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    for caller in people:
        await house.say(caller, "settings", setting="calls", value="off")
    await house.clock.pass_(CALL_AFTER)
    await move(house, people)
    assert all(page.rows for caller in people for page in house.wall.pages(f"alone:{caller.user}"))


async def test_who_cannot_be_written_to_is_called_by_name() -> None:
    async with front(wall=Wall(closed={"ana", "beto"})) as house:
        people = await house.begin("casino", "Ana", "Beto")
        mover = await house.to_play(people)
        other = next(caller for caller in people if caller != mover)
        house.wall.called.clear()
        await house.clock.pass_(CALL_AFTER)
        await move(house, people)
        assert house.wall.called == [other.user]
        assert text(house.wall.pages(PLACE.chat)[-1]) == f"{other.name}, it is your turn.\n"


async def test_a_computer_plays_for_whoever_is_gone_when_their_turn_comes(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    other = next(caller for caller in people if caller != mover)
    house.wall.departed.add(other.user)
    await house.clock.pass_(CALL_AFTER)
    await move(house, people)
    assert [player.is_away for player in (await house.table()).players] == [
        await house.person(other) == player.person for player in (await house.table()).players
    ]
    assert house.wall.called == []


async def test_whoever_has_just_acted_is_not_taken_for_gone(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.departed.update(caller.user for caller in people)
    house.wall.messages = {n: kept for n, kept in house.wall.messages.items() if "alone" not in kept[0]}
    await move(house, people)
    await house.clock.pass_(5)
    assert not any(player.is_away for player in (await house.table()).players)


async def test_where_it_is_a_secret_who_is_awaited_nobody_is_called(
    house: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    monkeypatch.setattr(type(games()["casino"]), "waiting", lambda self, view: (0, 1))
    await house.clock.pass_(CALL_AFTER)
    await move(house, people)
    assert all(page.rows for caller in people for page in house.wall.pages(f"alone:{caller.user}"))
    assert "The table waits." in text(house.board())


async def test_news_worth_keeping_have_a_message_of_their_own_above_the_table(
    house: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    told = Event(Text("The game is over."), None, keep=True)
    with monkeypatch.context() as patched:
        game = type(games()["casino"])
        apply = game.apply
        patched.setattr(game, "apply", lambda *given: (apply(*given)[0], (told,)))
        await move(house, people)
    await move(house, people)
    pages = house.wall.pages(PLACE.chat)
    assert [text(page) for page in pages[:-1]] == ["The game is over.\n"]
    assert len(pages) == 2, "the old board is taken away, the new one stands below"


async def test_news_worth_keeping_are_told_once_though_the_platform_asks_for_patience_in_between(
    house: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    told = tuple(Event(text, None, keep=True) for text in (Text("The game is over."), Text("Leave")))
    game, post = type(games()["casino"]), house.wall.post
    apply = game.apply
    tries: list[Page] = []

    async def hasty(place: Place, page: Page, call: Account | None = None) -> str:
        tries.append(page)
        if len(tries) == 2:
            raise Later(5.0)
        return await post(place, page, call)

    monkeypatch.setattr(house.wall, "post", hasty)
    with monkeypatch.context() as patched:
        patched.setattr(game, "apply", lambda *given: (apply(*given)[0], told))
        await move(house, people)
    await house.clock.pass_(60)
    assert [text(page) for page in house.wall.pages(PLACE.chat)[:-1]] == ["The game is over.\n", "Leave\n"]


async def test_a_table_that_others_have_buried_comes_up_again(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    for _ in range(BURIED):
        house.dispatcher.panels.chatter(PLACE)
    house.wall.sent.clear()
    await move(house, people)
    assert (house.wall.sent.count("delete"), house.wall.sent.count("post square")) == (1, 1)


async def test_what_one_process_has_not_sent_the_next_one_sends(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    house.wall.faults = [Later(1000.0)] * 100
    await move(house, people)
    house.wall.faults.clear()
    house.wall.sent.clear()
    async with front(house.store, house.wall, house.clock):
        await settle()
        assert sorted(house.wall.sent) == ["edit alone:ana", "edit alone:beto", "edit square"]
        house.wall.sent.clear()
    async with front(house.store, house.wall, house.clock):
        await settle()
        assert house.wall.sent == [], "what was sent is not sent again"


async def test_alone_with_us_a_table_is_one_message(house: Front) -> None:
    ana = house.caller("Ana", private=True)
    await house.say(ana, "new", game="casino")
    assert [chat for chat, _ in house.wall.messages.values()] == ["alone:ana"]
    await house.press(ana, key(house.panel(ana), "Start").data)
    await house.clock.pass_(60)
    assert [chat for chat, _ in house.wall.messages.values()] == ["alone:ana"]
    assert "your hand" in text(house.panel(ana))
    assert offers(house.panel(ana), "move")


async def test_a_panel_opens_with_what_happened_since_its_reader_acted(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    for _ in range(2):
        await move(house, people)
    table = await house.table()
    say = await house.dispatcher.people.say_to(await house.person(mover), PLACE, table)
    news = [say(piece.event.text) for piece in table.news if piece.n >= table.entries[-2].n]
    assert list(house.panel(mover).above) == ["Casino, table 1", *news]


async def test_a_message_elsewhere_is_no_business_of_the_panels(house: Front) -> None:
    made = await house.dispatcher.service.open(
        Place("nowhere", "x"), lambda n: Table.open("casino", place=Place("nowhere", "x"), number=n)
    )
    await settle()
    assert (made.status, house.wall.sent) == ("lobby", [])


async def test_a_new_language_speaks_from_the_board_at_once(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    await house.say(replace(people[0], moderator=True), "language", language="es", **{"for": "channel"})
    assert house.board().above[0] == "Casino, mesa 1"


async def test_taking_a_board_away_that_is_gone_is_no_error(house: Front) -> None:
    await house.begin("casino", "Ana", "Beto")
    house.wall.faults = []

    async def gone(message: str) -> None:
        raise Gone

    house.wall.delete = gone  # type: ignore[method-assign]
    await house.dispatcher.panels.repost(await house.table(), PUBLIC)
    await settle()
    assert isinstance(house.board(), Page)


async def test_a_call_by_name_keeps_the_places_pace() -> None:
    limits = replace(ROOMY, gap=3.0)
    async with front(wall=Wall(closed={"ana", "beto"}, limits=limits)) as house:
        people = await house.begin("casino", "Ana", "Beto")
        await house.clock.pass_(CALL_AFTER)
        house.wall.sent.clear()
        await move(house, people)
        assert house.wall.sent == ["edit square"]
        await house.clock.pass_(3)
        assert house.wall.sent == ["edit square", "post square"]
        await move(house, people)
        assert house.wall.sent == ["edit square", "post square"]


async def test_a_clock_set_back_holds_nothing_up() -> None:
    async with front(wall=Wall(limits=replace(ROOMY, gap=3.0))) as house:
        people = await house.begin("cardlebones", "Ana", "Beto")
        await house.clock.pass_(10)
        await move(house, people)
        house.clock.time -= 86_400
        house.wall.sent.clear()
        await move(house, people)
        await house.clock.pass_(6)
        assert house.wall.sent.count("edit square") == 1


@pytest.mark.parametrize("closed", [set(), {"ana", "beto"}], ids=["open", "closed"])
async def test_nothing_is_wanted_for_ever(closed: set[str]) -> None:
    async with front() as house:
        people = await house.begin("casino", "Ana", "Beto")
        house.wall.closed = closed
        for _ in range(4):
            await house.clock.pass_(CALL_AFTER)
            await move(house, people)
        await house.say(people[0], "end")
        await house.clock.pass_(CALL_AFTER)
        assert await house.store.unsent() == []


async def test_who_has_left_before_the_start_is_owed_nothing(house: Front) -> None:
    await house.say(house.caller("Ana"), "new", game="casino")
    table, beto = await house.table(), house.caller("Beto")
    house.wall.closed = {"beto"}
    await house.press(beto, f"{table.id}:0:join")
    await house.press(beto, f"{table.id}:0:leave")
    house.wall.closed = set()
    await house.dispatcher.panels.knock(await house.table(), await house.person(beto))
    await house.clock.pass_(10)
    assert await house.store.unsent() == []


async def test_who_has_left_is_not_asked_to_join_a_game_that_has_begun(house: Front) -> None:
    ana, beto = house.caller("Ana"), house.caller("Beto")
    await house.say(ana, "new", game="casino")
    table = await house.table()
    await house.press(beto, f"{table.id}:0:join")
    await house.press(beto, f"{table.id}:0:leave")
    assert offers(house.panel(beto), "join")
    await house.press(ana, f"{table.id}:0:fill")
    await house.press(ana, f"{table.id}:0:start")
    await house.clock.pass_(3)
    panel = await house.store.panel(table.id, await house.person(beto))
    assert panel
    assert (offers(house.panel(beto), "join"), panel.wanted) == ([], panel.sent)


async def test_a_message_sent_anew_is_kept_though_an_edit_was_to_be_noted(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    await move(house, people)
    await house.say(people[0], "table")
    await house.clock.pass_(10)
    panel = await house.store.panel((await house.table()).id, PUBLIC)
    assert panel
    assert house.wall.messages[panel.message] == (PLACE.chat, house.board())


async def test_a_board_that_has_moved_is_kept_though_an_edit_was_to_be_noted(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    await move(house, people)
    await house.dispatcher.chat_moved("wall", PLACE.chat, "plaza")
    house.wall.faults = [Forbidden()]
    await house.clock.pass_(10)
    panel = await house.store.panel((await house.dispatcher.service.store.live())[0], PUBLIC)
    assert panel
    assert house.wall.messages.get(panel.message, ("plaza",))[0] == "plaza"


async def test_who_is_alone_with_us_is_not_called_by_name(house: Front) -> None:
    ana = house.caller("Ana", private=True)
    await house.say(ana, "new", game="casino")
    (table,) = await house.store.tables_of(await house.person(ana))
    await house.press(ana, f"{table.game}:0:start")
    house.wall.closed = {"ana"}
    await house.clock.pass_(CALL_AFTER)
    for _ in range(3):
        now = await house.dispatcher.service.table(table.game)
        await house.dispatcher.service.change(now.id, lambda table: table.time_out(table.awaited()[0]))
        await house.clock.pass_(CALL_AFTER)
    assert house.wall.called == []
