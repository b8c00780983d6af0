"""Finds the word that a person meant by a mistyped one, and words the refusal of the mistyped one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from bot.i18n import Speech, folded
from bot.settings.choices import LANGUAGES
from engines.game import Say, Text


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one resembles most; None if it resembles none."""
    spelled = {folded(candidate): candidate for candidate in known}
    found = get_close_matches(folded(word), spelled, n=1, cutoff=0.65)
    return spelled[found[0]] if found else None


def did_you_mean(reason: Text, meant: str) -> Text:
    """A refusal that names what the player seems to have meant."""
    return Text("{reason} Did you mean “{meant}”?", reason=reason, meant=meant)


def with_choices(reason: Text, word: str, choices: Mapping[str, str]) -> Text:
    """The refusal of a word that is none of the choices; names the choice that the word resembles, else all.

    ``choices`` maps every word for a choice to the choice as players read it.
    """
    if meant := nearest(word, choices):
        return did_you_mean(reason, choices[meant])
    offered = ", ".join(dict.fromkeys(choices.values()))
    return Text("{reason} Choose: {choices}.", reason=reason, choices=offered)


def wrong_value(name: str, value: str, choices: Mapping[str, str]) -> Text:
    """The refusal of a parameter's value; ``choices`` are those of `with_choices`."""
    return with_choices(Text("“{name}” can't be “{value}”.", name=name, value=value), value, choices)


def by_words(labels: Iterable[Text], say: Say) -> Mapping[str, str]:
    """Each label in a reader's language, by the same label in every language."""
    return {Speech(language)(label): say(label) for label in labels for language in LANGUAGES}
