"""Connects the bot to Discord, over discord.py."""

from __future__ import annotations

from pydantic import SecretStr, field_validator

from adapters.shared.served import PlatformSettings, Served
from bot.ports import Clock

_ALL = "all"
"""The setting for as many shards as Discord recommends."""


class DiscordSettings(PlatformSettings):
    """The settings of Discord."""

    key = "discord"
    required = "discord_token"

    discord_token: SecretStr | None = None
    discord_shards: str = _ALL

    @field_validator("discord_shards")
    @classmethod
    def _check_shards(cls, words: str) -> str:
        if words != _ALL:
            from adapters.discord.shards import Shards

            Shards.parse(words)
        return words

    def start(self, clock: Clock) -> Served:
        from adapters.discord.platform import DiscordPlatform
        from adapters.discord.sharded_client import ShardedClient
        from adapters.discord.shards import Shards

        assert self.discord_token
        shards = None if self.discord_shards == _ALL else Shards.parse(self.discord_shards)
        client = ShardedClient(clock, shards)
        return DiscordPlatform(self.discord_token.get_secret_value(), clock, client)


settings = DiscordSettings
