"""Spells out for how many players a game is."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Arg, Text

_SPELLED: Mapping[int, Text] = {
    2: Text("two"),
    3: Text("three"),
    4: Text("four"),
    5: Text("five"),
    6: Text("six"),
}


def players_caption(seats: range) -> Text:
    """The numbers of players that a game allows, such as “two or three players”."""
    least, most = spelled_number(seats[0]), spelled_number(seats[-1])
    if len(seats) == 1:
        return Text("{n} players", n=least)
    if len(seats) == 2:
        return Text("{n} or {m} players", n=least, m=most)
    return Text("{n} to {m} players", n=least, m=most)


def spelled_number(n: int) -> Arg:
    """A small number as a word, others in digits."""
    return _SPELLED.get(n, n)
