"""The start: what the program has imported when its help or its first screen is shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.command_line.games.first_paint import TITLE, first_paint
from bench import start
from tests.words import ROOT

pytestmark = pytest.mark.real

SLOW = {
    "aiohttp", "aiosqlite", "alembic", "asyncpg", "babel", "discord", "markdown_it",
    "openskill", "orjson",
    "prometheus_client", "pydantic", "pydantic_settings", "sqlalchemy", "sqlmodel", "starlette", "telegram",
    "uvicorn",
}  # fmt: skip
"""Libraries that neither help nor a first screen needs."""
UNSEEN = {"asyncio", "msgspec", "rich", "textual"}
"""Libraries that a first screen needs and help does not."""

HELP = """
import sys
from adapters.command_line.cli import main
try:
    main()
except SystemExit as done:
    assert not done.code
"""
PLAY = """
import functools, os, random, sys
random._urandom = lambda size: bytes([LUCK]) * size
from adapters.command_line import cli
from adapters.command_line.games import play
from adapters.terminal.app import TerminalApp

def prepare(app):
    # The app imports what is needed next as soon as the first screen is painted.
    told(sys.modules)
    os._exit(0)

play.has_full_screen = lambda: True
TerminalApp.run = functools.partialmethod(TerminalApp.run, headless=True, size=(100, 30))
TerminalApp._prepare = prepare
cli.main()
"""
TELL = """
import json, sys
def told(modules):
    print(json.dumps(sorted({name.partition(".")[0] for name in modules} | set(modules))), file=sys.stderr)
    sys.stderr.flush()
"""


def imported(program: str, folder: Path, *words: str) -> set[str]:
    """The modules that the program has imported when it tells them."""
    tell_at_end = "" if "told(" in program else "\ntold(sys.modules)\n"
    done = subprocess.run(
        [sys.executable, "-c", TELL + program + tell_at_end, *words],
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("words", [("--help",), ("play", "--lang", "es", "-h"), ("--version",)])
def test_help_imports_no_slow_library_and_no_game(words: tuple[str, ...], tmp_path: Path) -> None:
    modules = imported(HELP, tmp_path, *words)
    assert modules & (SLOW | UNSEEN) == set()
    assert {name for name in modules if name.startswith("engines.")} == {"engines.levels"}


# With the first luck the computer begins, with the second the player.
@pytest.mark.parametrize(
    ("words", "luck"),
    [
        (("casino",), 5),
        (("casino",), 6),
        (("casino", "--lang", "es", "--level", "hard", "--seed", "x"), 0),
    ],
)
def test_play_shows_its_first_screen_before_slow_libraries_are_imported(
    words: tuple[str, ...], luck: int, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("SOBREMESA_PACE=0\nSOBREMESA_FILE=games.db\n")
    modules = imported(PLAY.replace("LUCK", str(luck)), tmp_path, "play", *words)
    assert "adapters.terminal.table_screen.table" in modules
    assert modules & SLOW == set()


def test_play_lists_the_games_before_games_and_tables_are_imported(tmp_path: Path) -> None:
    modules = imported(PLAY.replace("LUCK", "0"), tmp_path, "play", "--lang", "es")
    assert "adapters.terminal.screens.games" in modules
    assert modules & SLOW == set()
    late = ("engines.rules", "bot.tables", "bot.store", "bot.pages", "adapters.terminal.session")
    assert [name for name in modules if name.startswith(late)] == []
    assert [name for name in modules if re.fullmatch(r"engines\.\w+\.\w+", name)] == []


def test_the_title_is_painted_and_an_error_leaves_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with pytest.raises(ImportError), first_paint():
        raise ImportError
    assert re.fullmatch(rf"\x1b\[\?1049h.*{TITLE}.*\x1b\[\?1049l", capsys.readouterr().out, re.DOTALL)


@pytest.mark.parametrize("stays", [True, False])
def test_the_title_stays_for_the_screens_or_is_left(stays: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with first_paint(stays=stays):
        pass
    assert capsys.readouterr().out.endswith("\x1b[?1049l") != stays


def test_a_start_is_measured_until_its_word_is_on_the_screen() -> None:
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8"}
    begun = ("-c", "import time; print('Rea' + 'dy.', flush=True); time.sleep(60)")
    assert 0 < start.timed(begun, "Ready.", environment).elapsed < 30
    assert start.timed(("-c", "pass"), "", environment).cpu > 0
    with pytest.raises(RuntimeError):
        start.timed(("-c", "pass"), "Ready.", environment)
    with pytest.raises(RuntimeError):
        start.timed(("-c", "raise SystemExit(3)"), "", environment)
