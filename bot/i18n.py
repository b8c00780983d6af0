"""Translates each `Text` into English or Spanish, with the names at a table filled in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

from bot.catalogue import Forms, catalogue
from bot.settings.choices import LANGUAGES, Language, SuggestedMoves
from engines.cards import STAR, SYMBOLS, Card, by_rank, by_suit
from engines.drawing import cells
from engines.game import Arg, Name, Pictures, Seat, Text
from engines.values import Value

if TYPE_CHECKING:
    from bot.model.people import HandOrder, Zone

K = TypeVar("K", bound=str)

NAME_WIDTH = 12
"""The most terminal cells that a player's name takes."""
PLACE_WIDTH = 40
"""The most cells that the name of a channel or group takes."""

_LETTERS = {ord(symbol): suit for suit, symbol in SYMBOLS.items()}
"""The letter of each suit symbol, for `str.translate`."""
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that Unicode counts as visible though they are drawn blank."""
_SOUNDS_LIKE_I = re.compile(r"h?[ií](?![aeo])", re.IGNORECASE)
"""Matches the beginning of a Spanish word with the sound of “i”, before which “y” becomes “e”."""
_LONGEST_FOLDED = 400
"""The most characters that `folded` keeps of a text that is not ASCII: NFKD may make eighteen of one."""
_MOST_MARKS = 2
"""The most combining marks that one letter may carry."""


@lru_cache(1 << 12)
def folded(text: str) -> str:
    """Text as it is compared: without case and accents, and with letters for suit symbols."""
    if text.isascii():
        return text.casefold().strip()
    apart = unicodedata.normalize("NFKD", text)[:_LONGEST_FOLDED]
    bare = "".join(char for char in apart if unicodedata.category(char) != "Mn")
    return bare.translate(_LETTERS).casefold().strip()


@lru_cache(1 << 12)
def safe_name(name: str, width: int = NAME_WIDTH) -> str:
    """A name as `visible` makes it, cut to ``width`` cells; platforms escape what they take for markup."""
    flat = visible(name)[: (width + 1) * (1 + _MOST_MARKS)]
    if cells(flat) <= width:
        return flat
    while cells(flat) > width - 1:
        flat = flat[:-1]
    return flat.rstrip() + "…"


def visible(words: str) -> str:
    """Words in one line, without characters that are invisible or that hide or reorder others."""
    return " ".join("".join(_visible_chars(words)).split())


class Speech(Value, cache_hash=True):
    """A reader's language and the names at a table: the `Say` of the engine contract."""

    locale: Language = "en"
    names: tuple[str, ...] = ()
    """The players' names by seat; a player without a name is called by the number of the seat."""
    letters: bool = False
    """Whether suits are shown as letters, for terminals or readers that cannot tell the symbols apart."""
    order: HandOrder = "rank"
    """The order in which hands are sorted."""
    zone: Zone | None = None
    """The reader's time zone; None if it is unknown."""
    pictures: Pictures = "fits"
    """How cards are drawn."""
    suggestions: SuggestedMoves = "full"
    """How many whole moves menus suggest to the reader."""
    starred: frozenset[Card] = frozenset()
    """The cards that are marked with a star wherever they are named."""

    def __call__(self, text: Text) -> str:
        message = _translate(self.locale, text.message, text.many, text.count)
        if text.args:
            said = {}
            for name, arg in text.args.items():
                value = arg if type(arg) is str and arg.isprintable() else self._say_arg(arg)
                if value.endswith("…"):
                    # A name that was cut needs no full stop after it.
                    message = message.replace(f"{{{name}}}.", f"{{{name}}}")
                said[name] = value
            message = message.format_map(said)
        return message.translate(_LETTERS) if self.letters else message

    def name(self, seat: Seat) -> str:
        name = safe_name(self.names[seat]) if seat < len(self.names) else ""
        return name or self(Text("Player {n}", n=seat + 1))

    def card(self, card: Card) -> str:
        name = str(card) if self.letters else card.rank + SYMBOLS[card.suit] + card.back
        return name + STAR if card in self.starred else name

    def arrange(self, hand: Iterable[Card]) -> list[Card]:
        return sorted(hand, key=by_rank if self.order == "rank" else by_suit)

    def spelled(self, words: str) -> str:
        """A text with its suit symbols replaced by letters, if the reader prefers letters."""
        return words.translate(_LETTERS) if self.letters else words

    def _say_arg(self, arg: Arg) -> str:
        if type(arg) is str:
            # A player may have typed it: control characters would reach the reader's terminal.
            return arg if arg.isprintable() else "".join(filter(str.isprintable, arg))
        match arg:
            case Card():
                return self.card(arg)
            case Name(seat):
                return self.name(seat)
            case Text():
                return self(arg)
            case tuple():
                return _join(tuple(map(self._say_arg, arg)), self.locale)
            case int():
                return str(arg)
            case _:
                return "".join(filter(str.isprintable, str(arg)))


def shared_name(names: Sequence[str], locale: Language) -> str | None:
    """The name that two seats would share for readers of a language; None if all names differ."""
    say, called = Speech(locale, tuple(names)), set[str]()
    for seat in range(len(names)):
        name = say.name(seat)
        if folded(name) in called:
            return name
        called.add(folded(name))
    return None


def _visible_chars(words: str) -> Iterator[str]:
    marks = 0
    for char in filter(_is_visible, words):
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks <= _MOST_MARKS:
            yield " " if char.isspace() else char


def _is_visible(char: str) -> bool:
    return char.isspace() or (unicodedata.category(char)[0] != "C" and char not in _BLANK)


@lru_cache(1 << 12)
def _translate(locale: str, message: str, many: str, count: int) -> str:
    forms = _catalogue(locale).get(message) or (message, many)
    return forms[1] if many and count != 1 else forms[0]


@lru_cache(1 << 12)
def _join(parts: tuple[str, ...], locale: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    if locale == "es":
        joint = " e " if _SOUNDS_LIKE_I.match(parts[-1]) else " y "
    else:
        joint = " and " if len(parts) == 2 else ", and "
    return ", ".join(parts[:-1]) + joint + parts[-1]


@cache
def _catalogue(locale: str) -> Mapping[str, Forms]:
    """All translations into a language; none into English, the language of the source."""
    return {} if locale == "en" else catalogue(locale)


def named(word: str, labels: Mapping[K, Text]) -> K | None:
    """The key that a word spells, or whose label in any language it is; None if there is no such key."""
    meant = folded(word)
    for key, label in labels.items():
        if meant in (key, *(folded(Speech(language)(label)) for language in LANGUAGES)):
            return key
    return None
