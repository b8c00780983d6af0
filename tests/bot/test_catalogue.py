"""Catalogues: what is read from a file of translations."""

from __future__ import annotations

from bot.catalogue import translations

PO = r"""
msgid ""
msgstr ""
"Language: es\n"

#, python-brace-format
msgid "{who} wins."
msgstr "Gana {who}."

msgid ""
"A long "
"line, “quoted” \"here\""
msgstr ""
"Una línea\n"
"larga, \\"

msgid "{n} point"
msgid_plural "{n} points"
msgstr[0] "{n} punto"
msgstr[1] "{n} puntos"

msgid "Nobody translated this."
msgstr ""
"""


def test_sentences_are_found_with_their_forms() -> None:
    assert translations(PO) == {
        "{who} wins.": ("Gana {who}.",),
        'A long line, “quoted” "here"': ("Una línea\nlarga, \\",),
        "{n} point": ("{n} punto", "{n} puntos"),
    }
