"""The letters by which players call the groups on a table: A to Z, then AA, AB and so on."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase


def letter(index: int) -> str:
    """The letter of the group that came to the table as number ``index``, from 0."""
    before, last = divmod(index, len(ascii_uppercase))
    return (letter(before - 1) if before else "") + ascii_uppercase[last]


def index_of(word: str) -> int | None:
    """The inverse of `letter`, in any letter case; None for a word with other characters."""
    if not (word.isascii() and word.isalpha()):
        return None
    index = 0
    for char in word.upper():
        index = index * len(ascii_uppercase) + ascii_uppercase.index(char) + 1
    return index - 1


def letter_of(name: str, came: Sequence[str]) -> str:
    """The letter by which players call the group with this name.

    ``came`` has the names of all groups that came to the table, in order. An unknown name is returned for
    display, in capitals if it has only letters.
    """
    if name in came:
        return letter(came.index(name))
    return name.upper() if name.isalpha() else name


def name_of(word: str, came: Sequence[str]) -> str:
    """The name of the group that has this letter; the word itself if none has it."""
    index = index_of(word)
    return came[index] if index is not None and index < len(came) else word
