"""Lanes: the order of messages, their pace, pauses that others ask for, and messages that fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.model.ids import PUBLIC
from bot.outbox.lanes import (
    _BACKOFF,
    _LONGEST_REST,
    _MOST_FAILURES,
    _WAITS_UNTIL_WARNING,
    LaneKey,
    Lanes,
    Outgoing,
)
from bot.ports import Later
from bot.storage import StoreError
from tests.support.clock import VirtualClock, settle

SQUARE = LaneKey("wall", "public", "square")
PANEL: Outgoing = ("g1", PUBLIC)
OTHER: Outgoing = ("g2", PUBLIC)
GAP = 3.0


class Sender:
    """Lanes over a stopped clock, which send one message after another, or raise the errors in `faults`."""

    def __init__(self) -> None:
        self.clock = VirtualClock(stopped=True)
        self.start = self.clock.now()
        self.tried: list[tuple[Outgoing, float]] = []
        """Each message that was tried, and the seconds since the start."""
        self.faults: list[Exception] = []
        """The errors of the next tries."""
        self.during: Callable[[], object] = lambda: None
        """Called in each try."""
        self.dropped: list[Outgoing] = []
        self.lanes = Lanes(self.clock, self._send, drop=self.dropped.append)

    @property
    def times(self) -> list[float]:
        """The seconds since the start at which messages were tried."""
        return [at for _, at in self.tried]

    def rest(self, seconds: float) -> None:
        """Pauses the square, as when another process has noted that it takes no message for so long."""
        self.lanes.rest(SQUARE, self.clock.now() + seconds, GAP)

    async def advance(self, seconds: float) -> None:
        """Lets the lanes begin, then moves the time on."""
        await settle()
        await self.clock.advance(seconds)

    async def _send(self, outgoing: Outgoing) -> int:
        self.tried.append((outgoing, self.clock.now() - self.start))
        self.during()
        if self.faults:
            raise self.faults.pop(0)
        return 1


@pytest.fixture
def sender() -> Sender:
    return Sender()


async def test_messages_are_sent_in_order_at_the_pace_of_their_lane(sender: Sender) -> None:
    for outgoing in (PANEL, OTHER, PANEL):
        sender.lanes.put(SQUARE, outgoing, GAP)
    sender.lanes.put(LaneKey("wall", "player", "ana"), ("g1", "ana"))
    await sender.advance(60)
    assert sender.tried == [(PANEL, 0.0), (("g1", "ana"), 0.0), (OTHER, GAP)]


async def test_a_pause_that_a_platform_asks_for_is_kept_and_the_message_goes_to_the_end(
    sender: Sender,
) -> None:
    sender.faults = [Later(80.0)]
    sender.lanes.put(SQUARE, PANEL, GAP)
    sender.lanes.put(SQUARE, OTHER, GAP)
    await sender.advance(100)
    assert sender.tried == [(PANEL, 0.0), (OTHER, 80.0), (PANEL, 80.0 + GAP)]


@pytest.mark.parametrize("seconds", [20.0, 10 * _LONGEST_REST])
async def test_a_lane_rests_for_another_process_but_not_for_ever(sender: Sender, seconds: float) -> None:
    sender.rest(seconds)
    sender.lanes.put(SQUARE, PANEL, GAP)
    await sender.advance(2 * _LONGEST_REST)
    assert sender.times == [min(seconds, _LONGEST_REST)]


async def test_a_rest_that_begins_while_the_lane_pauses_is_kept(sender: Sender) -> None:
    sender.lanes.put(SQUARE, PANEL, GAP)
    sender.lanes.put(SQUARE, OTHER, GAP)
    await settle()
    sender.rest(20.0)
    await sender.advance(60)
    assert sender.times == [0.0, 20.0]


async def test_a_rest_that_begins_while_a_message_is_sent_is_kept(sender: Sender) -> None:
    sender.during = lambda: sender.rest(20.0)
    sender.lanes.put(SQUARE, PANEL, GAP)
    sender.lanes.put(SQUARE, OTHER, GAP)
    await sender.advance(30)
    assert sender.times == [0.0, 20.0]


async def test_a_rest_for_another_process_does_not_shorten_a_pause(sender: Sender) -> None:
    gap = _LONGEST_REST + 20.0
    sender.lanes.put(SQUARE, PANEL, gap)
    await settle()
    sender.rest(gap + 10.0)
    sender.lanes.put(SQUARE, OTHER, gap)
    await sender.advance(200)
    assert sender.times == [0.0, gap]


async def test_a_clock_that_is_set_back_does_not_prolong_a_pause(sender: Sender) -> None:
    sender.lanes.put(SQUARE, PANEL, GAP)
    sender.lanes.put(SQUARE, OTHER, GAP)
    await settle()
    sender.clock.time -= 1000.0
    sender.lanes.put(SQUARE, PANEL, GAP)
    await sender.advance(1000.0 + 2 * GAP)
    assert sender.times == [0.0, GAP, 2 * GAP]


async def test_a_message_that_fails_too_often_is_given_up_after_growing_pauses(sender: Sender) -> None:
    sender.faults = [ValueError() for _ in range(_MOST_FAILURES)]
    sender.lanes.put(SQUARE, PANEL, GAP)
    await sender.advance(1000)
    pauses = [later - earlier for earlier, later in zip(sender.times, sender.times[1:], strict=False)]
    assert pauses == [_BACKOFF * 2**failures for failures in range(1, _MOST_FAILURES)]
    assert (sender.dropped, sender.lanes.waiting) == ([PANEL], 0)


async def test_after_a_message_was_given_up_the_next_ones_are_sent_soon(sender: Sender) -> None:
    sender.faults = [ValueError() for _ in range(_MOST_FAILURES)]
    sender.lanes.put(SQUARE, PANEL, GAP)
    await sender.advance(200)
    sender.lanes.put(SQUARE, OTHER, GAP)
    await sender.advance(_BACKOFF)
    assert sender.tried[-1][0] == OTHER


async def test_a_message_that_the_store_holds_up_is_never_given_up(sender: Sender) -> None:
    sender.faults = [StoreError() for _ in range(2 * _MOST_FAILURES)]
    sender.lanes.put(SQUARE, PANEL, GAP)
    await sender.advance(10_000)
    assert (len(sender.tried), sender.dropped, sender.lanes.waiting) == (2 * _MOST_FAILURES + 1, [], 0)


async def test_of_tries_that_are_put_off_one_is_logged(
    sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    sender.faults = [Later(1.0) for _ in range(2 * _WAITS_UNTIL_WARNING)]
    sender.lanes.put(SQUARE, PANEL, GAP)
    await sender.advance(100)
    assert [record.getMessage() for record in caplog.records] == [
        "table g1: the public panel waits: Later (again in 1 s)"
    ]


async def test_a_message_that_is_queued_while_it_is_sent_is_sent_again(sender: Sender) -> None:
    def queue_once() -> None:
        if len(sender.tried) == 1:
            sender.lanes.put(SQUARE, PANEL, GAP)

    sender.during = queue_once
    sender.lanes.put(SQUARE, PANEL, GAP)
    await sender.advance(60)
    assert sender.times == [0.0, GAP]


async def test_an_emptied_lane_returns_what_waited_and_sends_nothing_more(sender: Sender) -> None:
    for outgoing in (PANEL, OTHER):
        sender.lanes.put(SQUARE, outgoing, GAP)
    await settle()
    assert sender.lanes.empty(SQUARE) == (OTHER,)
    await sender.advance(60)
    assert sender.times == [0.0]


async def test_idle_lanes_are_forgotten(sender: Sender) -> None:
    for n in range(20):
        sender.lanes.put(LaneKey("wall", "public", f"c{n}"), PANEL, GAP)
    await settle()
    await sender.advance(2 * GAP)
    for n in range(20, 30):
        sender.lanes.put(LaneKey("wall", "public", f"c{n}"), PANEL, GAP)
        await settle()
    assert len(sender.lanes) == 10


async def test_a_lane_that_is_closed_sends_nothing_more(sender: Sender) -> None:
    for outgoing in (PANEL, OTHER):
        sender.lanes.put(SQUARE, outgoing, GAP)
    await settle()
    await sender.lanes.close()
    await sender.advance(60)
    assert sender.times == [0.0]
