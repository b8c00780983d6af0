"""The simulated Discord without real time: only its virtual clock fires timers.

The stock simulation waits in real time for timers of a few seconds, and meanwhile checks many times a second
whether every task waits for something that it controls.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import simcord
from simcord._settlement import _active_callbacks, _run_due_virtual_callbacks
from simcord.env import Env


class InstantEnv(Env):
    """A simulation in which no real time passes; it waits for executor jobs, but not for sockets."""

    def _schedule_timer(self, *timer: Any) -> None:
        """Starts no real timer: the virtual clock fires it."""

    async def _settle_internal(self, *, dispatch: str | None = None, **options: Any) -> None:
        """Returns when the bot can do nothing more until virtual time passes."""
        loop: Any = self._loop
        self._last_dispatch = dispatch
        while True:
            # Called for its side effect: it drops cancelled callbacks.
            _active_callbacks(self._settlement_state())
            _run_due_virtual_callbacks(self._settlement_state(), math.inf)
            await asyncio.sleep(0)
            if self._work.executors:
                await asyncio.wait(tuple(self._work.executors))
            elif not loop._ready:
                return

    async def come_to_rest(self) -> None:
        """Raises if a task waits for an event that neither the clock nor a player can bring about."""
        await super()._settle_internal(timeout=30.0, idle=0.001)


@asynccontextmanager
async def instantly(client: discord.Client) -> AsyncIterator[InstantEnv]:
    """Runs a client like `simcord.run`, in an `InstantEnv`."""
    running = simcord.run(client)
    running._env = env = InstantEnv(client)
    async with running:
        yield env
