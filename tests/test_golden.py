"""A golden file that differs fails; a missing one fails with the command that makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import assert_golden


@pytest.fixture(autouse=True)
def not_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOBREMESA_GOLDEN", raising=False)


def test_the_text_of_the_file_passes(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("♥ one\ntwo\n", "utf-8")
    assert_golden(file, "♥ one\ntwo")
    assert file.read_text("utf-8") == "♥ one\ntwo\n"


@pytest.mark.parametrize("text", ["one", "one\ntwo\nthree", "one\ntwo ", " one\ntwo"])
def test_any_other_text_fails(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n", "utf-8")
    with pytest.raises(AssertionError):
        assert_golden(file, text)


def test_a_missing_file_fails_with_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(
        pytest.fail.Exception, match=r"SOBREMESA_GOLDEN=1 python -m pytest tests/test_golden\.py"
    ):
        assert_golden(tmp_path / "a.txt", "one")


def test_a_missing_file_is_not_made_unasked(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception):
        assert_golden(tmp_path / "a.txt", "one")
    assert list(tmp_path.iterdir()) == []


def test_files_are_written_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_GOLDEN", "1")
    assert_golden(tmp_path / "golden" / "a.txt", "one\ntwo")
    assert (tmp_path / "golden" / "a.txt").read_text("utf-8") == "one\ntwo\n"
