"""The group of commands: its help, and its errors in the user's language.

Imports nothing that takes long, since ``--help`` needs it.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from typer._click.core import Command, Context
from typer._click.formatting import HelpFormatter
from typer.core import TyperArgument, TyperGroup

from adapters.shared.program import program
from engines import game_keys

if TYPE_CHECKING:
    from bot.i18n import Speech

_NAMED = re.compile(r"(?<=[`“])sobremesa(?= )")
"""Matches the program's name in a command that a help text quotes."""
_GIVEN = "sobremesa.given"
"""The key in `Context.meta` of the arguments as they were typed."""
_NARROW = 70
"""Columns below which a help page gives the left column less room."""


class Formatter(HelpFormatter):
    """Writes help pages; on a narrow terminal, long names have lines of their own."""

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl(rows, 16 if self.width < _NARROW else col_max, col_spacing)


Context.formatter_class = Formatter


class HelpfulGroup(TyperGroup):
    """A group of commands; help and errors call the program by the name that the user has typed."""

    def speech(self, given: Sequence[str]) -> Speech:
        """The speech of the user who typed these arguments, some of which may be wrong."""
        raise NotImplementedError

    def make_context(
        self, info_name: str | None, args: list[str], parent: Context | None = None, **extra: Any
    ) -> Context:
        given = tuple(args)
        with self._localized(given):
            context = super().make_context(info_name, args, parent, **extra)
            context.meta[_GIVEN] = given
            return context

    def invoke(self, ctx: Context) -> Any:
        with self._localized(ctx.meta[_GIVEN]):
            return super().invoke(ctx)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name) is not None:
            return super().resolve_command(ctx, args)
        from adapters.shared.nearest import nearest
        from adapters.shared.wrong import WrongArgument
        from engines.game import Text

        if name.casefold() in game_keys():
            meant: str | None = f"{program()} play {name}"
        else:
            meant = nearest(name, self.list_commands(ctx))
        if meant:
            raise WrongArgument(
                Text("There is no command {name}. Did you mean {meant}?", name=name, meant=meant), ctx
            )
        raise WrongArgument(Text("There is no command {name}.", name=name), ctx)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        command = super().get_command(ctx, cmd_name)
        return command and _renamed(command)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        super(HelpfulGroup, _renamed(self)).format_help(ctx, formatter)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Lists the commands, each with its whole first sentence."""
        named = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(1000)) for name, one in named if one])

    @contextmanager
    def _localized(self, given: Sequence[str]) -> Iterator[None]:
        """Raises errors of the command line in the language of the user who typed these arguments."""
        try:
            yield
        except typer.TyperException as error:
            from adapters.shared.usage import localized

            raise localized(error, self.speech(given)) from error.__cause__


def _renamed(command: Any) -> Any:
    """A copy of a command whose help texts call the program by the name that the user has typed."""
    named = copy.copy(command)
    named.help = _NAMED.sub(program(), command.help or "")
    named.params = list(map(_renamed_parameter, command.params))
    return named


def _renamed_parameter(parameter: Any) -> Any:
    named = copy.copy(parameter)
    if isinstance(named, TyperArgument):
        # Typer would write the type of Python behind the name of an argument.
        named.display_type_rich = lambda ctx: ""  # type: ignore[method-assign]
    # The least number is told by the error of a smaller one.
    named._get_number_range_help_str = lambda: None
    named.help = _NAMED.sub(program(), parameter.help or "")
    return named
