"""Measures bots in alternating turns, so that other load on the machine slows all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

Work = Callable[[], Awaitable[None]]
"""A piece of work whose CPU time is measured."""

WARM = 20
"""Presses of each contender before measuring."""
ROUNDS = 10
"""Rounds in which every contender has one turn."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot to measure: ours, or the stock bot it is compared with."""

    prepare: Callable[[], Awaitable[Work]]
    """Prepares a press, which is not measured, and returns the work that answers it, which is."""
    sent: Callable[[], Awaitable[int]]
    """Returns how many requests the bot has sent so far, such as messages, edits and answers."""
    finish: Work
    """Does the work that the bot has deferred, such as storing the panels sent; it is measured."""


@dataclass(frozen=True, slots=True)
class Figures:
    """CPU seconds per press and sends per press, in each round."""

    cpu: tuple[float, ...]
    sends: tuple[float, ...]


async def measured(contenders: Mapping[str, Contender], presses: int) -> dict[str, Figures]:
    """Measures each contender over about this many presses, the same number in each round."""
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
    """Measures one turn: CPU seconds of the process, threads included, and sends, both per press."""
    cpu, before = 0.0, await contender.sent()
    for n in range(presses):
        work = await contender.prepare()
        began = time.process_time()
        await work()
        if n == presses - 1:
            await contender.finish()
        cpu += time.process_time() - began
    return cpu / presses, (await contender.sent() - before) / presses


def report(key: str, store: str, figures: Figures, stock: Callable[[int, float], float]) -> str:
    """A line of the results; ``stock`` maps a round and a number of sends to the stock bot's CPU seconds."""
    ratios = [
        cpu / stock(n, sends) for n, (cpu, sends) in enumerate(zip(figures.cpu, figures.sends, strict=True))
    ]
    cpu, sends = statistics.median(figures.cpu), statistics.mean(figures.sends)
    return f"{key:16}  {store:8} {cpu * 1e3:7.2f} {sends:6.2f}  {statistics.median(ratios):5.2f}"


HEAD = "game              store     CPU ms  sends  ratio to stock, the same sends"
"""The head of the table of which each `report` is a line."""
