"""Commands that take plain words without a check by pydantic.

Typer has pydantic check every value, and importing pydantic takes longer than dealing a game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast

import typer
from typer.core import TyperCommand, TyperGroup


class _Coercion(Protocol):
    """Converts what a user typed for a parameter to the parameter's type; raises `typer.BadParameter`."""

    def coerce(self, value: Any, param: Any, ctx: typer.Context) -> Any: ...


class _Parameter(Protocol):
    """The attributes that Typer's options and arguments share."""

    default: Any
    multiple: bool
    nargs: int
    type_descriptor: Any
    get_runtime_param: Callable[[], _Coercion]


class _PlainFirst:
    """Takes defaults, words and listed choices itself, and leaves all other values to Typer.

    A parameter without value and default becomes an empty tuple if it takes several values, else None.
    """

    def __init__(self, typer_coercion: Callable[[], _Coercion]) -> None:
        self._typer_coercion = typer_coercion
        """Imports pydantic, and returns Typer's own coercion."""

    def coerce(self, value: Any, param: _Parameter, ctx: typer.Context) -> Any:
        kind, choices = param.type_descriptor.annotation, param.type_descriptor.choices
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if isinstance(value, str) and (kind is str or (choices and value in choices)):
            return value
        if type(value) is kind and value == param.default:
            return value
        return self._typer_coercion().coerce(value, param, ctx)


class PlainCommand(TyperCommand):
    """A command that imports pydantic only for typed numbers, paths and lists, and to refuse a choice."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _taking_plain_words(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """A group of commands that imports pydantic only to refuse a value of the group's own options."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _taking_plain_words(super().get_params(ctx))


def _taking_plain_words(parameters: list[Any]) -> list[Any]:
    """Returns the same parameters, changed so that `_PlainFirst` converts their values before Typer."""
    for declared in parameters:
        parameter = cast(_Parameter, declared)
        # Typer may ask for the parameters several times; they are the same objects.
        if "get_runtime_param" not in vars(declared):
            parameter.get_runtime_param = partial(_PlainFirst, parameter.get_runtime_param)
    return parameters
