"""A golden file that differs fails; a missing one fails with the command that makes it, and is not made."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import assert_golden


@pytest.mark.parametrize("text", ["one", "one\ntwo\nthree", "one\ntwo ", " one\ntwo"])
def test_any_other_text_fails(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOBREMESA_GOLDEN", raising=False)
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n", "utf-8")
    with pytest.raises(AssertionError):
        assert_golden(file, text)


def test_a_missing_file_fails_with_the_command_that_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOBREMESA_GOLDEN", raising=False)
    with pytest.raises(
        pytest.fail.Exception, match=r"SOBREMESA_GOLDEN=1 python -m pytest tests/test_golden\.py"
    ):
        assert_golden(tmp_path / "golden" / "a.txt", "one")
    assert list(tmp_path.iterdir()) == []
