"""Connects the bot to Telegram, over python-telegram-bot."""

from __future__ import annotations

import os

from pydantic import Field, SecretStr

from adapters.shared.served import PlatformSettings, Served
from bot.ports import Clock

# Makes python-telegram-bot return times as timedelta, and keeps it from warning that it will soon do so.
os.environ.setdefault("PTB_TIMEDELTA", "true")


class TelegramSettings(PlatformSettings):
    """The settings of Telegram."""

    key = "telegram"
    required = "telegram_token"

    telegram_token: SecretStr | None = None
    telegram_api_url: str | None = None
    telegram_webhook_url: str | None = None
    telegram_webhook_host: str = "127.0.0.1"
    telegram_webhook_port: int = Field(default=8080, ge=0, le=65535)

    def start(self, clock: Clock) -> Served:
        from adapters.telegram.platform import TELEGRAM, Options, TelegramPlatform
        from adapters.telegram.webhook import Webhook

        assert self.telegram_token
        url = self.telegram_webhook_url
        webhook = Webhook(url, self.telegram_webhook_host, self.telegram_webhook_port) if url else None
        options = Options(self.telegram_api_url or TELEGRAM, webhook)
        return TelegramPlatform(self.telegram_token.get_secret_value(), clock, options)


settings = TelegramSettings
