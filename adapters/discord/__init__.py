"""Connects the bot to Discord, over discord.py."""

from __future__ import annotations

from pydantic import SecretStr

from adapters.shared.served import PlatformSettings, Served
from bot.ports import Clock


class DiscordSettings(PlatformSettings):
    """The settings of Discord."""

    key = "discord"
    required = "discord_token"

    discord_token: SecretStr | None = None

    def start(self, clock: Clock) -> Served:
        from adapters.discord.platform import DiscordPlatform

        assert self.discord_token
        return DiscordPlatform(self.discord_token.get_secret_value(), clock)


settings = DiscordSettings
