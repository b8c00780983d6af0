"""The dispatcher answers each sender privately, and makes only the changes that the rules allow."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator

import pytest

from bot.i18n import Speech
from bot.model.panels import Draft
from bot.model.people import Account
from bot.pages.callback_data import CallbackData, digest
from bot.pages.menus.menu import resumed
from bot.ports import NO_GAME, Caller, Limits
from bot.store.memory.store import MemoryStore
from engines import games
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import BotHarness, bot_harness, key, keys, offers, text
from tests.support.platform import FakePlatform

TELEGRAPH = Limits(text=4096, rows=12, row_keys=8, keys=100, label=60, data=64, pages=False, gap=0.0)


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def test_a_pressed_move_is_made(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    reply = await bot.press(mover, offers(bot.panel(mover), "move")[0].data)
    assert (reply.notice, (await bot.table()).stamp) == ("", 1)


STALE = "That menu was out of date. Here is the current one."


async def test_a_button_from_before_its_senders_last_move_changes_nothing(
    bot: BotHarness,
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    old = offers(bot.panel(mover), "move")
    await bot.press(mover, old[0].data)
    other = await bot.to_play(people)
    await bot.press(other, offers(bot.panel(other), "move")[0].data)
    before = await bot.table()
    bot.platform.requests.clear()
    assert (await bot.press(mover, old[1].data)).notice == STALE
    assert (await bot.table()) == before
    assert bot.platform.requests == [], "their panel shows the current menu already"


async def test_a_refusal_sends_the_menu_again_where_the_process_does_not_know_what_is_shown(
    bot: BotHarness,
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    old = offers(bot.panel(mover), "move")
    await bot.press(mover, old[0].data)
    await bot.clock.advance(10)
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        bot.platform.requests.clear()
        assert (await again.press(mover, old[1].data)).notice == STALE
        assert bot.platform.requests == [f"edit alone:{mover.user}"]


async def test_a_move_from_an_older_menu_counts_while_its_sender_has_not_moved(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    other = next(caller for caller in people if caller != mover)
    table = await bot.table()
    seat = 1 - table.active()[0]
    card = table.state.hands[seat][0]
    early = f"{table.id}:{table.stamp}:move:throw {card}"
    assert (await bot.press(other, early)).notice == "It isn't your turn."
    await bot.press(mover, offers(bot.panel(mover), "move")[0].data)
    assert (await bot.press(other, early)).notice == ""
    after = await bot.table()
    assert (after.stamp, after.entries[-1].seat, after.entries[-1].body["move"]) == (2, seat, f"throw {card}")


async def test_a_button_of_a_moment_to_come_is_refused(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover, table = await bot.to_play(people), await bot.table()
    move = next(iter(table.game.moves(table.state, table.active()[0])))
    assert (await bot.press(mover, f"{table.id}:1:move:{move}")).notice == STALE
    assert (await bot.table()).stamp == 0


@pytest.mark.parametrize("kicked", [True, False], ids=["kicked", "away"])
async def test_why_a_player_may_not_play_is_said_alike_to_buttons_commands_and_words(
    bot: BotHarness, kicked: bool
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    ana, beto = people
    table = await bot.table()
    if kicked:
        await bot.say(ana, "kick", player="2")
    else:
        await bot.leave(beto)
    alone = bot.caller("Beto", private=True)
    notices = [
        (await bot.press(beto, f"{table.id}:{table.stamp}:move:throw 2S")).notice,
        (await bot.press(beto, f"{table.id}:{table.stamp}:top")).notice,
        (await bot.say(beto, "play", move="throw 2S")).notice,
        (await bot.dispatcher.line(alone, "throw 2S", "words")).notice,
    ]
    away = "A computer is playing for you. Take your seat back first."
    assert set(notices) == {"You were removed from this table, so you can't come back." if kicked else away}
    assert await bot.dispatcher.complete(beto, "play", "move", "", {}) == ()


async def test_a_double_press_is_one_move(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    data = offers(bot.panel(mover), "move")[0].data
    first, second = await asyncio.gather(
        bot.dispatcher.press(mover, data, "a"), bot.dispatcher.press(mover, data, "b")
    )
    assert (await bot.table()).stamp == 1
    assert {first.notice, second.notice} == {"", "That has already been done."}
    assert (await bot.press(mover, data)).notice == "That has already been done."


async def test_a_person_without_a_seat_cannot_move(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    before = await bot.table()
    reply = await bot.press(bot.caller("Carla"), offers(bot.panel(mover), "move")[0].data)
    assert (reply.notice, await bot.table()) == ("You have no seat at this table.", before)


async def test_a_move_out_of_turn_is_refused_with_the_games_reason(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    other = next(caller for caller in people if caller != mover)
    reply = await bot.press(other, offers(bot.panel(mover), "move")[0].data)
    assert (reply.notice, (await bot.table()).stamp) == ("It isn't your turn.", 0)


@pytest.mark.parametrize(
    "data",
    [
        "",
        "nonsense",
        "0123456789:0:move:throw",
        f"{NO_GAME}:0:rules:nothing 0",
        f"{NO_GAME}:0:rules:casino x",
        f"{NO_GAME}:0:set:order",
        "GAME:0:fly",
        "GAME:0:set_rule:9 9",
        "GAME:0:set_rule:x",
        "GAME:0:set_rule:",
        "GAME:0:add:2S",
        "GAME:0:pick:XX",
        "GAME:0:move:throw XX",
        "GAME:0:move:#0000000000",
        "GAME:0:done",
        "GAME:999999:move:throw 2S",
        "GAME:0:page:-1",
        "GAME:0:drop:",
        "GAME:0:cut",
        "GAME:0:log",
        "GAME:0:check",
        "GAME:0:rematch",
        "GAME:0:move:" + "x" * 5000,
    ],
)
async def test_forged_buttons_change_nothing_and_are_answered(
    bot: BotHarness, data: str, caplog: pytest.LogCaptureFixture
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    before = await bot.table()
    mover = await bot.to_play(people)
    reply = await bot.press(mover, data.replace("GAME", before.id))
    assert (await bot.table()) == before
    assert "Sorry" not in reply.notice
    assert not caplog.records
    assert reply.file is None


async def test_the_seed_of_a_running_game_cannot_be_had(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    log = await bot.press(people[0], f"{table.id}:0:log")
    assert (log.notice, log.page, log.file) == ("The game isn't over yet.", None, None)
    check = await bot.press(people[0], f"{table.id}:0:check")
    assert str(table.seed_source.commitment) in text(check.page)
    assert table.seed_source.opened() not in text(check.page)
    assert table.deal not in text(check.page)


async def test_a_refusal_speaks_the_readers_language(bot: BotHarness) -> None:
    ana = bot.caller("Ana", locale="es-MX")
    reply = await bot.say(ana, "start")
    assert reply.notice == "Aquí no hay ninguna mesa abierta. Abre una con /nueva."


async def test_a_refusal_names_players_by_their_names(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    await bot.press(ana, f"{(await bot.table()).id}:0:add_computer")
    reply = await bot.say(ana, "kick", player="2")
    assert reply.notice == "Lola is a computer. Any player can remove it before the start."


async def wide_table(bot: BotHarness) -> tuple[str, list[str]]:
    """Begins a game with wide verbs, plays until Ana can use one, and picks it for her.

    Returns the verb and the words that may follow it.
    """
    wide = next(key for key, game in games().items() if game.wide)
    people = await bot.begin(wide, "Ana", "Beto")
    ana = people[0]
    for _ in range(60):
        table = await bot.table()
        if (await bot.to_play(people)) == ana:
            for verb in sorted(table.game.wide):
                if words := table.game.choices(table.state, 0, (verb,)).words:
                    await bot.press(ana, f"{table.id}:{table.stamp}:pick:{verb}")
                    return verb, list(words)
        mover = await bot.to_play(people)
        await bot.dispatcher.service.change(
            table.id, lambda t: t.play(t.active()[0], str(next(iter(t.game.moves(t.state, t.active()[0])))))
        )
        await settle()
        assert mover
    raise AssertionError("nobody could lay anything")


async def draft(bot: BotHarness) -> Draft:
    person = await bot.person(bot.caller("Ana"))
    return await bot.dispatcher.drafts.read(await bot.table(), person)


async def test_quick_taps_add_up(bot: BotHarness) -> None:
    verb, words = await wide_table(bot)
    table, ana = await bot.table(), bot.caller("Ana")
    second = table.game.choices(table.state, 0, (verb, words[0])).words[0]
    await asyncio.gather(
        bot.dispatcher.press(ana, f"{table.id}:{table.stamp}:add:{words[0]}", "a"),
        bot.dispatcher.press(ana, f"{table.id}:{table.stamp}:add:{second}", "b"),
    )
    assert (await draft(bot)).path == (verb, words[0], second)


async def test_a_picked_word_can_be_taken_out_again(bot: BotHarness) -> None:
    verb, words = await wide_table(bot)
    table, ana = await bot.table(), bot.caller("Ana")
    await bot.press(ana, f"{table.id}:{table.stamp}:add:{words[0]}")
    assert offers(bot.panel(ana), "drop")[0].label.startswith("✓")
    await bot.press(ana, offers(bot.panel(ana), "drop")[0].data)
    assert (await draft(bot)).path == (verb,)


async def test_the_way_back_leads_to_the_beginning(bot: BotHarness) -> None:
    await wide_table(bot)
    ana = bot.caller("Ana")
    await bot.press(ana, key(bot.panel(ana), "Back").data)
    assert (await draft(bot)).path == ()


async def test_a_draft_outlives_the_process_and_not_the_next_move(bot: BotHarness) -> None:
    verb, words = await wide_table(bot)
    table, ana = await bot.table(), bot.caller("Ana")
    await bot.press(ana, f"{table.id}:{table.stamp}:add:{words[0]}")
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        assert (await draft(again)).path == (verb, words[0])
        move = str(next(iter(table.game.moves(table.state, 0))))
        await again.press(ana, f"{table.id}:{table.stamp}:move:{move}")
        after = await again.table()
        assert resumed(after, 0, await draft(again)) == Draft(after.stamp)


async def test_a_careful_player_is_asked_before_a_move() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        mover = await bot.to_play(people)
        await bot.say(mover, "settings", setting="careful", value="on")
        offer = offers(bot.panel(mover), "move")[0]
        await bot.press(mover, offer.data)
        assert (await bot.table()).stamp == 0
        # A button may say only the card of a move; the question says the whole move.
        (asked,) = re.findall("Play “(.+)”", text(bot.panel(mover)))
        assert asked.endswith(offer.label)
        assert [button.label for button in keys(bot.panel(mover))] == [f"Yes: {asked}", "Back"]
        await bot.press(mover, offers(bot.panel(mover), "sure")[0].data)
        assert (await bot.table()).stamp == 1
        assert offers(bot.panel(mover), "sure") == []


async def test_a_move_that_no_menu_lists_is_confirmed_by_a_button_that_has_only_its_hash(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    mover = await bot.to_play(await bot.begin("casino", "Ana", "Beto"))
    await bot.say(mover, "settings", setting="careful", value="on")
    table = await bot.table()
    [*_, throw] = map(str, table.game.moves(table.state, table.active()[0]))
    await bot.press(mover, f"{table.id}:0:move:{throw}")
    assert offers(bot.panel(mover), "sure")
    monkeypatch.setattr("bot.inbox.moves.presses.offered_moves", lambda *given: ())
    await bot.press(mover, f"{table.id}:0:sure:#{digest(throw)}")
    assert (await bot.table()).stamp == 1


async def test_before_a_move_that_cannot_be_undone_its_player_is_asked_once(bot: BotHarness) -> None:
    mover = await at_reset(bot)
    stamp = (await bot.table()).stamp
    (undo,) = [button for button in offers(bot.panel(mover), "move") if button.data.endswith(":reset")]
    assert undo.style == "danger"
    await bot.press(mover, undo.data)
    assert (await bot.table()).stamp == stamp
    (sure,) = offers(bot.panel(mover), "sure")
    assert sure.style == "danger"
    await bot.press(mover, sure.data)
    assert (await bot.table()).stamp == stamp + 1


async def at_reset(bot: BotHarness) -> Caller:
    """Plays until a player may take back all movements, which cannot be undone; that player."""
    people = await bot.begin("trio_escalera", "Ana", "Beto")
    table = await bot.table()
    while not any(str(move) == "reset" for move in table.game.moves(table.state, table.required()[0])):
        move = next(iter(table.game.moves(table.state, table.required()[0])))
        await bot.press(await bot.to_play(people), f"{table.id}:{table.stamp}:move:{move}")
        table = await bot.table()
    return await bot.to_play(people)


@pytest.mark.parametrize("again", ["typed", "pressed"])
async def test_before_a_typed_move_that_cannot_be_undone_its_player_is_asked_once(
    bot: BotHarness, again: str
) -> None:
    mover = await at_reset(bot)
    stamp = (await bot.table()).stamp
    reply = await bot.say(mover, "play", move="reset")
    assert (await bot.table()).stamp == stamp
    assert reply.notice.startswith("Play “")
    for page in (reply.page, bot.panel(mover)):
        assert [button.style for button in offers(page, "sure")] == ["danger"]
    if again == "typed":
        await bot.say(mover, "play", move="reset")
    else:
        await bot.press(mover, offers(bot.panel(mover), "sure")[0].data)
    assert (await bot.table()).stamp == stamp + 1


async def test_a_question_that_its_player_has_left_does_not_count(bot: BotHarness) -> None:
    mover = await at_reset(bot)
    stamp = (await bot.table()).stamp
    await bot.say(mover, "play", move="reset")
    await bot.press(mover, offers(bot.panel(mover), "top")[0].data)
    await bot.say(mover, "play", move="reset")
    assert (await bot.table()).stamp == stamp


async def test_a_move_too_long_for_a_button_is_found_by_its_hash() -> None:
    words = "capture 10S " + "+".join(["2H"] * 20)
    data = CallbackData("0123456789", 7, "move", words).spelled(64)
    press = CallbackData.parse(data)
    assert press is not None
    assert len(data.encode()) <= 64
    assert press.meant(["throw 2S", words]) == words
    assert press.meant(["throw 2S"]) is None


async def test_the_answer_to_join_says_how_cards_come(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    reply = await bot.press(beto, f"{table.id}:0:join")
    assert "Your cards come by private message." in text(reply.page)


async def test_who_takes_no_private_messages_is_told_how_to_see_their_cards() -> None:
    async with bot_harness(platform=FakePlatform(closed={"beto"})) as bot:
        ana, beto = bot.caller("Ana"), bot.caller("Beto")
        await bot.say(ana, "new", game="casino")
        table = await bot.table()
        reply = await bot.press(beto, f"{table.id}:0:join")
        assert "Press “My hand”" in text(reply.page)
        await bot.press(ana, f"{table.id}:0:start")
        assert not bot.platform.pages("alone:beto")
        page = (await bot.press(beto, key(bot.public_panel(), "My hand").data)).page
        assert "your hand" in text(page)


async def test_an_own_page_is_replaced_by_the_next(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    page = (await bot.press(mover, key(bot.public_panel(), "My hand").data)).page
    reply = await bot.press(mover, offers(page, "move")[0].data, replaceable=True)
    assert "Beto's turn." in text(reply.page) or "Ana's turn." in text(reply.page)


async def test_where_there_are_no_cards_yet_the_brief_is_empty() -> None:
    platform = FakePlatform(limits=TELEGRAPH, address="https://chat.example/", closed={"ana"})
    async with bot_harness(platform=platform) as bot:
        ana = bot.caller("Ana")
        await bot.say(ana, "new", game="casino")
        reply = await bot.press(ana, f"{(await bot.table()).id}:0:hand")
        assert (reply.brief, reply.notice) == ("", "Open our private chat: I'll send your cards there.")


async def test_a_brief_that_has_no_room_for_the_way_to_play_leaves_that_out() -> None:
    limits = replace(TELEGRAPH, brief=60)
    platform = FakePlatform(limits=limits, address="https://chat.example/", closed={"ana", "beto"})
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        reply = await bot.press(people[0], key(bot.public_panel(), "My hand").data)
        assert len(reply.brief) <= 60
        assert "To play" not in reply.brief


async def test_where_no_page_can_be_shown_alone_the_hand_comes_in_brief() -> None:
    platform = FakePlatform(limits=TELEGRAPH, address="https://chat.example/", closed={"ana", "beto"})
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        table = await bot.table()
        reply = await bot.press(people[0], key(bot.public_panel(), "My hand").data)
        held = [Speech("en").card(card) for card in table.state.hands[0]]
        assert [card for card in held if card not in reply.brief] == []
        assert len(reply.brief) <= 200
        assert reply.brief.endswith(" To play, open our private chat.")
        assert [button.url for button in keys(reply.page)] == ["https://chat.example/"]
        assert any(button.url for button in keys(bot.public_panel())), (
            "the public panel leads to the private chat"
        )


async def test_opening_the_chat_brings_the_cards() -> None:
    platform = FakePlatform(limits=TELEGRAPH, address="https://chat.example/", closed={"ana", "beto"})
    async with bot_harness(platform=platform) as bot:
        await bot.begin("casino", "Ana", "Beto")
        platform.closed.clear()
        await bot.dispatcher.arrive(bot.caller("Ana", private=True), "x")
        await settle()
        assert "your hand" in text(bot.panel(bot.caller("Ana")))


async def test_house_rules_are_set_by_the_owner_of_the_table(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    await bot.press(beto, f"{table.id}:0:join")
    page = (await bot.press(ana, f"{table.id}:0:house_rules")).page
    assert (await bot.press(beto, keys(page)[0].data)).notice == "Only Ana can do that: the table is theirs."
    after = (await bot.press(ana, keys(page)[0].data)).page
    option = table.game.options[0]
    assert (await bot.table()).options[option.name] == list(option.values)[1]
    assert text(after) != text(page)
    assert "House rules:" in text(bot.public_panel())


async def test_a_button_may_ask_for_words_first(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    data = key(bot.public_panel(), "Cut").data
    assert await bot.dispatcher.asks(ana, data) == "A few words to cut the deck with"
    assert await bot.dispatcher.asks(ana, key(bot.public_panel(), "Start").data) == ""
    await bot.press(ana, data, answer="my  own\nwords")
    assert (await bot.table()).cuts == ((0, "my own words"),)
    assert "Ana cut the deck: my own words" in text(bot.public_panel())


async def test_an_error_is_apologised_for_without_its_words(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the queen of spades")

    monkeypatch.setattr(bot.store, "tables", broken)
    with caplog.at_level(logging.ERROR):
        reply = await bot.say(bot.caller("Ana"), "join")
    assert reply.notice == (
        "Sorry, something went wrong. Look at the table, and try again if nothing has changed."
    )
    assert "RuntimeError" in caplog.text
    assert "queen" not in caplog.text


class SlowStore(MemoryStore):
    """A store that is slow to look up an account, so that others can ask meanwhile; notes who is added."""

    def __init__(self, *, shared: bool = False) -> None:
        super().__init__(shared=shared)
        self.added: list[Account] = []

    async def account(self, platform: str, user: str) -> Account | None:
        found = await super().account(platform, user)
        await asyncio.sleep(0)
        return found

    async def add_account(self, account: Account) -> Account:
        self.added.append(account)
        return await super().add_account(account)


async def test_two_processes_that_meet_a_stranger_make_one_person() -> None:
    store = SlowStore(shared=True)
    async with bot_harness(store) as one, bot_harness(store) as other:
        ana = one.caller("Ana")
        await asyncio.gather(
            *(bot.dispatcher.command(ana, "help", {}, str(n)) for n, bot in enumerate((one, other)))
        )
        assert await one.person(ana) == await other.person(ana)


async def test_several_messages_of_a_stranger_in_one_instant_make_one_person() -> None:
    store = SlowStore()
    async with bot_harness(store) as bot:
        ana = bot.caller("Ana")
        await asyncio.gather(*(bot.dispatcher.command(ana, "help", {}, str(n)) for n in range(5)))
        assert store.added == [Account("wall", "ana", await bot.person(ana))]
