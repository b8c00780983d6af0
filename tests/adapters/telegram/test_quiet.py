"""What must not be seen: one person's settings in a group, the library's noise in the log."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from telegram import Bot
from telegram.error import NetworkError, TelegramError

from adapters.telegram.transport import AioRequest, Sending
from tests.adapters.telegram.emulator import TOKEN, Emulator
from tests.adapters.telegram.ephemeral_rules import Version
from tests.adapters.telegram.world import GROUP, World, opened

pytestmark = pytest.mark.real

_HTML = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


@pytest.mark.parametrize("version", ["", "10.3"])
@pytest.mark.parametrize("is_admin", [False, True])
async def test_settings_are_not_posted_in_a_group_though_the_private_chat_is_closed(
    version: Version, is_admin: bool
) -> None:
    emulator = Emulator()
    emulator.ephemeral.version = version
    emulator.ephemeral.admin = {GROUP} if is_admin else set()
    async with opened(emulator) as world:
        bob = world.player(2, "Bob", "es", opened=False)
        await bob.writes("/ajustes", GROUP)
        is_ephemeral = is_admin and version == "10.3"
        assert (len(world.shown(GROUP)), len(bob.whispers)) == (not is_ephemeral, is_ephemeral)
        labels = [key.label for whisper in bob.whispers for row in whisper.rows for key in row]
        # The label of the first preference, “Your hand”.
        assert any("Tu mano" in label for label in labels) == is_ephemeral
        assert not any("Tu mano" in key.label for message in world.shown(GROUP) for key in message.buttons)


async def test_settings_are_changed_by_their_buttons_in_the_group() -> None:
    emulator = Emulator()
    emulator.ephemeral.version, emulator.ephemeral.admin = "10.3", {GROUP}
    async with opened(emulator) as world:
        bob = world.player(2, "Bob", opened=False)
        await bob.writes("/settings", GROUP)
        (panel,) = bob.whispers
        before = panel.plain, panel.rows
        await bob.presses_alone(panel, next(key.data for row in panel.rows for key in row if key.data))
        assert (panel.plain, panel.rows) != before
        assert world.shown(GROUP) == []


async def test_a_name_keeps_its_letters(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "<b>Bob</b>")
    await ana.writes("/new casino", GROUP)
    await bob.presses(world.public_panel(), "Join")
    await world.pass_(10)
    assert "<b>Bob</b>" in world.public_panel().plain
    assert "&lt;b&gt;Bob&lt;/b&gt;" in world.public_panel().html


@pytest.mark.parametrize("status", [200, 404, 502])
async def test_a_page_of_a_proxy_makes_no_noise(status: int, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(request: web.Request) -> web.Response:
        return web.Response(status=status, text=_HTML, content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", broken)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    requests = sending, updates = Sending(), AioRequest(1)
    bot = Bot(TOKEN, f"{url}/bot", request=sending, get_updates_request=updates)
    for one in requests:
        await one.initialize()
    try:
        with caplog.at_level(logging.INFO):
            for asked in (
                updates.call(f"{bot.base_url}/getUpdates", {}),
                bot.send_message(1, "x"),
                sending.call(f"{bot.base_url}/answerCallbackQuery", {}),
            ):
                with pytest.raises(TelegramError) as failed:
                    await asked
                assert isinstance(failed.value, NetworkError) or status == 404
                assert "closed" not in str(failed.value)
                assert "nginx" not in str(failed.value)
        assert [record.getMessage() for record in caplog.records if record.name.startswith("telegram")] == []
    finally:
        for one in requests:
            await one.shutdown()
        await runner.cleanup()
