"""The whole table is in sight on a phone's terminal, and a drawing keeps its form at one size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from textual.content import Content
from textual.geometry import Size

from adapters.terminal.dealing import dealt
from adapters.terminal.guide import guided
from adapters.terminal.rendering import ScreenLayout
from adapters.terminal.rivals import PastGames
from adapters.terminal.setup import Setup
from adapters.terminal.table_screen.guided import guide_rows
from bot.i18n import Speech
from bot.settings.choices import LANGUAGES, Language
from bot.tables.log.commitment import ChosenSeed
from bot.tables.log.table_state import AnyGame
from bot.tables.table import Table
from engines import games
from engines.game import IllegalMove, Move
from tests.adapters.terminal.screen import FirstMove, playing
from tests.support.games import every_game
from tests.support.waiting import Waiting

NAMES = ("Ana", "Lola", "Beto", "Nina")
PHONE = Size(40, 24)
LONGEST = 2000
"""Moves within which a game must end."""


def positions(game: AnyGame, seats: int, seed: int, every: int = 1) -> Iterator[Any]:
    """States of a game before moves of seat 0, and after a number of moves that ``every`` divides."""
    state = game.new(seats, bytes([seed]) * 32, {option.name: option.default for option in game.options})
    n = 0
    while game.result(state) is None:
        assert n < LONGEST, f"{game.key} does not end"
        asked = ((seat, list(game.moves(state, seat))) for seat in game.awaited(game.view(state, None)).must)
        seat, moves = next((seat, moves) for seat, moves in asked if moves)
        if not seat and not n % every:
            yield state
        # Not always the first move: so some turns go on, and hands and tables grow.
        move: Move = moves[n % 7 % len(moves) if n % 3 else 0]
        state, n = game.apply(state, seat, move)[0], n + 1


@every_game
def test_at_forty_columns_the_whole_table_is_in_sight_with_as_many_players_as_four(key: str) -> None:
    game, layout = games()[key], ScreenLayout.of(PHONE)
    seats = min(4, game.seats[-1])
    drawn = 0
    for seed in (1, 2):
        for state in islice(positions(game, seats, seed, every=3), 15):
            drawing = game.draw(game.view(state, 0), Speech("en", NAMES), *layout.table)
            assert drawing.count("\n") < layout.table.height, drawing
            drawn += 1
    assert drawn > 5


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (100, 30)], ids=str)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_hand_of_casino_keeps_its_form(seats: int, size: tuple[int, int]) -> None:
    casino, layout = games()["casino"], ScreenLayout.of(Size(*size))
    borders = set()
    for state in positions(casino, seats, 4):
        if view := casino.view(state, 0):
            drawing = casino.draw(view, Speech("en", NAMES), *layout.table)
            assert drawing.count("\n") < layout.table.height
            if (casino.message(view) or {})["hand"]:
                borders.add(drawing.split("\n")[1][:5])
    assert len(borders) == 1


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("key", [key for key, game in games().items() if game.guide])
def test_the_whole_table_is_in_sight_above_the_sentences_of_a_guide(key: str, locale: Language) -> None:
    game, say = games()[key], Speech(locale, NAMES)
    assert game.guide
    setup = guided(Setup(key, 2, ["Ana"]))
    assert setup.seed
    table = dealt(setup, ChosenSeed(setup.seed), PastGames())
    layout = ScreenLayout.of(PHONE, guide_rows(game, say, PHONE.width))
    for step in game.guide.steps:
        drawing = game.draw(table.view(0), say, *layout.table)
        assert drawing.count("\n") < layout.table.height, drawing
        for move in filter(None, (step.move, *step.replies)):
            table = table.play(next(seat for seat in table.active() if may_make(table, seat, move)), move)


def may_make(table: Table, seat: int, move: str) -> bool:
    """Whether a seat may make a move now."""
    try:
        table.play(seat, move)
    except IllegalMove:
        return False
    return True


async def test_while_a_guide_explains_nobody_is_said_to_think() -> None:
    setup = guided(Setup("casino", 2, ["Ana"], pace=0))
    async with playing(setup, (40, 24), thinker=FirstMove()) as person:
        await person.idle()
        session = person.table.session
        explained = 0
        waiting = Waiting("the end of the guide")
        while (guide := session.guide) and not guide.is_over:
            waiting.check()
            step = guide.step(session.table)
            if step is None:
                await person.settle()
                continue
            assert not person.table._overflows
            sentence = Content(session.say(step.text)).wrap(PHONE.width - 2)
            assert all(line.plain.strip() in person.text() for line in sentence)
            if step.move:
                await session.play(0, step.move)
                await person.settle()
            else:
                # The last explanations come when it is the computer's turn.
                explained += session.table.active() == (1,)
                assert "thinking" not in person.text()
                await person.press("enter")
        assert explained
