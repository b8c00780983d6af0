"""Drives the full-screen program without a terminal: reads its text, presses keys and clicks."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from unittest import mock

from textual import events
from textual.pilot import Pilot

from adapters.terminal.app import TerminalApp
from adapters.terminal.equipment import Equipment, LateEquipment
from adapters.terminal.guide import GuideMemory
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.setup import Setup
from adapters.terminal.table_screen.command_line import CommandLine
from adapters.terminal.table_screen.table import TableScreen
from adapters.terminal.widgets import ButtonGrid
from bot.inbox.moves.menus import READING
from bot.model.ids import GameId
from bot.thinking.query import Query
from bot.thinking.thinker import InlineThinker, Thinker
from engines.cards import Card
from engines.game import Move, Seat
from tests.support.clock import VirtualClock
from tests.support.news import news_for

_POSTED = 4
"""The longest chain of Textual messages in which each one posts the next."""
_SCROLL_BARS = " ▁▂▃▄▅▆▇█"
"""Characters stripped from line ends: Textual draws scroll bars later than the rest."""
_KEYS = {"Enter": "enter", "Esc": "escape", "+": "plus"}
"""The keys of buttons, as Textual calls them."""
_MOST_SETTLED = 20_000
"""Calls of `Person.settle`, or rounds in `fast_forward`, after which a test fails; no test needs as many."""
CARD = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]")


class Person:
    """A player at the full screen."""

    def __init__(self, app: TerminalApp, pilot: Pilot[None], clock: VirtualClock) -> None:
        self.app = app
        self._pilot = pilot
        self._clock = clock
        self._settled = 0

    @property
    def table(self) -> TableScreen:
        """The screen of the current game; asserts that there is one."""
        assert self.app.table is not None
        return self.app.table

    @property
    def menu(self) -> ButtonGrid:
        """The menu's buttons."""
        return self.table.query_one("#menu", ButtonGrid)

    @property
    def line(self) -> CommandLine:
        """The command line."""
        return self.table.query_one(CommandLine)

    def text(self) -> str:
        """The text on the screen, line by line, without colours.

        Textual has no public API for the text of a screen; its screenshots are pictures.
        """
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip(_SCROLL_BARS) for strip in strips)

    def cards(self) -> set[str]:
        """The cards that the screen names."""
        return set(CARD.findall(self.text()))

    def labels(self) -> list[str]:
        """The labels of the menu's buttons, with their keys."""
        return [str(button).strip() for button in self.menu.buttons]

    async def press(self, *keys: str) -> None:
        """Presses keys one after another; faster than the pilot's `press`, which pauses after each key."""
        for key in keys:
            character = " " if key == "space" else key if len(key) == 1 else None
            self.app.post_message(events.Key(key, character))
            await self.settle()

    async def press_at_once(self, *keys: str) -> None:
        """Presses keys so fast that all arrive before the first is handled."""
        for key in keys:
            self.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await self.settle()
        await self.settle()

    async def settle(self) -> None:
        """Lets the app handle its pending messages, and the messages that those post.

        Fails after `_MOST_SETTLED` calls: pytest's own time limit might end another task than the test's.
        """
        self._settled += 1
        assert self._settled < _MOST_SETTLED, f"nothing more happens on the screen:\n{self.text()}"
        for _ in range(_POSTED):
            await self._pilot.pause(0)

    async def type(self, line: str) -> None:
        """Sets the command line's text and presses Enter, faster than key by key."""
        self.line.value = line
        await self.press("enter")

    async def click(self, n: int) -> None:
        """Clicks the button with this index."""
        await self._pilot.click(self.menu, offset=self._offset(n))
        await self.settle()

    async def click_key(self, key: str) -> None:
        """Clicks the button of a key in the last lines of the screen."""
        grid = self.app.screen.query_one("#keys", ButtonGrid)
        n = [button.key for button in grid.buttons].index(key)
        await self._pilot.click(grid, offset=grid.offset_of(n))
        await self.settle()

    async def click_twice(self, n: int) -> None:
        """Clicks the button with this index twice, before the first click is handled."""
        for _ in range(2):
            self.menu.post_message(ButtonGrid.Pressed(self.menu.buttons[n]))
        await self.settle()
        await self.settle()

    async def idle(self) -> None:
        """Lets the computers play until the menu has buttons for the player at the keyboard."""
        while not self.menu.buttons:
            await self.settle()
        # The log scrolls to its end after the buttons are there.
        await self.settle()

    async def until(self, words: str) -> None:
        """Waits until the screen shows words that another thread brings."""
        while words not in self.text():
            await self.settle()

    async def play_on(self, rng: random.Random, *, clicking: bool = False) -> AsyncIterator[None]:
        """Plays to the end of the game by random buttons alone; yields after each press."""
        while self.table.session.table.result is None:
            await self.idle()
            keys = [button.key for button in self.menu.buttons]
            n = rng.randrange(len(keys)) if rng.random() < 0.9 else 0
            if clicking:
                await self.click(n)
            else:
                await self.choose(keys[n])
            yield
        # The last move may have played itself.
        await self.settle()

    async def choose(self, *keys: str) -> None:
        """Presses keys or the keys of buttons; a number that does not act at once is confirmed with Enter."""
        for key in keys:
            table = self.app.table
            if key.isdecimal() and table and table.is_active and not table._acts(key):
                await self.type(key)
            else:
                await self.press(_KEYS.get(key, key))

    async def fast_forward(self, rng: random.Random) -> None:
        """Plays random moves to the end of the game, through the session and not the screen.

        Then the player reads the end for a moment.
        """
        session = self.table.session
        for _ in range(_MOST_SETTLED):
            if session.table.result is not None:
                break
            for seat in set(session.table.active()) & set(session.people):
                moves = list(session.game.moves(session.table.state, seat))
                await session.play(seat, str(rng.choice(moves)))
            await asyncio.sleep(0)
        else:
            raise AssertionError("the game does not end")
        self.let_read()
        await self.settle()

    def let_read(self) -> None:
        """Moves the clock on by the time that a player needs for a new menu."""
        self._clock.time += READING

    def _offset(self, n: int) -> tuple[int, int]:
        across, down = self.menu.offset_of(n)
        return across + 1, down


class FirstMove(InlineThinker):
    """Plays the first move of the list, so that no screen depends on how well computers play."""

    async def choose(self, query: Query) -> Move:
        return query.moves[0]


async def _yield(*_: float) -> None:
    await asyncio.sleep(0)


def _no_frame(*_: object, **__: object) -> None:
    """Paints nothing."""


@asynccontextmanager
async def playing(
    setup: Setup | None,
    size: tuple[int, int] = (80, 24),
    *,
    base: Setup | None = None,
    clock: VirtualClock | None = None,
    store: WriteBehindStore | None = None,
    unfinished: GameId | None = None,
    thinker: Thinker | None = None,
    guides: GuideMemory | None = None,
    late: bool = False,
    listed: int = 1,
) -> AsyncIterator[Person]:
    """Runs the full-screen program, with a person to drive it; with ``late`` the program opens its store.

    A file of games that exists lists ``listed`` unfinished games before it is read.
    """
    base = base or setup or Setup("", 0, ["Ana"], seed="x")
    clock = clock or VirtualClock(eager=True)
    made = Equipment(thinker or InlineThinker(), store, guides)
    equipment = LateEquipment(lambda: made, lambda: listed if store and store.file.exists() else 0)
    if not late:
        equipment()
    app = TerminalApp(setup, base, clock, equipment=equipment, unfinished=unfinished)
    # Textual's own `wait_for_idle` waits until the processor is idle, or a second has passed.
    # Without a terminal Textual paints frames only to discard them; `Person.text` paints what a test reads.
    with (
        mock.patch("textual.pilot.wait_for_idle", _yield),
        mock.patch("textual._compositor.Compositor.render_update", _no_frame),
    ):
        async with app.run_test(size=size) as pilot:
            person = Person(app, pilot, clock)
            await person.settle()
            yield person


def hand(person: Person, seat: Seat) -> set[str]:
    """The cards in a seat's hand, in the screen's notation."""
    table, say = person.table.session.table, person.table.session.say
    message = table.game.message(table.game.view(table.state, seat))
    return {say.card(Card(card)) for card in (message or {}).get("hand", ())}


def public_cards(person: Person) -> set[str]:
    """The cards named in the public news."""
    session = person.table.session
    return set(CARD.findall(" ".join(session.say(event.text) for event in news_for(session.table, None))))


def hidden(person: Person) -> Iterator[set[str]]:
    """The hands of all seats but the reader's, which must not be on the screen."""
    for seat in range(len(person.table.session.table.players)):
        if seat != person.table.reader:
            yield hand(person, seat)
