"""`SecretScan` reports every secret planted in a message or a log, and nothing that its reader may know."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

from bot.i18n import Speech
from bot.model import PersonId, Place, Player
from bot.outbox import panels
from bot.pages import table_page
from bot.pages.callback_data import CallbackData
from bot.pages.table_page import private_page, rules_page
from bot.ports import Page
from bot.tables.commitment import CommittedSeed
from bot.tables.table import Table
from engines import games
from engines.cards import Card, cards
from tests import luck
from tests.support.guild import Guild
from tests.support.players import offer
from tests.support.records import Button, Sent
from tests.support.secret_scan import SecretScan, spelled
from tests.support.simulation import Simulation, guest, place, simulation

every_game = pytest.mark.parametrize("key", list(games()))
with_hands = pytest.mark.parametrize(
    "key", [key for key, game in games().items() if game.message(game.view(game.new(2, b"S", {}), 0))]
)
SQUARE = Place("guild", "square")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10♥ J♦r K♠︎ a♧", "10H JDr KS AC"),
        ("10H,10h/KSr jd", "10H KSr JD"),
        ("A♠2♠10♠", "AS 2S 10S"),
        ("throw 6D+4C", "6D 4C"),
        ("As ah, ad and as; 10Hs 5sX 0a5d AS1", ""),
        ("Así 7 h, 110H", ""),
        ("ace of spades", ""),
    ],
)
def test_a_card_is_found_in_any_spelling_and_in_no_other_word(text: str, found: str) -> None:
    assert spelled(text) == set(cards(found))


def dealt(key: str, words: str = "S") -> Table:
    """A table of two people, who hold cards if the game has hands."""
    table = Table.open(key, place=SQUARE, seed_source=CommittedSeed(words.encode().ljust(32)))
    for name in ("Ana", "Ben"):
        table = table.sit(Player(name, person=name))
    return with_cards(table.start())


def with_cards(table: Table) -> Table:
    """Plays the moves that some games require before the deal; returns the table with hands dealt."""
    while table.game.message(table.game.view(table.state, 0)) and not cards_of(table):
        seat = table.active()[0]
        table = table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))
    return table


def scan(*tables: Table) -> SecretScan:
    """A scan that follows these tables; each user's id is also the id of their person."""
    one = SecretScan(lambda platform, user: user, ("secret-token",))
    for table in tables:
        one.hear(table, None)
    return one


def sent(text: str, user: str = "", *, data: str = "", heard: str = "", how: str = "post") -> Sent:
    rows = ((Button("Go", data),),) if data else ()
    return Sent(0.0, how, None if user else SQUARE, user, text, text, rows, heard)


def hidden(table: Table, seat: int | None) -> Card:
    """A card in the hand of another seat, which the reader must not see."""
    return next(
        Card(card)
        for other in (0, 1)
        if other != seat
        for card in table.game.message(table.game.view(table.state, other))["hand"]  # type: ignore[index]
    )


def hand(table: Table, seat: int) -> str:
    game = table.game
    return game.draw(game.view(table.state, seat), Speech("en", ("Ana", "Ben")), 28)


@contextmanager
def found(n: int, one: SecretScan) -> Iterator[None]:
    """Asserts that the block finds exactly ``n`` faults."""
    with suppress(AssertionError):
        yield
    assert len(one.faults.found) == n


@with_hands
def test_a_players_own_hand_is_no_secret_to_them(key: str) -> None:
    table = dealt(key)
    one = scan(table)
    with found(0, one):
        one.read("guild", sent(hand(table, 0), "Ana"))
    assert one.read_with_cards == 1


@with_hands
@pytest.mark.parametrize("reader", ["Ben", "Carla", ""])
def test_a_hand_is_a_secret_to_everybody_else(key: str, reader: str) -> None:
    table = dealt(key)
    one = scan(table)
    with found(1, one):
        one.read("guild", sent(hand(table, 0), reader))


@with_hands
@pytest.mark.parametrize("form", ["{0}", "{1}{2}", "throw {0}"])
def test_a_single_hidden_card_is_found_in_text_label_and_data(key: str, form: str) -> None:
    table = dealt(key)
    card = hidden(table, None)
    text = form.format(str(card), card.rank, {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[card.suit] + card.back)
    for payload in (sent(text), sent("Go", data=CallbackData(table.id, 0, "move", text).spelled(100))):
        one = scan(table)
        with found(1, one):
            one.read("guild", payload)


@every_game
def test_nobody_is_suspected_for_what_all_can_see(key: str) -> None:
    table = dealt(key)
    game, one, rng = table.game, scan(table), luck.rng()
    for _ in range(60):
        if table.status != "playing":
            break
        seat = table.active()[0]
        table = table.play(seat, str(rng.choice(list(game.moves(table.state, seat)))))
        one.hear(table, None)
        for say in (Speech("es", ("Ana", "Ben")), Speech("en", ("Ana", "Ben"), letters=True)):
            news = [say(event.text) for event in table.news_for(None)]
            drawing = game.draw(game.view(table.state, None), say, 28)
            one.read("guild", sent("\n".join((*news[-6:], drawing))))
    one.faults.none()


@every_game
@pytest.mark.parametrize("locale", ["en", "es"])
def test_nobody_is_suspected_for_the_rules(key: str, locale: str) -> None:
    one, say = scan(dealt(key)), Speech(locale)  # type: ignore[arg-type]
    for number in range(9):
        page = rules_page(key, games()[key].help(say), number, say, Guild.limits)
        one.read("guild", sent("\n".join(page.above), "Ana"))
    one.faults.none()


@with_hands
def test_who_has_typed_a_card_may_be_told_its_name(key: str) -> None:
    table = dealt(key)
    card = hidden(table, 1)
    one = scan(table)
    with found(0, one):
        one.read("guild", sent(f"You do not hold {card}.", "Ben", heard=f"throw {card}"))
    with found(1, one):
        one.read("guild", sent(f"You do not hold {card}.", "Ben"))


@with_hands
def test_a_cut_that_names_a_card_is_read_as_the_cut_it_is(key: str) -> None:
    table = dealt(key)
    card = hidden(table, None)
    cut = (
        Table.replay(table.entries[:3], table.seed_source)
        .add("cut", 0, person="Ana", words=str(card))
        .start()
    )
    cut = with_cards(cut)
    one, card = scan(cut), hidden(cut, None)
    with found(0, one):
        one.read("guild", sent(f"Ana cut the deck: {cut.cuts[0][1]}"))
    with found(1, one):
        one.read("guild", sent(f"Ana holds {card}."))


@with_hands
def test_what_is_on_its_way_may_show_the_moment_before(key: str) -> None:
    table = dealt(key)
    one = scan(table)
    seat = table.active()[0]
    after = table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))
    one.hear(after, table)
    with found(0, one):
        one.read("guild", sent(hand(table, seat), ("Ana", "Ben")[seat]))


@with_hands
def test_a_table_is_known_by_its_buttons(key: str) -> None:
    one_table, other = dealt(key, "S"), dealt(key, "T")
    card = next(card for card in map(Card, cards_of(other)) if card not in cards_of(one_table))
    one = scan(one_table, other)
    with found(0, one):
        one.read("guild", sent(str(card), "Ana", data=CallbackData(other.id, 0, "hand").spelled(100)))
    with found(1, one):
        one.read("guild", sent(str(card), "Ana", data=CallbackData(one_table.id, 0, "hand").spelled(100)))


def cards_of(table: Table) -> list[str]:
    message: Any = table.game.message(table.game.view(table.state, 0))
    return list(message["hand"])


@with_hands
def test_who_was_sent_away_sees_the_hand_no_more(key: str) -> None:
    table = dealt(key).add("kick", 0, person="Ben", level="easy")
    one = scan(table)
    with found(1, one):
        one.read("guild", sent(hand(table, 0), "Ana"))


@with_hands
def test_when_the_seed_is_told_nothing_is_hidden(key: str) -> None:
    table = dealt(key)
    over = table.add("end", reason="stopped")
    one = scan(table, over)
    with found(0, one):
        one.read("guild", sent(hand(table, 0) + over.seed_source.opened()))


def test_the_seed_of_a_running_table_is_found() -> None:
    table = dealt("casino")
    one = scan(table)
    one.read("guild", sent(table.seed_source.opened().upper(), "Ana"))
    assert len(one.faults.found) == 1


def test_the_seal_is_no_seed() -> None:
    table = dealt("casino")
    one = scan(table)
    one.read("guild", sent(table.seed_source.commitment or ""))
    one.faults.none()


def test_a_hash_behind_a_button_names_no_card() -> None:
    table = dealt("casino")
    one = scan(table)
    one.read("guild", sent("Go", "Ana", data=f"{table.id}:0:move:#x-10H-4D_9"))
    one.faults.none()


@pytest.mark.parametrize("line", ["played 10H", "token secret-token", "seed {seed}"])
def test_no_line_of_a_log_names_a_card_a_token_or_a_seed(line: str) -> None:
    table = dealt("casino")
    one = scan(table)
    words = line.format(seed=table.seed_source.opened())
    one.read_log(logging.LogRecord("bot", logging.ERROR, "x.py", 1, "%s", (words,), None))
    assert len(one.faults.found) == 1


def test_a_line_of_a_log_may_name_a_table() -> None:
    table = dealt("casino")
    one = scan(table)
    one.read_log(
        logging.LogRecord("bot", logging.INFO, "x.py", 1, "table %s is as it was", (table.id,), None)
    )
    one.faults.none()


def of_the_other(table: Table, person: PersonId, *rest: Any, **more: Any) -> Page:
    """A faulty `private_page`: shows a player the page of the next player."""
    players = table.players
    seat = table.seat_of(person)
    if table.status != "playing" or seat is None or not cards_of(table):
        return private_page(table, person, *rest, **more)
    other = players[(seat + 1) % len(players)].person
    assert other is not None
    return private_page(table, other, *rest, **more)


async def begin(one: Simulation, platform: int, key: str) -> None:
    """Seats two players through a platform, and plays until hands are dealt."""
    fake = one.platforms[platform]
    ana, ben = (guest(fake, name.casefold(), name) for name in ("Ana", "Ben"))
    square = place(fake, "square", ana, ben)
    await ana.command(square, "new", game=key)
    await one.clock.sleep(9)
    await ben.press_label("Join")
    await one.clock.sleep(9)
    await ben.press_label("Start")
    await one.clock.sleep(9)
    (table,) = one.checker.tables
    while with_cards(one.checker.tables[table]) is not one.checker.tables[table]:
        for player in (ana, ben):
            if asked := offer(player, "move", table):
                await player.press(asked.message, asked.button)
                await one.clock.sleep(9)


@with_hands
@pytest.mark.parametrize("platform", [0, 1])
async def test_a_panel_that_shows_the_hand_of_another_is_found(platform: int, key: str) -> None:
    with (
        pytest.raises(AssertionError, match="told to"),
        mock.patch.object(panels, "private_page", of_the_other),
    ):
        async with simulation() as one:
            await begin(one, platform, key)


@with_hands
@pytest.mark.parametrize("platform", [0, 1])
async def test_a_board_that_shows_a_hand_is_found(platform: int, key: str) -> None:
    def public_page(table: Table, *rest: Any) -> Page:
        page = panel_board(table, *rest)
        return replace(page, drawing=hand(table, 0)) if table.status == "playing" else page

    panel_board = table_page.public_page
    with (
        pytest.raises(AssertionError, match="everybody"),
        mock.patch.object(panels, "public_page", public_page),
    ):
        async with simulation() as one:
            await begin(one, platform, key)


@with_hands
@pytest.mark.parametrize("platform", [0, 1])
async def test_a_panel_as_it_is_shows_nothing_hidden(platform: int, key: str) -> None:
    async with simulation() as one:
        await begin(one, platform, key)
        assert one.scan.read_with_cards > 1


async def test_the_logs_of_the_bot_are_read() -> None:
    with pytest.raises(AssertionError, match="a card is logged"):
        async with simulation():
            logging.getLogger("bot.somewhere").debug("dealt %s", "10H")
