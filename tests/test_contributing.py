"""CONTRIBUTING.md's map names every module of three packages, but for folders that it names as a whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adapters.hosting.registry import platforms
from tests.words import ROOT

MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Where things are")[1].split("\n## ")[0]
INSIDE = frozenset(("locale", "migrations", "yardsticks", "shared", "terminal", *platforms()))
"""Folders that the map names as a whole."""


@pytest.mark.parametrize("package", ["bot", "adapters", "bench"])
def test_every_module_is_on_the_map(package: str) -> None:
    named = set(re.findall(r"\w+", MAP)) | {"__init__", "__main__"}
    paths = [path.relative_to(ROOT) for path in (ROOT / package).rglob("*.py")]
    rooms = [path for path in paths if INSIDE.isdisjoint(path.parts)]
    rooms = [path for path in rooms if not path.stem.startswith("memory_")]
    assert [path for path in rooms if path.stem not in named] == []
    assert rooms


def test_every_file_on_the_map_is_there() -> None:
    files = re.findall(r"[\w/]+\.py", MAP)
    there = {
        path.name for top in ("engines", "bot", "adapters", "tests") for path in (ROOT / top).rglob("*.py")
    }
    assert [file for file in files if Path(file).name not in there] == []
    assert files
