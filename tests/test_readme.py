"""What the README names is there: commands, files, settings, games. So is this version's changelog."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress

import pytest
import typer

from adapters.command_line import cli
from adapters.version import VERSION
from bot.inbox.arguments.commands import command_named
from engines import games
from tests.words import ROOT

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
INLINE = re.findall(r"`([^`\n]+)`", re.sub(r"^```\n.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL))
PROGRAM = re.compile(r"(?:python3 run\.py|sobremesa)(?= [a-z-])")
TYPED = sorted(
    {
        line[found.end() :].partition("  #")[0].replace("FILE", "LICENSE").strip()
        for line in [line for block in BLOCKS for line in block.splitlines()] + INLINE
        if (found := PROGRAM.match(line))
    }
)
LINKS = sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", README)))
ANCHORS = sorted(re.findall(r"\]\((?!https?:)([^)#]+)#([^)]+)\)", README))
THEIRS = {"/newbot", "/healthz", "/metrics"}
"""Words that look like commands of ours: BotFather's command, and addresses."""
SLASHED = sorted({word for line in INLINE if re.fullmatch(r"/[a-z]+", word := line.split()[0])} - THEIRS)
SETTINGS = sorted(set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)(?==|`)", README)))
ROW = re.compile(r"^\| \[([^]]+)\]\(engines/(\w+)/RULES\.md\) \| ([0-9–]+) \|", re.MULTILINE)


def test_there_is_something_to_check() -> None:
    assert min(map(len, (TYPED, LINKS, SLASHED, SETTINGS, ROW.findall(README)))) >= 4


@pytest.mark.parametrize("line", TYPED)
def test_a_command_line_is_understood(line: str) -> None:
    words = shlex.split(line)
    if words == ["test"]:
        # A word of run.py alone.
        return
    group = typer.main.get_command(cli.app)
    # Help and the version end the program.
    with suppress(typer.Exit):
        context = group.make_context("sobremesa", list(words))
        name, found, rest = group.resolve_command(context, words)  # type: ignore[attr-defined]
        found.make_context(name, rest, parent=context)


@pytest.mark.parametrize("path", LINKS)
def test_a_link_leads_to_a_file(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(("path", "anchor"), ANCHORS)
def test_a_link_leads_to_a_heading(path: str, anchor: str) -> None:
    headings = re.findall(r"^#+ (.+)$", (ROOT / path).read_text("utf-8"), re.MULTILINE)
    assert anchor in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("word", SLASHED)
def test_a_command_of_chats_exists(word: str) -> None:
    assert command_named(word.removeprefix("/"))


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_exists(name: str) -> None:
    assert re.search(rf"^{name}=", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE)


def test_the_table_has_every_game_with_its_title_and_its_players() -> None:
    def seats(key: str) -> str:
        allowed = games()[key].seats
        return f"{allowed[0]}–{allowed[-1]}" if len(allowed) > 1 else str(allowed[0])

    assert [(key, players) for _, key, players in ROW.findall(README)] == [
        (key, seats(key)) for key in games()
    ]
    assert [title for title, _, _ in ROW.findall(README)] == [game.title.message for game in games().values()]


def test_the_changelog_begins_with_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (\S+)", changelog, re.MULTILINE)[0] == VERSION
