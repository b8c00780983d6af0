"""Reads translations from ``.po`` files, without Babel, whose import takes longer than a deal.

It knows what `tests.words` writes: sentences with one or two forms, the first for a count of one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

SOURCES = ("engines", "bot", "adapters")
"""The packages that are searched for translations, which are in folders named ``locale``."""

_ROOT = Path(__file__).resolve().parent.parent

Forms = tuple[str, ...]
"""The translation of a sentence: one form, or one for a count of one and one for other counts."""


def catalogue(locale: str) -> Mapping[str, Forms]:
    """All translations into a language by English sentence; a test ensures that no sentence has two."""
    found = dict[str, Forms]()
    for source in SOURCES:
        for file in (_ROOT / source).rglob(f"locale/{locale}.po"):
            found |= translations(file.read_text(encoding="utf-8"))
    return found


def translations(po: str) -> Mapping[str, Forms]:
    """The translations of a ``.po`` file by English singular; sentences without one are left out."""
    found = dict[str, Forms]()
    for paragraph in po.split("\n\n"):
        fields = _fields(paragraph)
        forms = tuple(words for field, words in fields.items() if field.startswith("msgstr"))
        if fields.get("msgid") and all(forms):
            found[fields["msgid"]] = forms
    return found


def _fields(paragraph: str) -> Mapping[str, str]:
    """The fields of an entry, such as ``msgid`` and ``msgstr[0]``, with their lines joined."""
    fields, field = dict[str, str](), ""
    for line in paragraph.splitlines():
        if line.startswith("#") or not line:
            continue
        if not line.startswith('"'):
            field, _, line = line.partition(" ")
            fields[field] = ""
        # A quoted line escapes as JSON does.
        fields[field] += json.loads(line)
    return fields
