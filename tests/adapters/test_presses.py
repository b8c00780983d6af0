"""Menus on a phone: the presses that moves take, the buttons of a page and the length of their labels.

The moves of whole games and of crowded positions are found by presses on the keys of a player's page.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from adapters.discord import pages as discord
from adapters.shared.rendering.message import Button, Message, as_message
from adapters.telegram import pages as telegram
from bot.i18n import Speech
from bot.inbox.moves.presses import stepped
from bot.model.panels import Draft
from bot.model.tables import Player
from bot.pages.callback_data import CallbackData, data_of
from bot.pages.composer import Composer
from bot.pages.player_page import playing_page
from bot.ports import Key, Limits
from bot.settings.choices import LANGUAGES, Language
from bot.tables.table import Table
from engines import games
from engines.drawing import cells
from engines.game import Move, Seat
from engines.values import replace
from tests import luck
from tests.engines.boathouse import positions as boathouse_positions
from tests.engines.casino import positions as casino_positions
from tests.support.tables import choose

PLATFORMS = {"discord": discord.LIMITS, "telegram": telegram.LIMITS}
MOST_BUTTONS = 24
MOST_PRESSES = 4
SUGGESTED = 6
"""How many of the moves of wide verbs, the best first, computers may choose."""
LABEL = 16
"""The most cells of a label that stands beside another."""
IN_SIGHT = 15
"""How many buttons of cards stand in the first three rows of five."""


@dataclass
class Measures:
    """Presses for each move, buttons on each page, and labels."""

    presses: list[int] = field(default_factory=list)
    buttons: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    """The labels of buttons that stand beside others."""

    def see(self, message: Message) -> None:
        self.buttons.append(sum(map(len, message.rows)) + len(listed(message)))
        self.labels += [button.label for row in message.rows if len(row) > 1 for button in row]


def listed(message: Message) -> tuple[Button, ...]:
    return message.select.options if message.select else ()


def words_of(button: Button) -> str:
    """The words in a button's callback data."""
    return button.data.split(":", 3)[-1]


def dealt(key: str, seats: int) -> Table:
    table = Table.open(key)
    for n in range(seats):
        table = table.sit(Player(f"Player {n}", person=f"p{n}"))
    return table.start()


def is_meant(words: str, move: str) -> bool:
    """Whether words spell a move, whose cards may be named in another order."""
    return words.split()[:1] == move.split()[:1] and sorted(words.split()) == sorted(move.split())


def next_key(keys: tuple[Key, ...], path: tuple[str, ...], move: str) -> Key:
    """The key that makes a move; else one that leads to it, or the key to another page."""
    words = move.split()
    whole = [key for key in keys if key.action == "move" and is_meant(key.words, move)]
    done = [key for key in keys if key.action == "done" and is_meant(" ".join(path), move)]
    onward = [key for key in keys if key.action in ("pick", "add") and set(key.words.split()) <= set(words)]
    onward.sort(key=lambda key: key.words == words[0])
    return [*whole, *done, *onward, *(key for key in reversed(keys) if key.action == "page")][0]


def press_on(measures: Measures, table: Table, seat: Seat, move: str, say: Speech, limits: Limits) -> None:
    """Presses keys until the move is made, and notes every page on the way."""
    draft, presses = Draft(table.stamp), 0
    while True:
        page = playing_page(Composer(table, say, limits), seat, draft, None)
        message = as_message(page, limits)
        measures.see(message)
        key = next_key(page.numbered, draft.path, move)
        # A player who chooses from a list presses twice: to open it, and to choose.
        presses += 1 + (data_of(key, limits.data) in {button.data for button in listed(message)})
        if key.action in ("move", "done"):
            measures.presses.append(presses)
            return
        callback = CallbackData.parse(data_of(key, 400))
        assert callback
        draft = stepped(table, seat, callback, draft)


def listed_moves(table: Table, seat: int) -> list[Move]:
    """The moves that a menu lists, if need be after a verb: of wide verbs only the best."""
    moves = list(table.game.moves(table.state, seat))
    suggested = [move for move in moves if move.verb in table.game.wide]
    return [*suggested[:SUGGESTED], *(move for move in moves if move.verb not in table.game.wide)]


def played(key: str, seats: int, limits: Limits, locale: Language) -> Measures:
    """Measures a whole game in which computers play moves that a menu lists.

    Where their choice is not listed, the first listed move is played. Moves that players put together though
    no menu lists them are measured by `bench.evening`.
    """
    table, rng, measures = dealt(key, seats), luck.rng(key, seats, locale), Measures()
    say = Speech(locale, tuple(player.name for player in table.players))
    while table.status == "playing":
        seat = table.required()[0]
        moves = listed_moves(table, seat)
        chosen = choose(table.game, table.state, seat, "normal", rng)
        move = str(chosen if chosen in moves else moves[0])
        press_on(measures, table, seat, move, say, limits)
        table = table.play(seat, move)
    return measures


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    ("key", "seats", "locale"),
    [
        (key, seats, tuple(LANGUAGES)[n % 2])
        for key, game in games().items()
        for n, seats in enumerate(sorted({game.seats[0], game.seats[-1]}))
    ],
)
def test_moves_take_few_presses_among_few_buttons_with_short_labels(
    key: str, seats: int, locale: Language, platform: str
) -> None:
    measures = played(key, seats, PLATFORMS[platform], locale)
    presses = sorted(measures.presses)
    assert presses[len(presses) * 95 // 100] <= 2
    assert presses[-1] <= MOST_PRESSES
    assert max(measures.buttons) <= MOST_BUTTONS
    assert [label for label in measures.labels if cells(label) > LABEL] == []


CROWDED = casino_positions.position(
    hands=["AH AD 2S 5C 6D 6C 7S 7C 8D 8C 9H 10D", "3S 9C", "9D 9S"],
    loose="4D",
    piles=["3D 4C", "10H 3C", "4H"],
)
"""A position whose moves are too many to be listed whole: most cards can also build or steal."""
OVERFULL = boathouse_positions.position(
    hands=["3S 3H 3D 4S 4D 4C 5S 5D 6S 6H 6D 7S 7H 7D 8H 8D 9S 9D 10D JD QD", "AS 2S"],
    stock="KS AC",
    pile="KH 2H",
)
"""A position with more cards to discard than a page has room for, and with many melds."""


def placed(key: str, seats: int, state: object) -> Table:
    return replace(dealt(key, seats), state=state)


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_where_moves_are_too_many_to_list_each_takes_at_most_two_presses(
    platform: str, locale: Language
) -> None:
    table = placed("casino", 3, casino_positions.load(CROWDED))
    say, measures = Speech(locale, ("Ana", "Beto", "Carla")), Measures()
    for move in table.game.moves(table.state, 0):
        press_on(measures, table, 0, str(move), say, PLATFORMS[platform])
    assert len(measures.presses) > MOST_BUTTONS
    assert max(measures.presses) == 2
    assert [label for label in measures.labels if cells(label) > LABEL] == []


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_best_melds_are_on_the_first_page_beside_the_cards_to_discard(platform: str) -> None:
    table = placed("boathouse", 2, boathouse_positions.load(OVERFULL))
    composer = Composer(table, Speech("en", ("Ana", "Beto")), PLATFORMS[platform])
    page = playing_page(composer, 0, Draft(table.stamp), None)
    whole = [key.words for key in page.numbered if key.action == "move"]
    melds = [str(move) for move in table.game.moves(table.state, 0) if move.verb == "meld"]
    assert whole[IN_SIGHT:] == melds[: len(whole) - IN_SIGHT]
    assert len(whole) > IN_SIGHT
    behind = playing_page(composer, 0, Draft(table.stamp, ("meld",)), None)
    assert {key.words for key in behind.numbered}.isdisjoint(whole)


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("key", [key for key, game in games().items() if game.compulsory])
def test_compulsory_moves_that_come_before_all_others_are_never_in_a_list(key: str, platform: str) -> None:
    table, rng, limits = dealt(key, 2), luck.rng(key), PLATFORMS[platform]
    say, seen = Speech("es"), 0
    while table.status == "playing":
        seat = table.required()[0]
        moves = [str(move) for move in table.game.moves(table.state, seat)]
        message = as_message(playing_page(Composer(table, say, limits), seat, Draft(), None), limits)
        shown = [words_of(button) for row in message.rows for button in row]
        needed = [move for move in moves if move.split()[0] in table.game.compulsory]
        assert shown[: len(needed[:IN_SIGHT])] == needed[:IN_SIGHT]
        in_list = {words_of(option) for option in listed(message)}
        assert in_list.isdisjoint(needed[:IN_SIGHT])
        seen += bool(needed)
        table = table.play(seat, rng.choice(moves[:3]))
    assert seen > 3
