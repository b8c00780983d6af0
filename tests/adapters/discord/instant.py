"""The simulation without real time: timers belong to its clock alone, and it rests when nothing can run.

As it comes it waits in real time for timers of a few seconds, and looks in between, many times a second,
whether all tasks wait for something that it knows.
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
    """A simulation in which no real time passes; nothing in it may wait for threads or sockets."""

    def _schedule_timer(self, *timer: Any) -> None:
        """Leaves a timer to the virtual clock alone."""

    async def _settle_internal(self, *, dispatch: str | None = None, **options: Any) -> None:
        """Returns when nothing of the bot's can go on without time."""
        loop: Any = self._loop
        self._last_dispatch = dispatch
        while True:
            # This also lets go of those that were cancelled.
            _active_callbacks(self._settlement_state())
            _run_due_virtual_callbacks(self._settlement_state(), math.inf)
            await asyncio.sleep(0)
            if self._work.executors:
                await asyncio.wait(tuple(self._work.executors))
            elif not loop._ready:
                return

    async def come_to_rest(self) -> None:
        """Raises where a task waits for something that neither time nor anybody brings."""
        await super()._settle_internal(timeout=1.0, idle=0.001)


@asynccontextmanager
async def instantly(client: discord.Client) -> AsyncIterator[InstantEnv]:
    """As `simcord.run`, without real time."""
    running = simcord.run(client)
    running._env = env = InstantEnv(client)
    async with running:
        yield env
