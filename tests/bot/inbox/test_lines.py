"""Typed lines: numbers and labels of the keys offered last, commands with and without a sign, moves."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.shared.rendering.message import Message
from bot.inbox.allowances import Allowances
from bot.inbox.moves import menus as menus_module
from bot.inbox.moves.menus import READING, Menus, Pressed, Said
from bot.model.people import Account
from bot.ports import Caller, Key, Page, Reply
from engines.cards import Card
from engines.game import Move
from engines.values import replace
from tests.support.clock import VirtualClock
from tests.support.harness import ALONE, PLACE, BotHarness, bot_harness, keys, text
from tests.support.platform import ROOMY, FakePlatform

LATER = READING + 0.1


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


def alone(bot: BotHarness, caller: Caller) -> Caller:
    """The same sender in the private chat."""
    return bot.caller(caller.name, private=True, locale=caller.locale)


async def playing(bot: BotHarness, key: str = "casino") -> tuple[Caller, list[Caller]]:
    """The player to move, in the private chat, and all players of a new table; menus count as read."""
    people = await bot.begin(key, "Ana", "Beto")
    await bot.clock.advance(LATER)
    return alone(bot, await bot.to_play(people)), people


def number_of(page: Page | Message | None, action: str) -> int:
    """The number of the first key with an action."""
    return next(n for n, one in enumerate(keys(page), 1) if f":{action}" in one.data)


async def first_move(bot: BotHarness) -> Move:
    table = await bot.table()
    return next(iter(table.game.moves(table.state, table.active()[0])))


async def test_a_number_presses_the_key_with_this_number(bot: BotHarness) -> None:
    mover, _ = await playing(bot)
    n = number_of(bot.panel(mover), "move")
    data = keys(bot.panel(mover))[n - 1].data
    assert (await bot.type(mover, str(n))).notice == ""
    table = await bot.table()
    move = table.move_at(0)
    assert move is not None
    assert f":{move.body['move']}" in data


async def test_a_word_that_two_keys_have_after_a_plus_and_a_minus_presses_neither(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    ana = bot.caller("Ana", private=True)
    offered = [key.label for key in keys((await bot.type(ana, "computers")).page)]
    assert {"+ Computer", "− Computer"} <= set(offered)
    await bot.type(ana, "computer")
    before = await bot.table()
    await bot.type(ana, "+ Computer")
    assert [len(table.players) for table in (before, await bot.table())] == [1, 2]


async def test_a_number_typed_twice_makes_one_move(bot: BotHarness) -> None:
    mover, _ = await playing(bot)
    n = number_of(bot.panel(mover), "move")
    await bot.type(mover, str(n))
    # The next menu is shown already, but nobody can have read it.
    assert (await bot.type(mover, str(n))).notice == "That has already been done."
    assert (await bot.table()).stamp == 1


async def test_a_number_means_the_newest_menu_once_that_could_be_read(bot: BotHarness) -> None:
    mover, _ = await playing(bot)
    await bot.type(mover, str(number_of(bot.panel(mover), "move")))
    await bot.clock.advance(LATER)
    assert [key.data.split(":")[2] for key in keys(bot.panel(mover))] == ["leave", "undo"]
    await bot.type(mover, "1")
    await bot.clock.advance(LATER)
    await bot.type(mover, "1")
    assert [player.is_held for player in (await bot.table()).players].count(True) == 1


async def test_a_number_never_leaves_a_table_whose_cards_are_just_being_dealt(bot: BotHarness) -> None:
    """A key to leave counts whatever its stamp, which for a move tells whether it is still meant."""
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="svoi", players="2")
    await bot.clock.advance(LATER)
    n = str(number_of(bot.panel(ana), "leave"))
    await bot.say(ana, "start")
    reply = await bot.type(alone(bot, ana), n)
    assert reply.notice == "The choices have just changed; here they are."
    table = await bot.table()
    assert (table.status, table.players[0].is_held) == ("playing", False)


async def test_a_refused_number_is_answered_with_the_menu_anew_where_messages_are_not_edited() -> None:
    async with bot_harness(platform=FakePlatform(replace(ROOMY, edits=False))) as bot:
        mover, _ = await playing(bot)
        n = number_of(bot.panel(mover), "move")
        await bot.type(mover, str(n))
        reply = await bot.type(mover, str(n))
        assert reply.notice == "That has already been done."
        assert text(reply.page) == text(bot.panel(mover))


async def test_a_number_that_is_not_in_the_menu_is_refused(bot: BotHarness) -> None:
    mover, _ = await playing(bot)
    reply = await bot.type(mover, "77")
    assert reply.notice == "There is no 77 in the menu."
    assert [key.data for key in keys(reply.page)] == [key.data for key in keys(bot.panel(mover))]


async def test_after_a_restart_a_number_is_answered_with_the_menu_anew_and_never_guessed(
    bot: BotHarness,
) -> None:
    mover, _ = await playing(bot)
    n = number_of(bot.panel(mover), "move")
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        reply = await again.type(mover, str(n))
        assert reply.notice.startswith(f"I've lost track of what {n} meant")
        assert (await again.table()).stamp == 0
        await again.clock.advance(LATER)
        await again.type(mover, str(number_of(reply.page, "move")))
        assert (await again.table()).stamp == 1


async def test_a_number_delivered_again_presses_nothing_in_the_next_menu(bot: BotHarness) -> None:
    mover, _ = await playing(bot)
    n = str(number_of(bot.panel(mover), "move"))
    await bot.type(mover, n, "wall:again")
    await bot.clock.advance(LATER)
    assert await bot.type(mover, n, "wall:again") == Reply()
    table = await bot.table()
    assert (table.stamp, [player.is_held for player in table.players]) == (1, [False, False])


@pytest.mark.parametrize("locale", ["en", "es"])
async def test_a_label_is_a_press(bot: BotHarness, locale: str) -> None:
    ana = replace(bot.caller("Ana"), locale=locale)
    await bot.say(ana, "new", game="casino")
    label = {"en": "start", "es": "EMPEZAR"}[locale]
    await bot.type(alone(bot, ana), label)
    assert (await bot.table()).status == "playing"


@pytest.mark.parametrize("waiting", [1, 2])
async def test_a_label_that_two_tables_offer_goes_to_the_one_that_waits_for_the_sender(
    bot: BotHarness, waiting: int
) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    for number in (1, 2):
        # In Boathouse a turn goes on after the first move, in Casino it is over.
        await bot.say(ana, "new", game="boathouse" if number == waiting else "casino", clock="off")
        game = (await bot.table(number)).id
        await bot.press(beto, f"{game}:0:join")
        await bot.press(ana, f"{game}:0:start")
        while (await bot.table(number)).active() != (0,):
            await bot.dispatcher.service.change(game, lambda table: table.time_out(1))
    for number in (1, 2):
        table = await bot.table(number)
        move = next(iter(table.game.moves(table.state, 0)))
        await bot.say(ana, "play", move=str(move), table=str(number))
    await bot.clock.advance(LATER)
    before = [len((await bot.table(number)).entries) for number in (1, 2)]
    await bot.type(alone(bot, ana), "take back")
    after = [len((await bot.table(number)).entries) for number in (1, 2)]
    assert [was < now for was, now in zip(before, after, strict=True)] == [waiting == 1, waiting == 2]


async def to_move_at_two_tables(bot: BotHarness, *games: str) -> Caller:
    """Begins two games and plays each until it is Ana's turn; Ana, in the private chat."""
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    for number, game in enumerate(games, 1):
        await bot.say(ana, "new", game=game, clock="off")
        table = await bot.table(number)
        await bot.press(beto, f"{table.id}:0:join")
        await bot.press(ana, f"{table.id}:0:start")
        while (await bot.table(number)).active() != (0,):
            await bot.dispatcher.service.change(table.id, lambda table: table.time_out(1))
    await bot.clock.advance(LATER)
    return alone(bot, ana)


async def test_a_move_that_only_one_of_two_games_knows_is_made_there(bot: BotHarness) -> None:
    ana = await to_move_at_two_tables(bot, "cardlebones", "boathouse")
    before = [(await bot.table(number)).stamp for number in (1, 2)]
    await bot.type(ana, "draw stock")
    assert [(await bot.table(number)).stamp for number in (1, 2)] == [before[0], before[1] + 1]
    await bot.type(ana, "b2")
    assert (await bot.table(1)).stamp == before[0] + 1


async def test_a_move_that_may_be_for_two_tables_is_answered_with_both(bot: BotHarness) -> None:
    ana = await to_move_at_two_tables(bot, "boathouse", "boathouse")
    before = (await bot.table(2)).stamp
    reply = await bot.type(ana, "draw stock")
    offered = {button.label: button.data for button in keys(reply.page)}
    assert sorted(offered) == ["Boathouse Rum 1: Ana, Beto", "Boathouse Rum 2: Ana, Beto"]
    await bot.press(ana, offered["Boathouse Rum 2: Ana, Beto"])
    assert (await bot.table(2)).stamp == before + 1


@pytest.mark.parametrize(
    "line", ["/play draw stock 2", "/play draw stock table:2", "/jugar draw stock mesa 2"]
)
async def test_the_table_of_a_move_may_stand_behind_it(bot: BotHarness, line: str) -> None:
    ana = await to_move_at_two_tables(bot, "boathouse", "boathouse")
    before = (await bot.table(2)).stamp
    await bot.type(ana, line)
    assert (await bot.table(2)).stamp == before + 1


async def test_the_number_of_a_table_in_place_of_a_move_brings_the_cards_there(bot: BotHarness) -> None:
    # Svoi Kozyri has no card that a 2 could name.
    private = await to_move_at_two_tables(bot, "svoi", "svoi")
    before = [(await bot.table(number)).stamp for number in (1, 2)]
    for line in ("/play 2", "/play 1"):
        reply = await bot.type(bot.caller("Ana"), line)
        assert text(reply.page).splitlines()[0] == f"Svoi Kozyri, table {line[-1]}"
    bot.platform.requests.clear()
    await bot.type(private, "/play 2")
    assert bot.platform.requests[-1] == f"whisper {ALONE}ana"
    assert [(await bot.table(number)).stamp for number in (1, 2)] == before


@pytest.mark.parametrize("line", ["hand", "/hand", "mano", "/MANO"])
async def test_a_command_is_typed_with_the_sign_or_without(bot: BotHarness, line: str) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    await bot.type(alone(bot, ana), line)
    assert bot.platform.requests[-1] == f"whisper {ALONE}ana"


async def test_a_command_takes_the_words_after_it(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.type(ana, "/new casino 2 easy")
    assert ((await bot.table()).key, (await bot.table()).level) == ("casino", "easy")


async def test_every_platform_has_its_sign() -> None:
    async with bot_harness(platform=FakePlatform(replace(ROOMY, sign="!"))) as bot:
        await bot.type(bot.caller("Ana"), "!new casino")
        assert (await bot.table()).key == "casino"
        await bot.type(bot.caller("Beto"), "!1")
        assert len((await bot.table()).players) == 2


@pytest.mark.parametrize(
    ("locale", "line", "expected"),
    [
        ("en", "!help", "Open a table with !new; the others type !join."),
        ("es", "!ayuda", "Abre una mesa con !nueva; los demás escriben !unirse."),
        ("en", "!settings", "Type a number to change one."),
        ("en", "!join", "Open one with !new."),
        ("es", "!chess", "!ayuda"),
    ],
)
async def test_sentences_are_worded_by_what_the_platform_can(locale: str, line: str, expected: str) -> None:
    async with bot_harness(platform=FakePlatform(replace(ROOMY, sign="!", buttons=False))) as bot:
        reply = await bot.type(replace(bot.caller("Ana"), locale=locale), line)
        assert expected in (reply.notice or text(reply.page))


async def test_a_command_without_a_sign_is_a_move_where_it_can_be_one(bot: BotHarness) -> None:
    """Trío y Escalera has a verb that is called like the command which closes the table."""
    mover, people = await playing(bot, "trio_escalera")
    assert (await bot.type(mover, "end")).notice == "You haven't placed a card, so draw one first."
    assert (await bot.table()).status == "playing"
    for _ in range(2):
        await bot.type(alone(bot, people[0]), "/end")
    assert (await bot.table()).status == "over"


async def test_an_unknown_command_with_a_sign_is_named(bot: BotHarness) -> None:
    reply = await bot.type(bot.caller("Ana", private=True), "/chess now")
    assert reply.notice.startswith("There is no command “chess”.")


async def test_a_cut_asks_and_the_next_line_is_its_words(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    ana = bot.caller("Ana", private=True)
    assert (await bot.type(ana, "cut")).notice == "A few words to cut the deck with"
    await bot.type(ana, " ")
    assert "too long" in (await bot.type(ana, "1" * 99)).notice
    await bot.type(ana, "start with luck")
    assert (await bot.table()).cuts == ((0, "start with luck"),)
    await bot.type(ana, "start")
    assert (await bot.table()).status == "playing"


async def test_a_question_from_a_public_place_is_answered_there_or_in_private(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    await bot.press(beto, f"{(await bot.table()).id}:0:join")
    for caller, answered in ((ana, alone(bot, ana)), (beto, beto)):
        await bot.type(caller, str(number_of(bot.public_panel(), "cut")))
        await bot.type(answered, f"luck for {caller.name}")
    assert (await bot.table()).cuts == ((0, "luck for Ana"), (1, "luck for Beto"))


async def test_a_question_from_the_private_chat_is_not_answered_in_public(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    await bot.type(alone(bot, ana), "cut")
    await bot.type(ana, "hello")
    assert (await bot.table()).cuts == ()


async def test_a_command_with_its_sign_leaves_the_question_unanswered(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    ana = bot.caller("Ana", private=True)
    await bot.type(ana, "cut")
    await bot.type(ana, "/start")
    assert ((await bot.table()).cuts, (await bot.table()).status) == ((), "playing")


async def test_an_empty_line_shows_the_page_again(bot: BotHarness) -> None:
    mover, _ = await playing(bot)
    reply = await bot.type(mover, "  ")
    assert (reply.notice, text(reply.page)) == ("", text(bot.panel(mover)))


async def test_a_refusal_in_a_private_lobby_keeps_the_keys_of_the_lobby() -> None:
    async with bot_harness(platform=FakePlatform(replace(ROOMY, edits=False))) as bot:
        ana = bot.caller("Ana", private=True)
        await bot.say(ana, "new", game="casino")
        lobby = bot.panel(ana)
        refused = await bot.type(ana, "/undo")
        assert refused.notice == "The cards haven't been dealt yet."
        assert keys(refused.page) == keys(lobby)


async def test_a_line_from_a_public_place_is_about_the_keys_there(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    reply = await bot.type(bot.caller("Beto"), str(number_of(bot.public_panel(), "join")))
    assert "You're sitting at" in text(reply.page)


async def test_a_line_is_cut_before_anything_looks_at_it(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    mover, _ = await playing(bot)
    seen: list[str] = []

    def looked_at(line: str) -> None:
        seen.append(line)

    monkeypatch.setattr(menus_module, "parse_number", looked_at)
    await bot.type(mover, "x" * 100_000)
    assert [len(line) for line in seen] == [Allowances().text]


def test_the_memory_of_menus_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menus_module, "_READERS_KEPT", 3)
    menus = Menus(VirtualClock(stopped=True))
    for n in range(5):
        for label in "abcdefg":
            menus.show(Account("wall", str(n), ""), Page.note(keys=((Key(label, "top"),),)))
    assert [menus.is_known(("wall", str(n))) for n in range(5)] == [False, False, True, True, True]
    assert menus.read(("wall", "4"), "a") == Said()
    assert isinstance(menus.read(("wall", "4"), "g"), Pressed)
    menus.show(PLACE, Page.note("no keys"))
    assert not menus.is_known(PLACE)


def test_however_many_menus_a_table_shows_those_of_the_others_stay() -> None:
    menus, reader = Menus(VirtualClock(stopped=True)), ("wall", "ana")
    ana = Account(*reader, "")
    for game in "abc":
        menus.show(ana, Page.note(keys=((Key("Take back", "undo", game=game), Key("Help", "help")),)))
    for stamp in range(20):
        menus.show(ana, Page.note(keys=((Key("Take back", "undo", game="d", stamp=stamp),),)))
    offered = menus.read(reader, "take back")
    assert isinstance(offered, Pressed)
    assert [(key.game, key.stamp) for key in offered.keys] == [("d", 19), ("c", 0), ("b", 0), ("a", 0)]


def test_the_tables_whose_menus_are_in_memory_are_bounded() -> None:
    menus, reader = Menus(VirtualClock(stopped=True)), ("wall", "ana")
    for number in range(100):
        menus.show(Account(*reader, ""), Page.note(keys=((Key("Deal", "start", game=str(number)),),)))
    offered = menus.read(reader, "deal")
    assert isinstance(offered, Pressed)
    newest = [str(99 - n) for n in range(menus_module._MENUS_KEPT)]
    assert [key.game for key in offered.keys] == newest


def test_of_each_reader_at_most_two_menus_are_not_compressed() -> None:
    menus, reader = Menus(VirtualClock(stopped=True)), ("wall", "ana")
    for game in "abcd":
        menus.show(Account(*reader, ""), Page.note(keys=((Key("Deal", "start", game=game),),)))
    assert [type(menu.held) for menu in menus._shown[reader]] == [bytes, bytes, tuple, tuple]


def test_a_menu_whose_words_are_cards_is_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menus_module, "_MOST_UNCOMPRESSED", 0)
    menus, reader = Menus(VirtualClock(stopped=True)), ("wall", "ana")
    menus.show(Account(*reader, ""), Page.note(keys=((Key(Card("7D"), "pick", Card("7D"), "a"),),)))
    assert menus.read(reader, "7D") == Pressed((Key("7D", "pick", "7D", "a"),))


@pytest.mark.parametrize("unpacked", [0, 100])
def test_a_menu_means_the_same_once_it_is_compressed(unpacked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menus_module, "_MOST_UNCOMPRESSED", unpacked)
    clock = VirtualClock(stopped=True)
    menus, reader = Menus(clock), ("wall", "ana")
    keys = (Key("seven", "move", "throw 7C", "a" * 10, 3, style="main"), Key("help", "help"))
    for _ in range(2):
        menus.show(Account("wall", "ana", ""), Page.note(keys=(keys,)))
    assert not menus._has_just_changed(reader)
    for line in ("1", "seven"):
        pressed = menus.read(reader, line)
        assert isinstance(pressed, Pressed)
        assert [(key.action, key.words, key.stamp) for key in pressed.keys] == [("move", "throw 7C", 3)]
    menus.show(Account("wall", "ana", ""), Page.note(keys=((Key("other", "top"), keys[1]),)))
    newest = menus.read(reader, "2")
    assert isinstance(newest, Pressed)
    assert [key.action for key in newest.keys] == ["help"]
