"""Updates are confirmed only after the commit of what they cause, or once they are refused or given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bot.storage import StoreError
from tests.adapters.telegram.emulator import TOKEN
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, Player, World, opened
from tests.support.waiting import Waiting

pytestmark = pytest.mark.real

NOT_DONE = "That wasn't done: I can't save anything at the moment. Try again in a little while."


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.polling._HANDLING_HEADSTART", 0.01)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


class Held:
    """A function whose calls wait until `let_go` is called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._free = asyncio.Event()
        self.calls = 0

    async def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        await self._free.wait()
        return await self._function(*given, **named)

    def let_go(self) -> None:
        self._free.set()


def left(world: World) -> list[int]:
    """The numbers of the updates that the bot has not confirmed."""
    return [update["update_id"] for update in world.emulator._update_queues._state(TOKEN).updates]


async def asked_again(world: World) -> None:
    """Waits until the bot has asked three more times for updates."""
    until = len(world.emulator.book.polls) + 3
    waiting = Waiting(f"{until} requests for updates")
    while len(world.emulator.book.polls) < until:
        waiting.check()
        await asyncio.sleep(0)


async def confirmed(world: World) -> None:
    """Waits until the bot has confirmed all updates."""
    waiting = Waiting("all updates to be confirmed")
    while left(world):
        waiting.check()
        await asyncio.sleep(0)


def down(*_: object, **__: object) -> Any:
    raise StoreError("the line is dead")


async def test_an_update_is_confirmed_once_its_change_is_stored(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    append = Held(world.store.append)
    monkeypatch.setattr(world.store, "append", append)
    number = await ana.writes("/new casino", GROUP)
    await asked_again(world)
    assert left(world) == [number]
    # An update that comes later is handled meanwhile, and confirmed after it.
    later = await bob.writes("/weather@sobremesa_bot", GROUP)
    assert "no command “weather”" in bob.alone()[-1].plain
    await asked_again(world)
    assert left(world) == [number, later]
    append.let_go()
    await confirmed(world)
    await world.quiet()
    assert append.calls == 1
    assert "Casino, table 1" in world.public_panel().plain


async def test_an_answer_that_waits_keeps_nothing_from_being_confirmed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whisper = Held(world.platform.whisper)
    monkeypatch.setattr(world.platform, "whisper", whisper)
    await world.player(1, "Ana").writes("/help")
    await confirmed(world)
    assert whisper.calls == 1
    whisper.let_go()
    await world.quiet()
    assert "Card games" in world.shown(1)[-1].plain


async def test_no_more_than_a_hundred_updates_are_in_memory(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The bot is stopped before all answers are sent.
    monkeypatch.setattr("adapters.telegram.polling._SHUTDOWN_TIMEOUT", 0.05)
    monkeypatch.setattr("adapters.telegram.platform._GRACE", 0.05)
    command = Held(world.dispatcher.command)
    monkeypatch.setattr(world.dispatcher, "command", command)
    world.deaf = True
    for user in range(1, 151):
        message = Player(world, user, f"User {user}", "en").message("/help", -user)
        await world.emulator.enqueue_update({"message": message}, token=TOKEN)
    waiting = Waiting("a hundred commands")
    while command.calls < 100:
        waiting.check()
        await asyncio.sleep(0)
    await asked_again(world)
    assert command.calls == 100
    command.let_go()
    await confirmed(world)
    assert command.calls == 150
    world.deaf = False


async def test_an_update_not_handled_at_the_end_is_handled_by_the_next_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("adapters.telegram.polling._SHUTDOWN_TIMEOUT", 0.05)
    async with opened() as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
        command = world.dispatcher.command
        held = Held(command)
        monkeypatch.setattr(world.dispatcher, "command", held)
        await ana.writes("/new casino", GROUP)
        monkeypatch.setattr(world.dispatcher, "command", command)
        await bob.writes("/new casino", -5)
    async with opened(world.emulator, world.store, world.clock) as world:
        assert "Casino, table 1" in world.public_panel().plain
        await confirmed(world)
        assert "Casino, table 1" in world.public_panel(-5).plain
        assert (await world.table(-5)).number == 1


async def test_an_update_that_is_never_handled_is_given_up(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as hanging:
        hanging.setattr("adapters.telegram.updates._HANDLING_TIMEOUT", 0.05)
        hanging.setattr(world.dispatcher, "command", Held(world.dispatcher.command))
        await world.player(1, "Ana").writes("/new casino", GROUP)
        await confirmed(world)
    assert "the bot could not handle an update: TimeoutError" in caplog.text
    await world.player(1, "Ana").writes("/new casino", GROUP)
    assert "Casino, table 1" in world.public_panel().plain


async def test_an_update_that_the_store_cannot_take_is_answered_in_words_and_counts_as_taken(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", "es")
    await ana.writes("/new casino", GROUP)
    monkeypatch.setattr(world.store, "append", down)
    monkeypatch.setattr(world.store, "account", down)
    monkeypatch.setattr(world.store, "person", down)
    await ana.writes("/cut seven", GROUP)
    assert ana.alone()[-1].plain == NOT_DONE
    await ana.presses(world.public_panel(), "Start")
    assert ana.told == NOT_DONE
    await bob.writes("/help")
    assert bob.alone()[-1].plain.startswith("Eso no se ha hecho")
    await confirmed(world)


async def test_a_departure_waits_for_the_store(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    message = bob.message("", GROUP)
    del message["text"]
    with monkeypatch.context() as failing:
        failing.setattr(world.store, "append", down)
        number = await world.happens({"message": {**message, "left_chat_member": bob.account}})
        await asked_again(world)
        assert left(world) == [number]
    await world.pass_(2)
    await confirmed(world)
    assert [player.is_computer for player in (await world.table()).players] == [False, True]
