"""Processes forked from one that has imported the bot: they start at once, and can be killed as any other."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
import sys
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from asyncio.streams import FlowControlMixin
from collections.abc import Callable, Mapping
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.support.hurry import SLOW, allow, hurry

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "adapters.command_line.cli", "adapters.hosting.serve",
        "adapters.telegram.platform", "adapters.telegram.webhook",
        "aiosqlite", "asyncpg", "bot.store.sql", "sqlalchemy.dialects.postgresql.asyncpg",
        "tests.bot.crash.child",
    ]
)  # fmt: skip
_LINE = 1 << 24
"""The most bytes of a line of a process's output that can be read."""


class Forked:
    """A process that runs a function."""

    def __init__(self, work: Callable[..., None], *given: Any) -> None:
        self._process = _CONTEXT.Process(target=work, args=given, daemon=True)
        self._ended = asyncio.Event()

    def start(self) -> None:
        self._process.start()
        asyncio.get_running_loop().add_reader(self._process.sentinel, self._end)

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self._ended.set()

    @property
    def returncode(self) -> int | None:
        """None while the process runs; negative for a signal."""
        return self._process.exitcode if self._ended.is_set() else None

    async def wait(self) -> int:
        """Waits until the process has ended; returns its exit code, negative for a signal."""
        await self._ended.wait()
        assert self._process.exitcode is not None
        return self._process.exitcode

    def limit_files(self, size: int) -> None:
        """Lets the process write into files only up to a size; -1 for any."""
        assert self._process.pid
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (size, -1))

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.terminate()


async def piped(work: Callable[..., None], *given: Any) -> tuple[Forked, StreamWriter, StreamReader]:
    """Starts a process that runs a function, with pipes as its standard input and output."""
    loop, output = asyncio.get_running_loop(), StreamReader(_LINE)
    (its_input, to_input), (from_output, its_output) = (_CONTEXT.Pipe(duplex=False) for _ in range(2))
    with its_input, its_output, from_output, to_input:
        process = Forked(_with_pipes, its_input, its_output, work, *given)
        process.start()
        reading, writing = os.dup(from_output.fileno()), os.dup(to_input.fileno())
    await loop.connect_read_pipe(lambda: StreamReaderProtocol(output), os.fdopen(reading, "rb"))
    transport, protocol = await loop.connect_write_pipe(FlowControlMixin, os.fdopen(writing, "wb"))
    return process, StreamWriter(transport, protocol, None, loop), output


def _with_pipes(
    its_input: Connection, its_output: Connection, work: Callable[..., None], *given: Any
) -> None:
    """Runs a function in a new process, whose standard input and output these pipes become."""
    with closing(its_input), closing(its_output):
        os.dup2(its_input.fileno(), 0)
        os.dup2(its_output.fileno(), 1)
    # These files stay open until the process ends.
    sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115
    work(*given)


def run_program(
    settings: Mapping[str, str], folder: Path, log: Path | None = None, hurried: float = 1.0
) -> None:
    """Runs the command ``run`` in this process, with ``settings`` in its environment.

    Its standard error goes to ``log``, if given; `hurry` speeds it up by ``hurried``. Its store has longer to
    answer than usual, since the processes of other tests run beside it.
    """
    from adapters.command_line.cli import main

    hurry(hurried)
    allow(SLOW)
    os.environ.update(settings)
    os.chdir(folder)
    if log:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
    sys.argv = ["sobremesa", "run"]
    main()
