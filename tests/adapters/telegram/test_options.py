"""The options that a host may set for Telegram."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.telegram import TelegramSettings
from adapters.telegram.platform import Options, TelegramPlatform
from adapters.telegram.webhook import Webhook
from bot.ports import NotAdmitted
from tests.adapters.telegram.emulator import TOKEN, Emulator
from tests.adapters.telegram.test_network import stop
from tests.adapters.telegram.world import served
from tests.support.clock import VirtualClock


@pytest.fixture(autouse=True)
def no_env_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Runs each test in a folder without a ``.env`` file, and without settings of this machine."""
    monkeypatch.chdir(tmp_path)
    for name in ("API_URL", "WEBHOOK_URL", "WEBHOOK_HOST", "WEBHOOK_PORT"):
        monkeypatch.delenv(f"TELEGRAM_{name}", raising=False)


def options(monkeypatch: pytest.MonkeyPatch, **settings: str) -> Options:
    monkeypatch.setenv("TELEGRAM_TOKEN", TOKEN)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    platform = TelegramSettings().start(VirtualClock())
    assert isinstance(platform, TelegramPlatform)
    return platform._options


def test_without_settings_there_is_no_webhook(monkeypatch: pytest.MonkeyPatch) -> None:
    assert options(monkeypatch) == Options("https://api.telegram.org", None)


def test_a_webhook_is_set_by_its_url(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://cards.example/telegram"
    assert options(monkeypatch, TELEGRAM_WEBHOOK_URL=url).webhook == Webhook(url, "127.0.0.1", 8080)
    where = {"TELEGRAM_WEBHOOK_HOST": "0.0.0.0", "TELEGRAM_WEBHOOK_PORT": "8443"}
    assert options(monkeypatch, TELEGRAM_WEBHOOK_URL=url, **where).webhook == Webhook(url, "0.0.0.0", 8443)


def test_another_bot_api_server_is_set_by_its_url(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "http://127.0.0.1:8081/"
    assert options(monkeypatch, TELEGRAM_API_URL=url).api_url == url


@pytest.mark.real
async def test_a_token_that_is_not_accepted_is_told_of() -> None:
    class Strict(Emulator):
        async def handle(self, request):  # type: ignore[no-untyped-def]
            from aiohttp import web

            return web.json_response(
                {"ok": False, "error_code": 401, "description": "Unauthorized"}, status=401
            )

    async with served(Strict()) as url:
        platform = TelegramPlatform(TOKEN, VirtualClock(), Options(url))
        with pytest.raises(NotAdmitted, match="TELEGRAM_TOKEN"):
            await platform.enter()


@pytest.mark.parametrize(
    "token", ["foo", "123", "123:", ":abc", "123:a b", "123:abc\n456:def", "a.b.c", "١٢:abc"], ids=ascii
)
async def test_a_malformed_token_is_refused_without_the_network(token: str) -> None:
    platform = TelegramPlatform(token, VirtualClock(on_sleep=stop), Options("http://127.0.0.1:1"))
    with pytest.raises(NotAdmitted, match=r"^TELEGRAM_TOKEN isn't a token") as raised:
        await platform.enter()
    assert token not in str(raised.value)


@pytest.mark.parametrize("token", [f" {TOKEN}\n", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", "1:a_-B"])
def test_a_well_formed_token_is_accepted_also_with_spaces_around_it(token: str) -> None:
    platform = TelegramPlatform(token, VirtualClock())
    assert (platform._has_token_form, platform.bot.token) == (True, token.strip())
