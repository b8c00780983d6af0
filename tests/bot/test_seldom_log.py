"""What recurs is logged at most once a minute, with a count of what was left out."""

from __future__ import annotations

import logging

import pytest

from bot.seldom_log import SILENCE, SeldomLog
from tests.support.clock import VirtualClock

log = logging.getLogger(__name__)


async def test_a_line_is_followed_by_silence_and_the_next_counts_what_was_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = VirtualClock()
    seldom = SeldomLog(clock, log, logging.ERROR)
    for _ in range(3):
        seldom.log("it rains")
    await clock.advance(SILENCE)
    seldom.log("it pours")
    assert [record.getMessage() for record in caplog.records] == [
        "it rains",
        "it pours (2 more since the last such line)",
    ]


async def test_after_a_quiet_minute_nothing_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    clock = VirtualClock()
    seldom = SeldomLog(clock, log, logging.ERROR)
    for _ in range(2):
        seldom.log("it rains")
    for _ in range(2):
        await clock.advance(SILENCE)
        seldom.log("it rains")
    assert [record.getMessage() for record in caplog.records] == [
        "it rains",
        "it rains (1 more since the last such line)",
        "it rains",
    ]
