"""Moves chosen by their cards on the full screen: typed, clicked on the drawing, or walked to by arrows."""

from __future__ import annotations

import pytest
from textual.geometry import Size
from textual.widgets import Static

from adapters.terminal.screens.news import HistoryScreen
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from adapters.terminal.table_screen.move_menu import MoveMenu
from bot.pages.menus.menu_items import Menu, MenuItem
from engines import games
from engines.cards import Card, is_card
from tests import luck
from tests.adapters.terminal.screen import FirstMove, Person, hand, playing
from tests.support.clock import VirtualClock
from tests.support.games import every_game

MOST_DEALS = 100
"""The deals that a test tries before it fails."""


def against_computer(key: str, seed: str = "x", players: int = 0) -> Setup:
    return Setup(key, players or games()[key].seats[0], ["Ana"], seed=seed, pace=0)


async def click(person: Person, word: str) -> None:
    """Clicks a card, a cell or a group of the drawing."""
    static = person.table.query_one("#table > Static", Static)
    lying = next(spot for spot in person.table._found if spot.word == word)
    await person._pilot.click(static, offset=(lying.start, lying.line))
    await person.settle()


def moves_with(person: Person, *words: str) -> list[str]:
    """The legal moves of the first seat that have all these words."""
    table = person.table.session.table
    found = (str(move) for move in table.game.moves(table.state, 0))
    return [move for move in found if set(words) <= set(move.replace("+", " ").split()[1:])]


def own(person: Person) -> list[Card]:
    """The hand of the first seat."""
    table = person.table.session.table
    return [Card(card) for card in (table.game.message(table.view(0)) or {})["hand"]]


async def test_a_typed_card_is_never_the_number_that_it_begins_with() -> None:
    for seed in "abc":
        async with playing(against_computer("casino", seed), thinker=FirstMove()) as person:
            await person.idle()
            card = max(own(person), key=lambda card: (card.rank.isdecimal(), -card.number))
            played = len(moves_with(person, card)) == 1
            stamp, before = person.table.session.table.stamp, hand(person, 0)
            await person.press(*card.lower())
            assert (person.line.value, person.table.session.table.stamp) == (card.lower(), stamp)
            await person.press("enter")
            gone = before - hand(person, 0)
            assert gone <= {person.table.session.say.card(card)}
            assert bool(gone) == played


async def test_zero_is_no_button() -> None:
    async with playing(against_computer("casino", players=3), (40, 15), thinker=FirstMove()) as person:
        await person.idle()
        await person.type("throw")
        await person.press("0")
        assert (person.line.value, person.menu.highlighted) == ("0", None)
        assert person.labels()[-2].startswith("+ More 1/")
        await person.press("escape", "plus")
        assert person.labels()[-2].startswith("+ More 2/")


async def test_a_typed_number_lights_its_button_before_enter_presses_it() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        labels = person.labels()
        await person.press("3")
        assert (person.menu.highlighted, person.labels()) == (2, labels)
        await person.press("backspace")
        assert (person.menu.highlighted, person.labels()) == (None, labels)
        await person.press("3", "enter")
        assert person.labels() != labels


async def test_a_clicked_card_lights_its_moves_and_a_second_click_plays_the_only_one() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        card = next(card for card in own(person) if len(moves_with(person, card)) == 1)
        await click(person, card)
        assert len(person.labels()) == 2
        assert person.menu.highlighted == 0
        assert card in own(person)
        await click(person, card)
        assert card not in own(person)


async def test_cards_of_hand_and_table_together_leave_the_moves_with_both() -> None:
    for n in range(MOST_DEALS):
        async with playing(against_computer("casino", str(n)), thinker=FirstMove()) as person:
            await person.idle()
            captures = [move.split()[1:] for move in moves_with(person) if move.startswith("capture")]
            pairs = [(card, taken) for card, taken, *more in captures if is_card(taken) and not more]
            pair = next((pair for pair in pairs if len(moves_with(person, pair[0])) > 1), None)
            if pair is None:
                continue
            await click(person, pair[0])
            assert len(person.labels()) == len(moves_with(person, pair[0])) + 1
            await click(person, pair[1])
            assert len(person.labels()) == len(moves_with(person, *pair)) + 1
            await person.press("enter")
            assert pair[0] not in own(person)
            return
    pytest.fail("no deal has a capture")


async def test_a_card_of_the_menus_path_is_not_picked_beside_itself() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        card = own(person)[0]
        person.table._moves.go(("throw", card))
        await click(person, card)
        assert person.table._moves.picks.words == (card,)


async def test_escape_puts_the_last_card_back() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        top = person.labels()
        await click(person, own(person)[0])
        await person.press("escape")
        assert (person.labels(), person.table._moves.picks.words) == (top, ())


async def test_the_arrows_walk_over_the_cards_and_enter_plays() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        drawn = [spot.word for spot in person.table._found]
        await person.press("right")
        assert person.table._moves.picks.words == (drawn[0],)
        await person.press("right", "right", "left")
        assert person.table._moves.picks.words == (drawn[1],)
        await person.press("enter")
        assert drawn[1] not in own(person)


async def test_down_leads_into_the_menu() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("down", "right")
        assert person.menu.highlighted == 1
        await person.press("up")
        assert person.menu.highlighted is None


async def test_a_card_without_a_move_is_refused() -> None:
    async with playing(against_computer("boathouse"), (100, 30)) as person:
        await person.idle()
        held = own(person)[0]
        assert not moves_with(person, held)
        await click(person, held)
        assert "right now." in person.text()


async def test_up_recalls_lines_also_refused_ones_and_down_returns() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.type("nonsense")
        await person.press("escape", "up")
        assert person.line.value == "nonsense"
        await person.press("up")
        assert person.line.value == "throw 2H"
        await person.press("down", "down")
        assert person.line.value == ""


async def test_after_escape_down_leads_into_the_menu_again() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.type("nonsense")
        await person.press("escape", "up", "up", "escape", "down")
        assert (person.line.value, person.menu.highlighted) == ("", 0)


async def test_after_a_refusal_up_recalls_the_line_before_it() -> None:
    async with playing(against_computer("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.type("nonsense")
        await person.press("up")
        assert person.line.value == "throw 2H"


async def test_at_a_shared_keyboard_nobody_recalls_the_lines_of_another() -> None:
    setup = Setup("casino", 2, ["Ana", "Beto"], seed="x", pace=0)
    async with playing(setup) as person:
        await person.press("enter")
        await person.type("nonsense")
        await person.press("escape")
        await person.choose("1")
        await person.press("enter", "up")
        assert person.line.value == ""


async def test_a_line_that_was_recalled_is_left_when_another_player_sits_down() -> None:
    async with playing(Setup("casino", 2, ["Ana", "Beto"], seed="x", pace=0)) as person:
        await person.press("enter")
        await person.type("nonsense")
        await person.type("more nonsense")
        await person.press("escape", "up", "up")
        assert person.line.value == "nonsense"
        await person.click(0)
        await person.press("enter", "down")
        assert person.table.reader == 1
        assert (person.line.value, person.menu.highlighted) == ("", 0)


@pytest.mark.parametrize("way", ["pageup", "history", "historial"])
async def test_the_history_shows_all_public_news(way: str) -> None:
    async with playing(against_computer("cardlebones")) as person:
        await person.fast_forward(luck.rng())
        session = person.table.session
        await (person.press(way) if way == "pageup" else person.type(way))
        assert isinstance(person.app.screen, HistoryScreen)
        text = person.app.screen.query_one("#text > Static", Static).content
        every = " ".join(str(text).replace("›", " ").split())
        for piece in session.table.news:
            if piece.event.to is None:
                assert " ".join(session.say(piece.event.text).split()) in every
        await person.press("escape")
        assert person.table.is_active


@every_game
async def test_every_game_can_be_played_by_clicks_on_its_drawing(key: str) -> None:
    """At random, clicks a card that some move has or a button; deals anew until six cards were clicked."""
    rng, clicked = luck.rng(), 0
    for deal in range(MOST_DEALS):
        if clicked > 5:
            return
        async with playing(against_computer(key, f"clicks {deal}"), (100, 30)) as person:
            for _ in range(40):
                session = person.table.session
                if session.table.result:
                    break
                await person.idle()
                picks = person.table._moves.picks
                drawn = {spot.word for spot in person.table._found}
                clickable = drawn & picks.pickable(0, picks.words) - set(picks.words)
                if clickable and not person.table._moves.path and rng.random() < 0.8:
                    await click(person, rng.choice(sorted(clickable)))
                    clicked += 1
                    assert person.menu.buttons
                else:
                    await person.click(rng.randrange(len(person.menu.buttons)))
    pytest.fail("too few cards could be clicked")


def shows_table(drawing: str) -> bool:
    """Whether the panel of the common cards is in a drawing or on a screen; some games have none."""
    return "- table, stock: " in drawing or "- table ---" in drawing


@pytest.mark.parametrize("key", [key for key, game in games().items() if 4 in game.seats])
async def test_at_forty_columns_with_four_players_the_common_table_stays_visible(key: str) -> None:
    async with playing(against_computer(key, "low", 4), (40, 24), thinker=FirstMove()) as person:
        for _ in range(12):
            await person.idle()
            if person.table.session.table.result:
                break
            assert shows_table(person.text()) == shows_table(person.table.session.draw(0, 40))
            await person.choose("1")


@pytest.mark.parametrize("width", [40, 100])
async def test_the_cells_of_a_board_are_clicked_and_walked_to_at_every_width(width: int) -> None:
    async with playing(against_computer("cardlebones"), (width, 24), thinker=FirstMove()) as person:
        await person.idle()
        cells = [move.words[0] for move in games()["cardlebones"].moves(person.table.session.table.state, 0)]
        lying = [spot.word for spot in person.table._found]
        assert {lying.count(cell) for cell in cells} == {1}
        await person.press("left")
        assert person.table._moves.picks.words[0] in cells
        await person.press("escape")
        await click(person, cells[0])
        await click(person, cells[0])
        assert person.table.session.table.stamp > 1


@pytest.mark.parametrize(("size", "shown"), [((100, 30), "|10♦★|"), ((40, 24), "10♦★")], ids=str)
async def test_scoring_cards_are_marked_in_the_drawing(size: tuple[int, int], shown: str) -> None:
    casino = games()["casino"]
    seed = next(seed for seed in map(str, range(99)) if "10D" in dealt_hand(against_computer("casino", seed)))
    async with playing(against_computer("casino", seed), size, thinker=FirstMove()) as person:
        await person.idle()
        assert shown in person.text()
        stars = {
            person.text().count(f"{person.table.session.say.card(card)}★") > 0
            for card in own(person) if card in casino.scoring
        }  # fmt: skip
        assert stars == {True}
        plain = next(card for card in own(person) if card not in casino.scoring)
        assert f"{person.table.session.say.card(plain)}★" not in person.text()
        await click(person, "10D")
        assert all("10♦★" in label for label in person.labels()[:-1])


def dealt_hand(setup: Setup) -> list[str]:
    """The cards that the first player of a setup is dealt."""
    table = Session(setup).table
    return list((table.game.message(table.view(0)) or {})["hand"])


def menu_of(monkeypatch: pytest.MonkeyPatch, length: int) -> MoveMenu:
    """A menu of so many moves with a picked card."""
    moves = MoveMenu(Session(against_computer("casino")))
    items = tuple(MenuItem(f"Move {n}", ("lay", "4♠", str(n)), True) for n in range(length))
    monkeypatch.setattr(moves, "menu", lambda *_: Menu(0, (), items))
    moves.pick(("4♠",))
    return moves


def items_shown(moves: MoveMenu) -> int:
    """Shows the current page in one row of buttons, and returns how many moves it has."""
    moves.buttons(0, Size(30, 1), lambda *_: _nothing(), _nothing, ())
    assert moves.shown
    return len(moves.shown.items)


async def _nothing() -> None: ...


def test_a_picked_card_with_moves_on_several_pages_is_decided_on_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moves, lengths = menu_of(monkeypatch, 3), []
    for _ in range(3):
        lengths.append(items_shown(moves))
        assert not moves.is_decided
        moves.turn_page()
    assert 1 in lengths


def test_a_picked_card_with_one_move_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = menu_of(monkeypatch, 1)
    assert items_shown(moves) == 1
    assert moves.is_decided
