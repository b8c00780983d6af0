"""A game of simultaneous moves, played through tables, menus, panels, alerts and computers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bot.inbox.moves.menus import READING
from bot.ports import Caller, Reply
from bot.tables.turn_clock import ALERT_AFTER
from engines.game import Game
from tests import luck
from tests.bot.test_played_by_presses import play, seat
from tests.support.clock import VirtualClock, settle
from tests.support.games.throw_in.positions import load, position
from tests.support.games.throw_in.rules import State, View
from tests.support.harness import BotHarness, bot_harness, key, keys, offers, text
from tests.support.simulation import simulation
from tests.support.stress import MANY, StressRun

ThrowIn = Game[State, View]
STALE = "That menu was out of date. Here is the current one."
Deal = Callable[..., Awaitable[list[Caller]]]
"""Deals four players `HANDS`, after the first has led a seven; fields of a position replace any of that."""
HANDS = ("7C 8H", "7S 6S", "7D 9S", "JD")


@pytest.fixture
async def bot(throw_in: ThrowIn) -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


@pytest.fixture
def deal(bot: BotHarness, throw_in: ThrowIn, monkeypatch: pytest.MonkeyPatch) -> Deal:
    async def begin(**fields: object) -> list[Caller]:
        state = load({**position(*HANDS, table="7H"), **fields})
        monkeypatch.setattr(type(throw_in), "new", lambda *given: state)
        return await bot.begin("throw_in", "Ana", "Beto", "Carla", "Dora")

    return begin


def button(bot: BotHarness, player: Caller, move: str) -> str:
    """The callback_data of a move's button in the player's current panel."""
    return key(bot.panel(player), move).data


async def moves(bot: BotHarness) -> list[tuple[int | None, str]]:
    entries = (await bot.table()).entries
    return [(entry.seat, str(entry.body["move"])) for entry in entries if entry.kind == "move"]


async def at_once(bot: BotHarness, *presses: tuple[Caller, str]) -> list[Reply]:
    """Presses all these buttons before any of them is answered; the replies, in the same order."""
    replies = await asyncio.gather(
        *(bot.dispatcher.press(player, data, bot.delivery()) for player, data in presses)
    )
    await settle()
    return replies


async def test_quick_presses_of_several_players_all_count(bot: BotHarness, deal: Deal) -> None:
    ana, beto, carla, dora = await deal()
    replies = await at_once(
        bot,
        (beto, button(bot, beto, "throw 7S")),
        (carla, button(bot, carla, "throw 7D")),
        (dora, button(bot, dora, "pass")),
        (ana, button(bot, ana, "throw 7C")),
    )
    assert [reply.notice for reply in replies] == [""] * 4
    assert await moves(bot) == [(1, "throw 7S"), (2, "throw 7D"), (3, "pass"), (0, "throw 7C")]


async def test_a_second_tap_of_one_press_is_refused(bot: BotHarness, deal: Deal) -> None:
    _, beto, carla, _ = await deal()
    data = button(bot, beto, "throw 7S")
    replies = await at_once(bot, (beto, data), (carla, button(bot, carla, "throw 7D")), (beto, data))
    assert [reply.notice for reply in replies] == ["", "", "That has already been done."]
    assert await moves(bot) == [(1, "throw 7S"), (2, "throw 7D")]


async def test_another_button_of_a_menu_that_was_used_is_refused(bot: BotHarness, deal: Deal) -> None:
    _, beto, _, _ = await deal()
    first, second = button(bot, beto, "throw 7S"), button(bot, beto, "pass")
    replies = await at_once(bot, (beto, first), (beto, second))
    assert [reply.notice for reply in replies] == ["", STALE]
    assert await moves(bot) == [(1, "throw 7S")]
    assert offers(bot.panel(beto), "move")


async def test_a_press_that_another_made_illegal_is_told_why_and_shown_the_menu(
    bot: BotHarness, deal: Deal
) -> None:
    """Ana ends the round; Beto, whose throw came too late, leads next."""
    ana, beto, carla, _ = await deal()
    replies = await at_once(
        bot,
        (ana, button(bot, ana, "stop")),
        (beto, button(bot, beto, "throw 7S")),
        (carla, button(bot, carla, "throw 7D")),
    )
    assert [reply.notice for reply in replies] == ["", "First lead a card.", "It isn't your turn."]
    assert await moves(bot) == [(0, "stop")]
    assert [offered.label for offered in offers(bot.panel(beto), "move")] == ["lead 6S", "lead 7S"]
    assert not offers(bot.panel(carla), "move")


async def test_a_step_in_a_menu_that_means_nothing_any_more_is_refused(bot: BotHarness, deal: Deal) -> None:
    ana, beto, _, _ = await deal()
    table = await bot.table()
    await bot.press(ana, button(bot, ana, "stop"))
    assert (await bot.press(beto, f"{table.id}:{table.stamp}:pick:throw")).notice == STALE


async def test_a_typed_move_counts_though_others_have_moved_since(bot: BotHarness, deal: Deal) -> None:
    _, beto, carla, _ = await deal()
    replies = await asyncio.gather(
        bot.dispatcher.command(beto, "play", {"move": "throw 7S"}, bot.delivery()),
        bot.dispatcher.command(carla, "play", {"move": "throw 7D"}, bot.delivery()),
        bot.dispatcher.command(carla, "play", {"move": "pass"}, bot.delivery()),
    )
    assert await moves(bot) == [(1, "throw 7S"), (2, "throw 7D"), (2, "pass")]
    assert [reply.notice.partition(":")[0] for reply in replies] == ["You played"] * 3


async def test_a_number_for_a_menu_that_another_player_changed_a_moment_ago_still_counts(
    bot: BotHarness, deal: Deal
) -> None:
    _, beto, carla, _ = await deal()
    await bot.clock.advance(2 * READING)
    labels = [key.label for key in keys(bot.panel(carla))]
    number = str(labels.index("throw 7D") + 1)
    await bot.press(beto, button(bot, beto, "throw 7S"))
    await bot.type(bot.caller("Carla", private=True), number)
    assert await moves(bot) == [(1, "throw 7S"), (2, "throw 7D")]


async def test_a_number_that_another_player_made_illegal_is_told_why(bot: BotHarness, deal: Deal) -> None:
    ana, _, carla, _ = await deal()
    await bot.clock.advance(2 * READING)
    number = str([key.label for key in keys(bot.panel(carla))].index("throw 7D") + 1)
    await bot.press(ana, button(bot, ana, "stop"))
    assert (await bot.type(bot.caller("Carla", private=True), number)).notice == "It isn't your turn."
    assert await moves(bot) == [(0, "stop")]


async def test_everybody_awaited_is_named_and_sees_their_menu(bot: BotHarness, deal: Deal) -> None:
    ana, beto, carla, dora = await deal()
    await bot.press(dora, button(bot, dora, "pass"))
    assert "Waiting for Beto and Carla." in text(bot.public_panel())
    assert "You can play too, Ana." in text(bot.panel(ana))
    assert "Waiting for Beto and Carla." in text(bot.panel(dora))
    assert [len(offers(bot.panel(one), "move")) for one in (ana, beto, carla, dora)] == [2, 2, 2, 0]


async def test_all_idle_players_whom_the_game_waits_for_are_reminded_and_no_other(
    bot: BotHarness, deal: Deal
) -> None:
    ana, beto, carla, dora = await deal(table=[])
    await bot.press(ana, button(bot, ana, "lead 7C"))
    await bot.clock.advance(ALERT_AFTER + 1)
    alerts = [
        sum("Your turn: Throw-in" in text(page) for page in bot.platform.pages(f"alone:{one.user}"))
        for one in (ana, beto, carla, dora)
    ]
    assert alerts == [0, 1, 1, 1]
    await bot.say(beto, "play", move="pass")
    await bot.clock.advance(5)
    assert "Your turn: Throw-in" not in "".join(map(text, bot.platform.pages(f"alone:{ana.user}")))


async def test_the_end_names_the_loser_and_the_winners(bot: BotHarness, deal: Deal) -> None:
    hands = [["8H"], ["7S"], [], []]
    ana, beto, _, _ = await deal(hands=hands)
    await bot.press(beto, button(bot, beto, "throw 7S"))
    for page in (bot.public_panel(), bot.panel(ana)):
        assert "Ana is left with cards." in text(page)
        assert "Beto, Carla, and Dora win." in text(page)
    listed = text((await bot.say(ana, "leaderboard", game="throw_in")).page).splitlines()[-4:]
    lines = [line.split()[1:] for line in listed]
    assert sorted(lines[:3]) == [[name, "1", "1", "█"] for name in ("Beto", "Carla", "Dora")]
    assert lines[3] == ["Ana", "0", "1", "▁"]


@pytest.mark.parametrize("platform", [0, 1])
async def test_a_game_is_played_to_its_end_by_presses(platform: int, throw_in: ThrowIn) -> None:
    async with simulation(f"throw_in {platform}") as one:
        players, table = await seat(one, "throw_in", platform, 4)
        assert await players[0].do("start", table)
        await one.clock.sleep(5)
        await play(one, players, table)
        await one.clock.sleep(60)
        result = one.checker.tables[table].result
        assert result is not None
        assert len(result.winners) == len(one.checker.tables[table].players) - 1


async def test_many_players_press_at_once_and_finish_their_games(throw_in: ThrowIn) -> None:
    clock, rng = VirtualClock(), luck.rng()

    async def on_its_way() -> None:
        await clock.sleep(rng.uniform(0.02, 0.4))

    async with simulation("throw_in", delay=on_its_way, bounds=MANY, clock=clock) as one:
        stress = StressRun(one, rng, 4, 5, 8, 900.0, keys=("throw_in",))
        await stress.run()
        assert stress.unfinished() == []
        # A user may have pressed a button that opens a table of another game.
        tables = [table for table in one.checker.tables.values() if table.key == "throw_in"]
        assert sum(table.result is not None for table in tables) >= 3
