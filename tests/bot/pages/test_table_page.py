"""Table pages: the content for each reader, in both languages, within a message's limits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from adapters.shared.rendering.message import as_message
from bot.i18n import Speech
from bot.model.panels import Draft
from bot.model.tables import Player
from bot.pages import player_page, table_page
from bot.pages.callback_data import CallbackData
from bot.pages.captions import result_captions
from bot.people import names
from bot.ports import NO_GAME, Limits, Page
from bot.settings.choices import Language
from bot.tables.lobby import cut, join, leave, set_option
from bot.tables.log.commitment import ChosenSeed, CommittedSeed
from bot.tables.table import Table
from engines import games
from engines.cards import SYMBOLS
from engines.values import replace
from tests import luck
from tests.golden import assert_golden
from tests.support.games import every_game

GOLDEN = Path(__file__).with_name("golden")
FEW_BUTTONS = Limits(text=2000, rows=5, row_keys=5, keys=25, label=80, data=100)
"""Little text and few buttons, about as on Discord."""
WITH_SELECT = replace(FEW_BUTTONS, choices=25)
"""The same with a select menu."""
SHORT_LABELS = Limits(text=4096, rows=12, row_keys=8, keys=96, label=60, data=64)
"""Much text and many buttons, but short labels and short callback data, about as on Telegram."""
both_languages = pytest.mark.parametrize("locale", ["en", "es"])


def lobby() -> Table:
    table = replace(Table.open("casino", seed_source=CommittedSeed(bytes(32)), owner="a"), id="0123456789")
    table = join(join(table, "a", "Ana"), "b", "Beto")
    table = table.sit(Player("Lola", "easy"))
    return cut(set_option(table, "a", "multi_capture", "on"), "b", "tres tristes tigres")


def dealt(key: str = "casino", seed: str = "S", seats: int = 2) -> Table:
    table = replace(Table.open(key, seed_source=ChosenSeed(seed), owner="a"), id="0123456789")
    for person, name in zip("abcdef"[:seats], ("Ana", "Beto", "Carla", "Dora", "Eva", "Fito"), strict=False):
        table = join(table, person, name)
    return table.start()


def after(moves: int, table: Table, rng: random.Random | None = None) -> Table:
    """The table after random moves, fewer if the game ends."""
    rng = rng or luck.rng(table.stamp)
    for _ in range(moves):
        if table.status == "over":
            break
        seat = table.active()[0]
        table = table.play(seat, str(rng.choice(list(table.game.moves(table.state, seat)))))
    return table


def say(table: Table, locale: Language) -> Speech:
    return Speech(locale, names(table))


def shown(page: Page, limits: Limits) -> str:
    message = as_message(page, limits)
    rows = ["  ".join(f"[{button.label}]" for button in row) for row in message.rows]
    if message.select:
        rows += [f"{message.select.title}:", *(f"- {option.label}" for option in message.select.options)]
    return "\n".join((*message.above, "", message.drawing, "", *message.below, "", *rows)) + "\n"


@both_languages
def test_the_lobby_is_as_in_its_golden_files(locale: Language) -> None:
    table = lobby()
    assert_golden(
        GOLDEN / f"lobby_{locale}.txt",
        shown(table_page.public_page(table, say(table, locale), FEW_BUTTONS), FEW_BUTTONS),
    )


@both_languages
def test_the_public_page_in_mid_game_is_as_in_its_golden_files(locale: Language) -> None:
    table = leave(after(5, dealt(), random.Random(1)), "b")
    assert_golden(
        GOLDEN / f"board_{locale}.txt",
        shown(table_page.public_page(table, say(table, locale), FEW_BUTTONS), FEW_BUTTONS),
    )


@both_languages
def test_a_players_own_page_is_as_in_its_golden_files(locale: Language) -> None:
    table = after(6, dealt(), random.Random(1))
    seat = table.active()[0]
    page = table_page.private_page(table, "ab"[seat], say(table, locale), FEW_BUTTONS, Draft())
    assert_golden(GOLDEN / f"hand_{locale}.txt", shown(page, FEW_BUTTONS))


@both_languages
def test_the_page_of_a_player_who_has_left_is_as_in_its_golden_files(locale: Language) -> None:
    table = leave(after(5, dealt(), random.Random(1)), "b")
    page = table_page.private_page(table, "b", say(table, locale), FEW_BUTTONS, Draft())
    assert_golden(GOLDEN / f"away_{locale}.txt", shown(page, FEW_BUTTONS))


@both_languages
def test_the_public_page_at_the_end_is_as_in_its_golden_files(locale: Language) -> None:
    table = after(1000, dealt(), random.Random(1))
    assert_golden(
        GOLDEN / f"end_{locale}.txt",
        shown(table_page.public_page(table, say(table, locale), FEW_BUTTONS), FEW_BUTTONS),
    )


def test_several_changed_house_rules_are_told_apart() -> None:
    table = set_option(lobby(), "a", "steal_with", "off")
    page = table_page.public_page(table, say(table, "en"), FEW_BUTTONS)
    expected = "House rules: Build a stolen card with: nothing (no stealing); Capture everything"
    assert any(line.startswith(expected) for line in page.panels[0].lines)


def test_what_has_a_message_of_its_own_is_not_told_on_the_public_page_again() -> None:
    table = dealt("boathouse", "S")
    while not table.announcements:
        table = after(1, table)
    speech = say(table, "en")
    kept = speech(table.announcements[0].text)
    told = [
        [
            line.text
            for line in table_page.public_page(table, speech, Limits(4096), since=0, announced=one).news
        ]
        for one in (False, True)
    ]
    assert kept in told[0]
    assert kept not in told[1]
    assert set(told[1]) < set(told[0])


@pytest.mark.parametrize(("reader", "golden"), [("a", "house_rules"), ("b", "house_rules_of_another")])
@both_languages
def test_the_house_rules_page_is_as_in_its_golden_files(locale: Language, reader: str, golden: str) -> None:
    table = lobby()
    assert_golden(
        GOLDEN / f"{golden}_{locale}.txt",
        shown(table_page.house_rules_page(table, reader, say(table, locale), FEW_BUTTONS), FEW_BUTTONS),
    )


def test_a_lobby_with_a_chosen_number_of_seats_says_how_many() -> None:
    table = join(Table.open("trio_escalera", owner="a", planned_seats=3), "a", "Ana")
    page = table_page.public_page(table, say(table, "en"), FEW_BUTTONS)
    assert "For three players; computers take the free seats." in shown(page, FEW_BUTTONS)


@pytest.mark.parametrize(("key", "what"), [("cardlebones", "The game comes"), ("svoi", "Your cards come")])
def test_who_waits_for_the_start_is_told_of_cards_only_where_there_are_any(key: str, what: str) -> None:
    table = join(Table.open(key, owner="a"), "a", "Ana")
    page = table_page.private_page(table, "a", say(table, "en"), FEW_BUTTONS, Draft(0))
    assert f"You have a seat. {what} here when " in shown(page, FEW_BUTTONS)


def test_an_owner_without_a_seat_is_not_named() -> None:
    table = replace(lobby(), owner="c")
    page = table_page.house_rules_page(table, "b", say(table, "en"), FEW_BUTTONS)
    assert "Only the player who opened the table can change them." in shown(page, FEW_BUTTONS)


@pytest.mark.parametrize("limits", [FEW_BUTTONS, SHORT_LABELS, WITH_SELECT])
@every_game
@both_languages
def test_every_page_of_a_game_fits(key: str, limits: Limits, locale: Language) -> None:
    rng, game = luck.rng(key), games()[key]
    for seats in (game.seats[0], game.seats[-1]):
        table = dealt(key, key, seats)
        while table.status != "over" and table.stamp < 150:
            spoken = say(table, locale)
            all_pages = [
                table_page.public_page(table, spoken, limits),
                table_page.snapshot_page(table, spoken, limits),
                table_page.private_page(table, "watcher", spoken, limits, Draft(), watches=True),
            ]
            for person in "abcdef"[:seats]:
                draft = Draft(table.stamp, (), rng.randrange(3))
                all_pages.append(table_page.private_page(table, person, spoken, limits, draft))
            for page in all_pages:
                assert fits(page, limits), shown(page, limits)
            table = after(7, table, rng)


def fits(page: Page, limits: Limits) -> bool:
    message = as_message(page, limits)
    options = message.select.options if message.select else ()
    buttons = [*(button for row in message.rows for button in row), *options]
    characters = sum(len(line) + 1 for line in (*message.above, message.drawing, *message.below))
    return (
        characters <= limits.text - limits.markup // 2
        and len(buttons) - len(options) <= limits.keys
        and len(options) <= limits.choices
        and len(message.rows) + bool(options) <= limits.rows
        and len({button.data for button in buttons}) == len(buttons)
        and all(len(row) <= limits.row_keys for row in message.rows)
        and all(0 < len(button.label) <= limits.label for button in buttons)
        and all(0 < len(button.data.encode()) <= limits.data for button in buttons)
        and all(len(line) <= limits.width for line in message.drawing.splitlines())
    )


def test_a_hand_in_brief_is_only_ones_own() -> None:
    table = dealt()
    briefs = [player_page.brief(table, person, say(table, "en"), FEW_BUTTONS) for person in "abz"]
    own = [{Speech("en").card(card) for card in hand} for hand in table.state.hands]
    assert briefs[2] == ""
    for seat in (0, 1):
        assert all(card in briefs[seat].split() for card in own[seat])
        assert not any(card in briefs[seat].split() for card in own[1 - seat])


def test_a_hand_in_brief_is_arranged_as_the_game_draws_it() -> None:
    table = after(2, dealt("svoi"))
    view = table.game.view(table.state, 0)
    held = [
        f"{card[:-1]}{SYMBOLS[card[-1]]}" for card in table.game.arrange(view, view.hand, say(table, "en"))
    ]
    assert player_page.brief(table, "a", say(table, "en"), FEW_BUTTONS).split()[: len(held)] == held


def test_callback_data_can_be_parsed() -> None:
    callback = CallbackData("0123456789", 12, "move", "capture 10S 6D+4C")
    assert CallbackData.parse(callback.spelled(64)) == callback
    assert CallbackData.parse(CallbackData(NO_GAME, 0, "help").spelled(64)) == CallbackData(
        NO_GAME, 0, "help"
    )
    assert [
        CallbackData.parse(data)
        for data in ("", "x", "0123456789", "0123456789:-1:move", "0123456789:1:", "0123456789:1:nonsense")
    ] == [None] * 6


@pytest.mark.parametrize(("locale", "verb"), [("en", "Lead"), ("es", "Salir con")])
def test_where_buttons_name_only_cards_an_example_explains_one(locale: Language, verb: str) -> None:
    table = dealt("svoi")
    while next(iter(table.game.moves(table.state, table.active()[0]))).verb != "lead":
        table = table.time_out(table.active()[0])
    person = table.players[table.active()[0]].person
    assert person
    page = table_page.private_page(table, person, say(table, locale), FEW_BUTTONS, Draft(table.stamp))
    labels = [key.label for key in page.numbered]
    caption = {"en": "To play “{} {}”, press just {}.", "es": "Para jugar «{} {}», pulsa solo {}."}[locale]
    assert [line for line in page.status if line in [caption.format(verb, card, card) for card in labels]]


@pytest.mark.parametrize("key", games())
def test_the_log_ends_with_the_result(key: str) -> None:
    table = after(10_000, dealt(key))
    assert table.result
    speech = say(table, "en")
    lines = table_page.log_lines(table, speech)
    result = [speech(text) for text in result_captions(table)]
    assert list(lines[-len(result) :]) == result
