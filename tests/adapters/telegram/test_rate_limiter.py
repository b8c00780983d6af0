"""The limits of 20 messages a minute in a group and 30 a second in all: what waits, and what is dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from telegram.error import RetryAfter

from adapters.telegram.rate_limiter import GroupLimits, Priority, RateLimiter, seconds_of
from tests.adapters.telegram.world import GROUP, most_within, opened
from tests.support.clock import VirtualClock
from tests.support.games import every_game


def request(clock: VirtualClock, sent: list[float], fails: int = 0) -> Callable[..., Any]:
    """A request that fails `fails` times with RetryAfter(7), then succeeds; records its times in `sent`."""
    left = [fails]

    async def send() -> str:
        sent.append(clock.now())
        if left[0]:
            left[0] -= 1
            raise RetryAfter(7)
        return "done"

    return send


async def paced(
    limiter: RateLimiter, send: Callable[..., Any], chat: int, priority: Priority | None = None
) -> object:
    return await limiter.send(chat, priority or Priority(), send)


async def test_a_group_gets_twenty_in_any_minute() -> None:
    clock, sent = VirtualClock(), list[float]()
    limiter = RateLimiter(clock)
    for _ in range(100):
        await paced(limiter, request(clock, sent), -5)
    assert most_within(sent, 60.0) == 20


async def test_all_chats_together_get_thirty_in_any_second() -> None:
    clock, sent = VirtualClock(), list[float]()
    limiter = RateLimiter(clock)
    for user in range(1, 100):
        await paced(limiter, request(clock, sent), user)
    assert most_within(sent, 1.0) == 30


# Shares are rounded down, but each process has one at least.
@pytest.mark.parametrize(("processes", "within"), [(1, 30), (3, 30), (4, 28), (40, 40)])
async def test_processes_share_the_limit_of_all_chats(processes: int, within: int) -> None:
    clock, sent = VirtualClock(), list[float]()
    limiters = [RateLimiter(clock, processes=lambda: processes) for _ in range(processes)]

    async def busy(limiter: RateLimiter) -> None:
        for user in range(1, 100):
            await paced(limiter, request(clock, sent), user)

    await asyncio.gather(*map(busy, limiters))
    assert most_within(sent, 1.0) == within


@pytest.mark.parametrize("processes", [2, 3, 8])
async def test_processes_share_the_limit_of_a_groups_answers(processes: int) -> None:
    clock, answers, panels = VirtualClock(), list[float](), list[float]()
    limiters = [RateLimiter(clock, processes=lambda: processes) for _ in range(processes)]

    async def answer(limiter: RateLimiter) -> None:
        for _ in range(20):
            await paced(limiter, request(clock, answers), -5, Priority(share="answer"))

    async def show(limiter: RateLimiter) -> None:
        for _ in range(40):
            await paced(limiter, request(clock, panels), -5)

    await asyncio.gather(show(limiters[0]), *map(answer, limiters))
    # Eight of twenty are for answers, in equal shares rounded down; one process shows panels with the rest.
    assert most_within(answers, 60.0) <= 8
    assert most_within(panels, 60.0) >= 11
    assert 18 <= most_within(sorted((*panels, *answers)), 60.0) <= 20


async def test_answers_get_a_part_of_a_groups_limit() -> None:
    clock, sent = VirtualClock(), list[float]()
    limiter = RateLimiter(clock)
    for _ in range(30):
        await paced(limiter, request(clock, sent), -5, Priority(share="answer"))
    assert most_within(sent, 60.0) == 8


async def test_a_request_without_patience_is_sent_at_once_or_not_at_all() -> None:
    clock, sent = VirtualClock(), list[float]()
    limiter = RateLimiter(clock, limits=GroupLimits(all=(2, 60.0)))
    for _ in range(2):
        await paced(limiter, request(clock, sent), -5, Priority(patience=0.0))
    with pytest.raises(RetryAfter):
        await paced(limiter, request(clock, sent), -5, Priority(patience=0.0))
    assert [at - sent[0] for at in sent] == [0.0, 0.0]


async def test_a_request_told_to_wait_beyond_its_patience_is_given_up() -> None:
    clock, sent = VirtualClock(), list[float]()
    with pytest.raises(RetryAfter):
        await paced(RateLimiter(clock), request(clock, sent, fails=1), 5, Priority(patience=6.0))
    assert len(sent) == 1


async def test_a_group_loses_no_place_to_a_request_that_the_limit_of_all_chats_puts_off() -> None:
    clock, sent = VirtualClock(), list[float]()
    begun = clock.now()
    limiter = RateLimiter(clock, limits=GroupLimits(all=(2, 60.0)), overall=(1, 5.0))
    await paced(limiter, request(clock, []), 5)
    for _ in range(3):
        with pytest.raises(RetryAfter):
            await paced(limiter, request(clock, sent), -5, Priority(patience=2.0))
    for _ in range(2):
        await paced(limiter, request(clock, sent), -5)
    assert [at - begun for at in sent] == [5.0, 10.0]


async def test_requests_that_the_limit_of_all_chats_puts_off_come_again_one_after_another() -> None:
    clock, pauses = VirtualClock(), list[float]()
    limiter = RateLimiter(clock, overall=(2, 1.0))
    for user in range(1, 7):
        try:
            await paced(limiter, request(clock, []), user, Priority(tries=0, patience=0.0))
        except RetryAfter as late:
            pauses.append(seconds_of(late))
    assert pauses == [1.0, 1.5, 2.0, 2.5]


async def test_answers_that_wait_let_the_panels_of_the_table_go_first() -> None:
    clock, panels, answers = VirtualClock(), list[float](), list[float]()
    limiter = RateLimiter(clock, limits=GroupLimits(all=(3, 60.0), answers=(1, 60.0)))
    await paced(limiter, request(clock, answers), -5, Priority(share="answer"))
    late = asyncio.create_task(paced(limiter, request(clock, answers), -5, Priority(share="answer")))
    await asyncio.sleep(0)
    for _ in range(4):
        await paced(limiter, request(clock, panels), -5)
    await late
    assert most_within(sorted((*panels, *answers)), 60.0) <= 3
    assert panels[0] < answers[1]


async def test_a_group_that_is_written_to_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.rate_limiter._MANY_GROUPS", 2)
    clock, sent = VirtualClock(), list[float]()
    limiter = RateLimiter(clock, overall=(1000, 1.0))
    for chat in (-5, -6, -7, -8):
        await paced(limiter, request(clock, []), chat)
    for _ in range(20):
        await paced(limiter, request(clock, sent), -5)
    assert sent[-1] - sent[0] >= 60.0


async def test_a_request_that_is_told_to_wait_waits() -> None:
    clock, sent = VirtualClock(), list[float]()
    await paced(RateLimiter(clock), request(clock, sent, fails=2), 5)
    assert [at - sent[0] for at in sent] == [0.0, 7.0, 14.0]


async def test_a_request_is_not_tried_for_ever() -> None:
    clock, sent = VirtualClock(), list[float]()
    with pytest.raises(RetryAfter):
        await paced(RateLimiter(clock), request(clock, sent, fails=9), 5, Priority(tries=3))
    assert len(sent) == 4


async def test_a_request_without_further_tries_is_sent_once() -> None:
    clock, sent = VirtualClock(), list[float]()
    with pytest.raises(RetryAfter):
        await paced(RateLimiter(clock), request(clock, sent, fails=1), 5, Priority(tries=0))
    assert len(sent) == 1


@pytest.mark.real
@pytest.mark.timeout(400)
@every_game
async def test_computers_at_full_speed_stay_within_a_groups_limit(key: str) -> None:
    async with opened(pace=0.2) as world:
        await world.deal_to_computers(key)
        for _ in range(400):
            if (await world.table()).status == "over":
                break
            await world.pass_(5)
        table = await world.table()
        moves = sum(entry.kind == "move" for entry in table.entries)
        sent = [call.at for call in world.emulator.book.calls if call.chat == GROUP]
        assert table.status == "over"
        assert most_within(sent, 60.0) <= 20
        assert moves > len(sent)
