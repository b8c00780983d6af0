"""Moves as people type them: a verb, a card in any spelling, or a verb that needs more."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from bot.ports import Caller
from bot.tables.table import Table
from tests.support.harness import BotHarness, bot_harness, keys, offers, text


@pytest.mark.parametrize("locale", ["en", "es"])
async def test_a_card_in_any_spelling_completes_to_its_moves_and_is_played(locale: str) -> None:
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        mover = await bot.to_play(people)
        await bot.say(mover, "language", language=locale)
        table = await bot.table()
        moves = [str(move) for move in table.game.moves(table.state, table.required()[0])]
        throws = [move for move in moves if move.startswith("throw ")]
        card = throws[0].split()[1]
        symbol = card[:-1] + dict(zip("SHDC", "♠♥♦♣", strict=True))[card[-1]]
        verb = {"en": "throw", "es": "tirar"}[locale]
        for typed in (card, card.lower(), symbol, f"{verb} {symbol}", f"throw {card.lower()}"):
            found = await bot.dispatcher.complete(mover, "play", "move", typed, {})
            assert f"throw {card}" in [suggestion.value for suggestion in found], typed
        every = await bot.dispatcher.complete(mover, "play", "move", verb, {})
        assert set(throws) <= {one.value for one in every}
        await bot.say(mover, "play", move=f"{verb} {symbol}")
        assert (await bot.table()).entries[-1].body["move"] == f"throw {card}"


async def test_a_verb_that_needs_more_asks_and_shows_what_may_follow() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        mover = await bot.to_play(people)
        reply = await bot.say(mover, "play", move="throw")
        assert (reply.notice, (await bot.table()).stamp) == ("Finish your move: Throw …", 0)
        table = await bot.table()
        throws = [str(move) for move in table.game.moves(table.state, table.required()[0])]
        shown = [button.data.split(":", 3)[-1] for button in offers(reply.page, "move")]
        assert shown == [move for move in throws if move.startswith("throw ")]
        assert "Throw …" in text(bot.panel(mover))
        assert keys(reply.page)[-1].label == "Back"
        await bot.press(mover, offers(bot.panel(mover), "move")[0].data)
        assert (await bot.table()).stamp == 1


async def test_in_the_private_chat_the_panel_alone_shows_what_may_follow() -> None:
    async with bot_harness() as bot:
        mover = await bot.to_play(await bot.begin("casino", "Ana", "Beto"))
        reply = await bot.type(bot.caller(mover.name, private=True), "throw")
        assert (reply.notice, reply.page) == ("Finish your move: Throw …", None)
        assert "Throw …" in text(bot.panel(mover))


async def test_an_unfinished_move_typed_again_in_the_private_chat_brings_the_panel_below_it() -> None:
    async with bot_harness() as bot:
        mover = await bot.to_play(await bot.begin("casino", "Ana", "Beto"))
        alone = bot.caller(mover.name, private=True)
        await bot.type(alone, "throw")
        bot.platform.requests.clear()
        reply = await bot.type(alone, "throw")
        assert (reply.notice, reply.page) == ("Finish your move: Throw …", None)
        assert bot.platform.requests == ["delete", f"whisper alone:{mover.user}"]
        assert "Throw …" in text(bot.panel(mover))
        await bot.press(mover, offers(bot.panel(mover), "move")[0].data)
        assert (await bot.table()).stamp == 1


async def until_lay(bot: BotHarness, people: Sequence[Caller]) -> Table:
    """Plays first moves until the player whose turn it is can lay a group."""
    while True:
        table = await bot.table()
        moves = list(table.game.moves(table.state, table.required()[0]))
        if any(move.verb == "lay" for move in moves):
            return table
        await bot.press(await bot.to_play(people), f"{table.id}:{table.stamp}:move:{moves[0]}")


async def test_a_verb_with_a_free_choice_of_cards_shows_the_cards_that_may_follow() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("trio_escalera", "Ana", "Beto")
        table = await until_lay(bot, people)
        reply = await bot.say(await bot.to_play(people), "play", move="lay")
        assert reply.notice == "Finish your move: Lay …"
        assert offers(reply.page, "add")
        assert (await bot.table()).stamp == table.stamp


async def test_a_card_alone_shows_its_moves_and_a_near_word_is_named() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        table = await bot.table()
        throw = str(next(iter(table.game.moves(table.state, table.required()[0]))))
        mover = await bot.to_play(people)
        refused = await bot.say(mover, "play", move=throw.replace("throw", "trow"))
        assert refused.notice == f"That isn't a move in this game. Did you mean “{throw}”?"
        assert (await bot.table()).stamp == 0
        await bot.say(mover, "play", move=throw.partition(" ")[2].lower())
        assert (await bot.table()).entries[-1].body["move"] == throw
        while True:
            table = await bot.table()
            moves = [move.words[0] for move in table.game.moves(table.state, table.required()[0])]
            several = [card for card in moves if moves.count(card) > 1]
            mover = await bot.to_play(people)
            if several:
                break
            await bot.say(mover, "play", move=f"throw {moves[0]}")
        stamp, reply = table.stamp, await bot.say(mover, "play", move=several[0].lower())
        assert (await bot.table()).stamp == stamp
        assert reply.notice.startswith("Finish your move: ")
        shown = [button.data.split(":", 3)[-1] for button in offers(reply.page, "move")]
        assert len(shown) == moves.count(several[0])


@pytest.mark.parametrize(
    ("locale", "line", "told"),
    [
        ("en", "capture", "You can't play “Capture” right now."),
        ("es", "construir", "Ahora no puedes jugar «Construir»."),
    ],
)
async def test_a_verb_that_has_no_move_now_is_not_called_unknown(locale: str, line: str, told: str) -> None:
    async with bot_harness() as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        verb = {"capture": "capture", "construir": "build"}[line]
        while True:
            table = await bot.table()
            moves = list(table.game.moves(table.state, table.required()[0]))
            mover = await bot.to_play(people)
            if all(move.verb != verb for move in moves):
                break
            await bot.say(mover, "play", move=str(next(move for move in moves if move.verb == "throw")))
        await bot.say(mover, "language", language=locale)
        assert (await bot.say(mover, "play", move=line)).notice == told


async def test_who_wants_no_suggestions_puts_moves_together_from_the_verb() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("trio_escalera", "Ana", "Beto")
        await until_lay(bot, people)
        mover = await bot.to_play(people)
        for value, suggested in (("off", False), ("full", True)):
            await bot.say(mover, "settings", setting="suggestions", value=value)
            labels = [
                button.label for button in keys(bot.panel(mover)) if re.match(r"Lay .*[♠♥♦♣]", button.label)
            ]
            assert bool(labels) == suggested
            assert [button for button in keys(bot.panel(mover)) if button.label.rstrip(" …") == "Lay"]
