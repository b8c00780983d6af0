"""What holds for the guided first hand of every game: its moves are legal and its sentences are true."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from bot.tables.log.commitment import seed_of
from engines import games
from engines.cards import Card
from engines.game import Guide, Move, Step, Text
from engines.position import iter_cards
from tests.engines.playing import AnyGame
from tests.golden import assert_golden

GUIDES = {key: game.guide for key, game in games().items() if game.guide}
every_guide = pytest.mark.parametrize("key", GUIDES)
GOLDEN = Path(__file__).parent / "guides"
NAMES = ("Ana", "Lola")
SHORTEST, LONGEST = 8, 20
"""The fewest and the most steps of a guide, which takes about five minutes."""


class Moment(NamedTuple):
    """A step of a guide, and the state in which the player reads it."""

    game: AnyGame
    step: Step
    state: Any


def dealt(game: AnyGame, guide: Guide) -> Any:
    return game.new(guide.seats, seed_of(guide.seed_words), guide.options)


def moments(key: str) -> Iterator[Moment]:
    """Plays a guide: yields each step with its state, then the last state with an empty step."""
    game, guide = games()[key], GUIDES[key]
    assert guide
    state = dealt(game, guide)
    for step in guide.steps:
        yield Moment(game, step, state)
        if step.move:
            state = made(game, state, 0, step.move)
        for reply in step.replies:
            (seat,) = game.awaited(game.view(state, None)).must
            assert seat != 0
            state = made(game, state, seat, reply)
    yield Moment(game, Step(Text("")), state)


def made(game: AnyGame, state: Any, seat: int, move: str) -> Any:
    """The state after a move, which must be spelled as logs spell it."""
    canonical, state, _ = game.act(state, seat, move)
    assert str(canonical) == move
    return state


def view_when_told(key: str, beginning: str) -> Any:
    """The player's view when the only sentence with this beginning is read."""
    (moment,) = [moment for moment in moments(key) if moment.step.text.message.startswith(beginning)]
    return moment.game.view(moment.state, 0)


def cards_of(arg: object) -> list[Card]:
    match arg:
        case Card():
            return [arg]
        case tuple():
            return [card for part in arg for card in cards_of(part)]
        case Text():
            return [card for part in arg.args.values() for card in cards_of(part)]
    return []


def test_guides_are_found() -> None:
    assert GUIDES


@every_guide
def test_a_guide_has_eight_to_twenty_steps(key: str) -> None:
    guide = GUIDES[key]
    assert guide
    assert SHORTEST <= len(guide.steps) <= LONGEST


@every_guide
def test_moves_of_a_guide_are_legal_and_the_player_is_asked_only_in_turn(key: str) -> None:
    for game, step, state in moments(key):
        assert not step.move or game.awaited(game.view(state, 0)).must == (0,)


@every_guide
def test_a_guide_begins_with_an_explanation_and_ends_with_one_or_with_the_game(key: str) -> None:
    guide, last = GUIDES[key], list(moments(key))[-1]
    assert guide
    assert not guide.steps[0].move
    assert not guide.steps[-1].move or last.game.result(last.state)


@every_guide
def test_a_guide_can_be_read_aloud(key: str) -> None:
    """The golden file has each sentence in all languages, and the move to choose as its button names it."""
    blocks = []
    for game, step, state in moments(key):
        lines = []
        for locale in LANGUAGES:
            say = Speech(locale, NAMES)
            lines.append(f"{locale}  {say(step.text)}")
            if step.move:
                label = game.label(game.view(state, 0), tuple(step.move.split()), say)
                lines.append(
                    f"    ▸ {label} ({say(game.reason(game.view(state, 0), Move.parse(step.move)))})"
                )
        blocks.append("\n".join([*lines, *(f"    ◂ {reply}" for reply in step.replies)]))
    assert_golden(GOLDEN / f"{key}.txt", "\n\n".join(blocks[:-1]))


def test_no_golden_file_is_left_over() -> None:
    assert sorted(file.stem for file in GOLDEN.iterdir()) == sorted(GUIDES)


@every_guide
def test_the_cards_that_a_sentence_names_lie_where_it_says(key: str) -> None:
    named = 0
    for game, step, state in moments(key):
        view = game.view(state, 0)
        hand = set((game.message(view) or {}).get("hand", ()))
        for name, arg in step.text.args.items():
            cards = cards_of(arg)
            named += len(cards)
            if name.startswith("my"):
                assert set(cards) <= hand, step.text.message
            elif not name.startswith("any"):
                assert set(cards) <= set(iter_cards(view)), step.text.message
    assert named
