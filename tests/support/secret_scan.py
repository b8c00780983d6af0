"""Scans every payload for secrets that its reader must not know: hidden cards, seeds of running games.

A payload may name cards in its readers' view of the table as it is or was up to three changes ago; cards
in a line of news that they have received; cards in the text or callback data that it answers; cards in the
players' names, in the captions of the commitment, in the rules and in fixed sentences of the games and of the
bot.
"""

from __future__ import annotations

import json
import logging
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from msgspec.structs import astuple

import bot
import engines
from bot.i18n import Speech, safe_name
from bot.model.ids import GameId, PersonId
from bot.pages.callback_data import CallbackData
from bot.pages.captions import commitment_captions
from bot.settings.choices import LANGUAGES
from bot.tables.log.commitment import CommittedSeed
from bot.tables.table import Table
from engines import games
from engines.cards import Card, is_card
from engines.game import Seat, Text
from engines.letters import letter
from engines.values import Value
from tests.support.news import news_for
from tests.support.records import Faults, Sent, Wire

_SYMBOLS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC", "\ufe0e\ufe0f")
_SPELLED = (
    re.compile(r"(10|[2-9AJQKajqk])[\ufe0e\ufe0f]?([♠♤♥♡♦♢♣♧])[\ufe0e\ufe0f]?(?:([rb])(?!\w))?"),
    # A card in letters must not be part of a longer word; “As”, “ah” and “ad” are words, not aces.
    re.compile(
        r"(?<!\w)(?![Aa][shdc](?!\w)|a[SHDC](?!\w))"
        r"(10|[2-9AJQKajqk])([SHDCshdc])([rb])?(?!\w)"
    ),
)
_HASH = re.compile(r"#[A-Za-z0-9_-]{10}$")
"""Matches the hash that stands for long callback data, and may look like a card."""
_SEED = re.compile(r"[0-9A-Fa-f]{64}")
_PLACEHOLDER = re.compile(r"\{\w+\}")
_MOMENTS = 4
"""The number of latest states of a table that are kept: a delayed payload may show an earlier one."""


@lru_cache(maxsize=4096)
def spelled(text: str) -> frozenset[Card]:
    """The cards that a text names in any spelling; a card has a back only if the text names it."""
    return frozenset(
        Card((rank + suit.translate(_SYMBOLS)).upper() + back)
        for form in _SPELLED
        for rank, suit, back in form.findall(text)
    )


def known_cards(value: Any) -> set[Card]:
    """The cards anywhere in a view, with their backs and without."""
    found = set(_cards(value))
    return found | {Card(card.rank + card.suit) for card in found}


def _cards(value: Any) -> Iterator[Card]:
    if isinstance(value, Card):
        yield value
    elif isinstance(value, str):
        yield from (Card(word) for word in re.split(r"[^0-9A-Za-z]+", value) if is_card(word))
    elif isinstance(value, Value):
        yield from _cards(astuple(value))
    elif isinstance(value, Text):
        yield from _cards((value.message, value.args))
    elif isinstance(value, Mapping):
        yield from _cards((*value, *value.values()))
    elif isinstance(value, tuple | list | set | frozenset):
        for item in value:
            yield from _cards(item)


_LOOK_BACK = re.compile(r"^(Chances to win|Probabilidad de ganar), ", re.MULTILINE)
"""Matches the line above the bars in the analysis of a finished game."""


class Moment:
    """A table at one time, and the cards that its readers may know then."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._known: dict[Seat | None, Set[Card]] = {}
        """The cards in the views that were asked for, by seat."""

    def known(self, person: PersonId) -> Set[Card]:
        """The cards in a person's view; none before the game."""
        seat = _seat(self.table, person)
        if seat not in self._known:
            self._known[seat] = _view(self.table, seat)
        return self._known[seat]


class SecretScan:
    """Follows all tables, and compares each payload with the cards that its readers may know."""

    def __init__(self, person_of: Callable[[str, str], PersonId], tokens: Iterable[str] = ()) -> None:
        self.faults = Faults()
        self.read_with_cards = 0
        """The number of payloads that named a card; while it is zero the scan has tested nothing."""
        self._person_of = person_of
        self._tokens = tuple(tokens)
        self._tables: dict[GameId, deque[Moment]] = {}
        self._seeds: dict[str, GameId] = {}
        """The table of each seed, in hexadecimal digits."""
        self._names: set[str] = set()
        """The names that name a card; a leaderboard shows those of people at other tables."""
        self._news: dict[tuple[GameId, Seat | None, tuple[str, ...]], tuple[int, set[str]]] = {}
        """By table, seat and names: the number of pieces of news read so far, and their lines with a card."""

    def on_commit(self, table: Table, before: Table | None) -> None:
        """Records a table after a change; the table service calls it as a listener."""
        self._tables.setdefault(table.id, deque(maxlen=_MOMENTS)).append(Moment(table))
        names = {player.name for player in table.players} | {table.question.name if table.question else ""}
        self._know(name for name in names if spelled(name))
        if isinstance(table.seed_source, CommittedSeed):
            self._seeds[table.seed_source.opened()] = table.id
            if table.deal:
                self._seeds[table.seed_source.seed(json.loads(table.deal)).hex()] = table.id

    def know(self, name: str) -> None:
        """Learns a person's name, which payloads may show before the person has played."""
        if spelled(name):
            self._know([safe_name(name)])

    def _know(self, names: Iterable[str]) -> None:
        """Adds names, also as readers who prefer letters to suits see them, and as labels cut them off."""
        for name in names:
            for whole in {name, name.translate(_SYMBOLS)}:
                cut = (f"{whole[:size]}…" for size in range(1, len(whole)) if spelled(whole[:size]))
                self._names |= {whole, *cut}

    def wire(self, platform: str) -> Wire:
        """A wire that scans the payloads of a fake platform."""
        return lambda sent: self.read(platform, sent)

    def read(self, platform: str, sent: Sent) -> None:
        """Records a fault for a secret in a payload; for a hidden card it also raises `AssertionError`."""
        labels = [part for row in sent.rows for key in row for part in (key.label, _HASH.sub("", key.data))]
        self._read_seeds("\n".join((sent.raw, sent.plain, *labels)), sent.how)
        text = "\n".join((sent.plain, *labels))
        if not spelled(text):
            return
        self.read_with_cards += 1
        person = self._person_of(platform, sent.user) if sent.user else ""
        exact, tables = self._about(person, sent)
        typed = spelled(sent.in_reply_to)
        found = [self._hidden(moments, person, text, typed) for moments in tables]
        if not tables:
            found = [_named(text, frozenset()) - typed]
        hidden = next(filter(None, found), set()) if exact else min(found, key=len)
        hidden &= spelled(self._nameless(text))
        if _LOOK_BACK.search(text):
            # An analysis names all players' cards, since the deal of a finished game is public.
            known = self._titled(text) or [moments[-1].table for moments in tables or self._tables.values()]
            over = any(table.may_show_seed for table in known) or not known
            self.faults.note(over, f"a running game is analysed by {sent.how}: {sent.raw}")
        elif hidden:
            reader = f"{sent.user} of {platform}" if sent.user else f"everybody at {sent.place}"
            self.faults.refuse(f"{sorted(hidden)} told to {reader} by {sent.how}: {sent.raw}\n{sent.rows}")

    def _titled(self, text: str) -> list[Table]:
        """The tables whose title a text has as a line; a watcher's page may have no button that names it."""
        lines, newest = set(text.splitlines()), [moments[-1].table for moments in self._tables.values()]
        titles = {
            table.id: Text("{game}, table {n}", game=table.game.title, n=table.number) for table in newest
        }
        return [table for table in newest if any(Speech(one)(titles[table.id]) in lines for one in LANGUAGES)]

    def _nameless(self, text: str) -> str:
        """The text without the names that name a card."""
        for name in self._names:
            text = text.replace(name, "")
        return text

    def read_log(self, record: logging.LogRecord) -> None:
        """Records a fault if a log record names a card, the seed of a running table or a token."""
        line = logging.Formatter().format(record)
        self._read_seeds(line, "log")
        for token in self._tokens:
            self.faults.note(token not in line, f"a token is logged: {line}")
        self.faults.note(not spelled(line), f"a card is logged: {line}")

    def _read_seeds(self, text: str, how: str) -> None:
        for seed in _SEED.findall(text):
            if game := self._seeds.get(seed.lower()):
                table = self._tables[game][-1].table
                self.faults.note(table.may_show_seed, f"the seed of a running table is told by {how}: {text}")

    def _about(self, person: PersonId, sent: Sent) -> tuple[bool, list[deque[Moment]]]:
        """The latest states of each table that a payload may be about, and whether that is certain.

        True and the tables that the payload's buttons name, or the press that it answers. Else False, and for
        one reader the tables where they have a seat or had one, since a delayed payload may reach a player
        who has just left; for everybody those of the place.
        """
        datas = [sent.in_reply_to, *(key.data for row in sent.rows for key in row)]
        presses = filter(None, map(CallbackData.parse, datas))
        if named := {press.game for press in presses} & set(self._tables):
            return True, [self._tables[game] for game in named]
        if person:
            mine = (
                moments
                for moments in self._tables.values()
                if any(moment.table.seat_of(person) is not None for moment in moments)
            )
            return False, list(mine)
        return False, [moments for moments in self._tables.values() if moments[-1].table.place == sent.place]

    def _hidden(self, moments: deque[Moment], person: PersonId, text: str, typed: Set[Card]) -> Set[Card]:
        """The cards that a text names and that its reader must not know."""
        newest = moments[-1].table
        if newest.may_show_seed:
            # The seed is public now, and every card follows from it.
            return set()
        known = typed | spelled("\n".join(player.name for player in newest.players))
        named = _named(text) - known
        if any(named <= moment.known(person) for moment in reversed(moments)):
            return set()
        known_lines = self._known_lines(moments, _seat(newest, person))
        named &= _named(text, known_lines)
        return min((named - moment.known(person) for moment in reversed(moments)), key=len)

    def _known_lines(self, moments: Sequence[Moment], seat: Seat | None) -> Set[str]:
        """The lines with a card in the news that a seat has received and in the commitment's captions.

        A delayed payload may have the names that the players had earlier, and the cut of one who has left.
        """
        newest = moments[-1].table
        known = set[str]()
        for moment in moments:
            known |= _spoken(commitment_captions(moment.table), _names(moment.table))
        for names in {_names(moment.table) for moment in moments}:
            read, lines = self._news.get((newest.id, seat, names), (0, set()))
            lines |= _spoken((event.text for event in news_for(newest, seat, read)), names)
            self._news[newest.id, seat, names] = len(newest.news), lines
            known |= lines
        return known


def _names(table: Table) -> tuple[str, ...]:
    return tuple(player.name for player in table.players)


def _view(table: Table, seat: Seat | None) -> set[Card]:
    """The cards that a seat may know; those that watchers may know if there is none."""
    if table.state is None:
        return set()
    view = table.game.view(table.state, seat)
    return known_cards(view) | aces_in_letters(view)


def aces_in_letters(view: Any) -> set[Card]:
    """The groups' letters that look like aces, such as AC, the letter of the 29th group."""
    letters = map(letter, range(len(getattr(view, "came", ()))))
    return {Card(name) for name in letters if is_card(name)}


def _seat(table: Table, person: PersonId) -> Seat | None:
    """The seat whose view a person may see; None for a watcher and for a kicked player."""
    seat = table.seat_of(person)
    return None if seat is None or table.players[seat].kicked else seat


def _spoken(texts: Iterable[Text], names: Sequence[str]) -> set[str]:
    """The lines of these texts that name a card, in all languages, with suits as symbols and as letters."""
    speeches = [
        Speech(locale, tuple(names), letters) for locale, letters in product(LANGUAGES, (False, True))
    ]
    sentences = (say(text) for text in texts for say in speeches)
    return {_bare(line) for sentence in sentences for line in sentence.splitlines() if spelled(line)}


@cache
def _lines_of_rules() -> frozenset[str]:
    """The lines that name a card in the rules of all games."""
    return frozenset(_bare(line) for text in _texts() for line in text.splitlines() if spelled(line))


@cache
def _rules() -> str:
    """The rules of all games, each as one line, since a page may begin and end anywhere in them."""
    return "\n".join(map(_bare, _texts()))


def _texts() -> list[str]:
    """The rules of all games in all languages, with suits as symbols and as letters."""
    speeches = [Speech(locale, (), letters) for locale, letters in product(LANGUAGES, (False, True))]
    return [say.spelled(game.help(say)) for game in games().values() for say in speeches]


@cache
def _sentences() -> tuple[tuple[Sequence[str], re.Pattern[str]], ...]:
    """Sentences that name a fixed card, such as a house rule about one, or seem to: “2d” is two days.

    Each is its words, all of which a text must hold, and its pattern, which costs far more to look for.
    """
    roots = (Path(engines.__file__).parent, Path(bot.__file__).parent)
    files = (file for root in roots for file in root.rglob("locale/*.po"))
    messages = (message for file in files for message in read_po(BytesIO(file.read_bytes())) if message.id)
    forms = {str(form) for message in messages for form in (*_forms(message.id), *_forms(message.string))}
    letters = {form.translate(_SYMBOLS) for form in forms}
    found = sorted(form for form in forms | letters if spelled(form))
    return tuple((_words(form), re.compile(r"\s+".join(map(_pattern, form.split())))) for form in found)


def _words(form: str) -> Sequence[str]:
    """The words of a sentence without its placeholders; cards, the rarest words, come first."""
    return sorted(set(_PLACEHOLDER.sub(" ", form).split()), key=lambda word: not spelled(word))


def _forms(message: str | Sequence[str] | None) -> Sequence[str]:
    return (message,) if isinstance(message, str) else message or ()


def _pattern(word: str) -> str:
    """The pattern of a word of a sentence; each placeholder is a group, so that its value is scanned."""
    return "(.*?)".join(map(re.escape, _PLACEHOLDER.split(word)))


@lru_cache(maxsize=4096)
def _beyond_sentences(text: str) -> str:
    """The text with each match of `_sentences` reduced to the values of its placeholders."""
    for words, sentence in _sentences():
        if all(word in text for word in words):
            text = sentence.sub(lambda found: " ".join(found.groups()), text)
    return text


def _named(text: str, known_lines: Set[str] | None = None) -> Set[Card]:
    """The cards that a text names outside fixed sentences and, if ``known_lines`` is given, known lines."""
    if known_lines is not None:
        lines = text.splitlines()
        text = "\n".join(
            line for line in lines if not (spelled(line) and _is_known(_bare(line), known_lines))
        )
    return spelled(_beyond_sentences(text))


def _is_known(line: str, known_lines: Set[str]) -> bool:
    """Whether a line is one of ``known_lines``, or one cut off with “…”, or any part of the rules."""
    line = line.removeprefix("… ")
    begun = line.removesuffix("…").rstrip()
    if line in known_lines or line in _lines_of_rules() or (len(begun) > _SHORTEST and begun in _rules()):
        return True
    return begun != line and len(begun) > _SHORTEST and any(whole.startswith(begun) for whole in known_lines)


_SHORTEST = 10
"""The most characters of a part of a line that does not count as known: it may match by chance."""


def _bare(line: str) -> str:
    """The text as one line without Markdown's marks."""
    return " ".join(re.sub(r"[#*`\\•]|^\s*[-–] ", "", line, flags=re.MULTILINE).split())
