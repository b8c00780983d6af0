"""Plays at the terminal line by line, without control characters: for pipes and screen readers."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import replace

from adapters.shared.lines import filled
from adapters.terminal.plain_printer import WIDTH, print_texts
from adapters.terminal.plain_table import QUIT, PlainTable, PlayerQuit
from adapters.terminal.session import Session, apology, resumed
from adapters.terminal.setup import Setup
from adapters.terminal.store import WriteBehindStore
from bot.i18n import Speech, safe_name
from bot.model import GameId, Listing
from bot.thinking.thinker import InlineThinker, Thinker
from engines import games
from engines.game import Text


def play_plainly(
    setup: Setup | None,
    defaults: Setup,
    store: WriteBehindStore | None = None,
    unfinished: GameId | None = None,
    thinker: Thinker | None = None,
) -> None:
    """Plays games until the player quits or the input ends; exits with code 1 and an apology on an error."""
    try:
        with suppress(PlayerQuit, KeyboardInterrupt):
            if not setup and not unfinished:
                setup, unfinished = _choose(defaults, store)
            asyncio.run(_play(setup, defaults, store, unfinished, thinker or InlineThinker()))
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
) -> None:
    if unfinished:
        assert store
        session = await resumed(defaults, unfinished, store, thinker=thinker)
    else:
        assert setup
        session = Session(setup, store=store, thinker=thinker)
    table = PlainTable(session, store=store)
    try:
        await table.run()
    finally:
        table.close()
        await thinker.close()


def _choose(defaults: Setup, store: WriteBehindStore | None) -> tuple[Setup | None, GameId | None]:
    """Asks which game to play or resume; returns its setup or its id.

    Raises `PlayerQuit` at "quit" and at the end of the input.
    """
    unfinished = _unfinished(store)
    say = Speech(defaults.locale, letters=defaults.letters)
    people, players = len(defaults.names), defaults.players
    seats = {key: players or max(people, game.seats[0]) for key, game in games().items()}
    offered = [game for key, game in games().items() if seats[key] in game.seats]
    while True:
        print_texts(say, [Text("Which game?")])
        for number, game in enumerate(offered, 1):
            print("\n".join(filled(f"{number:>3}. {say(game.title)}: {say(game.pitch)}", WIDTH)))
        if unfinished:
            print(f"  0. {say(Text('Resume {game}', game=games()[unfinished.key].title))}")
        answer = _read_answer()
        for number, game in enumerate(offered, 1):
            if answer in (str(number), game.key, say(game.title).casefold()):
                return replace(defaults, key=game.key, players=seats[game.key]), None
        if answer == "0" and unfinished:
            return None, unfinished.game
        if name := safe_name(answer):
            print_texts(say, [Text("There is no game “{name}”. Type its number or its name.", name=name)])


def _unfinished(store: WriteBehindStore | None) -> Listing | None:
    """The saved game to resume; a missing file is not created."""
    if store is None or not store.file.exists():
        return None
    store.wait_until_read()
    return store.unfinished()


def _read_answer() -> str:
    line = sys.stdin.readline()
    answer = line.strip().casefold()
    if not line or answer in QUIT:
        raise PlayerQuit
    return answer
