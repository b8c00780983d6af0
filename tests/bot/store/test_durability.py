"""Entries that a store acknowledged are there after the process was killed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.store import open_store
from tests.bot.store.tables import folded
from tests.words import ROOT

pytestmark = pytest.mark.real

WRITES_UNTIL_KILLED = """
import asyncio, sys
from bot.store import open_store
from tests.bot.store.tables import Tale, told

async def write(store, number):
    tale = Tale(f"g{number}", number=number)
    await told(store, tale, tale.opened())
    while True:
        await told(store, tale, tale.next("move", "move", person="bo"))
        print(tale.game, len(tale.entries), flush=True)

async def main():
    store = await open_store(sys.argv[1])
    await asyncio.gather(*(write(store, number) for number in range(1, 6)))

asyncio.run(main())
"""


def acknowledged_before_the_kill(database: str) -> dict[str, int]:
    """Runs a process that writes until it is killed; returns the acknowledged number of entries, by game."""
    command = [sys.executable, "-c", WRITES_UNTIL_KILLED, database]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(60)]
        writer.kill()
        lines += writer.stdout.readlines()
    return {game: int(length) for game, length in (line.split() for line in lines if "\n" in line)}


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(database: str) -> None:
    acknowledged = acknowledged_before_the_kill(database)
    assert len(acknowledged) == 5
    store = await open_store(database)
    try:
        for game, length in acknowledged.items():
            stored = await store.load(game)
            assert stored is not None
            assert len(stored.entries) >= length
            assert stored.listing == folded(game, stored.entries, number=int(game[1:]))
    finally:
        await store.close()
