"""The fixed values, the numbers and the people that parameters name, as platforms offer them."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.i18n import Speech
from bot.inbox.arguments.commands import COMMANDS, ParameterKind
from bot.inbox.commands.values import PEOPLE, fixed_values, number_range, spoken
from bot.settings.choices import LANGUAGES
from engines import games

FIXED = [kind for kind in get_args(ParameterKind) if fixed_values(kind)]


@pytest.mark.parametrize("kind", FIXED)
def test_no_two_values_have_one_label(kind: ParameterKind) -> None:
    for language in LANGUAGES:
        labels = [spoken(label, Speech(language)) for label in fixed_values(kind).values()]
        assert len(set(labels)) == len(labels) > 1


def test_players_and_computers_are_the_numbers() -> None:
    numbers = {kind: number_range(kind) for kind in get_args(ParameterKind)}
    most = max(game.seats[-1] for game in games().values())
    assert {kind: found for kind, found in numbers.items() if found} == {
        "players": range(2, most + 1), "computers": range(most)
    }  # fmt: skip


def test_the_kinds_of_parameters_called_player_or_with_are_those_of_people() -> None:
    kinds = {
        known.kind for command in COMMANDS for known in command.parameters if known.name in ("player", "with")
    }
    assert kinds == PEOPLE
