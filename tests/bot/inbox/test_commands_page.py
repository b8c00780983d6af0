"""The documented list of commands matches the code, in both languages."""

from __future__ import annotations

import re

from bot.inbox.arguments.commands import COMMANDS, Command
from bot.settings.choices import Language
from tests.words import ROOT

PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")


def usage(one: Command, language: Language) -> str:
    """A command with its parameters, optional ones in brackets."""
    given = [(each.called(language), each.required) for each in one.parameters]
    return " ".join(
        [f"/{one.called(language)}", *(name if needed else f"[{name}]" for name, needed in given)]
    )


def test_the_page_lists_every_command_with_its_spanish_name_and_what_it_does() -> None:
    listed = re.findall(r"^\| `(/.+?)` \| `(/.+?)` \| (.+) \|$", PAGE, re.MULTILINE)
    assert listed == [
        (usage(command, "en"), usage(command, "es"), command.about.message) for command in COMMANDS
    ]
    assert listed


def test_both_platforms_point_to_the_page() -> None:
    pages = [(ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("discord", "telegram")]
    assert ["(commands.md)" in page for page in pages] == [True, True]
