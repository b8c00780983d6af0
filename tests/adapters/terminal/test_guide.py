"""Guided first hands at the terminal: every guide, in every language, on the screen and line by line."""

from __future__ import annotations

import re

import pytest

from adapters.terminal.guide import guided, moves_made
from adapters.terminal.plain_table import PlainTable
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.i18n import LANGUAGES
from bot.model import Language
from engines import games
from engines.game import Move, Step
from tests.adapters.terminal.test_plain import Keyboard, Printed, spend

GUIDES = {key: game.guide for key, game in games().items() if game.guide}
every_guide = pytest.mark.parametrize("key", GUIDES)
every_language = pytest.mark.parametrize("locale", list(LANGUAGES))
CHOOSE = {"en": "(choose this)", "es": "(elige esto)"}


def setup_of(key: str, locale: Language = "en") -> Setup:
    return guided(Setup(key, 2, ("Ana",), locale, pace=0))


def told(session: Session, step: Step) -> str:
    return squeezed(session.say(step.text))


def squeezed(text: str) -> str:
    return " ".join(text.split())


class Pupil:
    """Reads every step, and chooses what is marked; first tries another move at each step."""

    def __init__(self, session: Session, locale: Language, *, disobeys: bool) -> None:
        self._session = session
        self._locale = locale
        self._disobeys = disobeys
        self.steps: list[Step] = []
        """The steps read."""
        self.refused = 0

    def answer(self, screen: str) -> str:
        session, guide = self._session, self._session.guide
        assert guide
        if guide.is_over or session.table.result:
            return "quit\n"
        step = guide.step(session.table)
        assert step
        if step not in self.steps:
            self.steps.append(step)
            assert told(session, step) in squeezed(screen)
        if not step.move:
            return "\n"
        if self._disobeys and self.refused < len(self.steps) and (other := self._other(step)):
            self.refused += 1
            return f"{other}\n"
        found = re.search(rf"^ *(\d+)\. .*{re.escape(CHOOSE[self._locale])}", screen, re.MULTILINE)
        return f"{found[1]}\n" if found else f"{step.move}\n"

    def _other(self, step: Step) -> Move | None:
        table = self._session.table
        moves = table.game.moves(table.state, 0)
        return next((move for move in moves if str(move) != step.move), None)


@every_language
@every_guide
def test_a_guide_is_played_line_by_line(key: str, locale: Language, capsys: Printed) -> None:
    session, guide = Session(setup_of(key, locale)), GUIDES[key]
    assert guide
    pupil = Pupil(session, locale, disobeys=False)
    keyboard = Keyboard(capsys, pupil.answer)
    spend(PlainTable(session, keyboard.read), keyboard, capsys)
    assert tuple(pupil.steps) == guide.steps
    assert moves_made(session.table) >= sum(bool(step.move) + len(step.replies) for step in guide.steps)


@every_guide
def test_another_move_is_answered_with_the_one_to_make(key: str, capsys: Printed) -> None:
    session, guide = Session(setup_of(key)), GUIDES[key]
    assert guide
    pupil = Pupil(session, "en", disobeys=True)
    keyboard = Keyboard(capsys, pupil.answer)
    screens = "".join(spend(PlainTable(session, keyboard.read), keyboard, capsys))
    assert tuple(pupil.steps) == guide.steps
    assert pupil.refused
    assert screens.count("For now, choose “") == pupil.refused
