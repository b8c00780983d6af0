"""Runs the asynchronous work of a command. Imports nothing that takes long, since ``--help`` needs it."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from adapters.command_line.printing import tell
from adapters.shared.program import program
from bot.errors import origin

if TYPE_CHECKING:
    from bot.i18n import Speech

Result = TypeVar("Result")


def completed(work: Coroutine[Any, Any, Result], say: Speech) -> Result:
    """Runs a coroutine and returns its result; if it fails, prints the reason and exits with code 1.

    A known reason is told in the reader's language, a rare one of the store in its own words. An unexpected
    error is printed as its type and line only: its message may hold a card or a token.
    """
    import asyncio

    from bot.file_errors import store_error_text
    from bot.i18n import visible
    from bot.ports import NotAdmitted
    from bot.storage import StoreError
    from engines.game import Text

    def worded(why: Text | str) -> str:
        return say(why) if isinstance(why, Text) else visible(why)

    try:
        return asyncio.run(work)
    except BrokenPipeError:
        # `adapters.command_line.cli.main` ends the program silently.
        raise
    except NotAdmitted as error:
        reason = worded(error.why)
    except StoreError as error:
        reason = f"{program()}: {worded(store_error_text(error.why))}"
    except Exception as error:
        reason = f"{program()}: {origin(error)}"
    tell(reason, err=True)
    raise typer.Exit(1)
