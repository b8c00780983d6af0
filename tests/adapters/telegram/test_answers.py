"""Answers to commands in a group: a reaction, a sentence, or none; they never delay the table."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.telegram.platform import _REACTION
from bot.ports import Caller, Reply
from tests.adapters.telegram.emulator import BOT, Shown, refusing
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, Player, World, opened

pytestmark = pytest.mark.real

USED_UP = "I answer only a few commands a minute here. In our private chat I answer them all."
OK, EYES = "👌", "👀"
UNKNOWN = "/weather@sobremesa_bot"
"""A command that the bot does not have, addressed to it by name."""


async def crowd_asks(world: World, times: int) -> None:
    """Ten people who have not opened the private chat type commands, which are answered in the group."""
    crowd = [world.player(30 + n, f"Guest {n}", opened=False) for n in range(10)]
    for n in range(times):
        await crowd[n % 10].writes("/new nonsense", GROUP)


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    # The bot is stopped while answers still wait for their turn.
    monkeypatch.setattr("adapters.telegram.platform._GRACE", 0.05)
    async with opened() as world:
        yield world


async def to_play(world: World, *players: Player) -> Player:
    """The player whose turn it is."""
    table = await world.table()
    return next(player for player in players if player.seat(table) in table.active())


async def a_move(world: World) -> str:
    """The first legal move of the awaited player."""
    table = await world.table()
    return str(next(iter(table.game.moves(table.state, table.active()[0]))))


async def test_a_move_in_a_group_is_answered_by_a_reaction(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob, "cardlebones")
    here, player = len(world.shown(GROUP)), await to_play(world, ana, bob)
    message = player.message(f"/play {await a_move(world)}", GROUP)
    await world.happens({"message": message})
    assert (await world.table()).stamp == 1
    assert world.emulator.book.reactions[-1] == (GROUP, message["message_id"], OK)
    assert len(world.shown(GROUP)) == here


@pytest.mark.parametrize(
    ("command", "is_shown"),
    [("/new casino", True), ("/cut words", True), ("/table", True), ("/end", True), (UNKNOWN, False)],
)
async def test_a_command_whose_effect_the_table_shows_is_answered_by_a_reaction(
    world: World, command: str, is_shown: bool
) -> None:
    ana = world.player(1, "Ana")
    if not command.startswith("/new"):
        await ana.writes("/new casino", GROUP)
        world.emulator.book.reactions.clear()
    before = len(ana.alone())
    await ana.writes(command, GROUP)
    assert [emoji for _, _, emoji in world.emulator.book.reactions] == [OK if is_shown else EYES]
    assert not any(message.answers for message in world.shown(GROUP))
    assert is_shown or len(ana.alone()) == before + 1


async def test_a_player_who_joins_without_a_private_chat_gets_the_link(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await ana.writes("/new casino", GROUP)
    await bob.writes("/join", GROUP)
    assert world.shown(GROUP)[-1].buttons[0].url.startswith(f"https://t.me/{BOT}?start=")


@pytest.mark.parametrize("reached", [True, False])
async def test_a_group_is_not_told_of_a_member_who_goes_too_fast(
    world: World, reached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def limited(*_: object) -> Reply:
        return Reply("Too fast.", quiet=True)

    ana = world.player(1, "Ana", opened=reached)
    await ana.writes("/new casino", GROUP)
    here, alone = len(world.shown(GROUP)), len(world.shown(1))
    monkeypatch.setattr(world.dispatcher, "command", limited)
    await ana.writes("/new casino", GROUP)
    assert (len(world.shown(GROUP)), len(world.shown(1))) == (here, alone + reached)


async def test_a_group_without_reactions_is_no_trouble(world: World) -> None:
    ana = world.player(1, "Ana")
    world.emulator.book.allows_reactions = False
    await ana.writes("/new casino", GROUP)
    assert "Casino, table 1" in world.public_panel().plain
    assert not any(message.answers for message in world.shown(GROUP))


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The log's lines about answers and reactions, each up to its first colon."""
    found = (record.getMessage() for record in caplog.records if record.name == "adapters.telegram.answers")
    return [line.partition(":")[0] for line in found]


async def test_reactions_that_a_group_does_not_get_are_a_line_a_minute(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "adapters.telegram.answers")
    ana = world.player(1, "Ana")
    world.emulator.book.allows_reactions = False
    await ana.writes("/new casino", GROUP)
    for _ in range(4):
        await ana.writes("/table", GROUP)
    assert logged(caplog) == ["the bot could not react to a command"]
    await world.pass_(61)
    await ana.writes("/table", GROUP)
    assert len(logged(caplog)) == 2
    assert caplog.messages[-1].endswith(" (4 more since the last such line)")


async def test_answers_that_a_group_does_not_get_are_a_line_a_minute(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "adapters.telegram.answers")
    eve = world.player(3, "Eve", opened=False)
    for _ in range(9):
        await eve.writes("/hand", GROUP)
    assert logged(caplog) == ["a sender has used up their share of a group's answers"]


def test_a_reaction_is_sent_at_once_or_not_at_all() -> None:
    assert _REACTION.patience == 0.0


async def test_answers_leave_the_table_its_share(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    await world.pass_(60)
    begun = len(world.emulator.book.calls)
    await crowd_asks(world, 30)
    await world.pass_(30)
    calls = world.emulator.book.calls[begun:]
    assert sum(call.method == "sendMessage" and call.chat == GROUP for call in calls) == 8


async def test_one_persons_commands_take_a_small_part_of_a_groups_messages(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    eve = world.player(3, "Eve", opened=False)
    await ana.writes("/new casino", GROUP)
    await world.pass_(60)
    here = len(world.shown(GROUP))
    for _ in range(9):
        await eve.writes("/hand", GROUP)
    assert len(world.shown(GROUP)) == here + 3
    await bob.writes("/hand", GROUP)
    assert len(world.shown(GROUP)) == here + 4, "another is answered at once"
    await world.pass_(61)
    later = world.shown(GROUP)[here + 4 :]
    assert [one.plain.partition("\n")[0] for one in later] == [USED_UP], "told once, though six were dropped"
    assert later[0].button("Open our private chat")
    await eve.writes("/hand", GROUP)
    assert len(world.shown(GROUP)) == here + 6


async def test_a_refusal_goes_to_the_open_private_chat(world: World) -> None:
    ana = world.player(1, "Ana", "es")
    for _ in range(9):
        await ana.writes("/mano", GROUP)
    assert world.shown(GROUP) == []
    assert len(ana.alone()) == 9
    assert {message.plain for message in ana.alone()} == {
        "Aquí no hay ninguna mesa abierta. Abre una con /nueva."
    }


async def test_the_table_moves_on_though_a_group_is_full_of_answers(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    await world.pass_(60)
    await crowd_asks(world, 30)
    player, before = await to_play(world, ana, bob), world.public_panel().plain
    await player.presses(player.panel, player.can("move")[0])
    await world.pass_(4)
    assert world.public_panel().plain != before


async def test_an_answer_that_waits_does_not_hold_the_next_command(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob, "cardlebones")
    if await to_play(world, ana, bob) is ana:
        await ana.presses(ana.panel, ana.can("move")[0])
    await world.pass_(60)
    for _ in range(3):
        await bob.writes("/play nonsense", GROUP)
        await world.pass_(17)
    # The next answer must wait until the first one is a minute old.
    stamp, answered = (await world.table()).stamp, len(world.shown(GROUP))
    await bob.writes("/play nonsense", GROUP)
    assert len(world.shown(GROUP)) == answered
    await bob.writes(f"/play {await a_move(world)}", GROUP)
    assert (await world.table()).stamp == stamp + 1
    await world.pass_(9)
    assert len(world.shown(GROUP)) == answered + 1


async def test_an_answer_that_telegram_puts_off_for_too_long_is_dropped(world: World) -> None:
    ana = world.player(1, "Ana")
    world.emulator.book.faults.append(refusing("sendMessage", "Too Many Requests", 429, retry_after=30))
    await ana.writes(UNKNOWN, GROUP)
    await world.pass_(60)
    assert (world.shown(GROUP), ana.alone()) == ([], [])


async def test_a_game_that_is_not_known_is_asked_for_with_buttons_in_the_group_too(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new cardelbones", GROUP)
    question = world.shown(GROUP)[-1]
    assert question.plain.startswith("Which game?")
    await ana.presses(question, "Cardlebones")
    assert (await world.table()).game.key == "cardlebones"


async def asked(world: World, player: Player) -> Shown:
    """Presses Cut; the bot's question in the private chat."""
    await player.presses(world.public_panel(), "Cut")
    return player.alone()[-1]


async def test_cut_asks_for_words_in_our_private_chat(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    question = await asked(world, ana)
    assert (question.plain, question.asks) == ("A few words to cut the deck with", True)
    assert ana.told == "Look in our private chat."


@pytest.mark.parametrize(
    ("user", "reason"), [(1, "The game has already begun."), (3, "You have no seat at this table.")]
)
async def test_an_old_or_foreign_cut_button_asks_nothing(world: World, user: int, reason: str) -> None:
    ana, eve = world.player(1, "Ana"), world.player(3, "Eve")
    await ana.writes("/new casino", GROUP)
    public_panel = world.public_panel()
    cut = public_panel.button("Cut")
    if user == 1:
        await ana.presses(public_panel, "Start")
        await world.pass_(10)
    presser = ana if user == 1 else eve
    await presser.writes("/help")
    await presser.presses(public_panel, cut)
    assert not [message for message in presser.alone() if message.asks]
    assert presser.told == reason


async def test_the_words_cut_the_deck(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    question = await asked(world, ana)
    await ana.answers(question, "seven & <b>")
    await world.pass_(10)
    assert "seven & <b>" in world.public_panel().plain
    assert ana.alone()[-1].plain == "You cut the deck."
    assert not question.alive


async def test_a_question_outlives_the_program() -> None:
    async with opened() as world:
        ana = world.player(1, "Ana")
        await ana.writes("/new casino", GROUP)
        question = await asked(world, ana)
    async with opened(world.emulator, world.store, world.clock) as world:
        await world.player(1, "Ana").answers(question, "seven")
        await world.pass_(10)
        assert "seven" in world.public_panel().plain


async def test_words_that_come_too_late_are_refused(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    question = await asked(world, ana)
    await ana.presses(world.public_panel(), "Start")
    await ana.answers(question, "seven")
    assert "begun" in ana.alone()[-1].plain


async def test_cut_says_how_where_the_chat_is_closed(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await ana.writes("/new casino", GROUP)
    await bob.presses(world.public_panel(), "Join")
    await bob.presses(world.public_panel(), "Cut")
    assert bob.told == "To cut the deck, send /cut and a few words of your own."


async def test_cut_says_how_where_the_chat_turns_out_to_be_closed(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    await bob.presses(world.public_panel(), "Join")
    world.emulator.book.opened.discard(2)
    await bob.presses(world.public_panel(), "Cut")
    assert bob.told == "To cut the deck, send /cut and a few words of your own."


async def test_cut_says_how_where_telegram_refuses_the_question(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "adapters.telegram.answers")
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    world.emulator.book.faults.append(refusing("sendMessage", "Bad Request: ENTITY_BOUNDS_INVALID"))
    await ana.presses(world.public_panel(), "Cut")
    assert ana.told == "To cut the deck, send /cut and a few words of your own."
    assert "the bot could not ask in a private chat: Rejected (HTTP 400)" in caplog.messages


async def test_only_our_own_questions_are_heard(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    await ana.answers(await asked(world, ana), "seven", author=3)
    await world.pass_(10)
    assert "seven" not in world.public_panel().plain


async def test_an_answer_that_still_waits_keeps_nobody_from_stopping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.platform._GRACE", 0.05)
    async with opened() as world:
        ana = world.player(1, "Ana", opened=False)
        for _ in range(3):
            await ana.writes("/new nonsense", GROUP)
            await world.pass_(17)
        await ana.writes("/new nonsense", GROUP)
        assert len(world.shown(GROUP)) == 3
    assert len(world.shown(GROUP)) == 3


async def test_each_person_is_heard_in_turn_and_waits_for_nobody_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob, obey = world.player(1, "Ana"), world.player(2, "Bob", opened=False), world.dispatcher.command

    async def slowly(caller: Caller, name: str, *given: Any) -> Reply:
        if name == "new":
            await world.clock.sleep(3)
        return await obey(caller, name, *given)

    monkeypatch.setattr(world.dispatcher, "command", slowly)
    await ana.writes("/new casino", GROUP)
    await ana.writes("/cut seven", GROUP)
    await bob.writes(UNKNOWN, GROUP)
    assert "no command “weather”" in world.shown(GROUP)[-1].plain
    await world.pass_(10)
    assert "seven" in world.public_panel().plain
