"""Assembles the bot: tables, computer players, panels and the dispatcher, over a store and platforms."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bot.inbox.allowances import Allowances
from bot.inbox.dispatcher import Dispatcher
from bot.measures import Measures
from bot.model import Language
from bot.outbox.drafts import Drafts
from bot.outbox.panels import Panels
from bot.outbox.records import PanelRecords
from bot.people import People
from bot.ports import Clock, Platforms, Store
from bot.tables.computers import ComputerPlayers
from bot.tables.service import Bounds, Listener, TableService


@asynccontextmanager
async def running(
    store: Store,
    clock: Clock,
    platforms: Platforms,
    *,
    rng: random.Random | None = None,
    pace: float = 1.5,
    language: Language = "en",
    bounds: Bounds | None = None,
    allowances: Allowances | None = None,
    listeners: Sequence[Listener] = (),
    measures: Measures | None = None,
) -> AsyncIterator[Dispatcher]:
    """Runs the bot and yields its dispatcher; resumes the stored tables first, and leaves the store open.

    A computer player takes about ``pace`` seconds for a move. The listeners are also called with the
    resumed tables, and with the moves that computer players make before the dispatcher is yielded.
    """
    service = TableService(store, clock, bounds, measures)
    for listener in listeners:
        service.listen(listener)
    people = People(store, language)
    records = PanelRecords(store, clock)
    panels = Panels(service, people, platforms, records)
    computer_players = ComputerPlayers(service, rng or random.Random(), pace)
    try:
        await service.wake()
        await panels.wake()
        yield Dispatcher(service, people, panels, Drafts(records), platforms, allowances)
    finally:
        await computer_players.close()
        await panels.close()
        await service.close()
