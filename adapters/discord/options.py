"""The types of slash command options: pickers of people, numbers with bounds, fixed choices, and text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import discord
from discord import AppCommandOptionType, Interaction
from discord.app_commands import Choice, Transformer, locale_str

from bot.i18n import Speech
from bot.inbox.arguments.commands import Command, Parameter, ParameterKind
from bot.inbox.commands.values import PEOPLE, fixed_values, most_seats, number_range, spoken
from bot.model.people import mention_of
from bot.ports import Suggestion
from engines.game import Text

CHOICES = 25
"""The most choices of an option, and the most that autocompletion may offer."""
CHOICE = 100
"""The most characters of a choice's label, and of its value."""
_UNSUGGESTED: frozenset[ParameterKind] = frozenset(("words",))
"""Kinds of free text, for which nothing is suggested."""
_ANOTHER = Text("Another person who may join")
"""The description of each option for one person more."""


class OptionType(Transformer):
    """The type of an option for a kind of parameter.

    Discord clients may send an outdated command for up to an hour, so values of other types are read too.
    """

    def __init__(self, kind: ParameterKind) -> None:
        self._kind = kind
        self._choices = _choices(kind)

    @property
    def type(self) -> AppCommandOptionType:
        if self._kind in PEOPLE:
            return AppCommandOptionType.user
        return AppCommandOptionType.integer if number_range(self._kind) else AppCommandOptionType.string

    @property
    def min_value(self) -> int | None:
        return numbers[0] if (numbers := number_range(self._kind)) else None

    @property
    def max_value(self) -> int | None:
        return numbers[-1] if (numbers := number_range(self._kind)) else None

    @property
    def choices(self) -> list[Choice[str | int | float]] | None:
        return self._choices or None

    @property
    def is_completed(self) -> bool:
        """Whether values are suggested while the option is filled in."""
        return not (self._kind in PEOPLE or self._kind in _UNSUGGESTED or self._choices)

    async def transform(self, interaction: Interaction[Any], value: Any, /) -> str:
        return typed(value)


def typed(value: Any) -> str:
    """The value of an option as a player would type it."""
    return mention_of(str(value.id)) if isinstance(value, discord.abc.Snowflake) else str(value)


def raw_typed(option: Mapping[str, Any]) -> str:
    """As `typed`, for an option as Discord sends it, where a person is only an id."""
    person = option["type"] == AppCommandOptionType.user.value
    return mention_of(option["value"]) if person else str(option["value"])


def choices_for(
    option: Mapping[str, Any] | None, found: Iterable[Suggestion]
) -> list[Choice[str | int | float]]:
    """Suggestions as choices for an option as Discord sends it, as many and as long as Discord takes."""
    is_number = option is not None and option["type"] == AppCommandOptionType.integer.value
    choices: list[Choice[str | int | float]] = [
        Choice(name=suggestion.label[:CHOICE], value=int(suggestion.value) if is_number else suggestion.value)
        for suggestion in found
        if len(suggestion.value) <= CHOICE
    ]
    return choices[:CHOICES]


def options_of(command: Command) -> Mapping[str, Parameter]:
    """The options of a command by name; a parameter that takes several people has an option for each."""
    several = {
        f"{known.name}{n}": Parameter(f"{known.name}{n}", f"{known.spanish}{n}", _ANOTHER, known.kind)
        for known in command.parameters
        if known.many
        for n in range(2, most_seats())
    }
    return {**{known.name: known for known in command.parameters}, **several}


def arguments_of(command: Command, given: Mapping[str, str]) -> dict[str, str]:
    """The arguments of a command from its options; those for several people are joined."""
    arguments = {}
    for known in command.parameters:
        names = (known.name, *(f"{known.name}{n}" for n in range(2, most_seats()) if known.many))
        if words := " ".join(given[name] for name in names if given.get(name)):
            arguments[known.name] = words
    return arguments


def _choices(kind: ParameterKind) -> list[Choice[str | int | float]]:
    """The choices of a kind with fixed values, with translated labels; empty if they are too many or none."""
    values = fixed_values(kind)
    labels = {value: spoken(label, Speech())[:CHOICE] for value, label in values.items()}
    if len(values) > CHOICES:
        return []
    return [
        Choice(
            name=locale_str(labels[value], text=label) if isinstance(label, Text) else labels[value],
            value=value,
        )
        for value, label in values.items()
    ]
