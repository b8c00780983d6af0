"""Reads translations from ``.po`` files, without Babel, whose import takes longer than a deal.

It knows what `tests.words` writes: sentences with one or two forms, the first for a count of one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

SOURCES = ("engines", "bot", "adapters")
"""The packages in which folders named ``locale`` hold translations."""

_ROOT = Path(__file__).resolve().parent.parent

_LINES = r'(?:"[^\n]*"\n)+'
"""Matches a sentence, as quoted lines."""
_ENTRY = (
    f"^msgid ({_LINES})(?:msgid_plural {_LINES})?msgstr(?:\\[0\\])? ({_LINES})(?:msgstr\\[1\\] ({_LINES}))?"
)
"""Matches an entry: its sentence and its forms, each in quoted lines. A loop over lines is ten times slower.

It is compiled when it is first used, since a reader of English needs no translation.
"""

Forms = tuple[str, ...]
"""The translation of a sentence: one form, or one for a count of one and one for other counts."""


def catalogue(locale: str) -> Mapping[str, Forms]:
    """All translations into a language, but those of help pages, by English sentence.

    A test ensures that no sentence has two.
    """
    found = dict[str, Forms]()
    for source in SOURCES:
        for file in (_ROOT / source).rglob(f"locale/{locale}.po"):
            found |= translations(file.read_text(encoding="utf-8"))
    return found


def translations(po: str) -> Mapping[str, Forms]:
    """The translations of a ``.po`` file by English singular; untranslated sentences are left out."""
    found = dict[str, Forms]()
    for entry in re.finditer(_ENTRY, po + "\n", re.MULTILINE):
        forms = tuple(_joined(lines) for lines in (entry[2], entry[3]) if lines)
        if (sentence := _joined(entry[1])) and all(forms):
            found[sentence] = forms
    return found


def _joined(lines: str) -> str:
    """The words in quoted lines."""
    words = lines[1:-2].replace('"\n"', "")
    # A quoted line escapes as JSON does.
    return str(json.loads(f'"{words}"')) if "\\" in words else words
