"""`SecretScan` reports a secret planted in a message or a log.

It reports nothing that a reader may know, as every simulation shows.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from bot.i18n import Speech
from bot.model.ids import PersonId
from bot.model.places import Place
from bot.model.tables import Player
from bot.outbox.posting import private_panels, public_panels
from bot.pages.callback_data import CallbackData
from bot.pages.table_page import private_page, public_page
from bot.ports import Page, PagePanel
from bot.tables.lobby import leave
from bot.tables.log.commitment import CommittedSeed
from bot.tables.table import Table
from engines import games
from engines.cards import Card, cards
from engines.values import replace
from tests.engines.trio_escalera import positions as trio_positions
from tests.support.records import Button, Sent
from tests.support.secret_scan import SecretScan, aces_in_letters, spelled
from tests.support.simulation import Simulation, guest, place, simulation

with_hands = pytest.mark.parametrize("key", [key for key, game in games().items() if game.hidden])
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
    """A table of two people who hold cards; the game must have hands."""
    table = Table.open(key, place=SQUARE, seed_source=CommittedSeed(words.encode().ljust(32)))
    for name in ("Ana", "Ben"):
        table = table.sit(Player(name, person=name))
    table = table.start()
    while not cards_of(table):
        # In Svoi Kozyri the players choose their trumps before the deal.
        seat = table.active()[0]
        table = table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))
    return table


def scan_of(*tables: Table) -> SecretScan:
    """A scan that follows these tables; each user's id is also the id of their person."""
    scan = SecretScan(lambda platform, user: user, ("secret-token",))
    for table in tables:
        scan.on_commit(table, None)
    return scan


def sent(
    text: str, user: str = "", *, label: str = "Go", data: str = "", in_reply_to: str = "", how: str = "post"
) -> Sent:
    """A payload; one with data has a button."""
    rows = ((Button(label, data),),) if data else ()
    return Sent(0.0, how, None if user else SQUARE, user, text, text, rows, in_reply_to)


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
def expect_faults(n: int, scan: SecretScan) -> Iterator[None]:
    """Asserts that at the end of the block the scan has found exactly ``n`` faults in all."""
    with suppress(AssertionError):
        yield
    assert len(scan.faults.found) == n


@with_hands
def test_a_hand_is_a_secret_to_everybody_but_its_player(key: str) -> None:
    table = dealt(key)
    for reader, faults in (("Ana", 0), ("Ben", 1), ("Carla", 1), ("", 1)):
        scan = scan_of(table)
        with expect_faults(faults, scan):
            scan.read("guild", sent(hand(table, 0), reader))
        assert scan.read_with_cards == 1


@with_hands
def test_a_single_hidden_card_is_found_in_text_label_and_data(key: str) -> None:
    table = dealt(key)
    card = hidden(table, None)
    symbols = f"{card.rank}{'♠♥♦♣'['SHDC'.index(card.suit)]}{card.back}"
    # No rule book has any of these as a line.
    for text in (str(card), symbols, f"toss {card}"):
        for payload in (
            sent(text),
            sent("Go", label=text, data=CallbackData(table.id, 0, "hand").spelled(100)),
            sent("Go", data=CallbackData(table.id, 0, "move", text).spelled(100)),
        ):
            scan = scan_of(table)
            with expect_faults(1, scan):
                scan.read("guild", payload)


def test_only_a_player_who_has_typed_a_card_may_read_its_name() -> None:
    table = dealt("casino")
    card = hidden(table, 1)
    scan = scan_of(table)
    with expect_faults(0, scan):
        scan.read("guild", sent(f"You do not hold {card}.", "Ben", in_reply_to=f"throw {card}"))
    with expect_faults(1, scan):
        scan.read("guild", sent(f"You do not hold {card}.", "Ben"))


def test_the_name_of_a_person_at_another_table_excuses_its_card_only_within_the_name() -> None:
    table = dealt("casino")
    card = hidden(table, 0)
    scan = scan_of(table)
    scan.on_commit(Table.open("svoi").sit(Player(f"{card} Queen", person="Carla")), None)
    with expect_faults(0, scan):
        scan.read("guild", sent(f"{card} Queen  3", "Ana"))
        scan.read("guild", sent(f"{card} Quee…", "Ana"))
    with expect_faults(1, scan):
        scan.read("guild", sent(f"{card} Queen  3 {card}", "Ana"))


def test_a_cut_that_names_a_card_excuses_no_other_card() -> None:
    words = "10H"
    opened = Table.replay(dealt("casino").entries[:3], CommittedSeed(b"S".ljust(32)))
    table = opened.add("cut", 0, person="Ana", words=words).start()
    scan = scan_of(table)
    with expect_faults(0, scan):
        scan.read("guild", sent(f"Ana cut the deck: {words}"))
    with expect_faults(1, scan):
        scan.read("guild", sent(f"Ana holds {hidden(table, None)}."))


def test_a_delayed_payload_shows_the_cut_of_a_player_who_has_left() -> None:
    table = Table.replay(dealt("casino").entries[:3], CommittedSeed(b"S".ljust(32)))
    table = table.add("cut", 0, person="Ana", words="A♠ 10♥")
    scan = scan_of(table, leave(table, PersonId("Ana")))
    payload = sent("Ana cut the deck: A♠ 10♥", data=CallbackData(table.id, 0, "join").spelled(100))
    with expect_faults(0, scan):
        scan.read("guild", payload)
    later = scan_of(leave(table, PersonId("Ana")))
    with expect_faults(1, later):
        later.read("guild", payload)


def test_a_delayed_payload_may_reach_a_player_whose_seat_another_has_just_taken() -> None:
    table = dealt("casino")
    taken = replace(table, players=(Player("Eva", person="Eva"), table.players[1]))
    assert taken.seat_of(PersonId("Ana")) is None
    with expect_faults(0, scan := scan_of(table, taken)):
        scan.read("guild", sent(hand(table, 0), "Ana"))
    with expect_faults(1, later := scan_of(taken)):
        later.read("guild", sent(hand(table, 0), "Ana"))


def test_a_table_is_known_by_its_buttons() -> None:
    table, other = dealt("casino", "S"), dealt("casino", "T")
    card = next(card for card in cards_of(other) if card not in cards_of(table))
    scan = scan_of(table, other)
    with expect_faults(0, scan):
        scan.read("guild", sent(card, "Ana", data=CallbackData(other.id, 0, "hand").spelled(100)))
    with expect_faults(1, scan):
        scan.read("guild", sent(card, "Ana", data=CallbackData(table.id, 0, "hand").spelled(100)))


def cards_of(table: Table) -> list[str]:
    message: Any = table.game.message(table.game.view(table.state, 0))
    return list(message["hand"])


def test_a_kicked_player_must_not_see_the_hand_any_more() -> None:
    table = dealt("casino").add("kick", 0, person="Ben", level="easy")
    scan = scan_of(table)
    with expect_faults(1, scan):
        scan.read("guild", sent(hand(table, 0), "Ana"))


def test_the_seed_of_a_running_table_is_found() -> None:
    table = dealt("casino")
    scan = scan_of(table)
    scan.read("guild", sent(table.seed_source.opened().upper(), "Ana"))
    assert len(scan.faults.found) == 1


@pytest.mark.parametrize("line", ["played 10H", "token secret-token", "seed {seed}"])
def test_a_log_line_with_a_card_a_token_or_a_seed_is_found(line: str) -> None:
    table = dealt("casino")
    scan = scan_of(table)
    words = line.format(seed=table.seed_source.opened())
    scan.read_log(logging.LogRecord("bot", logging.ERROR, "x.py", 1, "%s", (words,), None))
    assert len(scan.faults.found) == 1


async def begin(simulated: Simulation, platform: int) -> None:
    """Seats two players through a platform, and deals."""
    fake = simulated.platforms[platform]
    ana, ben = (guest(fake, name.casefold(), name) for name in ("Ana", "Ben"))
    await ana.command(place(fake, "square", ana, ben), "new", game="casino")
    for one, label in ((ben, "Join"), (ana, "Start")):
        await simulated.clock.sleep(9)
        await one.press_label(label)
    await simulated.clock.sleep(9)


def of_the_other(table: Table, person: PersonId, *rest: Any, **more: Any) -> Page:
    """A faulty `private_page`: shows a player the page of the other player."""
    (other,) = (player.person for player in table.players if player.person != person)
    return private_page(table, other or "", *rest, **more)


def with_a_hand(table: Table, *rest: Any, **more: Any) -> Page:
    """A faulty `public_page`: shows everybody the hand of the first player."""
    page = public_page(table, *rest, **more)
    return replace(page, panels=(PagePanel("", (hand(table, 0),)),)) if table.status == "playing" else page


@pytest.mark.parametrize("platform", [0, 1])
@pytest.mark.parametrize(
    ("module", "name", "faulty", "fault"),
    [
        (private_panels, "private_page", of_the_other, "told to"),
        (public_panels, "public_page", with_a_hand, "everybody"),
    ],
)
async def test_a_page_that_shows_a_hand_to_another_is_found(
    platform: int, module: ModuleType, name: str, faulty: Any, fault: str
) -> None:
    with pytest.raises(AssertionError, match=fault), mock.patch.object(module, name, faulty):
        async with simulation() as simulated:
            await begin(simulated, platform)


async def test_the_logs_of_the_bot_are_read() -> None:
    with pytest.raises(AssertionError, match="a card is logged"):
        async with simulation():
            logging.getLogger("bot.somewhere").debug("dealt %s", "10H")


def test_the_letter_of_a_group_is_no_ace() -> None:
    few = trio_positions.position("2Sb", {"trio_0": "KSr KHb KDb"})
    assert aces_in_letters(few) == set()
    many = replace(few, came=tuple(f"trio_{n}" for n in range(29)))
    assert aces_in_letters(many) == {Card("AC")}
