"""Golden files: compares text with a file, or rewrites the file if ``SOBREMESA_GOLDEN`` is set."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def assert_golden(path: Path, text: str) -> None:
    """Asserts that the file is the text with one line break at its end; fails if there is no file."""
    if os.environ.get("SOBREMESA_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip("\n") + "\n", "utf-8")
    if not path.exists():
        command = (
            "SOBREMESA_GOLDEN=1 python -m pytest " + os.environ.get("PYTEST_CURRENT_TEST", "").split("::")[0]
        )
        pytest.fail(f"no golden file {_below_root(path)}: look at what this makes: {command}")
    assert text.rstrip("\n") + "\n" == path.read_text("utf-8"), _below_root(path)


def _below_root(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
