"""Measures how games feel on a phone: the size of the pages, the presses, the messages in a group.

Run from the checkout: ``python -m bench.evening``; with ``--json`` it prints one object a line. Whole
games are played at each number of seats, on both chat platforms, with the limits and the rendering of
the real adapters. All players are people, who choose moves as the normal computer player does, and make
them by pressing only what their page shows, one press every few seconds of virtual time. A move with a free
choice of cards may have a button of its own; for one such move in four, at random, the player begins to
compose it all the same. The luck is fixed: two runs of the same program print the same.

- ``lines_p50``, ``lines_p95``: the lines of a private page at the moment when its reader, who is to move,
  presses a button of its menu: its text, its drawing and its rows of buttons together. A sentence wraps at
  40 cells, a line of a drawing at 28; a list of choices is one row. The median, and the number that 95 of
  100 such pages do not exceed.
- ``buttons_max``: the most buttons of such a page; each choice of a list counts as one.
- ``label_cells_max``: the widest label of a button that shares its row with another one, in cells.
- ``presses_per_move_p50``, ``presses_per_move_p95``: a player's presses from one move to the next. A
  choice from a list counts as two, since the list must be opened.
- ``acts_to_first_card``: the most commands and presses that one player needs until all have their cards:
  the player who opens the table with ``/new GAME`` presses Start, and each other player Join. All have
  opened the private chat before.
- ``group_messages_per_minute``: the most messages, edits and deletions at the group or channel within any
  60 seconds of the game.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from math import ceil
from unittest import mock

from msgspec.structs import asdict

from adapters.discord.pages import LIMITS as DISCORD
from adapters.shared.rendering.message import Message, as_message
from adapters.shared.rendering.phone import drawing_lines, sentence_lines
from adapters.telegram.pages import LIMITS as TELEGRAM
from bench.phones import Phones, Player
from bot.app import running
from bot.inbox.allowances import Allowances, Rate
from bot.inbox.dispatcher import Dispatcher
from bot.model.ids import GameId
from bot.pages.callback_data import data_of
from bot.ports import Key, Limits
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from engines import games
from engines.drawing import cells
from engines.values import Value
from tests.support.clock import VirtualClock

PLATFORMS: Mapping[str, Limits] = {"discord": DISCORD, "telegram": TELEGRAM}
THINKING = 3.0
"""Virtual seconds after each press, and after each command."""
_OPENED = 1_700_000_000.0
"""The virtual time at which a table is opened, in seconds since 1970."""
_MINUTE = 60.0
_OFTEN = Rate(10**6, 1.0)
"""A rate that no player reaches."""


class Figures(Value):
    """The figures of one game at one number of seats on one platform."""

    platform: str
    game: str
    seats: int
    lines_p50: int
    lines_p95: int
    buttons_max: int
    label_cells_max: int
    presses_per_move_p50: int
    presses_per_move_p95: int
    acts_to_first_card: int
    group_messages_per_minute: int


class Evening:
    """One game that is played and measured."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        phones: Phones,
        clock: VirtualClock,
        key: str,
        seats: int,
        luck: random.Random,
    ) -> None:
        self.pages: list[Message] = []
        """The private pages on which players to move have pressed."""
        self.sizes: list[int] = []
        """The lines of each of these pages."""
        self.public_sizes: list[int] = []
        """The lines of the table's public page at each of these presses."""
        self.presses: list[int] = []
        """The presses that each move took."""
        self.acts = 0
        """The most commands and presses of one player until the first cards."""
        self._began = 0.0
        """The virtual time from which messages count: `THINKING` seconds after Start was pressed."""
        self._dispatcher = dispatcher
        self._phones = phones
        self._clock = clock
        self._key = key
        self.players = [
            Player(str(n), phones, dispatcher, random.Random(luck.random())) for n in range(seats)
        ]
        self._game: GameId = ""
        self._tables: dict[GameId, Table] = {}
        dispatcher.service.listen(lambda after, before: self._tables.update({after.id: after}))

    async def play(self) -> None:
        """Opens a table, starts the game and plays it to its end."""
        await self.begin()
        while self.table.status == "playing":
            await self.turn()
        # The messages that are still to be sent count for the game.
        await self._clock.sleep(_MINUTE)

    async def turn(self) -> None:
        """Lets each player in turn make one press, if it is then that player's move."""
        for seat, player in enumerate(self.players):
            await self._act(seat, player)

    @property
    def table(self) -> Table:
        return self._tables[self._game]

    async def begin(self) -> None:
        """Opens a table and starts the game."""
        first, *others = self.players
        await first.command("new", game=self._key)
        await self._clock.sleep(THINKING)
        (self._game,) = self._tables
        for player in others:
            await player.do("join")
            await self._clock.sleep(THINKING)
        await first.do("start")
        await self._clock.sleep(THINKING)
        assert self.table.status == "playing"
        self.acts = max(player.acts for player in self.players)
        self._began = self._clock.now()

    async def _act(self, seat: int, player: Player) -> None:
        """Makes one press of a player, if they are to move; asserts that they have a menu."""
        table = self.table
        if table.status != "playing" or seat not in table.active():
            return
        shown = player.menu(table)
        assert shown, f"{self._key}: a player who is to move has no menu"
        message, page = shown
        rendered = as_message(page, self._phones.limits)
        self.pages.append(rendered)
        self.sizes.append(height(rendered))
        *_, public_panel = self._phones.group.values()
        self.public_sizes.append(height(as_message(public_panel, self._phones.limits)))
        key = player.choose_key(page, table, seat)
        player.taken.append((key.action or "", key.words))
        player.presses += presses_of(key, rendered, self._phones.limits)
        await player.press(message, key)
        await self._clock.sleep(THINKING)
        if self.table.stamp != table.stamp:
            self.presses.append(player.presses)
            player.presses = 0

    @property
    def busiest(self) -> int:
        """The most messages, edits and deletions at the group within any minute of the game."""
        sent = [at for at in self._phones.sent_at if at >= self._began]
        return max(sum(first <= at < first + _MINUTE for at in sent) for first in sent)


def figures(platform: str, key: str, seats: int, evenings: Sequence[Evening]) -> Figures:
    """The figures of several games of the same kind, measured as one."""
    sizes = [size for evening in evenings for size in evening.sizes]
    pages = [page for evening in evenings for page in evening.pages]
    presses = [number for evening in evenings for number in evening.presses]
    return Figures(
        platform=platform,
        game=key,
        seats=seats,
        lines_p50=percentile(sizes, 50),
        lines_p95=percentile(sizes, 95),
        buttons_max=max(map(number_of_buttons, pages)),
        label_cells_max=max(map(widest_label, pages)),
        presses_per_move_p50=percentile(presses, 50),
        presses_per_move_p95=percentile(presses, 95),
        acts_to_first_card=max(evening.acts for evening in evenings),
        group_messages_per_minute=max(evening.busiest for evening in evenings),
    )


def height(message: Message) -> int:
    """The lines that a phone needs for a message, rows of buttons included."""
    deadline = (message.deadline.sentence,) if message.deadline else ()
    text = sentence_lines((*message.above, *message.below, *deadline))
    return text + drawing_lines(message.drawing) + len(message.rows) + bool(message.select)


def number_of_buttons(message: Message) -> int:
    """The buttons of a message, and the choices of its list."""
    return sum(map(len, message.rows)) + (len(message.select.options) if message.select else 0)


def widest_label(message: Message) -> int:
    """The cells of the widest label that shares its row with another; 0 if none does."""
    return max((cells(button.label) for row in message.rows if len(row) > 1 for button in row), default=0)


def presses_of(key: Key, message: Message, limits: Limits) -> int:
    """The presses that a key takes: two in a list, which must be opened."""
    data = data_of(key, limits.data)
    return 2 if message.select and any(option.data == data for option in message.select.options) else 1


def percentile(values: Sequence[int], percent: int) -> int:
    """The least of the values that ``percent`` per cent of them do not exceed."""
    return sorted(values)[max(ceil(len(values) * percent / 100), 1) - 1]


async def played(platform: str, key: str, seats: int, number: int = 0) -> Evening:
    """Plays a game, with the luck that follows from ``key``, ``seats`` and ``number``."""
    clock = VirtualClock(_OPENED)
    phones = Phones(platform, PLATFORMS[platform], clock)
    often = Allowances(presses=_OFTEN, tables=_OFTEN)
    luck = random.Random(f"{key} {seats} {number}")
    with mock.patch("random._urandom", luck.randbytes), mock.patch("os.urandom", luck.randbytes):
        async with running(
            MemoryStore(), clock, {platform: phones}, rng=luck, allowances=often, process="evening"
        ) as dispatcher:
            evening = Evening(dispatcher, phones, clock, key, seats, luck)
            await evening.play()
    return evening


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--platform", action="append", choices=list(PLATFORMS))
    parser.add_argument("--game", action="append", choices=list(games()))
    parser.add_argument("--seats", action="append", type=int)
    parser.add_argument("--games", type=int, default=1, help="games of each kind, which are measured as one")
    given = parser.parse_args()
    names = list(Figures.__struct_fields__)
    widths = [max(len(name), 13) for name in names[:2]] + [len(name) for name in names[2:]]
    if not given.json:
        print("  ".join(map(str.ljust, names, widths)))
    for platform in given.platform or PLATFORMS:
        for key in given.game or games():
            for seats in games()[key].seats:
                if given.seats and seats not in given.seats:
                    continue
                evenings = [asyncio.run(played(platform, key, seats, n)) for n in range(given.games)]
                shown = asdict(figures(platform, key, seats, evenings))
                if given.json:
                    print(json.dumps(shown), flush=True)
                else:
                    print("  ".join(map(str.ljust, map(str, shown.values()), widths)).rstrip(), flush=True)


if __name__ == "__main__":
    main()
