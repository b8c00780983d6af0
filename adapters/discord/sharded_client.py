"""The client with a gateway connection for each shard of its process.

Beyond 2,500 servers Discord refuses a connection that is not sharded.
"""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord.http import Route

from adapters.discord.callers import KEY
from adapters.discord.client import TableClient
from adapters.discord.shards import Shards
from bot.errors import origin
from bot.ports import Clock
from bot.storage import StoreError

log = logging.getLogger(__name__)

_IDENTIFY_PAUSE = 5.5
"""Seconds between two logins at the gateway: Discord's five, and half a second for clocks that differ."""


class ShardedClient(TableClient, discord.AutoShardedClient):
    """The client over the shards of this process; without ``shards``, over as many as Discord recommends.

    Shards whose ids are equal modulo `_at_once` log in one after another, `_IDENTIFY_PAUSE` seconds apart,
    also if they are in different processes that share the store.
    """

    def __init__(self, clock: Clock, shards: Shards | None = None, **options: Any) -> None:
        if shards:
            options |= {"shard_ids": shards.ids, "shard_count": shards.count}
        # The shards of other processes may go first: that is no reason to give up.
        super().__init__(clock, shard_connect_timeout=None, **options)
        self._begun = False
        """Whether a login has begun, before which the library's client cannot be closed."""
        self._at_once = 1
        """Shards that may log in at the same time; their ids must differ modulo this number."""

    @property
    def is_connected(self) -> bool:
        """Whether at least one shard of this process is connected."""
        return self.logged_in.is_set() and any(not shard.is_closed() for shard in self.shards.values())

    async def login(self, token: str) -> None:
        self._begun = True
        await super().login(token)

    async def close(self) -> None:
        if self._begun:
            await super().close()

    async def setup_hook(self) -> None:
        """Asks Discord how many shards it recommends and how many may log in at once; registers the commands.

        Raises as `TableClient` does.
        """
        # The library's own method raises an error that does not tell whether to try again.
        gateway = await self.http.request(Route("GET", "/gateway/bot"))
        self._at_once = max(1, gateway["session_start_limit"]["max_concurrency"])
        count = self.shard_count or gateway["shards"]
        if count < gateway["shards"]:
            log.warning(
                "Discord recommends %s shards, and DISCORD_SHARDS has only %s", gateway["shards"], count
            )
        self.shard_count = count
        await super().setup_hook()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Waits for the shard's turn to log in at the gateway; the library calls it before each login."""
        if self._dispatcher is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        gate = f"{KEY} identify {(shard_id or 0) % self._at_once}"
        while True:
            try:
                await self._dispatcher.pass_gate(gate, _IDENTIFY_PAUSE)
                return
            except StoreError as error:
                log.warning("shard %s waits for the store: %s", shard_id, origin(error))
                await self._clock.sleep(_IDENTIFY_PAUSE)
