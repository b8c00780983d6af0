"""The pictures of the README: they show the program as it is, and fetch nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree

import pytest

from bench.pictures import FOLDER, pictures
from tests.golden import assert_golden
from tests.words import ROOT

pytestmark = pytest.mark.real

NAMES = sorted(path.name for path in FOLDER.glob("*.svg"))
_MOST_BYTES = 120_000


@pytest.fixture(scope="module")
def drawn() -> Mapping[str, str]:
    """The pictures as the program draws them now."""
    return pictures()


def test_each_picture_is_drawn(drawn: Mapping[str, str]) -> None:
    assert sorted(drawn) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_as_fresh_as_the_screens(name: str, drawn: Mapping[str, str]) -> None:
    assert_golden(FOLDER / name, drawn[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_small_and_names_no_host_no_folder_and_no_script(name: str) -> None:
    svg = (FOLDER / name).read_text("utf-8")
    assert len(svg.encode()) <= _MOST_BYTES
    assert re.findall(r"\w+://[^\s\"')]*", svg) == ["http://www.w3.org/2000/svg"]
    assert str(ROOT) not in svg
    assert {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()} <= {
        "svg", "title", "style", "defs", "clipPath", "g", "rect", "circle", "text",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_cards_in_a_picture_are_text(name: str) -> None:
    svg = (FOLDER / name).read_text("utf-8")
    words = " ".join(ElementTree.fromstring(svg).itertext())
    assert len(re.findall(r"(?:10|[2-9AJQK])[♠♥♦♣]", words)) > 10


def test_the_readme_shows_each_picture() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert sorted(re.findall(r"docs/pictures/([\w.]+)", readme)) == NAMES
