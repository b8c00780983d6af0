"""Messages with buttons: a page's parts in order, cut to the limits of a platform."""

from __future__ import annotations

import pytest

from adapters.shared.rendering.message import (
    Button,
    Message,
    Select,
    as_message,
    fitted,
    noted,
    reply_message,
)
from bot.ports import Key, Limits, NewsLine, Page, PageKind, PagePanel, Reply
from engines import values
from engines.values import replace

SMALL = Limits(text=2000, rows=5, row_keys=5, keys=25, label=80, data=100)
LISTS = replace(SMALL, choices=25)
MORE = "More moves …"
WIDE = "Capture 4♦+3♥ with 7♥"


def offered(count: int, label: str) -> list[Key]:
    return [Key(f"{label} {n}", "move", f"{n}", offer=True) for n in range(count)]


def shown(keys: list[Key], limits: Limits = LISTS, *, kind: PageKind = "turn", more: str = MORE) -> Message:
    return as_message(Page(kind, keys=(tuple(keys), ()), more=more), limits)


def labels(message: Message) -> list[list[str]]:
    return [[button.label for button in row] for row in message.rows]


def test_news_follow_the_title_and_the_status_follows_the_drawing() -> None:
    drawn = PagePanel("Casino, table 1", ("7♥", "4♦"), wraps=False)
    page = Page("turn", (NewsLine(3, "Ana plays."), NewsLine(4, "Ben draws.")), (drawn,), ("Your turn.",))
    assert as_message(page, SMALL) == Message(
        ("Casino, table 1", "Ana plays.", "Ben draws."), "7♥\n4♦", ("Your turn.",)
    )


def test_sentences_before_a_drawing_stand_above_it() -> None:
    page = Page(panels=(PagePanel("title", ("told",)), PagePanel("", ("drawn",), wraps=False)))
    assert as_message(page, SMALL) == Message(("title", "told"), "drawn")


def test_later_panels_stand_above_the_status() -> None:
    page = Page(panels=(PagePanel("title", ("a", "b")), PagePanel("sealed", ("c",))), status=("asked",))
    assert as_message(page, SMALL) == Message(("title", "a", "b"), "", ("sealed", "c", "asked"))


def test_the_oldest_news_give_way_and_the_title_stays() -> None:
    news = tuple(f"news {n} " + "x" * 80 for n in range(30))
    message = fitted(Message(("title", *news), "drawing", ("status",)), replace(SMALL, text=1000))
    assert (message.above[0], message.above[-1], message.drawing, message.below) == (
        "title", news[-1], "drawing", ("status",),
    )  # fmt: skip
    assert 5 < len(message.above) < 12


def test_each_group_without_offers_is_a_row() -> None:
    page = Page("lobby", keys=((Key("Join", "join"), Key("Start", "start")), (), (Key("Leave", "leave"),)))
    assert labels(as_message(page, SMALL)) == [["Join", "Start"], ["Leave"]]


@pytest.mark.parametrize(
    ("limits", "rows"),
    [
        (SMALL, [["Reglas de la casa"], ["Reloj", "Reglas"], ["Comprobar el reparto"]]),
        (replace(SMALL, even=False), [["Reglas de la casa", "Reloj", "Reglas", "Comprobar el reparto"]]),
        (replace(SMALL, rows=2), [["Reglas de la casa", "Reloj", "Reglas", "Comprobar el reparto"]]),
    ],
)
def test_where_buttons_are_equally_wide_no_label_is_cut_if_there_are_enough_rows(
    limits: Limits, rows: list[list[str]]
) -> None:
    words = ("Reglas de la casa", "Reloj", "Reglas", "Comprobar el reparto")
    page = Page("lobby", keys=(tuple(Key(word, "help") for word in words),))
    assert labels(as_message(page, limits)) == rows


def test_offers_that_need_the_rows_leave_the_others_one_row() -> None:
    offers = tuple(offered(4, "Rearrange the table"))
    more = (Key("Computers: normal", "set_rule"), Key("Computers' pace: natural", "set_rule"))
    page = Page(keys=(offers, more))
    assert list(map(len, labels(as_message(page, SMALL)))) == [1, 1, 1, 1, 2]
    assert list(map(len, labels(as_message(page, replace(SMALL, rows=6))))) == [1, 1, 1, 1, 1, 1]


def test_a_group_longer_than_a_row_is_broken() -> None:
    page = Page(keys=(tuple(Key(str(n), "log") for n in range(7)),))
    assert [len(row) for row in as_message(page, SMALL).rows] == [5, 2]


def test_few_short_offers_share_a_row_and_long_ones_do_not() -> None:
    assert [len(row) for row in shown(offered(10, ""), SMALL).rows] == [5, 5]
    assert [len(row) for row in shown(offered(4, "x" * 40), SMALL).rows] == [1, 1, 1, 1]
    assert [len(row) for row in shown(offered(16, "x" * 40), SMALL).rows] == [4, 4, 4, 4]


def test_the_last_row_of_a_turn_is_kept_for_the_keys_that_lead_back() -> None:
    assert len(shown(offered(5, WIDE), SMALL).rows) == 3
    assert len(shown(offered(5, WIDE), SMALL, kind="note").rows) == 5


def test_short_offers_that_a_phone_shows_whole_need_no_list() -> None:
    message = shown(offered(16, "♠"))
    assert (len(message.rows), message.select) == (4, None)


def test_as_many_wide_offers_as_there_are_rows_need_no_list() -> None:
    assert [shown(offered(n, WIDE)).select is None for n in (4, 5)] == [True, False]


def test_two_labels_of_sixteen_cells_stand_beside_each_other_and_longer_ones_do_not() -> None:
    keys = [Key(label * 16, "move", label, offer=True) for label in "abcd"]
    keys[2:2] = [Key("e" * 17, "move", "e", offer=True)]
    assert [[label[0] for label in row] for row in labels(shown(keys))] == [["a", "b"], ["e"], ["c", "d"]]


def test_a_platform_without_lists_gets_none() -> None:
    assert shown(offered(20, WIDE), SMALL).select is None


def test_a_page_that_names_no_list_gets_none() -> None:
    assert shown(offered(20, WIDE), more="").select is None


def test_of_many_wide_offers_the_first_stay_and_the_others_are_a_list() -> None:
    message = shown(offered(20, WIDE))
    assert labels(message) == [[f"{WIDE} {n}"] for n in range(3)]
    assert message.select == Select(
        MORE, tuple(Button(f"{WIDE} {n}", f"0000000000:0:move:{n}") for n in range(3, 20))
    )


def test_a_list_has_more_than_one_option() -> None:
    message = shown([*offered(11, "♠"), Key(WIDE, "move", "x", offer=True)], replace(LISTS, rows=4))
    assert message.select
    assert [len(row) for row in message.rows] == [5, 5]
    assert len(message.select.options) == 2


def test_a_list_has_more_than_one_option_though_its_offers_would_fill_one_row() -> None:
    wide = [Key("x" * 30 + str(n), "log", str(n)) for n in range(3)]
    keys = [key for pair in zip(offered(3, "♠"), wide, strict=True) for key in pair]
    message = shown(keys, replace(LISTS, rows=6))
    assert [len(row) for row in message.rows] == [1, 1, 1, 1]
    assert message.select
    assert [button.label for button in message.select.options] == ["♠ 1", "♠ 2"]


def test_two_offers_make_no_list() -> None:
    message = shown(offered(2, WIDE), replace(LISTS, rows=2))
    assert (labels(message), message.select) == ([[f"{WIDE} 0", f"{WIDE} 1"]], None)


def test_a_key_that_is_no_offer_stays_a_button_below_the_first_offer() -> None:
    keys = offered(20, WIDE)
    keys = [values.replace(key, offer=n not in (7, 19)) for n, key in enumerate(keys)]
    message = shown(keys)
    assert labels(message) == [[f"{WIDE} {n}"] for n in (0, 7, 19)]
    assert message.select
    assert [button.label for button in message.select.options] == [
        f"{WIDE} {n}" for n in range(1, 20) if n not in (7, 19)
    ]


def test_where_too_many_keys_are_no_offers_only_the_first_keys_are_buttons() -> None:
    keys = [values.replace(key, offer=n < 10) for n, key in enumerate(offered(20, WIDE))]
    message = shown(keys)
    assert labels(message) == [[f"{WIDE} {n}"] for n in range(3)]
    assert message.select


def test_a_label_is_cut_and_words_that_are_too_long_become_a_hash() -> None:
    limits = replace(SMALL, label=5, data=30)
    ((button,),) = shown([Key("a long label", "move", "lay " + "7S " * 20)], limits).rows
    assert button.label == "a lo…"
    assert button.data.startswith("0000000000:0:move:#")
    assert len(button.data.encode()) <= 30


def test_a_label_with_combining_marks_is_cut_where_the_platform_cuts_it() -> None:
    name = "K\u0301" * 60
    ((button,),) = as_message(Page(keys=((Key(f"Kick {name}", "command", "kick"),),)), SMALL).rows
    assert button.label == f"Kick {name}"[: SMALL.label - 1] + "…"


def test_a_key_that_opens_an_address_has_no_data() -> None:
    page = Page(keys=((Key("there", url="https://example.org"),),))
    assert as_message(page, SMALL).rows == ((Button("there", url="https://example.org"),),)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(), None),
        (Reply("n"), Message(("n",))),
        (Reply("", Page.note("a")), Message(("a",))),
        (Reply("n", Page.note("a")), Message(("n", "a"))),
        (Reply("n", Page.note("a", "n")), Message(("a", "n"))),
        (Reply("a\nb", Page.note("a", "b", "c")), Message(("a", "b", "c"))),
    ],
)
def test_a_notice_is_said_once(reply: Reply, expected: Message | None) -> None:
    assert reply_message(reply, SMALL) == expected


def test_a_notice_leaves_the_list_of_a_message() -> None:
    select = Select(MORE, (Button("0", "a"), Button("1", "b")))
    assert noted(Message(("page",), select=select), "notice").select == select
