"""The leases that a process takes with its changes; where it is alone, they are cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from bot.model.batches import Batch, Taken
from bot.model.ids import GameId, ProcessId
from bot.model.leases import ChatKey, Claim, Lease
from bot.model.panels import Marked
from bot.store.writing import leases
from bot.store.writing.upserts import Saving
from engines.values import replace

REMEMBERED = 20_000
"""Maximum number of leases kept in memory; others are read again when they are needed."""


class KnownLeases:
    """Takes leases with changes; if the store is not shared, batches do not read known ones again."""

    def __init__(self, *, shared: bool) -> None:
        self._shared = shared
        self._leases: OrderedDict[ChatKey, Lease] = OrderedDict()

    def take(
        self, connection: Connection, works: Sequence[Batch | Saving], outcomes: Sequence[Any]
    ) -> list[Any]:
        """Takes leases for the keepers of changes; returns the outcomes of the changes, with the leases."""
        if len(works) == 1 and isinstance(work := works[0], Batch):
            known = self._known(work)
            if known and type(outcomes[0]) is Taken:
                return [Taken(known)]
        for outcome in outcomes:
            if isinstance(outcome, leases.Released):
                for chat in outcome.chats:
                    self._leases.pop(chat, None)
        taken: dict[int, Lease] = {}
        asked: dict[int, tuple[GameId, ProcessId]] = {}
        for i, (work, outcome) in enumerate(zip(works, outcomes, strict=True)):
            if not work.keeper:
                continue
            if isinstance(work, Batch) and isinstance(outcome, Taken):
                if known := self._known(work):
                    taken[i] = known
                else:
                    asked[i] = work.listing.game, work.keeper
            elif isinstance(work, Saving) and work.game and isinstance(outcome, Marked) and outcome.taken:
                asked[i] = work.game, work.keeper
        if asked:
            held = leases.take(connection, dict(asked.values()))
            taken |= {i: held[game] for i, (game, _) in asked.items() if game in held}
        return [_with_lease(outcome, taken.get(i)) for i, outcome in enumerate(outcomes)]

    def _known(self, batch: Batch) -> Lease | None:
        """The lease of a batch's chat, if its keeper is known to hold it; else None."""
        place = batch.listing.place
        known = self._leases.get((place.platform, place.chat))
        return known if known and known.process == batch.keeper else None

    def committed(self, outcome: object) -> None:
        """Remembers the leases that were taken with a change, after the commit."""
        if self._shared:
            return
        if isinstance(outcome, (Taken, Marked)):
            if outcome.lease:
                self._remember(outcome.lease)
        elif isinstance(outcome, tuple):
            for claim in outcome:
                if isinstance(claim, Claim):
                    self._remember(claim.lease)

    def _remember(self, lease: Lease) -> None:
        chat = (lease.platform, lease.chat)
        if self._leases.get(chat) is not lease:
            self._leases[chat] = replace(lease, is_new=False, taken_from="")
        self._leases.move_to_end(chat)
        if len(self._leases) > REMEMBERED:
            self._leases.popitem(last=False)


def _with_lease(outcome: Any, lease: Lease | None) -> Any:
    """An outcome with the lease that was taken with it."""
    if lease is None:
        return outcome
    # Almost all outcomes are `Taken`, and `replace` takes several times the CPU time.
    return Taken(lease) if type(outcome) is Taken else replace(outcome, lease=lease)
