"""Settings: where they are read from, what they refuse, and that .env.example explains each of its own."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings.host_settings import Settings
from tests.words import ROOT

EXAMPLE = (ROOT / ".env.example").read_text("utf-8")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Starts each test in a folder without .env, with none of `Settings` in the environment."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_in_the_example_each_setting_has_a_comment_above() -> None:
    lines = EXAMPLE.splitlines()
    for above, line in pairwise(lines):
        if "=" in line and not line.startswith("#"):
            assert above.startswith("# ")
            assert above.endswith(".")


def test_the_example_copied_changes_nothing(nowhere: Path) -> None:
    untouched = Settings()
    (nowhere / ".env").write_text(EXAMPLE)
    assert Settings() == untouched


def test_the_file_is_read_and_the_environment_wins(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (nowhere / ".env").write_text("SOBREMESA_NAME=Ana\nSOBREMESA_PACE=0\nHOME=/\n")
    monkeypatch.setenv("SOBREMESA_PACE", "2.5")
    settings = Settings()
    assert (settings.sobremesa_name, settings.sobremesa_pace) == ("Ana", 2.5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SOBREMESA_LANGUAGE", "klingon"),
        ("SOBREMESA_PACE", "-1"),
        ("SOBREMESA_PACE", "soon"),
        ("SOBREMESA_PACE", "nan"),
        ("SOBREMESA_PACE", "inf"),
        ("SOBREMESA_LETTERS", "maybe"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError, match=name.lower()):
        Settings()


def test_the_address_of_the_store_never_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hush@host/db")
    settings = Settings()
    assert settings.database_url.get_secret_value() == "postgresql://me:hush@host/db"
    assert "hush" not in f"{settings!r} {settings} {settings.model_dump_json()}"
