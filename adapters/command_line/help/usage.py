"""Explains wrong arguments of the command line in the user's language, Typer's own errors too.

Imported only when there is an error, so that a command without one does not wait for it.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections.abc import Sequence
from typing import IO, Any

import typer
from pydantic import ValidationError
from typer._click.core import Context
from typer._click.exceptions import (
    BadOptionUsage,
    BadParameter,
    MissingParameter,
    NoArgsIsHelpError,
    NoSuchOption,
    UsageError,
)

from adapters.command_line.help.help_page import HelpWords
from adapters.shared.rendering.wrapping import wrapped
from adapters.shared.wrong_argument import WrongArgument
from bot.i18n import Speech
from bot.nearest import did_you_mean, nearest, wrong_value
from engines import game_keys
from engines.game import Text

GAME = "GAME"
"""The argument that names a game, as declarations and help pages in English have it."""
_TOO_MANY = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)", re.DOTALL)
"""Matches Typer's error of too many arguments."""
_NO_CHOICE = re.compile(r"(?:Value error, )?(['\"].*['\"]) is not one of (.*)\.", re.DOTALL)
"""Matches Typer's error of a value that is none of the choices; the value is quoted as Python does it."""
_CHOICE = re.compile(r"'([^']*)'")
"""Matches a value that Typer lists in an error."""


class LocalError(UsageError):
    """An error of the command line as its user reads it."""

    def __init__(self, error: UsageError, say: Speech) -> None:
        super().__init__(explained(error, say), error.ctx)
        self._say = say

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the usage of the command and the error."""
        lines = []
        if self.ctx is not None:
            command = f"{self.ctx.command_path} {self.ctx.help_option_names[0]}"
            _, _, usage = self.ctx.get_usage().partition(": ")
            lines.append(self._say(Text("Usage: {usage}", usage=usage)))
            lines += [self._say(Text("Try “{command}” for help.", command=command)), ""]
        width = max(20, shutil.get_terminal_size().columns)
        lines += wrapped(f"Error: {self.message}", width)
        typer.echo("\n".join(lines), file=file or sys.stderr)


def localized(error: typer.TyperException, say: Speech) -> typer.TyperException:
    """The error in the user's language; unchanged if it already is, or if it is not about wrong usage."""
    # `NoArgsIsHelpError` carries a help page, which is in the user's language.
    if isinstance(error, NoArgsIsHelpError | LocalError) or not isinstance(error, UsageError):
        return error
    return LocalError(error, say)


def explained(error: UsageError, say: Speech) -> str:
    """The error as a sentence in the reader's language; if its kind is unknown, in Typer's English words."""
    match error:
        case WrongArgument(text=text):
            return say(text)
        case NoSuchOption(option_name=option):
            return say(_no_option(option, error.ctx))
        case BadOptionUsage(option_name=option):
            if "does not take" in error.message:
                return say(Text("The option “{option}” takes no value.", option=option))
            return say(Text("The option “{option}” needs a value.", option=option))
        case MissingParameter():
            return say(_missing(_name(error), say))
        case BadParameter() if (invalid := _invalid_value(error)) is not None:
            return say(invalid)
        case _ if extra := _TOO_MANY.fullmatch(error.message):
            return say(Text("These words are too many: {words}", words=extra[1]))
    return error.format_message()


def _missing(name: str, say: Speech) -> Text:
    """The error of a missing argument or option; names the games where one of them is missing."""
    reason = Text("Something is missing: {argument}.", argument=HelpWords(say.locale)(name))
    if name != GAME:
        return reason
    return Text("{reason} Choose: {choices}.", reason=reason, choices=", ".join(game_keys()))


def _no_option(option: str, command: Context | None) -> Text:
    """The error of an option that the command does not have, with the option that it resembles, if any."""
    reason = Text("There is no option “{option}”.", option=option)
    params = () if command is None else command.command.get_params(command)
    meant = nearest(option, [name for param in params for name in param.opts if name.startswith("--")])
    return did_you_mean(reason, meant) if meant else reason


def _name(error: BadParameter) -> str:
    """The longest name of an error's option, or the name of its argument on help pages; empty for neither."""
    if error.param is None:
        return ""
    options: Sequence[str] = error.param.opts
    dashed = [option for option in options if option.startswith("-")]
    return max(dashed, key=len) if dashed else error.param.get_error_hint().strip("'")


def _invalid_value(error: BadParameter) -> Text | None:
    """The error of a value that Typer has refused, as a sentence; None for an unknown kind of error."""
    option = _name(error)
    if refused := _NO_CHOICE.fullmatch(error.message):
        value, choices = str(ast.literal_eval(refused[1])), _CHOICE.findall(refused[2])
        return wrong_value(option, value, {choice: choice for choice in choices})
    if not isinstance(error.__cause__, ValidationError):
        return None
    wrong, *_ = error.__cause__.errors()
    if wrong["type"] == "greater_than_equal":
        return Text("“{option}” must be at least {n}.", option=option, n=int(wrong["ctx"]["ge"]))
    if wrong["type"] == "less_than_equal":
        return Text("“{option}” must be at most {n}.", option=option, n=int(wrong["ctx"]["le"]))
    if wrong["type"].startswith("int_"):
        value = str(wrong["input"])
        return Text("“{option}” must be a whole number, not “{value}”.", option=option, value=value)
    return None
