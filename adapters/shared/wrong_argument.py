"""The refusal of an argument of the command line, or of settings."""

from __future__ import annotations

import typer
from typer._click.core import Context

from engines.game import Text


class WrongArgument(typer.BadParameter):
    """Refuses an argument or settings with a sentence, which users read in their language."""

    def __init__(self, text: Text, ctx: Context | None = None) -> None:
        super().__init__(text.message, ctx)
        self.text = text
