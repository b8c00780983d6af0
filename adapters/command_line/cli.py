"""The command line: the program ``sobremesa`` with its commands, which are in `commands`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, ClassVar

import typer
from typer._click.core import Command

from adapters.command_line.arguments.coercion import PlainCommand, PlainGroup
from adapters.command_line.arguments.parameters import Lang
from adapters.command_line.commands.computers import referee, simulate
from adapters.command_line.commands.hosting import backup, doctor, ratings, restore, run
from adapters.command_line.commands.playing import play, rules
from adapters.command_line.commands.records import analyse, history, leaderboard, profile, replay, verify
from adapters.command_line.help.group import HelpfulGroup
from adapters.command_line.languages import locale_despite_errors
from adapters.command_line.streams import prepare
from adapters.shared.program import program
from adapters.version import VERSION
from bot.settings.choices import Language

_FUNCTIONS = (
    play, simulate, referee, rules, run, doctor,
    history, replay, analyse, leaderboard, profile, verify, backup, restore, ratings,
)  # fmt: skip
"""The functions of the commands, in the order in which help lists them."""


class Commands(HelpfulGroup, PlainGroup):
    """The commands of the program."""

    functions: ClassVar[Mapping[str, Callable[..., None]]] = {
        function.__name__: function for function in _FUNCTIONS
    }

    def built(self, name: str) -> Command:
        alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        # The id of a chat, which the doctor is given, may begin with a minus.
        settings = {"ignore_unknown_options": name == doctor.__name__}
        alone.command(name, cls=PlainCommand, context_settings=settings)(self.functions[name])
        return typer.main.get_command(alone)

    def locale(self, given: Sequence[str]) -> Language:
        return locale_despite_errors(given)


app = typer.Typer(
    name="sobremesa",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Card games for the time after a meal: Casino, Cardlebones and others, against the "
    "computer or with friends at one keyboard, in English or Spanish.\n\n"
    "Start with `sobremesa play`: it asks which game. Press F1 in a game for its rules.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sobremesa {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
    lang: Lang = None,
) -> None:
    """Takes the options typed before a command's name; a ``--lang`` there is the default of the command's."""
    ctx.default_map = {name: {"lang": lang} for name in Commands.functions}


def main() -> None:
    """Runs the program ``sobremesa``."""
    prepare()
    try:
        try:
            app(prog_name=program())
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has closed it; flushing the buffer at exit would raise the error again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
