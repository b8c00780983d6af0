"""Plays at the terminal line by line, without control characters: for pipes and screen readers."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress

from adapters.terminal.apology import apology
from adapters.terminal.equipment import Equipment
from adapters.terminal.guide import offers_guide
from adapters.terminal.plain.choosing import choose, with_or_without_guide
from adapters.terminal.plain.table import PlainTable, PlayerQuit
from adapters.terminal.session import Session, resumed_session
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.model.ids import GameId


def play_plainly(
    setup: Setup | None,
    defaults: Setup,
    equipment: Equipment,
    unfinished: GameId | None = None,
) -> None:
    """Plays games until the player wants no more or the input ends.

    Exits with code 1 and an apology on an error. Raises `BrokenPipeError` if nobody reads the output now.
    """
    try:
        with suppress(PlayerQuit):
            if not setup and not unfinished:
                setup, unfinished = choose(defaults, equipment.store)
            asyncio.run(_play(setup, defaults, equipment, unfinished))
    except KeyboardInterrupt:
        # What is printed next begins a line of its own, below "^C".
        print()
    except BrokenPipeError:
        raise
    except Exception as error:
        print(Speech(defaults.locale)(apology(error)), file=sys.stderr)
        sys.exit(1)


async def _play(
    setup: Setup | None,
    defaults: Setup,
    equipment: Equipment,
    unfinished: GameId | None,
) -> None:
    # At Ctrl+C asyncio's handler only cancels the task, which ends no blocking read; Python's handler does.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thinker, store, guides = equipment.thinker, equipment.store, equipment.guides
    if unfinished:
        assert store
        session = await resumed_session(
            defaults, unfinished, store, thinker=thinker, guides=guides, past=store.past
        )
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
