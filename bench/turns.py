"""Contenders that take turns at presses, so that whatever else the machine does falls on all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

Work = Callable[[], Awaitable[None]]

WARM = 20
"""Presses of each contender that are not counted."""
ROUNDS = 10


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who is pressed on."""

    one: Callable[[], Awaitable[Work]]
    """Sets up a press, which is not counted, and returns what answers it."""
    sent: Callable[[], Awaitable[int]]
    """How often it has sent so far."""
    rest: Work
    """Does what it has put off, which is counted."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured: CPU seconds and sends a press, round by round."""

    cpu: tuple[float, ...]
    sends: tuple[float, ...]


async def measured(contenders: Mapping[str, Contender], presses: int) -> dict[str, Figures]:
    """The figures of all, after so many presses of each."""
    each = max(1, presses // ROUNDS)
    for contender in contenders.values():
        await _turn(contender, WARM)
    turns: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, contender in contenders.items():
            turns[name].append(await _turn(contender, each))
    return {
        name: Figures(tuple(cpu for cpu, _ in had), tuple(sends for _, sends in had))
        for name, had in turns.items()
    }


async def _turn(contender: Contender, presses: int) -> tuple[float, float]:
    """CPU of the whole process, threads included, and sends, a press."""
    cpu, before = 0.0, await contender.sent()
    for n in range(presses):
        work = await contender.one()
        began = time.process_time()
        await work()
        if n == presses - 1:
            await contender.rest()
        cpu += time.process_time() - began
    return cpu / presses, (await contender.sent() - before) / presses


def report(key: str, kept: str, figures: Figures, stock: Callable[[int, float], float]) -> str:
    """A line of the table; ``stock`` says what stock cost in a round with so many sends a press."""
    ratios = [
        cpu / stock(n, sends) for n, (cpu, sends) in enumerate(zip(figures.cpu, figures.sends, strict=True))
    ]
    cpu, sends = statistics.median(figures.cpu), statistics.mean(figures.sends)
    return f"{key:16}  {kept:8} {cpu * 1e3:7.2f} {sends:6.2f}  {statistics.median(ratios):5.2f}"


HEAD = "game              store     CPU ms  sends  ratio to stock, the same sends"
