"""Assembles the bot: tables, computer players, panels and the dispatcher, over a store and platforms."""

from __future__ import annotations

import random
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from bot.inbox.allowances import Allowances
from bot.inbox.dispatcher import Dispatcher
from bot.measures import Measures
from bot.model.ids import ProcessId
from bot.outbox.followed import Followed
from bot.outbox.panels import Panels
from bot.outbox.records.drafts import Drafts
from bot.outbox.records.records import PanelRecords
from bot.people import People
from bot.ports import Clock, Platforms
from bot.settings.choices import Language
from bot.settings.local_settings import USUAL_PACE
from bot.storage import Store
from bot.table_service.analysis_jobs import Analyses
from bot.table_service.bounds import Bounds
from bot.table_service.commits import Listener
from bot.table_service.computers import ComputerPlayers, Manner
from bot.table_service.forgetting import Forgetter
from bot.table_service.hints import Hints
from bot.table_service.keeper import Keeper
from bot.table_service.leases import Leases
from bot.table_service.service import TableService
from bot.table_service.settler import Settler
from bot.thinking.thinker import InlineThinker, Thinker


@asynccontextmanager
async def running(
    store: Store,
    clock: Clock,
    platforms: Platforms,
    *,
    rng: random.Random | None = None,
    pace: float = USUAL_PACE,
    language: Language = "en",
    bounds: Bounds | None = None,
    allowances: Allowances | None = None,
    listeners: Sequence[Listener] = (),
    measures: Measures | None = None,
    process: ProcessId = "",
    thinker: Thinker | None = None,
) -> AsyncIterator[Dispatcher]:
    """Runs the bot and yields its dispatcher at once; leaves the store open.

    The pending work of earlier processes is then claimed little by little. At a table of natural pace a
    computer player takes about ``pace`` seconds for a move; without a ``thinker`` it thinks in this process.
    The listeners are also called with the resumed tables. No two processes that use a store may have the same
    id; if ``process`` is empty, a random one is drawn. Raises `StoreError` if the store fails at the start.
    """
    thinker = thinker or InlineThinker()
    leases = Leases(process or secrets.token_hex(8), shared=store.shared)
    service = TableService(store, clock, bounds, measures, leases=leases)
    for listener in listeners:
        service.listen(listener)
    people = People(store, clock, language)
    leases.listen(people)
    records = PanelRecords(store, clock, leases)
    panels = Panels(store, service, people, platforms, records)
    computer_players = ComputerPlayers(service, Manner(rng or random.Random(), pace, thinker))
    analyses, followed = Analyses(store, service, thinker), Followed(people, platforms, clock)
    forgetter = Forgetter(store, service)
    settler = Settler(store, clock)
    keeper = Keeper(store, service, platforms, panels.take_up, people.quiet_hours, people.plays_forced)
    # Closed in the reverse order: the changes that have begun are finished before the leases are given back.
    async with AsyncExitStack() as closing:
        closing.push_async_callback(keeper.close)
        closing.push_async_callback(panels.close)
        closing.push_async_callback(service.close)
        closing.push_async_callback(computer_players.close)
        closing.push_async_callback(analyses.close)
        closing.push_async_callback(followed.close)
        closing.push_async_callback(forgetter.close)
        closing.push_async_callback(settler.close)
        closing.push_async_callback(keeper.stop)
        await keeper.start()
        settler.start()
        panels.threads.resume()
        yield Dispatcher(
            store,
            service,
            people,
            panels,
            Drafts(records),
            platforms,
            allowances,
            Hints(thinker),
            analyses,
            followed,
            forgetter,
        )
