"""The full screen without a terminal: what it shows as text, and people who press and click."""

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
from adapters.terminal.screens.table import TableScreen
from adapters.terminal.setup import Setup
from adapters.terminal.store import WriteBehindStore
from adapters.terminal.widgets import ButtonGrid, CommandLine
from bot.model import GameId
from engines.cards import Card
from engines.game import Seat
from tests.support.clock import VirtualClock

_POSTED = 4
"""How many messages lead to one another at most."""
_SCROLL_BARS = " ▁▂▃▄▅▆▇█"
"""What a scroll bar ends in is drawn a moment later than the rest."""
CARD = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]")


class Person:
    """Somebody before the screen."""

    def __init__(self, app: TerminalApp, pilot: Pilot[None]) -> None:
        self.app = app
        self._pilot = pilot

    @property
    def table(self) -> TableScreen:
        """The screen of the game that is played."""
        assert self.app.table is not None
        return self.app.table

    @property
    def menu(self) -> ButtonGrid:
        """The buttons."""
        return self.table.query_one("#menu", ButtonGrid)

    @property
    def line(self) -> CommandLine:
        """The line one types in."""
        return self.table.query_one(CommandLine)

    def text(self) -> str:
        """What the screen shows, line by line, without colours.

        Textual has no public way to the text of a screen; its screenshots are pictures.
        """
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip(_SCROLL_BARS) for strip in strips)

    def cards(self) -> set[str]:
        """The cards that the screen names."""
        return set(CARD.findall(self.text()))

    def labels(self) -> list[str]:
        """What the buttons say, with their keys."""
        return [str(button).strip() for button in self.menu.buttons]

    async def press(self, *keys: str) -> None:
        """Presses keys one after the other; the pilot's own way waits for a moment after each."""
        for key in keys:
            character = " " if key == "space" else key if len(key) == 1 else None
            self.app.post_message(events.Key(key, character))
            await self.settle()

    async def settle(self) -> None:
        """Lets everything happen that one thing leads to: what it posts, and what that posts."""
        for _ in range(_POSTED):
            await self._pilot.pause(0)

    async def type(self, line: str) -> None:
        """Types a line and enters it, faster than key by key."""
        self.line.value = line
        await self.press("enter")

    async def click(self, n: int) -> None:
        """Clicks the button with this index."""
        await self._pilot.click(self.menu, offset=self._offset(n))
        await self.settle()

    async def idle(self) -> None:
        """Lets the computers play until somebody at the keyboard can press something."""
        while not self.menu.buttons:
            await self.settle()

    async def until(self, words: str) -> None:
        """Waits for words that come from another thread."""
        while words not in self.text():
            await self.settle()

    async def play_on(self, rng: random.Random, *, clicking: bool = False) -> AsyncIterator[None]:
        """Plays to the end of the game by buttons alone; every step is yielded."""
        while self.table.session.table.result is None:
            await self.idle()
            keys = [button.key for button in self.menu.buttons]
            n = rng.randrange(len(keys)) if rng.random() < 0.9 else 0
            if clicking:
                await self.click(n)
            else:
                await self.press({"Enter": "enter", "Esc": "escape"}.get(keys[n], keys[n]))
            yield

    async def fast_forward(self, rng: random.Random) -> None:
        """Plays to the end of the game without a look at the screen."""
        session = self.table.session
        while session.table.result is None:
            for seat in set(session.table.active()) & set(session.people):
                moves = list(session.game.moves(session.table.state, seat))
                await session.play(seat, str(rng.choice(moves)))
            await asyncio.sleep(0)
        await self.settle()

    def _offset(self, n: int) -> tuple[int, int]:
        across, down = self.menu.offset_of(n)
        return across + 1, down


async def _yield(*_: float) -> None:
    await asyncio.sleep(0)


@asynccontextmanager
async def playing(
    setup: Setup | None,
    size: tuple[int, int] = (80, 24),
    *,
    base: Setup | None = None,
    clock: VirtualClock | None = None,
    store: WriteBehindStore | None = None,
    unfinished: GameId | None = None,
) -> AsyncIterator[Person]:
    """The program with a person before it."""
    base = base or setup or Setup("", 0, ["Ana"], seed="x")
    app = TerminalApp(setup, base, clock or VirtualClock(eager=True), store=store, unfinished=unfinished)
    # The library's own way to wait is until the processor has little to do, or a second has passed.
    with mock.patch("textual.pilot.wait_for_idle", _yield):
        async with app.run_test(size=size) as pilot:
            person = Person(app, pilot)
            await person.settle()
            yield person


def hand(person: Person, seat: Seat) -> set[str]:
    """The cards that a seat holds, as the screen would name them."""
    table, say = person.table.session.table, person.table.session.say
    message = table.game.message(table.game.view(table.state, seat))
    return {say.card(Card(card)) for card in (message or {}).get("hand", ())}


def told(person: Person) -> set[str]:
    """The cards that everybody has heard of."""
    session = person.table.session
    return set(CARD.findall(" ".join(session.say(event.text) for event in session.table.news_for(None))))


def hidden(person: Person) -> Iterator[set[str]]:
    """The hands that must not be on the screen."""
    for seat in range(len(person.table.session.table.players)):
        if seat != person.table.reader:
            yield hand(person, seat)
