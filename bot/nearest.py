"""Finds the word that a person meant by a mistyped one, and words the refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from bot.i18n import LANGUAGES, Speech, folded
from engines.game import Say, Text


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one resembles most; None if it resembles none."""
    spelled = {folded(candidate): candidate for candidate in known}
    found = get_close_matches(folded(word), spelled, n=1, cutoff=0.65)
    return spelled[found[0]] if found else None


def wrong_value(name: str, value: str, choices: Mapping[str, str]) -> Text:
    """The refusal of a value: with the one that it resembles, else with all.

    ``choices`` are the possible values by every word for them, each as players read it.
    """
    if meant := nearest(value, choices):
        return Text(
            "“{name}” can't be “{value}”. Did you mean “{meant}”?",
            name=name,
            value=value,
            meant=choices[meant],
        )
    offered = ", ".join(dict.fromkeys(choices.values()))
    return Text("“{name}” can't be “{value}”. Choose: {choices}.", name=name, value=value, choices=offered)


def by_words(labels: Iterable[Text], say: Say) -> Mapping[str, str]:
    """Labels as a reader reads them, by what they are called in each language."""
    return {Speech(language)(label): say(label) for label in labels for language in LANGUAGES}
