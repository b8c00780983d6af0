"""Discord and Telegram served by one process over one store, with the real libraries on the loopback."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from adapters.discord import DiscordSettings
from adapters.hosting.serve import serve
from adapters.shared.clock import AsyncioClock
from adapters.telegram import TelegramSettings
from bot.ports import NotAdmitted
from bot.settings.host_settings import Settings
from bot.store import open_store
from tests.adapters.discord.wire import CHANNEL, Wire, listening
from tests.adapters.telegram.emulator import TOKEN, Emulator, Shown, refusing
from tests.adapters.telegram.world import GROUP, chat_of, served
from tests.support.stores import live_tables
from tests.support.waiting import Waiting

pytestmark = pytest.mark.real

_ANA = {"id": 7, "is_bot": False, "first_name": "Ana", "language_code": "en"}


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    async with listening(monkeypatch) as wire:
        yield wire


@pytest.fixture
async def emulator() -> Emulator:
    emulator = Emulator()
    emulator.book.opened.add(7)
    return emulator


async def until(happened: Callable[[], Any], wanted: str) -> Any:
    """Waits until `happened` returns a true value; returns that value."""
    waiting = Waiting(wanted)
    while not (found := happened()):
        waiting.check()
        await asyncio.sleep(0)
    return found


def serving(url: str, folder: Path) -> asyncio.Task[None]:
    """Starts the task that `sobremesa run` runs."""
    clock = AsyncioClock()
    platforms = (
        DiscordSettings.model_validate({"discord_token": "a.b.c"}),
        TelegramSettings.model_validate({"telegram_token": TOKEN, "telegram_api_url": url}),
    )
    settings = Settings.model_validate({"database_url": str(folder / "tables.db"), "sobremesa_pace": 0})
    return asyncio.create_task(serve([platform.start(clock) for platform in platforms], settings, clock))


def update(text: str) -> dict[str, Any]:
    """An update with a command in a Telegram group."""
    entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
    message = {"message_id": 900, "date": 1, "chat": chat_of(GROUP), "from": _ANA}
    return {"message": {**message, "text": text, "entities": [entity]}}


def pressed(emulator: Emulator, message: Shown, action: str) -> dict[str, Any]:
    """An update with a press on the message's first button of this action."""
    data = next(button.data for button in message.buttons if button.data.split(":")[2] == action)
    number = f"{action} {len(emulator.book.calls)}"
    emulator.book.queries[number] = (7, data)
    below = {"message_id": message.id, "date": 1, "chat": chat_of(message.chat), "text": message.plain}
    query = {"id": number, "from": _ANA, "chat_instance": "1", "data": data, "message": below}
    return {"callback_query": query}


def message_with(emulator: Emulator, chat: int, action: str, after: int = -1) -> Shown | None:
    """The first message of a Telegram chat with a button of this action and a stamp above `after`."""
    for one in emulator.book.messages.values():
        keys = [key.data.split(":") for key in one.buttons if key.data]
        if one.chat == chat and any(key[2] == action and int(key[1]) > after for key in keys):
            return one
    return None


async def telegram_moves(emulator: Emulator) -> None:
    """Opens and starts a table on Telegram, makes a move, and waits until another is offered."""
    await emulator.enqueue_update(update("/new cardlebones"), token=TOKEN)
    message = await until(lambda: message_with(emulator, GROUP, "start"), "the table in the group")
    await emulator.enqueue_update(pressed(emulator, message, "start"), token=TOKEN)
    panel = await until(lambda: message_with(emulator, 7, "move"), "a move in the private chat")
    before = stamp(panel)
    await emulator.enqueue_update(pressed(emulator, panel, "move"), token=TOKEN)
    await until(lambda: message_with(emulator, 7, "move", after=before), "the next move")


def stamp(message: Shown) -> int:
    """The stamp of a message's move buttons: the moves and take-backs before it was written."""
    return next(int(key.data.split(":")[1]) for key in message.buttons if ":move:" in key.data)


def ids(body: dict[str, Any], action: str) -> list[str]:
    """The custom_ids of a Discord message's buttons with this action."""
    data = body.get("data")
    rows = (data if isinstance(data, dict) else body).get("components") or ()
    found = [component.get("custom_id", "") for row in rows for component in row["components"]]
    return [one for one in found if one.split(":")[2:3] == [action]]


async def discord_moves(wire: Wire) -> None:
    """Opens and starts a table on Discord, makes a move, and waits until another is offered."""
    await wire.until_handshakes(1)
    await until(lambda: wire.commands, "the commands at Discord")
    await wire.command("5", "new", game="cardlebones")
    posted = (await wire.until("POST", f"/channels/{CHANNEL}/messages"))[-1]
    await wire.press("5", ids(posted.body, "start")[0], wire.message(CHANNEL, posted.body))
    panel = await until(lambda: offered(wire), "a move at Discord")
    key = ids(panel, "move")[0]
    await wire.press("5", key, wire.message(CHANNEL, panel))
    await until(lambda: offered(wire, after=int(key.split(":")[1])), "the next move at Discord")


def offered(wire: Wire, after: int = -1) -> dict[str, Any] | None:
    """The last body sent to Discord with a move button of a stamp above `after`."""
    bodies = [request.body for request in wire.requests if isinstance(request.body, dict)]
    found = [body for body in bodies if any(int(key.split(":")[1]) > after for key in ids(body, "move"))]
    return found[-1] if found else None


async def moves(folder: Path) -> dict[str, int]:
    """The number of moves stored for the open table of each platform."""
    store = await open_store(str(folder / "tables.db"))
    try:
        counted = {}
        for game in await live_tables(store):
            stored = await store.load(game)
            assert stored
            counted[stored.listing.place.platform] = sum(entry.kind == "move" for entry in stored.entries)
        return counted
    finally:
        await store.close()


async def test_both_are_served_and_stop_together(
    wire: Wire, emulator: Emulator, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with served(emulator) as url:
        task = serving(url, tmp_path)
        await asyncio.gather(telegram_moves(emulator), discord_moves(wire))
        os.kill(os.getpid(), signal.SIGTERM)
        await task
    made = await moves(tmp_path)
    assert sorted(made) == ["discord", "telegram"]
    assert min(made.values()) > 0
    assert "stopped" in [record.getMessage() for record in caplog.records]
    assert emulator.book.reactions == [(GROUP, 900, "👌")]
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_bad_token_of_telegram_leaves_discord(
    wire: Wire, emulator: Emulator, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    emulator.book.faults.append(refusing("getMe", "Unauthorized", 401))
    async with served(emulator) as url:
        task = serving(url, tmp_path)
        await discord_moves(wire)
        expected = "accept TELEGRAM_TOKEN. Create a new token, and set it there; still serving discord"
        await until(lambda: expected in caplog.text, f"a log of {expected!r}")
        assert not task.done()
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(NotAdmitted, match="TELEGRAM_TOKEN"):
            await task


async def test_a_bad_token_of_discord_leaves_telegram(
    wire: Wire, emulator: Emulator, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wire.faults["GET", "/users/@me"] = [lambda: web.Response(status=401)]
    async with served(emulator) as url:
        task = serving(url, tmp_path)
        await telegram_moves(emulator)
        expected = "accept DISCORD_TOKEN. Create a new token, and set it there; still serving telegram"
        await until(lambda: expected in caplog.text, f"a log of {expected!r}")
        assert not task.done()
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(NotAdmitted, match="DISCORD_TOKEN"):
            await task
