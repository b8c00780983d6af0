"""Connects the bot to Discord, over discord.py."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import SecretStr, field_validator

from adapters.shared.finding import Finding
from adapters.shared.served import PlatformSettings, Served
from bot.ports import Clock

if TYPE_CHECKING:
    from adapters.discord.shards import Shards

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

    def is_place(self, word: str) -> bool:
        return re.fullmatch(r"\d{15,20}", word, re.ASCII) is not None

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

        return None if self.discord_shards == _ALL else Shards.parse(self.discord_shards)


settings = DiscordSettings
