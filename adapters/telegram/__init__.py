"""Connects the bot to Telegram, over python-telegram-bot."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from adapters.shared.finding import Finding
from adapters.shared.platform_settings import InvalidSetting, PlatformSettings, Served
from bot.ports import Clock
from engines.game import Text

if TYPE_CHECKING:
    from adapters.telegram.platform import Options

# Makes python-telegram-bot return durations as timedelta; else it warns that a later version will do so.
os.environ.setdefault("PTB_TIMEDELTA", "true")


class TelegramSettings(PlatformSettings):
    """The settings with which the bot is served on Telegram.

    `examine` and `start` are called only if `is_set`, so there is a token.
    """

    key = "telegram"
    required = "telegram_token"

    telegram_token: SecretStr | None = None
    telegram_api_url: str | None = None
    telegram_webhook_url: str | None = None
    telegram_webhook_host: str = "127.0.0.1"
    telegram_webhook_port: int = Field(default=8080, ge=0, le=65535)

    @field_validator("telegram_api_url", "telegram_webhook_url")
    @classmethod
    def _check_address(cls, url: str | None, field: ValidationInfo) -> str | None:
        if url is not None and not _is_http(url):
            is_webhook = field.field_name == "telegram_webhook_url"
            example = "https://cards.example/telegram" if is_webhook else "http://127.0.0.1:8081"
            raise InvalidSetting(Text("write an address like {example}", example=example))
        return url

    def is_place(self, word: str) -> bool:
        return re.fullmatch(r"-\d+|@\w+", word, re.ASCII) is not None

    async def examine(self, places: Sequence[str]) -> Sequence[Finding]:
        from adapters.telegram.examination import examine

        assert self.telegram_token
        return await examine(self.telegram_token.get_secret_value(), self._options, places)

    def start(self, clock: Clock) -> Served:
        from adapters.telegram.platform import TelegramPlatform

        assert self.telegram_token
        return TelegramPlatform(self.telegram_token.get_secret_value(), clock, self._options)

    @property
    def _options(self) -> Options:
        from adapters.telegram.platform import TELEGRAM, Options
        from adapters.telegram.webhook import Webhook

        url = self.telegram_webhook_url
        webhook = Webhook(url, self.telegram_webhook_host, self.telegram_webhook_port) if url else None
        return Options(self.telegram_api_url or TELEGRAM, webhook)


def _is_http(url: str) -> bool:
    """Whether an address begins with http or https, and names a host and, if any, a valid port."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


settings = TelegramSettings
"""The class that `adapters.hosting.registry` looks for."""
