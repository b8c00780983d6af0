"""The group of commands: its help and its errors in the user's language.

Imports nothing that takes long, since ``--help`` needs it.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer._click.core import Command, Context
from typer._click.formatting import HelpFormatter
from typer.core import TyperArgument, TyperGroup

from adapters.command_line.help.help_page import GIVEN, HelpContext, paragraphs
from adapters.shared.program import program
from engines import game_keys

if TYPE_CHECKING:
    from bot.i18n import Speech
    from bot.settings.choices import Language


class HelpfulGroup(TyperGroup):
    """A group of commands, with help and errors in the user's language.

    Each command is built when it is asked for: building all would take a tenth of the time to the first
    screen.
    """

    context_class = HelpContext
    functions: ClassVar[Mapping[str, Callable[..., None]]]
    """The functions of the commands by name, in the order in which help lists them."""

    def built(self, name: str) -> Command:
        """The command with this name."""
        raise NotImplementedError

    def locale(self, given: Sequence[str]) -> Language:
        """The language of the user who typed these arguments, some of which may be wrong."""
        raise NotImplementedError

    def speech(self, given: Sequence[str]) -> Speech:
        """The speech for the user who typed these arguments."""
        from bot.i18n import Speech

        return Speech(self.locale(given))

    def make_context(
        self, info_name: str | None, args: list[str], parent: Context | None = None, **extra: Any
    ) -> Context:
        with self._localized(tuple(args)):
            return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        ctx.meta[GIVEN] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Context) -> Any:
        with self._localized(ctx.meta[GIVEN]):
            return super().invoke(ctx)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        name = args[0]
        if name.startswith("-") or name in self.functions:
            return super().resolve_command(ctx, args)
        from adapters.shared.wrong_argument import WrongArgument
        from bot.nearest import did_you_mean, nearest
        from engines.game import Text

        if name.casefold() in game_keys():
            meant: str | None = f"{program()} play {name}"
        else:
            meant = nearest(name, self.list_commands(ctx))
        reason = Text("There is no command “{name}”.", name=name)
        raise WrongArgument(did_you_mean(reason, meant) if meant else reason, ctx)

    def list_commands(self, ctx: Context) -> list[str]:
        return list(self.functions)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        return _for_players(self.built(cmd_name)) if cmd_name in self.functions else None

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Lists the commands, each with the first paragraph of its help, which is one sentence."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, next(paragraphs(inspect.getdoc(function) or "")))
                    for name, function in self.functions.items()
                ]
            )

    @contextmanager
    def _localized(self, given: Sequence[str]) -> Iterator[None]:
        """Raises errors of the command line in the language of the user who typed these arguments."""
        try:
            yield
        except typer.TyperException as error:
            from adapters.command_line.help.usage import localized

            raise localized(error, self.speech(given)) from error.__cause__


def _for_players(command: Any) -> Command:
    """A copy of a command whose help page leaves out what Typer adds for programmers."""
    copied = copy.copy(command)
    copied.context_class = HelpContext
    copied.params = list(map(_parameter_for_players, command.params))
    return copied  # type: ignore[no-any-return]


def _parameter_for_players(parameter: Any) -> Any:
    copied = copy.copy(parameter)
    if isinstance(copied, TyperArgument):
        # Typer would write the Python type of an argument behind its name.
        copied.display_type_rich = lambda ctx: ""  # type: ignore[method-assign]
    # Help leaves out the range of a number, since the error for a number out of range names the bound.
    copied._get_number_range_help_str = lambda: None
    return copied
