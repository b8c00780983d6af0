"""Hints at the terminal: by words on the lines, by a key or words on the full screen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from adapters.terminal import typed_lines
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.settings.choices import LANGUAGES, Language
from bot.thinking.query import Query
from engines.game import Move, Seat, Text
from engines.values import replace
from tests.adapters.terminal.screen import FirstMove, playing
from tests.adapters.terminal.test_app import alone, two
from tests.adapters.terminal.test_plain import CASINO, HOT_SEAT, Printed, play
from tests.support.clock import VirtualClock
from tests.support.waiting import Waiting


@pytest.mark.parametrize("line", ["h", "hint", "pista", "H"])
def test_typed_words_ask_for_a_hint(line: str, capsys: Printed) -> None:
    table, screens = play(capsys, CASINO, [line])
    assert screens[1].startswith("Hint: ")
    untouched, _ = play(capsys, CASINO, [])
    assert table._session.table.state == untouched._session.table.state


def test_a_hint_speaks_spanish(capsys: Printed) -> None:
    _, screens = play(capsys, replace(CASINO, locale="es"), ["h"])
    assert screens[1].startswith("Pista: ")


@pytest.mark.parametrize("keys", [("f7",), ("h", "enter"), (*"pista", "enter")])
async def test_a_key_and_words_show_a_hint_on_the_screen(keys: tuple[str, ...]) -> None:
    async with playing(CASINO) as person:
        await person.idle()
        assert "F7 Hint" in person.text()
        before = person.table.session.table.entries
        await person.press(*keys)
        await person.idle()
        assert "Hint: " in person.text()
        assert person.table.session.table.entries == before
        await person.press("f2")
        # Names of moves change with the language too: “Throw 9♦” is then “Tirar 9♦”.
        session = person.table.session
        move = session.hinted(0)
        assert move
        assert f"Pista: {session.label(0, move)}." in person.text()


async def test_a_refusal_names_moves_in_the_language_of_now() -> None:
    async with playing(CASINO) as person:
        await person.idle()
        await person.press(*"throw", "enter")
        assert "After “Throw” you can type: " in person.text()
        await person.press("f2")
        assert "Después de «Tirar» puedes escribir: " in person.text()
        assert "tirar AS" in person.text()


async def test_a_shared_keyboard_shows_a_hint_to_the_player_who_has_it() -> None:
    async with playing(replace(HOT_SEAT, players=2, options={})) as person:
        await person.press("f7")
        assert "Hint: " not in person.text()
        await person.press("enter", "f7")
        assert "Hint: " in person.text()


async def test_a_hint_that_is_late_is_not_shown_to_the_next_player(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(two()) as person:
        await person.press("enter")
        session = person.table.session

        async def hint(seat: Seat) -> Text:
            await session.play(seat, str(next(iter(session.game.moves(session.table.state, seat)))))
            waiting = Waiting("the handover")
            while person.table.reader == seat:
                waiting.check()
                await asyncio.sleep(0)
            return Text("Throw a card of Ana's.")

        monkeypatch.setattr(session, "hint", hint)
        await person.press("f7")
        assert person.table.next_reader is not None
        assert "a card of Ana's" not in person.text()


@pytest.mark.parametrize("keys", [("f7",), (*"hint", "enter")], ids=lambda keys: keys[0])
async def test_a_refused_hint_is_told_until_the_turn_comes(keys: Sequence[str]) -> None:
    clock = VirtualClock(stopped=True)
    async with playing(replace(alone("cardlebones"), pace=1), clock=clock) as person:
        session = person.table.session
        if 0 in session.table.active():
            await session.play(0, str(next(iter(session.game.moves(session.table.state, 0)))))
            await person.settle()
        await person.press(*keys)
        assert "It isn't your turn." in person.text()
        while 0 not in session.table.active():
            await clock.advance(1)
            await person.settle()
        assert "It isn't your turn." not in person.text()


class OtherPlan(FirstMove):
    """Chooses a move that no menu lists, as the search of a hard computer may."""

    async def choose(self, query: Query) -> Move:
        held = query.view.hand
        return Move("lay", tuple(str(card) for card in held[:3]))


@pytest.mark.parametrize("locale", list(LANGUAGES))
async def test_a_hint_may_be_typed_as_it_names_its_move(locale: Language) -> None:
    session = Session(replace(two(), key="trio_escalera", locale=locale), thinker=OtherPlan())
    [seat] = session.table.active()
    held = session.table.view(seat).hand
    hint = session.say(await session.hint(seat))
    line = hint.partition(": ")[2].partition(". ")[0]
    played = typed_lines.TypedMove("lay " + " ".join(map(str, held[:3])))
    assert typed_lines.read_line(session, seat, line, None) == played


async def test_the_warning_of_a_new_game_is_not_reworded_as_the_notice_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing(Setup("casino", 2, ["Ana"], seed="x", pace=0)) as person:
        await person.idle()
        person.table.notify_player(Text("The game is over."), reworded=lambda: None)
        await person.press("f2", "f2")
        monkeypatch.setattr(person.app, "new_warning", lambda: Text("You have left the guide."))
        person.table._begin()
        await person.settle()
        assert "You have left the guide." in person.text()
