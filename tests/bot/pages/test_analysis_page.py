"""The pages of a hint and of a look back, in both languages and in letters."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.pages.hint_page import hint_page
from bot.pages.results.analysis_page import analysis_page, costliest, progress_page, shown_seats
from bot.ports import Limits, Page
from bot.settings.choices import Language
from bot.table_service.analysis_jobs import AnalysisJob
from bot.table_service.hints import Hint
from bot.tables.analysis import Analysis, Judged, decision_of, played_moves
from bot.tables.log.commitment import ChosenSeed
from bot.tables.table import Table
from engines.game import Seat, Text
from engines.values import replace
from tests import luck
from tests.bot.pages.test_table_page import FEW_BUTTONS, after, both_languages, dealt, say, shown
from tests.golden import assert_golden

GOLDEN = Path(__file__).with_name("golden")
REASON = Text("Only one move was possible, so it was played for you.")


@pytest.fixture(autouse=True)
def fixed_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the goldens stay the same when a game learns better reasons."""
    monkeypatch.setattr(type(dealt().game), "reason", lambda game, view, move: REASON)


def judged(table: Table) -> Analysis:
    """An analysis with made-up chances: about every second decision costs something."""
    found = [one for step in played_moves(table) if (one := decision_of(table.game, step))]
    rows = []
    for n, one in enumerate(found):
        before = 0.5 + n % 40 / 100
        best = str(next(move for move in one.moves if move != one.played))
        rows.append(Judged(one.n, one.seat, before, before - n % 5 * 0.07 * (n % 3), best))
    return Analysis(len(found) + 7, tuple(rows))


def looked_back(
    reader: Seat | None, locale: Language, limits: Limits = FEW_BUTTONS, *, letters: bool = False
) -> Page:
    table = after(1000, dealt(), random.Random(1))
    analysis = judged(table)
    seats = shown_seats(table, analysis, reader)
    wanted = {one.n for seat in seats for one in costliest(analysis, seat)}
    moments = {step.n: step for step in played_moves(table) if step.n in wanted}
    speech = replace(say(table, locale), letters=letters)
    return analysis_page(table, analysis, moments, reader, speech, limits)


@both_languages
@pytest.mark.parametrize("reader", [0, None])
def test_the_page_of_a_look_back_is_as_in_its_golden_files(reader: Seat | None, locale: Language) -> None:
    name = "own" if reader is not None else "all"
    page = looked_back(reader, locale)
    assert_golden(GOLDEN / f"look_back_{name}_{locale}.txt", shown(page, FEW_BUTTONS))


def test_a_move_made_twice_in_one_position_is_told_once() -> None:
    """A turn may be begun anew, and the same mistake made again."""
    costly, other = Judged(3, 0, 0.5, 0.4, "draw"), Judged(7, 0, 0.5, 0.45, "draw")
    analysis = Analysis(4, (costly, Judged(5, 0, 0.5, 0.4, "draw"), other, Judged(9, 1, 0.5, 0.4, "draw")))
    assert costliest(analysis, 0) == [costly, other]


def test_chances_are_those_of_decisions_and_not_the_end() -> None:
    table = after(1000, dealt(), luck.rng())
    rows = [Judged(move.n, 0, 0.4, 0.4, move.best) for move in judged(table).judged if move.seat == 0]
    page = analysis_page(table, Analysis(len(rows), tuple(rows)), {}, 0, say(table, "en"), FEW_BUTTONS)
    assert "Your chance: 40% at first, 40% at best, 40% at worst." in shown(page, FEW_BUTTONS)


def test_after_a_guided_hand_it_is_said_that_the_guide_chose_moves() -> None:
    table = after(1000, dealt(), random.Random(1))
    guide = table.game.guide
    assert guide
    guided = replace(table, seed_source=ChosenSeed(guide.seed_words))
    said = "It began with a guided hand, whose moves the guide chose."
    for one, expected in ((table, False), (guided, True)):
        page = analysis_page(one, judged(table), {}, 0, say(one, "en"), FEW_BUTTONS)
        assert (said in shown(page, FEW_BUTTONS)) == expected


@pytest.mark.parametrize(("loss", "expected"), [(0.0, True), (0.2, True), (0.3, False)])
def test_a_loser_is_told_when_luck_cost_more_than_their_moves(loss: float, expected: bool) -> None:
    table = after(1000, dealt(), luck.rng())
    assert table.result
    loser = next(seat for seat in range(len(table.players)) if seat not in table.result.winners)
    one = next(move for move in judged(table).judged if move.seat == loser)
    first = Judged(one.n, loser, 0.5, 0.5 - loss, one.best)
    page = analysis_page(table, Analysis(1, (first,)), {}, loser, say(table, "en"), FEW_BUTTONS)
    assert ("Luck and the others' play cost you more" in shown(page, FEW_BUTTONS)) == expected
    part = analysis_page(table, Analysis(2, (first,)), {}, loser, say(table, "en"), FEW_BUTTONS)
    assert "Luck" not in shown(part, FEW_BUTTONS)


def test_a_loser_is_told_after_which_move_luck_or_the_others_cost_most() -> None:
    table = after(1000, dealt(), luck.rng())
    assert table.result
    loser = next(seat for seat in range(len(table.players)) if seat not in table.result.winners)
    first, second, third = [move for move in judged(table).judged if move.seat == loser][:3]
    rows = (
        Judged(first.n, loser, 0.5, 0.45, first.best),
        Judged(second.n, loser, 0.6, 0.6, second.best),
        Judged(third.n, loser, 0.11, 0.1, third.best),
    )
    moments = {step.n: step for step in played_moves(table)}

    def page(decisions: int, reader: Seat | None) -> str:
        analysis = Analysis(decisions, rows)
        return shown(
            analysis_page(table, analysis, moments, reader, say(table, "en"), FEW_BUTTONS), FEW_BUTTONS
        )

    expected = f"After move {moments[second.n].number}, luck or the others' play took you from 60% to 11%."
    assert expected in page(3, loser).replace("\n", " ")
    assert "luck or" not in page(4, loser)
    assert "luck or" not in page(3, None)


def test_for_a_reader_of_letters_the_bars_are_digits() -> None:
    page = looked_back(0, "en", letters=True)
    drawing = "".join(line for panel in page.panels if not panel.wraps for line in panel.lines)
    assert drawing.isdecimal()
    assert 10 < len(drawing) <= 28


@both_languages
def test_a_look_back_fits_a_small_message(locale: Language) -> None:
    limits = replace(FEW_BUTTONS, text=900)
    assert len(shown(looked_back(None, locale), FEW_BUTTONS)) > 900
    assert len(shown(looked_back(None, locale, limits), limits)) <= 900


@both_languages
def test_the_page_of_a_look_backs_progress_is_as_in_its_golden_files(locale: Language) -> None:
    table = after(1000, dealt(), random.Random(1))
    job = AnalysisJob(table.id, None, 7, 20)
    page = progress_page(table, job, say(table, locale), FEW_BUTTONS)
    assert_golden(GOLDEN / f"look_back_progress_{locale}.txt", shown(page, FEW_BUTTONS))


@both_languages
def test_the_page_of_a_hint_is_as_in_its_golden_files(locale: Language) -> None:
    table = dealt()
    seat = table.active()[0]
    move = next(iter(table.game.moves(table.state, seat)))
    page = hint_page(table, seat, Hint(0, move, REASON), say(table, locale))
    assert_golden(GOLDEN / f"hint_{locale}.txt", shown(page, FEW_BUTTONS))


def test_a_stored_move_that_is_not_in_the_game_is_not_told() -> None:
    table = after(1000, dealt(), luck.rng())
    found = judged(table)
    forged = Analysis(1, (replace(found.judged[7], after=0.0, best="eval __import__"),))
    [step] = [step for step in played_moves(table) if step.n == forged.judged[0].n]
    page = analysis_page(table, forged, {step.n: step}, None, say(table, "en"), FEW_BUTTONS)
    assert "eval" not in shown(page, FEW_BUTTONS)
    assert "cost" not in shown(page, FEW_BUTTONS)


def test_a_better_move_that_is_legal_but_not_suggested_is_told() -> None:
    table = dealt("trio_escalera")
    game, rng = table.game, luck.rng()
    while True:
        [seat], moves = table.active(), list(game.moves(table.state, table.active()[0]))
        better = game.think(table.view(seat), moves, rng)
        if better not in moves:
            break
        table = table.play(seat, str(better))
    label = game.label(table.view(seat), (better.verb, *better.words), say(table, "en"))
    table = table.play(seat, str(moves[0]))
    *_, step = played_moves(table)
    analysis = Analysis(1, (Judged(step.n, seat, 0.9, 0.1, str(better)),))
    page = analysis_page(table, analysis, {step.n: step}, None, say(table, "en"), FEW_BUTTONS)
    assert f"Better: {label}." in shown(page, FEW_BUTTONS)
