"""CONTRIBUTING.md's map names every module of three packages, in the part about its folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.words import ROOT

MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Where things are")[1].split("\n## ")[0]
UNNAMED = frozenset(("locale", "migrations", "yardsticks"))
"""Folders whose modules the map does not name."""
FOLDERS = re.compile(r"^( *)((?:\w+/ )+)")
"""The beginning of a part of the map: one folder, or several that are described together."""


def parts() -> dict[Path, str]:
    """The parts of the map by folder; the part of a folder has those of the folders in it."""
    lines, found = MAP.splitlines(), dict[Path, str]()
    heads = [(n, head) for n, line in enumerate(lines) if (head := FOLDERS.match(line))]
    above = [(-1, Path())]
    for n, head in heads:
        indent = len(head[1])
        ends = (m for m, other in heads if m > n and len(other[1]) <= indent)
        text = "\n".join(lines[n : next(ends, len(lines))])
        above = [one for one in above if one[0] < indent]
        folders = [above[-1][1] / name.rstrip("/") for name in head[2].split()]
        found |= dict.fromkeys(folders, text)
        above.append((indent, folders[-1]))
    return found


def part_of(path: Path) -> str:
    """The part about the folder of a module, or about the nearest folder above it that has a part."""
    return next(found for folder in path.parents if (found := parts().get(folder)))


@pytest.mark.parametrize("package", ["bot", "adapters", "bench"])
def test_every_module_is_on_the_map_in_the_part_about_its_folder(package: str) -> None:
    paths = [path.relative_to(ROOT) for path in (ROOT / package).rglob("*.py")]
    modules = [path for path in paths if path.stem[:2] != "__" and UNNAMED.isdisjoint(path.parts)]
    assert [path for path in modules if path.stem not in re.findall(r"\w+", part_of(path))] == []
    assert modules


def test_every_file_on_the_map_is_there() -> None:
    files = re.findall(r"[\w/]+\.py", MAP)
    there = {
        path.name for top in ("engines", "bot", "adapters", "tests") for path in (ROOT / top).rglob("*.py")
    }
    there |= {path.name for path in ROOT.glob("*.py")}
    assert [file for file in files if Path(file).name not in there] == []
    assert files
