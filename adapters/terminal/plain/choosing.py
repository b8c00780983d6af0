"""Asks, line by line, which game to play or to go on with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from adapters.shared.rendering.wrapping import reflowed
from adapters.terminal.equipment import obstacle_to_resuming
from adapters.terminal.guide import GuideMemory, guide_question, guided
from adapters.terminal.plain.printer import WIDTH, print_texts
from adapters.terminal.plain.table import NO, QUIT, YES, PlayerQuit
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.saved_games.unfinished import Unfinished
from adapters.terminal.setup import Setup
from adapters.terminal.typed_lines import LONGEST_LINE
from bot.i18n import Speech, safe_name
from bot.model.ids import GameId
from bot.nearest import did_you_mean, nearest
from engines import games
from engines.game import Text
from engines.values import replace

_RESUME = frozenset(("r", "resume", "continue", "continuar"))
"""The answers that resume the only unfinished game, or list the unfinished games if there are several."""


def choose(
    defaults: Setup, store: WriteBehindStore | None, read: Callable[[], str] | None = None
) -> tuple[Setup | None, GameId | None]:
    """Asks which game to play or resume; returns its setup or its id.

    Raises `PlayerQuit` at "quit" and at the end of the input.
    """
    say, unfinished = Speech(defaults.locale, letters=defaults.letters), _unfinished(store)
    offered = _offered(defaults)
    read = read or sys.stdin.readline
    if store and not unfinished and (why := obstacle_to_resuming(store)):
        print_texts(say, [why])
    while True:
        _print_offer(say, offered, unfinished)
        answer = _answer(read)
        for number, setup in enumerate(offered.values(), 1):
            if answer in (str(number), setup.key, say(games()[setup.key].title).casefold()):
                return setup, None
        if unfinished and not answer:
            return None, unfinished[0].listing.game
        if unfinished and answer in _RESUME:
            if (game := _one_of(unfinished, say, read)) is not None:
                return None, game
        elif name := safe_name(answer):
            print_texts(say, [_no_game(name, answer, offered, say)])


def with_or_without_guide(setup: Setup, guides: GuideMemory, read: Callable[[], str] | None = None) -> Setup:
    """The setup, with the game's guide if the player wants it; a player who does not is asked only once.

    Raises `PlayerQuit` at "quit" and at the end of the input.
    """
    say, answer = Speech(setup.locale, letters=setup.letters), ""
    while answer not in YES | NO:
        print_texts(say, [Text("{question} (yes or no)", question=guide_question(setup.key))])
        answer = _answer(read or sys.stdin.readline)
    if answer in YES:
        return guided(setup)
    guides.settle(setup.key)
    return setup


def _offered(defaults: Setup) -> Mapping[str, Setup]:
    """The setups of the games that allow the number of players, by key."""
    people, players = len(defaults.names), defaults.players
    seats = {key: players or max(people, game.seats[0]) for key, game in games().items()}
    return {
        key: replace(defaults, key=key, players=seats[key])
        for key, game in games().items()
        if seats[key] in game.seats
    }


def _no_game(name: str, answer: str, offered: Mapping[str, Setup], say: Speech) -> Text:
    """Why an answer names no game, and which name it resembles."""
    titles = [say(games()[key].title) for key in offered]
    reason = Text("There is no game “{name}”.", name=name)
    if meant := nearest(answer, (*offered, *titles)):
        return did_you_mean(reason, meant)
    return Text("{reason} Type its number or its name.", reason=reason)


def _print_offer(say: Speech, offered: Mapping[str, Setup], unfinished: Sequence[Unfinished]) -> None:
    if unfinished:
        caption = unfinished[0].caption(say)
        print_texts(say, [Text("Continue: {game}", game=caption), Text("Press Enter to go on with it.")])
        if len(unfinished) > 1:
            print_texts(say, [Text("Type r to see all your unfinished games.")])
    print_texts(say, [Text("Which game?")])
    for number, key in enumerate(offered, 1):
        game = games()[key]
        print("\n".join(reflowed(f"{number:>3}. {say(game.title)}: {say(game.pitch)}", WIDTH)))


def _one_of(unfinished: Sequence[Unfinished], say: Speech, read: Callable[[], str]) -> GameId | None:
    """Asks which unfinished game to go on with, unless there is only one; None for another answer."""
    if len(unfinished) == 1:
        return unfinished[0].listing.game
    print_texts(say, [Text("Which one? Enter goes back.")])
    for number, game in enumerate(unfinished, 1):
        print("\n".join(reflowed(f"{number:>3}. {game.caption(say)}", WIDTH)))
    answer = _answer(read)
    numbers = {str(number): game.listing.game for number, game in enumerate(unfinished, 1)}
    return numbers.get(answer)


def _unfinished(store: WriteBehindStore | None) -> Sequence[Unfinished]:
    """The saved games to resume; a missing file is not created."""
    if store is None or not store.file.exists():
        return ()
    store.wait_until_read()
    return store.unfinished()


def _answer(read: Callable[[], str]) -> str:
    """The next line; raises `PlayerQuit` at "quit" and at the end of the input."""
    line = read()
    answer = line.strip()[:LONGEST_LINE].casefold()
    if not line or answer in QUIT:
        raise PlayerQuit
    return answer
