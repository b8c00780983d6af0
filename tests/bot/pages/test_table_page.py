"""Table pages: the content for each reader, in both languages, within a message's limits."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bot.i18n import Speech
from bot.model import Draft, Language, Player
from bot.pages import player_page, table_page
from bot.pages.callback_data import CallbackData
from bot.pages.layout import NO_GAME, fitted, rows_of, with_chooser
from bot.people import names
from bot.ports import Chooser, Key, Limits, Page
from bot.tables.commitment import ChosenSeed, CommittedSeed
from bot.tables.lobby import cut, join, leave, set_option
from bot.tables.table import Table
from engines import games
from engines.cards import SYMBOLS
from tests import luck
from tests.golden import assert_golden

GOLDEN = Path(__file__).with_name("golden")
SMALL = Limits(text=2000, rows=5, row_keys=5, keys=25, label=80, data=100)
LISTS = replace(SMALL, choices=25)
TINY = Limits(text=4096, rows=12, row_keys=8, keys=96, label=60, data=64)
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
    rng = rng or luck.rng(table.stamp)
    for _ in range(moves):
        if table.status == "over":
            break
        seat = table.active()[0]
        table = table.play(seat, str(rng.choice(list(table.game.moves(table.state, seat)))))
    return table


def say(table: Table, locale: Language) -> Speech:
    return Speech(locale, names(table))


def shown(page: Page) -> str:
    rows = ["  ".join(f"[{key.label}]" for key in row) for row in page.rows]
    if page.chooser:
        rows += [f"{page.chooser.title}:", *(f"- {key.label}" for key in page.chooser.keys)]
    return "\n".join((*page.above, "", page.drawing, "", *page.below, "", *rows)) + "\n"


@both_languages
def test_the_lobby(locale: Language) -> None:
    table = lobby()
    assert_golden(
        GOLDEN / f"lobby_{locale}.txt", shown(table_page.public_page(table, say(table, locale), SMALL))
    )


@both_languages
def test_the_board_in_mid_game(locale: Language) -> None:
    table = leave(after(5, dealt(), random.Random(1)), "b")
    assert_golden(
        GOLDEN / f"board_{locale}.txt", shown(table_page.public_page(table, say(table, locale), SMALL))
    )


@both_languages
def test_a_players_own_page(locale: Language) -> None:
    table = after(6, dealt(), random.Random(1))
    seat = table.active()[0]
    page = table_page.private_page(table, "ab"[seat], say(table, locale), SMALL, Draft())
    assert_golden(GOLDEN / f"hand_{locale}.txt", shown(page))


@both_languages
def test_the_page_of_whoever_has_left(locale: Language) -> None:
    table = leave(after(5, dealt(), random.Random(1)), "b")
    page = table_page.private_page(table, "b", say(table, locale), SMALL, Draft())
    assert_golden(GOLDEN / f"away_{locale}.txt", shown(page))


@both_languages
def test_the_end(locale: Language) -> None:
    table = after(1000, dealt(), random.Random(1))
    assert_golden(
        GOLDEN / f"end_{locale}.txt", shown(table_page.public_page(table, say(table, locale), SMALL))
    )


@both_languages
def test_house_rules(locale: Language) -> None:
    table = lobby()
    assert_golden(
        GOLDEN / f"house_rules_{locale}.txt",
        shown(table_page.house_rules_page(table, say(table, locale), SMALL)),
    )


@pytest.mark.parametrize("limits", [SMALL, TINY, LISTS])
@pytest.mark.parametrize("key", list(games()))
@both_languages
def test_every_page_of_a_game_fits(key: str, limits: Limits, locale: Language) -> None:
    rng, game = luck.rng(key), games()[key]
    for seats in (game.seats[0], game.seats[-1]):
        table = dealt(key, key, seats)
        while table.status != "over" and table.stamp < 150:
            spoken = say(table, locale)
            all_pages = [
                table_page.public_page(table, spoken, limits),
                table_page.watcher_page(table, spoken, limits),
            ]
            for person in "abcdef"[:seats]:
                draft = Draft(table.stamp, (), rng.randrange(3))
                all_pages.append(table_page.private_page(table, person, spoken, limits, draft))
            for page in all_pages:
                assert fits(page, limits), shown(page)
            table = after(7, table, rng)


def fits(page: Page, limits: Limits) -> bool:
    choices = page.chooser.keys if page.chooser else ()
    keys = [*(key for row in page.rows for key in row), *choices]
    words = sum(len(line) + 1 for line in (*page.above, page.drawing, *page.below))
    return (
        words <= limits.text - limits.markup // 2
        and len(keys) - len(choices) <= limits.keys
        and len(choices) <= limits.choices
        and len(page.rows) + bool(choices) <= limits.rows
        and len({key.data for key in keys}) == len(keys)
        and all(len(row) <= limits.row_keys for row in page.rows)
        and all(0 < len(key.label) <= limits.label for key in keys)
        and all(0 < len(key.data.encode()) <= limits.data for key in keys)
        and len({key.data for key in keys}) == len(keys)
        and all(len(line) <= limits.width for line in page.drawing.splitlines())
    )


def test_the_oldest_news_give_way_and_the_title_stays() -> None:
    news = tuple(f"news {n} " + "x" * 80 for n in range(30))
    page = fitted(Page(("title", *news), "drawing", ("status",)), replace(SMALL, text=1000))
    assert (page.above[0], page.above[-1], page.drawing, page.below) == (
        "title", news[-1], "drawing", ("status",),
    )  # fmt: skip
    assert 5 < len(page.above) < 12


def test_few_short_buttons_share_a_row_and_long_ones_do_not() -> None:
    short = [Key(str(n), f"{n}") for n in range(10)]
    assert [len(row) for row in rows_of(short, SMALL, 4)] == [5, 5]
    long = [Key("x" * 40, f"{n}") for n in range(4)]
    assert [len(row) for row in rows_of(long, SMALL, 4)] == [1, 1, 1, 1]
    assert [len(row) for row in rows_of(long * 4, SMALL, 4)] == [4, 4, 4, 4]


def offered(count: int, label: str) -> list[Key]:
    return [Key(f"{label} {n}", f"0000000000:0:move:{n}") for n in range(count)]


WIDE = "Capture 4♦+3♥ with 7♥"


def test_what_a_phone_shows_at_ease_needs_no_list() -> None:
    keys = offered(16, "♠")
    assert with_chooser(keys, LISTS, 4, Speech()) == (rows_of(keys, LISTS, 4), None)


def test_few_wide_buttons_need_no_list() -> None:
    keys = offered(10, WIDE)
    assert with_chooser(keys, LISTS, 4, Speech()) == (rows_of(keys, LISTS, 4), None)


def test_a_platform_without_lists_gets_none() -> None:
    keys = offered(20, WIDE)
    assert with_chooser(keys, SMALL, 4, Speech()) == (rows_of(keys, SMALL, 4), None)


def test_of_many_wide_buttons_the_first_stay_and_the_others_are_a_list() -> None:
    keys = offered(20, WIDE)
    rows, chooser = with_chooser(keys, LISTS, 4, Speech())
    assert rows == tuple((key,) for key in keys[:3])
    assert chooser == Chooser("17 more to choose from", tuple(keys[3:]))


def test_a_list_has_more_than_one_choice() -> None:
    rows, chooser = with_chooser([*offered(11, "♠"), Key(WIDE, "0000000000:0:move:x")], LISTS, 3, Speech())
    assert chooser
    assert [len(row) for row in rows] == [5, 5]
    assert len(chooser.keys) == 2


def test_what_is_to_stay_stays_a_button_below_the_first_ones() -> None:
    keys = offered(20, WIDE)
    rows, chooser = with_chooser(keys, LISTS, 4, Speech(), [keys[7], keys[19]])
    assert rows == ((keys[0],), (keys[7],), (keys[19],))
    assert chooser
    assert chooser.keys == (*keys[1:7], *keys[8:19])


def test_of_too_many_that_are_to_stay_none_does() -> None:
    keys = offered(20, WIDE)
    rows, chooser = with_chooser(keys, LISTS, 4, Speech(), keys[10:])
    assert rows == tuple((key,) for key in keys[:3])
    assert chooser


def test_a_list_is_named_in_the_language_of_its_reader() -> None:
    _, chooser = with_chooser(offered(20, WIDE), LISTS, 4, Speech("es"))
    assert chooser
    assert chooser.title == "17 más para elegir"


def test_a_hand_in_brief_is_only_ones_own() -> None:
    table = dealt()
    briefs = [player_page.brief(table, person, say(table, "en"), SMALL) for person in "abz"]
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
    assert player_page.brief(table, "a", say(table, "en"), SMALL).split()[: len(held)] == held


def test_what_stands_behind_a_button_comes_back() -> None:
    callback = CallbackData("0123456789", 12, "move", "capture 10S 6D+4C")
    assert CallbackData.parse(callback.spelled(64)) == callback
    assert CallbackData.parse(CallbackData(NO_GAME, 0, "help").spelled(64)) == CallbackData(
        NO_GAME, 0, "help"
    )
    assert [
        CallbackData.parse(data)
        for data in ("", "x", "0123456789", "0123456789:-1:move", "0123456789:1:", "0123456789:1:nonsense")
    ] == [None] * 6
