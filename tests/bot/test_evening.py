"""A whole evening on both platforms: whatever people do, no card is lost or leaks, and every game ends."""

from __future__ import annotations

import os

import pytest

from tests import luck
from tests.evening import MANY, Evening
from tests.fakes import VirtualClock
from tests.village import village

LONG = bool(os.environ.get("SOBREMESA_LONG"))
"""Whether the evening is a full one: a hundred tables in twenty channels."""


@pytest.mark.timeout(1800 if LONG else 120)
async def test_an_evening() -> None:
    rng = luck.rng("evening")
    clock = VirtualClock()

    async def on_its_way() -> None:
        await clock.sleep(rng.uniform(0.02, 0.4))

    async with village("evening", delay=on_its_way, bounds=MANY, clock=clock) as one:
        one.groups.twice = lambda: rng.random() < 0.05
        size = (20, 4, 100, 1500.0) if LONG else (6, 3, 12, 600.0)
        evening = Evening(one, rng, *size)
        await evening.pass_by()
        print(evening.summary())
        assert evening.unfinished() == []
        assert len(one.watch.tables) >= size[2]
