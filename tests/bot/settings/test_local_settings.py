"""Local settings that are read plainly agree with `Settings`, which reads those that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings.host_settings import Settings
from bot.settings.local_settings import LocalSettings, read_plain

WRITTEN = {
    "language": ("en", "es", "ES", "klingon"),
    "name": ("Ana", " ", "Lola la del bar", "0"),
    "pace": ("0", "1", "2.5", "007", "1e3", "-1", "nan", "inf", ".5", "soon"),
    "thinkers": ("1", "4", "0", "-1", "1.5", "1_0", "many"),
    "letters": ("true", "false", "True", "1", "off", "maybe"),
    "file": ("games.db", "~/games.db", "/tmp/a b.db"),
}
"""Ways of writing each setting; the first can be read plainly."""
CASES = [(field, value) for field, values in WRITTEN.items() for value in values]


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Starts each test in a folder without .env, with none of the settings in the environment."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_field_has_values_here() -> None:
    assert list(WRITTEN) == list(LocalSettings.__dataclass_fields__)


def test_without_settings_the_defaults_agree() -> None:
    assert read_plain() == LocalSettings() == Settings().local


@pytest.mark.parametrize("where", ["environment", "file"])
@pytest.mark.parametrize(("field", "value"), CASES)
def test_what_is_read_plainly_is_what_settings_read(
    field: str, value: str, where: str, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"SOBREMESA_{field.upper()}"
    if where == "file":
        (nowhere / ".env").write_text(f"{name}='{value}'\n", encoding="utf-8")
    else:
        monkeypatch.setenv(name, value)
    try:
        settings = Settings().local
    except ValidationError:
        assert read_plain() is None
    else:
        assert read_plain() in (settings, None)


@pytest.mark.parametrize(("field", "values"), WRITTEN.items())
def test_the_first_way_of_writing_needs_no_pydantic(
    field: str, values: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"SOBREMESA_{field.upper()}", values[0])
    assert read_plain() is not None


def test_the_environment_wins_unless_it_is_empty(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (nowhere / ".env").write_text("SOBREMESA_NAME=Ana\nsobremesa_pace=0.5\nOTHER=x\nSOBREMESA_LOG=json\n")
    monkeypatch.setenv("SOBREMESA_NAME", "Eva")
    monkeypatch.setenv("SOBREMESA_PACE", "")
    assert read_plain() == LocalSettings(name="Eva", pace=0.5) == Settings().local


def test_a_file_may_begin_with_a_byte_order_mark(nowhere: Path) -> None:
    (nowhere / ".env").write_text("SOBREMESA_NAME=Inés\n", encoding="utf-8-sig")
    assert read_plain() == LocalSettings(name="Inés") == Settings().local


def test_a_file_that_is_no_text_is_left_to_settings(nowhere: Path) -> None:
    (nowhere / ".env").write_bytes(b"SOBREMESA_NAME=\xff\n")
    assert read_plain() is None
