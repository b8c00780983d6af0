"""The front door: whoever presses gets an answer, alone, and only what the rules allow changes anything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from bot.model import Draft
from bot.pages.callback_data import CallbackData
from bot.pages.layout import NO_GAME
from bot.pages.player_page import SURE
from bot.ports import Limits
from engines import games
from tests.bot.front import PLACE, Front, Wall, front, key, keys, offers, settle, text

TELEGRAPH = Limits(text=4096, rows=12, row=8, keys=100, label=60, data=64, pages=False, gap=0.0)


@pytest.fixture
async def house() -> AsyncIterator[Front]:
    async with front() as opened:
        yield opened


async def test_a_pressed_move_is_made(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    reply = await house.press(mover, offers(house.panel(mover), "move")[0].data)
    assert (reply.notice, (await house.table()).stamp) == ("", 1)


async def test_a_button_from_before_the_last_move_is_told_and_changes_nothing(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    old = offers(house.panel(mover), "move")
    await house.press(mover, old[0].data)
    for _ in range(1):
        other = await house.to_play(people)
        await house.press(other, offers(house.panel(other), "move")[0].data)
    before = await house.table()
    house.wall.sent.clear()
    stale = CallbackData.parse(old[1].data)
    assert stale is not None
    unmade = CallbackData(stale.game, 1, "move", stale.words).spelled(100)
    reply = await house.press(mover, unmade)
    assert reply.notice == "That button was from an earlier moment; here is the current menu."
    assert (await house.table()) == before
    assert house.wall.sent == [f"edit alone:{mover.user}"], (
        "its reader gets a fresh menu, nobody else anything"
    )


async def test_a_double_press_is_one_move(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    data = offers(house.panel(mover), "move")[0].data
    first, second = await asyncio.gather(
        house.dispatcher.press(mover, data, "a"), house.dispatcher.press(mover, data, "b")
    )
    assert (await house.table()).stamp == 1
    assert {first.notice, second.notice} == {
        "",
        "That button was from an earlier moment; here is the current menu.",
    }
    assert (await house.press(mover, data)).notice == "That is done already."


async def test_what_is_delivered_twice_is_done_once(house: Front) -> None:
    ana = house.caller("Ana")
    await house.dispatcher.command(ana, "new", {"game": "casino"}, "same")
    reply = await house.dispatcher.command(ana, "new", {"game": "casino"}, "same")
    assert (len(await house.store.tables(PLACE)), reply.notice, reply.page) == (1, "", None)


async def test_somebody_without_a_seat_cannot_move(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    before = await house.table()
    reply = await house.press(house.caller("Carla"), offers(house.panel(mover), "move")[0].data)
    assert (reply.notice, await house.table()) == ("You have no seat at this table.", before)


async def test_a_move_out_of_turn_is_refused_with_the_games_reason(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    other = next(caller for caller in people if caller != mover)
    reply = await house.press(other, offers(house.panel(mover), "move")[0].data)
    assert (reply.notice, (await house.table()).stamp) == ("It is not your turn.", 0)


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
        "GAME:0:rule:9 9",
        "GAME:0:rule:x",
        "GAME:0:rule:",
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
    house: Front, data: str, caplog: pytest.LogCaptureFixture
) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    before = await house.table()
    mover = await house.to_play(people)
    reply = await house.press(mover, data.replace("GAME", before.id))
    assert (await house.table()) == before
    assert "Sorry" not in reply.notice
    assert not caplog.records
    assert reply.file is None


async def test_the_seed_of_a_running_game_cannot_be_had(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    table = await house.table()
    for action in ("log", "check"):
        reply = await house.press(people[0], f"{table.id}:0:{action}")
        assert (reply.notice, reply.page, reply.file) == ("The game is not over.", None, None)


async def test_a_refusal_speaks_the_readers_language(house: Front) -> None:
    ana = house.caller("Ana", locale="es-MX")
    reply = await house.say(ana, "start")
    assert reply.notice == "Aquí no hay ninguna mesa abierta. Abre una con /nueva."


async def test_a_refusal_names_players_by_their_names(house: Front) -> None:
    ana = house.caller("Ana")
    await house.say(ana, "new", game="casino")
    await house.press(ana, f"{(await house.table()).id}:0:fill")
    reply = await house.say(ana, "kick", player="2")
    assert reply.notice == "Lola is a computer player."


async def wide_table(house: Front) -> tuple[str, list[str]]:
    """A table of a game with wide verbs at which it is Ana's turn, and the words that her verb takes."""
    wide = next(key for key, game in games().items() if game.wide)
    people = await house.begin(wide, "Ana", "Beto")
    ana = people[0]
    for _ in range(60):
        table = await house.table()
        if (await house.to_play(people)) == ana:
            for verb in sorted(table.game.wide):
                if words := table.game.choices(table.state, 0, (verb,)).words:
                    await house.press(ana, f"{table.id}:{table.stamp}:pick:{verb}")
                    return verb, list(words)
        mover = await house.to_play(people)
        await house.dispatcher.service.change(
            table.id, lambda t: t.play(t.awaited()[0], str(next(iter(t.game.moves(t.state, t.awaited()[0])))))
        )
        await settle()
        assert mover
    raise AssertionError("nobody could lay anything")


async def draft(house: Front) -> Draft:
    person = await house.person(house.caller("Ana"))
    return await house.dispatcher.panels.draft_of(await house.table(), person)


async def test_quick_taps_add_up(house: Front) -> None:
    verb, words = await wide_table(house)
    table, ana = await house.table(), house.caller("Ana")
    second = table.game.choices(table.state, 0, (verb, words[0])).words[0]
    await asyncio.gather(
        house.dispatcher.press(ana, f"{table.id}:{table.stamp}:add:{words[0]}", "a"),
        house.dispatcher.press(ana, f"{table.id}:{table.stamp}:add:{second}", "b"),
    )
    assert (await draft(house)).path == (verb, words[0], second)


async def test_a_picked_word_can_be_taken_out_again(house: Front) -> None:
    verb, words = await wide_table(house)
    table, ana = await house.table(), house.caller("Ana")
    await house.press(ana, f"{table.id}:{table.stamp}:add:{words[0]}")
    assert offers(house.panel(ana), "drop")[0].label.startswith("✓")
    await house.press(ana, offers(house.panel(ana), "drop")[0].data)
    assert (await draft(house)).path == (verb,)


async def test_the_way_back_leads_to_the_beginning(house: Front) -> None:
    await wide_table(house)
    ana = house.caller("Ana")
    await house.press(ana, key(house.panel(ana), "Back").data)
    assert (await draft(house)).path == ()


async def test_a_draft_outlives_the_process_and_not_the_next_move(house: Front) -> None:
    verb, words = await wide_table(house)
    table, ana = await house.table(), house.caller("Ana")
    await house.press(ana, f"{table.id}:{table.stamp}:add:{words[0]}")
    async with front(house.store, house.wall, house.clock) as again:
        assert (await draft(again)).path == (verb, words[0])
        move = str(next(iter(table.game.moves(table.state, 0))))
        await again.press(ana, f"{table.id}:{table.stamp}:move:{move}")
        person = await again.person(ana)
        left = await again.dispatcher.panels.draft(await again.table(), person, lambda kept: kept)
        assert left.path == ()


async def test_the_careful_are_asked_first() -> None:
    async with front() as house:
        people = await house.begin("casino", "Ana", "Beto")
        mover = await house.to_play(people)
        await house.say(mover, "settings", setting="careful", value="on")
        offer = offers(house.panel(mover), "move")[0]
        await house.press(mover, offer.data)
        assert (await house.table()).stamp == 0
        assert f"Do you mean it: {offer.label}?" in text(house.panel(mover))
        assert [one.label for one in keys(house.panel(mover))] == [f"Yes: {offer.label}", "Back"]
        await house.press(mover, offers(house.panel(mover), "sure")[0].data)
        assert (await house.table()).stamp == 1
        assert SURE not in (await house.dispatcher.panels.draft_of(await house.table(), "")).path


async def test_a_move_too_long_for_a_button_is_found_by_its_hash() -> None:
    words = "capture 10S " + "+".join(["2H"] * 20)
    data = CallbackData("0123456789", 7, "move", words).spelled(64)
    press = CallbackData.parse(data)
    assert press is not None
    assert len(data.encode()) <= 64
    assert press.meant(["throw 2S", words]) == words
    assert press.meant(["throw 2S"]) is None


async def test_the_answer_to_join_shows_the_seal(house: Front) -> None:
    ana, beto = house.caller("Ana"), house.caller("Beto")
    await house.say(ana, "new", game="casino")
    table = await house.table()
    reply = await house.press(beto, f"{table.id}:0:join")
    assert f"The shuffle is sealed: {table.seed_source.commitment}" in text(reply.page)
    assert "Your cards will come by private message." in text(reply.page)


async def test_who_takes_no_private_messages_is_told_how_to_see_their_cards() -> None:
    async with front(wall=Wall(closed={"beto"})) as house:
        ana, beto = house.caller("Ana"), house.caller("Beto")
        await house.say(ana, "new", game="casino")
        table = await house.table()
        reply = await house.press(beto, f"{table.id}:0:join")
        assert "press “My hand”" in text(reply.page)
        await house.press(ana, f"{table.id}:0:start")
        assert not house.wall.pages("alone:beto")
        page = (await house.press(beto, key(house.board(), "My hand").data)).page
        assert "your hand" in text(page)


async def test_an_own_page_is_replaced_by_the_next(house: Front) -> None:
    people = await house.begin("casino", "Ana", "Beto")
    mover = await house.to_play(people)
    page = (await house.press(mover, key(house.board(), "My hand").data)).page
    reply = await house.press(mover, offers(page, "move")[0].data, own=True)
    assert "Beto is to play." in text(reply.page) or "Ana is to play." in text(reply.page)


async def test_where_no_page_can_be_shown_alone_the_hand_comes_in_brief() -> None:
    wall = Wall(limits=TELEGRAPH, address="https://chat.example/", closed={"ana", "beto"})
    async with front(wall=wall) as house:
        people = await house.begin("casino", "Ana", "Beto")
        table = await house.table()
        reply = await house.press(people[0], key(house.board(), "My hand").data)
        held = [card.replace("S", "♠") for card in map(str, table.state.hands[0]) if card.endswith("S")]
        assert all(card in reply.brief for card in held)
        assert len(reply.brief) <= 200
        assert [one.url for one in keys(reply.page)] == [f"https://chat.example/{table.id}"]
        assert any(one.url for one in keys(house.board())), "the board leads to the private chat"


async def test_opening_the_chat_brings_the_cards_even_without_the_payload() -> None:
    wall = Wall(limits=TELEGRAPH, address="https://chat.example/", closed={"ana", "beto"})
    async with front(wall=wall) as house:
        await house.begin("casino", "Ana", "Beto")
        wall.closed.clear()
        await house.dispatcher.arrive(house.caller("Ana", private=True), "", "x")
        await settle()
        assert "your hand" in text(house.panel(house.caller("Ana")))


async def test_house_rules_are_set_by_whoever_opened_the_table(house: Front) -> None:
    ana, beto = house.caller("Ana"), house.caller("Beto")
    await house.say(ana, "new", game="casino")
    table = await house.table()
    await house.press(beto, f"{table.id}:0:join")
    page = (await house.press(beto, f"{table.id}:0:house")).page
    assert (await house.press(beto, keys(page)[0].data)).notice == "Only who opened the table may do that."
    after = (await house.press(ana, keys(page)[0].data)).page
    option, values = next(iter(table.game.options.items()))
    assert (await house.table()).options[option] == values[1]
    assert keys(after)[0].label != keys(page)[0].label
    assert "House rules:" in text(house.board())


async def test_a_button_may_ask_for_words_first(house: Front) -> None:
    ana = house.caller("Ana")
    await house.say(ana, "new", game="casino")
    data = key(house.board(), "Cut").data
    assert await house.dispatcher.asks(ana, data) == "A few words to cut the deck with"
    assert await house.dispatcher.asks(ana, key(house.board(), "Start").data) == ""
    await house.press(ana, data, answer="my  own\nwords")
    assert (await house.table()).cuts == ((0, "my own words"),)
    assert "Ana cut the deck: my own words" in text(house.board())


async def test_an_error_is_apologised_for_without_its_words(
    house: Front, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the queen of spades")

    monkeypatch.setattr(house.store, "tables", broken)
    with caplog.at_level(logging.ERROR):
        reply = await house.say(house.caller("Ana"), "join")
    assert reply.notice == (
        "Sorry: something went wrong. Please look at the table, and try again if nothing has happened."
    )
    assert "RuntimeError" in caplog.text
    assert "queen" not in caplog.text


async def test_two_strangers_messages_in_one_instant_make_one_person(house: Front) -> None:
    ana = house.caller("Ana")
    await asyncio.gather(*(house.dispatcher.command(ana, "help", {}, str(n)) for n in range(5)))
    account = await house.store.account("wall", "ana")
    assert account is not None
    assert await house.person(ana) == account.person
    assert len(await house.store.accounts(account.person)) == 1
