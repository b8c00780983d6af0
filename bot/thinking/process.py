"""Starts a worker process, sends it queries, and reads its answers."""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bot.thinking.worker import LENGTH_BYTES, Request, encode

_SOURCES = Path(__file__).parents[2]
"""The folder from which a worker imports the bot and the engines."""
_PASSED_ON = ("PATH", "PYTHONHASHSEED", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE", "SYSTEMROOT")
"""The variables of the environment that a worker gets; tokens are not among them."""


class WorkerDied(Exception):
    """A worker has ended without an answer or gives none in time, or could not be started."""


class WorkerProcess:
    """A worker that answers one query after the other."""

    def __init__(self, process: subprocess.Process) -> None:
        assert process.stdin
        assert process.stdout
        self._input, self._output = process.stdin, process.stdout
        self.pid = process.pid

    async def ask(self, request: Request, hung: float) -> object:
        """The answer to a query, or the origin of the game's error as a text.

        Raises `WorkerDied`, also for a worker that has not answered after ``hung`` seconds, and whatever
        `pickle` raises for the query or the answer.
        """
        try:
            self._input.write(encode(request))
            async with asyncio.timeout(hung):
                size = int.from_bytes(await self._output.readexactly(LENGTH_BYTES), "big")
                return pickle.loads(await self._output.readexactly(size))
        except (OSError, EOFError, TimeoutError) as error:
            raise WorkerDied from error


@asynccontextmanager
async def worker_process() -> AsyncIterator[WorkerProcess]:
    """Starts a worker, and kills it at the end. Raises `WorkerDied` if none can be started."""
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-P", "-m", "bot.thinking.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**passed_on, "PYTHONPATH": str(_SOURCES)},
        )
    except OSError as error:
        raise WorkerDied from error
    try:
        yield WorkerProcess(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        ending = asyncio.create_task(_ended(process))
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            # Waits though cancelled: asyncio complains if its loop is closed before the worker has ended.
            await asyncio.wait((ending,))
            raise


async def _ended(process: subprocess.Process) -> None:
    """Waits until a process that was killed has ended and both its pipes are closed."""
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    await process.wait()
    await process.stdout.read()
    with suppress(OSError):
        await process.stdin.wait_closed()
