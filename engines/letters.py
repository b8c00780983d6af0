"""The letters by which players call the groups on a table: A to Z, then AA, AB and so on."""

from __future__ import annotations

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
