"""Commands that take plain words without a check by pydantic.

Typer would have pydantic check all values, and importing pydantic takes longer than dealing a game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast

import typer
from typer.core import TyperCommand, TyperGroup


class _Coercion(Protocol):
    """Turns the typed value of a parameter into one of its type; raises `typer.BadParameter`."""

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

    A missing value without a default is empty or None.
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
    """A command that needs pydantic only for given numbers, paths and lists, and to refuse a wrong choice."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _taking_plain_words(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """A group of commands that needs pydantic only to refuse a wrong choice of an option of its own."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _taking_plain_words(super().get_params(ctx))


def _taking_plain_words(parameters: list[Any]) -> list[Any]:
    """The same parameters, which ask `_PlainFirst` before Typer from now on."""
    for declared in parameters:
        parameter = cast(_Parameter, declared)
        # Typer may ask for the parameters several times; they are the same objects.
        if "get_runtime_param" not in vars(declared):
            parameter.get_runtime_param = partial(_PlainFirst, parameter.get_runtime_param)
    return parameters
