"""Simulated players, who press buttons that they can see."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.ids import GameId
from bot.pages.callback_data import CallbackData
from tests.support.records import Button, Guest, Message

MENU = frozenset(("move", "sure", "done", "pick", "add", "drop", "page", "top"))
"""The actions of the buttons of a player's move menu."""

PAGE = MENU | {"leave", "back", "rematch"}
"""The actions of a player page's buttons, by which `Player` finds that page among its private messages."""


@dataclass(frozen=True)
class Offer:
    """A visible button and its callback data."""

    message: Message
    button: Button
    callback: CallbackData

    @property
    def own(self) -> bool:
        """Whether one user alone sees the message."""
        return bool(self.message.user)


def offers(guest: Guest, game: GameId = "") -> Iterator[Offer]:
    """The buttons with callback data that a user sees; of one table if ``game`` is given.

    Those of private messages come first, then those at each place; in each chat the newest message is first.
    """
    for message in reversed(guest.seen()):
        for button in message.buttons:
            callback = CallbackData.parse(button.data)
            if callback and (not game or callback.game == game):
                yield Offer(message, button, callback)


def offer(guest: Guest, action: str, game: GameId = "") -> Offer | None:
    """The first button of `offers` with this action; None if there is none."""
    return next((offered for offered in offers(guest, game) if offered.callback.action == action), None)


@dataclass
class Player:
    """A player who mostly presses the first button that confirms, ends or makes a move."""

    guest: Guest
    rng: random.Random
    randomness: float = 0.2
    """The probability that `move` presses a random button of the menu instead of such a one."""
    presses: int = 0

    async def do(self, action: str, game: GameId = "", answer: str = "") -> bool:
        """Presses the first button of `offers` with this action; False if they see none."""
        if (found := offer(self.guest, action, game)) is None:
            return False
        await self.press(found, answer)
        return True

    async def press(self, offered: Offer, answer: str = "") -> None:
        self.presses += 1
        await self.guest.press(offered.message, offered.button, answer)

    async def move(self, game: GameId) -> bool:
        """Presses a button of their menu; False if they see none.

        In that case they ask for the page, if they have none or if it may be old.
        """
        page = self._page(game)
        if menu := [offered for offered in page if offered.callback.action in MENU]:
            await self.press(self._chosen(menu))
            return True
        if not page or page[0].message.beside:
            # The bot does not update an ephemeral page by itself.
            await self.do("hand", game)
        return False

    def _page(self, game: GameId) -> list[Offer]:
        """The buttons of their newest page of a table."""
        mine = [offered for offered in offers(self.guest, game) if offered.own]
        newest = next((offered.message for offered in mine if offered.callback.action in PAGE), None)
        return [offered for offered in mine if offered.message is newest]

    def _chosen(self, menu: list[Offer]) -> Offer:
        if self.rng.random() < self.randomness:
            return self.rng.choice(menu)
        for action in ("sure", "done", "move"):
            if able := [offered for offered in menu if offered.callback.action == action]:
                return able[0]
        return self.rng.choice(menu)
