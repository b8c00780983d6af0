"""What a player at the terminal chooses: how many moves are suggested, and when an only move plays itself."""

from __future__ import annotations

import pytest

from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.settings.choices import ForcedMoves, Language, SuggestedMoves
from engines.values import replace
from tests.adapters.terminal.test_plain import BONES, Printed, firsts, play

TOLD = "Only one move was possible, so it was played for you."
# Ana can lay groups at once.
TRIO = Setup("trio_escalera", players=2, names=("Ana",), seed="4", pace=0)


@pytest.mark.parametrize(("forced", "played"), [("open", 1), ("always", 1), ("never", 0)])
def test_the_last_cell_fills_itself_unless_its_player_wants_otherwise(
    forced: ForcedMoves, played: int, capsys: Printed
) -> None:
    table, screens = play(capsys, replace(BONES, forced=forced), firsts())
    entries = table._session.table.entries
    assert len([entry for entry in entries if entry.body.get("forced")]) == played
    assert "".join(screens).count(TOLD) == played


def test_a_move_that_would_tell_others_something_plays_itself_only_with_always(capsys: Printed) -> None:
    for forced, played in (("open", False), ("always", True)):
        table, _ = play(capsys, replace(TRIO, seed="S", forced=forced), ["help"])  # type: ignore[arg-type]
        assert any(entry.body.get("forced") for entry in table._session.table.entries) == played


@pytest.mark.parametrize(("suggested", "n"), [("full", 6), ("fewer", 2), ("off", 0)])
def test_suggestions_are_as_many_as_wished_and_the_verb_stays(suggested: SuggestedMoves, n: int) -> None:
    # Ana has five cards in a row.
    session = Session(replace(TRIO, seed="33", suggestions=suggested))
    items = session.menu(0, 20).items
    assert len([item for item in items if item.done and item.words[0] == "lay"]) == n
    assert ("lay",) in [item.words for item in items]


@pytest.mark.parametrize(
    ("locale", "line", "expected"),
    [
        ("en", "suggestions off", "Suggested moves: none."),
        ("en", "suggestions", "Suggested moves: as many as fit."),
        ("es", "sugerencias menos", "Jugadas sugeridas: dos como mucho."),
        ("en", "forced never", "Your only possible move: left to you."),
        ("es", "obligadas siempre", "Tu única jugada posible: se juega sola."),
    ],
)
def test_a_word_changes_what_was_chosen(locale: Language, line: str, expected: str, capsys: Printed) -> None:
    _, screens = play(capsys, replace(TRIO, locale=locale), [line])
    assert expected in screens[1]


def test_suggestions_go_at_once(capsys: Printed) -> None:
    _, screens = play(capsys, TRIO, ["suggestions off"])
    assert screens[0].count("Lay ") > screens[1].count("Lay ") > 0


def test_a_card_that_is_in_the_game_twice_may_be_typed_twice(capsys: Printed) -> None:
    _, screens = play(capsys, TRIO, ["KS KS KH"])
    assert "twice" not in screens[1]
