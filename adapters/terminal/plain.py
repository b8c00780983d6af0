"""Plays at the terminal line by line, without control characters: for pipes and screen readers."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from adapters.terminal.choosing import choose, with_or_without_guide
from adapters.terminal.guide import GuideMemory, offers_guide
from adapters.terminal.plain_table import PlainTable, PlayerQuit
from adapters.terminal.session import Session, apology, resumed
from adapters.terminal.setup import Setup
from adapters.terminal.store import WriteBehindStore
from bot.i18n import Speech
from bot.model import GameId
from bot.thinking.thinker import InlineThinker, Thinker


def play_plainly(
    setup: Setup | None,
    defaults: Setup,
    store: WriteBehindStore | None = None,
    unfinished: GameId | None = None,
    thinker: Thinker | None = None,
    guides: GuideMemory | None = None,
) -> None:
    """Plays games until the player quits or the input ends; exits with code 1 and an apology on an error."""
    try:
        with suppress(PlayerQuit, KeyboardInterrupt):
            if not setup and not unfinished:
                setup, unfinished = choose(defaults, store)
            asyncio.run(_play(setup, defaults, store, unfinished, thinker or InlineThinker(), guides))
    except BrokenPipeError:
        raise
    except Exception as error:
        print(Speech(defaults.locale)(apology(error)), file=sys.stderr)
        sys.exit(1)


async def _play(
    setup: Setup | None,
    defaults: Setup,
    store: WriteBehindStore | None,
    unfinished: GameId | None,
    thinker: Thinker,
    guides: GuideMemory | None,
) -> None:
    if unfinished:
        assert store
        session = await resumed(defaults, unfinished, store, thinker=thinker, past=store.past)
    else:
        assert setup
        if guides and offers_guide(setup, guides):
            setup = with_or_without_guide(setup, guides)
        session = Session(
            setup, store=store, thinker=thinker, guides=guides, past=store.past if store else None
        )
    table = PlainTable(session, store=store)
    try:
        await table.run()
    finally:
        table.close()
        await thinker.close()
