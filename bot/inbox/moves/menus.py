"""Remembers the menus shown to each reader, and says what a typed line means after them.

The memory is lost at a restart.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import msgspec

from bot.inbox.arguments.commands import Command, command_named
from bot.inbox.arguments.typed_arguments import arguments
from bot.model.ids import GameId
from bot.model.people import Account
from bot.model.places import Place
from bot.pages.callback_data import parse_number
from bot.pages.menus.labels import is_named
from bot.ports import Action, Clock, Key, Page
from engines.game import Text
from engines.values import Value

MENU_ACTIONS: frozenset[Action] = frozenset(("move", "sure", "done", "pick", "add", "drop", "page", "top"))
"""The actions of the buttons in a player's menu."""

READING = 1.0
"""Seconds in which nobody can have read a new menu: a number then still answers the one before."""
CHANGED = Text("The choices have just changed; here they are.")
"""The answer to a number that presses no key because the menu changed less than `READING` seconds ago."""
_READERS_KEPT = 5000
"""The most readers whose menus are kept in memory; `LineReader` keeps as many questions and deliveries."""
_MOST_UNCOMPRESSED = 2_500
"""The most readers whose menus are not compressed yet: those who were shown a new one most recently."""
_MENUS_KEPT = 14
"""The most menus that are kept for a reader: two more than the tables at which they may usually sit."""

MenuReader = Place | tuple[Place | str, str]
"""All readers of a place; or one reader: a platform (in private) or a public place, and their user id."""


class Pressed(Value):
    """A line that names a key by its number or label; several keys if more than one has the label."""

    keys: tuple[Key, ...]


class NoKey(Value):
    """A number that presses no key."""

    reason: Text


class Called(Value):
    """A line that begins with the name of a command; it may be a move all the same."""

    command: Command
    arguments: Mapping[str, str]


class Said(Value):
    """Any other line, such as a move or a word of conversation."""


LineReading = Pressed | NoKey | Called | Said
"""The key, command or words that a typed line stands for."""


class _Menu(Value):
    """The keys of a page, and when they were shown."""

    at: float
    """In seconds since 1970."""
    held: tuple[Key, ...] | bytes
    """The keys, which take up to 10 kB; compressed, without what only a page needs, a tenth of that."""
    games: tuple[GameId, ...]
    """The tables of the keys, each once, `NO_GAME` among them if a key has none.

    A set would take 160 bytes more.
    """

    @property
    def keys(self) -> tuple[Key, ...]:
        if isinstance(self.held, tuple):
            return self.held
        return tuple(
            Key(label, action, words, game, stamp, url)
            for label, action, words, game, stamp, url in msgspec.json.decode(zlib.decompress(self.held))
        )

    def has(self, keys: tuple[Key, ...]) -> bool:
        """Whether the menu has these keys; compares only the fields that it has kept."""
        return self.held == (keys if isinstance(self.held, tuple) else _compressed(keys))

    def compressed(self) -> _Menu:
        """The menu with its keys compressed."""
        return _Menu(self.at, _compressed(self.held), self.games) if isinstance(self.held, tuple) else self

    def key(self, number: int) -> Key | None:
        """The key with this number; None if there is none."""
        keys = self.keys
        return keys[number - 1] if 0 < number <= len(keys) else None


class Menus:
    """The menus shown last to each reader; the readers whose last menu is oldest are forgotten first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._shown: OrderedDict[MenuReader, tuple[_Menu, ...]] = OrderedDict()
        self._uncompressed: OrderedDict[MenuReader, None] = OrderedDict()
        """The readers whose newest menu is not compressed."""

    def show(self, to: Account | Place, page: Page, here: Place | None = None) -> None:
        """Records a page with keys that was shown to everybody in a place, or to one account alone.

        ``here`` is the public place where an account's keys count, and only there; None if they count in
        private.
        """
        keys = page.numbered
        if not keys:
            return
        reader: MenuReader = (here or to.platform, to.user) if isinstance(to, Account) else to
        menus = self._shown.get(reader, ())
        if not menus or not menus[-1].has(keys):
            menu = _Menu(self._clock.now(), keys, tuple({key.game for key in keys}))
            self._shown[reader] = _still_meant((*menus, menu))
            self._uncompressed[reader] = None
            self._uncompressed.move_to_end(reader)
        if len(self._uncompressed) > _MOST_UNCOMPRESSED:
            oldest, _ = self._uncompressed.popitem(last=False)
            if menus := self._shown.get(oldest, ()):
                self._shown[oldest] = tuple(menu.compressed() for menu in menus)
        trim(self._shown, reader)

    def read(self, reader: MenuReader, line: str) -> LineReading:
        """Reads a line, its sign removed; a number means a key and nothing else."""
        if (number := parse_number(line)) is not None:
            key = self._numbered(reader, number)
            return Pressed((key,)) if key else NoKey(self._reason(reader, number))
        if keys := self._labelled(reader, line):
            return Pressed(tuple(keys))
        if typed := command_in(line):
            return Called(typed, arguments(typed, _rest(line)))
        return Said()

    def is_known(self, reader: MenuReader) -> bool:
        """Whether any menu of a reader is in memory."""
        return bool(self._menus_of(reader))

    def _menus_of(self, reader: MenuReader) -> tuple[_Menu, ...]:
        """The menus that a reader has seen, the newest last; in a public place also those shown to all."""
        menus = self._shown.get(reader, ())
        if isinstance(reader, Place) or isinstance(reader[0], str):
            return menus
        return tuple(sorted((*self._shown.get(reader[0], ()), *menus), key=lambda menu: menu.at))

    def _numbered(self, reader: MenuReader, number: int) -> Key | None:
        """The key with this number in the menu that the reader has read; None if there is none.

        If the newest menu was shown only a moment ago, the reader has read the one before. A key of that one
        counts only if it is one of `MENU_ACTIONS`, whose stamp tells whether it is still meant, or if both
        menus have the same key at this number.
        """
        menus = self._menus_of(reader)
        if not self._has_just_changed(reader):
            return menus[-1].key(number) if menus else None
        key, newest = menus[-2].key(number), menus[-1].key(number)
        if key and (key.action in MENU_ACTIONS or (newest and _without_stamp(newest) == _without_stamp(key))):
            return key
        return None

    def _has_just_changed(self, reader: MenuReader) -> bool:
        """Whether the reader can hardly have read the newest menu."""
        menus = self._menus_of(reader)
        # A menu of the future is one from before the host's clock was set back.
        return len(menus) > 1 and 0 <= self._clock.now() - menus[-1].at < READING

    def _reason(self, reader: MenuReader, number: int) -> Text:
        """Why a number presses no key."""
        if not self.is_known(reader):
            return Text("I've lost track of what {n} meant. These are your choices now.", n=number)
        if self._has_just_changed(reader):
            return CHANGED
        return Text("There is no {n} in the menu.", n=number)

    def _labelled(self, reader: MenuReader, label: str) -> list[Key]:
        """The keys with this label, or for this word, in the newest menu of each table, the newest first."""
        found, seen = list[Key](), set[GameId]()
        for menu in reversed(self._menus_of(reader)):
            keys = [key for key in menu.keys if key.game not in seen]
            seen.update(key.game for key in keys)
            exact = [key for key in keys if is_named(label, key.label)]
            found += exact or [key for key in keys if is_named(label, key.label, _word(key))]
        return found


def command_in(line: str) -> Command | None:
    """The command with whose name a line begins; None if there is none."""
    words = line.split(maxsplit=1)
    return command_named(words[0]) if words else None


def trim(newest_last: OrderedDict[Any, Any], key: object) -> None:
    """Makes a key the newest, and forgets the oldest beyond `_READERS_KEPT`."""
    newest_last.move_to_end(key)
    while len(newest_last) > _READERS_KEPT:
        newest_last.popitem(last=False)


def _still_meant(menus: tuple[_Menu, ...]) -> tuple[_Menu, ...]:
    """The menus of a reader that a line can still be about, the newest last, as they are in ``menus``.

    Labels are looked for in the newest menu of each table, numbers in the two newest menus. The menus
    before these two are compressed.
    """
    newest, older = menus[-2:], list[_Menu]()
    seen = {game for menu in newest for game in menu.games}
    for menu in menus[-3::-1]:
        if not seen.issuperset(menu.games):
            older.append(menu.compressed())
            seen.update(menu.games)
    return (*older[: _MENUS_KEPT - 2][::-1], *newest)


def _without_stamp(key: Key) -> tuple[object, ...]:
    """The fields of a key without its stamp: equal for keys that say and do the same on several pages."""
    return key.label, key.action, key.words, key.game, key.url


def _compressed(keys: tuple[Key, ...]) -> bytes:
    """The fields of keys that a press needs, compressed; `_Menu.keys` reads them."""
    fields = [(key.label, key.action, key.words, key.game, key.stamp, key.url) for key in keys]
    # A word can be a card, which is a string of its own type.
    return zlib.compress(msgspec.json.encode(fields, enc_hook=str), 1)


def _rest(line: str) -> str:
    """The line without its first word."""
    return line.partition(line.split()[0])[2].strip()


def _word(key: Key) -> str:
    """The word that a key of a menu adds to a move; empty for a key that adds none."""
    return key.words.rpartition(" ")[2] if key.action in ("pick", "add") else ""
