"""A simulated evening of random users on both platforms, who join, leave, vanish, press twice and vote.

No card is lost or leaked, the laws of every table hold, and days later each table is closed.
"""

from __future__ import annotations

import pytest

from tests import luck
from tests.support.clock import VirtualClock
from tests.support.long import LONG
from tests.support.simulation import simulation
from tests.support.stress import MANY, StressRun


@pytest.mark.timeout(1800 if LONG else 400)
@pytest.mark.parametrize("processes", [1, 2])
async def test_an_evening(processes: int) -> None:
    rng = luck.rng("evening")
    clock = VirtualClock()

    async def on_its_way() -> None:
        await clock.sleep(rng.uniform(0.02, 0.4))

    async with simulation("evening", delay=on_its_way, bounds=MANY, clock=clock, processes=processes) as one:
        one.groups.twice = lambda: rng.random() < 0.05
        channels, people, tables, length = (20, 4, 100, 1500.0) if LONG else (6, 3, 12, 600.0)
        stress = StressRun(one, rng, channels, people, tables, length, leaving=0.5)
        await stress.run()
        await stress.run_on()
        print(stress.summary())
        assert stress.open_tables() == []
        assert len(one.checker.tables) >= tables
        assert one.laws.timeouts
        assert one.laws.alerts
        assert one.laws.bars
        if processes > 1:
            assert one.process_laws.answered
            assert one.process_laws.handovers
