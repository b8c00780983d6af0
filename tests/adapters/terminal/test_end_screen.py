"""The full screen of a finished game: a rematch, alone or as the first of a match; keys without a use."""

from __future__ import annotations

import pytest
from textual import events

from adapters.terminal import rendering
from adapters.terminal.guide import guided
from adapters.terminal.setup import Setup
from bot.pages.captions import result_captions
from bot.settings.choices import Language
from engines.values import replace
from tests import luck
from tests.adapters.terminal.screen import Person, playing
from tests.support.clock import VirtualClock

BONES = Setup("cardlebones", 2, ("Ana",), seed="S", pace=0)
TWO = replace(BONES, names=("Ana", "Beto"), seed="c", forced="never")
ALONE = replace(BONES, forced="never")
CASINO = Setup("casino", 2, ("Ana", "Beto"), seed="S", pace=0)


@pytest.mark.parametrize(
    ("locale", "button", "length"),
    [("en", "2) Match …", "2) First to 3 wins"), ("es", "2) Serie …", "2) A 3 victorias")],
)
async def test_the_end_screen_offers_a_match(locale: Language, button: str, length: str) -> None:
    async with playing(replace(BONES, locale=locale)) as person:
        await person.fast_forward(luck.rng())
        assert person.labels()[1] == button
        await person.press("2", "enter")
        assert person.labels()[1] == length
        before = person.table.session.table.id
        await person.press("2", "enter")
        session = person.table.session
        assert session.table.id != before
        assert (session.setup.first_to, session.table.match and session.table.match.first_to) == (3, 3)


async def test_the_winner_stands_between_suits_only_where_both_fit_in_a_line() -> None:
    async with playing(replace(TWO, names=("王" * 8, "李" * 8)), (120, 40)) as person:
        await person.fast_forward(luck.rng())
        session = person.table.session
        winner = session.say(next(iter(result_captions(session.table))))
        headline = f"♠ ♥ ♦ ♣   {winner}   ♣ ♦ ♥ ♠"
        shown = {width: rendering.game_over(session, width).plain for width in range(30, 120)}
        assert {headline in text for text in shown.values()} == {True, False}
        assert all((headline in text) == ("♠ ♥" in text) for text in shown.values())


async def test_numbers_pressed_on_after_the_end_start_no_rematch_at_once() -> None:
    async with playing(BONES) as person:
        await person.fast_forward(luck.rng())
        over = person.table.session.table.id
        for _ in range(3):
            await person.press("1")
        assert person.table.session.table.id == over
        await person.press("backspace", "backspace", "enter")
        assert person.table.session.table.id != over


async def last_move(person: Person) -> str:
    """Plays until the first button of the menu ends the game; returns its move."""
    while True:
        await person.idle()
        seat, menu = person.table.reader, person.table._moves.shown
        assert seat is not None
        assert menu
        move = " ".join(menu.items[0].words)
        if person.table.session.table.play(seat, move).result:
            return move
        await person.choose("1")


async def test_a_number_pressed_twice_for_the_last_move_starts_no_rematch() -> None:
    async with playing(TWO) as person:
        await last_move(person)
        over = person.table.session.table.id
        assert person.table._acts("1")
        # The second press comes before the first has been carried out.
        for _ in range(2):
            person.app.post_message(events.Key("1", "1"))
        await person.settle()
        table = person.table.session.table
        assert table.id == over
        assert table.result


async def test_a_move_made_when_the_game_has_just_ended_leads_to_the_end_screen() -> None:
    async with playing(TWO) as person:
        move, seat = await last_move(person), person.table.reader
        assert seat is not None
        await person.table.session.play(seat, move)
        await person.table._play(move)
        await person.settle()
        assert (person.labels()[0], person.app.return_code) == ("1) Rematch", None)


@pytest.mark.parametrize(
    ("locale", "answer"),
    [
        ("en", "The choices have just changed; here they are."),
        ("es", "Las opciones acaban de cambiar: son estas."),
    ],
)
async def test_a_number_sent_just_after_the_end_is_asked_for_again(locale: Language, answer: str) -> None:
    async with playing(replace(TWO, locale=locale)) as person:
        await last_move(person)
        over = person.table.session.table.id
        await person.choose("1")
        await person.press("1", "enter")
        assert answer in person.text()
        assert (person.table.session.table.id, person.line.value) == (over, "1")
        person.let_read()
        await person.press("enter")
        assert person.table.session.table.id != over


@pytest.mark.parametrize("way", ["enter", "click"])
@pytest.mark.parametrize(
    ("locale", "answer"),
    [
        ("en", "The choices have just changed; here they are."),
        ("es", "Las opciones acaban de cambiar: son estas."),
    ],
)
async def test_enter_or_a_click_that_comes_twice_for_the_last_move_deals_no_rematch(
    way: str, locale: Language, answer: str
) -> None:
    async with playing(replace(ALONE, locale=locale)) as person:
        await last_move(person)
        over = person.table.session.table.id
        if way == "click":
            await person.click(0)
            await person.click(0)
        else:
            await person.type("1")
            await person.press("enter")
        assert person.table.session.table.result
        assert answer in person.text()
        assert person.table.session.table.id == over
        person.let_read()
        await (person.click(0) if way == "click" else person.press("enter"))
        assert person.table.session.table.id != over


async def test_the_choice_of_a_match_can_be_left_and_typed() -> None:
    async with playing(BONES) as person:
        await person.fast_forward(luck.rng())
        rematch = person.labels()
        await person.type("match")
        assert person.labels()[-1] == "Esc Back"
        await person.press("escape")
        assert person.labels() == rematch


async def test_a_match_can_be_given_up_for_single_games() -> None:
    async with playing(replace(BONES, first_to=5)) as person:
        await person.fast_forward(luck.rng())
        await person.press("2", "enter")
        assert person.labels()[0] == "1) Single games"
        await person.press("1", "enter")
        assert person.table.session.table.match is None


async def test_a_game_with_a_move_taken_back_says_that_it_does_not_count() -> None:
    async with playing(BONES) as person:
        await person.idle()
        await person.press("1", "f6")
        assert person.table.session.table.taken_back
        await person.fast_forward(luck.rng())
        assert "This game doesn't count: a move was taken back." in person.text()


async def test_a_guided_game_says_that_it_does_not_count() -> None:
    async with playing(guided(CASINO)) as person:
        await person.press("escape")
        await person.fast_forward(luck.rng())
        assert "This game doesn't count: it began with a guided hand." in person.text()


KEYS = ("escape", "backspace", "left", "right", "up", "down", "space", "tab", "plus", "f5", "f6", "f7")
"""Keys that must neither break the screen nor start a game.

They are pressed before a player sits down, while others play, and after a game.
"""


async def test_no_key_breaks_the_curtain_or_the_end() -> None:
    async with playing(CASINO) as person:
        await person.press(*KEYS)
        assert "Pass the keyboard to" in person.text()
        await person.press("enter")
        await person.fast_forward(luck.rng())
        over = person.table.session.table.id
        await person.press(*KEYS)
        assert person.labels()[0] == "1) Rematch"
        assert person.table.session.table.id == over


async def test_no_key_breaks_a_table_that_waits() -> None:
    async with playing(replace(CASINO, names=("Ana",)), clock=VirtualClock(stopped=True)) as person:
        assert person.labels() == []
        await person.press(*KEYS)
        assert (person.app.return_code, person.labels()) == (None, [])


async def test_a_number_typed_while_a_computer_thinks_is_typed_over() -> None:
    clock = VirtualClock(stopped=True)
    async with playing(replace(BONES, pace=1), clock=clock) as person:
        await person.press("7")
        assert (person.line.value, person.labels()) == ("7", [])
        await clock.advance(60)
        await person.idle()
        before = person.table.session.table.stamp
        await person.press("1")
        assert person.table.session.table.stamp > before
