"""A whole evening on both platforms: whatever people do, no card is lost or leaks, and every game ends."""

from __future__ import annotations

import os
import random

import pytest

from tests.evening import MANY, Evening
from tests.fakes import VirtualClock
from tests.village import village

LONG = bool(os.environ.get("SOBREMESA_LONG"))
"""Whether the evening is a full one: a hundred tables in twenty channels."""


@pytest.mark.timeout(1800 if LONG else 120)
async def test_an_evening() -> None:
    rng = random.Random("evening")
    clock = VirtualClock()

    async def on_its_way() -> None:
        await clock.sleep(rng.uniform(0.02, 0.4))

    async with village("evening", delay=on_its_way, bounds=MANY, clock=clock) as one:
        one.groups.twice = lambda: rng.random() < 0.05
        size = (20, 5, 100, 3600.0) if LONG else (6, 3, 12, 900.0)
        evening = Evening(one, rng, *size)
        await evening.pass_by()
        print(evening.deeds, len(one.watch.tables), sum(t.stamp for t in one.watch.tables.values()), "moves")
        print([len(town.sent) for town in one.towns], one.guild.laters, one.groups.laters, one.groups.hurries)
        print(one.groups.unmodified, one.scan.read_with_cards, one.clock.now() - 1e9)
        assert evening.unfinished() == []
        assert len(one.watch.tables) >= size[2]
