"""The presses that benchmarks measure: what is dealt and pressed follows from their luck."""

from __future__ import annotations

import asyncio
from random import Random
from typing import cast

import pytest

from bench.presses import Presses, comparable_deals
from bot.table_service.service import TableService
from bot.tables.table import Table
from engines import games
from tests.support.tables import dealt

LENGTH = 30
"""Presses of a run: enough that Cardlebones is begun a second time."""


class Tables:
    """In place of the table service: the tables that a run has opened."""

    def __init__(self) -> None:
        self.known = dict[str, Table]()

    async def table(self, game: str) -> Table:
        return self.known[game]


async def run(key: str, seed: int) -> list[str]:
    """The moves that are pressed in a run."""
    tables, pressed = Tables(), list[str]()

    async def begin() -> Table:
        table = dealt(key, "Ana", "Luis")
        tables.known[table.id] = table
        return table

    presses = Presses(cast(TableService, tables), begin, Random(seed))
    with comparable_deals():
        for _ in range(LENGTH):
            _, button = await presses.choose()
            table = tables.known[button.game]
            tables.known[button.game] = table.play(table.active()[0], button.words)
            pressed.append(button.words)
    return pressed


@pytest.mark.parametrize("key", games())
def test_the_same_luck_makes_the_same_presses(key: str) -> None:
    assert asyncio.run(run(key, 7)) == asyncio.run(run(key, 7))


@pytest.mark.parametrize("key", games())
def test_other_luck_makes_other_presses(key: str) -> None:
    assert asyncio.run(run(key, 7)) != asyncio.run(run(key, 8))


def test_a_game_is_dealt_alike_at_another_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = asyncio.run(run("casino", 7))
    monkeypatch.setattr(games()["casino"], "revision", games()["casino"].revision + 1)
    assert asyncio.run(run("casino", 7)) == pressed
