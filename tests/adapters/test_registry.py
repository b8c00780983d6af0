"""Platforms are found in their folders, and nothing outside a platform's folder names it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import SecretStr
from pydantic_settings import BaseSettings
from typer.testing import CliRunner

import adapters
from adapters.command_line import cli
from adapters.hosting.registry import platforms, required_settings
from adapters.shared.platform_settings import PlatformSettings
from bot.settings.host_settings import Settings
from tests.words import ROOT

EXAMPLE = (ROOT / ".env.example").read_text("utf-8")
KINDS: list[type[BaseSettings]] = [Settings, *platforms().values()]
SETTING_NAMES = [name.upper() for kind in KINDS for name in kind.model_fields]
SOURCES = sorted(
    file
    for package in ("engines", "bot", "adapters")
    for file in (ROOT / package).rglob("*.*")
    if file.suffix in (".py", ".po", ".md", ".tcss")
)
PARLOUR = """
from adapters.shared.platform_settings import PlatformSettings

class ParlourSettings(PlatformSettings):
    key = "parlour"
    required = "parlour_address"
    parlour_address: str | None = None

    def start(self, clock):
        raise NotImplementedError

settings = ParlourSettings
"""

every_platform = pytest.mark.parametrize("platform", platforms().values(), ids=list(platforms()))


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Starts each test in a folder without .env, with none of the settings in the environment."""
    for name in SETTING_NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def parlour(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A platform more, in a folder of its own."""
    (tmp_path / "parlour").mkdir()
    (tmp_path / "parlour" / "__init__.py").write_text(PARLOUR, "utf-8")
    monkeypatch.setattr(adapters, "__path__", [*adapters.__path__, str(tmp_path)])
    platforms.cache_clear()
    yield
    platforms.cache_clear()
    sys.modules.pop("adapters.parlour", None)


def test_there_are_platforms() -> None:
    assert len(platforms()) >= 2


def test_a_folder_more_is_a_platform_more(parlour: None) -> None:
    assert "parlour" in platforms()
    assert "PARLOUR_ADDRESS" in required_settings()
    assert not [name for name in required_settings() if "TAVERN" in name]


def test_the_refusal_to_serve_nothing_names_all_required_settings(parlour: None) -> None:
    result = CliRunner().invoke(cli.app, ["run", "--lang", "en"])
    assert result.exit_code == 1
    assert f"Set {', '.join(required_settings())} (one is enough)" in result.output
    assert "PARLOUR_ADDRESS" in result.output


@every_platform
def test_a_platforms_key_is_the_name_of_its_folder(platform: type[PlatformSettings]) -> None:
    assert platform.__module__ == f"adapters.{platform.key}"


@every_platform
def test_a_platform_whose_setting_is_missing_is_not_served(platform: type[PlatformSettings]) -> None:
    assert not platform().is_set


@every_platform
def test_a_platform_whose_setting_is_empty_is_not_served(
    platform: type[PlatformSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(platform.required.upper(), "")
    assert not platform().is_set


def test_finding_the_platforms_loads_none_of_them() -> None:
    ask = (
        "import sys; from adapters.hosting.registry import platforms; found = list(platforms()); "
        "print([name for name in sys.modules if name.startswith(tuple(f'adapters.{key}.' for key in found))])"
    )
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@every_platform
def test_no_line_outside_its_folder_names_a_platform(platform: type[PlatformSettings]) -> None:
    own = ROOT / "adapters" / platform.key
    outside = [file for file in SOURCES if own not in file.parents]
    assert len(outside) > 100
    naming = [
        str(file.relative_to(ROOT))
        for file in outside
        if re.search(rf"(?<![a-z]){platform.key}", file.read_text("utf-8"), re.IGNORECASE)
    ]
    assert naming == []


def test_the_example_names_exactly_the_settings() -> None:
    named = [line.partition("=")[0] for line in EXAMPLE.splitlines() if line and not line.startswith("#")]
    assert named == SETTING_NAMES


@every_platform
def test_the_example_copied_changes_nothing(platform: type[PlatformSettings], nowhere: Path) -> None:
    untouched = platform()
    (nowhere / ".env").write_text(EXAMPLE)
    assert platform() == untouched


@every_platform
def test_a_setting_that_makes_no_sense_is_named_without_its_value(
    platform: type[PlatformSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Numbered(platform):  # type: ignore[misc, valid-type]
        number: int = 1

    monkeypatch.setenv("NUMBER", "hush")
    monkeypatch.setattr("adapters.hosting.registry.platforms", lambda: {platform.key: Numbered})
    result = CliRunner().invoke(cli.app, ["run", "--lang", "en"])
    assert result.exit_code == 2
    assert "NUMBER" in result.output
    assert "hush" not in result.output


@every_platform
def test_every_token_is_a_secret(platform: type[PlatformSettings], monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = [name for name in platform.model_fields if "token" in name or "secret" in name]
    for name in tokens:
        monkeypatch.setenv(name.upper(), "hush")
    settings = platform()
    for name in tokens:
        assert SecretStr in get_args(platform.model_fields[name].annotation)
        assert getattr(settings, name).get_secret_value() == "hush"
    for shown in (repr(settings), str(settings), settings.model_dump_json()):
        assert "hush" not in shown
