"""Connects the bot to Discord, over discord.py."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import SecretStr, field_validator

from adapters.shared.finding import Finding
from adapters.shared.platform_settings import PlatformSettings, Served
from bot.ports import Clock

if TYPE_CHECKING:
    from adapters.discord.shards import Shards

_RECOMMENDED = "all"
"""The setting for as many shards as Discord recommends."""
_SNOWFLAKE = re.compile(r"\d{15,20}", re.ASCII)
"""Matches an id of Discord's, such as a channel's."""


class DiscordSettings(PlatformSettings):
    """The settings with which the bot is served on Discord.

    `examine` and `start` are called only if `is_set`, so that the token is never None there.
    """

    key = "discord"
    required = "discord_token"

    discord_token: SecretStr | None = None
    discord_shards: str = _RECOMMENDED

    @field_validator("discord_shards")
    @classmethod
    def _check_shards(cls, value: str) -> str:
        if value != _RECOMMENDED:
            from adapters.discord.shards import Shards

            Shards.parse(value)
        return value

    def is_place(self, word: str) -> bool:
        return _SNOWFLAKE.fullmatch(word) is not None

    async def examine(self, places: Sequence[str]) -> Sequence[Finding]:
        from adapters.discord.examination import examine

        assert self.discord_token
        return await examine(self.discord_token.get_secret_value(), self._shards, places)

    def start(self, clock: Clock) -> Served:
        from adapters.discord.platform import DiscordPlatform
        from adapters.discord.sharded_client import ShardedClient

        assert self.discord_token
        client = ShardedClient(clock, self._shards)
        return DiscordPlatform(self.discord_token.get_secret_value(), clock, client)

    @property
    def _shards(self) -> Shards | None:
        from adapters.discord.shards import Shards

        return None if self.discord_shards == _RECOMMENDED else Shards.parse(self.discord_shards)


settings = DiscordSettings
"""The class that `adapters.hosting.registry` looks for."""
