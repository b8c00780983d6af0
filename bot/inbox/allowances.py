"""What one sender may send: how much text, and how often; checked before a delivery costs anything."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unicodedata import normalize

from bot.model import Refused
from bot.ports import Caller, Clock
from engines.game import Text

Sender = tuple[str, str]
"""A platform and the id of a user on it."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may be done."""

    times: int
    """The most times in any period of ``seconds``."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Allowances:
    """Limits on what one sender sends to one process."""

    text: int = 300
    """Characters of a typed text or a name that are read; a button's data may have no more."""
    presses: Rate = Rate(20, 10.0)
    """Presses, commands and lines."""
    suggestions: Rate = Rate(60, 10.0)
    """Requests for autocomplete; a client sends one with every key that is typed."""
    tables: Rate = Rate(6, 3600.0)
    """New tables, rematches among them."""
    settings: Rate = Rate(10, 60.0)
    """Changes of preferences, and of a place's settings."""
    senders: int = 5000
    """The most senders of the last period who are remembered for each rate."""

    def read(self, text: str) -> str:
        """The part of a typed text that is read, in Unicode's composed form."""
        # Composing can make a text longer.
        return normalize("NFC", text[: self.text])[: self.text]


@dataclass(slots=True)
class _Times:
    """What one sender has done lately, in seconds since 1970."""

    done: list[float]
    """As many as the rate allows; the oldest is first."""
    told: float = float("-inf")
    """When the sender was last told that it was too often."""


class Limiter:
    """Counts how often each sender does one kind of thing."""

    def __init__(self, rate: Rate, senders: int, clock: Clock) -> None:
        self.rate = rate
        self._senders = senders
        self._clock = clock
        self._times: OrderedDict[Sender, _Times] = OrderedDict()

    def take(self, sender: Sender) -> bool:
        """Counts one more time; returns False, and counts nothing, if it would be too often."""
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
        """Forgets the senders not heard of for longest: those beyond the bound, or of an earlier period."""
        while len(self._times) > 1:
            sender, oldest = next(iter(self._times.items()))
            is_heard = any(self._is_recent(time, now) for time in (*oldest.done[-1:], oldest.told))
            if is_heard and len(self._times) <= self._senders:
                break
            del self._times[sender]

    def give_back(self, sender: Sender) -> None:
        """Counts the last time no more, since nothing came of it."""
        if (times := self._times.get(sender)) and times.done:
            times.done.pop()

    def should_tell(self, sender: Sender) -> bool:
        """Whether to tell a sender that it was too often: at most once in the rate's period."""
        times, now = self._times.get(sender), self._clock.now()
        if times is None or self._is_recent(times.told, now):
            return False
        times.told = now
        return True

    def _is_recent(self, time: float, now: float) -> bool:
        # A time in the future is one from before the host's clock was set back.
        return 0 <= now - time < self.rate.seconds


class Rates:
    """The limiters of all kinds of things that senders do."""

    def __init__(self, allowances: Allowances, clock: Clock) -> None:
        self.presses, self.suggestions, self.tables, self.settings = (
            Limiter(rate, allowances.senders, clock)
            for rate in (allowances.presses, allowances.suggestions, allowances.tables, allowances.settings)
        )


@contextmanager
def counted(limiter: Limiter, caller: Caller, too_often: Text) -> Iterator[None]:
    """Counts what the block does once it succeeds. Raises `Refused` if the sender does it too often."""
    sender = sender_of(caller)
    if not limiter.take(sender):
        raise Refused(too_often)
    try:
        yield
    except BaseException:
        limiter.give_back(sender)
        raise


def sender_of(caller: Caller) -> Sender:
    """The sender of a delivery, as limiters know them."""
    return caller.place.platform, caller.user
