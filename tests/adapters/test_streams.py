"""Texts in terminals whose encoding lacks some of their characters."""

from __future__ import annotations

import codecs

import pytest

from adapters.command_line.streams import in_ascii, prepare


@pytest.mark.parametrize(
    ("text", "ascii_only"),
    [
        ("6♠ …", "6S ~"),
        ("─ Tu turno, Íñigo. ─", "- Tu turno, Inigo. -"),
        ("¿Seguro? “10♦★”", ' Seguro? "10D*"'),
        ("› 3×3 · Español", "> 3x3 . Espanol"),
        ("李小龍", "______"),
        ("กิ", "_"),
    ],
)
def test_what_an_encoding_lacks_becomes_what_looks_most_like_it(text: str, ascii_only: str) -> None:
    assert in_ascii(text) == ascii_only


@pytest.mark.parametrize(
    ("text", "ascii_only"),
    [
        ("8) Throw …", "8) Throw ..."),
        ("8) Throw …\n", "8) Throw ...\n"),
        ("1) Throw …   2) End", "1) Throw ~   2) End"),
        ("Bartolo… 12", "Bartolo~ 12"),
    ],
)
def test_three_dots_have_room_where_a_line_ends(text: str, ascii_only: str) -> None:
    prepare()
    written = codecs.encode(text, "ascii", "lookalikes")
    assert written == ascii_only.encode()
