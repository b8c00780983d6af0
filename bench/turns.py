"""Measures contenders press by press in turn, so that other load on the machine slows all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

Work = Callable[[], Awaitable[None]]

WARM = 20
"""Presses of each contender that are not counted."""
ROUNDS = 10
"""Rounds in which every contender has one turn."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot that answers presses, ours or the stock one it is compared with."""

    prepare: Callable[[], Awaitable[Work]]
    """Sets up a press, uncounted, and returns the work that answers it, counted."""
    sent: Callable[[], Awaitable[int]]
    """The messages it has sent or edited so far."""
    finish: Work
    """Does the work it has put off, such as storing what was sent; counted."""


@dataclass(frozen=True, slots=True)
class Figures:
    """CPU seconds and sends for each press, round by round."""

    cpu: tuple[float, ...]
    sends: tuple[float, ...]


async def measured(contenders: Mapping[str, Contender], presses: int) -> dict[str, Figures]:
    """Measures each contender over this many presses."""
    each = max(1, presses // ROUNDS)
    for contender in contenders.values():
        await _turn(contender, WARM)
    turns: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, contender in contenders.items():
            turns[name].append(await _turn(contender, each))
    return {
        name: Figures(tuple(cpu for cpu, _ in rounds), tuple(sends for _, sends in rounds))
        for name, rounds in turns.items()
    }


async def _turn(contender: Contender, presses: int) -> tuple[float, float]:
    """The CPU seconds of the whole process, threads included, and the sends, both for each press."""
    cpu, before = 0.0, await contender.sent()
    for n in range(presses):
        work = await contender.prepare()
        began = time.process_time()
        await work()
        if n == presses - 1:
            await contender.finish()
        cpu += time.process_time() - began
    return cpu / presses, (await contender.sent() - before) / presses


def report(key: str, kept: str, figures: Figures, stock: Callable[[int, float], float]) -> str:
    """A line of the table; ``stock`` gives the CPU of the stock bot in a round, for that number of sends."""
    ratios = [
        cpu / stock(n, sends) for n, (cpu, sends) in enumerate(zip(figures.cpu, figures.sends, strict=True))
    ]
    cpu, sends = statistics.median(figures.cpu), statistics.mean(figures.sends)
    return f"{key:16}  {kept:8} {cpu * 1e3:7.2f} {sends:6.2f}  {statistics.median(ratios):5.2f}"


HEAD = "game              store     CPU ms  sends  ratio to stock, the same sends"
