"""The bench of an evening: how it counts, that its luck is fixed, and what its figures may be at most."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from adapters.shared.rendering.message import Button, Message, Select
from bench import evening as bench
from bot.ports import Deadline
from engines import games

FIELDS = [
    "platform",
    "game",
    "seats",
    "lines_p50",
    "lines_p95",
    "buttons_max",
    "label_cells_max",
    "presses_per_move_p50",
    "presses_per_move_p95",
    "acts_to_first_card",
    "group_messages_per_minute",
]
ONE, TWO, WIDE = (Button(label, label) for label in ("one", "two", "the widest of all"))


def test_a_page_is_as_high_as_its_text_its_drawing_and_its_buttons() -> None:
    message = Message(
        above=("a" * 41,),
        drawing="\n".join(("b" * 28, "", "c" * 29)),
        below=("d",),
        rows=((ONE, TWO), (WIDE,)),
        select=Select("more", (TWO, TWO)),
        deadline=Deadline("e", 1.0, "f"),
    )
    assert bench.height(message) == 2 + (1 + 1 + 2) + 1 + 1 + 2 + 1


def test_a_label_has_to_fit_only_beside_another() -> None:
    assert bench.widest_label(Message(rows=((ONE, TWO), (WIDE,)))) == 3


def test_choices_of_a_list_are_counted_as_buttons() -> None:
    assert bench.number_of_buttons(Message(rows=((ONE,),), select=Select("more", (TWO, TWO)))) == 3


@pytest.mark.parametrize(("percent", "value"), [(50, 10), (95, 19), (100, 20)])
def test_a_percentile_is_the_least_value_that_so_many_do_not_exceed(percent: int, value: int) -> None:
    assert bench.percentile(range(20, 0, -1), percent) == value


def test_one_object_a_line_is_printed_and_always_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["evening", "--json", "--game", "cardlebones"])
    bench.main()
    first = capsys.readouterr().out
    bench.main()
    assert capsys.readouterr().out == first
    lines = [json.loads(line) for line in first.splitlines()]
    assert [(line["platform"], line["seats"]) for line in lines] == [("discord", 2), ("telegram", 2)]
    assert [list(line) for line in lines] == [FIELDS] * 2


def test_players_make_their_moves_by_presses() -> None:
    evening = asyncio.run(bench.played("discord", "casino", 2))
    assert len(evening.sizes) == len(evening.pages) >= len(evening.presses) > 20
    assert evening.acts == 2


EVENINGS = [
    pytest.param(platform, key, seats, id=f"{platform}, {key}, {seats}")
    for key, game in games().items()
    for seats in game.seats
    for platform in [list(bench.PLATFORMS)[seats % 2]]
]
"""Every game at each number of seats, on one platform or the other."""


@pytest.mark.parametrize(("platform", "key", "seats"), EVENINGS)
def test_an_evening_is_played_at_ease_on_a_phone(platform: str, key: str, seats: int) -> None:
    evening = asyncio.run(bench.played(platform, key, seats))
    figures = bench.figures(platform, key, seats, [evening])
    assert figures.lines_p50 <= 24
    assert figures.lines_p95 <= 40
    assert figures.buttons_max <= 24
    assert figures.label_cells_max <= 16
    assert figures.presses_per_move_p50 == 1 or figures.presses_per_move_p95 <= 2
    assert figures.presses_per_move_p95 <= 4
    assert figures.acts_to_first_card == 2
    assert bench.percentile(evening.public_sizes, 95) <= 24
