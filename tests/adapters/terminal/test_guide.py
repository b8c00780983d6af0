"""Guided first hands at the terminal: every guide, in every language, on the screen and line by line."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from adapters.terminal.guide import PLAYER, GuidedHand, GuideMemory, guided, moves_made, offers_guide
from adapters.terminal.plain.choosing import with_or_without_guide
from adapters.terminal.plain.table import PlainTable
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.session import Session, resumed_session
from adapters.terminal.setup import Setup
from bot.settings.choices import LANGUAGES, Language
from bot.storage import Store
from engines import games
from engines.game import IllegalMove, Move, Step, Text
from engines.values import replace
from tests.adapters.terminal.screen import playing
from tests.adapters.terminal.test_plain import Keyboard, Printed, run_to_end
from tests.support.clock import VirtualClock
from tests.support.waiting import Waiting

GUIDES = {key: game.guide for key, game in games().items() if game.guide}
every_guide = pytest.mark.parametrize("key", GUIDES)
every_language = pytest.mark.parametrize("locale", list(LANGUAGES))
CHOOSE = {"en": "(choose this)", "es": "(elige esto)"}


def setup_of(key: str, locale: Language = "en") -> Setup:
    return guided(Setup(key, 2, ("Ana",), locale, pace=0))


def step_text(session: Session, step: Step) -> str:
    return squeezed(session.say(step.text))


def squeezed(text: str) -> str:
    return " ".join(text.split())


class Pupil:
    """Reads every step, and makes the move that it asks for.

    If it `disobeys`, it first tries another move, where there is one, until it was refused as often as it
    has read steps.
    """

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
            assert step_text(session, step) in squeezed(screen)
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
    run_to_end(PlainTable(session, keyboard.read), keyboard, capsys)
    assert tuple(pupil.steps) == guide.steps
    assert moves_made(session.table) >= sum(bool(step.move) + len(step.replies) for step in guide.steps)


@every_guide
def test_another_move_is_answered_with_the_one_to_make(key: str, capsys: Printed) -> None:
    session, guide = Session(setup_of(key)), GUIDES[key]
    assert guide
    pupil = Pupil(session, "en", disobeys=True)
    keyboard = Keyboard(capsys, pupil.answer)
    screens = "".join(run_to_end(PlainTable(session, keyboard.read), keyboard, capsys))
    assert tuple(pupil.steps) == guide.steps
    assert pupil.refused
    assert screens.count("For now, choose “") == pupil.refused


@every_guide
def test_at_every_explanation_each_word_is_answered(key: str, capsys: Printed) -> None:
    session, guide = Session(setup_of(key)), GUIDES[key]
    assert guide
    pupil, every = Pupil(session, "en", disobeys=False), ["help", "hint", "hand", "score", "history", "rules"]
    words, typed, answered = iter(every), "", list[str]()

    def answer(screen: str) -> str:
        nonlocal words, typed
        if typed:
            # All but the sentence of the step and the question at the end.
            answered.append("\n".join(screen.strip().splitlines()[:-1]))
        hand, typed = session.guide, ""
        if hand and hand.explanation(session.table):
            if word := next(words, None):
                typed = word
                return f"{word}\n"
            words = iter(every)
        return pupil.answer(screen)

    keyboard = Keyboard(capsys, answer)
    run_to_end(PlainTable(session, keyboard.read), keyboard, capsys)
    assert len(pupil.steps) == len(guide.steps)
    assert len(answered) == len(every) * sum(not step.move for step in guide.steps)
    assert all(answered)


@every_guide
@pytest.mark.parametrize("line", ["1", "x"])
async def test_a_line_typed_at_an_explanation_is_answered_with_what_to_press(key: str, line: str) -> None:
    async with playing(setup_of(key)) as person:
        session = person.table.session
        hand = session.guide
        assert hand
        while not hand.explanation(session.table):
            await (person.press("enter") if hand.step(session.table) else person.settle())
        shown = hand.step(session.table)
        await person.type(line)
        assert "Press Enter to " in person.text()
        assert person.line.value == ""
        await person.press("enter")
        assert hand.step(session.table) is not shown


@every_guide
async def test_a_guide_is_played_on_the_full_screen_in_every_language(key: str) -> None:
    """Enter presses what is highlighted: the way on from an explanation, or to the move asked for."""
    guide, read = GUIDES[key], list[Step]()
    assert guide
    async with playing(setup_of(key)) as person:
        session = person.table.session
        while (hand := session.guide) and not hand.is_over:
            if (step := hand.step(session.table)) is None:
                await person.settle()
                continue
            if step not in read:
                read.append(step)
                for locale in LANGUAGES:
                    person.app.set_language(locale)
                    while step_text(session, step) not in squeezed(person.text()):
                        await person.settle()
            await person.press("enter")
    assert tuple(read) == guide.steps


@every_guide
async def test_a_second_click_skips_no_step_that_asks_for_a_move(key: str) -> None:
    steps = GUIDES[key].steps
    first = next(n for n, step in enumerate(steps) if step.move)
    assert first, "a guide begins with an explanation"
    async with playing(setup_of(key)) as person:
        session = person.table.session
        for _ in range(first - 1):
            await person.click(0)
        await person.click_twice(0)
        assert session.guide
        assert session.guide.step(session.table) == steps[first]


async def test_after_the_last_page_of_moves_the_way_out_of_the_guide_is_shown_again() -> None:
    async with playing(setup_of("boathouse"), (60, 20)) as person:
        while "+" not in [label.partition(" ")[0] for label in person.labels()]:
            await person.press("enter")
        assert "Leave the guide" in person.text()
        await person.press("plus")
        assert "Leave the guide" not in person.text()
        while person.table._moves.is_begun:
            await person.press("plus")
        assert "Leave the guide" in person.text()


async def test_on_a_small_screen_the_sentence_leaves_room_for_the_table() -> None:
    async with playing(setup_of("casino", "es"), (40, 24)) as person:
        await person.press("enter")
        step = hand_of(person.table.session).step(person.table.session.table)
        assert step
        assert step_text(person.table.session, step) in squeezed(person.text())
        assert {"7♥", "10♠"} <= person.cards()


@every_language
@every_guide
async def test_on_a_small_screen_every_step_says_how_to_leave_the_guide(key: str, locale: Language) -> None:
    async with playing(setup_of(key, locale), (40, 24)) as person:
        session, steps = person.table.session, 0
        leave = "Esc " + session.say(Text("Leave the guide"))
        while (hand := session.guide) and not hand.is_over:
            if hand.step(session.table) is None or person.table._moves.is_begun:
                await person.press("enter")
                continue
            steps += 1
            assert leave in person.text()
            await person.press("enter")
        assert steps
        assert leave not in person.text()


async def test_another_move_on_the_full_screen_is_answered_with_the_one_to_make() -> None:
    async with playing(setup_of("casino")) as person:
        await person.press("enter")
        await person.type("throw 6D")
        assert "For now, choose “Throw 7♥”." in squeezed(person.text())
        await person.type("throw 3D")
        assert "3♦ isn't in your hand." in person.text()
        await person.type("throw 7H")
        assert moves_made(person.table.session.table) > 0


@pytest.mark.parametrize("typed", ["", "saltar"])
async def test_who_leaves_a_guide_goes_on_with_the_game(typed: str, tmp_path: Path) -> None:
    memory = GuideMemory(tmp_path / "guides.txt")
    async with playing(setup_of("casino"), guides=memory) as person:
        session = person.table.session
        await person.press("enter")
        assert not memory.is_settled("casino")
        await (person.type(typed) if typed else person.press("escape"))
        assert hand_of(session).is_over
        assert memory.is_settled("casino")
        await person.type("throw 6D")
        assert moves_made(session.table) > 0
        assert "You play one card a turn" not in person.text()


async def test_backspace_once_too_often_does_not_leave_the_guide() -> None:
    async with playing(setup_of("casino")) as person:
        await person.press("enter", "x", "backspace", "backspace", "backspace")
        assert not hand_of(person.table.session).is_over
        assert "Esc Leave the guide" in person.text()


def test_a_guide_is_left_line_by_line_with_a_word(capsys: Printed) -> None:
    session = Session(setup_of("casino"))
    keyboard = Keyboard(capsys, ["", "skip", "throw 6D", "quit"])
    screens = run_to_end(PlainTable(session, keyboard.read), keyboard, capsys)
    assert "You have left the guide." in screens[2]
    assert "Ana throws 6♦." in screens[3]


def test_words_about_the_game_are_answered_during_an_explanation(capsys: Printed) -> None:
    session = Session(setup_of("casino"))
    keyboard = Keyboard(capsys, ["rules", "throw 7H", "quit"])
    screens = run_to_end(PlainTable(session, keyboard.read), keyboard, capsys)
    assert "How to play" in screens[1]
    assert all("In Casino you capture cards." in screen for screen in screens[:3])


def test_a_move_taken_back_takes_the_guide_back(capsys: Printed) -> None:
    session = Session(setup_of("casino"))
    keyboard = Keyboard(capsys, ["", "throw 7H", "take back", "quit"])
    screens = run_to_end(PlainTable(session, keyboard.read), keyboard, capsys)
    assert "throw 7♥" in screens[1]
    assert "Capture 2♣ with 2♠" in squeezed(screens[2])
    assert "throw 7♥" in screens[3]


def test_a_hint_names_the_move_that_the_guide_asks_for(capsys: Printed) -> None:
    session = Session(setup_of("casino"))
    keyboard = Keyboard(capsys, ["", "hint", "quit"])
    assert "Hint: Throw 7♥." in run_to_end(PlainTable(session, keyboard.read), keyboard, capsys)[2]


@every_guide
async def test_a_guide_goes_on_in_a_game_that_is_resumed_after_each_move(key: str) -> None:
    session, guide, read = Session(setup_of(key)), GUIDES[key], list[Step]()
    assert guide
    while not (hand := hand_of(session)).is_over and not session.table.result:
        step = hand.step(session.table)
        read += [step] if step and step not in read else []
        if step and not step.move:
            session.read_on()
            continue
        if step:
            await session.play(PLAYER, step.move)
        else:
            await the_next_move(session)
        session = await resumed(session)
    assert tuple(read) == guide.steps


async def test_another_move_is_answered_with_the_one_to_make_in_a_resumed_game_too() -> None:
    session = await resumed(await after_a_move())
    while hand_of(session).request(session.table) is None:
        await the_next_move(session)
    with pytest.raises(IllegalMove) as refused:
        await session.play(PLAYER, "throw 6D")
    assert refused.value.code == "guided"


async def test_a_guide_that_was_left_for_another_move_does_not_go_on() -> None:
    session = Session(setup_of("casino"))
    session.leave_guide()
    await session.play(PLAYER, "throw 6D")
    assert hand_of(await resumed(session)).is_over


async def test_a_guide_does_not_go_on_where_it_has_ended() -> None:
    session = Session(setup_of("casino"))
    while not (hand := hand_of(session)).is_over:
        if (step := hand.step(session.table)) is None:
            await the_next_move(session)
        elif step.move:
            await session.play(PLAYER, step.move)
        else:
            session.read_on()
    assert session.at_keyboard() is None
    await the_next_move(session)
    assert hand_of(await resumed(session)).is_over


async def test_the_words_of_a_guides_deal_guide_no_game_of_two_people() -> None:
    guide = GUIDES["casino"]
    assert guide
    session = Session(Setup("casino", 2, ("Ana", "Luis"), seed=guide.seed_words))
    await session.play(PLAYER, "throw 7H")
    assert hand_of(await resumed(session)).is_over


async def test_a_guide_whose_move_was_taken_back_goes_on_in_the_resumed_game() -> None:
    session = await after_a_move()
    await session.take_back()
    session = await resumed(session)
    hand_of(session).read_on(session.table)
    assert str(hand_of(session).request(session.table)) == "throw 7H"


async def test_the_game_after_a_resumed_guide_has_a_deal_of_its_own() -> None:
    session = await resumed(await after_a_move())
    await session.rematch()
    assert session.guide is None
    assert session.setup.seed is None


async def test_a_guide_that_ends_in_a_resumed_game_is_not_offered_again(tmp_path: Path) -> None:
    session, memory = await after_a_move(), GuideMemory(tmp_path / "guides.txt")
    store = session.service._store
    again = await resumed_session(session.setup, session.table.id, store, guides=memory)
    assert not memory.is_settled("casino")
    again.leave_guide()
    assert memory.is_settled("casino")


async def test_a_resumed_guide_stands_on_the_full_screen() -> None:
    session = await after_a_move()
    file = session.service._store

    async def opened(url: str) -> Store:
        return file

    store, base = WriteBehindStore(Path("games"), VirtualClock(), opened), Setup("", 0, ("Ana",), pace=0)
    store.wait_until_read()
    async with playing(None, base=base, store=store, unfinished=session.table.id) as person:
        await person.idle()
        step = hand_of(person.table.session).step(person.table.session.table)
        assert step
        assert step_text(person.table.session, step) in squeezed(person.text())
        assert "Esc Leave the guide" in person.text()
    store.finish()


def test_a_guided_hand_counts_for_no_list_of_wins() -> None:
    table = Session(guided(Setup("casino", 2, ("Ana",)))).table
    assert table.listing.uncounted == "guided"
    assert Session(Setup("casino", 2, ("Ana",), seed="x")).table.listing.uncounted is None


async def test_the_game_after_a_guide_has_a_deal_of_its_own() -> None:
    session = Session(setup_of("casino"))
    await session.rematch()
    assert session.guide is None
    assert session.setup.seed is None


def test_a_guide_is_offered_once_to_a_player_alone(tmp_path: Path) -> None:
    memory, setup = GuideMemory(tmp_path / "new" / "guides.txt"), Setup("casino", 2, ("Ana",))
    assert offers_guide(setup, memory)
    assert not offers_guide(replace(setup, names=("Ana", "Luis")), memory)
    assert not offers_guide(replace(setup, seed="x"), memory)
    assert not offers_guide(replace(setup, options={"multi_capture": "on"}), memory)
    assert not offers_guide(guided(setup), memory)
    memory.settle("casino")
    again = GuideMemory(tmp_path / "new" / "guides.txt")
    assert not offers_guide(setup, again)
    assert offers_guide(replace(setup, key="svoi"), again)


def test_memory_without_a_file_lasts_until_the_program_ends(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = GuideMemory(tmp_path / "file" / "guides.txt")
    memory.settle("casino")
    assert memory.is_settled("casino")


@pytest.mark.parametrize(("key", "wanted"), [("1", True), ("2", False), ("escape", False), ("enter", True)])
async def test_the_first_game_begins_with_the_offer_of_its_guide(
    key: str, wanted: bool, tmp_path: Path
) -> None:
    memory = GuideMemory(tmp_path / "guides.txt")
    setup = Setup("casino", 2, ("Ana",), pace=0)
    async with playing(setup, guides=memory) as person:
        assert "Learn Casino first?" in person.text()
        await person.press(key)
        assert (person.table.session.guide is not None) == wanted
        assert memory.is_settled("casino") != wanted
        assert person.app.defaults == setup


async def test_escape_goes_back_from_the_offer_of_a_guide_to_the_form(tmp_path: Path) -> None:
    memory = GuideMemory(tmp_path / "guides.txt")
    async with playing(None, base=Setup("", 0, ["Ana"], pace=0), guides=memory) as person:
        await person.press("1")
        form = person.app.screen
        await person.press("enter")
        assert "first?" in person.text()
        assert "Esc Back" in person.text()
        await person.press("escape")
        assert person.app.screen is form
        await person.press("enter")
        assert "first?" in person.text()


@pytest.mark.parametrize(("answer", "wanted"), [("sí", True), ("no", False)])
def test_the_offer_is_answered_line_by_line(
    answer: str, wanted: bool, tmp_path: Path, capsys: Printed
) -> None:
    memory = GuideMemory(tmp_path / "guides.txt")
    setup = Setup("casino", 2, ("Ana",), "es")
    assert with_or_without_guide(setup, memory, lambda: f"{answer}\n").guided == wanted
    assert memory.is_settled("casino") != wanted
    assert squeezed(capsys.readouterr().out).endswith("(sí o no)")


def test_an_answer_to_the_offer_that_is_neither_yes_nor_no_is_asked_again(
    tmp_path: Path, capsys: Printed
) -> None:
    memory, answers = GuideMemory(tmp_path / "guides.txt"), iter(("tal vez\n", "\n", "si\n"))
    assert with_or_without_guide(Setup("casino", 2, ("Ana",), "es"), memory, lambda: next(answers)).guided
    assert squeezed(capsys.readouterr().out).count("(sí o no)") == 3


async def after_a_move() -> Session:
    """A guided hand of Casino after its first move."""
    session = Session(setup_of("casino"))
    session.read_on()
    await session.play(PLAYER, str(hand_of(session).request(session.table)))
    return session


async def the_next_move(session: Session) -> None:
    """Lets the computers play until the table has changed."""
    session.begin()
    change = asyncio.create_task(session.changed(len(session.table.entries)))
    await Waiting("a move of a computer").first(change)
    await session.end()


async def resumed(session: Session) -> Session:
    """The session of the same game in a program that was started anew."""
    return await resumed_session(Setup("", 0, ("Ana",), pace=0), session.table.id, session.service._store)


def hand_of(session: Session) -> GuidedHand:
    assert session.guide
    return session.guide
