"""Who may play now: every way to a move gives a player the same answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import pytest

from bot.ports import Caller, Reply
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from engines.values import replace
from tests.support.harness import BotHarness, bot_harness, key, keys, text

Preparation = Callable[[BotHarness], Awaitable[Caller]]
"""Plays up to a moment, and returns the person who then tries to move."""
Attempt = Callable[[BotHarness, Caller, Table, str], Awaitable[Reply]]
"""Tries to make a move, and returns the answer."""

MOVE = "throw 2S"


def alone(bot: BotHarness, sender: Caller) -> Caller:
    """The sender in their private chat."""
    return bot.caller(sender.name, private=True)


WAYS: Mapping[str, Attempt] = {
    "press": lambda bot, sender, table, move: bot.press(sender, f"{table.id}:{table.stamp}:move:{move}"),
    "press on an own page": lambda bot, sender, table, move: bot.press(
        alone(bot, sender), f"{table.id}:{table.stamp}:move:{move}", replaceable=True
    ),
    "confirmed": lambda bot, sender, table, move: bot.press(sender, f"{table.id}:{table.stamp}:sure:{move}"),
    "composed": lambda bot, sender, table, move: bot.press(sender, f"{table.id}:{table.stamp}:done:"),
    "step": lambda bot, sender, table, move: bot.press(sender, f"{table.id}:{table.stamp}:pick:throw"),
    "command": lambda bot, sender, table, move: bot.say(sender, "play", move=move),
    "command for a table": lambda bot, sender, table, move: bot.say(
        sender, "play", move=move, table=str(table.number)
    ),
    "typed command": lambda bot, sender, table, move: bot.type(sender, f"/play {move}"),
    "private command": lambda bot, sender, table, move: bot.say(alone(bot, sender), "play", move=move),
    "private words": lambda bot, sender, table, move: bot.type(alone(bot, sender), move),
}
"""The ways in which a person tries to move."""
STEPS = ("composed", "step")
"""The ways that make no move by themselves."""
WITHOUT_A_TABLE = ("private command", "private words")
"""The ways by which a person without a seat can mean no table."""


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def kicked(bot: BotHarness) -> Caller:
    ana, beto = await bot.begin("casino", "Ana", "Beto")
    await bot.say(ana, "kick", player="Beto")
    return beto


async def watcher(bot: BotHarness) -> Caller:
    await bot.begin("casino", "Ana", "Beto")
    eva = bot.caller("Eva")
    await bot.say(eva, "watch")
    return eva


async def not_to_play(bot: BotHarness) -> Caller:
    ana, beto = await bot.begin("casino", "Ana", "Beto")
    return beto if await bot.to_play([ana, beto]) is ana else ana


async def lobby(bot: BotHarness) -> Caller:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    await bot.say(bot.caller("Beto"), "join")
    return bot.caller("Beto")


async def over(bot: BotHarness) -> Caller:
    players = await bot.begin("casino", "Ana", "Beto")
    while (table := await bot.table()).status == "playing":
        move = next(iter(table.game.moves(table.state, table.active()[0])))
        await bot.press(await bot.to_play(players), f"{table.id}:{table.stamp}:move:{move}")
    return players[1]


async def closed(bot: BotHarness) -> Caller:
    ana, beto = await bot.begin("casino", "Ana", "Beto")
    await bot.end(ana)
    return beto


async def away(bot: BotHarness) -> Caller:
    """A player who has left, so that a computer holds the seat."""
    _, beto = await bot.begin("casino", "Ana", "Beto")
    await bot.leave(beto)
    return beto


async def replaced(bot: BotHarness) -> Caller:
    """A player in whose seat another person sits now."""
    ana, beto = await bot.begin("casino", "Ana", "Beto")
    await bot.leave(beto)
    await bot.press(bot.caller("Rita"), key(bot.public_panel(), "Sit in").data)
    await bot.press(ana, key(bot.panel(ana), "Agree").data)
    assert "Rita" in [player.name for player in (await bot.table()).players]
    return beto


NO_SEAT = "You have no seat at this table."
CASES: Mapping[str, tuple[Preparation, str]] = {
    "kicked": (kicked, "You were removed from this table, so you can't come back."),
    "watcher": (watcher, NO_SEAT),
    "not to play": (not_to_play, "It isn't your turn."),
    "lobby": (lobby, "The cards haven't been dealt yet."),
    "over": (over, "The game is over."),
    "closed": (closed, "This table is closed."),
    "away": (away, "A computer is playing for you. Take your seat back first."),
    "replaced": (replaced, NO_SEAT),
}
"""By case, how it comes about, and the answer to the person."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
async def test_every_way_to_move_gives_the_same_answer(bot: BotHarness, case: str, way: str) -> None:
    prepare, answer = CASES[case]
    sender = await prepare(bot)
    table = await bot.table()
    if answer == NO_SEAT and way in WITHOUT_A_TABLE:
        answer = "" if way == "private words" else "No table is open here. Open one with /new."
    assert (await WAYS[way](bot, sender, table, MOVE)).notice == answer
    assert (await bot.table()).stamp == table.stamp


@pytest.mark.parametrize(
    ("locale", "private", "expected", "offered"),
    [
        ("en", False, "The game is over.", ["Rematch: Casino", "New table", "Last games"]),
        ("es", True, "La partida ha terminado.", ["Revancha: Casino", "Mesa nueva", "Últimas partidas"]),
    ],
)
async def test_who_plays_after_the_end_can_go_on_by_a_button(
    bot: BotHarness, locale: str, private: bool, expected: str, offered: list[str]
) -> None:
    sender = await over(bot)
    sender = bot.caller(sender.name, private=private, locale=locale)
    if private:
        await bot.say(sender, "language", language=locale)
    reply = await (bot.type(sender, MOVE) if private else bot.say(sender, "play", move=MOVE))
    assert (reply.notice, [button.label for button in keys(reply.page)]) == (expected, offered)
    finished = await bot.table()
    rematch, *pages = offered
    for label in pages:
        assert "Casino" in str(await bot.press(sender, key(reply.page, label).data))
    await bot.press(sender, key(reply.page, rematch).data)
    assert (await bot.table()).follows == finished.id


async def test_without_any_table_a_button_asks_for_the_game_of_a_new_one(bot: BotHarness) -> None:
    reply = await bot.say(bot.caller("Ana"), "hand")
    assert [button.label for button in keys(reply.page)] == ["New table"]
    assert "Which game?" in text((await bot.press(bot.caller("Ana"), key(reply.page, "New").data)).page)


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_to_move_at_a_damaged_table_gives_the_same_answer(bot: BotHarness, way: str) -> None:
    _, beto = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    assert isinstance(bot.store, MemoryStore)
    stored = bot.store._tables.by_id[table.id]
    stored.entries[2] = replace(stored.entries[2], body={})
    async with bot_harness(bot.store, bot.platform, bot.clock) as again:
        reply = await WAYS[way](again, beto, table, MOVE)
    assert reply.notice == "Something is wrong with that table, so it can't go on. Open a new one."


@pytest.mark.parametrize("way", [way for way in WAYS if way not in STEPS])
async def test_an_open_question_stops_no_move(bot: BotHarness, way: str) -> None:
    players = await bot.begin("casino", "Ana", "Beto")
    await bot.say(players[1], "end")
    sender, table = await bot.to_play(players), await bot.table()
    assert table.question
    move = str(next(iter(table.game.moves(table.state, table.active()[0]))))
    await WAYS[way](bot, sender, table, move)
    assert [(entry.kind, entry.body.get("move")) for entry in (await bot.table()).entries][-1] == (
        "move",
        move,
    )
