"""A command or press that changes nothing writes nothing to the store, so that repeating it costs no disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.store.memory.store import MemoryStore
from engines import games
from tests.support.harness import BotHarness, bot_harness

WRITES = frozenset(
    (
        *("append", "mark_dirty", "sent", "save_room", "save_person", "save_account"),
        *("add_account", "move_chat", "postpone", "outdate", "rewrite", "forget", "save_analysis"),
    )
)
"""The methods of a store that write what commands and presses change, without `save_alert`."""
OPTION = games()["casino"].options[0]


class CountingStore(MemoryStore):
    """A store that notes each use of a method of `WRITES`."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name in WRITES:
            self.writes.append(name)
        return super().__getattribute__(name)


def given(**arguments: str) -> Mapping[str, str]:
    return arguments


LOBBY = {
    "a seat that one has": ("Beto", "join", given()),
    "a seat that one has left": ("Beto", "leave", given()),
    "a rule": ("Ana", "options", given(rule=f"{OPTION.name}={list(OPTION.values)[1]}")),
    "computers": ("Ana", "computers", given(number="1")),
    "one's language": ("Beto", "language", given(language="es")),
    "the language of a channel": ("Ana", "language", {"language": "es", "for": "channel"}),
    "the settings of a channel": ("Ana", "channel", given(language="es", openers="moderators")),
    "a setting that people do not have": ("Ana", "settings", given(setting="openers", value="moderators")),
    "the order of cards": ("Beto", "settings", given(setting="order", value="suit")),
    "a closed table": ("Ana", "end", given()),
    "a page of the table": ("Beto", "watch", given()),
    "the page of the rules": ("Ana", "options", given()),
}
MOVER = ""
"""Stands for the name of the player whose turn it is."""
PLAYING = {
    "a dealt game": ("Ana", "start", given()),
    "a seat that one has": ("Beto", "return", given()),
    "a player who is out": ("Ana", "kick", given(player="Beto")),
    "a move that is illegal": (MOVER, "play", given(move="throw 2C 3C")),
}


async def writes_of_second(
    bot: BotHarness, store: CountingStore, name: str, command: str, arguments: Mapping[str, str]
) -> list[str]:
    """Sends a command twice; returns the writes of the second time."""
    sender = bot.caller(name, moderator=name == "Ana")
    await bot.say(sender, command, **arguments)
    await bot.clock.advance(100)
    store.writes.clear()
    await bot.say(sender, command, **arguments)
    await bot.clock.advance(100)
    return store.writes


@pytest.mark.parametrize("command", LOBBY)
async def test_a_second_command_in_the_lobby_writes_nothing(command: str) -> None:
    store = CountingStore()
    async with bot_harness(store) as bot:
        ana, beto = bot.caller("Ana", moderator=True), bot.caller("Beto")
        await bot.say(ana, "new", game="casino")
        await bot.say(beto, "join")
        assert store.writes
        assert await writes_of_second(bot, store, *LOBBY[command]) == []


@pytest.mark.parametrize("command", PLAYING)
async def test_a_second_command_in_a_game_writes_nothing(command: str) -> None:
    store = CountingStore()
    async with bot_harness(store) as bot:
        people = await bot.begin("casino", "Ana", "Beto", "Carla")
        name, sent, arguments = PLAYING[command]
        if name == MOVER:
            name = (await bot.to_play(people)).name
        assert await writes_of_second(bot, store, name, sent, arguments) == []


@pytest.mark.parametrize("step", ["top", "page:0", "drop:7C"])
async def test_a_step_that_leaves_the_menu_as_it_is_writes_nothing(step: str) -> None:
    store = CountingStore()
    async with bot_harness(store) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await bot.clock.advance(100)
        table, mover = await bot.table(), await bot.to_play(people)
        store.writes.clear()
        await bot.press(mover, f"{table.id}:{table.stamp}:{step}", replaceable=True)
        await bot.clock.advance(100)
        assert store.writes == []


async def test_a_second_press_of_one_move_writes_nothing() -> None:
    store = CountingStore()
    async with bot_harness(store) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        table, mover = await bot.table(), await bot.to_play(people)
        move = str(next(iter(table.game.moves(table.state, table.active()[0]))))
        data = f"{table.id}:{table.stamp}:move:{move}"
        await bot.press(mover, data)
        await bot.clock.advance(100)
        assert "append" in store.writes
        store.writes.clear()
        await bot.press(mover, data)
        await bot.clock.advance(100)
        assert store.writes == []
