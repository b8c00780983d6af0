"""Limits on what one sender may send, checked before the store is asked, but for tables and settings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unicodedata import normalize

from bot.model.tables import Refused
from bot.ports import Caller, Clock
from engines.game import Text
from engines.values import Value

Sender = tuple[str, str]
"""A platform and the id of a user on it."""


class Rate(Value):
    """At most ``times`` deliveries in any period of ``seconds``."""

    times: int
    seconds: float


class Allowances(Value):
    """Limits on what one sender sends to one process."""

    text: int = 300
    """Characters of a typed text or a name that are read; a button's data may have no more."""
    presses: Rate = Rate(20, 10.0)
    """Presses, commands, lines and arrivals."""
    suggestions: Rate = Rate(60, 10.0)
    """Requests for autocomplete; a client sends one with every key that is typed."""
    tables: Rate = Rate(6, 3600.0)
    """New tables, rematches among them."""
    settings: Rate = Rate(10, 60.0)
    """Changes of preferences, and of a place's settings, bars and wishes."""
    senders: int = 5000
    """The most senders of the last period who are remembered for each rate."""

    def read(self, text: str) -> str:
        """The part of a typed text that is read, in Unicode's composed form."""
        # Composing can make a text longer.
        return normalize("NFC", text[: self.text])[: self.text]


@dataclass(slots=True)
class _Times:
    """The recent deliveries of one sender, in seconds since 1970."""

    done: list[float]
    """The last deliveries counted, at most as many as the rate allows; the oldest is first."""
    warned: float = float("-inf")
    """When the sender was last told to slow down."""


class Limiter:
    """Counts the deliveries of one kind by sender."""

    def __init__(self, rate: Rate, senders: int, clock: Clock) -> None:
        self.rate = rate
        self._senders = senders
        self._clock = clock
        self._times: OrderedDict[Sender, _Times] = OrderedDict()

    def take(self, sender: Sender) -> bool:
        """Counts a delivery; returns False, and counts nothing, if it exceeds the sender's rate."""
        times = self._times.get(sender)
        if times is None:
            times = self._times[sender] = _Times([])
        else:
            self._times.move_to_end(sender)
        now = self._clock.now()
        self._forget(now)
        if len(times.done) == self.rate.times:
            if self._is_recent(times.done[0], now):
                return False
            del times.done[0]
        times.done.append(now)
        return True

    def _forget(self, now: float) -> None:
        """Forgets the senders quiet for longest: those beyond the bound, and those quiet for a period."""
        while len(self._times) > 1:
            sender, oldest = next(iter(self._times.items()))
            is_recent = any(self._is_recent(time, now) for time in (*oldest.done[-1:], oldest.warned))
            if is_recent and len(self._times) <= self._senders:
                break
            del self._times[sender]

    def give_back(self, sender: Sender) -> None:
        """Takes back the count of the last delivery, which has changed nothing."""
        if (times := self._times.get(sender)) and times.done:
            times.done.pop()

    def should_tell(self, sender: Sender) -> bool:
        """Whether to tell a sender to slow down: at most once in a period."""
        times, now = self._times.get(sender), self._clock.now()
        if times is None or self._is_recent(times.warned, now):
            return False
        times.warned = now
        return True

    def _is_recent(self, time: float, now: float) -> bool:
        # A time in the future is one from before the host's clock was set back.
        return 0 <= now - time < self.rate.seconds


class Rates:
    """One limiter for each kind of delivery that is counted."""

    def __init__(self, allowances: Allowances, clock: Clock) -> None:
        self.presses, self.suggestions, self.tables, self.settings = (
            Limiter(rate, allowances.senders, clock)
            for rate in (allowances.presses, allowances.suggestions, allowances.tables, allowances.settings)
        )


@contextmanager
def counted(limiter: Limiter, caller: Caller, too_often: Text) -> Iterator[None]:
    """Counts a delivery, unless the block raises. Raises `Refused` if it exceeds the sender's rate."""
    sender = sender_of(caller)
    if not limiter.take(sender):
        raise Refused(too_often)
    try:
        yield
    except BaseException:
        limiter.give_back(sender)
        raise


def sender_of(caller: Caller) -> Sender:
    """The sender of a delivery, as a key for limiters."""
    return caller.place.platform, caller.user
